"""What a text counts, beside the terms that it holds."""

import random
import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from modelwright_runtime.columns import TextColumn
from modelwright_runtime.deserialisation import encoder_of
from modelwright_runtime.text_features import MAX_CHARACTERS, MAX_MARKS, Vocabulary, counts, terms

NO_WORDS = Vocabulary({}, np.zeros(0), np.zeros((0, 0), np.float32))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Call 0800-123 NOW!", [3, 7, 4, 2]),
        ("\u00c9t\u00e9 \u2013 no", [3, 0, 0, 0]),
        ("\ud800 A", [2, 0, 1, 0]),
        ("  ", [0, 0, 0, 0]),
        ("", [0, 0, 0, 0]),
        ("1" * (MAX_CHARACTERS + 1), [1, MAX_CHARACTERS, 0, 0]),
    ],
)
def test_words_digits_capitals_and_marks(text: str, found: list[int]):
    assert counts(text) == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It's a re-run, no_1!", ["it", "re", "run", "no_1"]),
        ("tab\tline\nfile\x1cnul\x00end", ["tab", "line", "file", "nul", "end"]),
        ("\u212aelvin 20\u00b0", ["kelvin", "20"]),
        ("\u00c9t\u00e9 a \u00fcber", ["\u00e9t\u00e9", "\u00fcber"]),
        ("x y z", []),
        ("", []),
    ],
)
def test_terms_are_words_of_two_signs_and_their_pairs(text: str, words: list[str]):
    assert terms(text) == [*words, *map(" ".join, pairwise(words))]


def test_words_are_the_same_with_and_without_other_signs_than_those_of_ascii():
    every = "".join(f"{sign}a{sign}bc{sign}{sign}" for sign in map(chr, range(128)))
    assert terms(every) == terms(every + " \u00e9")


DASHES = "".join(map(chr, range(0x2010, 0x2011 + MAX_MARKS)))


@pytest.mark.parametrize(
    "signs",
    [
        "ab '",
        "ab \u2019\u2014\xa0\U0001f600",
        f"ab {DASHES}",
        "ab \u00e9\u2019",
        "Ab1_ .\u00c9\u0130\u4e2d\u3002\ud800",
    ],
    ids=["of ASCII", "with marks", "with many marks", "with letters", "with any"],
)
def test_words_are_what_stands_between_other_signs(signs: str):
    drawn = random.Random(1)
    for _ in range(1000):
        text = "".join(drawn.choices(signs, k=60))
        words = re.findall(r"\w\w+", text.lower())
        assert terms(text) == [*words, *map(" ".join, pairwise(words))]


class TestColumn:
    TEXTS = ("Call 0800-123 NOW!", "", None)

    def test_gives_one_text_as_many(self):
        column = TextColumn("said", "string", gaps=True, words=NO_WORDS, counted=True)
        assert (column.counts, column.width) == (5, 5)
        assert column.many(self.TEXTS).tolist() == [[*column.one(text)] for text in self.TEXTS]
        assert column.one(self.TEXTS[0]) == [18, 3, 7, 4, 2]

    @pytest.mark.parametrize("counted", [{}, {"counted": True}])
    def test_counts_nothing_in_an_artifact_from_before(self, counted: dict[str, bool]):
        told = {"kind": "text", "name": "said", "type": "string", "gaps": True, "place": 0}
        arrays: dict[str, Any] = {"idf.0": NO_WORDS.idf, "words.0": NO_WORDS.directions}
        encoder = encoder_of(
            {"columns": [{**told, "terms": [], **counted}], "durations": []}, arrays
        )
        assert encoder.width == (5 if counted else 1)

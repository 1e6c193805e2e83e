"""The terms of a text column: the same in every process, pairs of words among them."""

import os
import subprocess
import sys

import numpy as np
import pytest

from modelwright.engines.automl.features.text_features import MAX_TERMS, fit_vocabulary
from modelwright_runtime.text_features import Vocabulary, terms

TIED = """
from modelwright.engines.automl.features.text_features import fit_vocabulary
import hashlib, numpy as np
starts = range(0, 16_000, 200)
texts = np.array([" ".join(f"w{start + one}" for one in range(400)) for start in starts])
print(hashlib.sha256(" ".join(fit_vocabulary(texts).index).encode()).hexdigest())
"""
"""More terms tie, as each stands in two texts, than a vocabulary keeps."""


def test_is_the_same_in_every_process():
    found = {
        subprocess.run(
            [sys.executable, "-c", TIED],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_keeps_the_terms_of_most_texts():
    texts = np.array([f"common word{place % 9000} rare{place}" for place in range(18_000)])
    found = fit_vocabulary(texts).index
    assert len(found) == MAX_TERMS
    assert "common" in found
    assert "rare1" not in found


@pytest.mark.parametrize(
    "text",
    [
        "the quick brown fox and the quick red fox",
        "fox the quick",
        "quick unknown brown",
        "the a quick 1 brown, a brown",
        "the \u00e9 quick \u00e0 brown",
        "The QUICK, brown!",
        "unknown",
        "a b",
        "",
    ],
)
def test_weighs_the_terms_that_it_knows(text: str):
    known = ["brown", "fox", "quick", "quick brown", "the", "the quick"]
    index = {term: place for place, term in enumerate(known)}
    idf = np.array([2.0, 1.5, 1.25, 3.0, 1.0, 2.5])
    places, weights = Vocabulary(index, idf, np.zeros((6, 0), np.float32)).weigh(text)
    said = [term for term in terms(text) if term in index]
    assert [known[place] for place in places.tolist()] == sorted(set(said))
    wanted = np.array([np.log1p(said.count(one)) * idf[index[one]] for one in sorted(set(said))])
    norm = np.sqrt((wanted**2).sum()) if len(wanted) else 1.0
    np.testing.assert_allclose(weights, wanted / norm, rtol=1e-15)


def test_terms_of_no_weight_at_all_are_no_numbers_that_are_none():
    words = Vocabulary({"fox": 0}, np.zeros(1), np.zeros((1, 0), np.float32))
    assert [part.tolist() for part in words.weigh("the fox")] == [[0], [0.0]]

"""Free text into terms and numbers: the same words when learning and when predicting."""

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

WORD = re.compile(r"\w\w+")
APART = "".join(sign if sign.isalnum() or sign == "_" else " " for sign in map(chr, range(128)))
"""What the signs of ASCII become where words are parted by blanks."""
LONGEST = 20_000
"""Characters of a text that are read; the rest is ignored."""
COUNTED = (string.digits, string.ascii_uppercase, string.punctuation)
_COUNTED = tuple(one.encode() for one in COUNTED)
COUNTS = 1 + len(COUNTED)
NOTHING: tuple[None, dict[str, int]] = None, {}


def terms(text: str) -> list[str]:
    """Gives the lower-cased words of two characters or more and their neighbouring pairs."""
    words = _words(text)
    return [*words, *map(" ".join, pairwise(words))]


def _words(text: str) -> list[str]:
    read = text[:LONGEST].lower()
    if read.isascii():
        return [word for word in read.translate(APART).split() if len(word) > 1]
    return WORD.findall(read)


def counts(text: str) -> list[int]:
    """Gives how many words, digits, capitals and marks a text has; of the latter those of ASCII."""
    read = text[:LONGEST]
    letters = read.encode("ascii", "ignore")
    return [
        len(read.split()),
        *(len(letters) - len(letters.translate(None, one)) for one in _COUNTED),
    ]


@dataclass(frozen=True, slots=True)
class Weighed:
    """A text that has been read: its length and counts, its known terms and their weights."""

    counts: list[int]
    places: NDArray[np.int64]
    weights: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Terms with their inverse document frequency and their place in a few dense directions.

    The weights of a text are tf-idf with a logarithmic term frequency, of length one (Salton and
    Buckley 1988); the directions are the leading singular vectors (latent semantic indexing).
    """

    index: Mapping[str, int]
    idf: NDArray[np.float64]
    directions: NDArray[np.float32]
    _starts: dict[str, tuple[int | None, dict[str, int]]] = field(init=False, repr=False)
    """By words, their place if they are a term, and those of pairs that they begin by the second.
    """

    def __post_init__(self) -> None:
        words: dict[str, tuple[int | None, dict[str, int]]] = {}
        for term, place in self.index.items():
            first, gap, second = term.partition(" ")
            own, pairs = words.get(first, (None, {}))
            words[first] = (own if gap else place, pairs)
            if gap:
                pairs[second] = place
        object.__setattr__(self, "_starts", words)

    def read(self, text: "str | Weighed | None") -> Weighed:
        """Reads a text, but one that has been read; a gap is an empty one."""
        if isinstance(text, Weighed):
            return text
        text = text or ""
        return Weighed([len(text), *counts(text)], *self.weigh(text))

    def weigh(self, text: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Gives the known terms of a text, sorted, and their weights."""
        found: list[int] = []
        pairs: dict[str, int] = {}
        for word in _words(text):
            if word in pairs:
                found.append(pairs[word])
            place, pairs = self._starts.get(word, NOTHING)
            if place is not None:
                found.append(place)
        places, times = np.unique(found, return_counts=True)
        if not len(places):
            return np.zeros(0, np.int64), np.zeros(0)
        weights = np.log1p(times) * self.idf[places]
        return places, weights / np.sqrt((weights * weights).sum())

    def place(self, places: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Gives the dense directions of a weighed text."""
        return np.asarray(np.dot(weights, self.directions.take(places, axis=0)))

"""Free text into terms and numbers: the same words when learning and when predicting.

A word that is cut otherwise than in training is an unknown one, and every weight behind it counts
for nothing.
"""

import re
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, repeat

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.forest import Ints
from modelwright_runtime.objective import Floats

WORD = re.compile(r"\w\w+")
APART = "".join(sign if sign.isalnum() or sign == "_" else " " for sign in map(chr, range(128)))
"""What the signs of ASCII become where words are parted by blanks."""
ASCII = bytes(range(128))
"""All characters of one byte in UTF-8."""
UTF_8 = ("utf-8", "surrogatepass")
"""How texts become bytes; half a surrogate pair, which JSON may hold, is kept."""
MAX_MARKS = 16
"""So many different marks are looked for one after the other."""
MAX_CHARACTERS = 20_000
"""Characters of a text that are read; the rest is ignored."""
COUNTED = (string.digits, string.ascii_uppercase, string.punctuation)
COUNTS = 1 + len(COUNTED)
LETTERS = string.ascii_lowercase + string.digits + "_"
"""The words of one sign that a text of ASCII may have."""
NONE = -1
"""The place of what is no term."""
LAST = np.iinfo(np.int64).max
"""What comes after all places and pairs."""
ENDS = np.array([NONE, LAST])

_SIGNS = [*map(chr, range(256))]
_KINDS = bytes(sum(place for place, kind in enumerate(COUNTED, 1) if one in kind) for one in _SIGNS)
_GAPS = bytes(one.isspace() for one in _SIGNS)


def terms(text: str) -> list[str]:
    """Returns the lower-cased words of two characters or more and their neighbouring pairs.

    Args:
        text: A text.

    Returns:
        Words, then pairs, with repetitions.
    """
    words = [word for word in _words(text) if len(word) > 1]
    return [*words, *map(" ".join, pairwise(words))]


def _words(text: str) -> list[str]:
    """Returns the lower-cased words, and maybe some of one sign, which count for nothing."""
    read = text[:MAX_CHARACTERS].lower()
    if not read.isascii():
        read = _simpler(read)
    if read.isascii():
        return read.translate(APART).split()
    return WORD.findall(read)


def _simpler(text: str) -> str:
    """Puts blanks for marks that are not of ASCII, such as dashes, where they are all it has."""
    others = {*text.encode(*UTF_8).translate(None, ASCII).decode(*UTF_8)}
    if len(others) <= MAX_MARKS and not any(map(str.isalnum, others)):
        for sign in others:
            text = text.replace(sign, " ")
    return text


def counts(text: str) -> list[int]:
    """Returns how many words, digits, capitals and marks a text has.

    Of the latter those of ASCII.

    Args:
        text: A text, of which the first `MAX_CHARACTERS` characters are read.

    Returns:
        Counts, shape (COUNTS,).
    """
    read = text[:MAX_CHARACTERS]
    letters = read.encode("ascii", "ignore")
    kinds = letters.translate(_KINDS)
    parted = b"\1" + letters.translate(_GAPS)
    words = parted.count(b"\1\0") if read.isascii() else len(read.split())
    return [words, *map(kinds.count, range(1, COUNTS))]


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
    _numbers: dict[str, int] = field(init=False, repr=False)
    """A number for each word that terms are made of; 0 for those of one sign."""
    _single: Ints = field(init=False, repr=False)
    """The places of words by their numbers; the last number is that of all other words."""
    _pairs: Ints = field(init=False, repr=False)
    """The pairs that are terms, first * numbers + second, ascending, with `LAST` behind them."""
    _paired: Ints = field(init=False, repr=False)
    """The places of the pairs."""

    def __post_init__(self) -> None:
        parts = [term.partition(" ") for term in self.index]
        numbers = dict.fromkeys(LETTERS, 0)
        for first, _, second in parts:
            numbers.setdefault(first, len(numbers))
            numbers.setdefault(second, len(numbers))
        single, pairs = np.full(len(numbers) + 1, NONE), {LAST: NONE}
        for (first, gap, second), place in zip(parts, self.index.values(), strict=True):
            if gap:
                pairs[numbers[first] * len(single) + numbers[second]] = place
            else:
                single[numbers[first]] = place
        inside = sorted(pairs)
        object.__setattr__(self, "_numbers", numbers)
        object.__setattr__(self, "_single", single)
        object.__setattr__(self, "_pairs", np.array(inside))
        object.__setattr__(self, "_paired", np.array([pairs[one] for one in inside]))

    def read(self, text: "str | Weighed | None") -> Weighed:
        """Reads a text, but one that has been read; a gap is an empty one.

        Args:
            text: A text, or one that has been read.

        Returns:
            Counts, places and weights of its terms.
        """
        if isinstance(text, Weighed):
            return text
        text = text or ""
        return Weighed([len(text), *counts(text)], *self.weigh(text))

    def weigh(self, text: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Returns the known terms of a text, sorted, and their weights.

        Args:
            text: A text.

        Returns:
            Places in the vocabulary, and weights of unit length, shape (terms,) each.
        """
        words, count = _words(text), len(self._single)
        known = map(self._numbers.get, words, repeat(count - 1))
        numbers = np.fromiter(known, np.int64, len(words))
        numbers = numbers[numbers > 0]
        pairs = numbers[:-1] * count + numbers[1:]
        pairs.sort()
        at = self._pairs.searchsorted(pairs)
        paired = self._paired.take(at[self._pairs.take(at) == pairs])
        found = np.concatenate([self._single.take(numbers), paired, ENDS])
        found.sort()
        last = (found[1:] != found[:-1]).nonzero()[0]
        places, times = found.take(last[1:]), last[1:] - last[:-1]
        weights = np.log1p(times) * self.idf.take(places)
        return places, weights / np.sqrt(weights.dot(weights) or 1.0)

    def place(self, places: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns the dense directions of a weighed text.

        Args:
            places: Places in the vocabulary, shape (terms,).
            weights: Weights of the terms, shape (terms,).

        Returns:
            Shape (directions,).
        """
        return np.asarray(np.dot(weights, self.directions.take(places, axis=0)))

    def add_up(self, texts: Iterable["str | Weighed | None"], weights: Floats) -> Floats:
        """Returns what the terms of texts add.

        Args:
            texts: Any number of them.
            weights: What each term weighs, shape (terms, outputs).

        Returns:
            Shape (texts, outputs).
        """
        added = [
            np.dot(one.weights, weights.take(one.places, axis=0)) for one in map(self.read, texts)
        ]
        return np.array(added).reshape(len(added), weights.shape[1])

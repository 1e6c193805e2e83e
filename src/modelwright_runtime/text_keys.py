"""Which spellings of a word are the same word: those that differ in case, blanks or code points."""

from collections.abc import Iterable
from unicodedata import normalize

MIN_CASELESS_CHARACTERS = 3
"""Case tells shorter values apart, as it does alleles and units: `A` and `a`, `mW` and `MW`."""
SHORT_WORDS = frozenset({"y", "n", "no"})


def folded(text: str) -> str:
    """Returns a text without what case and blanks make of it.

    Args:
        text: A text.

    Returns:
        The text in one case, blanks single.
    """
    return " ".join(composed(text).casefold().split())


def composed(text: str) -> str:
    """Returns a text with each letter and its marks as one code point, where there is one.

    Args:
        text: A text.

    Returns:
        The text in Unicode's normal form C.
    """
    return text if text.isascii() else normalize("NFC", text)


def spelling_key(text: str) -> str:
    """Returns what is the same for all spellings of one word.

    Args:
        text: A word.

    Returns:
        A key; short words keep their case, as codes do.
    """
    plain = folded(text)
    wordy = sum(map(str.isalpha, plain)) >= MIN_CASELESS_CHARACTERS or plain in SHORT_WORDS
    return plain if wordy else " ".join(composed(text).split())


def places_by_key(names: Iterable[str]) -> dict[str, int]:
    """Returns the place of each name by its key, the first where several share one.

    Args:
        names: Names in their order.

    Returns:
        Places by key.
    """
    places: dict[str, int] = {}
    for place, name in enumerate(names):
        places.setdefault(spelling_key(name), place)
    return places

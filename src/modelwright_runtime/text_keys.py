"""Which spellings of a word are the same word: those that differ in case or blanks alone."""

from collections.abc import Iterable

WORD = 3
"""Case tells shorter values apart, as it does alleles and units: `A` and `a`, `mW` and `MW`."""
SHORT_WORDS = frozenset({"y", "n", "no"})


def folded(text: str) -> str:
    """Gives a text without what case and blanks make of it."""
    return " ".join(text.casefold().split())


def spelling_key(text: str) -> str:
    """Gives what is the same for all spellings of one word."""
    plain = folded(text)
    wordy = sum(map(str.isalpha, plain)) >= WORD or plain in SHORT_WORDS
    return plain if wordy else " ".join(text.split())


def places_by_key(names: Iterable[str]) -> dict[str, int]:
    """Gives the place of each name by its key, the first where several share one."""
    places: dict[str, int] = {}
    for place, name in enumerate(names):
        places.setdefault(spelling_key(name), place)
    return places

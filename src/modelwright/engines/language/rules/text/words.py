"""Words as they are compared: folded, split at case, digits and underscores, and stemmed."""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from modelwright.engines.language.vocabulary import word_set, word_values

_LATIN = [letter for letter in map(chr, range(0x250)) if letter.isalpha() and letter != "µ"]
_LETTERS = f"[{''.join(_LATIN)}]+"
_TOKEN = re.compile(
    r"[<>]=?|(?:(?<![\w)])[-\u2212])?\d+(?:,\d{3})*(?:\.\d+)?[a-z%]*"
    rf"|{_LETTERS}(?:['\u2019]{_LETTERS})?|[^\W_]+",
    re.IGNORECASE,
)
_UNIT = (
    r"(?<![A-Za-z])(?:[kMGT]?Wh|[kM]?VAr?h?|[kM][Vv]arh?|mAh|[kMGT]Hz|[hkM]Pa|mmHg|pH|dBm?|[kMGm]W"
    r"|[km]V|[kM]eV|[mdµ]L|kN|NOx|SOx|HbA1c|SpO2|VO2|eGFR|eNPS)(?![A-Za-z])"
)
_CAPITAL = f"[{''.join(filter(str.isupper, _LATIN))}]"
_SMALL = f"[{''.join(filter(str.islower, _LATIN))}]"
_NAME_PART = re.compile(rf"{_UNIT}|{_CAPITAL}+(?!{_SMALL})|{_CAPITAL}?{_SMALL}+|\d+|[^\W\d_]+")
_CODES = re.compile(r"\d+s")
_VOWEL = re.compile(r"[aeiouy]")
_SUFFIXES = (
    ("iveness", ""), ("ability", "abl"), ("ibility", "ibl"), ("ation", ""), ("ness", ""),
    ("ity", ""), ("ings", ""), ("ing", ""), ("ers", ""), ("ied", "y"), ("ies", "y"),
    ("iest", "y"), ("est", ""), ("ed", ""), ("er", ""), ("or", ""), ("ly", ""), ("al", ""),
)  # fmt: skip
_HOW_MANY = word_set("superlatives.of_how_many")
_WHOLE = word_set("word_forms.without_ending")
_SIBILANTS = ("xes", "ches", "shes", "sses")
_PLURALS: Mapping[str, str] = word_values("word_forms.plurals")
SHORTEST = 3
"""A stem keeps at least this many letters."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text: as written, folded, stemmed, and where it stands."""

    raw: str
    text: str
    stem: str
    start: int
    end: int


def fold(text: str) -> str:
    """Lower-cases and strips accents."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Strips the endings of one folded English word, alike for every form of it."""
    if len(word) <= SHORTEST or not word.isalpha() or word in _PLURALS:
        return _PLURALS.get(word, word)
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        if word.endswith(_SIBILANTS):
            word = word[:-2]
        elif word.endswith("ies") and len(word) > SHORTEST + 1:
            word = word[:-3] + "y"
        else:
            word = word[:-1]
    word = _shorter(_shorter(word))
    if word.endswith("e") and len(word) > SHORTEST + 1:
        word = word[:-1]
    if len(word) > SHORTEST and word[-1] == word[-2]:
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > SHORTEST else word


def _shorter(word: str) -> str:
    if word in _WHOLE:
        return word
    for suffix, put in _SUFFIXES:
        left = word.removesuffix(suffix)
        least = SHORTEST + (suffix == "or")  # a donor is no donation
        if left != word and len(left) >= least and _VOWEL.search(left):
            return left + put
    return word


def words(text: str) -> list[Word]:
    """Reads the words of a sentence in order, numbers and comparison signs included."""
    return list(_words(text))


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[Word, ...]:
    return tuple(_word(match) for match in _TOKEN.finditer(text))


def _word(match: re.Match[str]) -> Word:
    raw = match.group()
    text = (
        fold(raw)
        .replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        .removesuffix("'s")
        .replace("\N{MINUS SIGN}", "-")
    )
    if _CODES.fullmatch(text) and match.string[: match.start()][-1:].isalpha():
        text = text[:-1]  # `P1s` are those of P1
    return Word(raw, text, stem(text), match.start(), match.end())


@lru_cache(maxsize=16384)
def name_parts(name: str) -> tuple[str, ...]:
    """Splits a column or table name at underscores, case and digits: `MonthlyCharges` is two.

    Units and measures that mix the cases stay whole: `kWh`, `pH`.
    """
    return tuple(fold(part) for part in _NAME_PART.findall(name)) or (fold(name),)


@lru_cache(maxsize=16384)
def squeezed(text: str) -> str:
    """Keeps only letters and digits, folded."""
    return "".join(letter for letter in fold(text) if letter.isalnum())


def parted(name: str, known: Collection[str]) -> str:
    """Parts a name of two words written together, as `countrylanguage`, if `known` has both."""
    whole = name.lower()
    for at in range(SHORTEST, len(whole) - SHORTEST + 1):
        if {whole[:at], whole[at:]} <= set(known):
            return f"{whole[:at]} {whole[at:]}"
    return name


def is_written_as(said: Sequence[Word], value: str) -> bool:
    """Whether words are a value as it is written, or its plural, not only of the same stems."""
    held = [word.text for word in words(value)]
    told = [word.text for word in said]
    return len(held) == len(told) and all(map(_is_same_or_plural, told, held))


def _is_same_or_plural(word: str, other: str) -> bool:
    short, long = sorted((word, other), key=len)
    plurals = {short, f"{short}s", f"{short}es", f"{short.removesuffix('y')}ies"}
    return long in plurals or _PLURALS.get(long) == short


def does_most(said: Sequence[Word], at: int) -> bool:
    """Whether a word is what rows did the most of: `worked the most`, of no department Works.

    A value that is written as the word is meant by it: loans `cancelled the most` are Cancelled.
    """
    after = [word.text for word in said[at + 1 : at + 3]]
    ranked = after[1:] if after[:1] == ["the"] else after[:1]
    return said[at].text.endswith("ed") and not _HOW_MANY.isdisjoint(ranked)

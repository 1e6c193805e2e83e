"""Where a question speaks of values that the columns hold."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from modelwright.engines.language.rules.columns.index import Held, Index
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.words import Word, does_most, is_written_as, squeezed
from modelwright.engines.language.vocabulary import word_set

_LONGEST_VALUE = 14
"""In words of a question."""
_SAID = word_set("small_words.before_value")
PARTING = word_set("small_words.parting")
_COMPARING = word_set("values.comparing")
_RANKING = word_set("values.ranking")
_COMPUTING = word_set("values.computing")
_SIGNS = ("+", "-")
_QUOTED = re.compile(r"[\"“”`]([^\"“”`]+)[\"“”`]|(?<!\w)'([^']+)'(?!\w)")


@dataclass(frozen=True, slots=True)
class ValueLink:
    """A run of words that is a value of one or more columns."""

    start: int
    end: int
    held: tuple[Held, ...]
    exact: bool
    quoted: bool


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Where the text between quotation marks stands."""
    return [match.span(match.lastindex or 1) for match in _QUOTED.finditer(text)]


def read_values(text: str, found: Sequence[Word], index: Index) -> list[ValueLink]:
    """Links every run of words to the values that it may be, exactly or in any order."""
    quoted = quoted_spans(text)
    links = []
    for start, word in enumerate(found):
        for stems, held in index.values.get(word.stem, {}).items():
            end = start + len(stems)
            same = tuple(one.stem for one in found[start:end]) == stems
            if same and not _by_chance(found, start, end, held):
                inside = any(low <= word.start < high for low, high in quoted)
                said = squeezed(text[word.start : found[end - 1].end])
                written = _as_written(held, found[start:end])
                signed = _signed(held, text, word.start) or _nearest(written, said)
                links.append(ValueLink(start, end, signed, exact=True, quoted=inside))
    taken = {(link.start, link.end) for link in links}
    for start in range(len(found)):
        joined = ""
        for end in range(start + 1, min(start + _LONGEST_VALUE, len(found)) + 1):
            joined += squeezed(text[found[end - 1].start : found[end - 1].end])
            held_so = index.squeezed_values.get(joined)
            chance = held_so and _by_chance(found, start, end, held_so)
            if held_so and (start, end) not in taken and not chance:
                links.append(ValueLink(start, end, tuple(held_so), exact=True, quoted=False))
    return links + _in_any_order(found, index, taken)


def _signed(held: Sequence[Held], text: str, start: int) -> tuple[Held, ...]:
    """The values that stand there with their sign: O- of `share of O- draws`, not O+."""
    if len(held) == 1:
        return ()
    written = text[start:].lower()
    return tuple(
        one
        for one in held
        if str(one.value)[-1:] in _SIGNS and written.startswith(str(one.value).lower())
    )


def _as_written(held: Sequence[Held], said: Sequence[Word]) -> Sequence[Held]:
    """The kinds that are written so, else all of the same stems: `engineers`, not Engineering."""
    kinds = [one for one in held if one.column.repeated]
    written = [one for one in kinds if is_written_as(said, str(one.value))]
    return [one for one in held if one in written or one not in kinds] if written else held


def _nearest(held: Sequence[Held], said: str) -> tuple[Held, ...]:
    """One value of each column, as it is written where it can be: Developed, not Developing."""
    kept = {one.column.at: one for one in reversed(held)}
    if len(kept) == len(held):
        return tuple(held)
    kept |= {one.column.at: one for one in held if squeezed(str(one.value)) == said}
    return tuple(kept[at] for at in dict.fromkeys(one.column.at for one in held))


def _in_any_order(
    found: Sequence[Word], index: Index, taken: set[tuple[int, int]]
) -> list[ValueLink]:
    """`A used car` is the value `car (used)`, `near the bay` is `NEAR BAY`."""
    known = lexicon().stop
    rows = [sorted({term.stem for term in name.terms}) for name in index.table_names]
    telling = [at for at, word in enumerate(found) if word.text not in known or word.text == "no"]
    links = []
    runs = (telling[at : at + size] for at in range(len(telling)) for size in (4, 3, 2)
            if at + size <= len(telling))  # fmt: skip
    for run in runs:
        start, end = run[0], run[-1] + 1
        if end - start > len(run) + 1 or _parted(
            found[max(0, start - 1) : start], found[start:end]
        ):
            continue
        stems = sorted({found[at].stem for at in run})
        of_as_many = len(stems) == len(run) and stems not in rows
        held = index.by_words.get(tuple(stems), ()) if of_as_many else ()
        if held and (start, end) not in taken:
            links.append(ValueLink(start, end, tuple(held), exact=False, quoted=False))
    return links


def _parted(before: Sequence[Word], run: Sequence[Word]) -> bool:
    """Whether words belong to two values, or numbers to a comparison: `more than 5 carts`."""
    if run[0].text.isdigit() and any(word.text in _COMPARING for word in before):
        return True
    if any(word.text in _COMPARING for word in run[:-1]) and run[-1].text.isdigit():
        return True
    parting = any(word.text in PARTING for word in run)
    return parting and any(w.text.isalpha() and w.text not in PARTING for w in run)


def _by_chance(found: Sequence[Word], start: int, end: int, held: Sequence[Held]) -> bool:
    """Codes such as ARE, NO and A are meant only when written so, or said of something.

    The highest are not those that are High, nor is the top anybody called Topp.
    """
    word, alone, small = found[start], end - start == 1, lexicon().stop
    if alone and does_most(found, start):
        return not any(is_written_as(found[start:end], str(one.value)) for one in held)
    if alone and (word.text.endswith("est") or word.text in _RANKING | _COMPUTING):
        return _computes(word, held, first=start == 0)
    if alone and word.text in small:
        return not _is_code(found, start, held)
    said = found[start:end]
    return all(one.text in small for one in said) and all(str(one.value).isalpha() for one in held)


def _is_code(found: Sequence[Word], at: int, held: Sequence[Held]) -> bool:
    """Whether a small word is a code: written as one, or said of something."""
    word = found[at]
    if word.raw.isupper() and any(str(one.value) == word.raw for one in held):
        return True
    if at == 0:
        return False
    said = found[at - 1].text in _SAID and _ends(found, at)
    return said or (word.raw.isupper() and not found[at - 1].raw.isupper())


def _computes(word: Word, held: Sequence[Held], *, first: bool) -> bool:
    """Whether a word ranks or computes: an `average` is not the one title so called among many."""
    if word.text not in _COMPUTING:
        return all(word.text != str(one.value).lower() for one in held)
    titled = word.raw.istitle() and not first
    return not titled and not any(one.column.repeated or one.column.listed for one in held)


def _ends(found: Sequence[Word], at: int) -> bool:
    """Whether nothing is said of a word: `of no, and …`, not `are in Asia`."""
    if at + 1 == len(found):
        return True
    after = found[at + 1]
    return after.start - found[at].end > 1 or after.text in PARTING

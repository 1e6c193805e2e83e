"""Where a question speaks of values that the columns hold."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from modelwright.engines.language.rules.columns.index import Held, Index
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.words import Word, squeezed

_LONGEST = 14
_SAID = frozenset({"of", "is", "was", "are", "were", "being", "as"})
PARTING = frozenset({"and", "or", "by", "per", "vs", "with", "for", "against", "versus"})
"""Words that part two names rather than join the words of one."""
_COMPARING = frozenset({"under", "over", "below", "above", "than", "least", "most", "exceeding"})
_RANKING = frozenset({"top", "bottom", "most", "more", "less", "last", "first", "each"})
_COMPUTING = frozenset({"average", "mean", "median", "total", "sum", "count", "number", "common"})
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
                links.append(ValueLink(start, end, _nearest(held, said), exact=True, quoted=inside))
    taken = {(link.start, link.end) for link in links}
    for start in range(len(found)):
        joined = ""
        for end in range(start + 1, min(start + _LONGEST, len(found)) + 1):
            joined += squeezed(text[found[end - 1].start : found[end - 1].end])
            held_so = index.squeezed_values.get(joined)
            chance = held_so and _by_chance(found, start, end, held_so)
            if held_so and (start, end) not in taken and not chance:
                links.append(ValueLink(start, end, tuple(held_so), exact=True, quoted=False))
    return links + _in_any_order(found, index, taken)


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
    for first in range(len(telling)):
        for size in (4, 3, 2):
            run = telling[first : first + size]
            said = found[run[0] : run[-1] + 1] if len(run) == size else []
            if (
                not said
                or len(said) > size + 1
                or _parted(found[max(0, run[0] - 1) : run[0]], said)
            ):
                continue
            stems = sorted({found[at].stem for at in run})
            held = index.by_words.get(tuple(stems), ()) if len(stems) == size else ()
            held = held if stems not in rows else ()
            if held and (run[0], run[-1] + 1) not in taken:
                links.append(ValueLink(run[0], run[-1] + 1, tuple(held), exact=False, quoted=False))
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
    word = found[start]
    if end - start == 1 and (word.text.endswith("est") or word.text in _RANKING | _COMPUTING):
        return _computes(word, held, first=start == 0)
    if end - start != 1 or word.text not in lexicon().stop:
        small = all(one.text in lexicon().stop for one in found[start:end])
        return small and all(str(one.value).isalpha() for one in held)
    if word.raw.isupper() and any(str(one.value) == word.raw for one in held):
        return False
    if start == 0:
        return True
    if found[start - 1].text in _SAID and _ends(found, start):
        return False
    return not word.raw.isupper() or found[start - 1].raw.isupper()


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

"""Rows told by a word of a name or of a value: seniors, senior customers, married people.

People rarely write a value as the table holds it: `seniors` for SeniorCitizen = yes, `married` for
every kind of married. Such words test a column only where one alone can be meant; a test by guess
would leave rows out without a word.
"""

import re
from collections.abc import Sequence

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.columns.deeds import deeds_done
from modelwright.engines.language.rules.columns.index import Column, Index, ref
from modelwright.engines.language.rules.lookups.clues import Wanted
from modelwright.engines.language.rules.mentions.draft import Draft, add_test, entity
from modelwright.engines.language.rules.mentions.mention import PARTLY_NAMED, WHOLLY_NAMED, Mention
from modelwright.engines.language.rules.mentions.negation import (
    add_value,
    denial_of,
    is_denial,
    negated,
)
from modelwright.engines.language.rules.mentions.units import is_but_unit
from modelwright.engines.language.rules.plans.plan import Condition
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.words import words
from modelwright.engines.language.vocabulary import word_set

_GROUPING = word_set("small_words.grouping", "small_words.across_groups")
_PLACES = word_set("numbers.first_places")
_WERE = word_set("small_words.before_part")
_RELATIVE = frozenset({"who", "that", "which"})
_NAMING = frozenset({"called", "named"})
_OF = word_set("small_words.among")
_DENIED = frozenset({"not", "didn't", "never"})
_NARROWING = word_set("small_words.prepositions")
_HALF = re.compile(r"\b(?:semi|half|part|partly|pseudo|quasi|near|pre|post)[- ]$")
_LITTLE = 0.5
"""What a word of a name weighs that tells little."""
_SHORTEST = 3
"""Words of fewer letters tell nothing."""
_MOST_KINDS = 50
"""A text of more values tells no kinds."""
_ROWS_A_KIND = 5
"""Each kind has more rows than this, on average."""
_LEAST_ROWS = 50
"""A table of so few rows is but a list."""


def read_partly(draft: Draft) -> None:
    """Adds a test for each open word that speaks of one column alone, of several for none."""
    if draft.several:
        return
    for at in draft.open_words():
        text = draft.question.words[at].text
        if (
            draft.claimed[at]
            or len(text) < _SHORTEST
            or not text.isalpha()
            or _names_number(draft, at)
            or is_but_unit(draft.question, at, draft.index.columns)
        ):
            continue
        ranks = text in _PLACES or text.endswith("iest")
        if ranks or draft.text(at - 1, at) in _NAMING:
            continue
        if not (_read_noun(draft, at) or _read_kind(draft, at)):
            _read_part(draft, at)
        if not draft.claimed[at]:
            _read_deed(draft, at)


def _names_number(draft: Draft, at: int) -> bool:
    """Whether a word names a number that may be asked for."""
    return any(
        m.quality > PARTLY_NAMED and m.column.number and m.column.yes is None
        for m in draft.question.mentions.over(at)
        if m.named > WHOLLY_NAMED
    )


def _read_noun(draft: Draft, at: int) -> bool:
    """`Seniors` are the rows whose SeniorCitizen says yes."""
    places = draft.index.by_stem.get(draft.question.terms[at].stem, ())
    named = {number for number, _ in places}
    column = draft.index.columns[named.pop()] if len(named) == 1 else None
    if column is None or column.yes is None or column in draft.filtered:
        return False
    if not _means_rows(draft, at) or _tells_more_before(column, places):
        return False
    value = column.no if negated(draft, at) != denial_of(column) else column.yes
    add_test(draft, column, Condition(ref(column), "=", value), at, at + 1)
    return True


def _means_rows(draft: Draft, at: int) -> bool:
    """Whether a word says which rows are meant: `senior customers`, `seniors`, `who are senior`."""
    before = draft.text(at - 1, at)
    beside = at + 1 < len(draft.claimed) and entity(draft, at + 1)
    rows = beside or draft.question.words[at].text.endswith("s") or before in _WERE
    grouped = set(draft.text(at - 2, at).split()) & _GROUPING
    return rows and not grouped and before not in _RELATIVE


def _tells_more_before(column: Column, places: Sequence[tuple[int, int]]) -> bool:
    """Whether a name tells more before the word that is said: working of WorkingDay for `days`."""
    first, stop = min(part for _, part in places), lexicon().stop
    return any(one.weight > _LITTLE and one.text not in stop for one in column.name.terms[:first])


def _read_deed(draft: Draft, at: int) -> None:
    """`Hires` are the rows of the stage Hired, those that `finished` have Did Finish."""
    word = draft.question.words[at].text
    plural = word.endswith("s") and not word.endswith("ss")
    told = plural or word.endswith("ed") or draft.text(at - 1, at) in _DENIED
    dated = any(m.column.date for m in draft.question.mentions.over(at))
    if not told or dated or draft.question.is_value(at) or entity(draft, at):
        return
    found = deeds_done(draft.index, word)
    column = draft.index.column(found[0].ref) if len(found) == 1 else None
    if column is None or column in draft.filtered:
        return
    if column.yes is None and draft.question.terms[at].stem in draft.index.by_stem:
        return
    denied = negated(draft, at) != denial_of(column)
    if column.yes is not None and denied:
        test = Condition(ref(column), "=", column.no)
    else:
        test = Condition(ref(column), "!=" if denied else "=", found[0].value)
    add_test(draft, column, test, at, at + 1)


def _read_kind(draft: Draft, at: int) -> bool:
    """`The salary of managers` is theirs whose title is Manager, though a column is called so."""
    word = draft.question.words[at]
    plural = word.text.endswith("s") and draft.text(at - 1, at) in _OF
    held = draft.question.values_of(at, at + 1)
    found = [one for one in held if not str(one.value).lower().endswith("s")]
    if not plural or draft.text(at - 2, at) == "number of" or len(found) != 1:
        return False
    add_value(draft, found[0].column, found[0].value, at, at + 1)
    return True


def _read_part(draft: Draft, at: int) -> None:
    """`Married people` are those of every value with that word."""
    stem = draft.question.terms[at].stem
    text = draft.question.words[at].text
    found = values_with(draft.index, stem)
    if text.endswith("ed") and not any(_has_word(text, values) for _, values in found):
        return
    if entity(draft, at) or stem in draft.index.by_stem or len(found) != 1:
        return
    column, values = found[0]
    end = at + 1
    while end < len(draft.claimed) and _goes_on(draft, end, column, values):
        end += 1
    denied = negated(draft, at)
    if len(values) == 1:
        test = Condition(ref(column), "!=" if denied else "=", values[0])
    else:
        test = Condition(ref(column), "not in" if denied else "in", tuple(values))
    add_test(draft, column, test, at, end)


def values_beside(draft: Draft, one: Wanted, start: int) -> list[Value]:
    """`Paid by card and cash`: the values told by a word before the one that is whole."""
    if not isinstance(one.value, str):
        return []
    own = {word.stem for word in words(one.value)}
    found: list[Value] = []
    for at in range(start, one.end):
        stem = draft.question.terms[at].stem
        if stem not in own and draft.text(at + 1, at + 2) in {"and", "or"}:
            told = [
                values for column, values in values_with(draft.index, stem) if column is one.column
            ]
            found += told[0] if told and len(told[0]) == 1 else []
    return found


def _has_word(text: str, values: Sequence[Value]) -> bool:
    """Whether a value has the very word: not a `bug report` what was `reported`."""
    return any(text in {word.text for word in words(str(value))} for value in values)


def _goes_on(draft: Draft, at: int, column: Column, values: Sequence[Value]) -> bool:
    """Whether the next word is one with this: `self-employed`, `credit card`."""
    words = draft.question.words
    joined = draft.lower[words[at - 1].end : words[at].start] == "-"
    also = values_with(draft.index, words[at].stem)
    return joined or any(one is column and set(values) <= set(held) for one, held in also)


def says_kind(draft: Draft, mention: Mention) -> bool:
    """Whether words speak of values, not of their column: `married`, `how many regions`."""
    if is_counted_kind(draft, mention):
        return True
    stem = draft.question.terms[mention.start].stem
    alone = mention.end == mention.start + 1 and stem not in draft.index.by_stem
    return alone and any(one is mention.column for one, _ in values_with(draft.index, stem))


def is_counted_kind(draft: Draft, mention: Mention) -> bool:
    """Whether the different texts of a column are counted: `how many regions` has a country."""
    many = draft.text(mention.start - 1, mention.start) == "many"
    plural = draft.question.words[mention.end - 1].text.endswith("s")
    return many and plural and mention.column.facts.type == "string"


def values_with(index: Index, stem: str) -> list[tuple[Column, list[Value]]]:
    """The values of each column of kinds that have a word."""
    found = [
        (
            column,
            [one for one in values if not (is_denial(str(one)) or _means_more(str(one), stem))],
        )
        for column, values in (index.told.get(stem, ()) if len(index.tables) == 1 else ())
        if _tells_kinds(column)
    ]
    whole = [pair for pair in found if all(_is_plain_up_to(str(value), stem) for value in pair[1])]
    return [(column, _without_halves(stem, values)) for column, values in whole if values]


def _without_halves(stem: str, values: list[Value]) -> list[Value]:
    """Leaves out what is but half of it, `semi-washed`, where others are: `washed`."""
    plain = [
        value
        for value in values
        if any(
            word.stem == stem and not _HALF.search(str(value)[: word.start].lower())
            for word in words(str(value))
        )
    ]
    return plain or values


def _means_more(value: str, stem: str) -> bool:
    """Whether a word alone means more than a value: `deaths` are more than Death in custody."""
    said = words(value) if " " in value else []
    at = next((at for at, word in enumerate(said) if word.stem == stem), len(said))
    return at + 1 < len(said) and said[at + 1].text in _NARROWING


def _is_plain_up_to(value: str, stem: str) -> bool:
    """Whether a value is of plain words up to one: `Automatic 4-spd`, but not `3 years`."""
    said = words(value)
    before = said[: next((at for at, word in enumerate(said) if word.stem == stem), None)]
    return not any(letter.isdigit() for word in before for letter in word.text)


def _tells_kinds(column: Column) -> bool:
    facts = column.facts
    few = (
        1 < facts.distinct <= _MOST_KINDS
        and max(_LEAST_ROWS, _ROWS_A_KIND * facts.distinct) < facts.rows
    )
    return facts.type == "string" and column.yes is None and few

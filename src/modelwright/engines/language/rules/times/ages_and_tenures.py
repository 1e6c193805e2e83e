"""How long until today: ages from dates of birth, tenures from dates of joining to leaving."""

import re
from dataclasses import replace
from typing import cast

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.columns.schema import of_persons
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.units import about_age
from modelwright.engines.language.rules.plans.plan import Aggregate, Lapse, Measure, Order, Ref
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.patterns import pattern, patterns
from modelwright.engines.language.rules.times.joined_and_left import JOINED, LEFT
from modelwright.engines.language.vocabulary import word_set

_AGE = pattern("ages asked")
_TENURE = pattern("tenures asked")
_LONGEST = pattern("tenures ranked")
_AGGREGATES = patterns("durations aggregates")
_IN = re.compile(r"\bin (?P<unit>years|months|weeks|days)\b")
_OF_BIRTH = word_set("checks.of_birth")
_OF_TENURES = word_set("times.of_tenures")
_OLDEST = re.compile(r"\b(?P<way>oldest|eldest|youngest)\b")
_OF = frozenset({"of", "are", "is", "was", "were", "do", "have"})
"""What stands between an age and whose it is."""
_REACH = 5
"""In words: so far behind it may be told whose it is."""
_PEOPLE = word_set("rows.people")
_QUICK = word_set("times.quick")


def read_age_or_tenure(draft: Draft) -> None:
    """Adds the age, or the time since joining, that is averaged or ranked by.

    Nothing is read where a column tells it, where no date does, or where several may.
    """
    if _rank_by_age(draft) or _rank_by_tenure(draft):
        return
    for cue, made in ((_AGE, age_of), (_TENURE, _tenure)):
        match = cue.search(draft.lower)
        lapse = made(draft) if match else None
        if match and lapse and _is_of_people(draft, draft.at(match.end())):
            _ask(draft, match, lapse)


def _is_of_people(draft: Draft, at: int) -> bool:
    """Whether an age is that of people: of customers, not of the invoices that they have."""
    if draft.text(at, at + 1) in _OF:
        return any(is_person(draft, place) for place in range(at + 1, at + _REACH))
    return not draft.several


def _rank_by_age(draft: Draft) -> bool:
    """`Who is the oldest patient`: born first; what is no person may be older than its owner."""
    match = _OLDEST.search(draft.lower)
    born = _born(draft) if match else None
    at = draft.at(match.start()) if match else 0
    if match is None or born is None or draft.claimed[at]:
        return False
    if not any(is_person(draft, place) for place in (at + 1, at + 2)):
        return False
    draft.claim(at, at + 1, "superlative")
    draft.order = [Order(Measure(None, ref(born)), match["way"] == "youngest")]
    draft.limit = draft.limit or 1
    return True


def is_person(draft: Draft, at: int) -> bool:
    """Returns whether a word calls people, or whom a column of names is of."""
    word = draft.text(at, at + 1)
    if not word:
        return False
    people = _people_named(draft)
    if word in _PEOPLE or f"{word}s" in _PEOPLE or draft.question.terms[at].stem in people:
        return True
    if people:
        return False
    persons = [table.name for table in draft.index.tables if of_persons(table)]
    if draft.several:
        return any(at in draft.question.tables.get(name, ()) for name in persons)
    return bool(persons) and entity(draft, at)


def may_be_born(draft: Draft, at: int) -> bool:
    """Whether a date of birth may be of what a word calls: of patients, not of appointments."""
    told = (is_person(draft, place) for place in (at, at + 1))
    return not _people_named(draft) or any(told)


def _people_named(draft: Draft) -> set[str]:
    """The stems of the people whom columns of names are of: `patient` of Patient Name."""
    names = (one.name.terms for one in draft.index.columns if len(one.name.terms) > 1)
    named = (terms[0] for terms in names if terms[-1].text == "name")
    return {term.stem for term in named if {term.text, f"{term.text}s"} & _PEOPLE}


def _rank_by_tenure(draft: Draft) -> bool:
    """`Our longest-serving driver`: who joined first of those who are there."""
    match = _LONGEST.search(draft.lower)
    lapse = _tenure(draft) if match else None
    if match is None or lapse is None:
        return False
    draft.claim_text(match, "superlative")
    draft.order = [Order(Measure(None, lapse), (match["way"] or match["other"]) not in _QUICK)]
    draft.limit = draft.limit or 1
    return True


def _ask(draft: Draft, match: re.Match[str], lapse: Ref) -> None:
    """Adds what is told of all of them; of each of them apart nothing is."""
    found = ((kind, told) for kind, cue in _AGGREGATES if (told := cue.search(draft.lower)))
    kind, told = next(found, (None, None))
    if told is None or kind == "sum" or draft.claimed[draft.at(match.start())]:
        return
    draft.claim_text(told, "measure")
    draft.claim_text(match, "measure")
    unit = _IN.search(draft.lower)
    if unit:
        draft.claim_text(unit, "measure")
        lapse = replace(lapse, lapse=cast("Lapse", unit["unit"].removesuffix("s")))
    draft.select.append(Measure(cast("Aggregate", kind), lapse))


def age_of(draft: Draft) -> Ref | None:
    """Returns the time since birth, where one date alone is of a birth and no number tells ages."""
    born = _born(draft)
    return replace(ref(born), until=draft.today, lapse="year") if born else None


def _born(draft: Draft) -> Column | None:
    columns = draft.index.columns
    born = [one for one in columns if one.date and not _OF_BIRTH.isdisjoint(_parts(one))]
    aged = any(one.number and about_age(one) for one in columns)
    return born[0] if len(born) == 1 and not aged else None


def _tenure(draft: Draft) -> Ref | None:
    """The time since somebody joined, up to when they left, where one date tells each."""
    columns = draft.index.columns
    if any(one.number and not _OF_TENURES.isdisjoint(_parts(one)) for one in columns):
        return None
    joined = [one for one in columns if one.date and JOINED.search(one.plain_name)]
    left = [one for one in columns if one.date and LEFT.search(one.plain_name)]
    if len(joined) != 1 or len(left) > 1 or any(one.table != joined[0].table for one in left):
        return None
    if not left:
        return replace(ref(joined[0]), until=draft.today, lapse="year")
    return replace(ref(left[0]), since=ref(joined[0]), until=draft.today, lapse="year")


def _parts(column: Column) -> tuple[str, ...]:
    return spelled_out(column.facts.name)

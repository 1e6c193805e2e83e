"""Ages told by their decade, and those of people who were born: over 65, aged 18 to 25."""

import re
from dataclasses import replace
from typing import cast

from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.mentions.draft import Draft, add_test
from modelwright.engines.language.rules.mentions.units import about_age
from modelwright.engines.language.rules.plans.plan import Condition, Lapse, Op
from modelwright.engines.language.rules.text.numbers import SPELLED, Compared, compared_numbers
from modelwright.engines.language.rules.times.ages_and_tenures import age_of, is_person
from modelwright.engines.language.rules.times.usual_dates import usual_date
from modelwright.engines.language.vocabulary import any_case, word_set
from modelwright.engines.language.written_number import as_whole

_DECADE = re.compile(r"\bin (?:their|his|her|our) (?P<n>[1-9]0)'?s\b")
_LAST_OF_DECADE = 9
"""Thirties end at 39."""
_OLDEST = 120
"""Years; a larger number is no age."""
_SO_OLD = any_case(
    rf"\b(?:(?:older|(?P<newer>newer)) than|(?:more than|over)(?= \w+ \w+ old\b)) (?:a )?"
    rf"(?P<n>\d+|{'|'.join(sorted(SPELLED))}) (?P<unit>day|week|month|year)s?\b(?: old\b)?"
)
_AGED = any_case(r"\b(?:aged?|ages|older|younger)\b")
_AGED_BEFORE = any_case(r"\b(?:aged?|ages)\s+$")
_YEARS_OLD = any_case(r"\s*(?:years?\s+(?:old|of\s+age)\b)")
_WHOSE = word_set("checks.relative", "small_words.before_age")
"""What may stand between people and their age: `members who are over 65`."""
_ENDS = word_set("small_words.behind_heads", "small_words.clauses") | {"", "and", "or", "on"}
"""What stands behind an age that nothing is counted in."""


def read_ages(draft: Draft) -> None:
    """Adds a test where one column alone tells ages, or one date when people were born."""
    match = _DECADE.search(draft.lower) if not draft.several else None
    ages = [one for one in draft.index.columns if one.number and about_age(one)]
    if match is not None and len(ages) == 1:
        first = int(match["n"])
        made = Condition(ref(ages[0]), "between", first, first + _LAST_OF_DECADE)
        draft.claim_text(match, "condition")
        add_test(draft, ages[0], made, draft.at(match.start()), draft.at(match.end()))
    _read_born(draft)
    _read_row_ages(draft)


def _read_row_ages(draft: Draft) -> None:
    """`Tickets older than 30 days`: so long since the usual date of the rows, up to today."""
    usual = None if draft.several else usual_date(draft)
    ages = any(one.number and about_age(one) for one in draft.index.columns)
    if usual is None or ages:
        return
    for told in _SO_OLD.finditer(draft.lower):
        start, end = (draft.at(place) for place in told.span())
        number = SPELLED.get(told["n"]) or int(told["n"])
        if any(draft.claimed[start:end]) or is_person(draft, start - 1):
            continue
        since = replace(ref(usual), until=draft.today, lapse=cast("Lapse", told["unit"]))
        op: Op = "<" if told["newer"] else ">"
        draft.claim_text(told, "condition")
        add_test(draft, usual, Condition(since, op, number), start, end)


def _read_born(draft: Draft) -> None:
    """`Members over 65`, `patients aged 18 to 25`: so many years since the only date of birth."""
    age = None if draft.several else age_of(draft)
    if age is None:
        return
    text = draft.question.text
    for one in compared_numbers(text):
        span = _of_an_age(draft, one)
        if span is None:
            continue
        upper = None if one.upper is None else as_whole(one.upper + 1)  # 25 until the birthday
        made = Condition(age, one.op, as_whole(one.number), upper, exclusive=one.op == "between")
        add_test(draft, draft.index.column(age), made, draft.at(span[0]), draft.at(span[1]))


def _of_an_age(draft: Draft, one: Compared) -> tuple[int, int] | None:
    """Returns where an age stands, in characters; None of any other number."""
    text, start, end = draft.question.text, one.start, one.end
    is_bare = one.op in {"=", "!="}
    if one.percent or one.number > _OLDEST or (one.upper or 0) > _OLDEST or is_bare:
        return None
    if any(draft.claimed[draft.at(start) : draft.at(end)]):
        return None
    if before := _AGED_BEFORE.search(text, 0, start):
        return before.start(), end
    if behind := _YEARS_OLD.match(text, end):
        return start, behind.end()
    if _AGED.search(text[start:end]):
        return start, end
    at = draft.at(start) - 1
    while at >= 0 and draft.text(at, at + 1) in _WHOSE:
        at -= 1
    behind_it = draft.text(draft.at(end), draft.at(end) + 1) if end < len(text) else ""
    is_of_people = at >= 0 and is_person(draft, at) and behind_it in _ENDS
    return (start, end) if is_of_people else None

"""What a number changed by from one time to another: the figure of the later less the earlier.

`Between 1900 and 2000` is no range of the number then, nor the rows of all the years.
"""

import re
from datetime import date

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import WHOLLY_NAMED
from modelwright.engines.language.rules.mentions.rows import amount, in_groups
from modelwright.engines.language.rules.plans.plan import Condition, Measure
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.times.usual_dates import usual_date
from modelwright.engines.language.vocabulary import alternatives, word_list, word_set

_TIME = r"(?:(?P<{0}month>[a-z]{{3,9}})\.? )?(?P<{0}year>(?:1[6-9]|20)\d\d)"
_SPAN = re.compile(
    rf"\b(?:from|between) {_TIME.format('first_')} (?:to|and|until|till) {_TIME.format('last_')}\b"
)
_CHANGE = pattern("measuring change")
_TESTS = re.compile(r"\b(?:that|whose|where|who)\b|^\W*(?:which|how many|list|show)\b")
"""What makes a change a test of rows: `shops that grew`."""
_BEFORE = word_set("averages.means", "averages.before_difference")
_MEAN = re.compile(rf"\b(?:{alternatives('averages.means')})\b")
_MONTHS = tuple(one[:3] for one in word_list("times.months"))
_DECEMBER = 12
_SURE = 0.6
"""How surely words must mean an amount, 0 to 1."""


def read_change(draft: Draft) -> None:
    """Reads `the change in wages from 2003 to 2009`; growth may be in percent, and stays unread."""
    span, cue = _SPAN.search(draft.lower), _CHANGE.search(draft.lower)
    if span is None or cue is None or draft.several:
        return
    at = draft.at(cue.start("way"))
    if draft.claimed[at] or draft.question.mentions.named_at(at) > WHOLLY_NAMED:
        return
    if _TESTS.search(draft.lower[: cue.start("way")]):
        draft.unread.append(cue.group("way"))
        return
    draft.claim(at, at + 1, "measure")
    named = draft.pick(0, draft.at(span.start()), amount, _SURE)
    tests = _at_times(draft, span)
    if named is None or tests is None:
        draft.unread.append(cue.group("way"))
        return
    draft.claim_text(span, "measure")
    start = named.start
    while draft.text(start - 1, start) in _BEFORE:
        start -= 1
    draft.claim(start, named.end, "measure")
    told = Measure("avg", ref(named.column)) if _MEAN.search(draft.lower) else None
    told = told or in_groups(draft, Measure(None, ref(named.column)))
    times = draft.index.column(tests[0].ref).facts
    if told.aggregate == "avg" and times.distinct == times.rows and not _MEAN.search(draft.lower):
        told = Measure("max", told.ref)  # of one row there is nothing to average
    draft.of_two = Measure(told.aggregate, told.ref, against=tests)
    draft.of_two_at = min(at, start)


def _at_times(draft: Draft, span: re.Match[str]) -> tuple[Condition, Condition] | None:
    """The tests for the later and the earlier time; None where no column tells both."""
    years = [one for one in draft.index.columns if one.shape == "year"]
    usual = years[0] if len(years) == 1 else usual_date(draft)
    if usual is None or (years and usual.date):
        return None
    later, earlier = (_test(usual, span, end) for end in ("last_", "first_"))
    return (later, earlier) if later and earlier else None


def _test(column: Column, span: re.Match[str], end: str) -> Condition | None:
    """A test that rows are of a year or a month."""
    year, said = int(span[f"{end}year"]), span[f"{end}month"]
    if said is None and not column.date:
        return Condition(ref(column), "=", year)
    if not column.date or (said and said[:3] not in _MONTHS):
        return None
    first = _MONTHS.index(said[:3]) + 1 if said else 1
    until = (year, first + 1) if said and first < _DECEMBER else (year + 1, 1)
    low, high = date(year, first, 1), date(*until, 1)
    return Condition(ref(column), "between", low, upper=high, exclusive=True)

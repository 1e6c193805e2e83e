"""How long from one date of a row to another: days between order and shipment, time to ship."""

import re
from datetime import datetime, timedelta
from typing import cast

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import (
    Draft,
    add_test,
    entity,
    named_tables,
)
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.negation import negated
from modelwright.engines.language.rules.mentions.rows import amount
from modelwright.engines.language.rules.plans.plan import (
    Aggregate,
    Condition,
    Lapse,
    Measure,
    Op,
    Order,
    Ref,
)
from modelwright.engines.language.rules.text.numbers import compared_numbers
from modelwright.engines.language.rules.text.patterns import patterns
from modelwright.engines.language.rules.text.words import name_parts
from modelwright.engines.language.vocabulary import word_set

_CUES = patterns("durations")
_AGGREGATES = patterns("durations aggregates")
_SHORTEST_IN_DAYS = timedelta(days=2)
"""What takes longer is told in days."""
_SHORTEST_IN_HOURS = timedelta(hours=2)
"""What takes longer is told in hours, else in minutes."""
_LONG = re.compile(r"duration|length|runtime|hours|minutes|mins?\b|days|seconds|weeks|months|years")
_START = re.compile(r"\b(?:start|beg[aiu]n|from\b)")
"""Names of dates when something begins."""
_END = re.compile(r"\b(?:end|finish|until\b)")
"""Names of dates when it ends."""
_IN = re.compile(
    r"\bin (?P<unit>days?|hours?|minutes?|weeks?|months?|years?)\b(?= (?:by|per|for)\b|\W*$)"
)
OPPOSITE: dict[Op, Op] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
"""What denies a comparison."""
_QUICK = word_set("times.quick")
_A = re.compile(r"\ban?$")
_AFTER_SECOND = 2
"""In words: how far behind the start of the second date its name may go."""
_LEAST_QUALITY = 0.4
"""How surely words must mean a date to name one end, 0 to 1."""
_NUMBER_QUALITY = 0.6
"""How surely words must mean a number to hold the time, 0 to 1."""
_NUMBER_NAMED = 0.5
"""How much of that number's name must be said, 0 to 1."""
_STEM_LETTERS = 5
"""In letters: stems of `delivery` and delivered are alike so far."""
_FIRST_LETTERS = 4
"""In letters: `application` and applied are alike so far."""
_LONGEST_NUMBER = 3
"""In words: a longer run names more than a time."""


def read_duration(draft: Draft) -> None:
    """Reads the two dates and what is asked of the time between them, or a test of it."""
    for kind, cue in _CUES:
        for match in cue.finditer(draft.lower):
            if draft.claimed[draft.at(match.start())] or _groups(draft, match):
                continue
            before = list(draft.claimed)
            both = _both(draft, match) if match.groupdict().get("other") else None
            ends = both or (_told if kind == "between" else _around)(draft, match)
            if ends is None or (not both and _in_number(draft, match, ends[0].table)):
                draft.claimed = before
                continue
            if match.group().startswith(("longer", "shorter")) and _told_long(draft):
                draft.claimed = before
                continue
            if kind == "tested":
                _test(draft, match, ends)
            elif kind == "ranked":
                _rank(draft, match, ends)
            else:
                _ask(draft, match, ends)
            return


def _groups(draft: Draft, match: re.Match[str]) -> bool:
    """Whether a time ranks nothing: `orders by delivery time`, of no number of rows.

    Nor does what is longest where it is no row, `the longest name`, or a column says how long.
    """
    if match.groupdict().get("rows"):
        return not entity(draft, draft.at(match.start("rows"))) or _told_long(draft)
    return match.groupdict().get("way") == "" and draft.limit is None


def _in_number(draft: Draft, match: re.Match[str], table: str) -> bool:
    """Whether the table holds the time as a number: `wait time`, LOS (days) for `stay`.

    What was done is no such number: days to `pay`.
    """
    start, end = draft.at(match.start()), draft.at(match.end())
    done = match.start("verb") if match.groupdict().get("verb") else match.end()
    return any(
        m.column.table == table
        and amount(m.column)
        and m.quality > _NUMBER_QUALITY
        and m.named > _NUMBER_NAMED
        and m.end - m.start <= _LONGEST_NUMBER
        and m.start < end
        and start < m.end
        and (m.start < draft.at(done) or _LONG.search(m.column.facts.name.lower()))
        for m in draft.question.mentions
    )


def _told_long(draft: Draft) -> bool:
    """Whether a column says how long something is."""
    return any(amount(one) and _LONG.search(one.facts.name.lower()) for one in draft.index.columns)


def _told(draft: Draft, match: re.Match[str]) -> tuple[Column, Column] | None:
    """`Between order and shipment`: the dates that are named."""
    one, two = draft.at(match.start("one")), draft.at(match.start("two"))
    named = _dated(draft, one, two - 1), _dated(draft, two, two + _AFTER_SECOND)
    since, until = (
        mention.column if mention else _begun(draft, at)
        for mention, at in zip(named, (one, two), strict=True)
    )
    if since is None or until is None or since is until or since.table != until.table:
        return None
    start, end = named[0].start if named[0] else one, named[1].end if named[1] else two + 1
    draft.claim(start, end, "measure")
    return (until, since) if match.groupdict().get("way") == "before" else (since, until)


def _dated(draft: Draft, start: int, end: int) -> Mention | None:
    """The date that words of a stretch name, with those before it or without: `days from start`."""
    found = [
        m
        for m in draft.question.mentions
        if m.column.date and m.quality >= _LEAST_QUALITY and start < m.end <= end and draft.free(m)
    ]
    return max(found, key=lambda m: (m.quality, _alike(draft, m)), default=None)


def _alike(draft: Draft, mention: Mention) -> bool:
    """Whether the words begin as the name does: `delivery` of a date delivered, not shipped."""
    said = draft.question.terms[mention.start].stem[:_STEM_LETTERS]
    return any(term.stem.startswith(said) for term in mention.column.name.terms)


def _around(draft: Draft, match: re.Match[str]) -> tuple[Column, Column] | None:
    """`Time to ship`, `subscription length`: the two dates of a table that has no others."""
    verb, dates = match.groupdict().get("verb"), _pair(draft)
    if verb is None:
        return (dates[0], dates[1]) if dates else None
    at = draft.at(match.start("verb"))
    dates = dates or _second(draft, at)
    named = _dated(draft, at, at + 2)
    until = named.column if named else _begun(draft, at)
    if until is None or until not in dates:
        return None
    draft.claim(named.start if named else at, named.end if named else at + 1, "measure")
    return dates[1] if until is dates[0] else dates[0], until


def _second(draft: Draft, at: int) -> list[Column]:
    """The first date of a table and the one after it, where a verb names that: `to arrive`."""
    named = _dated(draft, at, at + 2)
    held = draft.index.in_table(named.column.table) if named else ()
    dates = sorted((one for one in held if one.date), key=_early)
    return dates[:2] if named and dates[1:2] == [named.column] else []


def _both(draft: Draft, match: re.Match[str]) -> tuple[Column, Column] | None:
    """`Reported within 2 days of receipt`: the dates whose names begin as these words do."""
    until, since = (_begun(draft, draft.at(match.start(said))) for said in ("verb", "other"))
    if until is None or since is None or until is since or until.table != since.table:
        return None
    return (until, since) if " before " in match.group() else (since, until)


def _begun(draft: Draft, at: int) -> Column | None:
    """The one date whose name begins as a word does: applied on, of `application`."""
    said = draft.question.words[at].text[:_FIRST_LETTERS]
    found = [
        one
        for one in draft.index.columns
        if one.date and said in {part[:_FIRST_LETTERS] for part in name_parts(one.facts.name)}
    ]
    return found[0] if len(found) == 1 and len(said) == _FIRST_LETTERS else None


def _pair(draft: Draft) -> list[Column]:
    """The two dates of the table spoken of, else of the only one that has two.

    Of more they are those that by their names are a start and an end.
    """
    names = [table.name for table in draft.index.tables]
    held = {name: _ends([c for c in draft.index.in_table(name) if c.date]) for name in names}
    able = [name for name in names if len(held[name]) == 2]  # noqa: PLR2004 - it takes two
    told = [name for name in named_tables(draft) if name in able] or able
    return sorted(held[told[0]], key=_early) if len(told) == 1 else []


def _ends(dates: list[Column]) -> list[Column]:
    if len(dates) <= 2:  # noqa: PLR2004 - it takes two
        return dates
    return [one for cue in (_START, _END) for one in dates if cue.search(one.plain_name)]


def _early(date: Column) -> tuple[str, str]:
    """When the values of a date begin and end, to be put in order by."""
    return str(date.facts.minimum or ""), str(date.facts.maximum or "")


def _ask(draft: Draft, match: re.Match[str], ends: tuple[Column, Column]) -> None:
    found = ((kind, m) for kind, cue in _AGGREGATES if (m := cue.search(draft.lower)))
    kind, told = next(found, (None, None))
    if told is None and "one" not in match.groupdict() and "how long" not in match.group():
        return
    if told:
        draft.claim_text(told, "measure")
    draft.claim_text(match, "measure")
    said = None if match.groupdict().get("unit") else _IN.search(draft.lower)
    if said:
        draft.claim_text(said, "measure")
    lapse = _lapse(said["unit"] if said else match.groupdict().get("unit"), ends)
    draft.select.append(Measure(cast("Aggregate", kind or "avg"), lapse))


def _rank(draft: Draft, match: re.Match[str], ends: tuple[Column, Column]) -> None:
    """`The 5 slowest deliveries`, `top 5 orders by delivery time`."""
    draft.claim_text(match, "superlative")
    draft.order = [Order(Measure(None, _lapse(None, ends)), match["way"] not in _QUICK)]
    draft.limit = draft.limit or 1


def _test(draft: Draft, match: re.Match[str], ends: tuple[Column, Column]) -> None:
    """`Took more than 10 days`, `shipped within 3 days`."""
    start, end = match.span("number")
    counted = compared_numbers(_A.sub("1", draft.question.text[start:end]))
    if not counted:
        return
    one = counted[0]
    op: Op = "<=" if match["within"] else one.op
    denied = op in OPPOSITE and negated(draft, draft.at(match.start()))
    op = OPPOSITE[op] if denied else op
    made = Condition(_lapse(match["unit"], ends), op, one.number, one.upper)
    draft.claim_text(match, "condition")
    add_test(draft, ends[1], made, draft.at(match.start()), draft.at(match.end()))
    if denied and ends[1].facts.missing:
        draft.where[-1] += (Condition(ref(ends[1]), "missing"),)


def _lapse(said: str | None, ends: tuple[Column, Column]) -> Ref:
    since, until = map(ref, ends)
    unit = said.removesuffix("s") if said else _usual(*ends)
    return Ref(until.table, until.column, until.textual, until.patterns, since, cast("Lapse", unit))


def _usual(since: Column, until: Column) -> Lapse:
    """The unit where none is named: by how far the ends of the two columns lie apart."""
    ends = [(one.facts.minimum, one.facts.maximum) for one in (since, until)]
    apart = [abs(b - a) for a, b in zip(*ends, strict=True) if _moment(a) and _moment(b)]
    if not apart or max(apart) > _SHORTEST_IN_DAYS:
        return "day"
    return "hour" if max(apart) > _SHORTEST_IN_HOURS else "minute"


def _moment(value: Value | None) -> bool:
    return isinstance(value, datetime)

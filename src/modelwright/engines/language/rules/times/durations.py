"""How long from one date of a row to another: days between order and shipment, time to ship."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import cast

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import (
    Draft,
    add_test,
    entity,
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
from modelwright.engines.language.rules.times.ends import (
    End,
    early,
    end_named,
    makes_rows,
    next_after,
    pair,
    start_before,
)
from modelwright.engines.language.vocabulary import word_set

_CUES = patterns("durations")
_AGGREGATES = patterns("durations aggregates")
_SHORTEST_IN_DAYS = timedelta(days=2)
"""What takes longer is told in days."""
_SHORTEST_IN_HOURS = timedelta(hours=2)
"""What takes longer is told in hours, else in minutes."""
_LONG = re.compile(r"duration|length|runtime|hours|minutes|mins?\b|days|seconds|weeks|months|years")
_IN = re.compile(
    r"\bin (?P<unit>days?|hours?|minutes?|weeks?|months?|years?)\b"
    r"(?=,? (?:by|per|for|in|of|on|at|with|where)\b|[,;:]|\W*$)"
)
OPPOSITE: dict[Op, Op] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
"""What denies a comparison."""
_OF_OTHER = re.compile(r"within \w+ \w+ of ")
"""Within days of a date is before it, too."""
_STAYS = word_set("times.stays")
"""What is called by no date that begins or ends it."""
_WITHIN_DAYS = frozenset({"minute", "hour"})
"""Units in which the time of day counts."""
_QUICK = word_set("times.quick")
_A = re.compile(r"\ban?$")
_LONGEST_NOUN = 3
"""In words: so many at most name the second date."""
_BEHIND_NOUNS = word_set("times.behind_nouns")
_LEAST_QUALITY = 0.4
"""How surely words must mean a date to name one end, 0 to 1."""
_NUMBER_QUALITY = 0.6
"""How surely words must mean a number to hold the time, 0 to 1."""
_NUMBER_NAMED = 0.5
"""How much of that number's name must be said, 0 to 1."""
_STEM_LETTERS = 5
"""In letters: stems of `delivery` and delivered are alike so far."""
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
            ends = both or _FINDERS.get(kind, _around)(draft, match)
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

    What was done is no such number: days to `pay`; nor is one in minutes where two dates are
    named, `minutes between arrival and departure`.
    """
    told = match.groupdict()
    both = told.get("unit") and told.get("one")
    start = draft.at(match.start("unit")) + 1 if both else draft.at(match.start())
    end = draft.at(match.end())
    named = next((one for one in ("verb", "one") if told.get(one)), None)
    done = match.start(named) if named else match.end()
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
    since, until = _end(draft, one, two - 1), _end(draft, two, _behind(draft, two))
    if since is None or until is None or since[0] is until[0]:
        return None
    if since[0].table != until[0].table:
        return None
    draft.claim(min(one, since[1]), until[2], "measure")
    ends = since[0], until[0]
    return ends[::-1] if match.groupdict().get("way") == "before" else ends


def _end(draft: Draft, start: int, stop: int) -> End | None:
    """The date that words of a stretch name, by their roots or by what they mean."""
    mention = _dated(draft, start, stop)
    told = end_named(draft, start, stop)
    if told and (mention is None or mention.column is told[0] or mention.named < _NUMBER_NAMED):
        return told
    return (mention.column, mention.start, mention.end) if mention else None


def _behind(draft: Draft, at: int) -> int:
    """Where a noun ends that names a date: `refund` of `refund, by carrier`."""
    words, stop = draft.question.words, at + 1
    while stop < min(at + _LONGEST_NOUN, len(words)) and words[stop].text not in _BEHIND_NOUNS:
        if not draft.question.text[words[stop - 1].end : words[stop].start].isspace():
            break
        stop += 1
    return stop


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
    """`Time to ship`, `subscription length`: the dates of a table between which its rows last.

    A verb names the last; rows that have other dates besides began with the first of them.
    """
    verb, dates = match.groupdict().get("verb"), pair(draft)
    if verb is None:
        return (dates[0], dates[1]) if dates else None
    at = draft.at(match.start("verb"))
    dates = dates or _second(draft, at)
    named = _end(draft, at, at + 2)
    is_stay = draft.text(at, at + 1) in _STAYS and match.groupdict().get("way")
    if dates and is_stay and not draft.lower.startswith("how long"):
        return dates[0], dates[1]
    if named is None:
        return None
    until = named[0]
    since = next((one for one in dates if one is not until), None) if until in dates else None
    since = since or start_before(draft, until)
    if since is None:
        return None
    draft.claim(named[1], named[2], "measure")
    return since, until


def _ahead(draft: Draft, _: re.Match[str]) -> tuple[Column, Column] | None:
    """`How far in advance do people book`: from the date that a word names to the next one."""
    named = end_named(draft, 0, len(draft.question.words)) or _made(draft)
    until = next_after(draft, named[0]) if named else None
    if named is None or until is None:
        return None
    draft.claim(named[1], named[2], "measure")
    return named[0], until


def _made(draft: Draft) -> End | None:
    """The date on which rows were made that a verb speaks of: created_at of a booking's row."""
    said = [word.text for word in draft.question.words]
    made = [c for c in draft.index.columns if c.date and makes_rows(said, c.facts.name)]
    if len(made) != 1:
        return None
    at = next(at for at, word in enumerate(said) if makes_rows([word], made[0].facts.name))
    return made[0], at, at + 1


def _second(draft: Draft, at: int) -> list[Column]:
    """The first date of a table and the one after it, where a verb names that: `to arrive`."""
    named = _dated(draft, at, at + 2)
    held = draft.index.in_table(named.column.table) if named else ()
    dates = sorted((one for one in held if one.date), key=early)
    return dates[:2] if named and dates[1:2] == [named.column] else []


def _both(draft: Draft, match: re.Match[str]) -> tuple[Column, Column] | None:
    """`Reported within 2 days of receipt`: the dates whose names have the roots of these words."""
    at, other = (draft.at(match.start(said)) for said in ("verb", "other"))
    until, since = end_named(draft, at, at + 1), end_named(draft, other, other + 1)
    if until is None or since is None or until[0] is since[0]:
        return None
    if until[0].table != since[0].table:
        return None
    before = " before " in match.group()
    return (until[0], since[0]) if before else (since[0], until[0])


_FINDERS = {"between": _told, "ahead": _ahead}
"""What finds the two dates; where no word names them both, they are found around one."""


def _ask(draft: Draft, match: re.Match[str], ends: tuple[Column, Column]) -> None:
    found = ((kind, m) for kind, cue in _AGGREGATES if (m := cue.search(draft.lower)))
    kind, told = next(found, (None, None))
    if told is None and "one" not in match.groupdict() and "how " not in match.group():
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
    if match["within"] and not denied and _OF_OTHER.search(match.group()):
        made = replace(made, op="between", value=-one.number, upper=one.number)
    draft.claim_text(match, "condition")
    add_test(draft, ends[1], made, draft.at(match.start()), draft.at(match.end()))
    if denied and ends[1].facts.missing:
        draft.where[-1] += (Condition(ref(ends[1]), "missing"),)


def _lapse(said: str | None, ends: tuple[Column, Column]) -> Ref:
    since, until = map(ref, ends)
    unit = said.removesuffix("s") if said else _usual(*ends)
    mixed = ends[0].timed != ends[1].timed and unit not in _WITHIN_DAYS
    told = replace(until, since=since, lapse=cast("Lapse", unit))
    return replace(told, by_day=mixed)


def _usual(since: Column, until: Column) -> Lapse:
    """The unit where none is named: by how far the ends of the two columns lie apart."""
    ends = [(one.facts.minimum, one.facts.maximum) for one in (since, until)]
    apart = [abs(b - a) for a, b in zip(*ends, strict=True) if _moment(a) and _moment(b)]
    if not apart or max(apart) > _SHORTEST_IN_DAYS:
        return "day"
    return "hour" if max(apart) > _SHORTEST_IN_HOURS else "minute"


def _moment(value: Value | None) -> bool:
    return isinstance(value, datetime)

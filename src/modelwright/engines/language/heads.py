"""What a question over several tables shows: columns, aggregates of them, counts of rows."""

import re
from typing import cast

from modelwright.engines.language.drafting import Draft, best_mentions, named_tables
from modelwright.engines.language.extremes import counted_table, numbered, timely
from modelwright.engines.language.index import ref
from modelwright.engines.language.mentions import Mention
from modelwright.engines.language.patterns import pairs, pattern, patterns
from modelwright.engines.language.plan import Aggregate, Measure

_KINDS = patterns("measuring kinds")
_COUNT = pattern("heads count")
_EVERYTHING = pattern("heads everything")
_TAIL = pattern("heads tail")
_RESUMES = pattern("heads resumes")
_DISTINCT = pattern("measuring distinct")
_AGGREGATED = pattern("heads aggregated")
_SECOND = pattern("heads second")
_OF_ROWS = pattern("heads of rows")
_WHERE = {kind: fits for kind, _, fits in pairs("clues roles")}
_SUPER = pattern("superlatives super")
_LIVING = re.compile(r"\w+ (?:live|living|reside)")
_JOINED = re.compile(r"\W*(?:and|or|as well as)?(?: the| their| its)? *\Z")


def read_head(draft: Draft) -> None:
    """Adds what is shown, in the order of the words, and claims them."""
    if _EVERYTHING.search(draft.lower):
        draft.everything = True
        draft.claim(0, len(draft.claimed), "everything")
        return
    counts = [m for m in _COUNT.finditer(draft.lower) if not draft.claimed[draft.at(m.start())]]
    for match in counts:
        _read_count(draft, match)
    kinds = [
        (match.start(), match.end(), cast("Aggregate", kind))
        for kind, cue in _KINDS
        for match in cue.finditer(draft.lower)
        if not draft.claimed[draft.at(match.start())]
    ]
    _read_items(draft, sorted(kinds))
    draft.distinct = bool(_DISTINCT.search(draft.lower)) and not any(
        m.aggregate for m in draft.select
    )


def _read_count(draft: Draft, match: re.Match[str]) -> None:
    """`How many singers`, `the number of different countries`, `number of products` as a column."""
    start, end = draft.at(match.start()), draft.at(match.end())
    if _after_tail(draft, match.start()) or inside_name(draft, start):
        return
    own = numbered(draft, start, end + 3)
    distinct = bool(match.group("distinct"))
    if own is not None and not distinct and _AGGREGATED.search(draft.lower[: match.start()]):
        return
    draft.claim_text(match, "measure")
    if own is not None and not distinct and own.end > end and draft.free(own):
        draft.claim(own.start, own.end, "measure")
        summed = match.group().startswith(("how", "total"))
        draft.select.append(Measure("sum" if summed else None, ref(own.column)))
        return
    counted = _counted(draft, end, distinct=distinct)
    if counted not in draft.select:
        draft.select.append(counted)


def _counted(draft: Draft, end: int, *, distinct: bool) -> Measure:
    """What the words after `how many` have counted: rows of a table, values, people."""
    named = draft.pick(end, end + 4, least=0.42 if distinct else 0.6)
    table = counted_table(draft, end)
    people = _people(draft, end) if _LIVING.match(draft.text(end, end + 2)) else None
    if people is not None:
        return people
    if distinct and named is not None:
        draft.claim(end, named.end, "measure")
        return Measure("count_distinct", ref(named.column))
    if table is not None:
        draft.counted = draft.counted or table
        places = [at for at in draft.question.tables[table] if end <= at < end + 3]
        draft.claim(places[0], places[0] + 1, "rows")
        return Measure("count")
    people = _people(draft, end)
    if people is not None:
        return people
    if named is not None and not named.column.number:
        draft.claim(end, named.end, "measure")
        return Measure("count" if draft.group else "count_distinct", ref(named.column))
    return Measure("count")


def _people(draft: Draft, end: int) -> Measure | None:
    """`How many people` adds up a column of people."""
    named = draft.pick(end, end + 1, lambda c: c.number and not c.identifier, 0.45)
    if named is None or named.end != end + 1:
        return None
    draft.claim(end, end + 1, "measure")
    return Measure("sum", ref(named.column))


def inside_name(draft: Draft, at: int) -> bool:
    """Whether a word is inside a column's name: `per` of miles per gallon."""
    return any(m.start < at < m.end and m.quality > 0.8 for m in draft.question.mentions)  # noqa: PLR2004


def _after_tail(draft: Draft, place: int) -> bool:
    tail = _first_tail(draft)
    return tail is not None and tail[0] <= place < tail[1]


def _first_tail(draft: Draft) -> tuple[int, int] | None:
    """Where the conditions begin after what is shown, and where showing is taken up again."""
    words = draft.question.words
    if not words:
        return None
    for match in _TAIL.finditer(draft.lower, words[min(1, len(words) - 1)].end):
        begun = draft.at(match.start())
        said = any(m.quality > 0.6 and m.end <= begun for m in draft.question.mentions)  # noqa: PLR2004
        rows = any(at < begun for found in draft.question.tables.values() for at in found)
        if said or rows:
            again = _RESUMES.search(draft.lower, match.end())
            return match.start(), again.start() if again else len(draft.lower)
    return None


def _read_items(draft: Draft, kinds: list[tuple[int, int, Aggregate]]) -> None:
    pending: list[Aggregate] = []
    second = _SECOND.match(draft.lower)
    begun = second.end() if second else 0
    used, last = False, None
    waiting = list(kinds)
    for mention in best_mentions(draft):
        place = draft.question.words[mention.start].start
        if place < begun or _after_tail(draft, place) or _repeats(draft, mention, last):
            continue
        while waiting and waiting[0][0] <= place:
            start, _, kind = waiting.pop(0)
            if _in_name(draft, mention, start, kind):
                continue
            if used:
                pending, used = [], False
            draft.claim(draft.at(start), draft.at(start) + 1, "measure")
            pending.append(kind)
        if used and not (last is not None and _beside(draft, last, mention)):
            pending = []
        measures = _shown(mention, pending)
        used = used or (bool(pending) and measures[0].aggregate is not None)
        draft.claim(mention.start, mention.end, "select")
        draft.select += [one for one in measures if one not in draft.select]
        last = mention


def _repeats(draft: Draft, mention: Mention, last: Mention | None) -> bool:
    """`Largest` before a number, `name` after `government form`, and what follows a count."""
    words = draft.question.words
    if _names_rows(draft, mention) or (_tested(draft, mention) and draft.select):
        return True
    if mention.end - mention.start == 1:
        if _SUPER.fullmatch(words[mention.start].text):
            return True
        if last is not None and last.end == mention.start and _beside_space(draft, last, mention):
            return True
    counted = any(m.aggregate == "count" and m.ref is None for m in draft.select)
    if not counted:
        return False
    before = draft.lower[: words[mention.start].start]
    said = [at for at in range(mention.start) if draft.claimed[at] in {"measure", "select", "rows"}]
    between = before[words[said[-1]].end :] if said else ","
    return not re.search(r",|\band\b|\balong\b|\bwell\b|\bwith\b|\bfor\b|\bby\b", between)


def _tested(draft: Draft, mention: Mention) -> bool:
    """Whether a column is known to hold one value, so that showing it tells nothing."""
    return any(
        len(options) == 1 and options[0].op == "=" and options[0].ref == ref(mention.column)
        for options in draft.where
    )


def _names_rows(draft: Draft, mention: Mention) -> bool:
    """`Of all companies` names the rows, though there is a column Company."""
    table = draft.rows_named(mention)
    if table is None:
        return False
    places, at = draft.question.tables[table], mention.start
    while at - 1 in places:
        at -= 1
    before = draft.lower[: draft.question.words[at].start]
    return table != mention.column.table or bool(_OF_ROWS.search(before))


def _beside_space(draft: Draft, one: Mention, other: Mention) -> bool:
    words = draft.question.words
    return draft.lower[words[one.end - 1].end : words[other.start].start].isspace()


def _in_name(draft: Draft, mention: Mention, start: int, kind: str) -> bool:
    """`Total credits` of a column called tot_cred is that column."""
    at = draft.at(start)
    stem = draft.question.terms[at].stem
    inside = mention.start <= at < mention.end
    return inside and kind != "avg" and any(stem == term.stem for term in mention.column.name.terms)


def _shown(mention: Mention, pending: list[Aggregate]) -> list[Measure]:
    column = mention.column
    fits = [
        kind
        for kind in pending
        if (column.number and not column.identifier) or (kind in {"max", "min"} and timely(column))
    ]
    return [Measure(kind, ref(column)) for kind in fits] or [Measure(None, ref(column))]


def _beside(draft: Draft, one: Mention, other: Mention) -> bool:
    words = draft.question.words
    between = draft.lower[words[one.end - 1].end : words[other.start].start]
    return bool(_JOINED.match(between))


def show_rows(draft: Draft) -> None:
    """Rows asked for without a column are shown by what names them, `where` by a place."""
    tables = named_tables(draft)
    if not tables or draft.select or draft.group or draft.everything:
        return
    fits = _WHERE.get(draft.text(0, 1))
    columns = draft.index.in_table(tables[0])
    asked = [c for c in columns if fits and fits.search(c.facts.name.lower())]
    shown = asked[0] if asked else draft.index.naming(tables[0])
    told = [shown] if asked or draft.index.named(tables[0]) else columns
    draft.select += [Measure(None, ref(one)) for one in told]

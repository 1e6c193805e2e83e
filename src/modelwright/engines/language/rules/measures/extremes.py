"""The most and the least over several tables: the largest value, the group of most rows."""

import re
from dataclasses import replace

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.columns.linking import alike
from modelwright.engines.language.rules.columns.schema import points
from modelwright.engines.language.rules.measures.extreme_rows import AGED, SUPER
from modelwright.engines.language.rules.mentions.draft import Draft, add_test
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import amount, averaged
from modelwright.engines.language.rules.plans.plan import Condition, Measure, Order
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.patterns import pattern, patterns
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.rules.times.first_and_last import LAST, last_by
from modelwright.engines.language.rules.times.usual_dates import BEGUN
from modelwright.engines.language.vocabulary import alternatives, word_set

_COMMON = pattern("superlatives common")
_LED = pattern("extremes led")
_COUNTED = re.compile(r"(?:total )?(?:number|amount|count)s? of\b")
_AGGREGATES = patterns("superlatives aggregates")
_HOW_MANY = word_set("superlatives.of_how_many")
_DIFFERENT = word_set("cues.distinct")
_COUNTS = word_set("names.counts_of_tables")
_TIMES = word_set("times.of_columns")
_OF_TIME = word_set("superlatives.of_time")
_BORN = frozenset({"birth", "born", "birthday"})
_NAME_SAID = 0.9
"""How much of a column's name must be said to be all but whole, 0 to 1."""
_COUNT_QUALITY = 0.5
"""How surely words must mean a column that counts them, 0 to 1; its name is checked besides."""
_COLUMN_QUALITY = 0.45
"""How surely words must mean what is ranked by, 0 to 1."""
_ADJECTIVE_QUALITY = 0.3
"""The same of the superlative itself: its form speaks for it."""
_REACH = 5
"""In words: how far behind a superlative what it ranks by may begin."""
_LONGEST_HEAD = 4
"""In words: so early a superlative stands in what is asked for."""
_NEXT_QUALITY = 0.95
"""How surely the next word must mean a column to come first, 0 to 1."""
_ASKED_QUALITY = 0.6
"""How surely words before must mean a column, so that its table is asked for, 0 to 1."""
_IN_ALL = re.compile(rf"(?:{alternatives('averages.in_all')})\b")
_OVER = re.compile(rf"(?P<average>on average)\b|{_IN_ALL.pattern}")
_BOTH_ENDS = re.compile(r"\bmin(?:imum)? and max(?:imum)?\b|\bmax(?:imum)? and min(?:imum)?\b")
_WHOSE = re.compile(r"\b(?P<whose>whose)\b[^,.]*\b(?:is|are|was|were) (?:the )?\Z")


def read_extreme(draft: Draft) -> None:
    """Reads the first superlative that ranks rows or groups; an aggregate is left to the head."""
    common = _COMMON.search(draft.lower)
    if common:
        draft.claim_text(common, "superlative")
        draft.counted = draft.counted or _spoken(draft, draft.at(common.start()) - 1)
        _rank(draft, Measure("count"), descending=common.group("way") in {"most", "more"})
        return
    for match in SUPER.finditer(draft.lower):
        at = draft.at(match.start())
        if draft.claimed[at] or draft.text(at - 1, at) == "at" or _BOTH_ENDS.search(draft.lower):
            continue
        key = _key(draft, at, match)
        if key is not None:
            draft.claim(at, at + 1, "superlative")
            key = _over_rows(draft, at, key)
            _rank(draft, key, descending=bool(match.group("up")) != _by_birth(draft, at, key))
            return
    last = LAST.match(draft.lower)
    date = last_by(draft, last) if last else None
    if last and date:
        _rank(draft, Measure(None, date), descending=last["way"] == "last")


def _over_rows(draft: Draft, at: int, key: Measure) -> Measure:
    """`The show with the most downloads in total` adds up those of its episodes."""
    end = next((n for n in range(at, len(draft.claimed)) if draft.claimed[n] != "superlative"), 0)
    over = _OVER.match(draft.text(end, len(draft.claimed))) if end else None
    many = draft.text(at, at + 1) in _HOW_MANY and key.aggregate is None and not over
    if many and of_pointed(draft, at, key):
        return replace(key, aggregate="sum")
    if over is None or key.aggregate or key.ref is None or not amount(draft.index.column(key.ref)):
        return key
    draft.claim(end, end + len(over.group().split()), "superlative")
    return replace(key, aggregate="avg" if over["average"] else "sum")


def of_pointed(draft: Draft, at: int, key: Measure) -> bool:
    """`Which country produced the most energy`: of all the rows that point to one."""
    asked = {t for t, places in draft.question.tables.items() if min(places) < at}
    asked |= {
        m.column.table
        for m in draft.question.mentions.starting(0, at)
        if m.quality > _ASKED_QUALITY
    }
    if key.ref is None or key.ref.table in asked or averaged(key.ref):
        return False
    return any(points(draft.index.keys, key.ref.table, table) for table in asked)


def _rank(draft: Draft, key: Measure, *, descending: bool) -> None:
    draft.order = [Order(key, descending)]
    draft.limit = draft.limit or 1
    draft.ranked = key.aggregate is not None


def _key(draft: Draft, at: int, match: re.Match[str]) -> Measure | None:
    """What the rows or groups are ranked by; None leaves the word to the head."""
    many = match.group() in _HOW_MANY
    told = _told_before(draft, match) or _dated(draft, at) or _born(draft, at)
    told = told or (_spent(draft, at) if many else None)
    if told is not None:
        return told
    counted = _COUNTED.match(draft.text(at + 1, len(draft.claimed)))
    led = bool(_LED.search(draft.lower[: match.start()]))
    if counted and not led and draft.limit is None and at <= _LONGEST_HEAD:
        return None
    noun = at + 1 + (len(counted.group().split()) if counted else 0)
    key = _counted(draft, at, noun) if counted or many else None
    return key or _valued(draft, at, led=led, many=many)


def _spent(draft: Draft, at: int) -> Measure | None:
    """`Who spent the most in total`: the sum of the amount right before, at the end of all."""
    in_all = _IN_ALL.match(draft.text(at + 1, len(draft.claimed)))
    spent = draft.pick(at - 3, at, amount)
    if spent is None or not (in_all or at + 1 == len(draft.claimed)):
        return None
    draft.claim(spent.start, at + (3 if in_all else 1), "superlative")
    return Measure("sum", ref(spent.column))


def _valued(draft: Draft, at: int, *, led: bool, many: bool) -> Measure | None:
    """`With the largest area`, `the oldest singer`, `the 3 highest salaries`."""
    kind = next((k for k, cue in _AGGREGATES if cue.match(draft.text(at + 1, at + 3))), None)
    named = _ranked_column(draft, at, stays=bool(kind and led))
    if named is None:
        return None
    recent = draft.text(at + 1, at + 2).startswith("recent")
    if many and _tells_when(named.column) and not recent:
        draft.claim(at, named.end, "superlative")
        add_test(draft, named.column, Condition(ref(named.column), "present"), at, named.end)
        return Measure("count")
    own, several = _own(draft, at, named, many=many), (draft.limit or 0) > 1
    if not (led or own or several):
        return None
    draft.claim(at, named.end, "superlative")
    if several and not led and not own:
        draft.select.append(Measure(None, ref(named.column)))
    return Measure(kind, ref(named.column))  # type: ignore[arg-type]


def _ranked_column(draft: Draft, at: int, *, stays: bool) -> Mention | None:
    """The column named behind a superlative, else by it: oldest is age.

    One further behind gives way to that, unless it `stays`.
    """
    named = draft.pick(at + 1, at + 2, _ranks, _NEXT_QUALITY)
    named = named or draft.pick(at, at + _REACH, _ranks, _COLUMN_QUALITY)
    adjective = draft.pick(at, at + 1, _ranks, _ADJECTIVE_QUALITY)
    if adjective is None or adjective.end != at + 1:
        return named
    far = named is not None and named.start > at + 1
    return adjective if named is None or (far and not stays) else named


def _tells_when(column: Column) -> bool:
    """Whether a column of time is no number of anything: the most of it are the most rows."""
    return timely(column) and (not column.number or column.shape == "year")


def _own(draft: Draft, at: int, named: Mention, *, many: bool) -> bool:
    """Whether a superlative ranks by what it names itself, or by what follows at once."""
    rows = {place for found in draft.question.tables.values() for place in found}
    beside = named.end == at + 1 or (named.start == at + 1 and many)
    return beside or (named.start == at and set(range(at + 1, named.end)) <= rows)


def _told_before(draft: Draft, match: re.Match[str]) -> Measure | None:
    """`Whose number of products is the largest`."""
    before = _WHOSE.search(draft.lower[: match.start()])
    if before is None:
        return None
    start, at = draft.at(before.end("whose")), draft.at(match.start())
    named = draft.pick(start, at, _ranks, _COLUMN_QUALITY)
    if named is None:
        return None
    draft.claim(start, at + 1, "superlative")
    return Measure(None, ref(named.column))


def _counted(draft: Draft, at: int, noun: int) -> Measure | None:
    """`The most hosts`: a column that counts them, else their rows."""
    own = numbered(draft, at + 1, noun + 3)
    if own is not None:
        draft.claim(at, own.end, "superlative")
        return Measure(None, ref(own.column))
    table = counted_table(draft, noun)
    places = draft.question.tables.get(table, ()) if table else ()
    if (
        noun == at + 1
        and noun not in places
        and draft.pick(noun, noun + 1, _ranks, _ADJECTIVE_QUALITY)
    ):
        return None
    draft.claim(at, noun + (2 if table else 0), "superlative")
    return different_rows(draft, noun, table) or _rows_of(draft, table)


def _rows_of(draft: Draft, table: str | None) -> Measure:
    draft.counted = table or draft.counted
    return Measure("count")


def different_rows(draft: Draft, at: int, table: str | None) -> Measure | None:
    """`The most different teachers`, `more than 3 different rooms`: each is counted once."""
    if table is None or draft.text(at, at + 1) not in _DIFFERENT:
        return None
    return Measure("count_distinct", ref(draft.index.key(table) or draft.index.naming(table)))


def numbered(draft: Draft, start: int, end: int) -> Mention | None:
    """The column that holds a count of what the words name: Number_of_hosts for `most hosts`."""
    return draft.pick(
        start,
        end,
        lambda c: (
            c.number
            and not c.identifier
            and (
                (
                    bool(_COUNTS & {term.text for term in c.name.terms})
                    and _counts_said(draft, c, start, end)
                )
                or _named_whole(draft, c, start)
            )
        ),
        _COUNT_QUALITY,
        taken=True,
    )


def _counts_said(draft: Draft, column: Column, start: int, end: int) -> bool:
    """Whether what a column counts is said too: no Number_products for `number of employees`."""
    own = [term for term in column.name.terms if term.text not in _COUNTS]
    said = draft.question.terms[start:end]
    return not own or any(alike(word, term) for word in said for term in own if word.weight == 1)


def _named_whole(draft: Draft, column: Column, start: int) -> bool:
    rows = {at for found in draft.question.tables.values() for at in found}
    for one in draft.question.mentions:
        if one.column is column and one.named > _NAME_SAID and start <= one.start:
            telling = [
                at for at in range(one.start, one.end) if draft.question.terms[at].weight == 1
            ]
            own = [at for at in telling if draft.question.words[at].text not in _COUNTS]
            if own and not rows.intersection(own):
                return True
    return False


def counted_table(draft: Draft, at: int) -> str | None:
    """The table whose rows are spoken of within three words of a place."""
    near = [
        (
            place,
            {stem(part) for part in spelled_out(table)} != {draft.question.words[place].stem},
            table,
        )
        for table, found in draft.question.tables.items()
        for place in found
        if at <= place < at + 3
    ]
    return min(near)[2] if near else None


def _ranks(column: Column) -> bool:
    return (column.number or column.date or timely(column)) and not column.identifier


def timely(column: Column) -> bool:
    """Whether a column speaks of time by its name, whatever its type."""
    return column.date or bool(_TIMES & {term.text for term in column.name.terms})


def _dated(draft: Draft, at: int) -> Measure | None:
    """`The most recent show`: the column of time of the table spoken of."""
    if not _OF_TIME & set(draft.text(at, at + 2).split()[:2]):
        return None
    named = draft.pick(at, at + _REACH, timely, _ADJECTIVE_QUALITY)
    column = named.column if named else None
    if column is None:
        near = counted_table(draft, at + 1) or _spoken(draft, at - 1)
        home = max(draft.home, key=lambda name: draft.home[name], default="")
        found = [c for c in draft.index.in_table(near or home) if timely(c)]
        column = found[0] if found else None
    if column is None:
        return None
    draft.claim(at, at + 2, "superlative")
    return Measure(None, ref(column))


def _born(draft: Draft, at: int) -> Measure | None:
    """`The oldest patient`: by the date of birth, where no age is told, or of the founding."""
    if draft.text(at, at + 1) not in AGED or draft.pick(at, at + 1, _ranks, _ADJECTIVE_QUALITY):
        return None
    table = counted_table(draft, at + 1) or max(draft.home, key=lambda name: draft.home[name])
    born = [c for c in draft.index.in_table(table) if _is_begun(c)]
    if len(born) != 1:
        return None
    draft.claim(at, at + 1, "superlative")
    return Measure(None, ref(born[0]))


def _spoken(draft: Draft, at: int) -> str | None:
    """The table that a word before names: `visited most recently`."""
    return next((table for table, found in draft.question.tables.items() if at in found), None)


def _by_birth(draft: Draft, at: int, key: Measure) -> bool:
    """The oldest has the earliest date of birth."""
    word = draft.text(at, at + 1)
    column = draft.index.column(key.ref) if key.ref and key.aggregate is None else None
    return word in AGED and column is not None and _is_begun(column)


def _is_begun(column: Column) -> bool:
    """Whether a column tells when something was born, built or founded."""
    begun = column.when and BEGUN.search(column.facts.name.lower())
    return bool(begun or _BORN & {term.stem for term in column.name.terms})

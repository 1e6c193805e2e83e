"""Rows at an end: the 5 most expensive trips, the oldest singer, the biggest order by revenue."""

import re

from modelwright.engines.language.rules.columns.column import LIST
from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.measures.subjects import subject
from modelwright.engines.language.rules.mentions.drafting import Draft, entity
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import amount
from modelwright.engines.language.rules.mentions.units import about_age
from modelwright.engines.language.rules.plans.plan import Measure, Order
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.times.latest import LAST, last_by
from modelwright.engines.language.rules.times.usual_dates import BEGUN, usual_date

SUPER = pattern("superlatives super")
_BY_NAMED = 0.6
_BY = re.compile(r"\b(?:by|in terms of|according to)\b(?: the)?")
_LATE, _EARLY = frozenset({"newest", "latest"}), frozenset({"oldest", "earliest"})
_AGES = _LATE | _EARLY
_AGED = frozenset({"oldest", "youngest"})
_TIMELY = _AGES | _AGED | {"highest", "lowest", "maximum", "minimum", "max", "min"}
"""What is the other way round of a date: the oldest has the earliest."""
_MANY = frozenset({"most", "fewest", "least"})
_AVERAGES = frozenset({"average", "avg", "mean", "median"})
"""What makes of the word after it a part of a name: `average max temperature`."""
ENDS = frozenset({"maximum", "minimum", "max", "min"})
"""What asks for a number rather than for its row."""
_WITH = re.compile(
    r"\b(?:with|having|has|have|had|whose|of the \w+ with) (?:the )?(?:\w+(?:nd|rd|th) )?$"
)
_OF = re.compile(r"\bof (?:the )?$")
_WHICH = re.compile(r"\s*(?:which|who)\b")
_LATEST = re.compile(
    r"\b(?:(?P<up>latest|newest|most recent|current|last(?! name))|earliest|first(?! name))"
    r" (?:known |recorded |available )?(?:\d+ )?"
)
_LED = re.compile(
    r"\W*(?:(?:what|which|when|who) (?:is|was|were) |(?:show|give|find)(?: me)? )?(?:the )?"
)
_ENDS = re.compile(r"\b(?:first|earliest|oldest) (?:and|&) (?:last|latest|newest|most recent)\b")
_PERIODS = frozenset({"day", "week", "month", "quarter", "year", "time"})
_NAMED, _SURE, _WHOLE, _OWN, _SHORT = 0.45, 0.7, 0.93, 0.9, 3


def read_extreme_rows(draft: Draft) -> bool:
    """The 5 most expensive trips; the oldest singer; districts with the highest population."""
    for match in SUPER.finditer(draft.lower):
        at = draft.at(match.start())
        number = match.group() in ENDS and draft.group
        if draft.claimed[at] or number or draft.text(at - 1, at) in _AVERAGES:
            continue
        ranked = ranked_by(draft, match.end())
        named = ranked or _told_of(draft, at, match.group())
        aged = named is None or (named.start > at and not named.column.when)
        if aged and _of_time(draft, at):
            return True
        if named is None:
            continue
        wanted, rows = bool(draft.limit), _rows_after(draft, at, named)
        with_it = _WITH.search(draft.lower[: match.start()])
        of_it = _OF.search(draft.lower[: match.start()]) or ranked is not None
        own = of_it or named.start <= at or _described(draft, at, named)
        unnamed = _unnamed_after(draft, match, max(at + 1, named.end))
        kind = _kind_of(draft, at, named)
        if not (wanted or with_it or (rows and own) or unnamed or kind or _asks_which(draft, at)):
            continue
        draft.select += [Measure(None, ref(kind))] if kind else []
        known = entity(draft, unnamed) or any(draft.question.mentions.over(unnamed))
        draft.claim(unnamed, unnamed + bool(unnamed and known), "superlative")
        if wanted and not rows and not with_it and not _row_words(draft, at):
            draft.select.append(Measure(None, ref(named.column)))
        draft.claim(at, at + 1 + _adjective(draft, at), "superlative")
        draft.claim(named.start, named.end, "superlative")
        aged = named.column.date and match.group() in _AGED
        draft.order = [Order(Measure(None, ref(named.column)), bool(match.group("up")) != aged)]
        draft.limit = draft.limit or 1
        return True
    return False


def read_latest(draft: Draft) -> bool:
    """`The latest close price of Novax`: a number of the row of the last date."""
    usual = usual_date(draft)
    if _read_ends(draft):
        return True
    if len(draft.index.tables) > 1 or usual is None or draft.group:
        return False
    for match in _LATEST.finditer(draft.lower):
        at, end = draft.at(match.start()), draft.at(match.end())
        named = draft.pick(end, end + 1, lambda c: amount(c) and not c.when, _BY_NAMED)
        inside = any(m.named > _SURE for m in draft.question.mentions.over(at))
        if inside or draft.claimed[at]:
            continue
        row = end if _one_row(draft, end) else _unnamed_after(draft, match, end)
        if named is None and row:
            draft.claim(at, row + 1, "superlative")
            draft.everything = True
            draft.order = [Order(Measure(None, ref(usual)), bool(match.group("up")))]
            draft.limit = draft.limit or 1
            return True
        if named is None:
            continue
        draft.claim(at, end, "superlative")
        draft.claim(named.start, named.end, "select")
        when = Measure(None, ref(usual))
        draft.select += [when, Measure(None, ref(named.column))]
        draft.order = [Order(when, bool(match.group("up")))]
        draft.limit = draft.limit or 1
        return True
    return False


def _read_ends(draft: Draft) -> bool:
    """`The first and last order`: when they were."""
    match, usual = _ENDS.search(draft.lower), usual_date(draft)
    at = draft.at(match.end()) if match else 0
    if match is None or usual is None or draft.group or not entity(draft, at):
        return False
    draft.claim_text(match, "superlative")
    draft.claim(at, at + 1, "superlative")
    draft.select += [Measure("min", ref(usual)), Measure("max", ref(usual))]
    return True


def _one_row(draft: Draft, at: int) -> bool:
    """Whether a word of one row follows: `last order`, of a table that is more than a list."""
    plural = draft.text(at, at + 1).endswith("s")
    timed = draft.text(at, at + 1).removesuffix("s") in _PERIODS
    rows = draft.index.large and entity(draft, at) and not timed
    return rows and (not plural or bool(draft.limit))


def _unnamed_after(draft: Draft, match: re.Match[str], at: int) -> int:
    """The place of a word behind what leads a question that names nothing the table has, else 0.

    It may be what a row is: `launch` of `first launch of Quay Co`, `the cheapest failed launch`.
    """
    while draft.claimed[at : at + 1] == ["condition"]:
        at += 1
    said = draft.text(at, at + 1)
    named = any(m.quality >= _NAMED for m in draft.question.mentions.over(at))
    named = named and draft.pick(at, at + 1, _names_rows, _SURE) is None
    held = any(link.start <= at < link.end for link in draft.question.values)
    word = said.isalpha() and len(said) > _SHORT and said not in lexicon().stop | _PERIODS
    led = draft.index.large and _LED.fullmatch(draft.lower, 0, match.start())
    return at if led and word and not (named or held or said.endswith("s")) else 0


def _rows_after(draft: Draft, at: int, named: Mention) -> bool:
    """Whether the rows are spoken of behind the superlative: `the most expensive item`."""
    many = len(draft.index.tables) > 1
    places = range(at + 1, min(named.end + 2, len(draft.claimed)))
    said = any(entity(draft, at) for at in places if many or not named.start <= at < named.end)
    name = draft.pick(named.end, named.end + 1, _names_rows, _SURE)
    return said or name is not None or _lately(draft, named) or _of_kind(draft, at, named)


def _kind_of(draft: Draft, at: int, named: Mention) -> Column | None:
    """`The longest trial` of a column Trial beside Trial Days."""
    inside = draft.question.mentions.starting(at + 1, named.end) if named.start == at else ()
    kinds = (m for m in inside if m.named > _WHOLE and m.end == named.end)
    return next((m.column for m in kinds if m.column.facts.type == "string"), None)


def _of_kind(draft: Draft, at: int, named: Mention) -> bool:
    """Whether a value says what the rows are: the heaviest `van`."""
    kind = draft.index.large and named.end == at + 1 and not draft.group
    links = (link for link in draft.question.values if link.exact and link.start == at + 1)
    return kind and any(draft.claimed[link.start] == "condition" for link in links)


def _described(draft: Draft, at: int, named: Mention) -> bool:
    """Whether the word after `most` says what it is of, and the rows follow it."""
    name = draft.pick(named.end, named.end + 1, _names_rows, _SURE)
    follows = entity(draft, named.end) or name is not None
    return (named.start == at + 1 and follows) or _lately(draft, named)


def _lately(draft: Draft, named: Mention) -> bool:
    """`The most recent hire` is a row by its date, of which only a part is said."""
    return named.column.date and named.named < _SURE and len(draft.index.tables) == 1


def _names_rows(column: Column) -> bool:
    """Whether a text is another in nearly every row, in a table that is more than a list."""
    facts = column.facts
    return facts.type == "string" and facts.distinct >= _OWN * facts.rows and facts.rows >= LIST


def _told_of(draft: Draft, at: int, word: str) -> Mention | None:
    """The number or date that is at its end: by the adjective itself where rows follow it."""
    if (
        word in _MANY
        and (told := draft.pick(at + 1, at + 2, amount, _NAMED))
        and (entity(draft, told.end) or draft.pick(told.end, told.end + 1, _names_rows, _SURE))
    ):
        return told
    own = draft.pick(at, at + 1, amount, _NAMED)
    named = draft.pick(at + 1, at + 4, amount, _SURE)
    alone = named is None and entity(draft, at + 1)
    if own and own.end == at + 1 and (alone or word in _AGED):
        return own
    dated = word in _TIMELY or draft.text(at + 1, at + 2).startswith("recent")
    found = draft.pick(at, at + 4, lambda c: amount(c) or (c.date and dated), _NAMED)
    found = found or draft.pick(at, at + 4, lambda c: c.number, _WHOLE)
    return found or (draft.pick(at - 2, at, amount, _NAMED) if _asks_which(draft, at) else None)


def _asks_which(draft: Draft, at: int) -> bool:
    """`Which animal is awake the longest` asks for a row: its last word ranks it."""
    asked = _WHICH.match(draft.lower) and at + 1 == len(draft.claimed)
    return bool(asked) and draft.text(at - 1, at) == "the" and len(draft.index.tables) == 1


def _of_time(draft: Draft, at: int) -> bool:
    """`The 5 oldest planes` are those of the first years, where one column tells years or dates."""
    word, times = draft.text(at, at + 1), [one for one in draft.index.columns if one.when]
    born = [one for one in times if "birth" in {term.stem for term in one.name.terms}]
    if word in _AGED and len(born) == 1:
        times = born
    elif len(times) > 1:
        begun = [one for one in times if BEGUN.search(one.facts.name.lower())]
        aged = any(about_age(one) for one in draft.index.columns)
        usual = None if aged or len(draft.index.tables) > 1 else usual_date(draft)
        times = begun or [one for one in times if one is usual]
    rows = draft.limit or entity(draft, at + 1) or entity(draft, at + 2)
    if len(times) != 1 or word not in (_AGED if times is born else _AGES) or not rows:
        return False
    draft.claim(at, at + 1, "superlative")
    draft.order = [Order(Measure(None, ref(times[0])), word in _LATE | _AGED - _EARLY)]
    draft.limit = draft.limit or 1
    return True


def _row_words(draft: Draft, at: int) -> bool:
    return any(
        entity(draft, place) for place in range(max(0, at - 6), min(at + 4, len(draft.claimed)))
    )


def ranked_by(draft: Draft, start: int) -> Mention | None:
    """`By unit cost` says what the superlative is of."""
    by = _BY.search(draft.lower, start)
    if by is None or len(draft.index.tables) > 1:
        return None
    at = draft.at(by.end())
    return draft.pick(at, at + 1, amount, _BY_NAMED)


def _adjective(draft: Draft, at: int) -> int:
    """`Most expensive` is two words."""
    two = draft.text(at, at + 1) in {"most", "least"} and at + 1 < len(draft.claimed)
    return int(two and not entity(draft, at + 1))


def read_last(draft: Draft) -> bool:
    """`Which employee was hired last`: the row of the latest date."""
    match = LAST.match(draft.lower)
    group = subject(draft, 1, draft.at(match.start("way"))) if match else None
    found = last_by(draft, match) if match else None
    if match is None or found is None:
        return False
    draft.order, draft.limit = [Order(Measure(None, found), match["way"] == "last")], 1
    if group is not None:
        draft.select.append(Measure(None, ref(group)))
    return True

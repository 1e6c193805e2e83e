"""Rows at an end: the 5 most expensive trips, the oldest singer, the biggest order by revenue.

A superlative over rows needs a number to rank by and a way to name the row, and says neither: `the
oldest singer`. What it ranks by is taken from the adjective, the words behind it or the only column
that fits, else it stays unread.
"""

import re
from collections.abc import Callable, Sequence

from modelwright.engines.language.rules.columns.column import LIST
from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.measures.subjects import subject
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import amount, is_key
from modelwright.engines.language.rules.mentions.units import about_age
from modelwright.engines.language.rules.plans.plan import Measure, Order
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.times.ages_and_tenures import may_be_born
from modelwright.engines.language.rules.times.first_and_last import LAST, last_by
from modelwright.engines.language.rules.times.usual_dates import BEGUN, usual_date
from modelwright.engines.language.vocabulary import word_set

SUPER = pattern("superlatives super")
_BY_QUALITY = 0.6
"""How surely a word must mean an amount where its place says so, 0 to 1."""
_BY = re.compile(r"\b(?:by|in terms of|according to)\b(?: the)?")
_AGES = word_set("superlatives.late", "superlatives.early")
AGED = word_set("superlatives.of_age")
_LATE_FIRST = word_set("superlatives.late") | {"youngest"}
ENDS = word_set("superlatives.number_ends")
_TIMELY = _AGES | AGED | ENDS | word_set("superlatives.ends")
"""What is the other way round of a date: the oldest has the earliest."""
_HOW_MANY = word_set("superlatives.of_how_many")
_AVERAGES = word_set("averages.means", "averages.median")
"""What makes of the word after it a part of a name: `average max temperature`."""
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
_PERIODS = word_set("times.units") | {"time"}
_NUMBER_QUALITY = 0.45
"""How surely words must mean what rows are ranked by, 0 to 1."""
_SURE = 0.7
"""The same where nothing else speaks for it."""
_NAME_SAID = 0.93
"""How much of a name, or how surely, must be said to be all but whole, 0 to 1."""
_OWN_VALUES = 0.9
"""Which share of the rows must have a text of their own where it names them."""
_LONGEST_SMALL = 3
"""In letters: no longer word is what a row is."""


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
        if aged and ranked is None and _of_time(draft, at):
            return True
        told = ranked is not None
        if named is not None and _rank_rows(draft, match, named, told=told):
            return True
    return False


def _rank_rows(draft: Draft, match: re.Match[str], named: Mention, *, told: bool) -> bool:
    """Ranks rows by a number or date where words say that rows are asked for.

    `told` says that it is named behind `by`.
    """
    at, lead = draft.at(match.start()), draft.lower[: match.start()]
    wanted, rows, with_it = draft.limit, _rows_after(draft, at, named), _WITH.search(lead)
    unnamed = _unnamed_after(draft, match, max(at + 1, named.end))
    kind = _kind_of(draft, at, named)
    own = rows and _own(draft, at, named, of_it=told or _OF.search(lead) is not None)
    if not (wanted or with_it or own or unnamed or kind or _asks_which(draft, at)):
        return False
    draft.select += [Measure(None, ref(kind))] if kind else []
    _claim_unnamed(draft, unnamed)
    if wanted and not rows and not with_it and not _row_words(draft, at):
        draft.select.append(Measure(None, ref(named.column)))
    draft.claim(at, at + 1 + _adjective(draft, at), "superlative")
    draft.claim(named.start, named.end, "superlative")
    turned = tells_when(named.column) and match.group() in AGED
    draft.order = [Order(Measure(None, ref(named.column)), bool(match.group("up")) != turned)]
    draft.limit = draft.limit or 1
    return True


def tells_when(column: Column) -> bool:
    """Whether a column is of dates, or of years also of long ago: the oldest have the first."""
    return column.when or any(term.text == "year" for term in column.name.terms)


def _claim_unnamed(draft: Draft, at: int) -> None:
    """Claims what a row is called, where that is a word for rows or like some name."""
    if at and (entity(draft, at) or any(draft.question.mentions.over(at))):
        draft.claim(at, at + 1, "superlative")


def _own(draft: Draft, at: int, named: Mention, *, of_it: bool) -> bool:
    """Whether the superlative itself says what it ranks by, or the words right behind it do."""
    return of_it or named.start <= at or _described(draft, at, named)


def read_latest(draft: Draft) -> bool:
    """`The latest close price of Novax`: a number of the row of the last date."""
    usual = usual_date(draft)
    if _read_ends(draft):
        return True
    if draft.several or usual is None or draft.group:
        return False
    for match in _LATEST.finditer(draft.lower):
        at, end = draft.at(match.start()), draft.at(match.end())
        named = draft.pick(end, end + 1, lambda c: amount(c) and not c.when, _BY_QUALITY)
        inside = draft.question.mentions.named_at(at) > _SURE
        if inside or draft.claimed[at]:
            continue
        row = end if _one_row(draft, end) else _unnamed_after(draft, match, end)
        by = ranked_by(draft, match.end(), tells_when)
        when = Measure(None, ref(by.column if by else usual))
        if by is not None and (named is not None or row):
            draft.claim(by.start, by.end, "superlative")
        if named is not None:
            draft.claim(at, end, "superlative")
            draft.claim(named.start, named.end, "select")
            draft.select += [when, Measure(None, ref(named.column))]
        elif row:
            draft.claim(at, row + 1, "superlative")
            draft.everything = True
        else:
            continue
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
    named = draft.question.mentions.quality_at(at) >= _NUMBER_QUALITY
    named = named and draft.pick(at, at + 1, _names_rows, _SURE) is None
    held = draft.question.is_value(at)
    word = said.isalpha() and len(said) > _LONGEST_SMALL and said not in lexicon().stop | _PERIODS
    led = draft.index.large and _LED.fullmatch(draft.lower, 0, match.start())
    return at if led and word and not (named or held or said.endswith("s")) else 0


def _rows_after(draft: Draft, at: int, named: Mention) -> bool:
    """Whether the rows are spoken of behind the superlative: `the most expensive item`."""
    many = draft.several
    places = range(at + 1, min(named.end + 2, len(draft.claimed)))
    said = any(entity(draft, at) for at in places if many or not named.start <= at < named.end)
    name = draft.pick(named.end, named.end + 1, _names_rows, _SURE)
    return said or name is not None or _lately(draft, named) or _of_kind(draft, at, named)


def _kind_of(draft: Draft, at: int, named: Mention) -> Column | None:
    """`The longest trial` of a column Trial beside Trial Days."""
    inside = draft.question.mentions.starting(at + 1, named.end) if named.start == at else ()
    kinds = (m for m in inside if m.named > _NAME_SAID and m.end == named.end)
    texts = (m.column for m in kinds if m.column.facts.type == "string")
    return next((one for one in texts if not is_key(one)), None)


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
    return (
        facts.type == "string" and facts.distinct >= _OWN_VALUES * facts.rows and facts.rows >= LIST
    )


def _told_of(draft: Draft, at: int, word: str) -> Mention | None:
    """The number or date that is at its end: by the adjective itself where rows follow it."""
    if (
        word in _HOW_MANY
        and (told := draft.pick(at + 1, at + 2, amount, _NUMBER_QUALITY))
        and (entity(draft, told.end) or draft.pick(told.end, told.end + 1, _names_rows, _SURE))
    ):
        return told
    own = draft.pick(at, at + 1, amount, _NUMBER_QUALITY)
    named = draft.pick(at + 1, at + 4, amount, _SURE)
    alone = named is None and entity(draft, at + 1)
    if own and own.end == at + 1 and (alone or word in AGED):
        return own
    dated = word in _TIMELY or draft.text(at + 1, at + 2).startswith("recent")
    found = draft.pick(at, at + 4, lambda c: amount(c) or (c.date and dated), _NUMBER_QUALITY)
    found = found or draft.pick(at, at + 4, lambda c: c.number, _NAME_SAID)
    return found or (
        draft.pick(at - 2, at, amount, _NUMBER_QUALITY) if _asks_which(draft, at) else None
    )


def _asks_which(draft: Draft, at: int) -> bool:
    """`Which animal is awake the longest` asks for a row: its last word ranks it."""
    asked = _WHICH.match(draft.lower) and at + 1 == len(draft.claimed)
    return bool(asked) and draft.text(at - 1, at) == "the" and len(draft.index.tables) == 1


def _of_time(draft: Draft, at: int) -> bool:
    """`The 5 oldest planes` are those of the first years, where one column tells years or dates."""
    word = draft.text(at, at + 1)
    times = [one for one in draft.index.columns if one.when]
    born = [one for one in times if "birth" in {term.stem for term in one.name.terms}]
    if word in AGED and len(born) == 1 and may_be_born(draft, at + 1):
        time: Column | None = born[0]
    else:
        times = [one for one in times if one not in born] or times
        time = _only_time(draft, times) if word in _AGES else None
    rows = draft.limit or entity(draft, at + 1) or entity(draft, at + 2)
    if time is None or not rows:
        return False
    draft.claim(at, at + 1, "superlative")
    draft.order = [Order(Measure(None, ref(time)), word in _LATE_FIRST)]
    draft.limit = draft.limit or 1
    return True


def _only_time(draft: Draft, times: Sequence[Column]) -> Column | None:
    """The only column of times; of several the only one when things began, else the usual date."""
    if len(times) > 1:
        begun = [one for one in times if BEGUN.search(one.facts.name.lower())]
        aged = any(about_age(one) for one in draft.index.columns)
        usual = None if aged or draft.several else usual_date(draft)
        times = begun or [one for one in times if one is usual]
    return times[0] if len(times) == 1 else None


def _row_words(draft: Draft, at: int) -> bool:
    return any(
        entity(draft, place) for place in range(max(0, at - 6), min(at + 4, len(draft.claimed)))
    )


def ranked_by(draft: Draft, start: int, fits: Callable[[Column], bool] = amount) -> Mention | None:
    """`By unit cost` says what the superlative is of."""
    by = _BY.search(draft.lower, start)
    if by is None or draft.several:
        return None
    at = draft.at(by.end())
    return draft.pick(at, at + 1, fits, _BY_QUALITY)


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

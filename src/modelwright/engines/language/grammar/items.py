"""The words of a question as a row of items, each with what it may mean."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from modelwright.engines.language.catalog.meaning import Additivity, CatalogColumn, Role
from modelwright.engines.language.linking.linking import number_of
from modelwright.engines.language.linking.phrases import (
    BY_CONCEPT,
    BY_SYNONYM,
    BY_TELLING_PART,
    LONGEST_PHRASE,
    WHOLE,
    NameHit,
    Phrases,
    ValueHit,
)
from modelwright.engines.language.readers import Period
from modelwright.engines.language.row_nouns import is_row_word
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.roots import root
from modelwright.engines.language.rules.text.words import Word, words
from modelwright.engines.language.rules.times.usual_dates import BEGUN
from modelwright.engines.language.vocabulary import (
    Aggregate,
    aggregates,
    cue_words,
    phrase_pattern,
    word_table,
    word_values,
)
from modelwright.engines.language.written_number import as_whole, scaled

SHORTEST_MISSPELT = 6
"""Longer words may be linked though they are spelt a little wrong."""
LEAST_ALIKE = 86
"""How alike, of 100, a misspelt word must be to the name that it is linked to."""
BY_CONCEPT_ALONE = 0.66
"""Where no other column speaks of it: enough to be shown, too little to be counted."""
CALLED_ROWS = 0.9
"""How sure it is that a word which calls rows elsewhere calls those of the only table."""
SCALES: Mapping[str, float] = word_values("numbers.scales")
_WORDS = word_table("grammar")
ENDS_OF_DOING: dict[str, bool] = _WORDS["ends_of_doing"]
COUNT = tuple(_WORDS["count"])
DISTINCT = tuple(_WORDS["distinct"])
SHARE = tuple(_WORDS["share"])
GROUP = tuple(_WORDS["group"])
HIGH = tuple(_WORDS["high"])
LOW = tuple(_WORDS["low"])
OF_TIME = frozenset(_WORDS["of_time"])
COMMON = tuple(_WORDS["common"])
RARE = tuple(_WORDS["rare"])
NEGATION = tuple(_WORDS["negation"])
BEHIND_NEGATION = frozenset(_WORDS["behind_negation"])
MISSING = tuple(_WORDS["missing"])
GIVEN = tuple(_WORDS["given"])
ORDER = tuple(_WORDS["order"])
FALLING = tuple(_WORDS["falling"])
RISING = tuple(_WORDS["rising"])
ALWAYS_GROUPS = frozenset(_WORDS["always_groups"])
CURRENCIES = frozenset(_WORDS["currencies"])
UNITS: dict[str, str] = _WORDS["units"]
ABOVE: dict[str, str] = _WORDS["above"]
BELOW: dict[str, str] = _WORDS["below"]
AFTER_NUMBER: dict[str, str] = _WORDS["after_number"]
MORE: dict[str, str] = _WORDS["more"]
SUPERLATIVES: dict[str, bool] = _WORDS["superlatives"]


class Kind(StrEnum):
    """What an item may be."""

    COLUMN = "column"
    TABLE = "table"
    VALUE = "value"
    PERIOD = "period"
    NUMBER = "number"
    AGGREGATE = "aggregate"
    COUNT = "count"
    DISTINCT = "distinct"
    SHARE = "share"
    GROUP = "group"
    UNIT = "unit"
    COMPARISON = "comparison"
    AFTER_NUMBER = "after number"
    BETWEEN = "between"
    MORE = "more"
    THAN_AVERAGE = "than average"
    HIGH = "high"
    LOW = "low"
    COMMON = "common"
    RARE = "rare"
    NEGATION = "negation"
    MISSING = "missing"
    GIVEN = "given"
    ORDER = "order"
    FALLING = "falling"
    RISING = "rising"
    AND = "and"
    COMPARE = "compare"
    OR = "or"
    COMMA = "comma"
    ROWS = "rows"
    WITH = "with"
    WHICH = "which"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Item:
    """A run of words with what it means."""

    kind: Kind
    text: str
    columns: tuple[NameHit, ...] = ()
    values: tuple[ValueHit, ...] = ()
    table: str = ""
    number: float | int = 0
    aggregate: Aggregate | None = None
    period: Period | None = None
    operator: str = ""
    unit: str = ""
    quality: float = 1.0
    names: tuple[NameHit, ...] = ()
    """All columns that the words name, also less well than what they were taken for."""
    is_apart: bool = False
    """Whether words that say nothing stand before it: `in teams`."""


_FIXED: tuple[tuple[Kind, Sequence[str]], ...] = (
    (Kind.COUNT, COUNT),
    (Kind.DISTINCT, DISTINCT),
    (Kind.SHARE, SHARE),
    (Kind.COMMON, COMMON),
    (Kind.RARE, RARE),
    (Kind.FALLING, FALLING),
    (Kind.RISING, RISING),
    (Kind.MISSING, MISSING),
    (Kind.NEGATION, NEGATION),
    (Kind.ORDER, ORDER),
    (Kind.GROUP, GROUP),
    (Kind.HIGH, HIGH),
    (Kind.LOW, LOW),
    (Kind.GIVEN, GIVEN),
    (Kind.THAN_AVERAGE, tuple(_WORDS["than_average"])),
    (Kind.BETWEEN, ("between", "from")),
    (Kind.AND, ("and", "as well as", "&")),
    (Kind.COMPARE, tuple(_WORDS["compare"])),
    (Kind.OR, ("or",)),
    (Kind.ROWS, tuple(_WORDS["rows"])),
    (Kind.WITH, tuple(_WORDS["with"])),
    (Kind.WHICH, tuple(_WORDS["which"])),
)  # fmt: skip
_COMMA = re.compile(r"\s*,\s*")


def items_of(
    question: str, phrases: Phrases, periods: Sequence[Period], *, single: str | None
) -> list[Item]:
    """Reads a question as items; words that say nothing are left out.

    Args:
        question: As it was asked.
        phrases: What phrases mean in the tables.
        periods: The times that the question names.
        single: The only table, where there is one.

    Returns:
        The items in their order; of kind UNKNOWN where nothing is known of a word.
    """
    found: list[Item] = []
    said = words(question)
    at = 0
    is_apart = False
    while at < len(said):
        if at and _COMMA.match(question, said[at - 1].end):
            found.append(Item(Kind.COMMA, ","))
        item, used = _next(question, said, at, phrases, periods, single)
        if item is not None:
            found.append(replace(item, is_apart=is_apart))
        is_apart = item is None
        at += used
    return [
        one
        for at, one in enumerate(found)
        if not (_ties_things(found, at) or _are_new(found, at, phrases) or _denies(found, at))
    ]


def _denies(items: Sequence[Item], at: int) -> bool:
    """Whether a word only goes with a negation: `customers who never ordered anything`."""
    is_word = items[at].kind is Kind.UNKNOWN and items[at].text.casefold() in BEHIND_NEGATION
    return is_word and any(one.kind is Kind.NEGATION for one in items[:at])


def _are_new(items: Sequence[Item], at: int, phrases: Phrases) -> bool:
    """Whether `new accounts` of some time are those that were created then, as all are by date."""
    behind = items[at + 1] if at + 1 < len(items) else None
    is_new = items[at].kind is Kind.UNKNOWN and items[at].text.casefold() == "new"
    if not is_new or behind is None or behind.kind is not Kind.TABLE:
        return False
    table = phrases.catalog.table(behind.table)
    begins = (
        table is not None and table.default_date and BEGUN.search(table.default_date.casefold())
    )
    return bool(begins) and any(one.kind in {Kind.PERIOD, Kind.UNIT} for one in items)


def _ties_things(items: Sequence[Item], at: int) -> bool:
    """Whether a word only says what things have to do with what follows: `placed more orders`."""
    before, behind = items[at - 1 : at], items[at + 1 : at + 2]
    is_between = [one.kind for one in before] == [Kind.TABLE]
    is_between = is_between and bool(behind) and behind[0].kind in {Kind.MORE, Kind.COMPARISON}
    is_deed = items[at].kind is Kind.UNKNOWN and items[at].text.endswith("ed")
    return is_between and is_deed


def _next(
    question: str,
    said: Sequence[Word],
    at: int,
    phrases: Phrases,
    periods: Sequence[Period],
    single: str | None,
) -> tuple[Item | None, int]:
    period = next((one for one in periods if one.span[0] <= said[at].start < one.span[1]), None)
    if period is not None:
        used = sum(period.span[0] <= word.start < period.span[1] for word in said)
        return Item(Kind.PERIOD, period.text, period=period), used
    named = _named(said, at, phrases)
    fixed = _adjective(said, at, phrases) or _fixed(question, said, at)
    if fixed and fixed[1] == 1 and fixed[0].kind in {Kind.HIGH, Kind.LOW}:
        spoken_of = tuple(phrases.by_concept((said[at].stem,)))
        fixed = replace(fixed[0], names=spoken_of), 1
    cut = _denied(said, at, phrases) or _cut_short(said, at, phrases)
    cut = _by_doing(said, at, phrases) or cut
    if cut and cut[1] > max(one[1] if one else 0 for one in (named, fixed)):
        return cut
    if named and fixed:
        is_aggregate = fixed[0].kind is Kind.AGGREGATE
        adds_up = is_aggregate and _names_one(said, at + 1, phrases)
        return _either(named, fixed, adds_up=adds_up)
    found = named or fixed or _amount(said, at)
    if found:
        return found
    return (None if _says_nothing(said, at) else _guessed(said[at], phrases, single)), 1


def _either(named: tuple[Item, int], fixed: tuple[Item, int], *, adds_up: bool) -> tuple[Item, int]:
    """Chooses between a name and a cue word: the longer one, or the name where it is whole.

    `Total` adds up where a column follows, whatever else is called so.
    """
    is_whole = named[1] == fixed[1] and named[0].quality == 1
    if is_whole and adds_up:
        return fixed
    return named if named[1] > fixed[1] or is_whole else fixed


def _says_nothing(said: Sequence[Word], at: int) -> bool:
    """Whether a word only ties others, or names what is told already: a chart, a currency."""
    word = said[at].text
    is_idle = word in cue_words("idle") | cue_words("tying") and word != "when"
    return is_idle or word in {"histogram", "distribution"} or _is_currency(said, at)


def _names_one(said: Sequence[Word], at: int, phrases: Phrases) -> bool:
    """Whether a column is named here: `total revenue` adds up, where `total` is a column too."""
    named = _named(said, at, phrases) if at < len(said) else None
    return named is not None and named[0].kind is Kind.COLUMN and named[0].quality == 1


def _amount(said: Sequence[Word], at: int) -> tuple[Item, int] | None:
    number = number_of(said[at].text)
    if number is None:
        return None
    scale = SCALES.get(said[at + 1].text, 0) if at + 1 < len(said) else 0
    value = as_whole(scaled(number, scale or 1))
    return Item(Kind.NUMBER, said[at].raw, number=value), 2 if scale else 1


def _is_currency(said: Sequence[Word], at: int) -> bool:
    return said[at].text in CURRENCIES and at > 0 and number_of(said[at - 1].text) is not None


def _named(said: Sequence[Word], at: int, phrases: Phrases) -> tuple[Item, int] | None:
    """Finds the longest name or value that begins here."""
    for size in range(min(LONGEST_PHRASE, len(said) - at), 0, -1):
        run = said[at : at + size]
        stems = tuple(word.stem for word in run)
        names = phrases.names_of(stems, " ".join(word.text for word in run))
        values = [one for one in phrases.values_of(stems, run) if _is_meant(one, run, at)]
        if size == 1 and _is_idle(run[0]):
            least = BY_TELLING_PART if at else WHOLE  # first it may be a command: `show`
            names = [one for one in names if one.quality >= least and len(run[0].text) > 3]  # noqa: PLR2004
            tied = run[0].text in cue_words("tying")
            values = [one for one in values if tied or (run[0].raw[:1].isupper() and at > 0)]
        if not names and not values:
            continue
        return _item(" ".join(word.raw for word in run), names, values), size
    return None


def _denied(said: Sequence[Word], at: int, phrases: Phrases) -> tuple[Item, int] | None:
    """Finds the value that says no of what is denied from here: `No pool` of `without a pool`."""
    hits, used = phrases.denied_at(said, at)
    told = " ".join(word.raw for word in said[at : at + used])
    return (Item(Kind.VALUE, told, values=tuple(hits)), used) if hits else None


def _by_doing(said: Sequence[Word], at: int, phrases: Phrases) -> tuple[Item, int] | None:
    """Finds what ranks by a sum of what was done: `best selling` of Units Sold."""
    if said[at].text not in ENDS_OF_DOING or not (at + 1 < len(said)):
        return None
    doing = said[at + 1]
    if not doing.text.endswith("ing"):
        return None
    hits = [
        NameHit(table.name, column.name, BY_CONCEPT)
        for table in phrases.catalog.tables
        for column in table.columns
        if adds_up_what_is_done(column, doing.text)
    ]
    kind = Kind.HIGH if ENDS_OF_DOING[said[at].text] else Kind.LOW
    told = f"{said[at].raw} {doing.raw}"
    return (Item(kind, told, tuple(hits)), 2) if hits else None


def adds_up_what_is_done(column: CatalogColumn, deed: str) -> bool:
    """Returns whether a column is an amount of what was done: Units Sold of `selling`.

    Args:
        column: A column.
        deed: A form of the verb.
    """
    adds = column.additivity is Additivity.SUM and column.role is Role.MEASURE
    return adds and root(deed) in {root(part) for part in spelled_out(column.label)}


def _cut_short(said: Sequence[Word], at: int, phrases: Phrases) -> tuple[Item, int] | None:
    """Finds the longest run of words from here that a column's name cuts short."""
    for size in range(min(LONGEST_PHRASE, len(said) - at), 0, -1):
        run = said[at : at + size]
        if any(_is_idle(word) or number_of(word.text) is not None for word in run):
            continue
        hits = phrases.cut_short([word.text for word in run])
        if hits:
            return _item(" ".join(word.raw for word in run), hits, ()), size
    return None


def _is_meant(value: ValueHit, run: Sequence[Word], at: int) -> bool:
    """Whether words are a value: a part of one, and one like a word of asking, in capitals only."""
    if value.quality < BY_SYNONYM:
        return at > 0 and all(word.raw[:1].isupper() for word in run)
    if len(run) == 1 and (len(run[0].text) <= 2 or run[0].text in _CUES):  # noqa: PLR2004
        return run[0].raw == str(value.value).strip() and not run[0].raw.islower()
    return True


_CUES = frozenset(word for group in (GROUP, NEGATION, HIGH, LOW, ORDER, COUNT) for word in group)


def _is_idle(word: Word) -> bool:
    is_idle = word.text in cue_words("idle") or word.text in cue_words("tying")
    return is_idle or len(word.text) == 1


def _item(text: str, names: Sequence[NameHit], values: Sequence[ValueHit]) -> Item:
    best_name = names[0].quality if names else 0.0
    best_value = values[0].quality if values else 0.0
    named = tuple(one for one in names if one.column)
    calls_rows = any(one.column is None and one.quality == best_name for one in names)
    written = best_value == best_name and is_written(text, values, by_letter=calls_rows)
    if best_value > best_name or (best_value == best_name and not names) or written:
        kept = tuple(one for one in values if one.quality >= best_value)
        return Item(Kind.VALUE, text, values=kept, quality=best_value, names=named)
    tables = [one for one in names if one.column is None]
    told = text.casefold().removesuffix("s")  # `rentals` and `renters` have the same stem
    tables.sort(key=lambda one: one.table.casefold().removesuffix("s") != told)
    columns = tuple(one for one in names if one.column and one.quality >= best_name - 0.01)
    if tables and tables[0].quality >= best_name:
        return Item(Kind.TABLE, text, columns, table=tables[0].table, quality=best_name)
    return Item(Kind.COLUMN, text, columns, tuple(values), quality=best_name, names=named)


def is_written(text: str, values: Sequence[ValueHit], *, by_letter: bool = False) -> bool:
    """Returns whether words are a value letter by letter: `open` is no day on which it `opened`.

    Args:
        text: The words.
        values: What they may be.
        by_letter: Whether capitals count: `each author` is one of the authors, no role `Author`.
    """
    told = str if by_letter else (lambda value: str(value).casefold())
    said = text if by_letter else text.casefold()
    return any(one.quality == 1 and told(one.value) == said for one in values)


def _adjective(said: Sequence[Word], at: int, phrases: Phrases) -> tuple[Item, int] | None:
    """Finds what ranks by a word that `most` or `least` goes with: `most expensive`."""
    if said[at].text not in {"most", "least"} or at + 1 == len(said):
        return None
    behind = said[at + 1]
    means_high = SUPERLATIVES.get(behind.text)
    hits = tuple(phrases.by_concept((behind.stem,))) if means_high is not None else ()
    is_high = means_high == (said[at].text == "most")
    told = f"{said[at].raw} {behind.raw}"
    return (Item(Kind.HIGH if is_high else Kind.LOW, told, hits), 2) if hits else None


def _fixed(question: str, said: Sequence[Word], at: int) -> tuple[Item, int] | None:
    """Finds the longest phrase of the vocabulary that begins here."""
    found: list[tuple[int, Item]] = []
    start = said[at].start
    for kind, phrases in _FIXED:
        match = phrase_pattern(phrases).match(question, start)
        if match:
            found.append((match.end(), Item(kind, match.group().lower())))
    for one in aggregates():
        match = phrase_pattern(one.words).match(question, start)
        if match and one.name not in {"max", "min"}:
            found.append((match.end(), Item(Kind.AGGREGATE, match.group(), aggregate=one)))
    for kind, table in (
        (Kind.COMPARISON, ABOVE | BELOW),
        (Kind.AFTER_NUMBER, AFTER_NUMBER),
        (Kind.MORE, MORE),
    ):
        match = phrase_pattern(list(table)).match(question, start)
        if match:
            told = " ".join(match.group().lower().split())
            found.append((match.end(), Item(kind, told, operator=table[told])))
    match = phrase_pattern(list(UNITS)).match(question, start)
    if match:
        told = " ".join(match.group().lower().split())
        found.append((match.end(), Item(Kind.UNIT, told, unit=UNITS[told])))
    if not found:
        return None
    end, item = max(found, key=lambda one: one[0])
    return item, sum(start <= word.start < end for word in said)


def _guessed(word: Word, phrases: Phrases, single: str | None) -> Item:
    """Reads a word that is no name: by its meaning, its spelling, or as the rows' name."""
    if single and is_row_word(word):
        return Item(Kind.ROWS, word.raw, quality=CALLED_ROWS)
    alike = list(phrases.by_concept((word.stem,)))
    if word.text in SUPERLATIVES:
        kind = Kind.HIGH if SUPERLATIVES[word.text] else Kind.LOW
        return Item(kind, word.raw, tuple(alike)) if alike else Item(Kind.UNKNOWN, word.raw)
    if word.text.endswith("est"):
        return Item(Kind.UNKNOWN, word.raw)
    if alike:
        only = _measure(alike, phrases)
        return Item(Kind.COLUMN, word.raw, only or tuple(alike), quality=BY_CONCEPT)
    near = _nearly(word, phrases)
    if near is not None:
        return near
    return Item(Kind.UNKNOWN, word.raw)


def _measure(alike: Sequence[NameHit], phrases: Phrases) -> tuple[NameHit, ...]:
    """Returns the only column that speaks of the same as a word, where it holds amounts."""
    (one, *others) = alike
    column = phrases.catalog.column(one.table, one.column or "")
    is_sure = not others and column is not None and column.role is Role.MEASURE
    return (replace(one, quality=BY_CONCEPT_ALONE),) if is_sure else ()


def _nearly(word: Word, phrases: Phrases) -> Item | None:
    if len(word.text) < SHORTEST_MISSPELT or not word.text.isalpha():
        return None
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - heavy, kept out of start-up

    known = {stems[0]: stems for stems in phrases.names if len(stems) == 1}
    found = process.extractOne(word.stem, known.keys(), scorer=fuzz.ratio, score_cutoff=LEAST_ALIKE)
    if found is None:
        return None
    return _item(word.raw, phrases.names_of(known[found[0]]), ())

"""Which words of a question the SQL uses, and which it leaves out or makes up."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise

from sqlglot import exp

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.catalog import Catalog, Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import Place, Statement, Test
from modelwright.engines.language.linking.phrases import BY_CUT
from modelwright.engines.language.linking.roles import says_end, says_role
from modelwright.engines.language.readers import ReadRequest
from modelwright.engines.language.rules.mentions.places import other_names
from modelwright.engines.language.rules.mentions.units import (
    is_physical,
    is_told_in,
    lasts_hours,
    measures,
    named_with_unit,
    times,
    unit_at,
)
from modelwright.engines.language.rules.plans.expressions import SECONDS
from modelwright.engines.language.rules.text.lexicon import (
    concepts_at,
    concepts_of_name,
    lexicon,
    spelled_out,
)
from modelwright.engines.language.rules.text.numbers import SPELLED
from modelwright.engines.language.rules.text.roots import deed, undone_word
from modelwright.engines.language.rules.text.words import Word, squeezed, stem, words
from modelwright.engines.language.rules.times.ends import names_date
from modelwright.engines.language.rules.times.joined_and_left import joins_or_leaves
from modelwright.engines.language.vocabulary import (
    SWITCHED_OFF,
    aggregates,
    any_case,
    cue_words,
    find_cues,
    word_list,
    word_set,
    word_values,
)

_ENDS_TEST = any_case(r"\W*(?:$|(?:in|by|per|at|on|for|from|since|during|last|this|and|with)\b)")
_OF_TODAY = word_set("checks.of_today")
"""What says that a state is that of today."""
_STATES = word_set("checks.states_of_today")
_SAYS_WHICH = cue_words("judgements")
"""Words that tell one value from another: no column is meant by them, which may tell either."""
SHORTEST_CONTENT = 3
"""Shorter words carry no content of their own, unless they are written in capitals."""
SHORTEST_PART = 4
"""A value may be written shorter than it stands, down to so many letters."""
FREE_NUMBERS = frozenset({0.0, 1.0, 100.0})
"""Numbers that SQL may hold without the question naming them: percentages, first rows."""
UNITS = word_set("checks.counted_units")
"""Words after a number that say what it counts."""
TIMES = word_set("checks.row_times")
"""Words that call rows by their time or number in any table."""
COMPUTED = {
    "decade": ("DECADE", "/ 10", "// 10"),
    "hour": ("HOUR",),
    "weekday": ("DOW", "DAYOFWEEK", "DAYNAME", "WEEKDAY"),
    **dict.fromkeys(word_list("checks.of_frequencies"), ("COUNT(*) DESC", "COUNT(*) ASC")),
    "range": ("MIN(",),
    **dict.fromkeys(("often", "frequently"), ("COUNT(",)),
    **dict.fromkeys(("usually", "typically", "generally", "normally"), ("AVG(", "MEDIAN(")),
    "fewer": ("COUNT(*) < ",),
    **dict.fromkeys(("overdue", "current", "currently", "still"), ("IS NULL",)),
    "yet": ("IS NULL", "<>", "NOT ", "= FALSE", "= 'NO'", "= 'N'"),
    **dict.fromkeys(("headcount", "volume"), ("COUNT(",)),
    **dict.fromkeys(word_list("checks.losses"), ("< 0",)),
    "money": ("< 0", "> 0"),
    "profitable": ("> 0",),
    "slower": (" > ", " >= "),
    **dict.fromkeys(("faster", "quicker"), (" < ", " <= ")),
    "once": ("HAVING",),
    **{word: ("HAVING", f"{times} *") for word, times in word_values("numbers.factors").items()},
    **dict.fromkeys(word_list("checks.of_durations"), ("DATE_DIFF(",)),
    "single": ("ORDER BY", "MAX(", "MIN(", "AVG("),
    **{
        way: (f"'{unit.upper()}'", f"{unit.upper()}(")
        for way, unit in word_values("times.how_often").items()
    },
}
"""Words that name nothing but are computed, and what then stands in the SQL."""
SHORTEST_PREFIX = 3
"""A name may begin a word, and be so short: `dem` of democratic, `cens` of censored."""
SHORTEST_BEGUN = 5
"""A word may begin a name that is run together, and be so short: `garage` of garagepl."""
SHORTEST_SLIP = 5
"""Letters of words that may be misspelt by one letter."""
LONG_ENOUGH = 8
"""Letters of words that may be misspelt by two."""
_THINGS = word_set("checks.things_of_models")
"""Words that say nothing of a target, and name something in a question of the data."""
_NOUNS_OR_VERBS = word_set("checks.nouns_or_verbs")
_VERB_BEFORE = any_case(
    r"\b(?:do|does|did|will|would|can|could|that|to|each|they|we|you|i|it|must"
    r"|(?:who|which|what)\b(?!\s+(?:is|are|was|were)\b))\b"
)
"""What stands before a verb."""
_OF_MONEY = word_set("checks.concepts_of_money")
_PERCENT = frozenset({"%", "percent", "pct"})
_FACTORS: Mapping[str, float] = word_values("numbers.factors")
SCALES: Mapping[str, float] = word_values("numbers.scales")
FLAG_VALUES = word_set("checks.flag_values")
_DENIALS = word_set("values.none")
_NAMES_SOMEBODY = word_set("checks.name_ends")
"""What the names of columns end with that name somebody: of `patient_name`."""
_VALUE = "value"
"""What says little, unless an amount is called so."""
_OF = any_case(r"\s+of\s+(?:the\s+)?")
ASKS_HOW_MUCH = any_case(r"\W*how\s+much\b")
_CHARTS = any_case(
    r"\b(?:bar|pie|donut|doughnut|line|column|area|scatter)[\s-]*(?:charts?|graphs?|plots?"
    r"|diagrams?)\b|\bhistograms?\b|\bscatter(?=\s+of\b)"
)
_PARTS_OF_TIME = {
    "minute": (60,), "hour": (60, 3600), "day": (24, 1440, 86400), "week": (7, 168, 604800),
}  # fmt: skip
"""How many smaller parts each unit of time has."""
NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")
YEAR_DIGITS = 4
"""Characters of a date in ISO that are its year."""
CUE_LISTS = (
    "negation", "superlative_high", "superlative_low", "each", "distinct", "count", "share",
    "above", "below", "order", "difference", "change", "correlation", "happening",
)  # fmt: skip


@dataclass
class QuestionWords:
    """The words of a question with what is known of them before any SQL is seen."""

    request: ReadRequest
    used: "dict[str, _UsedWords]" = field(default_factory=dict)
    """What the statements account for that were checked, by their SQL."""
    _read: dict[str, Statement] = field(default_factory=dict)

    def statement(self, sql: str) -> Statement:
        """Reads SQL that is to answer the question, once; raises `UnparsedError`."""
        if sql not in self._read:
            self._read[sql] = Statement.read(sql, self.request.catalog)
        return self._read[sql]

    @cached_property
    def all(self) -> list[Word]:
        """All words in order."""
        return words(self.request.question)

    @cached_property
    def content(self) -> list[Word]:
        """The words that must be accounted for."""
        spans = [one.span for one in self.request.links.periods]
        return [
            word
            for word in self.all
            if (
                _says_something(word)
                or self._is_value(word)
                or self._is_figure(word)
                or self._is_thing(word)
            )
            and not any(start <= word.start < end for start, end in spans)
            and not any(cue.start <= word.start < cue.end for cue in self.cues)
            and word.start not in self.measures
        ]

    @cached_property
    def measures(self) -> frozenset[int]:
        """Where words only scale a number, or say what it counts: `a million dollars`."""
        found: set[int] = set()
        for before, word in pairwise(self.all):
            scales = word.text in SCALES and (number_of(before.text) or before.text == "a")
            counts = number_of(before.text) is not None or before.start in found
            if scales or (counts and word.text in UNITS):
                found.add(word.start)
        return frozenset(found)

    def _is_value(self, word: Word) -> bool:
        """Returns whether a word that says nothing elsewhere is a value here: `paid` orders."""
        spans = [one.span for one in self.request.links.values]
        tied = word.text in cue_words("tying") | cue_words("idle_nouns")
        return tied and any(start <= word.start < end for start, end in spans)

    def _is_figure(self, word: Word) -> bool:
        """Whether `value` is all that a measure is called here, as in Value USD."""
        of = _OF.match(self.request.question, word.end)
        starts = {one.span[0] for one in self.request.links.names if one.column}
        if word.text != _VALUE or (of and of.end() in starts):
            return False
        columns = (one for table in self.request.catalog.tables for one in table.columns)
        names = (spelled_out(one.name) for one in columns if one.role is Role.MEASURE)
        return any([part for part in name if not measures(part)] == [_VALUE] for name in names)

    @cached_property
    def cues(self) -> list[Word]:
        """The words of the vocabulary: their counterparts are checked one by one."""
        found = [one for name in CUE_LISTS for one in find_cues(name, self.request.question)]
        spans = {(one.start, one.end) for one in found}
        spans |= {span for one in aggregates() for span in _spans(one.words, self)}
        spans |= set(self._switches())
        spans |= {one.span() for one in _CHARTS.finditer(self.request.question)}
        return [Word(self.request.question[a:b], "", "", a, b) for a, b in sorted(spans)]

    def _switches(self) -> Iterator[tuple[int, int]]:
        """Yields where words deny a flag that stands before them: `switched off`."""
        for one in self.request.links.names:
            column = self.request.catalog.column(one.table, one.column or "")
            told = SWITCHED_OFF.match(self.request.question, one.span[1])
            if told and column and column.role is Role.FLAG:
                yield told.span()

    @cached_property
    def concepts(self) -> dict[int, frozenset[str]]:
        """What each word speaks of, by its place in the text."""
        known = concepts_at([word.stem for word in self.all], lexicon().of_words)
        return {word.start: told for word, (told, _) in zip(self.all, known, strict=True)}

    @cached_property
    def held(self) -> tuple[frozenset[str], frozenset[str]]:
        """What the columns of all tables speak of, and the stems of their names."""
        names = [one.name for table in self.request.catalog.tables for one in table.columns]
        stems = frozenset(stem(part) for name in names for part in spelled_out(name))
        return frozenset().union(*map(concepts_of_name, names)), stems

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all words."""
        return frozenset(word.stem for word in self.all)

    @cached_property
    def squeezed(self) -> str:
        """Its letters and digits alone."""
        return squeezed(self.request.question)

    def _is_thing(self, word: Word) -> bool:
        """Whether a word that may tie is a noun: `food cost by month`, not `that cost the most`."""
        return word.text in _NOUNS_OR_VERBS and not _VERB_BEFORE.search(
            self.request.question[: word.start]
        )

    @cached_property
    def numbers(self) -> dict[float, str]:
        """All numbers that it names, in digits or words, as they are written."""
        return dict(_numbers(self.all))


def _spans(phrases: tuple[str, ...], said: QuestionWords) -> Iterator[tuple[int, int]]:
    lower = said.request.question.lower()
    for phrase in phrases:
        for match in _whole(phrase).finditer(lower):
            yield match.span()


@lru_cache(maxsize=1024)
def _whole(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")


def _numbers(found: list[Word]) -> Iterator[tuple[float, str]]:
    for at, word in enumerate(found):
        value = number_of(word.text)
        if value is None and word.text in SCALES and at and found[at - 1].text == "a":
            value = SCALES[word.text]
        if value is None:
            continue
        yield value, word.raw
        after = found[at + 1].text if at + 1 < len(found) else ""
        if after in SCALES:
            yield value * SCALES[after], word.raw
        for parts in _PARTS_OF_TIME.get(after.removesuffix("s"), ()):
            yield value * parts, word.raw
        if word.text.endswith("%") or after in _PERCENT:
            for part in (value / 100, 1 + value / 100, 1 - value / 100):
                yield round(part, 9), word.raw


def number_of(text: str) -> float | None:
    """Returns the number that a word is, in digits or letters; None of other words."""
    if text in SPELLED:
        return float(SPELLED[text])
    match = re.fullmatch(r"([-+]?\d[\d,]*(?:\.\d+)?)(k|m|bn|%|st|nd|rd|th|s)?", text)
    if not match:
        return float(glued[1].replace(",", "")) if (glued := _glued(text)) else None
    value = float(match.group(1).replace(",", ""))
    return value * SCALES.get(match.group(2) or "", 1)


def _glued(text: str) -> re.Match[str] | None:
    """Returns a number and the unit that is written right behind it: `10acres`."""
    found = re.fullmatch(r"(\d[\d,]*(?:\.\d+)?)([a-z]{2,})", text)
    return found if found and (is_physical(found[2]) or lasts_hours(found[2])) else None


def _says_something(word: Word) -> bool:
    if word.text in cue_words("idle") | cue_words("tying") | (lexicon().stop - _THINGS):
        return word.raw.isupper() and len(word.raw) > 1 and word.text not in lexicon().stop
    if number_of(word.text) is not None:
        return False
    return len(word.text) >= SHORTEST_CONTENT or word.raw.isupper()


def check_words(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds content words of the question that the SQL does not use."""
    for word in unexplained_by_names(said, sql):
        code = Code.THING_LEFT_OUT if _is_of_no_column(said, word) else Code.WORD_LEFT_OUT
        near = _used_words(said, sql).nearly(word)
        told = f"was taken for “{near}”" if near else "was not used"
        is_unit = word.text.endswith("s") and (is_physical(word.text) or lasts_hours(word.text))
        make = fault if is_unit or (word.text in _SAYS_WHICH and sql.tests) else doubt
        yield make(code, f"“{word.raw}” {told}.", word.raw)


def check_numbers(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds numbers of the question that the SQL does not use."""
    written = _written_numbers(sql)
    text = sql.sql.lower()
    used = {raw for value, raw in said.numbers.items() if value in written}
    used |= {raw for test in sql.tests for raw, value in _in_units(said, test) if value in written}
    for value, raw in said.numbers.items():
        if raw in used or (value in FREE_NUMBERS and len(raw) > 1) or raw.lower() in text:
            continue
        if raw.lower() == "one" or _inside_link(said, raw) or f"{value:g}" in text:
            continue
        is_all = not (sql.tests or sql.limits)
        make = fault if is_all else doubt  # `plot 17` is not all plots
        yield make(Code.NUMBER_LEFT_OUT, f"The number {raw} was not used.", raw)


def _is_of_no_column(said: QuestionWords, word: Word) -> bool:
    """Whether a word is a name, or speaks of what no column of any table is of: `women`."""
    spans = [one.span for one in said.request.links.values]
    if any(start <= word.start < end for start, end in spans):
        return False
    if word.start and word.raw[0].isupper():
        return True
    concepts, stems = said.held
    told = said.concepts.get(word.start, frozenset())
    return bool(told) and not told & concepts and word.stem not in stems


def _inside_link(said: QuestionWords, raw: str) -> bool:
    links = said.request.links
    told = [one.text for one in links.periods]
    told += [one.text for one in links.values] + [one.text for one in links.names]
    return any(raw.lower() in text.lower() for text in told)


def _written_numbers(sql: Statement) -> set[float]:
    found = set(map(float, sql.limits))
    for one in sql.find_all(exp.Literal):
        for part in NUMBER.findall(one.name):
            found.add(abs(float(part.replace(",", ""))))
    return found


def unexplained_by_names(said: QuestionWords, sql: Statement) -> list[Word]:
    """Returns the content words that no name and no value of the SQL accounts for."""
    used = _used_words(said, sql)
    keys = [one for one in sql.catalog.relationships if (one.table, one.column) in sql.columns]
    lasts = sql.find(exp.DateDiff) is not None
    dates = [name for table, name in sql.columns if _is_date(sql, table, name)]
    divides = sql.find(exp.Div) is not None
    adds = sql.find(exp.Sum) is not None and ASKS_HOW_MUCH.match(said.request.question)
    text = sql.sql.upper()
    return [
        word
        for word in said.content
        if not used.accounts_for(word, said)
        and not any(says_end(word, key) or says_role(said.all, word, key) for key in keys)
        and not (lasts and word.text in UNITS and _is_lapse_in(text, word))
        and not _is_who_waits(sql, word)
        and not any(joins_or_leaves(word.text, name) for name in dates)
        and not (lasts and any(names_date(word.text, name) for name in dates))
        and not (divides and measures(word.text))
        and not any(is_told_in(unit_of(said, word), with_unit(sql, one)) for one in sql.columns)
        and not (adds and _is_done_to_it(said, word))
        and not any(one in text for one in COMPUTED.get(word.text, ()))
        and not _is_of_state(said, word)
        and not _says_how_often(said, sql, word)
    ]


def _says_how_often(said: QuestionWords, sql: Statement, word: Word) -> bool:
    """Whether `twice` ends a test, `reopened more than twice`, and multiplies nothing."""
    times = _FACTORS.get(word.text)
    is_last = _ENDS_TEST.match(said.request.question, word.end) is not None
    literals = (one for test in sql.tests for one in test.literals if one.is_number)
    return times is not None and is_last and any(float(one.name) == times for one in literals)


def _is_of_state(said: QuestionWords, word: Word) -> bool:
    """Whether a word says that the state beside it is that of today: `overdue right now`.

    Where no state stands beside it, it leaves rows out: `how many staff do we have now`.
    """
    if word.text not in _OF_TODAY:
        return False
    at = next(at for at, one in enumerate(said.all) if one.start == word.start)
    beside = [one for one in said.all[max(0, at - 2) : at + 2] if one.text not in _OF_TODAY]
    spans = [one.span for one in said.request.links.values]
    return any(
        one.text in _STATES or any(start <= one.start < end for start, end in spans)
        for one in beside
    )


def _is_date(sql: Statement, table: str, name: str) -> bool:
    column = sql.catalog.column(table, name)
    return column is not None and column.role is Role.DATE


def _is_who_waits(sql: Statement, word: Word) -> bool:
    """Whether a word calls whoever a time is of: `how long do patients stay`, each row has one.

    Where rows are counted, whoever stays twice is counted once by people, and so are ages.
    """
    lapses = list(sql.find_all(exp.DateDiff))
    is_of_rows = lapses and all(len(list(one.find_all(exp.Column))) > 1 for one in lapses)
    if not is_of_rows or sql.find(exp.Count, exp.CountIf) is not None:
        return False
    tables = [table for name in set(sql.tables) if (table := sql.catalog.table(name))]
    names = [spelled_out(one.name) for table in tables for one in table.columns]
    whose = {stem(name[0]) for name in names if len(name) > 1 and name[-1] in _NAMES_SOMEBODY}
    return word.stem in whose


def _is_lapse_in(text: str, word: Word) -> bool:
    """Whether a time is told in a unit: hours where minutes are asked for are not."""
    unit = word.text.removesuffix("s")
    seconds = SECONDS.get(unit)
    return seconds is None or f"/ {seconds}" in text or f"'{unit.upper()}'" in text


def unit_of(said: QuestionWords, word: Word) -> str:
    """Returns the unit that a word begins, of two words or one: `square meter`."""
    at = next((at for at, one in enumerate(said.all) if one.start == word.start), 0)
    return unit_at([one.text for one in said.all], at)[0]


def unknown_words(said: QuestionWords, sql: Statement) -> set[str]:
    """Returns the words that nothing accounts for, those left out that are slips of the pen."""
    used = _used_words(said, sql)
    return {word.raw for word in unexplained_by_names(said, sql) if not used.nearly(word)}


def with_unit(sql: Statement, place: Place) -> str:
    """Returns a column's name, with the unit that its catalog tells where the name tells none."""
    column = sql.catalog.column(*place)
    return named_with_unit(place[1], column.unit if column else "")


def _is_done_to_it(said: QuestionWords, word: Word) -> bool:
    """Whether a word ends `how much honey was harvested`: it leaves no row out."""
    before = said.request.question[: word.start].rstrip().lower()
    return word.text.endswith("ed") and before.endswith((" was", " were", " been"))


def is_named(said: QuestionWords, sql: Statement, place: tuple[str, str]) -> bool:
    """Returns whether some word of the question names a column."""
    if any((one.table, one.column) == place for one in said.request.links.names):
        return True
    used = _UsedWords(said.request, sql, (place,))
    name = squeezed(place[1])
    begun = (one.text for one in said.content if len(one.text) >= SHORTEST_PREFIX)
    return any(used.names(word, said) for word in said.all) or any(map(name.startswith, begun))


def names_column(said: QuestionWords, sql: Statement, place: tuple[str, str], text: str) -> bool:
    """Returns whether a phrase of the question names a column, or speaks of what it holds."""
    used = _UsedWords(said.request, sql, (place,))
    told = {word.text for word in words(text)}
    return any(word.text in told and used.names(word, said) for word in said.all)


class _UsedWords:
    """The words that a statement's tables, columns and values account for."""

    def __init__(
        self, request: ReadRequest, sql: Statement, columns: Collection[tuple[str, str]] = ()
    ) -> None:
        """Tells them of a statement, or only of some of its `columns`."""
        catalog, tables = request.catalog, () if columns else set(sql.tables)
        columns = columns or sql.columns
        self.stems: set[str] = set()
        self.concepts: set[str] = set()
        self.parts: set[str] = set()
        self.deeds: set[str] = set()
        literals = [] if not tables else list(sql.find_all(exp.Literal))
        self.written = {one.name for one in sql.find_all(exp.Literal)}
        for table, column in columns:
            self._add_column(catalog, table, column)
        for name in tables:
            self._add_table(catalog, name)
        if tables:
            self._add_looked_up(catalog, sql)
        self.spans = [
            one.span
            for one in request.links.names
            if one.column and (one.table, one.column) in columns and one.quality >= BY_CUT
        ]
        self.values = [squeezed(one.name) for one in literals]
        self.held = {one.name.casefold() for one in literals}
        for one in literals:
            self.stems |= {word.stem for word in words(one.name)}
            self.deeds |= {deed(word.text) for word in words(one.name)}
        self.deeds |= {deed(part) for part in self.parts}
        self.is_single = len(set(sql.tables)) == 1

    def _add_looked_up(self, catalog: Catalog, sql: Statement) -> None:
        """Adds what rows of other tables are of: `booked a class`, every booking is of one."""
        looked_up = {
            each.name for one in sql.tree.find_all(exp.Exists, exp.In)
            for each in one.find_all(exp.Table)
        }  # fmt: skip
        for key in catalog.relationships:
            if key.table in looked_up:
                self._add_table(catalog, key.to_table)

    def _add_column(self, catalog: Catalog, table: str, name: str) -> None:
        column = catalog.column(table, name)
        if column is None:
            return
        told = " ".join([name, column.label, column.alias.replace("_", " "), *column.synonyms])
        parts = [*spelled_out(name), *(word.text for word in words(told))]
        self.stems |= {stem(part) for part in parts}
        self.parts |= {part.casefold() for part in spelled_out(name)}
        is_figure = column.role is Role.MEASURE  # `cost` is of no category of sales
        self.concepts |= concepts_of_name(name) - (frozenset() if is_figure else _OF_MONEY)
        if column.role is Role.FLAG or column.unit:
            self.stems.add(stem(column.unit.lower()))
        for one in column.value_synonyms:
            if str(one.value) in self.written:
                self.stems |= {word.stem for word in words(one.words)}

    def _add_table(self, catalog: Catalog, name: str) -> None:
        table = catalog.table(name)
        parts = [*spelled_out(name), *(table.row_nouns if table else ())]
        self.stems |= {stem(part) for one in parts for part in one.split()}

    def accounts_for(self, word: Word, said: QuestionWords) -> bool:
        """Returns whether a word of the question is used."""
        return self.names(word, said) or (self.is_single and is_row_word(word))

    def nearly(self, word: Word) -> str:
        """Returns the part of a name, or the value, that a word is but for a slip of the pen."""
        known = sorted(self.parts) + sorted(self.written)
        return next((one for one in known if _is_slip(word.text, one.casefold())), "")

    def names(self, word: Word, said: QuestionWords) -> bool:
        """Returns whether a word is one of a name or a value that is used."""
        if any(start <= word.start < end for start, end in self.spans):
            return True
        alike = said.concepts.get(word.start, frozenset()) & self.concepts
        alike = alike if word.text not in _SAYS_WHICH else frozenset()
        if deed(word.text) in self.deeds and len(word.text) >= SHORTEST_PREFIX:
            return True
        if not self.held.isdisjoint(other_names(word.text)):
            return True
        bare = undone_word(word.text)
        if bare and stem(bare) in self.stems:
            return True
        if word.stem in self.stems or (alike and word.text not in cue_words("money_of_its_own")):
            return True
        text = squeezed(word.text)
        begun = any(text.startswith(one) for one in self.parts if len(one) >= SHORTEST_PREFIX)
        begins = len(text) >= SHORTEST_BEGUN and any(one.startswith(text) for one in self.parts)
        return begun or begins or any(_is_value_part(text, value) for value in self.values)


def is_nearly_named(said: QuestionWords, name: str) -> bool:
    """Returns whether a word is a name, or a part of it, but for a slip of the pen."""
    parts = [part.casefold() for part in spelled_out(name)]
    return any(_is_slip(word.text, part) for word in said.content for part in parts)


def _is_slip(said: str, meant: str) -> bool:
    """Whether words differ by a letter, long ones by two, and begin alike."""
    most = 2 if len(said) >= LONG_ENOUGH else 1
    if said[:1] != meant[:1] or min(len(said), len(meant)) < SHORTEST_SLIP:
        return False
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - heavy, kept out of start-up

    return bool(OSA.distance(said, meant, score_cutoff=most) <= most)


def _used_words(said: QuestionWords, sql: Statement) -> _UsedWords:
    if sql.sql not in said.used:
        said.used[sql.sql] = _UsedWords(said.request, sql)
    return said.used[sql.sql]


def is_told(said: QuestionWords, sql: Statement, word: Word) -> bool:
    """Returns whether a column, a table or a value of the SQL tells a word of the question."""
    return _used_words(said, sql).names(word, said)


def _is_value_part(text: str, value: str) -> bool:
    """Whether a word is a value cut short, or made longer: `sunny` days are those of `sun`."""
    shorter, longer = sorted((text, value), key=len)
    least = SHORTEST_PREFIX if shorter == value else SHORTEST_PART
    return len(shorter) >= least and longer.startswith(shorter)


def rows_by_other_names(said: QuestionWords, sql: Statement) -> list[str]:
    """Returns the words that were taken for the rows of a table that calls them otherwise."""
    used = _used_words(said, sql)
    if not used.is_single:
        return []
    usual = {stem(one) for one in cue_words("rows") | TIMES}
    return [
        word.raw
        for word in said.content
        if is_row_word(word) and word.stem not in usual and not used.names(word, said)
        if not _is_who_waits(sql, word)
    ]


def is_row_word(word: Word) -> bool:
    """Returns whether a word may call the rows of any table."""
    known = lexicon().entities | lexicon().row_words
    telling = any(word.text in group for group in lexicon().aliases)
    return (word.stem in known or word.text in cue_words("rows")) and not telling


def check_literals(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds written values that neither the question, a link nor the catalog gives."""
    for test in sql.tests:
        for literal in test.literals:
            finding = _unfounded(said, sql, test, literal)
            if finding:
                yield finding


def _unfounded(
    said: QuestionWords, sql: Statement, test: Test, literal: exp.Expression
) -> Finding | None:
    if is_founded(said, sql, test, literal):
        return None
    text = literal.name.strip("%").strip() if literal.is_string else literal.name
    return doubt(Code.LITERAL_FROM_NOWHERE, f"Nothing says “{text}”.")


def is_founded(said: QuestionWords, sql: Statement, test: Test, literal: exp.Expression) -> bool:
    """Returns whether the question, a link or the catalog gives a written value."""
    if isinstance(literal, exp.Boolean) or _is_period(said, literal.name):
        return True
    if literal.is_string:
        text = literal.name.strip("%").strip()
        flagged = squeezed(text) in FLAG_VALUES and _named_flag(said, sql, test)
        founded = not text or _is_said(said, text) or _is_linked(said, test, text)
        founded = founded or _is_alias(said, text) or _is_denied(said, test, text)
        return founded or flagged or _is_pattern_or_unit(literal)
    value = abs(float(literal.name))
    founded = value in said.numbers or value in FREE_NUMBERS or _is_calendar(literal)
    founded = founded or (value in SECONDS.values() and test.node.find(exp.DateDiff) is not None)
    founded = founded or any(value == told for _, told in _in_units(said, test))
    founded = founded or any(_FACTORS.get(word.text) == value for word in said.all)
    founded = founded or f"{value:g}" in said.squeezed or _named_flag(said, sql, test)
    return founded or _is_linked(said, test, f"{value:g}")


def _in_units(said: QuestionWords, test: Test) -> Iterator[tuple[str, float]]:
    """Yields numbers of a question and what they are in the units of tested columns: 5000 ms."""
    texts = [word.text for word in said.all]
    for at, word in enumerate(said.all):
        number, glued = number_of(word.text), _glued(word.text)
        if number is not None and (glued or texts[at + 1 :]):
            unit = glued[2] if glued else unit_at(texts, at + 1)[0]
            for _, name in test.columns:
                yield word.raw, round(number * times(unit, name), 9)
        if number is not None and test.operator == "<" and test.node.find(exp.DateDiff):
            yield word.raw, number + 1  # who is 25 is so until the next birthday


def _is_period(said: QuestionWords, text: str) -> bool:
    ends = {
        told.isoformat()
        for one in said.request.links.periods
        for told in (one.start, one.end)
        if told
    }
    years = {one[:YEAR_DIGITS] for one in ends}
    return text[:10] in ends or text[:YEAR_DIGITS] in years or text[:YEAR_DIGITS] in said.squeezed


def _is_calendar(literal: exp.Expression) -> bool:
    """Whether a number is compared with a piece of a date: the month of, the weekday of."""
    test = literal.parent
    kinds = exp.Extract, exp.Month, exp.Year, exp.DayOfWeek, exp.DayOfWeekIso, exp.Quarter, exp.Hour
    return test is not None and test.find(*kinds) is not None


def _is_said(said: QuestionWords, text: str) -> bool:
    told = squeezed(text)
    if told and told in said.squeezed:
        return True
    stems = [word.stem for word in words(text)]
    hits = sum(one in said.stems for one in stems)
    return bool(stems) and 2 * hits >= len(stems) and hits > 0


def _is_linked(said: QuestionWords, test: Test, text: str) -> bool:
    told = squeezed(text)
    return any(
        squeezed(str(one.value)) == told
        for one in said.request.links.values
        if not test.columns or (one.table, one.column) in test.columns
    )


def _named_flag(said: QuestionWords, sql: Statement, test: Test) -> bool:
    """Whether the question names a column that says yes or no, so that its values need no name."""
    for table, name in test.columns:
        column = sql.catalog.column(table, name)
        if column is None or column.role is not Role.FLAG:
            continue
        parts = {stem(part) for part in spelled_out(name)}
        concepts = {
            one for told, _ in concepts_at(sorted(parts), lexicon().of_names) for one in told
        }
        said_of = {one for told in said.concepts.values() for one in told}
        undone = {stem(bare) for word in said.all if (bare := undone_word(word.text))}
        if parts & (said.stems | undone) or concepts & said_of or _aliased(said):
            return True
    return False


def _aliased(said: QuestionWords) -> bool:
    """Whether a word stands for a value that tables write otherwise: `women`, `men`."""
    told = {word.text for word in said.all}
    return any(told & group for group in lexicon().aliases)


def _is_denied(said: QuestionWords, test: Test, text: str) -> bool:
    """Whether a value says no by itself, of a column that is denied: `without a degree`."""
    named = any((one.table, one.column) in test.columns for one in said.request.links.names)
    denies = named and find_cues("negation", said.request.question)
    return bool(denies) and squeezed(text) in _DENIALS


def _is_alias(said: QuestionWords, text: str) -> bool:
    """Whether a word stands for a value that is written otherwise: `women` of female."""
    told, value = {word.text for word in said.all}, text.casefold()
    if any(value in other_names(word) for word in told):
        return True
    return any(value in group and told & group for group in lexicon().aliases)


def _is_pattern_or_unit(literal: exp.Expression) -> bool:
    above = literal.parent
    return isinstance(above, exp.Func | exp.Anonymous | exp.Interval | exp.Var)


def facts_of(request: ReadRequest, table: str, column: str) -> ColumnFacts | None:
    """Returns the profile of a column."""
    for one in request.tables:
        if one.name == table:
            return next((facts for facts in one.columns if facts.name == column), None)
    return None

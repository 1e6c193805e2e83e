"""Which words of a question the SQL accounts for, and which nothing explains."""

from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.used_words import (
    SAYS_WHICH,
    SHORTEST_PREFIX,
    UsedWords,
    is_slip,
)
from modelwright.engines.language.checks.words import FACTORS, UNITS, QuestionWords
from modelwright.engines.language.linking.roles import says_end, says_role
from modelwright.engines.language.row_nouns import is_row_word
from modelwright.engines.language.rules.mentions.units import (
    is_physical,
    is_told_in,
    lasts_hours,
    measures,
    named_with_unit,
    unit_at,
)
from modelwright.engines.language.rules.plans.expressions import SECONDS
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import Word, squeezed, stem, words
from modelwright.engines.language.rules.times.ends import names_date
from modelwright.engines.language.rules.times.joined_and_left import joins_or_leaves
from modelwright.engines.language.vocabulary import (
    any_case,
    cue_words,
    find_cues,
    word_list,
    word_set,
    word_values,
)

_ENDS_TEST = any_case(r"\W*(?:$|(?:in|by|per|at|on|for|from|since|during|last|this|and|with)\b)")
_LATENESS = frozenset({"early", "late"})
_OF_TODAY = word_set("checks.of_today")
"""What says that a state is that of today."""
_BEHIND_NEGATION = word_set("grammar.behind_negation")
_STATES = word_set("checks.states_of_today")
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
    "selling": ("ORDER BY SUM(",),
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
_NAMES_SOMEBODY = word_set("checks.name_ends")
"""What the names of columns end with that name somebody: of `patient_name`."""
ASKS_HOW_MUCH = any_case(r"\W*how\s+much\b")
_OPPOSITES = [frozenset(pair.split()) for pair in cue_words("opposites")]


def check_words(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds content words of the question that the SQL does not use."""
    for word in unexplained_by_names(said, sql):
        code = Code.THING_LEFT_OUT if _is_of_no_column(said, word) else Code.WORD_LEFT_OUT
        near = said.used_by(sql).nearly(word)
        told = f"was taken for “{near}”" if near else "was not used"
        is_unit = word.text.endswith("s") and (is_physical(word.text) or lasts_hours(word.text))
        make = fault if is_unit or (word.text in SAYS_WHICH and sql.tests) else doubt
        yield make(code, f"“{word.raw}” {told}.", word.raw)


def _is_of_no_column(said: QuestionWords, word: Word) -> bool:
    """Whether a word is a name, or speaks of what no column of any table is of: `women`."""
    spans = [one.span for one in said.request.links.values]
    if any(start <= word.start < end for start, end in spans):
        return False
    if word.start and word.raw[0].isupper():
        return True
    concepts, stems = said.held
    told = said.concepts_of(word)
    return bool(told) and not told & concepts and word.stem not in stems


def unexplained_by_names(said: QuestionWords, sql: Statement) -> list[Word]:
    """Returns the content words that no name and no value of the SQL accounts for."""
    used = said.used_by(sql)
    return [
        word
        for word in said.content
        if not used.accounts_for(word, said.concepts_of(word))
        and not _says_a_key(said, sql, word)
        and not _tells_of_a_time(sql, word)
        and not _says_whose_time(said, sql, word)
        and not _tells_of_a_unit(said, sql, word)
        and not _is_computed(said, sql, word)
        and not _is_of_state(said, word)
        and not _goes_with_denial(said, sql, word)
        and not _says_how_often(said, sql, word)
        and not (word.text in _LATENESS and _sets_dates_apart(sql))
    ]


def _says_a_key(said: QuestionWords, sql: Statement, word: Word) -> bool:
    """Whether a word says where a key that is read leads to, or as what: `flights from` a city."""
    keys = (one for one in sql.catalog.relationships if (one.table, one.column) in sql.columns)
    return any(says_end(word, key) or says_role(said.all, word, key) for key in keys)


def _tells_of_a_time(sql: Statement, word: Word) -> bool:
    """Whether a word is of a date that is read, or of the time between two: its unit, whose it is.

    Whoever joined or left did so on a date; other words name one only as an end of a time.
    """
    dates = [place[1] for place in sql.columns if sql.role(place) is Role.DATE]
    if _is_who_waits(sql, word) or any(joins_or_leaves(word.text, name) for name in dates):
        return True
    if sql.find(exp.DateDiff) is None:
        return False
    is_unit = word.text in UNITS and _is_lapse_in(sql.sql.upper(), word)
    return is_unit or any(names_date(word.text, name) for name in dates)


def _says_whose_time(said: QuestionWords, sql: Statement, word: Word) -> bool:
    """Whether a word says of which date a stretch of time is: `per month of acquisition`."""
    dates = [name for table, name in sql.grouped_columns if sql.role((table, name)) is Role.DATE]
    return word.start in said.whose_times and any(names_date(word.text, one) for one in dates)


def _is_who_waits(sql: Statement, word: Word) -> bool:
    """Whether a word calls whoever a time is of: `how long do patients stay`, each row has one.

    Where rows are counted, whoever stays twice is counted once by people, and so are ages.
    """
    lapses = list(sql.find_all(exp.DateDiff))
    is_of_rows = lapses and all(len(list(one.find_all(exp.Column))) > 1 for one in lapses)
    if not is_of_rows or sql.find(exp.Count, exp.CountIf) is not None:
        return False
    names = [spelled_out(one.name) for table in sql.read_tables for one in table.columns]
    whose = {stem(name[0]) for name in names if len(name) > 1 and name[-1] in _NAMES_SOMEBODY}
    return word.stem in whose


def _is_lapse_in(text: str, word: Word) -> bool:
    """Whether a time is told in a unit: hours where minutes are asked for are not."""
    unit = word.text.removesuffix("s")
    seconds = SECONDS.get(unit)
    return seconds is None or f"/ {seconds}" in text or f"'{unit.upper()}'" in text


def _tells_of_a_unit(said: QuestionWords, sql: Statement, word: Word) -> bool:
    """Whether a word is a unit of what is divided, or in which a column that is read is told."""
    if sql.find(exp.Div) is not None and measures(word.text):
        return True
    return any(is_told_in(unit_of(said, word), with_unit(sql, one)) for one in sql.columns)


def unit_of(said: QuestionWords, word: Word) -> str:
    """Returns the unit that a word begins, of two words or one: `square meter`."""
    at = next((at for at, one in enumerate(said.all) if one.start == word.start), 0)
    return unit_at([one.text for one in said.all], at)[0]


def with_unit(sql: Statement, place: Place) -> str:
    """Returns a column's name, with the unit that its catalog tells where the name tells none."""
    column = sql.catalog.column(*place)
    return named_with_unit(place[1], column.unit if column else "")


def _is_computed(said: QuestionWords, sql: Statement, word: Word) -> bool:
    """Whether a word stands for what is computed: `overdue`, the `harvested` that is added up."""
    adds = sql.find(exp.Sum) is not None and ASKS_HOW_MUCH.match(said.request.question)
    if adds and _is_done_to_it(said, word):
        return True
    text = sql.sql.upper()
    return any(one in text for one in COMPUTED.get(word.text, ()))


def _is_done_to_it(said: QuestionWords, word: Word) -> bool:
    """Whether a word ends `how much honey was harvested`: it leaves no row out."""
    before = said.request.question[: word.start].rstrip().lower()
    return word.text.endswith("ed") and before.endswith((" was", " were", " been"))


def _sets_dates_apart(sql: Statement) -> bool:
    """Whether one date is held against another: what was paid late was paid behind its due date.

    Of a share it is left open whether what is not done yet counts.
    """
    if sql.find(exp.Div) is not None:
        return False
    pairs = (list(map(sql.place, (one.left, one.right))) for one in sql.find_all(exp.GT, exp.LT))
    return any(all(place and _is_of_date(sql, place) for place in pair) for pair in pairs)


def _is_of_date(sql: Statement, place: Place) -> bool:
    column = sql.catalog.column(*place)
    return column is not None and column.role is Role.DATE


def _goes_with_denial(said: QuestionWords, sql: Statement, word: Word) -> bool:
    """Whether a word only goes with what is denied: `no single order`, `never bought anything`."""
    denied = find_cues("negation", said.request.question[: word.start])
    joins = sql.find(exp.In, exp.Exists) is not None and sql.find(exp.Not) is not None
    return bool(denied) and joins and word.text in _BEHIND_NEGATION


def _says_how_often(said: QuestionWords, sql: Statement, word: Word) -> bool:
    """Whether `twice` ends a test, `reopened more than twice`, and multiplies nothing."""
    times = FACTORS.get(word.text)
    is_last = _ENDS_TEST.match(said.request.question, word.end) is not None
    return times is not None and is_last and any(test.compares_with(times) for test in sql.tests)


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


def unknown_words(said: QuestionWords, sql: Statement) -> set[str]:
    """Returns the words that nothing accounts for, those left out that are slips of the pen."""
    used = said.used_by(sql)
    return {word.raw for word in unexplained_by_names(said, sql) if not used.nearly(word)}


def is_named(said: QuestionWords, sql: Statement, place: tuple[str, str]) -> bool:
    """Returns whether some word of the question names a column."""
    if any((one.table, one.column) == place for one in said.request.links.names):
        return True
    used = UsedWords(said.request, sql, (place,))
    name = squeezed(place[1])
    begun = (one.text for one in said.content if len(one.text) >= SHORTEST_PREFIX)
    return any(used.names(word, said.concepts_of(word)) for word in said.all) or any(
        map(name.startswith, begun)
    )


def names_column(said: QuestionWords, sql: Statement, place: tuple[str, str], text: str) -> bool:
    """Returns whether a phrase of the question names a column, or speaks of what it holds."""
    used = UsedWords(said.request, sql, (place,))
    told = {word.text for word in words(text)}
    return any(word.text in told and used.names(word, said.concepts_of(word)) for word in said.all)


def is_nearly_named(said: QuestionWords, name: str) -> bool:
    """Returns whether a word is a name, or a part of it, but for a slip of the pen."""
    parts = [part.casefold() for part in spelled_out(name)]
    return any(is_slip(word.text, part) for word in said.content for part in parts)


def is_told(said: QuestionWords, sql: Statement, word: Word) -> bool:
    """Returns whether a column, a table or a value of the SQL tells a word of the question."""
    return said.used_by(sql).names(word, said.concepts_of(word))


def rows_by_other_names(said: QuestionWords, sql: Statement) -> list[str]:
    """Returns the words that were taken for the rows of a table that calls them otherwise."""
    used = said.used_by(sql)
    if not used.is_single:
        return []
    usual = {stem(one) for one in cue_words("rows") | TIMES}
    return [
        word.raw
        for word in said.content
        if is_row_word(word)
        and word.stem not in usual
        and not used.names(word, said.concepts_of(word))
        and not _is_who_waits(sql, word)
    ]


def check_opposites(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `net pay` that is told by the gross pay: the word left out is its opposite."""
    for word in unexplained_by_names(said, sql):
        others = {one for pair in _OPPOSITES if word.text in pair for one in pair - {word.text}}
        for _, name in sorted(sql.columns):
            if others & set(spelled_out(name)):
                yield fault(Code.OTHER_KIND, f"“{word.raw}” is not {name}.", word.raw)


CHECKS = (check_words,)

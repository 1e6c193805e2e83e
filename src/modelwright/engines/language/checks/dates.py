"""Whether a time is told by the date that the question means: of a deed, a thing, a period."""

from collections.abc import Iterator, Mapping
from datetime import date
from functools import partial

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.likely_dates import likely_dates
from modelwright.engines.language.rules.text.lexicon import concepts_at, lexicon, spelled_out
from modelwright.engines.language.rules.text.roots import deed, irregular, is_deed, root
from modelwright.engines.language.rules.text.words import Word, stem, words
from modelwright.engines.language.rules.times.ends import names_date
from modelwright.engines.language.rules.times.joined_and_left import joins_or_leaves
from modelwright.engines.language.temporal.calendar import DAY_LENGTH
from modelwright.engines.language.vocabulary import cue_words, word_set, word_values

TIMED = (
    exp.Extract, exp.Month, exp.Year, exp.TimestampTrunc, exp.DateTrunc, exp.DayOfWeek,
    exp.TimeToStr, exp.Dayname, exp.Monthname,
)  # fmt: skip
_OF_ANY_DATE = word_set("checks.of_any_date")
"""What names of dates have in common, so that it tells none from another."""
OF_BIRTH = word_set("checks.of_birth")
"""Dates of persons that nothing happens on."""
_OF_NO_DAY = word_set("checks.of_no_day")
"""What was done throughout, or on no day of its own."""
DEEDS: Mapping[str, str] = word_values("checks.deeds")
"""Nouns by stem and the verbs that they share no root with."""
SHORTEST_STEM = 3
"""A verb names a date whose name begins with its stem: `hired` a `hire_date`."""


def check_dates(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds periods held against a date of birth, or one of several that nothing tells apart.

    `How many patients died in 2024` asks for no date of birth.
    """
    for table, name in sorted(dated_places(said, sql)):
        if is_date_named(said, sql, (table, name)):
            continue
        others = [one for one in rivals_of(said, sql, table) if not is_same_time(one, name)]
        if OF_BIRTH & set(spelled_out(name)):
            yield fault(Code.OTHER_DATE, f"Nothing speaks of {name}, which the time is told by.")
        elif others and not (
            _is_usual(sql, (table, name))
            and _is_of_no_deed(said, sql, name, others)
            and _holds_periods(said, (table, name))
        ):
            message = f"{name} was taken for the time; {', '.join(others)} may be meant."
            yield doubt(Code.AMBIGUOUS_NAME, message, name, *others)


def rivals_of(said: QuestionWords, sql: Statement, name: str) -> list[str]:
    """Returns the dates of a table that a time may be of, the likeliest first."""
    table = sql.catalog.table(name)
    found = likely_dates(table, partial(facts_of, said.request, name)) if table else []
    return [one.name for one in found]


def _holds_periods(said: QuestionWords, place: Place) -> bool:
    """Whether the data of a date meet every period of the question."""
    facts = facts_of(said.request, *place)
    low, high = (facts.minimum, facts.maximum) if facts else (None, None)
    if not isinstance(low, date) or not isinstance(high, date):
        return True
    first, last = low.isoformat()[:DAY_LENGTH], high.isoformat()[:DAY_LENGTH]
    return all(
        (one.start is None or one.start.isoformat()[:DAY_LENGTH] <= last)
        and (one.end is None or first < one.end.isoformat()[:DAY_LENGTH])
        for one in said.request.links.periods
    )


def _is_of_no_deed(said: QuestionWords, sql: Statement, name: str, others: list[str]) -> bool:
    """Whether nothing tells of what was done, on another day than that of the rows.

    `Enrolments in May` began in May; `certificates issued in May`, or what is known of completed
    ones only, may be of another date. A date called as the rows are, such as Visit Date, is theirs,
    unless the figure is called as another date is: Sold Price beside Sold Date.
    """
    figures = {place for one in sql.aggregates for place in sql.places(one)}
    partly = {place for place in figures if has_gaps(said, place)}
    if _is_called_as_rows(sql, name):
        of_others = {part for one in others for part in spelled_out(one)} - _OF_ANY_DATE
        partly = {place for place in partly if not of_others.isdisjoint(spelled_out(place[1]))}
    deeds = {deed(part) for name in others for part in spelled_out(name)}
    told = {deed(word.text) for word in said.all if is_deed(word.text)}
    is_named = not deeds.isdisjoint(told)
    return not (_tells_of_a_deed(said, sql) or _tests_flag(sql) or partly or is_named)


def _is_called_as_rows(sql: Statement, name: str) -> bool:
    """Whether a date has the noun of its rows for a name: Visit Date of visits."""
    nouns = {stem(one) for each in set(sql.tables) if (table := sql.catalog.table(each))
             for noun in table.row_nouns for one in noun.split()}  # fmt: skip
    telling = [part for part in spelled_out(name) if part not in _OF_ANY_DATE]
    return bool(telling) and all(stem(one) in nouns and not is_deed(one) for one in telling)


def _tells_of_a_deed(said: QuestionWords, sql: Statement) -> bool:
    """Whether a word, or a value that is tested, says that something was done: `completed`."""
    literals = [one.name.casefold() for test in sql.tests for one in test.literals]
    verbs = {*(word.text for word in said.all), *literals} - _OF_NO_DAY
    is_done = any(one.endswith("ed") or one in irregular() for one in verbs)
    return is_done or any(one.endswith(("ion", "ment")) for one in literals)


def _tests_flag(sql: Statement) -> bool:
    """Whether rows are told apart by yes and no."""
    columns = [sql.catalog.column(*place) for test in sql.tests for place in test.columns]
    return any(one is not None and one.role is Role.FLAG for one in columns)


def check_deeds(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `sales per month` told by the usual date of their rows, where another is of sales."""
    for key in sql.group_keys:
        for table, name in sql.places(key):
            is_usual = key.find(*TIMED) is not None and _is_usual(sql, (table, name))
            if not is_usual or is_date_named(said, sql, (table, name)):
                continue
            others = [one for one in dates_of(sql, table) if one != name and _is_deed(said, one)]
            if others:
                message = f"{name} was taken for the time; {', '.join(others)} may be meant."
                yield doubt(Code.AMBIGUOUS_NAME, message, name, *others)


def check_deeds_told(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `average sale price` that is that of all rows, also of those not sold."""
    for word in _outside_values(said):
        verb = DEEDS.get(word.stem, "")
        dates = [(table, name) for table in set(sql.tables) for name in dates_of(sql, table)]
        of_deed = {place for place in dates if verb in spelled_out(place[1])}
        open_ones = {place for place in of_deed if has_gaps(said, place)}
        if any(verb in spelled_out(name) for _, name in _half_known(said, sql)):
            continue  # of `Sold Price` only those tell that were sold
        told = {one.name.casefold() for test in sql.tests for one in test.literals}
        if open_ones and not open_ones & sql.written_columns and verb not in told:
            yield fault(Code.WORD_LEFT_OUT, f"“{word.raw}” leaves no row out.", word.raw)


def _half_known(said: QuestionWords, sql: Statement) -> set[Place]:
    """Returns the columns that the statement reads of which some rows tell nothing."""
    return {place for place in sql.written_columns if has_gaps(said, place)}


def _outside_values(said: QuestionWords) -> list[Word]:
    """Returns the words that are no values, and verbs that say little elsewhere: `sold`."""
    spans = [one.span for one in said.request.links.values]
    told = [one for one in said.all if one in said.content or one.text in irregular()]
    return [one for one in told if not any(a <= one.start < b for a, b in spans)]


def has_gaps(said: QuestionWords, place: Place) -> bool:
    """Whether some rows tell nothing in a column."""
    facts = facts_of(said.request, *place)
    return facts is not None and facts.missing > 0


def _is_deed(said: QuestionWords, name: str) -> bool:
    """Whether a word has the root of what a date is of: `sales` of Sold On."""
    roots = {root(part) for part in spelled_out(name)} - {root(one) for one in _OF_ANY_DATE}
    told = {root(DEEDS.get(word.stem, word.text)) for word in _outside_values(said)}
    return bool(roots & told)


def is_same_time(one: str, name: str) -> bool:
    """Whether a date tells the same time as the one that was taken, or that is the plain one."""
    taken, other = (set(spelled_out(each)) - _OF_ANY_DATE - {"year"} for each in (name, one))
    return not taken or taken == other or one.casefold() == "year"


def dated_places(said: QuestionWords, sql: Statement) -> set[Place]:
    """Returns the dates that a period of the question is held against, or that make groups."""
    periods = said.request.links.periods
    written = {
        end.isoformat() for one in periods for end in (one.start, one.end) if end is not None
    }
    groups = [key for key in sql.group_keys if key.find(*TIMED)]
    dated = {place for key in groups for place in sql.places(key) if not _is_usual(sql, place)}
    for test in sql.tests:
        is_month = bool(said.request.links.periods) and test.node.find(exp.Month) is not None
        if is_month or any(one.name[:DAY_LENGTH] in written for one in test.literals):
            dated.update(test.columns)
    return {(table, name) for table, name in dated if name in dates_of(sql, table)}


def usual_groups(sql: Statement) -> set[Place]:
    """Returns the dates that make groups and are the ones that times of their tables mean."""
    groups = (key for key in sql.group_keys if key.find(*TIMED))
    return {place for key in groups for place in sql.places(key) if _is_usual(sql, place)}


def _is_usual(sql: Statement, place: Place) -> bool:
    """Whether a date is the one that times of its table usually mean."""
    table = sql.catalog.table(place[0])
    return table is not None and table.default_date == place[1]


def dates_of(sql: Statement, name: str) -> list[str]:
    """Returns the columns of dates of a table."""
    table = sql.catalog.table(name)
    return [one.name for one in table.columns if one.role is Role.DATE] if table else []


def is_date_named(said: QuestionWords, sql: Statement, place: Place) -> bool:
    """Whether the question says which date is meant, by more than what all dates are called."""
    column, table = sql.catalog.column(*place), sql.catalog.table(place[0])
    if column is None or table is None:
        return True
    rows = {stem(part) for noun in table.row_nouns for part in noun.split()}
    parts = {stem(part) for one in (place[1], *column.synonyms) for part in spelled_out(one)}
    telling = parts - rows - _OF_ANY_DATE - cue_words("idle")
    return (
        _speaks_of(said, telling, rows)
        or _is_done_then(said, place[1])
        or any(names_date(word, place[1]) for word in said.whose_times.values())
        or any(joins_or_leaves(word.text, place[1]) for word in said.all)
        or any(_begins_with(part, one) for part in telling for one in said.stems)
    )


def _speaks_of(said: QuestionWords, telling: set[str], rows: set[str]) -> bool:
    """Whether words that do not call the rows speak of what a name does."""
    found = concepts_at(sorted(telling), lexicon().of_names)
    others = [word.start for word in said.all if word.stem not in rows]
    told = {one for start in others for one in said.concepts.get(start, ())}
    return any(one in told for concepts, _ in found for one in concepts)


def _is_done_then(said: QuestionWords, name: str) -> bool:
    """Whether a verb says what was done on a date: `shipped` of Ship Date."""
    deeds = {deed(part) for part in spelled_out(name) if is_deed(part)}
    return not deeds.isdisjoint(deed(word.text) for word in said.all if is_deed(word.text))


def _begins_with(part: str, word: str) -> bool:
    return part == word or (len(word) >= SHORTEST_STEM and part.startswith(word))


def check_values_and_dates(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `not closed` held against a status where a date tells as well what was closed."""
    for test in sql.tests:
        is_denied = (test.operator == "!=" or test.negated) and len(test.literals) == 1
        if not is_denied or len(test.columns) != 1 or not test.literals[0].is_string:
            continue
        table, column = test.columns[0]
        roots = {root(word.text) for word in words(test.literals[0].name)}
        for name in _open_dates(said, sql, table):
            if roots & {root(part) for part in spelled_out(name)}:
                told = test.literals[0].name
                message = f"“{told}” was denied of {column}; {name} tells it as well."
                yield doubt(Code.VALUE_OR_DATE, message, column, name)


def _open_dates(said: QuestionWords, sql: Statement, name: str) -> Iterator[str]:
    """Yields the dates that some rows lack and that the SQL does not look at."""
    table = sql.catalog.table(name)
    for one in table.columns if table else ():
        facts = facts_of(said.request, name, one.name)
        is_open = (
            facts is not None and facts.missing and (name, one.name) not in sql.written_columns
        )
        if one.role is Role.DATE and is_open:
            yield one.name

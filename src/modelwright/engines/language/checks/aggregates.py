"""Whether what the question asks for is computed, and nothing is computed that it does not ask for.

Named aggregates, numbers of rows, shares and rates, averages, sums, differences, different values.
"""

from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Additivity, CatalogColumn, Role
from modelwright.engines.language.checks.cues import (
    SORTED_BY,
    cues_of,
    is_in_a_name,
    superlatives,
    words_for,
)
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.negation import negates
from modelwright.engines.language.checks.periods import averages_periods
from modelwright.engines.language.checks.statement import Statement
from modelwright.engines.language.checks.unexplained import ASKS_HOW_MUCH
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.readers import NameLink
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import stem, words
from modelwright.engines.language.vocabulary import (
    aggregate_pattern,
    aggregates,
    alternatives,
    any_case,
    cue_words,
    find_cues,
    word_set,
    word_values,
)

_KEY_NAMES = word_set("checks.key_names")
_PARTS_OF_WHOLES = word_set("checks.parts_of_wholes")
"""Words for what must be divided, unless a column is called so."""
_RATE_BEHIND = any_case(r"\s+rates?\b")
_PER_WHAT = any_case(r"\bper\s+(?P<what>[a-z]+)\b(?=.*\b(?:by|per|each)\b)")
_UNITS_OF_TIME = word_set("checks.units_of_time")
_UNITS = frozenset(word_values("catalog.units"))
_BEGINS = any_case(r"\W*(?:(?:what (?:is|was|were|are)|show|give me)\s+)?(?:(?:the|our|all)\s+)?")
_RATE_OF_DEED = any_case(r"(?:ion|al|ance|ence|ure|ment|ancy)\s+rates?\b")
"""The rate of what was done, that is never a price."""
_AGGREGATE_SQL: dict[str, tuple[str, ...]] = {
    "avg": ("AVG", "/"),
    "sum": ("SUM", "COUNT"),
    "median": ("MEDIAN", "QUANTILE", "PERCENTILE"),
    "stddev": ("STDDEV",),
    "variance": ("VAR",),
    "mode": ("MODE", "LIMIT"),
}
"""What stands in SQL that computes an aggregate; the ends are checked as superlatives."""
_ASKS_PERCENT = any_case(r"(?<!\d)(?<!\d )(?:\bpercentages?\b|\bper ?cent\b|%)")
_PERCENT_OF = 100.0
_TWO_COUNTS = any_case(r"\bhow many\b.*(?:[,;?]|\band\b)\s*(?:and\s+)?how many\b")
_UNIT_BEHIND = any_case(rf"\s+(?:{alternatives('checks.units_of_time')}|minute|second)s?\b")
"""What turns a count into a number of units of time: `how many days`."""
_HOW_LONG = any_case(
    rf"\bhow (?:long|far|(?:many (?:{alternatives('checks.units_of_time')}|minute)s))\b"
)
"""What asks for a time that each row has, which is told of all by its average."""


def check_aggregates(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds aggregates that were asked for and are missing."""
    for one in aggregates():
        wanted = _AGGREGATE_SQL.get(one.name)
        if wanted is None:
            continue
        cues = [cue for cue in words_for(said, one.name) if not is_in_a_name(sql, cue)]
        if cues and not any(made in sql.text for made in wanted) and cues[0] != "overall":
            make = doubt if one.name == "sum" else fault
            yield make(Code.AGGREGATE_DROPPED, f"“{cues[0]}” is not computed.", cues[0])


def check_counts(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `how many` of which nothing is counted."""
    cues = cues_of(said, "count")
    if sql.find(exp.DateDiff) is not None:
        cues = [one for one in cues if not _UNIT_BEHIND.match(said.request.question, one.end)]
    counted = cues and any(made in sql.text for made in ("COUNT", "SUM(", "ROW_NUMBER"))
    if cues and not counted and not _is_count_column(said, sql):
        yield doubt(Code.AGGREGATE_DROPPED, f"“{cues[0].text}” counts nothing.", cues[0].text)


def check_shares(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds shares that are asked for where nothing is divided."""
    shares = cues_of(said, "share")
    if shares and not sql.divides and not _in_share_name(said, sql):
        told = shares[0].text
        is_of_one = said.request.question[: shares[0].start].rstrip().lower().endswith(" per")
        is_sum = bool(sql.tests) and sql.find(exp.Sum) is not None  # the total of those who did
        is_sure = told in _PARTS_OF_WHOLES or (told == "rate" and is_sum)
        is_sure = is_sure or _RATE_OF_DEED.search(said.request.question) is not None
        make = fault if is_sure and not is_of_one else doubt
        yield make(Code.AGGREGATE_DROPPED, f"“{told}” is not computed.", told)


def check_percentages(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds a percentage that is told as a part of one: 0.008 where 0.8 % is meant."""
    told = _ASKS_PERCENT.search(said.request.question)
    quotients = [one for one in sql.tree.find_all(exp.Div) if not one.find_ancestor(exp.Where)]
    if told is None or not quotients or is_in_a_name(sql, told.group()):
        return
    if not any(test.compares_with(100) for test in sql.tests) and not _tells_hundreds(sql):
        yield fault(Code.OTHER_UNIT, f"“{told.group()}” is told as a part of 1.", told.group())


def _tells_hundreds(sql: Statement) -> bool:
    return any(
        one.is_number and float(one.name) == _PERCENT_OF for one in sql.find_all(exp.Literal)
    )


def check_two_counts(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `how many have no name, and how many no address` that tells one number."""
    asked = _TWO_COUNTS.search(said.request.question)
    select = sql.tree
    if asked is None or not isinstance(select, exp.Select) or sql.group_keys:
        return
    if len(select.selects) == 1 and select.selects[0].find(exp.AggFunc) is not None:
        yield fault(Code.AGGREGATE_DROPPED, "Two numbers are asked for, and one is told.")


def check_added_averages(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds averages that nothing asks for."""
    if sql.find(exp.Avg) is None or _averages_usually(sql):
        return
    if sql.find(exp.DateDiff) is not None and _HOW_LONG.search(said.request.question):
        return
    asked = words_for(said, "avg") or cue_words("means_average") & {w.text for w in said.all}
    if not asked and not cues_of(said, "share"):
        yield doubt(Code.AGGREGATE_ADDED, "Nothing asks for an average.")
    elif set(asked) == {"per"} and sql.group_keys:
        for place in {place for one in sql.find_all(exp.Avg) for place in sql.places(one)}:
            column = sql.catalog.column(*place)
            if column is not None and column.additivity is Additivity.SUM:
                message = f"The average of {column.name} is told; its total may be meant."
                yield doubt(Code.TOTAL_OR_MEAN, message, column.name)


def check_rates_of_figures(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `bycatch rate` that is the average bycatch: a rate of a figure is of another one."""
    if sql.tree.find(exp.Div) is not None:
        return
    question = said.request.question
    for link in said.request.links.names:
        is_figure = sql.role((link.table, link.column or "")) is Role.MEASURE
        if (
            is_figure
            and _RATE_BEHIND.match(question, link.span[1])
            and not is_in_a_name(sql, "rate")
        ):
            yield fault(Code.AGGREGATE_DROPPED, "“rate” is not computed.", "rate")


def check_per_what(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `price per person by room` that is grouped by rooms alone."""
    if not sql.group_keys or sql.tree.find(exp.Div) is not None:
        return
    grouped = sql.grouped_columns
    rows = _row_stems(sql) if sql.find(exp.Avg) is not None else set()
    pointed = {one.to_table for one in sql.catalog.relationships if one.table in sql.tables}
    things = {table for table, _ in grouped} & pointed
    for found in _PER_WHAT.finditer(said.request.question):
        word, start = found["what"].casefold(), found.start("what")
        links = [one for one in said.request.links.names if one.span[0] <= start < one.span[1]]
        is_group = any(
            one.table in things if one.column is None else (one.table, one.column) in grouped
            for one in links
        )
        parts = {stem(part) for _, name in grouped for part in spelled_out(name)}
        is_known = is_group or stem(word) in parts | rows or word in _UNITS_OF_TIME
        if not is_known and not is_in_a_name(sql, "per"):
            yield fault(Code.EACH_DROPPED, f"“per {found['what']}” is not computed.", found["what"])


def _row_stems(sql: Statement) -> set[str]:
    """Returns what a row is called, by its table and its key: an average of rows is one per row."""
    tables = sql.read_tables
    keys = [one.name for table in tables for one in table.columns[:1] if one.role is Role.ID]
    nouns = [part for table in tables for noun in table.row_nouns for part in noun.split()[-1:]]
    return {stem(part) for name in keys for part in spelled_out(name)} | set(map(stem, nouns))


def check_added_sums(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds sums that nothing asks for."""
    is_usual = sql.is_over_time or _sums_by_sign(sql)
    is_usual = is_usual or ASKS_HOW_MUCH.match(said.request.question) is not None
    is_usual = is_usual or _is_sum_of_some(said, sql) or averages_periods(said, sql)
    is_mean = not word_set("averages.means").isdisjoint(word.text for word in said.all)
    is_usual = is_usual or (bool(sql.divisors) and is_mean)
    if sql.find(exp.Sum) is not None and not is_usual and not _asks_numbers(said):
        yield doubt(Code.AGGREGATE_ADDED, "Nothing says that it is added up.")


def _is_sum_of_some(said: QuestionWords, sql: Statement) -> bool:
    """Whether a question is the whole name of an amount and which rows: `ad spend this year`."""
    sums = [one for one in sql.aggregates if isinstance(one, exp.Sum)]
    place = sql.place(sums[0].this) if len(sums) == 1 and len(sql.aggregates) == 1 else None
    column = sql.catalog.column(*place) if place else None
    if column is None or column.additivity is not Additivity.SUM or sql.group_keys:
        return False
    begun = _BEGINS.match(said.request.question)
    first = said.request.question[begun.end() if begun else 0 :]
    name = [stem(part) for part in spelled_out(column.name) if part.casefold() not in _UNITS]
    told = [word.stem for word in words(first)[: len(name)]]
    return bool(sql.tests) and bool(said.request.links.periods) and told == name


def check_added_orders(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds figures of groups that are sorted by a figure of another column, which is made up."""
    order, select = sql.tree.args.get("order"), sql.tree
    is_whole = isinstance(select, exp.Select) and select.args.get("limit") is None
    if order is None or not is_whole or not sql.group_keys:
        return
    shown = {one.sql() for each in select.selects for one in each.find_all(exp.AggFunc)}
    made = [one for key in order.expressions for one in key.find_all(exp.AggFunc)]
    behind = SORTED_BY.search(said.request.question)
    if not shown or behind is None or all(one.sql() in shown for one in made):
        return
    is_told = aggregate_pattern().search(behind["what"]) or find_cues("count", behind["what"])
    if not is_told:
        yield doubt(Code.AGGREGATE_ADDED, f"“{behind['what']}” is of no group.", behind["what"])


def check_added_counts(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds rows that are counted though nothing asks for their number."""
    if not sql.counts:
        return
    measure = _names_a_measure(said, sql) if not cues_of(said, "count") else ""
    if measure:
        yield doubt(Code.AGGREGATE_ADDED, f"Rows are counted, and “{measure}” is not shown.")
    if not sql.group_keys and not _asks_numbers(said) and not averages_periods(said, sql):
        yield doubt(Code.AGGREGATE_ADDED, "Nothing asks for a number of rows.")


def _asks_numbers(said: QuestionWords) -> bool:
    """Whether a number of several rows is asked for: a sum, a share, how many, the most."""
    cues = [*cues_of(said, "share"), *cues_of(said, "count"), *cues_of(said, "each")]
    return bool(cues or superlatives(said) or words_for(said, "sum"))


def _sums_by_sign(sql: Statement) -> bool:
    """Whether groups are told by the sign of their sum: `which shops lose money`."""
    return any(
        test.aggregated and [one.name for one in test.literals] == ["0"] for test in sql.tests
    )


def _averages_usually(sql: Statement) -> bool:
    """Whether groups are told by averages of what does not add up: `temperature by month`."""
    averaged = {place for one in sql.find_all(exp.Avg) for place in sql.places(one)}
    columns = [sql.catalog.column(*place) for place in averaged]
    usual = all(one is not None and one.additivity is Additivity.AVERAGE for one in columns)
    return bool(sql.group_keys) and bool(columns) and usual


def _names_a_measure(said: QuestionWords, sql: Statement) -> str:
    """Returns a measure that the question names and the SQL does not use."""
    for link in said.request.links.names:
        column = sql.catalog.column(link.table, link.column) if link.column else None
        is_used = any(name == link.column for _, name in sql.columns)
        is_verb = link.text.casefold().endswith("ed") or _names_things(sql, link)
        is_verb = is_verb or _is_of_time(said, sql, link) or _is_read_otherwise(said, sql, link)
        table = sql.catalog.table(link.table)
        calls_rows = table is not None and link.text.casefold() in table.row_nouns
        is_verb = is_verb or (calls_rows and link.text.casefold() != str(link.column).casefold())
        if (
            column
            and not is_verb
            and column.role is Role.MEASURE
            and not is_used
            and link.table in sql.tables
        ):
            return column.name
    return ""


def _is_read_otherwise(said: QuestionWords, sql: Statement, link: NameLink) -> bool:
    """Whether a word is a value that is tested, or the `rate` of a share that is computed."""
    taken = sql.values_taken
    if sql.divides and link.text.casefold() in cue_words("share"):
        return True
    return any(
        one.span == link.span and str(one.value) in taken for one in said.request.links.values
    )


def _names_things(sql: Statement, link: NameLink) -> bool:
    """Whether a word for what has a key begins the name of a figure: `patients`, Patient Age."""
    table = sql.catalog.table(link.table)
    keys = (one.name for one in table.columns if _is_key(one)) if table else ()
    return any(stem(spelled_out(name)[0]) == stem(link.text.casefold()) for name in keys)


def _is_key(column: CatalogColumn) -> bool:
    """Whether a column tells things apart, of which the rows may tell several times."""
    is_called = spelled_out(column.name)[-1].casefold() in _KEY_NAMES
    return column.role is Role.ID or (column.role is Role.DIMENSION and is_called)


def _is_of_time(said: QuestionWords, sql: Statement, link: NameLink) -> bool:
    """Whether a word is of the time of groups: `per month` and Monthly Fee, `exits`, Exit Age."""
    if not sql.is_over_time:
        return False
    if stem(link.text.casefold()) in map(stem, word_set("checks.units_of_time")):
        return True
    column = sql.catalog.column(link.table, link.column or "")
    is_sum = column is not None and column.additivity is Additivity.SUM
    dates = sql.grouped_columns
    known = [one for one in dates if (facts := facts_of(said.request, *one)) and not facts.missing]
    parts = {stem(part) for _, name in known for part in spelled_out(name)}
    return not is_sum and stem(link.text.casefold()) in parts


def _is_count_column(said: QuestionWords, sql: Statement) -> bool:
    """Whether a column of numbers holds what is counted: how many wins, number of rooms."""
    for table, name in sql.columns:
        column = sql.catalog.column(table, name)
        parts = {stem(part) for part in spelled_out(name)}
        if column and column.role is Role.MEASURE and parts & said.stems:
            return True
    return False


def _in_share_name(said: QuestionWords, sql: Statement) -> bool:
    shares, question = cues_of(said, "share"), said.request.question
    held = any("%" in column for _, column in sql.columns)
    is_unit = [
        question[: cue.start].rstrip()[-1:].isdigit() or (cue.text == "%" and held)
        for cue in shares
    ]
    return any(is_unit) or any(is_in_a_name(sql, cue.text) for cue in shares)


def check_computations(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds differences, changes and correlations that were asked for and are not computed."""
    subtracts = sql.find(exp.Sub, exp.Window, exp.Lag, exp.DateDiff) is not None
    computed = {
        "difference": subtracts or sql.divides or bool(sql.group_keys) or _tells_each(sql),
        "excess": subtracts or bool(sql.group_keys) or _tells_each(sql),
        "change": subtracts or sql.divides,
        "correlation": "CORR(" in sql.sql.upper(),
    }
    for name, is_there in computed.items():
        cues = [one for one in cues_of(said, name) if one.text != "between"]
        cues = [one for one in cues if not is_in_a_name(sql, one.text) or name == "change"]
        cues = [one for one in cues if one.text != "trend" or not sql.is_over_time]
        if cues and not is_there:
            told = cues[0].text
            make = doubt if is_in_a_name(sql, told) else fault
            yield make(Code.AGGREGATE_DROPPED, f"“{told}” is not computed.", told)


def _tells_each(sql: Statement) -> bool:
    """Whether a figure is told of one of several values, or of each: no rows of them all."""
    return bool(sql.aggregates) and any(test.operator == "in" for test in sql.tests)


def check_distinct(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `different` where what is counted may be counted twice."""
    cues = cues_of(said, "distinct")
    made = sql.find(exp.Distinct) is not None or bool(sql.group_keys)
    if cues and not made and not negates(sql):
        told = cues[0].text
        yield doubt(Code.DISTINCT_DROPPED, f"“{told}” is not heeded.", told)


CHECKS = (
    check_aggregates,
    check_counts,
    check_shares,
    check_percentages,
    check_two_counts,
    check_added_averages,
    check_added_sums,
    check_added_orders,
    check_rates_of_figures,
    check_per_what,
    check_added_counts,
    check_computations,
    check_distinct,
)

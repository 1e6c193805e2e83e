"""What is compared with an average: of the same kind, by groups where groups were asked for."""

from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Additivity, Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.joins import is_unique
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.rules.mentions.rows import added
from modelwright.engines.language.rules.mentions.units import is_measured
from modelwright.engines.language.rules.plans.plan import Ref
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.vocabulary import alternatives, any_case, find_cues, word_set

_OF_THE_SAME = any_case(
    r"\b(?:average|mean|avg)\s+(?:\w+\s+){0,3}?(?:of|for|in|within|at|among)\s+(?:all\s+)?"
    r"(?:their|its|his|her|the same)\b"
)
"""`The average of their department`: that of the rows that share it."""
_ASKED = any_case(r"^\W*(?:which|what|list|show|find)\s+(?:(?:the|all|our|me)\s+)*(?P<noun>\w+)")
_KEY_WORDS = frozenset(map(stem, word_set("checks.key_names", "checks.name_ends")))
_AVERAGE_OF = any_case(r"\b(?:average|mean|avg)\s+(?P<word>\w+)")
_MEAN_PER = any_case(rf"\b(?:{alternatives('averages.means')})\s+(?:\w+\s+){{1,3}}per\b")
_SAYS_PER = any_case(r"\bper\b")


def check_same_kind(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `above the average of their department` that is above the average of all."""
    told = _OF_THE_SAME.search(said.request.question)
    is_of_all = told and _compared_rows(sql) and sql.find(exp.Window, exp.Join) is None
    if told and is_of_all and not any(_is_of_outer(one) for one in _averages(sql)):
        message = f"“{told.group()}” is that of all rows."
        yield fault(Code.AGGREGATE_DROPPED, message, told.group())


def check_counts_per_thing(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `tickets per order` counted for each status of orders, which is no order."""
    for one in sql.find_all(exp.Div):
        counted, things = sql.places(one.this), sql.places(one.expression)
        if counted != things or one.expression.find(exp.Distinct) is None:
            continue
        for place in things:
            column = sql.catalog.column(*place)
            parts = {stem(part) for part in spelled_out(place[1])} - _KEY_WORDS
            is_kind = column is not None and column.role in {Role.DIMENSION, Role.FLAG}
            if is_kind and parts & said.stems and not parts <= said.stems:
                message = f"Nothing is told of each “{place[1]}”."
                yield fault(Code.OTHER_KIND, message, *sorted(parts & said.stems))


def check_single_rows(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `agents below the average score` of whom any single row is below it."""
    asked = _ASKED.match(said.request.question)
    if asked is None or len(set(sql.tables)) != 1 or not _compared_rows(sql):
        return
    noun = asked["noun"].casefold()
    if any(stem(noun) in _row_stems(sql, name) for name in set(sql.tables)):
        return
    behind = [word for word in said.all if word.start > asked.end() and word.text[-2:] != "ed"]
    if any(word.stem in _row_stems(sql, name) for word in behind for name in set(sql.tables)):
        return
    if any(_stands_often(said, place) for place in _called(sql, noun)):
        message = f"“{noun}” have many rows each, and single rows are compared."
        yield fault(Code.OTHER_ROWS, message, noun)


def check_totals(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `above the average order value` of groups whose total is compared: or their average."""
    behind = _AVERAGE_OF.search(said.request.question)
    having = sql.find(exp.Having)
    if behind is None or having is None:
        return
    for test in having.find_all(exp.GT, exp.LT, exp.GTE, exp.LTE):
        summed = test.this if isinstance(test.this, exp.Sum) else None
        place = sql.place(summed.this) if summed is not None else None
        is_of_each = test.expression.find(exp.Div) is not None
        column = sql.catalog.column(*place) if place else None
        if column is None or not is_of_each or column.additivity is not Additivity.SUM:
            continue
        if stem(behind["word"].casefold()) in {stem(part) for part in spelled_out(column.name)}:
            message = f"The total of {column.name} is compared; its average may be meant."
            yield doubt(Code.TOTAL_OR_MEAN, message, column.name)


def _averages(sql: Statement) -> list[exp.Select]:
    """Returns the queries within it that give one average."""
    inner = [one.this for one in sql.find_all(exp.Subquery) if isinstance(one.this, exp.Select)]
    return [one for one in inner if one.find(exp.Avg) is not None]


def _compared_rows(sql: Statement) -> bool:
    """Whether single rows are compared with an average."""
    where = sql.tree.args.get("where")
    compares = where.find_all(exp.GT, exp.LT, exp.GTE, exp.LTE) if where is not None else ()
    return not sql.group_keys and any(one.find(exp.Avg) is not None for one in compares)


def _is_of_outer(query: exp.Select) -> bool:
    """Whether a query within another is of the rows that share something with one of its rows."""
    own = {one.alias_or_name for one in query.find_all(exp.Table)}
    return any(one.table not in own for one in query.find_all(exp.Column))


def _row_stems(sql: Statement, name: str) -> set[str]:
    table = sql.catalog.table(name)
    nouns = table.row_nouns if table else ()
    return {stem(part) for noun in nouns for part in noun.split()[-1:]}


def _called(sql: Statement, noun: str) -> list[Place]:
    """Returns the columns of keys and kinds whose names begin with a noun."""
    return [
        (table.name, column.name)
        for name in set(sql.tables)
        if (table := sql.catalog.table(name))
        for column in table.columns
        if column.role in {Role.ID, Role.DIMENSION}
        if stem(noun) in {stem(part) for part in spelled_out(column.name)[:1]}
    ]


def _stands_often(said: QuestionWords, place: Place) -> bool:
    facts = facts_of(said.request, *place)
    return facts is not None and 2 * facts.distinct <= facts.rows - facts.missing


def check_divided(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `fare per km by rider` that shows fares and kilometres side by side."""
    if sql.find(exp.Div) is not None:
        return
    figures = [
        one
        for one in said.request.links.names
        if sql.role((one.table, one.column or "")) is Role.MEASURE
    ]
    question = said.request.question
    for one in figures:
        for other in figures:
            between = question[one.span[1] : other.span[0]]
            both = {(one.table, one.column), (other.table, other.column)}
            if between.strip().casefold() == "per" and both <= sql.columns - sql.grouped_columns:
                message = f"“{one.text} per {other.text}” is not computed."
                yield fault(Code.AGGREGATE_DROPPED, message, one.text)


def check_means_of_ratios(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds one sum over another where the mean of what it is in each row may be meant.

    `Average price per hour` means the mean; `price per hour by town` does not say. Amounts that are
    told as sums are meant so, `average revenue per visitor`, and of one row both are the same.
    """
    is_mean = _MEAN_PER.search(said.request.question) is not None
    for one in sql.find_all(exp.Div):
        sums = [each.find(exp.Sum) for each in (one.this, one.expression)]
        top, bottom = [list(sql.places(each)) if each else [] for each in sums]
        if not (top and bottom) or any(added(Ref(*place)) for place in top):
            continue
        is_open = isinstance(one.this, exp.Sum) and _may_be_of_each_row(said, bottom)
        if is_mean or (is_open and not _tells_one_row(said, sql)):
            make = fault if is_mean else doubt
            message = "The average may be that of each row."
            yield make(Code.MEAN_OF_RATIOS, message, *(str(each.this) for each in sums if each))
            return


def _may_be_of_each_row(said: QuestionWords, bottom: list[Place]) -> bool:
    """Whether a ratio may be told of each row, by what it is divided by."""
    question = said.request.question
    if any(added(Ref(*place)) for place in bottom) or find_cues("sum", question):
        return False
    is_of_units = any(is_measured(name) for _, name in bottom)
    return not (is_of_units and _SAYS_PER.search(question))  # `price per acre`, of hectares


def _tells_one_row(said: QuestionWords, sql: Statement) -> bool:
    """Whether a test leaves one row, or each group has one."""
    places = [place for key in sql.group_keys for place in sql.places(key)]
    equal = (one for one in sql.tests if one.operator == "=" and not one.negated)
    places += [place for one in equal for place in one.columns]
    return any(is_unique(said.request, place) for place in places)


CHECKS = (check_counts_per_thing, check_same_kind, check_single_rows, check_totals)

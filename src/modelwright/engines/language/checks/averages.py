"""What is compared with an average: of the same kind, by groups where groups were asked for."""

from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.language.catalog import Additivity, Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.vocabulary import any_case, word_set

_OF_THE_SAME = any_case(
    r"\b(?:average|mean|avg)\s+(?:\w+\s+){0,3}?(?:of|for|in|within|at|among)\s+(?:all\s+)?"
    r"(?:their|its|his|her|the same)\b"
)
"""`The average of their department`: that of the rows that share it."""
_ASKED = any_case(r"^\W*(?:which|what|list|show|find)\s+(?:(?:the|all|our|me)\s+)*(?P<noun>\w+)")
_KEY_WORDS = frozenset(map(stem, word_set("checks.key_names", "checks.name_ends")))
_AVERAGE_OF = any_case(r"\b(?:average|mean|avg)\s+(?P<word>\w+)")


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


CHECKS = (check_counts_per_thing, check_same_kind, check_single_rows, check_totals)

"""What a verified question teaches: words that nothing explained, and what its SQL shows of them.

A binding is made only where one phrase and one thing of the SQL are left over. A wrong synonym
would harm every later question, a missing one costs nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp, parse_one

from modelwright.engines.facts import Value
from modelwright.engines.language.catalog.meaning import Metric, Role, metric_column
from modelwright.engines.language.checks.literals import is_founded
from modelwright.engines.language.checks.statement import Place, Statement, Test, UnparsedError
from modelwright.engines.language.checks.unexplained import unexplained_by_names
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.linking.linking import Linker
from modelwright.engines.language.readers import ReadRequest
from modelwright.engines.language.rules.text.lexicon import concepts_at, lexicon, spelled_out
from modelwright.engines.language.rules.text.words import Word, stem
from modelwright.engines.language.written_number import as_whole, number_in

MAX_PHRASE_WORDS = 3
"""Longer runs of words that nothing explains say more than the name of one thing."""
_GAP = re.compile(r"[\s-]*")


@dataclass(frozen=True, slots=True)
class Binding:
    """Words that mean a column, a metric, or with `value` a value of a column."""

    table: str
    column: str
    """Of a metric the column that readers see of it."""
    words: str
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class _Thing:
    """What the SQL uses and no word of the question explains."""

    table: str
    column: str
    value: Value | None = None


def bindings(request: ReadRequest, sql: str, linker: Linker) -> list[Binding]:
    """Finds what words of a verified question mean that nothing explained before.

    Args:
        request: The question with its links and the catalog that readers see.
        sql: The SQL that is right for it, its metrics written out.
        linker: Links words of the tables that the question was asked of.

    Returns:
        One binding, or none where it is not certain which words mean what.
    """
    try:
        statement = Statement.read(sql, request.catalog)
    except UnparsedError:
        return []
    phrases = list(_phrases(request, statement))
    things = _Things(request, statement).found()
    if len(phrases) != 1 or things is None or len(things) != 1:
        return []
    (phrase,), (thing,) = phrases, things
    if len(phrase) > MAX_PHRASE_WORDS:
        return []
    if linker.phrases.names_of(tuple(word.stem for word in phrase)):
        return []
    said = request.question[phrase[0].start : phrase[-1].end].casefold()
    return [Binding(thing.table, thing.column, said, thing.value)]


def _phrases(request: ReadRequest, sql: Statement) -> Iterator[tuple[Word, ...]]:
    """Yields runs of words that neither the SQL nor a link explains."""
    said = QuestionWords(request)
    linked = {word.casefold() for word in request.links.unlinked}
    left = [word for word in unexplained_by_names(said, sql) if word.raw.casefold() in linked]
    run: list[Word] = []
    for word in left:
        if run and not _GAP.fullmatch(request.question[run[-1].end : word.start]):
            yield tuple(run)
            run = []
        run.append(word)
    if run:
        yield tuple(run)


class _Things:
    """Looks for what the SQL uses that no word of the question explains."""

    def __init__(self, request: ReadRequest, sql: Statement) -> None:
        self._request = request
        self._sql = sql
        self._said = QuestionWords(request)
        self._named = {(one.table, one.column) for one in request.links.names if one.column}
        self._named |= {(one.table, one.column) for one in request.links.values}

    def found(self) -> list[_Thing] | None:
        """Returns the things; None where some use of a column is more than a name can mean."""
        metric = self._metric()
        if metric is not None:
            return [_Thing(metric.table, metric_column(metric.name))]
        tested = self._unfounded_tests()
        if tested is None:
            return None
        valued = {(one.table, one.column) for one in tested}
        left = [place for place in self._unnamed() if place not in valued]
        if any(not self._is_plainly_used(place) for place in left):
            return None
        return [*tested, *(_Thing(*place) for place in left)]

    def _metric(self) -> Metric | None:
        """Returns the only metric that the SQL computes and the question does not name."""
        known = [
            metric
            for metric in self._request.catalog.metrics
            if self._computes(metric)
            and (metric.table, metric_column(metric.name)) not in self._named
        ]
        others = [place for place in self._unnamed() if not self._within(place, known)]
        return known[0] if len(known) == 1 and not others and not self._open_tests() else None

    def _computes(self, metric: Metric) -> bool:
        wanted = parse_one(metric.expression, dialect="duckdb")
        alike = self._sql.find_all(type(wanted))
        return any(_shape(one) == _shape(wanted) for one in alike)

    def _within(self, place: Place, metrics: Sequence[Metric]) -> bool:
        told = " ".join(one.expression.casefold() for one in metrics if one.table == place[0])
        return re.search(rf"(?<!\w){re.escape(place[1].casefold())}(?!\w)", told) is not None

    def _open_tests(self) -> list[Test]:
        return [
            test
            for test in self._sql.tests
            if any(not is_founded(self._said, self._sql, test, one) for one in test.literals)
        ]

    def _unfounded_tests(self) -> list[_Thing] | None:
        """Returns the values that nothing says; None where it is not one value that is named."""
        found = []
        for test in self._open_tests():
            literal = test.literals[0]
            is_value = test.operator == "=" and not test.negated and not test.aggregated
            column = test.node.find(exp.Column)
            if not is_value or len(test.columns) != 1 or len(test.literals) != 1:
                return None
            if not isinstance(test.node, exp.EQ) or column not in (test.node.left, test.node.right):
                return None
            if test.node.find_ancestor(exp.Case, exp.Filter) is not None:
                return None
            found.append(_Thing(*test.columns[0], _value(literal)))
        return found

    def _unnamed(self) -> list[Place]:
        """Returns the columns that no word names: neither keys of joins nor dates of periods."""
        joined = {place for join in self._sql.joins for place in (join.left, join.right)}
        filtered = self._by_default()
        return [
            place
            for place in sorted(self._sql.columns)
            if place not in joined | filtered and not self._is_named(place)
        ]

    def _by_default(self) -> set[Place]:
        """Gives the columns of default filters, which stand in the SQL without being asked for."""
        return {
            (table.name, column.name)
            for table in self._request.catalog.tables
            if table.default_filter
            for column in table.columns
            if re.search(rf"(?<!\w){re.escape(column.name)}(?!\w)", table.default_filter)
        }

    def _is_named(self, place: Place) -> bool:
        column = self._request.catalog.column(*place)
        if column is None or place in self._named:
            return True
        if column.role is Role.DATE and (self._request.links.periods or self._is_cut(place)):
            return True
        parts = {stem(part) for part in spelled_out(column.name)}
        parts |= {stem(part) for one in column.synonyms for part in spelled_out(one)}
        if parts & self._said.stems:
            return True
        meant = {one for told, _ in concepts_at(sorted(parts), lexicon().of_names) for one in told}
        return bool(meant & {one for told in self._said.concepts.values() for one in told})

    def _is_cut(self, place: Place) -> bool:
        """Whether a date is cut to a part of it, as `by month` asks for."""
        return any(
            self._sql.place(column) == place and isinstance(column.parent, exp.Func)
            for column in self._sql.find_all(exp.Column)
        )

    def _is_plainly_used(self, place: Place) -> bool:
        """Whether a column is shown, grouped by, sorted by or aggregated as it is."""
        uses = [one for one in self._sql.find_all(exp.Column) if self._sql.place(one) == place]
        return all(isinstance(one.parent, _PLAIN) for one in uses)


_PLAIN = (exp.Select, exp.Alias, exp.Group, exp.Ordered, exp.AggFunc, exp.Distinct)


def _shape(tree: exp.Expression) -> str:
    """Writes an expression without the tables of its columns, so that alike ones are the same."""
    made = tree.copy()
    for one in made.find_all(exp.Column):
        one.set("table", None)
        one.this.set("quoted", False)
    for one in [*made.find_all(exp.Paren)]:
        if not isinstance(one.parent, exp.Binary) and one is not made:
            one.replace(one.this)
    return str(made.sql(dialect="duckdb")).casefold()


def _value(literal: exp.Expression) -> Value:
    if isinstance(literal, exp.Boolean):
        return bool(literal.this)
    if literal.is_string:
        return str(literal.name)
    return as_whole(number_in(literal.name))

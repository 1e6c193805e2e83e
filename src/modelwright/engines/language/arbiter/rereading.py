"""Other readings of a candidate that findings point to: things for rows, a date for a value."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from modelwright.engines.language.arbiter.calibration import SWAPPED
from modelwright.engines.language.checks.findings import Code, Finding
from modelwright.engines.language.readers import Candidate


def reread(candidate: Candidate, findings: Sequence[Finding]) -> Iterator[Candidate]:
    """Yields the readings that count things for their rows, and look at a date for a value.

    Args:
        candidate: What a reader read.
        findings: What the checks found of it.

    Yields:
        Candidates that no reader read, to be offered beside it.
    """
    ways = {Code.ROWS_OF_THINGS: _count_things, Code.VALUE_OR_DATE: _look_at_date}
    for one in findings:
        way = ways.get(one.code)
        made = _changed(candidate.sql, way, one) if way else None
        if made is not None:
            told = f"{candidate.interpretation} {_SAID[one.code].format(*one.words)}".strip()
            yield replace(
                candidate,
                sql=made,
                reader=SWAPPED,
                interpretation=told,
                confidence=None,
                chart=None,
            )


_SAID = {
    Code.ROWS_OF_THINGS: "Each {1} is counted once.",
    Code.VALUE_OR_DATE: "Told by {1} instead of {0}.",
}


def _changed(
    sql: str, way: Callable[[exp.Expression, Finding], None], finding: Finding
) -> str | None:
    try:
        tree = parse_one(sql, dialect="duckdb")
    except SqlglotError:
        return None
    before = tree.sql(dialect="duckdb")
    way(tree, finding)
    made = str(tree.sql(dialect="duckdb"))
    return None if made == before else made


def _count_things(tree: exp.Expression, finding: Finding) -> None:
    key = exp.to_identifier(finding.words[1], quoted=True)
    for one in list(tree.find_all(exp.Count)):
        if isinstance(one.this, exp.Star):
            one.set("this", exp.Distinct(expressions=[exp.Column(this=key.copy())]))


def _look_at_date(tree: exp.Expression, finding: Finding) -> None:
    column, date = finding.words
    for one in list(tree.find_all(exp.NEQ)):
        if isinstance(one.left, exp.Column) and one.left.name == column:
            place = one.left.copy()
            place.set("this", exp.to_identifier(date, quoted=True))
            one.replace(exp.Is(this=place, expression=exp.Null()))

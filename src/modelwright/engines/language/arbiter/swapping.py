"""Other readings of a candidate: a rival in the place of a column that a vague word took."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from modelwright.engines.language.arbiter.calibration import SWAPPED
from modelwright.engines.language.checks.findings import Code, Finding
from modelwright.engines.language.readers import Candidate

MAX_SWAPS = 2
"""So many rivals of a column are tried."""


def swapped(candidate: Candidate, findings: Sequence[Finding]) -> Iterator[Candidate]:
    """Gives the readings that take a rival in the place of a column.

    Args:
        candidate: What a reader read.
        findings: What the checks found of it.

    Yields:
        Candidates that no reader read, to be offered beside it.
    """
    for one in findings:
        if one.code is not Code.AMBIGUOUS_NAME:
            continue
        taken, *rivals = one.words
        for rival in rivals[:MAX_SWAPS]:
            sql = _with(candidate.sql, taken, rival)
            if sql is None or sql == candidate.sql:
                continue
            told = candidate.interpretation.replace(
                taken.replace("_", " "), rival.replace("_", " ")
            )
            yield replace(
                candidate, sql=sql, reader=SWAPPED, interpretation=told, confidence=None, chart=None
            )


def _with(sql: str, taken: str, rival: str) -> str | None:
    try:
        tree = parse_one(sql, dialect="duckdb")
    except SqlglotError:
        return None
    for column in tree.find_all(exp.Column):
        if column.name.casefold() == taken.casefold():
            column.this.replace(exp.to_identifier(rival, quoted=True))
    return str(tree.sql(dialect="duckdb"))

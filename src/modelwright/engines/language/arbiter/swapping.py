"""Other readings of a candidate that words of the question leave open.

A rival in the place of a column that a vague word took, and the other end of an order.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sqlglot import exp, parse_one

from modelwright.engines.language.arbiter.calibration import SWAPPED, TURNED
from modelwright.engines.language.arbiter.statements import parsed
from modelwright.engines.language.checks.findings import Code, Finding
from modelwright.engines.language.readers import Candidate
from modelwright.engines.language.rules.text.words import words
from modelwright.engines.language.vocabulary import cue_words

SWAPPABLE = frozenset({Code.AMBIGUOUS_NAME, Code.WRONG_KEY})
"""Findings that name the column that was taken, and those that may be meant."""
RIVALLED = SWAPPABLE | {Code.VALUE_OR_DATE, Code.ROWS_OR_AMOUNT}
"""Findings that leave open which of two columns is meant."""
_NOT_PLAIN = ("distinct", "group", "limit", "order", "qualify")
WAYS_TO_DENY = 4
"""What tells of a denial that is ambiguous: its words, the column and its two values."""
COUNTED_FROM_AN_END = frozenset({"most", "busiest", "fewest", "least", "quietest"})
"""What says which end of a number of rows is meant, whatever else does not."""
MAX_SWAPS = 2
"""So many rivals of a column are tried."""


def swapped(candidate: Candidate, findings: Sequence[Finding]) -> Iterator[Candidate]:
    """Yields the readings that take a rival in the place of a column.

    Args:
        candidate: What a reader read.
        findings: What the checks found of it.

    Yields:
        Candidates that no reader read, to be offered beside it.
    """
    for one in findings:
        if one.code not in SWAPPABLE or not one.words:
            continue
        taken, *rivals = one.words
        for rival in rivals[:MAX_SWAPS]:
            made = with_rival(candidate, taken, rival)
            if made is not None:
                yield replace(made, reader=SWAPPED, confidence=None)


def denied_otherwise(candidate: Candidate, findings: Sequence[Finding]) -> Iterator[Candidate]:
    """Yields the other way to deny a kind: all but `Car` in the place of `No car` alone.

    Args:
        candidate: What a reader read.
        findings: What the checks found of it: the words, the column and its two values.

    Yields:
        Candidates that no reader read, to be offered beside it.
    """
    for one in findings:
        if one.code is not Code.AMBIGUOUS_VALUE or len(one.words) != WAYS_TO_DENY:
            continue
        _, column, denial, kind = one.words
        sql = _denied(candidate.sql, column, {denial: kind, kind: denial})
        if sql is not None:
            told = _denied_in_words(candidate.interpretation, denial, kind)
            yield candidate.otherwise(sql, told, SWAPPED)


def added_up(candidate: Candidate, findings: Sequence[Finding]) -> Iterator[Candidate]:
    """Yields the amount of rows that were counted: `expenses by town`.

    Args:
        candidate: What a reader read.
        findings: What the checks found of it: the table and the column of its amount.

    Yields:
        A candidate that no reader read, to be offered beside it.
    """
    told = next((one.words for one in findings if one.code is Code.ROWS_OR_AMOUNT), None)
    tree = parsed(candidate.sql) if told else None
    if told is None or tree is None:
        return
    table, column = told
    called = [one.alias_or_name for one in tree.find_all(exp.Table) if one.name == table]
    if len(called) != 1:
        return
    amount = exp.column(column, table=called[0], quoted=True)
    for one in list(tree.find_all(exp.Count)):
        if isinstance(one.parent, exp.Alias):
            one.parent.set("alias", exp.to_identifier(f"sum_{column}", quoted=True))
        one.replace(exp.Sum(this=amount.copy()))
    said = f"The sum of {column.replace('_', ' ')} in the place of the number of {table}."
    yield candidate.otherwise(str(tree.sql(dialect="duckdb")), said, SWAPPED)


def _denied_in_words(told: str, denial: str, kind: str) -> str:
    """Says the other way in a sentence that says one: `where transport is not Car`."""
    alone, but = f" is {denial}", f" is not {kind}"
    return told.replace(alone, but) if alone in told else told.replace(but, alone)


def _denied(sql: str, column: str, others: Mapping[str, str]) -> str | None:
    """Turns each test for equality with one of two values into one that it is not the other."""
    tree = parsed(sql)
    if tree is None:
        return None
    turned = {exp.EQ: exp.NEQ, exp.NEQ: exp.EQ}
    tests = [one for one in tree.find_all(exp.EQ, exp.NEQ) if one.expression.name in others]
    tests = [one for one in tests if one.this.name.casefold() == column.casefold()]
    for one in tests:
        other = exp.Literal.string(others[one.expression.name])
        one.replace(turned[type(one)](this=one.this, expression=other))
    return str(tree.sql(dialect="duckdb")) if tests else None


def turned(candidate: Candidate, question: str) -> Iterator[Candidate]:
    """Yields the other end of an order whose direction depends on the column: the `worst` day.

    Args:
        candidate: What a reader read.
        question: The question.

    Yields:
        A candidate that no reader read, to be offered beside it.
    """
    said = {word.text for word in words(question)}
    if not cue_words("turns_direction") & said:
        return
    tree = parsed(candidate.sql)
    if tree is None:
        return
    order = tree.args.get("order")
    if order is None or tree.args.get("limit") is None:
        return
    first = order.expressions[0]
    if first.find(exp.Count) and not COUNTED_FROM_AN_END.isdisjoint(said):
        return  # `what time do we get the most calls` has one end
    if isinstance(first, exp.Ordered):
        first.set("desc", not first.args.get("desc"))
        first.set("nulls_first", None)
        told = f"{candidate.interpretation} The other way round.".strip()
        sql = str(tree.sql(dialect="duckdb"))
        yield candidate.otherwise(sql, told, TURNED)


def of_groups(candidate: Candidate, findings: Sequence[Finding]) -> Iterator[Candidate]:
    """Yields the groups whose sum has a sign, for those of which any row has: `loses money`.

    Args:
        candidate: What a reader read.
        findings: What the checks found of it.

    Yields:
        A candidate that no reader read, to be offered beside it.
    """
    if not any(one.code is Code.SIGN_OF_ROWS for one in findings):
        return
    tree = parse_one(candidate.sql, dialect="duckdb")
    clause = tree.args.get("where")
    if clause is None:  # the test stands in a join, or in a query within
        return
    where = clause.this
    tests = list(where.flatten()) if isinstance(where, exp.And) else [where]
    sign = next((one for one in tests if isinstance(one, exp.LT | exp.GT)), None)
    if sign is None or not isinstance(sign.this, exp.Column):
        return
    others = [one.copy() for one in tests if one is not sign]
    made = type(sign)(this=exp.Sum(this=sign.this.copy()), expression=sign.expression.copy())
    tree.set("having", exp.Having(this=made))
    tree.set("where", exp.Where(this=exp.and_(*others)) if others else None)
    tree.set("distinct", None)
    tree.set("group", exp.Group(expressions=[one.unalias().copy() for one in tree.selects]))
    told = candidate.interpretation.replace(" where ", " where the total ", 1)
    sql = str(tree.sql(dialect="duckdb"))
    yield candidate.otherwise(sql, told, SWAPPED)


def with_rival(candidate: Candidate, taken: str, rival: str) -> Candidate | None:
    """Puts a rival in the place of a column.

    Args:
        candidate: What a reader read.
        taken: The column that it took.
        rival: The column that may be meant.

    Returns:
        The candidate with the other column; None where its SQL does not name the first.
    """
    sql = _with(candidate.sql, taken, rival)
    if sql is None or sql == candidate.sql:
        return None
    told = candidate.interpretation.replace(taken.replace("_", " "), rival.replace("_", " "))
    return replace(candidate, sql=sql, interpretation=told, chart=None)


def by_key(sql: str, table: str, key: str) -> str | None:
    """Writes a number of rows so that each thing of a table is counted once.

    Args:
        sql: What a reader read.
        table: The table of the things that are counted.
        key: The column that tells them apart.

    Returns:
        The SQL with COUNT(DISTINCT key); None where it counts rows but once, of one such table.
    """
    tree = parsed(sql)
    if tree is None:
        return None
    called = [one for one in tree.find_all(exp.Table) if one.name == table]
    home = called[0].find_ancestor(exp.Select) if len(called) == 1 else None
    counts = [
        one
        for one in tree.find_all(exp.Count)
        if isinstance(one.this, exp.Star) and one.find_ancestor(exp.Select) is home
    ]
    if home is None or not counts:
        return None
    for one in counts:
        column = exp.column(key, table=called[0].alias_or_name, quoted=True)
        one.set("this", exp.Distinct(expressions=[column]))
    return str(tree.sql(dialect="duckdb"))


def listed_once(sql: str) -> str | None:
    """Writes a plain list of one column so that each value is told once.

    Args:
        sql: What a reader read.

    Returns:
        The SQL with DISTINCT; None where it is no such list.
    """
    tree = parsed(sql)
    if tree is None:
        return None
    plain = isinstance(tree, exp.Select) and len(tree.selects) == 1
    if not plain or tree.find(exp.AggFunc) or any(tree.args.get(one) for one in _NOT_PLAIN):
        return None
    return str(tree.distinct().sql(dialect="duckdb"))


def all_by_number(sql: str) -> str | None:
    """Writes the one commonest kind so that all kinds are told, by the number of their rows.

    Args:
        sql: What a reader read.

    Returns:
        The SQL without its limit; None where it does not rank groups by their rows.
    """
    tree = parsed(sql)
    order = tree.args.get("order") if isinstance(tree, exp.Select) else None
    limit = tree.args.get("limit") if tree is not None else None
    if tree is None or order is None or limit is None or tree.args.get("group") is None:
        return None
    counts = order.expressions[0].find(exp.Count) is not None
    if not counts or limit.expression.name != "1":
        return None
    tree.set("limit", None)
    return str(tree.sql(dialect="duckdb"))


def _with(sql: str, taken: str, rival: str) -> str | None:
    tree = parsed(sql)
    if tree is None:
        return None
    kept = _shown_beside(tree, rival)
    for old, new in {taken: rival, **_renamed(tree, taken, rival)}.items():
        for name in [*tree.find_all(exp.Column), *tree.find_all(exp.Alias)]:
            if id(name) in kept:
                continue
            part = name.args["alias"] if isinstance(name, exp.Alias) else name.this
            if part.name.casefold() == old.casefold():
                part.replace(exp.to_identifier(new, quoted=True))
    return str(tree.sql(dialect="duckdb"))


def _shown_beside(tree: exp.Expression, rival: str) -> set[int]:
    """Returns what a list of columns shows, where it shows the rival already: it stays."""
    shown = [one for one in getattr(tree, "selects", ()) if isinstance(one, exp.Column)]
    has_rival = any(one.name.casefold() == rival.casefold() for one in shown)
    return {id(one) for one in shown} if has_rival else set()


def _renamed(tree: exp.Expression, taken: str, rival: str) -> dict[str, str]:
    """Returns new names of results that are called after the column, such as `max_price`."""
    return {
        name.alias: re.sub(re.escape(taken), lambda _: rival, name.alias, flags=re.IGNORECASE)
        for name in tree.find_all(exp.Alias)
        if taken.casefold() in name.alias.casefold()
    }

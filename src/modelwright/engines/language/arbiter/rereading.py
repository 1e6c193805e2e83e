"""Other readings of a candidate that findings point to.

Things are counted for their rows, a date is looked at for a value, and two columns that hold the
halves of one thing are added: goals at home and away.
"""

from collections.abc import Callable, Iterator, Sequence

from sqlglot import exp

from modelwright.engines.language.arbiter.calibration import REREAD, SWAPPED
from modelwright.engines.language.arbiter.statements import parsed
from modelwright.engines.language.catalog.meaning import Additivity, Catalog
from modelwright.engines.language.checks.checking import tested_columns
from modelwright.engines.language.checks.findings import Code, Finding, Severity
from modelwright.engines.language.checks.outcome import check_outcome
from modelwright.engines.language.checks.periods import PERIODS
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.readers import Candidate, ReadRequest
from modelwright.engines.language.rules.text.words import words
from modelwright.engines.language.vocabulary import cue_words

MEANT_EITHER_WAY = frozenset(
    {
        Code.MEAN_OF_RATIOS,
        Code.MEAN_OF_ROWS,
        Code.HALF_KNOWN,
        Code.TOTAL_OR_MEAN,
        Code.RANK_UNSAID,
        Code.OPEN_PERIOD,
    }
)
"""What may as well be meant otherwise, so that both ways are offered."""
HALVES = 2
"""Columns that are added for what their names have in common."""


def reread(
    candidate: Candidate, findings: Sequence[Finding], catalog: Catalog
) -> Iterator[Candidate]:
    """Yields the readings that findings point to, and that nobody read.

    Args:
        candidate: What a reader read.
        findings: What the checks found of it.
        catalog: Tells which columns add up.

    Yields:
        Candidates that no reader read, to be offered beside it.
    """
    ways = {
        Code.ROWS_OF_THINGS: _count_things,
        Code.VALUE_OR_DATE: _look_at_date,
        Code.AMBIGUOUS_NAME: _add_halves,
        Code.PART_LEFT_OUT: _add_part,
        Code.MEAN_OF_RATIOS: _average_rows,
        Code.MEAN_OF_ROWS: _average_sums,
        Code.HALF_KNOWN: _of_known_rows,
        Code.TOTAL_OR_MEAN: _mean_or_total,
        Code.OPEN_PERIOD: _of_latest,
        Code.RANK_UNSAID: _rank_by_rows,
    }
    for one in findings:
        is_of_halves = one.code is not Code.AMBIGUOUS_NAME or _are_halves(one.words, catalog)
        way = ways.get(one.code) if is_of_halves else None
        made = _changed(candidate.sql, way, one) if way else None
        if made is not None:
            reader = REREAD if one.code in MEANT_EITHER_WAY else SWAPPED
            yield candidate.otherwise(made, _told(candidate.interpretation, one), reader)


def in_years(
    candidate: Candidate, findings: Sequence[Finding], said: QuestionWords
) -> Iterator[Candidate]:
    """Yields a period held against numbers that are years, where it is outside the date taken.

    Args:
        candidate: What a reader read.
        findings: What the checks found of it.
        said: The question; tells where its dates begin and end.

    Yields:
        Candidates that no reader read: `published = 1965` for loans of 1965 that began later.
    """
    request = said.request
    unsure = [one.words for one in findings if one.code is Code.AMBIGUOUS_NAME]
    if not unsure or not request.links.periods:
        return
    tested = tested_columns(candidate.sql, said)
    outside = check_outcome(request, tested, is_empty=False)
    if not any(
        one.code is Code.PERIOD_OUTSIDE and one.severity is Severity.FAULT for one in outside
    ):
        return
    for taken, *rivals in unsure:
        for rival in rivals:
            if not _tells_years(rival, request):
                continue
            made = _years_held(candidate.sql, taken, rival)
            if made is not None:
                told = candidate.interpretation.replace(
                    taken.replace("_", " "), rival.replace("_", " ")
                )
                yield candidate.otherwise(made, told, SWAPPED)


def _tells_years(name: str, request: ReadRequest) -> bool:
    """Whether a column holds whole numbers that are years."""
    found = (facts_of(request, table.name, name) for table in request.catalog.tables)
    return any(facts is not None and facts.type == "integer" for facts in found)


def _years_held(sql: str, taken: str, rival: str) -> str | None:
    """Writes years for the first days of years that a date is held against; None for other days."""
    tree = parsed(sql)
    if tree is None:
        return None
    used = [one for one in tree.find_all(exp.Column) if one.name == taken]
    for column in used:
        test = column.parent
        day = test.expression.find(exp.Literal) if isinstance(test, exp.GTE | exp.LT) else None
        year, _, first = day.name.partition("-") if day is not None else ("", "", "")
        if test is None or test.this is not column or first != "01-01" or not year.isdigit():
            return None
        test.set("expression", exp.Literal.number(int(year)))
        column.set("this", exp.to_identifier(rival, quoted=True))
    return str(tree.sql(dialect="duckdb")) if used else None


def _told(before: str, finding: Finding) -> str:
    first, second = (one.replace("_", " ") for one in (*finding.words, "")[:2])
    if finding.code is Code.AMBIGUOUS_NAME:
        return before.replace(first, f"{first} plus {second}")
    if finding.code is Code.MEAN_OF_ROWS:
        return f"The sum of {first} of each {second}, averaged over the {second}s."
    more = {
        Code.TOTAL_OR_MEAN: f"Told by the total of {first} or its average, the other way round.",
        Code.RANK_UNSAID: f"Ranked by the number of rows instead of {first}.",
        Code.MEAN_OF_RATIOS: "Divided in each row, and averaged over the rows.",
        Code.HALF_KNOWN: f"Of rows with {first} alone.",
        Code.PART_LEFT_OUT: f"Told of {first} plus {second}.",
        Code.VALUE_OR_DATE: f"Told by {second} instead of {first}.",
        Code.OPEN_PERIOD: " ".join(["From", *finding.words[2:3], "on, of one year."]),
    }
    return f"{before} {more.get(finding.code, f'Each {second} is counted once.')}".strip()


def _changed(
    sql: str, way: Callable[[exp.Expression, Finding], None], finding: Finding
) -> str | None:
    tree = parsed(sql)
    if tree is None:
        return None
    before = tree.sql(dialect="duckdb")
    way(tree, finding)
    made = str(tree.sql(dialect="duckdb"))
    return None if made == before else made


def _count_things(tree: exp.Expression, finding: Finding) -> None:
    _, column, table = finding.words
    alias = next((one.alias_or_name for one in tree.find_all(exp.Table) if one.name == table), None)
    for one in list(tree.find_all(exp.Count)):
        home = one.find_ancestor(exp.Select)
        is_of_rows = home is not None and any(
            each.name == table and each.find_ancestor(exp.Select) is home
            for each in home.find_all(exp.Table)
        )
        if isinstance(one.this, exp.Star) and is_of_rows:
            key = exp.column(column, table=alias, quoted=True)
            one.set("this", exp.Distinct(expressions=[key]))


def _look_at_date(tree: exp.Expression, finding: Finding) -> None:
    column, date = finding.words
    for one in list(tree.find_all(exp.NEQ)):
        if isinstance(one.left, exp.Column) and one.left.name == column:
            place = one.left.copy()
            place.set("this", exp.to_identifier(date, quoted=True))
            one.replace(exp.Is(this=place, expression=exp.Null()))


def _are_halves(names: Sequence[str], catalog: Catalog) -> bool:
    """Whether two columns hold the halves of one amount: their names differ by opposite words."""
    if len(names) != HALVES:
        return False
    for table in catalog.tables:
        columns = [found for one in names if (found := table.column(one))]
        if len(columns) == HALVES and all(one.additivity is Additivity.SUM for one in columns):
            parts = [{word.text for word in words(one.label)} for one in columns]
            differing = parts[0] ^ parts[1]
            return any(differing == set(pair.split()) for pair in cue_words("halves"))
    return False


def _of_known_rows(tree: exp.Expression, finding: Finding) -> None:
    """`Price per square metre` of rows with a price: the metres of others are not counted."""
    known, counted = finding.words
    for one in list(tree.find_all(exp.Div)):
        for each in list(one.find_all(exp.Sum)):
            if isinstance(each.this, exp.Column) and each.this.name == counted:
                place = each.this.copy()
                place.set("this", exp.to_identifier(known, quoted=True))
                is_known = exp.not_(exp.Is(this=place, expression=exp.Null()))
                filtered = exp.Filter(this=each.copy(), expression=exp.Where(this=is_known))
                each.replace(filtered)


def _rank_by_rows(tree: exp.Expression, finding: Finding) -> None:
    """`Top 5 countries` by the number of their rows, in the place of an amount left unsaid."""
    (name,) = finding.words
    for one in list(tree.find_all(exp.Sum)):
        if isinstance(one.this, exp.Column) and one.this.name == name:
            if isinstance(one.parent, exp.Alias):
                one.parent.set("alias", exp.to_identifier("count", quoted=True))
            one.replace(exp.Count(this=exp.Star()))


def _mean_or_total(tree: exp.Expression, finding: Finding) -> None:
    """Tells the averages of groups in the place of totals, and totals in that of averages."""
    (name,) = finding.words
    are_means = any(_is_of(one, name) for one in tree.find_all(exp.Avg))
    taken, other = (exp.Avg, exp.Sum) if are_means else (exp.Sum, exp.Avg)
    shares = [one for one in tree.find_all(exp.Div) if not are_means and _is_of(one.this, name)]
    for one in [*shares, *(each for each in list(tree.find_all(taken)) if _is_of(each, name))]:
        column = one.find(exp.Column)
        if column is not None:
            one.replace(other(this=column.copy()))
    before = {f"{kind}_{name}" for kind in (("avg",) if are_means else ("sum", "avg_sum"))}
    for alias in list(tree.find_all(exp.Alias)):
        if alias.alias in before:
            label = f"{'sum' if are_means else 'avg'}_{name}"
            alias.set("alias", exp.to_identifier(label, quoted=True))


def _is_of(one: exp.Expression, column: str) -> bool:
    """Whether an aggregate is of a plain column."""
    is_plain = isinstance(one, exp.Sum | exp.Avg) and isinstance(one.this, exp.Column)
    return is_plain and one.this.name == column


def _of_latest(tree: exp.Expression, finding: Finding) -> None:
    """`In October` as the last one, not that of every year."""
    _, column, start, end = finding.words
    for one in list(tree.find_all(exp.Month)):
        place, test = one.find(exp.Column), one.find_ancestor(exp.EQ, exp.In)
        if place is not None and place.name == column and test is not None:
            days = [exp.cast(exp.Literal.string(day), "DATE") for day in (start, end)]
            low = exp.GTE(this=place.copy(), expression=days[0])
            high = exp.LT(this=place.copy(), expression=days[1])
            test.replace(exp.Paren(this=exp.And(this=low, expression=high)))


def _average_rows(tree: exp.Expression, finding: Finding) -> None:
    """`Average price per hour` as the mean of what it is in each row, not of all hours."""
    del finding
    for one in list(tree.find_all(exp.Div)):
        top, bottom = one.this, one.expression
        sums = [each.find(exp.Sum) for each in (top, bottom)]
        if isinstance(top, exp.Sum) and all(sums):
            for each in (top, sums[1]):
                each.replace(each.this.copy())
            one.replace(exp.Avg(this=one.copy()))


def _average_sums(tree: exp.Expression, finding: Finding) -> None:
    """`Average revenue a month` as that of the sums of the months, not of the rows of each."""
    group = tree.args.get("group")
    if group is None or not isinstance(tree, exp.Select):
        return
    means = [mean for one in tree.selects for mean in one.find_all(exp.Avg)]
    if len(means) != 1:
        return
    cuts = [one for one in group.expressions if isinstance(one, PERIODS)]
    if len(cuts) > 1:
        return
    named = [one for one in group.expressions if one.name == finding.words[-1]]
    cut = next(iter([*cuts, *named]), None)
    if cut is None:
        return
    kinds = exp.Count(this=exp.Distinct(expressions=[cut.copy()]))
    none = exp.Nullif(this=kinds, expression=exp.Literal.number(0))
    made = exp.Div(this=exp.Sum(this=means[0].this.copy()), expression=none)
    label = f"avg_sum_{finding.words[0]}"
    others = [one for one in group.expressions if cuts and one is not cut]
    group.set("expressions", others) if others else tree.set("group", None)
    for clause in ("order", "limit"):
        tree.set(clause, None)
    shown = [one for one in tree.selects if one.unalias() in others]
    tree.set("expressions", [*shown, exp.alias_(made, label, quoted=True)])


def _add_part(tree: exp.Expression, finding: Finding) -> None:
    """`Pay including bonus` is of both added up; where a row has no bonus, of the pay alone.

    Rows without a bonus stay, and a total is also of those with a bonus alone.
    """
    whole, part = finding.words
    for one in list(tree.find_all(exp.Column)):
        if one.name not in finding.words or one.find_ancestor(exp.AggFunc) is None:
            continue
        first, second = one.copy(), one.copy()
        first.set("this", exp.to_identifier(whole, quoted=True))
        second.set("this", exp.to_identifier(part, quoted=True))
        is_sum = isinstance(one.find_ancestor(exp.AggFunc), exp.Sum)  # a mean is of rows with pay
        made = exp.Add(this=_or_none(first) if is_sum else first, expression=_or_none(second))
        one.replace(exp.Paren(this=made))
    _keep_without(tree, part)
    for one in list(tree.find_all(exp.Alias)):
        for name in finding.words:
            if one.alias.endswith(name):
                label = f"{one.alias.removesuffix(name)}{whole}_and_{part}"
                one.set("alias", exp.to_identifier(label, quoted=True))
                break


def _or_none(column: exp.Column) -> exp.Expression:
    return exp.Coalesce(this=column, expressions=[exp.Literal.number(0)])


def _keep_without(tree: exp.Expression, part: str) -> None:
    """Drops the conditions that a column has any: `bonus > 0`."""
    for where in list(tree.find_all(exp.Where)):
        is_and = isinstance(where.this, exp.And)
        tests = [*where.this.flatten()] if is_and else [where.this]
        kept = [one for one in tests if not _has_any(one, part)]
        if not kept:
            where.pop()
        elif len(kept) < len(tests):
            where.set("this", exp.and_(*kept))


def _has_any(test: exp.Expression, column: str) -> bool:
    is_given = isinstance(test, exp.Not) and isinstance(test.this, exp.Is)
    is_above = isinstance(test, exp.GT) and test.expression.name == "0"
    return (is_given or is_above) and [one.name for one in test.find_all(exp.Column)] == [column]


def _add_halves(tree: exp.Expression, finding: Finding) -> None:
    taken, other = finding.words
    for one in list(tree.find_all(exp.Column)):
        is_listed = isinstance(one.parent, exp.Select | exp.Alias)
        if one.name != taken or is_listed:
            continue
        half = one.copy()
        half.set("this", exp.to_identifier(other, quoted=True))
        one.replace(exp.Paren(this=exp.Add(this=one.copy(), expression=half)))
    for one in list(tree.find_all(exp.Alias)):
        if taken in one.alias:
            one.set("alias", exp.to_identifier(f"{one.alias}_and_{other}", quoted=True))

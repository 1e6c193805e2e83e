"""All checks of one candidate."""

from modelwright.engines.language.catalog.meaning import Catalog
from modelwright.engines.language.checks import (
    aggregates,
    averages,
    commands,
    comparisons,
    counted_rows,
    dates,
    dates_of_things,
    durations,
    groups,
    joins,
    kind,
    left_out,
    literals,
    money,
    negation,
    not_held,
    periods,
    ranges,
    ranking,
    restricting,
    states,
    things_asked,
    told_of,
    unexplained,
    unsaid,
    written,
)
from modelwright.engines.language.checks.findings import Code, Finding, fault
from modelwright.engines.language.checks.statement import Statement, UnparsedError
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.readers import ReadRequest

ON_WHAT_IS_ASKED = (
    groups.check_unasked_groups,
    groups.check_rates,
    comparisons.check_compared_figures,
    comparisons.check_compared_noun,
    comparisons.check_amounts,
    groups.check_valued_groups,
    ranking.check_ranked_figure,
    ranking.check_single_row,
    ranking.check_averaged_rows,
    groups.check_bare_groups,
    groups.check_listed_times,
    groups.check_repeated_kinds,
    groups.check_counted_values,
    dates.check_dates,
    dates.check_deeds,
    dates.check_deeds_told,
    durations.check_durations,
    durations.check_tenures,
    durations.check_times_asked,
    durations.check_ages_of_rows,
)
"""What is grouped, counted, compared and dated otherwise than the question asks."""
ON_WHICH_ROWS = (
    dates.check_values_and_dates,
    states.check_states,
    states.check_rows_that_are_over,
    states.check_never,
    states.check_modifiers,
    counted_rows.check_attributes,
    counted_rows.check_table_names,
    counted_rows.check_counted_things,
    counted_rows.check_counted_amounts,
    counted_rows.check_counted_figures,
    commands.check_commands,
    commands.check_commanded,
    ranking.check_records,
    ranking.check_extremes_of_groups,
    groups.check_splits,
    comparisons.check_weekends,
    averages.check_divided,
    unexplained.check_opposites,
    counted_rows.check_rows_as_groups,
    ranking.check_ranked_rows,
    averages.check_means_of_ratios,
    groups.check_valued_nouns,
    groups.check_groups_of_rows,
)
"""Words that say which rows are meant, and stand in the SQL as something else."""
CHECKS = (
    *unexplained.CHECKS,
    *literals.CHECKS,
    *negation.CHECKS,
    *ranking.CHECKS,
    *groups.CHECKS,
    *aggregates.CHECKS,
    *comparisons.CHECKS,
    periods.check_dropped_periods,
    *kind.CHECKS,
    *left_out.CHECKS,
    *not_held.CHECKS,
    *things_asked.CHECKS,
    *money.CHECKS,
    *restricting.CHECKS,
    *written.CHECKS,
    *ON_WHAT_IS_ASKED,
    *dates_of_things.CHECKS,
    *averages.CHECKS,
    *ON_WHICH_ROWS,
    *ranges.CHECKS,
    *periods.CHECKS,
    *unsaid.CHECKS,
    *told_of.CHECKS,
    *joins.CHECKS,
)
"""In the order in which findings are told."""


def check(sql: str, request: ReadRequest, said: QuestionWords | None = None) -> list[Finding]:
    """Checks SQL against the question that it is to answer.

    Args:
        sql: One SELECT in DuckDB's dialect.
        request: The question, with catalog and links.
        said: Its words, where several statements are checked.

    Returns:
        What is wrong, doubtful or worth telling; nothing where all is accounted for.
    """
    said = said or QuestionWords(request)
    try:
        statement = said.statement(sql)
    except UnparsedError as error:
        return [fault(Code.UNPARSED, f"The SQL cannot be read: {error}")]
    return list(dict.fromkeys(one for each in CHECKS for one in each(said, statement)))


def used_columns(sql: str, catalog: Catalog) -> frozenset[tuple[str, str]]:
    """Returns the tables and columns that SQL reads; none where it cannot be parsed."""
    try:
        return Statement.read(sql, catalog).columns
    except UnparsedError:
        return frozenset()


def tested_columns(sql: str, said: QuestionWords) -> frozenset[tuple[str, str]]:
    """Returns the columns that SQL compares with written values; none where it is not parsed."""
    try:
        tests = said.statement(sql).tests
    except UnparsedError:
        return frozenset()
    return frozenset(place for one in tests for place in one.columns)

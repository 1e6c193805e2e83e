"""The dates of a table that a time may be of where no word names one, the likeliest first."""

from collections.abc import Callable

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.catalog.meaning import CatalogColumn, CatalogTable, Role
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.vocabulary import word_set


def likely_dates(
    table: CatalogTable, facts: Callable[[str], ColumnFacts | None]
) -> list[CatalogColumn]:
    """Returns the dates on which something may have happened: no date of birth, unless alone.

    Args:
        table: The table of the rows spoken of.
        facts: What is known of each of its columns, by name.

    Returns:
        The table's usual date first, then those that every row has, then those that tell of what
        came later by their names or by rows that have none.
    """
    dates = [one for one in table.columns if one.role is Role.DATE]
    happened = [one for one in dates if not _parts(one) & word_set("checks.of_birth")] or dates
    trailing = word_set("catalog.trailing_dates")

    def late(one: CatalogColumn) -> tuple[bool, bool, bool]:
        known = facts(one.name)
        is_missing = known is not None and known.missing > 0
        return one.name != table.default_date, is_missing, bool(_parts(one) & trailing)

    return sorted(happened, key=late)


def _parts(column: CatalogColumn) -> set[str]:
    return set(spelled_out(column.name))

"""Words that are taken for a column and mean something else: the rows, or what is called so."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from modelwright.engines.language.index import Index
from modelwright.engines.language.linking import Term

if TYPE_CHECKING:
    from modelwright.engines.language.mentions import Mention
    from modelwright.engines.language.placed import Mentions

_WHOLE, SPELT = 0.9, 0.97


def of_entity(
    one: "Mention", terms: Sequence[Term], index: Index, tables: dict[str, list[int]]
) -> bool:
    """Whether a word for the rows of a table that names them is taken for a column like it.

    `Live in countries` of a table country speaks of no Region; `sales` are amounts first.
    """
    if one.named >= _WHOLE:
        return False
    sold = len(index.tables) == 1 and one.column.number
    if sold and "sales" in {terms[at].text for at in range(one.start, one.end)}:
        return False
    own = {term.stem for term in one.column.name.terms}
    for table, places in tables.items():
        rows = [at for at in places if one.start <= at < one.end]
        foreign = table != one.column.table or any(terms[at].stem not in own for at in rows)
        if rows and foreign and index.key(table) is not None and index.named(table):
            return True
    return False


def outnamed(one: "Mention", terms: Sequence[Term], sure: "Mentions") -> bool:
    """Whether words are another column's whole name, and only like this: no State for country."""
    if one.quality > _WHOLE:
        return False
    own = {term.stem for term in one.column.name.terms}
    return not any(terms[at].stem in own for at in range(one.start, one.end)) and any(
        one.end <= other.end for other in sure.over(one.start)
    )

"""Words that are taken for a column and mean something else: the rows, or what is called so."""

from collections.abc import Sequence

from modelwright.engines.language.rules.columns.index import Index
from modelwright.engines.language.rules.columns.linking import Term
from modelwright.engines.language.rules.columns.named_tables import own_parts
from modelwright.engines.language.rules.mentions.mention import WHOLLY_NAMED, Mention, Mentions
from modelwright.engines.language.rules.text.lexicon import lexicon

PREVAILING = 0.97
"""A better mention takes its words from columns that are only like it."""
_PEOPLE = frozenset({"person", "worker"})


def of_entity(
    one: Mention, terms: Sequence[Term], index: Index, tables: dict[str, list[int]]
) -> bool:
    """Whether a word for the rows of a table that names them is taken for a column like it.

    `Live in countries` of a table country speaks of no Region; `sales` are amounts first. `Wind
    speed` beside a table of wind farms is the column that has both words.
    """
    said = terms[one.start : one.end]
    sold = len(index.tables) == 1 and one.column.number and "sales" in {it.text for it in said}
    if one.named >= WHOLLY_NAMED or sold:
        return False
    parts = {name.written: own_parts(name) for name in index.table_names}
    return any(
        _names_rows(one, terms, table, places)
        and index.key(table) is not None
        and index.named(table)
        and not _is_beside(one, terms, parts[table], places)
        for table, places in tables.items()
    )


def _names_rows(one: Mention, terms: Sequence[Term], table: str, places: Sequence[int]) -> bool:
    """Whether words speak of a table, and the column is of another or isn't called by them."""
    rows = {terms[at].stem for at in places if one.start <= at < one.end}
    own = {term.stem for term in one.column.name.terms}
    return bool(rows) and (table != one.column.table or not rows <= own)


def _is_beside(
    one: Mention, terms: Sequence[Term], table: frozenset[str], places: Sequence[int]
) -> bool:
    """Whether words are all of the column's name, and only some of them a part of the table's."""
    own = {term.stem for term in one.column.name.terms}
    telling = {at for at in range(one.start, one.end) if terms[at].weight == 1}
    written = all(terms[at].stem in own for at in telling)
    partly = not table <= {terms[at].stem for at in places}
    return written and partly and not telling <= set(places)


def is_outnamed(one: Mention, terms: Sequence[Term], sure: Mentions) -> bool:
    """Whether words are another column's whole name, and only like this: no State for country."""
    if one.quality > WHOLLY_NAMED:
        return False
    own = {term.stem for term in one.column.name.terms}
    return not any(terms[at].stem in own for at in range(one.start, one.end)) and any(
        one.end <= other.end for other in sure.over(one.start)
    )


def of_rows(one: Mention, terms: Sequence[Term], index: Index) -> bool:
    """Whether words for the rows of the only table are taken for a column that is like them.

    They are the table's own name, `vaccinations` beside a column Vaccine, what a column numbers,
    what it tells the type of, `complaints` of Complaint Type, or whose date it is, `customers` of
    Customer Since.
    """
    said = " ".join(term.text for term in terms[one.start : one.end])
    own = {term.text for term in one.column.name.terms}
    table = said == index.tables[0].name.lower() and not own & {said, said.removesuffix("s")}
    first, alone = terms[one.start], one.end == one.start + 1
    whose = said.endswith("s") and first.stem in lexicon().entities
    whose = alone and one.column.date and (whose or bool(_PEOPLE & first.concepts))
    return table or whose or said in one.column.calls

"""Averages of things that have several rows: what an order is worth, of the lines that it has.

`Average order value` over lines of orders is no average of lines: what they add up to is divided by
how many orders they are of.
"""

from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp

from modelwright.engines.language.arbiter.statements import parsed
from modelwright.engines.language.catalog.meaning import Additivity, Catalog, Relationship
from modelwright.engines.language.readers import Candidate, ReadRequest
from modelwright.engines.language.rules.text.words import stem, words
from modelwright.engines.language.vocabulary import any_case

_ASKED = any_case(
    r"\b(?:average|avg|mean|typical|usual)\s+(?P<noun>[a-z]+)\s+(?:values?|totals?|amounts?|size|worth)\b"
)


def of_whole_things(one: Candidate, request: ReadRequest) -> Candidate:
    """Writes the average of rows so that it is one of the things that were asked for.

    Args:
        one: What a reader read.
        request: The question: `average order value by country`.

    Returns:
        The sum divided by the number of things; the candidate as it was where the rows are these
        things themselves, or their amounts do not add up.
    """
    asked = _ASKED.search(request.question)
    tree = parsed(one.sql) if asked else None
    if asked is None or not isinstance(tree, exp.Select):
        return one
    told = one.interpretation
    for average, key in _averages(tree, request.catalog, stem(asked["noun"].casefold())):
        column = average.this
        counted = exp.column(key.column, table=column.table or None, quoted=True)
        number = exp.func("NULLIF", exp.Count(this=exp.Distinct(expressions=[counted])), 0)
        average.replace(exp.Div(this=exp.Sum(this=column.copy()), expression=number))
        name = column.name.replace("_", " ")
        told = told.replace(f"average {name}", f"{name} per {asked['noun'].casefold()}")
    return replace(one, sql=tree.sql(dialect="duckdb"), interpretation=told)


def _averages(
    tree: exp.Select, catalog: Catalog, noun: str
) -> Iterator[tuple[exp.Avg, Relationship]]:
    """Yields averages of rows that lead to things of that name, and the keys that lead there."""
    read = {one.name for one in tree.find_all(exp.Table)}
    for average in list(tree.find_all(exp.Avg)):
        column = average.this
        if not isinstance(column, exp.Column):
            continue
        name = column.table or next(iter(read))
        table = catalog.table(name) if column.table or len(read) == 1 else None
        told = table.column(column.name) if table else None
        if table is None or told is None or told.additivity is not Additivity.SUM:
            continue
        if _is_called(table.row_nouns, noun):
            continue
        for key in catalog.relationships:
            things = catalog.table(key.to_table)
            if key.table == table.name and things and _is_called(things.row_nouns, noun):
                yield average, key
                break


def _is_called(nouns: tuple[str, ...], noun: str) -> bool:
    return any(noun in {word.stem for word in words(one)} for one in nouns)

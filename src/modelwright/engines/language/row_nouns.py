"""What the rows of a table are called.

People ask for `customers`, whatever the file is called that holds them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from modelwright.engines.facts import KEYLIKE
from modelwright.engines.language.rules.columns.schema import TableFacts
from modelwright.engines.language.rules.text.lexicon import lexicon, spelled_out
from modelwright.engines.language.rules.text.words import Word, stem
from modelwright.engines.language.vocabulary import cue_words, word_list, word_set, word_values

_PLAIN_TABLES = word_set("names.plain_table_stems")
_FILES = word_set("names.files")
_MONTHS = word_set("times.months", "times.short_months")
_NAMING = word_set("names.key_stems", "names.reference_stems") | {"name"}
"""Stems of what a column's name says besides whom it names."""
_TOLD_BY_COLUMNS: dict[str, list[str]] = word_values("rows.told_by_columns")
"""Nouns, the first two of which are the same things, and what such rows have columns of."""
_OTHERWISE: dict[str, list[str]] = {
    first: others for first, *others in map(str.split, word_list("rows.called_otherwise"))
}
_SHORTEST_NOUN = 3
"""Letters of the shortest part of a key's name that is a noun: `pet_id`."""
_FEWEST_TELLING = 2
"""So many columns at least tell what rows are called."""


def is_row_word(word: Word) -> bool:
    """Returns whether a word may call the rows of any table; `women` tells them apart."""
    known = lexicon().entities | lexicon().row_words
    telling = any(word.text in group for group in lexicon().aliases)
    return (word.stem in known or word.text in cue_words("rows")) and not telling


def row_nouns(table: TableFacts, key: str | None) -> tuple[tuple[str, ...], str]:
    """Returns what rows are called, in the plural, and why.

    The table's name tells it, and what its key numbers: `client_id`. Films are movies besides.
    Where neither is a usual word for rows, as of `export_2024`, what kinds of columns there are may
    tell: a contract and a tenure are those of customers.
    """
    found = [*_by_table(table.name), *_by_key(key)]
    why = "the table is called so" + ("; its key numbers them" if key else "")
    found += [other for noun in found[:1] for other in _same(noun)]
    nouns, columns = _by_columns(table)
    is_told = any(stem(noun) in lexicon().entities | lexicon().row_words for noun in found)
    if nouns and (not is_told or set(nouns) & set(found)):
        found += nouns
        why += f"; {nouns[0]} have such columns as {', '.join(columns)}"
    return tuple(dict.fromkeys(found)), why


def other_nouns(
    tables: Sequence[TableFacts], nouns: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """Returns what else the rows of each of several tables are usually called.

    Args:
        tables: The tables of a session.
        nouns: What their rows are called already, by table.

    Returns:
        Nouns by table, without those that two tables may be called, or that a column or a value of
        any is called.
    """
    if len(tables) < 2:  # noqa: PLR2004 - of one table all nouns are its rows
        return {}
    called = Counter(one for told in nouns.values() for one in set(told))
    called.update(_names_and_values(tables))
    plain = {table.name for table in tables if len(spelled_out(table.name)) == 1}
    said = {
        name: [other for noun in told for other in _OTHERWISE.get(noun, ())]
        for name, told in nouns.items()
    }
    claimed = Counter(one for name in plain for one in set(said.get(name, ())))
    return {
        name: tuple(one for one in others if not (called[one] or called[singular(one)]))
        for name, told in said.items()
        if name in plain and (others := [one for one in told if claimed[one] == 1])
    }


def _names_and_values(tables: Sequence[TableFacts]) -> Iterator[str]:
    """Yields whom columns name alone, as `customer` of customer_id, and the values of texts."""
    for table in tables:
        for column in table.columns:
            parts = [part for part in spelled_out(column.name) if stem(part) not in _NAMING]
            yield from parts if len(parts) == 1 else ()
            if column.type == "string":
                yield from (str(value).casefold() for value, _ in column.top)


def _by_table(name: str) -> Iterator[str]:
    words = [word for word in spelled_out(name) if word.isalpha() and len(word) > 1]
    plain = _FILES | _MONTHS
    telling = [word for word in words if stem(word) not in _PLAIN_TABLES and word not in plain]
    yield from map(_plural, (telling or words)[-1:])


def _by_key(key: str | None) -> Iterator[str]:
    parts = [part for part in spelled_out(key or "") if part.isalpha()]
    parts = [part for part in parts if len(part) >= _SHORTEST_NOUN]
    if parts and not KEYLIKE.fullmatch(parts[0]):
        yield _plural(parts[0])


def _same(noun: str) -> Iterator[str]:
    """Yields the other usual name of the same things: movies, of films."""
    for nouns in map(str.split, _TOLD_BY_COLUMNS):
        if noun in nouns[:2]:
            yield from nouns[:2]


def _by_columns(table: TableFacts) -> tuple[list[str], list[str]]:
    """Returns what rows with such columns are called, and the columns that tell it.

    Nothing is told where two kinds of rows are as likely, or where a column names them: rows with a
    customer, or a customer's number, are no customers.
    """
    names = {one.name: [stem(part) for part in spelled_out(one.name)] for one in table.columns}
    columns = {part: name for name, parts in names.items() for part in parts}
    named = {parts[0] for parts in names.values() if parts and set(parts[1:]) <= _NAMING}
    told = {
        nouns: dict.fromkeys(columns[part] for part in map(stem, words) if part in columns)
        for nouns, words in _TOLD_BY_COLUMNS.items()
        if named.isdisjoint(map(stem, nouns.split()))
    }
    most = max(map(len, told.values()), default=0)
    likeliest = [nouns for nouns, telling in told.items() if len(telling) == most]
    if most < _FEWEST_TELLING or len(likeliest) > 1:
        return [], []
    return likeliest[0].split(), list(told[likeliest[0]])


def _plural(word: str) -> str:
    if word.endswith("s"):
        return word
    if word.endswith("y") and word[-2:-1] not in set("aeiou"):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("x", "ch", "sh")) else "s")


def singular(noun: str) -> str:
    """Returns one of many things: `branch` of branches, `company` of companies."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    if noun.endswith(("xes", "ches", "shes", "sses")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun

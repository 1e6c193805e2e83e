"""The words of DuckDB's SQL that models write, from `sql_words.toml`."""

import tomllib
from functools import cache
from importlib.resources import files

import msgspec


class SqlWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lists of words by what they are for; `sql_words.toml` says it of each."""

    keywords: tuple[str, ...]
    types: tuple[str, ...]
    units: tuple[str, ...]
    after_tables: tuple[str, ...]
    functions: tuple[str, ...]
    date_functions: tuple[str, ...]
    prefixes: tuple[str, ...]
    endings: tuple[str, ...]
    outputs: tuple[str, ...]
    date_outputs: tuple[str, ...]
    queries: tuple[str, ...]
    reserved: frozenset[str]


@cache
def sql_words() -> SqlWords:
    """Reads the lists once."""
    text = files(__package__).joinpath("sql_words.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), SqlWords)

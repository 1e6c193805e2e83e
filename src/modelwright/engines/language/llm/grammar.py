"""A grammar (GBNF) of SELECT statements in which only the schema's names can be written.

It bounds words, not syntax: a model that may only write names that are there still has to put them
in order, which it does well, and the engine checks. See
https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md.
"""

from collections.abc import Iterable
from functools import lru_cache

from modelwright.engines.language.llm.schema_view import SchemaView
from modelwright.engines.language.llm.sql_words import sql_words

LONGEST_TEXT_CHARS = 80
"""How long a text in quotes may grow; a model that repeats itself ends there."""
KEPT_GRAMMARS = 64
OTHER = "other"
"""What a table is called that is joined to itself."""
_Names = tuple[tuple[str, tuple[str, ...]], ...]


def grammar_of(view: SchemaView) -> str:
    """Writes the grammar of statements over a view.

    Args:
        view: The schema as models see it.

    Returns:
        GBNF whose root is a SELECT statement or the word CANNOT.
    """
    names = ((table.alias, tuple(one.alias for one in table.columns)) for table in view.tables)
    selves = tuple(sorted({one.table for one in view.joins if one.table == one.to_table}))
    return _grammar(tuple(names), selves)


@lru_cache(KEPT_GRAMMARS)
def _grammar(tables: _Names, selves: tuple[str, ...]) -> str:
    words = sql_words()
    columns = sorted({column for _, names in tables for column in names})
    functions = [*words.functions, *map(_in_capitals, words.functions)]
    rules = {
        "root": '"CANNOT" | ("SELECT" | "WITH " query " AS (SELECT") rest',
        "rest": '[)*]* ";"? | gap (item | naming) rest | gap source unnamed | "::" type rest',
        # A table takes no alias: models forget what they called which.
        "unnamed": '[)*]* ";"? | gap item rest | gap source unnamed',
        "gap": "[ \\n(),+*/<>=!|%-] [ \\n(),+*/<>=!|%-]{0,7}",
        "item": "keyword | call | name | output | moment | text | number",
        "keyword": _any(words.keywords),
        "call": '(function "(" item?) | ("EXTRACT(" unit " FROM " name)',
        "function": _any(functions),
        "source": '("FROM" | "JOIN") [ \\n] ("(SELECT" | query | table)' + _self_joins(selves),
        "naming": '"AS " (new | type | "(SELECT") | query " AS (SELECT"',
        "new": f'output | column | (column | table) "_" ({_any(words.endings)}) | dates',
        "dates": _any(words.date_outputs),
        "output": f'{_any(words.outputs)} | ({_any(words.prefixes)}) "_" (column | table)',
        "moment": '"INTERVAL " (number | text) (" " unit "S"?)? | "DATE " text',
        "name": " | ".join(_references(tables, selves)),
        "table": _any(sorted(name for name, _ in tables)),
        "query": _any(words.queries),
        "column": _any(columns),
        "type": _any(words.types),
        "unit": _any(words.units),
        "text": f'"\'" ([^\'\\n] | "\'\'"){{0,{LONGEST_TEXT_CHARS}}} "\'"',
        "number": '[0-9]{1,15} ("." [0-9]{1,10})?',
    }
    return "\n".join(f"{name} ::= {rule}" for name, rule in rules.items()) + "\n"


def _in_capitals(function: str) -> str:
    """Writes a function in capitals, but for those that begin as the alias T1 would."""
    return function if function.startswith("t") else function.upper()


def _references(tables: _Names, selves: tuple[str, ...]) -> list[str]:
    """Lists how columns are referred to: where there are several tables, only with their table.

    A model that must name the table finds the one that has the column, and joins it.
    """
    qualified = [f'"{table}." ({_any(names)})' for table, names in tables if names]
    bare = [_any(tables[0][1])] if len(tables) == 1 else []
    others = f'(query | "{OTHER}")' if selves else "query"
    return [*bare, *qualified, f'{others} "." (column | output)']


def _self_joins(tables: tuple[str, ...]) -> str:
    """Lets tables be joined to themselves whose rows point to others of their own."""
    return f' | "JOIN " ({_any(tables)}) " AS {OTHER}"' if tables else ""


def _any(words: Iterable[str]) -> str:
    return " | ".join(f'"{word}"' for word in words)

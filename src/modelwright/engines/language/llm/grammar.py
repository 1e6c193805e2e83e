"""A grammar (GBNF) of SELECT statements in which only the schema's names can be written.

It bounds words, not syntax: a model that may only write names that are there still has to put them
in order, which it does well, and the engine checks. See
https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from modelwright.engines.language.llm.schema_view import SchemaView
from modelwright.engines.language.llm.sql_words import sql_words

LONGEST_TEXT_CHARS = 80
"""How long a text in quotes may grow; a model that repeats itself ends there."""
KEPT_GRAMMARS = 64
"""Grammars of the tables asked last; making one takes longer than reading a question."""
OTHER = "other"
"""What a table is called that is joined to itself."""
DATE_TYPES = ("DATE", "TIMESTAMP")
_Names = tuple[tuple[str, tuple[str, ...]], ...]


def grammar_of(view: SchemaView) -> str:
    """Writes the grammar of statements over a view.

    Args:
        view: The schema as models see it.

    Returns:
        GBNF whose root is a SELECT statement or the word CANNOT.
    """
    names = tuple((table.alias, tuple(one.alias for one in table.columns)) for table in view.tables)
    selves = tuple(sorted({one.table for one in view.joins if one.table == one.to_table}))
    types = (one.sql_type for table in view.tables for one in table.columns)
    return _grammar(names, selves, has_dates=any(one.startswith(DATE_TYPES) for one in types))


@lru_cache(KEPT_GRAMMARS)
def _grammar(tables: _Names, selves: tuple[str, ...], *, has_dates: bool) -> str:
    """Writes the rules of SELECT over the tables' names, in the notation of llama.cpp."""
    words = sql_words()
    columns = sorted({column for _, names in tables for column in names})
    functions = [*words.functions, *(words.date_functions if has_dates else ())]
    rules = {
        "root": '"CANNOT" | ("SELECT" | "WITH " query " AS (SELECT") rest',
        "rest": '[)*]* ";"? | gap (item | naming) rest | gap source unnamed | "::" type rest',
        "unnamed": '[)*]* ";"? | gap after rest | gap source unnamed | [)] gap item rest',
        "gap": "[ \\n(),+*/<>=!|%-] [ \\n(),+*/<>=!|%-]{0,7}",
        "item": "keyword | call | name | output | text | number" + (" | moment" * has_dates),
        "keyword": _any(words.keywords),
        "after": _any(words.after_tables),
        "call": 'function "(" (item | bare)?',
        "bare": _any(_unambiguous(tables)) or "name",
        "function": _any([*functions, *map(_in_capitals, functions)]),
        "source": '("FROM" | "JOIN") [ \\n] ("(SELECT" | query | table)' + _self_joins(selves),
        "naming": '"AS " (new | type | "(SELECT") | query " AS (SELECT"',
        "new": "output | column | dates",
        "dates": _any(words.date_outputs),
        "output": _any(words.outputs),
        "name": " | ".join(_references(tables, selves)),
        "table": _any(sorted(name for name, _ in tables)),
        "query": _any(words.queries),
        "column": _any(columns),
        "type": _any(words.types),
        "text": f'"\'" ([^\'\\n] | "\'\'"){{0,{LONGEST_TEXT_CHARS}}} "\'"',
        "number": '[0-9]{1,15} ("." [0-9]{1,10})?',
    }
    if has_dates:
        rules["call"] += ' | "EXTRACT(" unit " FROM " name'
        rules["unit"] = _any(words.units)
        rules["keyword"] += ' | "BY " dates'
        rules["after"] += ' | ("GROUP" | "ORDER") " BY " dates'
        rules["moment"] = '"INTERVAL " (number | text) (" " unit "S"?)? | "DATE " text'
    return "\n".join(f"{name} ::= {rule}" for name, rule in rules.items()) + "\n"


def _in_capitals(function: str) -> str:
    """Writes a function in capitals, but for those that begin as the alias T1 would."""
    return function if function.startswith("t") else function.upper()


def _unambiguous(tables: _Names) -> list[str]:
    """Lists the columns that one table alone has; joining gives them their table."""
    seen = Counter(column for _, names in tables for column in names)
    return sorted(column for column, times in seen.items() if times == 1)


def _references(tables: _Names, selves: tuple[str, ...]) -> list[str]:
    """Lists how columns are referred to: where there are several tables, with their table.

    A model that must name the table finds the one that has the column.
    """
    qualified = [f'"{table}." ({_any(names)})' for table, names in tables if names]
    bare = ["column"] if len(tables) == 1 else []
    others = f'(query | "{OTHER}")' if selves else "query"
    return [*bare, *qualified, f'{others} "." (column | output)']


def _self_joins(tables: tuple[str, ...]) -> str:
    """Lets tables be joined to themselves whose rows point to others of their own."""
    return f' | "JOIN " ({_any(tables)}) " AS {OTHER}"' if tables else ""


def _any(words: Iterable[str]) -> str:
    return " | ".join(f'"{word}"' for word in words)

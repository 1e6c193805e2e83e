"""What a query may say: one reading statement over the session's tables, nothing else.

The tree is DuckDB's own, so there is no second parser to disagree with; all that is not on a
list is refused. The statement's type proves nothing (a CTE may write, a function may act).
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from modelwright.engines.sql import pivot_statements
from modelwright.engines.sql.error_messages import closest_name, safe_message
from modelwright.engines.sql.failures import Refused

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MOST_CHARACTERS = 100_000
"""Characters of a statement; parsing takes time and memory with its length."""
READING_STATEMENTS = (
    "Only statements that read are allowed: SELECT, WITH, FROM, VALUES, PIVOT, UNPIVOT, "
    "SUMMARIZE, DESCRIBE or SHOW TABLES."
)
PLAIN = frozenset(("literal", "sample_size", "qualified_name"))
"""Members that hold no part of the statement that could act."""
OWN_SCHEMAS = (["main"], ["memory", "main"])
OPEN_COMMENT = "unterminated /* comment"
"""What DuckDB says of a comment without an end."""
NO_POSITION = 2**64 - 1
"""What DuckDB says where a part of the tree has no place in the text."""

Scope = frozenset[str]


@cache
def _allowlists() -> Any:
    return json.loads(files(__package__).joinpath("allowed.json").read_text("utf-8"))


@cache
def allowed_names() -> dict[str, frozenset[str]]:
    """Reads the lists of what a query may hold.

    Returns:
        Names in lower case: kinds of parts of the tree under `expression` and `node`, functions
        under `scalar` and `table`, and more lists.
    """
    names = {
        kind: frozenset(" ".join(lines).lower().split())
        for kind, lines in _allowlists().items()
        if kind != "elsewhere"
    }
    names["scalar"] |= names["aggregate"] | names["window"]
    return names


def validate_statement(sql: str, tables: Sequence[str], connection: "DuckDBPyConnection") -> str:
    """Returns the statement, without what trails it, once everything in it is on a list.

    Args:
        sql: The statement, not trusted.
        tables: The names of the session's tables.
        connection: Any DuckDB connection, to parse with.

    Returns:
        The statement without semicolons and comments behind it.

    Raises:
        Refused: It has several statements or none, does not only read, takes parameters, or names a
            table or function that is not on the lists.
    """
    if len(sql) > MOST_CHARACTERS:
        raise Refused(f"The SQL is longer than {MOST_CHARACTERS:,} characters; shorten it.")
    if "\0" in sql or any("\ud800" <= sign <= "\udfff" for sign in sql):
        raise Refused("The SQL holds characters that are not text; remove them.")
    statement = pivot_statements.without_tail(sql)
    if "/*" in sql[len(statement) :] and OPEN_COMMENT in _error(sql, connection):
        raise Refused("The comment that begins with /* has no end; write */ behind it.")
    tree = _tree(statement, connection)
    try:
        _Check(statement, tables).walk(tree)
    except RecursionError:
        raise Refused("The SQL is nested too deeply; simplify it.") from None
    return statement


def _tree(sql: str, connection: "DuckDBPyConnection") -> Any:
    parsed = _parsed(sql, connection)
    if parsed["error"] and parsed["error_type"] == "not implemented":
        completed = pivot_statements.completed(sql)
        if completed is None:
            raise Refused(READING_STATEMENTS, 0)
        parsed = _parsed(completed, connection)
        if parsed["error"]:
            raise Refused("This PIVOT cannot be checked; name its values: PIVOT t ON c IN (…).", 0)
    if parsed["error"]:
        at = parsed.get("position")
        raise Refused(safe_message(parsed["error_message"]), _place(sql, at and int(at)))
    statements = parsed["statements"]
    if not statements:
        raise Refused("There is no statement; write one, for example SELECT * FROM a table.")
    if len(statements) > 1:
        raise Refused(f"Send one statement at a time; here are {len(statements)}.")
    return statements[0]


def _parsed(sql: str, connection: "DuckDBPyConnection") -> Any:
    row = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchone()
    try:
        return json.loads(row[0]) if row else None
    except RecursionError:
        raise Refused("The SQL is nested too deeply; simplify it.") from None


def _error(sql: str, connection: "DuckDBPyConnection") -> str:
    return str(_parsed(sql, connection).get("error_message", ""))


def _place(sql: str, at: int | None) -> int | None:
    """The character that byte `at` of the SQL belongs to."""
    if at is None or at >= NO_POSITION:
        return None
    return len(sql.encode()[:at].decode(errors="ignore"))


class _Check:
    """One walk over one tree; names in scope travel with each part of it."""

    def __init__(self, sql: str, tables: Sequence[str]) -> None:
        self.sql = sql
        self.tables = {name.lower(): name for name in tables}

    def walk(self, tree: Any) -> None:
        open_parts: list[tuple[Any, Scope]] = [(tree, frozenset())]
        while open_parts:
            part, scope = open_parts.pop()
            if isinstance(part, list):
                open_parts.extend((member, scope) for member in part)
            elif isinstance(part, dict):
                open_parts.extend(self.within(part, scope))

    def within(self, node: dict[str, Any], scope: Scope) -> Iterator[tuple[Any, Scope]]:
        """Checks a node, and yields what is below it with the names that it may use."""
        self.kind(node)
        yield from self.ctes(node, scope)
        scope |= {cte["key"].lower() for cte in _ctes(node)}
        kind = node.get("class") or node.get("type")
        if kind in {"FUNCTION", "WINDOW"}:
            self.function(node, "scalar")
        elif kind == "BASE_TABLE":
            self.table(node, scope)
        elif kind == "SHOW_REF":
            self.show(node)
        elif kind == "TABLE_FUNCTION":
            node["function"]["query_location"] = node.get("query_location")
            self.function(node["function"], "table")
            yield node["function"]["arguments"], scope
        for name, member in node.items():
            if kind == "RECURSIVE_CTE_NODE" and name == "right":
                own = node["cte_name"].lower()
                yield member, scope | {own, "recurring." + own}
            elif name not in PLAIN and name != "cte_map" and not _is_table_call(kind, name):
                yield member, scope

    def ctes(self, node: dict[str, Any], scope: Scope) -> Iterator[tuple[Any, Scope]]:
        """Each common table expression sees those before it, never itself or later ones."""
        for cte in _ctes(node):
            yield cte["value"], scope
            scope |= {cte["key"].lower()}

    def kind(self, node: dict[str, Any]) -> None:
        expression, kind = node.get("class"), node.get("type")
        if expression is None and isinstance(kind, str) and not _is("node", kind):
            raise Refused(READING_STATEMENTS, self.at(node))
        if expression is not None and not _is("expression", expression):
            if expression == "PARAMETER":
                raise Refused("Parameters have no values here; write them out.", self.at(node))
            raise Refused(f"{expression} is not allowed in a query.", self.at(node))

    def function(self, node: dict[str, Any], kind: str) -> None:
        name = str(node.get("function_name", "")).lower()
        if node.get("class") not in {"FUNCTION", "WINDOW"} or not _is(kind, name):
            elsewhere = _allowlists()["elsewhere"]
            found = closest_name(name, allowed_names()[kind] | elsewhere.keys())
            message = f'The function "{name}" is not available in queries.'
            raise Refused(message, self.at(node), elsewhere.get(found, found))

    def table(self, node: dict[str, Any], scope: Scope) -> None:
        *schema, name = (part.lower() for part in node["qualified_name"]["path"])
        visible = ".".join([*schema, name]) in scope and schema in ([], ["recurring"])
        if visible or (name in self.tables and (not schema or schema in OWN_SCHEMAS)):
            return
        if not schema:
            names = {cte for cte in scope if "." not in cte} | set(self.tables.values())
            suggestion = closest_name(name, names)
        else:
            suggestion = self.tables.get(name)
        written = ".".join(node["qualified_name"]["path"])
        there = ", ".join(f'"{one}"' for one in self.tables.values())
        message = f'There is no table "{written}" in this session; it has {there}.'
        raise Refused(message, self.at(node), suggestion)

    def show(self, node: dict[str, Any]) -> None:
        path = [part.lower() for part in node["qualified_name"]["path"]]
        if node["query"] is None and path != ['"tables"'] and path[0] not in self.tables:
            raise Refused("Write SHOW TABLES, or DESCRIBE with a table.", 0, "SHOW TABLES")

    def at(self, node: dict[str, Any]) -> int | None:
        return _place(self.sql, node.get("query_location"))


def _is(kind: str, name: str) -> bool:
    return name.lower() in allowed_names()[kind]


def _ctes(node: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (node.get("cte_map") or {}).get("map", [])
    return found


def _is_table_call(kind: str | None, member: str) -> bool:
    return kind == "TABLE_FUNCTION" and member == "function"

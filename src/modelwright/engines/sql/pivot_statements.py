"""Reads the text of a statement by DuckDB's tokens: its tail, and PIVOTs that name no values.

`PIVOT t ON c` needs the values of c first, so DuckDB parses it as several statements and gives
no tree. With stand-in values it is one, whose parts are those of the original.
"""

from dataclasses import dataclass

STAND_IN = b") IN ('')"
ENDS = frozenset((b"USING", b"GROUP", b"ORDER", b"LIMIT", b"UNION", b"INTERSECT", b"EXCEPT"))
OPENING = frozenset((b"(", b"[", b"{"))
CLOSING = frozenset((b")", b"]", b"}"))


@dataclass(frozen=True, slots=True)
class SqlToken:
    """A token's upper-case text and where it lies in the SQL, in bytes."""

    text: bytes
    start: int
    end: int


def without_tail(sql: str) -> str:
    """Cuts the semicolons and comments that follow the last word.

    Args:
        sql: A statement.

    Returns:
        The statement without them, empty where there is no word.
    """
    raw, tokens = sql.encode(), _tokens(sql)
    while tokens and tokens[-1].text == b";":
        tokens.pop()
    return raw[: tokens[-1].end].decode() if tokens else ""


def completed(sql: str) -> str | None:
    """Returns every PIVOT stand-in values for its columns.

    Args:
        sql: A statement.

    Returns:
        The completed statement, or None where it has no PIVOT.
    """
    raw, tokens = sql.encode(), _tokens(sql)
    inserts = [
        insert
        for index, token in enumerate(tokens)
        if token.text in {b"PIVOT", b"PIVOT_WIDER"}
        for start, end in _columns(tokens[index + 1 :])
        for insert in ((start, b"("), (end, STAND_IN))
    ]
    for place, text in sorted(inserts, reverse=True):
        raw = raw[:place] + text + raw[place:]
    return raw.decode() if inserts else None


def _columns(tokens: list[SqlToken]) -> list[tuple[int, int]]:
    """Where each pivot column starts and ends, in the tokens that follow a PIVOT."""
    depth, columns = 0, [list[SqlToken]()]
    on = False
    for token in tokens:
        if depth == 0 and (token.text in CLOSING or (on and token.text in ENDS)):
            break
        if depth == 0 and token.text == b"ON":
            on, columns = True, [[]]
        elif depth == 0 and token.text == b",":
            columns.append([])
        else:
            columns[-1].append(token)
        depth += (token.text in OPENING) - (token.text in CLOSING)
    return [(parts[0].start, parts[-1].end) for parts in columns if on and parts]


def _tokens(sql: str) -> list[SqlToken]:
    import duckdb  # noqa: PLC0415 - heavy, kept out of start-up

    raw, marks = sql.encode(), duckdb.tokenize(sql)
    found = []
    for index, (start, kind) in enumerate(marks):
        end = marks[index + 1][0] if index + 1 < len(marks) else len(raw)
        if kind != duckdb.token_type.comment:
            text = raw[start:end].rstrip()
            found.append(SqlToken(text.upper(), start, start + len(text)))
    return found

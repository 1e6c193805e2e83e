"""Names and texts as SQL writes them: for DuckDB and every database that keeps to the standard."""


def quoted(name: str) -> str:
    """Quotes a name, so that it is one whatever it holds."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quotes a text, so that it ends where it ends."""
    return "'" + text.replace("'", "''") + "'"

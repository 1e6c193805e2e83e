"""Names and texts as SQL writes them: for DuckDB and every database that keeps to the standard."""


def quoted(name: str) -> str:
    """Quotes a name, so that it is one whatever it holds.

    Args:
        name: A name.

    Returns:
        The name in double quotation marks.
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quotes a text, so that it ends where it ends.

    Args:
        text: A text.

    Returns:
        The text in single quotation marks.
    """
    return "'" + text.replace("'", "''") + "'"

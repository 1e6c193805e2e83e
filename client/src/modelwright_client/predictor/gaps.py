"""Words that stand in a table where nothing is known."""

MISSING_WORDS = (
    "na", "n/a", "n.a.", "#n/a", "nan", "null", "none", "nil", "?", "-", "--", "\\n", "unknown"
)  # fmt: skip
_NOTHING = frozenset({"", *MISSING_WORDS})


def says_nothing(text: str) -> bool:
    """Says whether a text is blank or such a word, in whatever case."""
    return text.strip().lower() in _NOTHING

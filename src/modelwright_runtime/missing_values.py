"""Words that stand in a table where nothing is known."""

MISSING_WORDS = (
    "na", "n/a", "n.a.", "#n/a", "nan", "null", "none", "nil", "?", "-", "--", "\\n", "unknown",
    ".", "\u2013", "\u2014", "<na>", "(null)", "#value!", "#ref!", "#div/0!", "#num!", "#name?",
    "missing",
)  # fmt: skip
_CLASSES = frozenset({"none", "nil", "unknown", "missing"})
_NOTHING = frozenset({"", *MISSING_WORDS})


def says_nothing(text: str) -> bool:
    """Returns whether a text is blank or such a word, in whatever case.

    Args:
        text: A string of a table.

    Returns:
        True for blanks and for words such as `n/a`.
    """
    return text.strip().lower() in _NOTHING


def no_class(text: str) -> bool:
    """Returns whether a text, as a class, can only mean that nothing is known.

    Args:
        text: A string of a target.

    Returns:
        False for words such as `none`, which are often a class.
    """
    return says_nothing(text) and text.strip().lower() not in _CLASSES

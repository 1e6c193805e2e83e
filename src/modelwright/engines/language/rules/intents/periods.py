"""Times that are yet to come in intents of rows: `who leaves next month`, `tomorrow's flights`.

A model answers rows, not times: what will be over all of them next month is a forecast. Whether a
row turns out one way or the other is no less a question of rows where it is asked of next month.
"""

import re

from modelwright.engines.language.rules.intents.shapes import asks_which_or_whether
from modelwright.engines.language.rules.text.targets import is_thing
from modelwright.engines.language.rules.text.words import fold

_UNIT = (
    r"(?:second|minute|hour|day|week|month|quarter|year|season|semester|term|winter|summer|spring"
    r"|autumn|weekend|night|morning|evening|afternoon)s?"
)
_NUMBER = r"(?:\d+|an?|one|two|three|four|five|six|seven|ten|twelve|thirty|few|couple of)"
_PERIOD = re.compile(
    r"(?:,? ?\b(?:in|for|over|during|within|by|on|at|until) )?"
    rf"(?:\b(?:the )?(?:next|coming|upcoming|following) (?:{_NUMBER} )?{_UNIT}\b"
    rf"|\btomorrow\b(?: {_UNIT}\b)?|(?<=in ){_NUMBER} {_UNIT}\b)(?:'s?\b)?",
    re.IGNORECASE,
)
_OF_ROWS = re.compile(
    rf"\b(?:(?:next|coming|upcoming|following) {_UNIT}|tomorrow)'s? (?P<rows>[a-z]+s)\b",
    re.IGNORECASE,
)
_ASKS_A_FIGURE = re.compile(
    r"\b(?:how (?:many|much)|number of|forecast\w*|project\w*|trend\w*|outlook|total|sum|share"
    r"|rate|count)\b",
    re.IGNORECASE,
)


def without_periods(intent: str) -> str:
    """Leaves times that are yet to come out of an intent."""
    return " ".join(_PERIOD.sub(" ", intent).split())


def asks_of_rows(intent: str, task: str) -> bool:
    """Returns whether an intent asks something of each row, though it names a time to come.

    Args:
        intent: What a user wants to predict, in words.
        task: The task of the column that it means without the time.

    Returns:
        Whether rows that turn out one way or the other are asked for, or the rows of that time.
    """
    rows = _OF_ROWS.search(intent)
    if rows and is_thing(fold(rows["rows"])):
        return True
    is_of_rows = task == "binary" and asks_which_or_whether(fold(intent))
    return is_of_rows and not _ASKS_A_FIGURE.search(intent)

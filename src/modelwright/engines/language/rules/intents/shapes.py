"""What form of answer an intent asks for, and how well a column could give it.

Where words leave several columns open, the form decides: `how many` wants a number, `will it` yes
or no. It is a weight and no rule, as people ask for a number when they want to know whether.
"""

import re
from functools import lru_cache

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.intents.tasks import BINARY_VALUES, MOST_CLASSES
from modelwright.engines.language.rules.text.roots import irregular
from modelwright.engines.language.rules.text.words import name_parts

_AUX = r"will|would|is|are|was|were|does|do|did|has|have|had|can|could|should|gets?"
_YES_NO = re.compile(
    r"\b(whether|if|will|is|are|does|do|did|can|probability|likelihood|likely|chances?|risk"
    r"|detect|flag|spot|whom?|diagnose|identify|decide)\b"
)
_WHICH_ROWS = re.compile(
    r"^whom?\b|\bwhich (?:\w+ ){0,2}?(?!(?:does|is|was|has)\b)\w+(?<!s)s "
    r"(?:will|are|is|do|have|get|can|won't|\w+)\b"
)
_WHICH_ONE = re.compile(
    rf"\b(?:which(?! (?:{_AUX})\b)|what) (?:(?:kind|type|sort) of )?\w+(?<!s) (?!of\b)"
)
_OF_WHICH_KIND = re.compile(r"\b(?:which|what) (?:kind|type|sort)s?\b|^where\b")
_HOW_MUCH = re.compile(
    r"\b(how (much|many|long|old|far|late|high|heavy|tall|strong(ly)?|expensive|costly|big|large"
    r"|fast|deep|hot|cold|warm|wet|dry|soon|often|quick(ly)?|frequently|thick|hard|thirsty|wide"
    r"|loud|fat|regularly)"
    r"|prices?|costs?|amounts?|sums?|regression|number of|average|expected"
    r"|what (?:share|percentage|proportion)"
    r"|what (?!method|means|way|kind|type)\w+ .*\b(pay|cost|earn|weigh|spend|borrow)s?)\b"
)
_WHEN = re.compile(
    r"^(?:(?:predict|estimate|forecast|tell me|find out|know) )?"
    r"when (?:will|would|does|do|did|is|are|was|were|can|should|must|has)\b"
)
_OF_DATES = re.compile(r"\b(?:when|dates?|days?|times?|months?|years?)\b")
_OPEN = ("how ", "what ", "where ", "when ", "why ")
"""Questions that begin so are not answered by yes or no."""
_HOW_SURE = re.compile(r"^how (?:likely|probable|sure|certain|often)\b")
_EITHER = re.compile(
    r"\b(or not|(good|safe) or (bad|risky)|(?:good|bad) (?P<one>\w+) or (?:good|bad) (?P=one)"
    r"|bad or good|yes or no)\b|^[a-z]+s or [a-z]+s\??$"
)
_UNITS = {
    "length": r"how (?:deep|high|tall|wide|thick)\b|how far (?:in|down|up)",
    "speed": r"how fast",
    "sound": r"how loud",
    "time": r"how long|how soon|how fast|how quick(?:ly)?|how late|when will|\beta\b"
    r"|time (?:to|until|in|on|spent|taken)|duration|lead time"
    r"|(?:how (?:many|much)|in|number of) (?:minutes|hours|days|weeks|months|seconds|time)",
    "money": r"how much money|how many (?:euros|dollars|francs|cents)|how expensive"
    r"|how much .*\b(?:pays?|costs?|spends?|earns?|owes?"
    r"|worth|sell for|charge|donate|give|tip|borrow|makes?|bill|invest in)\b"
    r"|\b(?:prices?|costs?|fare|salary|rent|fee|revenue|bill|premium|payout)\b"
    r"|what .*\b(?:pay|cost|earn|charge|spend)s?\b",
    "distance": r"how far(?! (?:in|down|up))|how many (?:miles|kilomet\w+|km)|distance",
    "weight": r"how heavy|\bweigh|how many (?:kg|kilos|tonnes|tons|pounds)",
    "share": r"how often|what (?:share|percentage|proportion|fraction)|percentage|\brate\b",
    "heat": r"how (?:hot|cold|warm)|temperature|degrees",
    "age": r"how old|what age|what year|which year|when (?:was|were|did)|year .*built|\bage\b",
}
_PAST = rf"(?:\w{{2,}}ed|{'|'.join(sorted(irregular()))})"
_SO_MUCH = re.compile(
    rf"^(?!.*\b(?:which|what|who|where|how|kind|type|sort|{_AUX}|be|been|if|whether)\b)"
    rf"(?:.* )?[a-z]+ {_PAST}$"
)
"""An amount of a thing by what was done with it: `fuel used`."""
_LEAVES = re.compile(r"\bleav(?:es?|ing|ers?)\b|\bwhom? (?:(?:has|have|had|will have) )?left\b")
_HOW_MANY = re.compile(r"\bhow many|number of\b")
_NOT_COUNTED = frozenset({"money", "heat", "share"})
_EVERY = re.compile(r"\b(?:a|an|per|each|every) (hour|day|week|month|quarter|year)\b")
_OF_DEEDS = re.compile(
    r"^(?:(?:predict|find out|tell(?: me)?|decide|guess|determine|estimate|know|say|flag|spot) )?"
    rf"(?:whether |if )?(?:{_AUX}|who|whom|whose)\b|\bwhether\b|\bknow if\b"
)
_OF_AN_EVENT = re.compile(r"\b(prediction|detection|model|risk|early warning|alert\w*|scoring)\b")
_ASKED = {unit: re.compile(expression) for unit, expression in _UNITS.items()}


def fitness(text: str, column: ColumnFacts, units: frozenset[str], *, told: bool) -> float:
    """Weighs from about -0.5 to 0.3 how a column's values suit the folded text of an intent.

    `told` says that the text names values of the column.
    """
    pair = column.distinct == BINARY_VALUES
    numeric = column.type in {"integer", "float"} and not pair
    many = column.type == "string" and column.distinct > MOST_CLASSES
    shape = _form(text, numeric=numeric, pair=pair, many=many, told=told)
    if numeric:
        shape += _in_units(text, units)
    every = _EVERY.search(text)
    if every and every.group(1)[:4] in column.name.lower():
        shape += 0.08
    if column.type == "string" and not pair and _SO_MUCH.search(text.rstrip(" .?!")):
        shape -= 0.35
    if column.distinct <= 1:
        shape -= 0.1
    if column.type == "date" and asks_yes_or_no(text):
        shape -= 0.2
    if column.type == "date" and not _OF_DATES.search(text):
        shape -= 0.5
    if column.type == "date" or (column.type == "string" and column.distinct > 0.5 * column.rows):
        shape -= 0.2
    return shape


def _in_units(text: str, units: frozenset[str]) -> float:
    """Weighs whether numbers of these units are what is asked for."""
    asked = asked_units(text)
    if asked:
        is_other_share = "share" in units and "share" not in asked
        return (0.1 if asked & units and not is_other_share else -0.1) if units else 0.0
    if not _HOW_MANY.search(text):
        return 0.0
    return 0.06 * ("count" in units) - 0.08 * bool(units & _NOT_COUNTED)


@lru_cache(maxsize=16)
def asked_units(text: str) -> frozenset[str]:
    """Names what a folded text asks to be measured in."""
    return frozenset(unit for unit, expression in _ASKED.items() if expression.search(text))


@lru_cache(maxsize=64)
def _form(text: str, *, numeric: bool, pair: bool, many: bool, told: bool) -> float:
    if _EITHER.search(text):
        return 0.15 if pair else -0.15
    if _HOW_MUCH.search(text):
        return 0.12 if numeric else -0.35 if pair else -0.2
    return 0.0 if told else _question(text, numeric=numeric, pair=pair, many=many)


def _question(text: str, *, numeric: bool, pair: bool, many: bool) -> float:
    if _WHEN.search(text):
        return 0.03 if numeric else -0.3
    if text.startswith("how "):
        return 0.03 * numeric - (0.1 if _HOW_SURE.search(text) else 0.5) * pair
    if numeric and _OF_WHICH_KIND.search(text):
        return -0.1
    if _WHICH_ONE.search(text) and not _WHICH_ROWS.search(text):
        return 0.0 if numeric else -0.1 * pair
    if _WHICH_ROWS.search(text) or asks_yes_or_no(text):
        return 0.14 if pair else -0.4 if many else -0.16 if numeric else -0.08
    return (0.05 if _OF_AN_EVENT.search(text) else 0.03) * pair


def asks_which_rows(text: str) -> bool:
    """Returns whether a folded text asks which of the rows do something."""
    return _WHICH_ROWS.search(text) is not None


def asks_of_deeds(text: str) -> bool:
    """Returns whether a folded text asks nothing but whether rows do something, or which do."""
    if _HOW_MUCH.search(text) or _EITHER.search(text):
        return False
    return _OF_DEEDS.search(text) is not None or asks_which_rows(text)


def asks_who_leaves(text: str) -> bool:
    """Returns whether a folded text asks who leaves, not what is left."""
    return _LEAVES.search(text) is not None


def is_remainder(column: ColumnFacts) -> bool:
    """Returns whether a number says how much is left, as `seats_left`."""
    *first, last = name_parts(column.name)
    is_number = column.type in {"integer", "float"} and column.distinct > BINARY_VALUES
    return bool(first) and last == "left" and is_number


def asks_yes_or_no(text: str) -> bool:
    """Returns whether a folded text asks for one of two answers."""
    return not text.startswith(_OPEN) and _YES_NO.search(text) is not None


def asks_which_or_whether(text: str) -> bool:
    """Returns whether a folded text asks for one of two or of several answers, not for a number."""
    if _HOW_MUCH.search(text) or text.startswith("how "):
        return False
    return any(form.search(text) for form in (_EITHER, _WHICH_ROWS, _WHICH_ONE, _YES_NO))

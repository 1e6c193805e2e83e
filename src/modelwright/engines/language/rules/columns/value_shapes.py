"""What the values of a column look like, told from a few of them.

A type is not enough: texts may be codes, names, sentences, or yes and no in some words. The look of
the commonest values decides what a column can be asked for.
"""

from collections import Counter

from modelwright.engines.facts import ColumnFacts, Value
from modelwright.engines.language.rules.text.patterns import patterns
from modelwright.engines.language.rules.text.words import squeezed
from modelwright.engines.language.vocabulary import word_set

_YES = word_set("values.yes")
_NO = word_set("values.no")
_VALUES_SEEN = 20
"""How many of the commonest values tell how a column looks."""
_LEAST_SHARE = 0.6
"""Which share of them must look alike."""
_YEARS = (1500, 2100)
_SPELLINGS = 20
"""More different texts are more than yes and no in several spellings."""
_LARGEST_SMALL = 31
"""Numbers up to a day of the month."""
_SMALLEST_LARGE = 1000
"""Numbers that are no counts of a few things."""
_SENTENCE_WORDS = 5
"""So many words or more are a sentence."""
_LOOKS = patterns("looks of values")
_NOTHING = word_set("values.none")
_KINDS = 30
"""A text of more kinds than this names things, and its `no` is one of their names."""


def shape_of(facts: ColumnFacts) -> str:
    """Names the look that most of the commonest values share, `mixed` where none does."""
    known = [value for value, _ in facts.top[:_VALUES_SEEN]]
    if facts.type in {"date", "boolean"} or not known:
        return facts.type
    looks = Counter(_look(value) for value in known)
    look, times = looks.most_common(1)[0]
    return look if times >= _LEAST_SHARE * len(known) else "mixed"


def yes_no(facts: ColumnFacts) -> tuple[Value | None, Value | None]:
    """The values of a column that mean yes and no, if it says no more than that.

    Words may say `no phone service` besides; 0, 1 and 2 count.
    """
    if facts.type == "boolean":
        return True, False
    is_text = facts.type == "string"
    if not 1 < facts.distinct <= (_SPELLINGS if is_text else 2):
        return None, None
    kinds: dict[bool | str, Value] = {}
    for value, _ in sorted(facts.top, key=lambda pair: -pair[1]):
        kinds.setdefault(kind_of(value), value)
    if facts.distinct - len(facts.top) + len(kinds) > 2 + is_text:
        return None, None
    yes, no = kinds.get(True), kinds.get(False)
    return (yes, no) if yes is not None and no is not None else (None, None)


def kind_of(value: Value) -> bool | str:
    """Returns what a value says however it is spelled: `Yes`, `y` and `TRUE` are one.

    Yes and no are told as such; other values by their letters. The whole number 10 is no `1.0`.
    """
    word = squeezed(str(value))
    if word in _YES | _NO and str(value) not in {"10", "00"}:
        return word in _YES
    return " ".join(str(value).casefold().split())


def none_kind(facts: ColumnFacts) -> Value | None:
    """Finds the one kind that says there is none: `none` of a reaction, `No` of a service.

    None where no kind says so, or several do.
    """
    kinds = facts.top if facts.type == "string" and facts.distinct <= _KINDS else ()
    found = [value for value, _ in kinds if str(value).split(" ", 1)[0].lower() in _NOTHING]
    return found[0] if len(found) == 1 and str(found[0]).lower() in _NOTHING else None


def _look(value: Value) -> str:
    if isinstance(value, int | float):
        if float(value).is_integer():
            low, high = _YEARS
            size = (
                "small"
                if abs(value) <= _LARGEST_SMALL
                else "large"
                if value >= _SMALLEST_LARGE
                else "middling"
            )
            return "year" if low <= value <= high else size
        return "fraction"
    text = str(value).lower().strip()
    look = next((name for name, cue in _LOOKS if cue.fullmatch(text)), None)
    parts = len(text.split())
    return look or ("sentence" if parts >= _SENTENCE_WORDS else f"words {parts}")


def reaches(facts: ColumnFacts, number: float) -> bool:
    """Returns whether some values of a column of numbers are below a number, and some above it."""
    low, high = facts.minimum, facts.maximum
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    return low < number < high

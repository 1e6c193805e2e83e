"""What checks find, and how bad it is.

The arbiter weighs findings by code, so that a check may be written without knowing what follows
from it.
"""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """What a finding means for the candidate."""

    FAULT = "fault"
    """The SQL does not say what the question says; it is never answered."""
    DOUBT = "doubt"
    """It may be meant otherwise; it makes the candidate less likely."""
    NOTE = "note"
    """It is right, and the reader of the answer must know it."""


class Code(StrEnum):
    """The kinds of findings."""

    UNPARSED = "unparsed"
    LITERAL_FROM_NOWHERE = "literal_from_nowhere"
    WORD_LEFT_OUT = "word_left_out"
    THING_LEFT_OUT = "thing_left_out"
    RANK_UNSAID = "rank_unsaid"
    TOTAL_OR_MEAN = "total_or_mean"
    MEAN_OF_RATIOS = "mean_of_ratios"
    MEAN_OF_ROWS = "mean_of_rows"
    HALF_KNOWN = "half_known"
    PART_LEFT_OUT = "part_left_out"
    NUMBER_LEFT_OUT = "number_left_out"
    RESTRICTION_DROPPED = "restriction_dropped"
    NEGATION_DROPPED = "negation_dropped"
    NEGATION_ADDED = "negation_added"
    SUPERLATIVE_DROPPED = "superlative_dropped"
    SUPERLATIVE_TURNED = "superlative_turned"
    TOP_DROPPED = "top_dropped"
    LIMIT_ADDED = "limit_added"
    LIMIT_WITHOUT_ORDER = "limit_without_order"
    EACH_DROPPED = "each_dropped"
    GROUP_ADDED = "group_added"
    AGGREGATE_DROPPED = "aggregate_dropped"
    AGGREGATE_ADDED = "aggregate_added"
    DISTINCT_ADDED = "distinct_added"
    DISTINCT_DROPPED = "distinct_dropped"
    COMPARISON_TURNED = "comparison_turned"
    COMPARISON_DROPPED = "comparison_dropped"
    ORDER_DROPPED = "order_dropped"
    PERIOD_DROPPED = "period_dropped"
    PERIOD_OUTSIDE = "period_outside"
    NOT_ADDITIVE = "not_additive"
    FAN_OUT = "fan_out"
    WRONG_KEY = "wrong_key"
    SELF_KEY_MISSED = "self_key_missed"
    NAME_GUESSED = "name_guessed"
    OTHER_UNIT = "other_unit"
    OTHER_KIND = "other_kind"
    FIGURE_FROM_NOWHERE = "figure_from_nowhere"
    RANKED_BY_OTHER = "ranked_by_other"
    OPEN_PERIOD = "open_period"
    OPEN_END = "open_end"
    TESTS_NOTHING = "tests_nothing"
    SIGN_OF_ROWS = "sign_of_rows"
    OTHER_ROWS = "other_rows"
    ROWS_OF_THINGS = "rows_of_things"
    ROWS_OR_AMOUNT = "rows_or_amount"
    VALUE_OR_DATE = "value_or_date"
    OTHER_DATE = "other_date"
    TESTED_TWICE = "tested_twice"
    AMBIGUOUS_VALUE = "ambiguous_value"
    AMBIGUOUS_NAME = "ambiguous_name"
    ORPHANS_LEFT_OUT = "orphans_left_out"
    EMPTY_RESULT = "empty_result"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found."""

    code: Code
    severity: Severity
    message: str
    """A sentence for people."""
    words: tuple[str, ...] = ()
    """The words of the question that it is about."""


def fault(code: Code, message: str, *words: str) -> Finding:
    """Makes a finding that rules the candidate out."""
    return Finding(code, Severity.FAULT, message, words)


def doubt(code: Code, message: str, *words: str) -> Finding:
    """Makes a finding that makes the candidate less likely."""
    return Finding(code, Severity.DOUBT, message, words)


def note(code: Code, message: str, *words: str) -> Finding:
    """Makes a finding that is told with the answer."""
    return Finding(code, Severity.NOTE, message, words)

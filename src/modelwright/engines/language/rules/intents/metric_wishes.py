"""By what an intent wants models to be compared: a metric that is said in words.

Somebody who wants few false alarms wants another model than one who wants few misses. A metric that
is wished for has to be told from a column of that name, and one that models are not compared by has
to be said rather than passed over.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.text.words import fold, name_parts, words

OTHER = "other"
"""A metric that models are not compared by."""
_CALLED = {
    "roc_auc": r"(?:roc[ _-]?)?auc(?:[ _-]?roc)?|area under (?:the )?(?:roc )?curve",
    "f1": r"f1(?:[ _-]?score)?|f[ -](?:measure|score)",
    "balanced_accuracy": r"balanced[ _]accuracy",
    "log_loss": r"log(?:arithmic)?[ _-]?loss|cross[ -]entropy",
    "accuracy": r"accuracy",
    "precision": r"precision",
    "recall": r"recall|sensitivity",
    "rmse": r"rmse|mse|(?:root )?mean[ -]squared?[ -]errors?|squared errors?",
    "mae": r"mae|(?:mean |average )?absolute errors?",
    "r2": r"r2|r\^2|r\N{SUPERSCRIPT TWO}|r[ -]squared|coefficient of determination",
    OTHER: r"s?mape|(?:mean )?absolute percentage errors?|prc?[ -]?auc|average precision"
    r"|specificity|kappa|mcc|matthews correlation(?: coefficient)?|brier(?: score)?|gini|rmsle"
    r"|pinball loss|f2(?:[ -]score)?|huber loss|hinge loss",
}
_FILLERS = (
    r"the|an?|its|our|my|best|highest|lowest|least|smallest|high|low|good|possible|maximal|maximum"
    r"|minimal|minimum|average|overall|macro|weighted|test"
)
_FILLER = rf"(?:(?:{_FILLERS}|model's|models?|of|to|for) ){{0,9}}"
_METRIC = "(?:" + "|".join(f"(?P<{name}>{said})" for name, said in _CALLED.items()) + ")"
_BEFORE = (
    r"(?:(?:optimi[sz]|maximi[sz]|minimi[sz])\w*(?: it| them)?(?: for| on| towards?)?"
    r"|(?:tun|judg|measur|evaluat|compar|assess|scor|select)\w*(?: it| them| models?)?"
    r" (?:by|on|in|with|using|for)"
    r"|(?:(?:we|i) )?(?:\w+ )?care (?:\w+ )?about|(?:focus\w*|emphasis|aim\w*) (?:on|for)"
    r"|(?:metric|criterion|objective|loss)(?: function)?(?: is| should be| to be|:| =)?"
    r"|(?:with|(?:that|which) has|having) (?:the |an? )?"
    r"(?=(?:best|highest|lowest|least|smallest|high|low|good)"
    r" (?!(?:possible )?(?:accuracy|precision)\b)))"
)
_AFTER = (
    r"(?:,?(?: (?:is|are|should be|must be|has to be|to be|being))? (?:as (?:low|high|small|good"
    r"|large|big) as possible|maximal|minimal|(?:maxi|mini|opti)mi[sz]ed|what (?:matter|count)s"
    r"(?: most)?)|(?: is|,)? as (?:the |its |our |an? )?(?:metric|measure|criterion|objective)"
    r"| is (?:the |our |my )(?:metric|measure|criterion|objective|goal)| matters(?: most)?"
    r"| counts(?: most)?)"
)
_NOT_OF = r"(?!\w)(?! (?:of|above|over|under|below|at) )(?! ?[<>=\d])"
"""A share that is to be reached, or what a column of that name is of, is no metric."""
_SAID = tuple(
    re.compile(one, re.IGNORECASE)
    for one in (
        rf"\b{_BEFORE} ?{_FILLER}{_METRIC}{_NOT_OF}{_AFTER}?",
        rf"(?<!\w){_METRIC}{_AFTER}(?!\w)",
        rf"[,;:] {_METRIC}(?: score)?(?: please)?[.!]?$",
    )
)
_LEAD = re.compile(
    rf"(?:\b(?:and|but|please|while|so as|to|so that|use|using|by|with|{_FILLERS})\b|[,;:. ])*$",
    re.IGNORECASE,
)
_LONGEST_LEAD = 60
"""Characters before a metric in which words that lead to it stand."""


@dataclass(frozen=True, slots=True)
class MetricWish:
    """By what models are to be compared."""

    plain: str
    """The intent without the words that say it."""
    metric: str | None
    """The metric as a build calls it, or `other`; None where nothing is said."""
    said: str = ""
    """How the intent calls it."""


def metric_wish(intent: str, columns: Sequence[ColumnFacts]) -> MetricWish:
    """Reads by which metric an intent wants models to be compared.

    Args:
        intent: What a user wants to predict, in words.
        columns: What is known of the table's columns; what one is called by is no metric.

    Returns:
        The metric and the intent without what says it.
    """
    held = {part for one in columns for part in name_parts(one.name)}
    for said in _SAID:
        for match in said.finditer(intent):
            name = str(match.lastgroup)
            if held.isdisjoint(word.text for word in words(fold(match[name]))):
                rest, begin = intent[match.end() :], match.start()
                far = max(0, begin - _LONGEST_LEAD)
                before = intent[:far] + _LEAD.sub("", intent[far:begin])
                joint = " " if before and rest[:1].isalnum() else ""
                return MetricWish(f"{before}{joint}{rest}".strip(" ,;:"), name, match[name])
    return MetricWish(intent, None)

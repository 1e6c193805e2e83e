"""What an intent says of a build beside the target: read where a field does not say it already."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.intents.column_wishes import column_wish
from modelwright.engines.language.rules.intents.metric_wishes import OTHER, metric_wish

_NO_METRIC = (
    'The intent asks to judge models by "{said}", which models are not compared by. Give the build'
    " one of the metrics it knows as `metric`, and say in words only what to predict."
)
_NO_COLUMN = (
    "The intent says what to learn from or to leave out, and no column is recognised by {said}."
    " Call the columns by their names, or name those to learn from in `input_schema` of the build;"
    " for a model of some rows only, make a dataset of these rows."
)
_SEVERAL_COLUMNS = (
    'The intent says what to learn from or to leave out, and "{said}" may mean {columns}. Call each'
    " column by its whole name, or name those to learn from in `input_schema` of the build."
)
_LACKING = (
    'In the intent "{said}" may tell of rows that lack something, or of columns not to learn from'
    ' ({columns}). To leave columns out, say "do not use {columns}", or name those to learn from'
    " in `input_schema` of the build; for a model of such rows only, make a dataset of them."
)


@dataclass(frozen=True, slots=True)
class BesideTarget:
    """What an intent says of a build beside what to predict."""

    plain: str
    """The intent without the words that say it."""
    unjudged: str = ""
    """The intent without what models are compared by, and why columns are chosen."""
    metric: str | None = None
    """What models are compared by."""
    only: tuple[str, ...] = ()
    """The columns that alone are learnt from; none where all may be."""
    without: tuple[str, ...] = ()
    """The columns that are not learnt from."""
    refusal: str = ""
    """Why it cannot be met, in sentences that say what to do; empty where it can."""


NOTHING_BESIDE = BesideTarget("")


def beside_target(
    intent: str, columns: Sequence[ColumnFacts], given: Collection[str] = ()
) -> BesideTarget:
    """Reads what an intent says of a build beside the target.

    Args:
        intent: What a user wants to predict, in words.
        columns: What is known of the table's columns.
        given: Fields of the request that are given: `metric`, `input_schema`. What they say is not
            read from words.

    Returns:
        What is said, with a refusal where it names no metric or no column.
    """
    judged = metric_wish(intent, columns)
    learnt = column_wish(judged.plain, columns)
    unjudged = judged.plain
    for reason in learnt.reasons:
        unjudged = unjudged.replace(reason, "")
    metric = None if "metric" in given else judged.metric
    refusal = _NO_METRIC.format(said=judged.said) if metric == OTHER else ""
    if "input_schema" in given:
        return BesideTarget(learnt.plain, unjudged, metric, refusal=refusal)
    if learnt.unknown:
        refusal = _NO_COLUMN.format(said=" or ".join(f'"{one}"' for one in learnt.unknown))
    for sentence, doubts in ((_SEVERAL_COLUMNS, learnt.several), (_LACKING, learnt.lacking)):
        for said, names in () if refusal else doubts[:1]:
            joint = " or " if sentence is _SEVERAL_COLUMNS else " and "
            listed = names if len(names) > 1 or joint == " and " else (*names, "others")
            refusal = sentence.format(said=said, columns=joint.join(listed))
    return BesideTarget(learnt.plain, unjudged, metric, learnt.only, learnt.without, refusal)

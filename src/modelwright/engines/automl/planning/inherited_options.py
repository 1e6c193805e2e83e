"""What the version before was built with and does not fit any more: it is left out and told."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from modelwright.engines.automl.planning.label_normalisation import TRUTHS
from modelwright.engines.automl.planning.plan import BuildOptions, Plan, PlanError
from modelwright_runtime.text_keys import folded


def planned_without_unfit(planned: Callable[[BuildOptions], Plan], options: BuildOptions) -> Plan:
    """Plans, and leaves out one after the other what is inherited and is refused.

    What the request itself gives is never left out: it is refused where it does not fit.

    Args:
        planned: Makes the plan of options, or refuses a field of these.
        options: What the request says, and what it inherits.

    Returns:
        The plan of the options that fit, with a warning for each that is left out.

    Raises:
        PlanError: No model can be made of what is not inherited; it says what to change.
    """
    fields, why = tuple(options.inherited), dict[str, str]()
    while True:
        try:
            plan = planned(options)
        except PlanError as refused:
            if refused.field not in options.inherited:
                raise
            why[refused.field] = refused.sentence
            options = _without(options, refused.field)
        else:
            told = (_told(name, why[name]) for name in fields if name in why)
            return replace(plan, warnings=(*plan.warnings, *told))


def _without(options: BuildOptions, field: str) -> BuildOptions:
    left_out: Mapping[str, Any] = {field: None}
    rest = [name for name in options.inherited if name != field]
    return replace(options, **left_out, inherited=rest)


def _told(name: str, why: str) -> str:
    said = why.removesuffix(" Leave it out.")
    return f"The version before was built with `{name}`, which is left out now: {said}"


def refuse_other_class(options: BuildOptions, target: str, positive: Any) -> None:
    """Refuses an inherited threshold, or costs, that are those of another class.

    Args:
        options: What the request says, and what it inherits.
        target: The column to predict.
        positive: The class whose probability is compared with the threshold.

    Raises:
        PlanError: It is for another target, or another positive class.
    """
    for field in ("threshold", "costs"):
        if field not in options.inherited:
            continue
        why = None
        if options.former_target not in {None, target}:
            why = f"it is for {options.former_target}, and {target} is to be predicted"
        elif options.former_positive is not None and not _is_same(
            options.former_positive, positive
        ):
            why = (
                f"it is for {target} = {options.former_positive}, and the positive class is"
                f" {positive} now"
            )
        if why is not None:
            raise PlanError(f"{why}. Give one that is for it.", field=field)


def _is_same(former: Any, positive: Any) -> bool:
    """Returns whether two classes mean the same: 1 as 1.0, 'Yes' as 'yes', or a true for another.

    One of them may have been written down as JSON, where a date is text.
    """
    if former == positive or folded(str(former)) == folded(str(positive)):
        return True
    truths = [TRUTHS.get(folded(f"{one:g}" if isinstance(one, float) else str(one)))
              for one in (former, positive)]  # fmt: skip
    return truths[0] is not None and truths[0] == truths[1]

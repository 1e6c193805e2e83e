"""What to do about the findings: one recommendation a kind of finding and file."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from modelwright.engines.profiling.insights import Insight, Severity, counted, named

MAX_NAMED_COLUMNS = 8
"""Columns that one sentence names; of more it says how many there are."""
MERGE_FROM = 3
"""Findings in the same words from which on they are told once."""
_ADVICE: dict[str, tuple[str, str]] = {
    "empty": ("drop_columns", "Drop {columns}: nothing is in there."),
    "constant": ("drop_columns", "Leave {columns} out of models: there is only one value."),
    "missing": (
        "handle_missing",
        "Find out why values of {columns} are missing, then fill them, or mark them as missing.",
    ),
    "sentinel": (
        "replace_sentinels",
        "Replace the values that stand for none in {columns} by empty ones before averaging.",
    ),
    "infinite": ("replace_sentinels", "Replace the infinite values of {columns}."),
    "identifier": (
        "exclude_identifiers",
        "Leave {columns} out of models, and make sure that identifiers which should be unique are.",
    ),
    "duplicate_rows": (
        "remove_duplicates",
        "Check whether repeated rows are real; if not, keep one of each before counting.",
    ),
    "duplicate_column": ("drop_columns", "Keep one of {columns}: they hold the same values."),
    "outliers": (
        "check_outliers",
        "Check the extreme values of {columns}; prefer medians to means while they are there.",
    ),
    "capped": (
        "mind_limits",
        "Mind that {columns} may end at a limit: the real values there can be higher.",
    ),
    "skew": (
        "transform",
        "Look at {columns} by medians; a logarithmic scale helps where nothing is below 0.",
    ),
    "imbalance": (
        "mind_imbalance",
        "Mind that most rows are alike in {columns}: accuracy alone would praise any guess there.",
    ),
    "leakage": (
        "prevent_leakage",
        "When you predict one of {columns}, leave out the column that gives it away.",
    ),
    "mixed_formats": (
        "unify_formats",
        "Name the types of dates and numbers in {columns}, and write each value in one way.",
    ),
}
_RANK: dict[Severity, int] = {"low": 0, "medium": 1, "high": 2}


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Something to do; `importance` is that of the worst finding behind it."""

    type: str
    message: str
    importance: Severity


def recommendations(filename: str, found: Sequence[Insight]) -> list[Recommendation]:
    """Says what to do about the findings in one file, the most important first.

    Args:
        filename: The file, as its uploader named it.
        found: The findings in it.

    Returns:
        One for each kind of finding.
    """
    advice = []
    for kind, (type_, sentence) in _ADVICE.items():
        behind = [one for one in found if one.type == kind]
        if behind:
            worst = max((one.severity for one in behind), key=_RANK.__getitem__)
            message = f"{filename}: {sentence.format(columns=listed(behind))}"
            advice.append(Recommendation(type_, message, worst))
    return sorted(advice, key=lambda one: -_RANK[one.importance])


def merge_similar(found: Sequence[Insight]) -> list[Insight]:
    """Tells once what is said in the same words of three columns or more, where the first stood.

    Args:
        found: Findings, in order.

    Returns:
        Findings, in order.
    """
    alike: dict[tuple[str, str], list[Insight]] = {}
    for one in found:
        said = one.message.removeprefix(named(one.columns[0])) if one.columns else one.message
        alike.setdefault((one.type, said), []).append(one)
    return [one for (_, said), all_ in alike.items() for one in _together(said, all_)]


def _together(said: str, alike: list[Insight]) -> list[Insight]:
    if len(alike) < MERGE_FROM or any(len(one.columns) != 1 for one in alike):
        return alike
    columns = tuple(one.columns[0] for one in alike)
    return [replace(alike[0], message=f"Each of {listed(alike)}{said}", columns=columns)]


def listed(behind: Sequence[Insight]) -> str:
    """Names the columns that findings are about, the first of many.

    Args:
        behind: Findings of one kind.

    Returns:
        Names in quotation marks, `MAX_NAMED_COLUMNS` at most, empty where they are of no column.
    """
    columns = list(dict.fromkeys(name for one in behind for name in one.columns))
    shown = [named(name) for name in columns[:MAX_NAMED_COLUMNS]]
    if len(columns) > MAX_NAMED_COLUMNS:
        shown.append(counted(len(columns) - MAX_NAMED_COLUMNS, "more column"))
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + f" and {shown[-1]}" if shown else ""  # fmt: skip  # noqa: E501

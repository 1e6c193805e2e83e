"""The plan of a build: made before anything is fitted, and kept with the version."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from modelwright.engines.facts import ColumnFacts
from modelwright_runtime.objective import Task

METRICS = {
    "classification": (
        "log_loss", "accuracy", "balanced_accuracy", "f1", "roc_auc", "precision", "recall",
    ),
    "regression": ("rmse", "mae", "r2"),
}  # fmt: skip
BINARY_CLASSES = 2
"""The classes of a binary task."""
MOST_CLASSES = 1000
"""Classes that a target may have; each costs a tree an iteration."""
NUMERIC_CLASSES = 20
"""A number with at most this many values can be taken as classes when nothing else is said."""


class PlanError(Exception):
    """No plan can be made; the sentence says why and what to change."""

    def __init__(
        self,
        sentence: str,
        candidates: Sequence[str] = (),
        *,
        field: str = "intent",
        is_unclear: bool = False,
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.candidates = tuple(candidates)
        self.field = field
        """The member of the request that is to be changed."""
        self.is_unclear = is_unclear
        """Returns whether no one column was found for the intent, though it may mean one."""


@dataclass(frozen=True, slots=True)
class ExcludedColumn:
    """A column that is not learnt from, and why."""

    column: str
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What a build will do, with its reasons; JSON-ready by `to_json`."""

    task: Task
    target: str
    metric: str
    features: tuple[str, ...]
    types: Mapping[str, str]
    """The contract's type of the target and of every feature."""
    kinds: Mapping[str, str]
    """How each feature is read: number, category, date or text."""
    left_out: tuple[ExcludedColumn, ...]
    warnings: tuple[str, ...]
    positive_class: Any
    split: str
    seed: int
    seconds: float
    max_iterations: int | None
    output_type: str
    reasons: tuple[str, ...]
    spellings: Mapping[str, str] = field(default_factory=dict)
    """Classes that are read as another one, which is written nearly alike."""
    later_by: tuple[str, ...] = ()
    """The columns of dates or years whose latest rows are held out."""
    split_by: str = "random"
    """How rows are held out: random, time, group or column."""
    split_column: str | None = None
    """The column whose rows stay together, or that says which rows are held out."""
    copies: bool = False
    """Whether rows come again as copies, which are to lie on one side of every split."""
    repetitions: int = 1
    """How many times the whole table is there."""
    threshold: float | None = None
    """The probability from which on the positive class is said; None where the metric decides."""
    costs: Mapping[str, float] | None = None
    """What a `false_positive` and a `false_negative` cost, where the threshold comes from these."""
    sample_weight: str | None = None
    """The column that says how much each row counts."""
    said_in_words: Mapping[str, Any] = field(default_factory=dict)
    """What the intent says beside the target: `metric`, and the columns `only` from which or
    `without` which to learn."""

    def to_json(self) -> dict[str, Any]:
        """Returns the plan as plain JSON values.

        Returns:
            Members of a JSON object.
        """
        members = asdict(self)
        for name in ("features", "left_out", "warnings", "reasons", "later_by"):
            members[name] = list(members[name])
        return members

    @classmethod
    def from_json(cls, members: Mapping[str, Any]) -> "Plan":
        """Reads a plan that `to_json` gave.

        Args:
            members: Members of a JSON object.

        Returns:
            The plan.
        """
        parts = dict(members)
        for name in ("features", "warnings", "reasons", "later_by"):
            parts[name] = tuple(parts[name])
        parts["left_out"] = tuple(ExcludedColumn(**one) for one in parts["left_out"])
        return cls(**parts)


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What the request says of the build."""

    intent: str
    input_schema: Mapping[str, str] | None
    output_schema: Mapping[str, str] | None
    metric: str | None
    max_iterations: int | None
    target: str | None
    task: str | None
    seconds: float
    seed: int
    before: Mapping[str, Any] | None = None
    """`target`, `task`, `features` and `types` of the version before; the first two are to stay."""
    split: Mapping[str, Any] | None = None
    """`by` (random, time, group or column), and the `column` that it goes by."""
    threshold: float | None = None
    costs: Mapping[str, float] | None = None
    sample_weight: str | None = None
    inherited: Sequence[str] = ()
    """Fields that the version before was built with and the request does not give anew."""
    former_target: str | None = None
    """What the version before predicts, where fields are inherited."""
    former_positive: Any = None
    """The positive class of that, where it has two classes."""


def find_column(facts: Sequence[ColumnFacts], name: str, field: str = "target") -> ColumnFacts:
    """Finds a column by its exact name; refuses one the tables do not have.

    Args:
        facts: What is known of every column.
        name: The column.
        field: The field of the request that names it.

    Returns:
        Facts of the column.

    Raises:
        PlanError: No table has it; the message lists those there are.
    """
    for one in facts:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in facts[:20])
    raise PlanError(f"There is no column `{name}`. The columns are {names}.", field=field)

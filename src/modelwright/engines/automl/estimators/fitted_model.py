"""What fitting gives: raw predictions of rows, what a row costs, and the compiled form."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from modelwright.engines.automl.estimators.fold_data import Rows
from modelwright_runtime.components.component import Component
from modelwright_runtime.objective import Floats


@dataclass(frozen=True, slots=True)
class CompiledModel:
    """A fitted model in the form that prediction knows: a base and components that add to it."""

    base: Floats
    """Shape (outputs,)."""
    components: tuple[Component, ...] = ()


@dataclass(frozen=True, slots=True)
class Latency:
    """Estimated microseconds of a row once a model is compiled: one alone, and one of many."""

    single_us: float
    batch_us: float

    @classmethod
    def total(cls, costs: Iterable["Latency"]) -> "Latency":
        """Adds costs up.

        Args:
            costs: Costs of members.

        Returns:
            Their sum.
        """
        known = list(costs)
        return cls(sum(one.single_us for one in known), sum(one.batch_us for one in known))


@dataclass(frozen=True, slots=True)
class FittedModel:
    """A model as its library fitted it, and how it becomes one that prediction knows."""

    rounds: int
    """The rounds it used."""
    raw_prediction: Callable[[Rows], Floats]
    """Gives the raw prediction of rows by its library, shape (rows, outputs)."""
    compiled: Callable[[], CompiledModel]
    """Compiles it, once: each checkpoint of a build asks for its members anew."""
    cost: Latency

    def __post_init__(self) -> None:
        object.__setattr__(self, "compiled", cache(self.compiled))

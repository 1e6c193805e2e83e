"""What each part of a learnt model can do: answer rows, be explained, and lie in an artifact.

A model is a base and components; the raw prediction of a row is what all of them give, added up. A
kind of component is one file of this package: a class that is registered under its kind.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime import FORMAT
from modelwright_runtime.archive import Arrays
from modelwright_runtime.columns import Features
from modelwright_runtime.components.evaluation import Evaluator, ExplainedRows
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.objective import Floats, Objective

Json = dict[str, Any]


@dataclass(slots=True)
class Stored:
    """The members of an artifact that components are in."""

    document: Json = field(default_factory=dict)
    """What `model.json` says."""
    arrays: Arrays = field(default_factory=dict)
    """What is in `arrays.npz`, under names of the form kind.place.name."""
    trees: Arrays = field(default_factory=dict)
    """What is in `trees.npz`, under names of the form place.name."""
    packed_trees: bytes = b""
    """The bytes of `trees.npz`, where it was read: from these, trees are unpacked once more."""


class Component(ABC):
    """A part of a model, as it was learnt; a dataclass of arrays and numbers."""

    __slots__ = ()
    kind: ClassVar[str]
    """Its name in artifacts."""
    position: ClassVar[int] = 100
    """Where it comes in the order of addition; a component of a lower number is added earlier."""
    format: ClassVar[int] = FORMAT
    """The lowest format of an artifact that it can be in."""

    @abstractmethod
    def evaluator(self, goal: Objective, encoder: Encoder) -> Evaluator:
        """Lays it out to answer single rows.

        Args:
            goal: The task of its model.
            encoder: What makes features of rows.

        Returns:
            The evaluator, ready to answer.
        """

    def batch_evaluator(self, goal: Objective, encoder: Encoder) -> Evaluator:
        """Lays it out to answer many rows at once; as single rows unless a kind knows better.

        Args:
            goal: What is learnt: task, classes and scale.
            encoder: What makes features of rows.

        Returns:
            What adds the raw prediction of many rows.
        """
        return self.evaluator(goal, encoder)

    @abstractmethod
    def contributions(self, rows: ExplainedRows, parts: Floats) -> Floats:
        """Adds what each column contributes to its raw prediction of rows.

        Args:
            rows: The rows.
            parts: Contributions so far, shape (n, columns, outputs); changed in place.

        Returns:
            What it gives before anything is known of a row, shape (outputs,): with its
            contributions this sums to its raw prediction.
        """

    @abstractmethod
    def scaled(self, weight: float) -> Self:
        """Returns it with its raw prediction multiplied.

        Args:
            weight: What its raw prediction is multiplied by.

        Returns:
            A copy.
        """

    @classmethod
    def merged(cls, components: Sequence[Self]) -> list[Self]:
        """Returns as few components as give what some of this kind give together.

        Args:
            components: Components of this kind.

        Returns:
            Components whose raw predictions add up to the same.
        """
        return list(components)

    def text_weights(self, encoder: Encoder) -> Mapping[str, Floats]:
        """Returns the weights of the terms of text columns by their names.

        Args:
            encoder: What makes features of rows.

        Returns:
            Each of shape (terms of the column, outputs). What they add is no part of `evaluator`,
            as it is made of the texts themselves.
        """
        del encoder
        return {}

    def centred(
        self, features: Features, texts: Callable[[str], Sequence[Any]], encoder: Encoder
    ) -> Self:
        """Returns it with the means over rows of training that its explanations start from.

        Args:
            features: The encoded rows, shape (n, features).
            texts: Gives the values of a column by its name, one for each row.
            encoder: What made features of the rows.

        Returns:
            A copy, or itself where it needs no means.
        """
        del features, texts, encoder
        return self

    def graphs(self, goal: Objective, encoder: Encoder, place: int) -> dict[str, bytes]:
        """Returns its ONNX graphs for other runtimes, by the names of their members.

        Args:
            goal: The task of its model.
            encoder: What makes features of rows.
            place: Its number among the components of its kind, from 0 on.

        Returns:
            Graphs under names of the form kind, place, `.onnx`; none for what has no such graph.
        """
        del goal, encoder, place
        return {}

    @abstractmethod
    def to_arrays(self) -> tuple[Json, Arrays]:
        """Returns what it is, as JSON and as arrays of numbers by their names."""

    @classmethod
    @abstractmethod
    def from_arrays(cls, document: Json, arrays: Arrays, goal: Objective, encoder: Encoder) -> Self:
        """Makes one of what `to_arrays` gave.

        Args:
            document: The JSON.
            arrays: The arrays; they may come from anybody.
            goal: The task of its model.
            encoder: What makes features of rows.

        Raises:
            ValueError: It does not fit the model, or would read outside of a row or of its arrays.
            KeyError: An array is missing.
        """

    @classmethod
    def store(cls, components: Sequence[Self], stored: Stored) -> None:
        """Writes all components of this kind into the members of an artifact.

        Kinds that are older than `components` in `model.json` have members of their own.

        Args:
            components: Components of this kind.
            stored: The members of an artifact.
        """
        for place, component in enumerate(components):
            document, arrays = component.to_arrays()
            stored.document.setdefault("components", []).append({"kind": cls.kind, **document})
            for name, one in arrays.items():
                stored.arrays[f"{cls.kind}.{place}.{name}"] = one

    @classmethod
    def restore(cls, stored: Stored, goal: Objective, encoder: Encoder) -> list[Self]:
        """Reads what `store` wrote; raises what `from_arrays` does.

        Args:
            stored: The members of an artifact.
            goal: What is learnt: task, classes and scale.
            encoder: What makes features of rows.

        Returns:
            The components in the order in which they were stored.

        Raises:
            ValueError: The arrays do not fit together.
        """
        own = [one for one in stored.document.get("components", []) if one["kind"] == cls.kind]
        return [
            cls.from_arrays(
                document, ArraysUnder(f"{cls.kind}.{place}", stored.arrays), goal, encoder
            )
            for place, document in enumerate(own)
        ]


class ArraysUnder(dict[str, NDArray[np.generic]]):
    """The arrays whose names begin with a prefix and a dot, by what follows.

    One that is missing is named whole.
    """

    def __init__(self, prefix: str, arrays: Arrays) -> None:
        self._start = prefix + "."
        own = [name for name in arrays if name.startswith(self._start)]
        super().__init__({name.removeprefix(self._start): arrays[name] for name in own})

    def __missing__(self, name: str) -> NDArray[np.generic]:
        raise KeyError(self._start + name)


KINDS: dict[str, type[Component]] = {}
"""The kinds of components that are known, by their names in artifacts."""
Registered = TypeVar("Registered", bound=type[Component])


def register(kind: Registered) -> Registered:
    """Makes a class of components known under its kind.

    Args:
        kind: A class of components.

    Returns:
        The class.
    """
    KINDS[kind.kind] = kind
    return kind

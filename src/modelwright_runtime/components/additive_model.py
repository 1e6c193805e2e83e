"""Additive models, linear ones among them: a function of each feature, a weight for each term."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from modelwright_runtime import OLDEST_FORMAT
from modelwright_runtime.additive import Additive, CompiledAdditive, merge
from modelwright_runtime.archive import Arrays
from modelwright_runtime.columns import Features, TextColumn
from modelwright_runtime.components.component import ArraysUnder, Component, Json, Stored, register
from modelwright_runtime.components.evaluation import EncodedRows, Evaluator, ExplainedRows
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.forest import is_within
from modelwright_runtime.objective import Floats, Objective


@dataclass(frozen=True, slots=True)
class Centre:
    """The mean over rows of training that explanations start from."""

    parts: Floats
    """What each feature adds in the mean, shape (smooth + levels, outputs)."""
    terms: tuple[Floats, ...]
    """What the terms of each text column add in the mean, each of shape (outputs,)."""


@register
@dataclass(frozen=True, slots=True, eq=False)
class AdditiveModel(Component):
    """An additive model."""

    additive: Additive
    centre: Centre | None = None
    """None where nothing was measured: explanations then start from its bias."""

    kind: ClassVar[str] = "additive"
    position: ClassVar[int] = 40
    format: ClassVar[int] = OLDEST_FORMAT

    def evaluator(self, goal: Objective, encoder: Encoder) -> Evaluator:
        """Lays it out as straight lines, one for each stretch of a feature."""
        del goal, encoder
        lines = CompiledAdditive.of(self.additive)

        def add(rows: EncodedRows, total: Floats) -> None:
            total += lines.raw_prediction(rows.features)

        return Evaluator(add)

    def contributions(self, rows: ExplainedRows, parts: Floats) -> Floats:
        """Adds how far the part of each feature and text is from its mean."""
        additive, texts = self.additive, self.text_weights(rows.encoder)
        nothing = np.zeros(rows.goal.width)
        centre = self.centre or Centre(
            np.zeros((len(additive.smooth) + len(additive.level), rows.goal.width)),
            (nothing,) * len(texts),
        )
        off = additive.parts(rows.features) - centre.parts
        owners = rows.owners[np.concatenate([additive.smooth, additive.level])]
        for place, owner in enumerate(owners.tolist()):
            parts[:, owner] += off[:, place]
        base = additive.bias + centre.parts.sum(axis=0)
        places = {column.name: place for place, column in enumerate(rows.encoder.columns)}
        words = {one.name: one.words for one in _text_columns(rows.encoder)}
        for (name, weights), mean in zip(texts.items(), centre.terms, strict=True):
            parts[:, places[name]] += words[name].add_up(rows.texts(name), weights) - mean
            base = base + mean
        return np.asarray(base)

    def scaled(self, weight: float) -> Self:
        """Returns it with its raw prediction multiplied."""
        return replace(self, additive=self.additive.scaled(weight))

    @classmethod
    def merged(cls, components: Sequence[Self]) -> list[Self]:
        """Adds all functions up to one of each feature."""
        return [cls(merge([one.additive for one in components]))] if components else []

    def text_weights(self, encoder: Encoder) -> Mapping[str, Floats]:
        """Returns the weights of the terms of all text columns.

        Args:
            encoder: What makes features of rows.

        Returns:
            Weights by column, shape (terms, width) each.
        """
        found, first = {}, self.additive.terms_at
        for column in _text_columns(encoder):
            size = len(column.words.index)
            found[column.name] = self.additive.weights[first : first + size]
            first += size
        return found

    def centred(
        self, features: Features, texts: Callable[[str], Sequence[Any]], encoder: Encoder
    ) -> Self:
        """Returns it with the mean of its parts over rows of training."""
        words = {one.name: one.words for one in _text_columns(encoder)}
        terms = tuple(
            words[name].add_up(texts(name), weights).mean(axis=0)
            for name, weights in self.text_weights(encoder).items()
        )
        return replace(self, centre=Centre(self.additive.parts(features).mean(axis=0), terms))

    def to_arrays(self) -> tuple[Json, Arrays]:
        """Returns the centre, if it has one, and the arrays."""
        document: Json = {}
        if self.centre:
            terms = [one.tolist() for one in self.centre.terms]
            document = {"parts": self.centre.parts.tolist(), "terms": terms}
        return document, {
            name: np.asarray(getattr(self.additive, name)) for name in Additive.__slots__
        }

    @classmethod
    def from_arrays(cls, document: Json, arrays: Arrays, goal: Objective, encoder: Encoder) -> Self:
        """Makes one; refuses (`ValueError`) tables that it would read outside of."""
        parts: dict[str, Any] = {name: arrays[name] for name in Additive.__slots__}
        found = Additive(**{**parts, "terms_at": int(parts["terms_at"])})
        _check(found, encoder, goal.width)
        return cls(found, _centre(document, found, encoder, goal.width) if document else None)

    @classmethod
    def store(cls, components: Sequence[Self], stored: Stored) -> None:
        """Writes the arrays under `additive`, and the centre."""
        stored.document["centre"] = {}
        for component in components:
            stored.document["centre"], arrays = component.to_arrays()
            stored.arrays |= {f"additive.{name}": one for name, one in arrays.items()}

    @classmethod
    def restore(cls, stored: Stored, goal: Objective, encoder: Encoder) -> list[Self]:
        """Reads the additive model, if there is one."""
        if "additive.weights" not in stored.arrays:
            return []
        arrays = ArraysUnder("additive", stored.arrays)
        return [cls.from_arrays(stored.document["centre"], arrays, goal, encoder)]


def _text_columns(encoder: Encoder) -> list[TextColumn]:
    return [one for one in encoder.columns if isinstance(one, TextColumn)]


def _check(found: Additive, encoder: Encoder, width: int) -> None:
    """Refuses arrays that do not fit together, or that read what there is not."""
    size, smooth, levels = len(found.weights), len(found.smooth), len(found.level)
    shapes = [
        (found.weights, (size, width)), (found.bias, (width,)), (found.smooth, (smooth,)),
        (found.knots, (smooth, found.knots.shape[-1])), (found.counts, (smooth,)),
        (found.smooth_at, (smooth,)), (found.level, (levels,)), (found.level_at, (levels,)),
    ]  # fmt: skip
    if any(part.shape != shape for part, shape in shapes):
        raise ValueError("the arrays of the additive part do not fit together")
    whole = found.smooth, found.counts, found.smooth_at, found.level, found.level_at
    if any(part.dtype != np.int64 for part in whole):
        raise ValueError("the places of the additive part are no whole numbers")
    terms = sum(len(one.words.index) for one in encoder.columns if isinstance(one, TextColumn))
    inside = [
        is_within(found.smooth, 0, encoder.width),
        is_within(found.counts, 1, found.knots.shape[1] + 1),
        is_within(found.smooth_at, 0, size) and is_within(found.smooth_at + found.counts, 0, size),
        _levels_fit(found, encoder, size),
        0 <= found.terms_at <= size - terms,
    ]
    known = np.arange(found.knots.shape[1]) < found.counts[:, None]
    numbers = found.weights, found.bias, found.knots[known]
    if not all(inside) or not all(np.isfinite(part).all() for part in numbers):
        raise ValueError("the additive part reads places or numbers that there are not")


def _levels_fit(part: Additive, encoder: Encoder, size: int) -> bool:
    """Returns whether every level feature is a category's code and all its levels have a weight."""
    sizes = encoder.level_counts()
    places = zip(part.level.tolist(), part.level_at.tolist(), strict=True)
    return all(feature in sizes and 0 <= at <= size - sizes[feature] for feature, at in places)


def _centre(document: Json, additive: Additive, encoder: Encoder, width: int) -> Centre:
    """Reads the means that explanations start from; refuses those of another model."""
    parts = np.array(document["parts"], dtype=np.float64)
    terms = tuple(np.array(one, dtype=np.float64) for one in document["terms"])
    features, texts = len(additive.smooth) + len(additive.level), len(_text_columns(encoder))
    if parts.shape != (features, width) or [one.shape for one in terms] != [(width,)] * texts:
        raise ValueError("the centre does not fit the additive part")
    return Centre(parts, terms)

"""The kinds of components that models are made of, each of them one file of this package.

Artifacts name their components: a kind that is registered here can be read by every release from
then on.
"""

from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import groupby
from pkgutil import iter_modules

from modelwright_runtime.components.component import KINDS, Component, Stored
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.objective import Objective

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")


def kinds() -> list[type[Component]]:
    """Returns the kinds that are known, in the order of addition.

    Returns:
        Classes of components.
    """
    return sorted(KINDS.values(), key=lambda kind: kind.position)


def in_order(components: Iterable[Component]) -> tuple[Component, ...]:
    """Returns components in the order of addition; those of one kind stay as they are.

    Args:
        components: Components of any kinds.

    Returns:
        The same components.
    """
    return tuple(sorted(components, key=lambda one: one.position))


def _by_kind(
    components: Iterable[Component],
) -> Iterator[tuple[type[Component], list[Component]]]:
    for kind, own in groupby(in_order(components), key=type):
        yield kind, list(own)


def merged(components: Iterable[Component]) -> tuple[Component, ...]:
    """Returns as few components as give what some give together, in the order of addition.

    Args:
        components: Components of any kinds.

    Returns:
        Components whose raw predictions add up to the same.
    """
    return tuple(one for kind, own in _by_kind(components) for one in kind.merged(own))


def store_all(components: Iterable[Component]) -> Stored:
    """Writes components as the members of an artifact.

    Args:
        components: Components of any kinds.

    Returns:
        What `model.json`, `arrays.npz` and `trees.npz` hold.
    """
    stored, own = Stored(), dict(_by_kind(components))
    for kind in kinds():
        kind.store(own.get(kind, []), stored)
    return stored


def restore_all(stored: Stored, goal: Objective, encoder: Encoder) -> tuple[Component, ...]:
    """Reads the components of an artifact.

    Args:
        stored: The members that components are in; they may come from anybody.
        goal: The task of their model.
        encoder: What makes features of rows.

    Returns:
        The components, in the order of addition.

    Raises:
        ValueError: One is of a kind that is not known, or does not fit the model.
        KeyError: An array is missing.
    """
    for one in stored.document.get("components", []):
        if one["kind"] not in KINDS:
            raise ValueError(
                f"it has a component of the kind {one['kind']!r}, which this version does not"
                " know; bring modelwright_client up to date"
            )
    return tuple(one for kind in kinds() for one in kind.restore(stored, goal, encoder))


def graphs(components: Iterable[Component], goal: Objective, encoder: Encoder) -> dict[str, bytes]:
    """Returns the ONNX graphs of components for other runtimes, by the names of their members.

    Args:
        components: Components of any kinds.
        goal: What is learnt: task, classes and scale.
        encoder: What makes features of rows.

    Returns:
        Graphs by the names of their members.
    """
    found: dict[str, bytes] = {}
    for _, own in _by_kind(components):
        for place, component in enumerate(own):
            found |= component.graphs(goal, encoder, place)
    return found

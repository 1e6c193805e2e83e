"""Refusals about machines."""

from collections.abc import Sequence

from modelwright.core.errors import Unavailable


class MachineSilent(Unavailable):
    """A part of a machine gives no sign of life (503)."""

    def __init__(self, name: str, parts: Sequence[str]) -> None:
        super().__init__(
            f"The machine {name} gives no sign of life of its {', '.join(parts)};"
            " start them again, or take the machine away."
        )

"""What a sheet shows of its cells beside their values: numbers filled with zeros, hidden parts."""

from dataclasses import dataclass, field


class PaddedNumber(str):
    """A whole number that its sheet shows with zeros before it, as it is shown."""

    __slots__ = ()


@dataclass(slots=True)
class ShownCells:
    """What is known of a sheet beside the values of its cells."""

    padded: dict[tuple[int, int], int] = field(default_factory=dict)
    """To how many digits numbers are filled with zeros, by rows, from 1, and columns, from 0."""
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)


def padded(number: int, digits: int) -> int | PaddedNumber:
    """Returns a whole number as it is shown where zeros are put before it.

    Args:
        number: The number.
        digits: To how many digits it is filled.

    Returns:
        The text that is shown, or the number where it has as many digits itself.
    """
    is_shorter = digits > 1 and 0 <= number < 10 ** (digits - 1)
    return PaddedNumber(f"{number:0{digits}}") if is_shorter else number

"""Numbers of questions whose digits no double holds: long ids, and amounts of many digits."""

from decimal import Decimal
from typing import Self


class WrittenNumber(float):
    """A number that is reckoned with as the nearest double, and written as it was said."""

    __slots__ = ("digits",)
    digits: str

    def __new__(cls, text: str) -> Self:
        """Makes one of the text of a finite number."""
        made = super().__new__(cls, text)
        made.digits = f"{Decimal(text):f}"
        return made

    def __str__(self) -> str:
        return self.digits

    def __repr__(self) -> str:
        return self.digits

    def is_integer(self) -> bool:
        """Tells that it is not to be made an integer, which would be that of the double."""
        return False


def number_in(text: str) -> float:
    """Reads a number in digits with all of them.

    Args:
        text: Digits, with a sign and a point perhaps.

    Returns:
        A double where one holds it, else a `WrittenNumber`.

    Raises:
        ValueError: It is no number.
    """
    value = float(text)
    if value in (float("inf"), float("-inf")) or value != value:  # noqa: PLR0124 - NaN alone differs from itself
        return value
    return value if Decimal(repr(value)) == Decimal(text.replace("_", "")) else WrittenNumber(text)


def scaled(number: float, scale: float) -> float:
    """Multiplies a number; one that stays as it is keeps its digits.

    Args:
        number: A number as it was read.
        scale: What it is multiplied by, 1 of most.

    Returns:
        The product.
    """
    return number if scale == 1 else number * scale


def as_whole(number: float) -> float | int:
    """Gives a number without a fraction as an integer.

    Args:
        number: A number as it was read.

    Returns:
        An integer, or the number itself.
    """
    return int(number) if number.is_integer() else number

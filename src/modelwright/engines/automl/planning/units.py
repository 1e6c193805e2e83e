"""Strings of numbers in several units of one kind, such as grams and kilograms."""

from collections.abc import Iterable

from modelwright_runtime.number_parsing import units_of

KINDS = (
    frozenset({"mg", "g", "kg", "t", "gram", "kilo", "ton", "tonne", "lb", "oz"}),
    frozenset({"mm", "cm", "m", "km", "meter", "metre", "in", '"', "ft", "feet", "mi", "mile"}),
    frozenset({"ml", "cl", "dl", "l", "liter", "litre", "gal", "gallon"}),
    frozenset({
        "m", "h", "d", "s", "ms", "sec", "second", "min", "minute", "hr", "hour", "day", "week",
        "month", "year", "yr",
    }),
    frozenset({"b", "kb", "mb", "gb", "tb", "kib", "mib", "gib"}),
    frozenset({"w", "kw", "mw"}),
    frozenset({"wh", "kwh", "mwh"}),
    frozenset({"\u00b0c", "\u00b0f"}),
)  # fmt: skip
"""Units, in small letters and without a plural, of one and the same measure."""


def several_units(texts: Iterable[str]) -> list[str]:
    """Returns the units of strings that all are numbers, where they are several of one kind.

    Currencies are of one kind, too, whether they stand before numbers or after them.

    Args:
        texts: Different strings of a column, without gaps.

    Returns:
        Units in alphabetical order.
    """
    units = units_of(texts)
    before, after = ({unit[side] for unit in units} - {""} for side in (0, 1))
    if len(before) > 1 and len(after) <= 1:
        return sorted(before)
    is_kind = any(after <= kind for kind in KINDS) or all(map(_is_currency, after))
    return sorted(after) if len(after) > 1 and not before and is_kind else []


def _is_currency(unit: str) -> bool:
    return not unit.isascii() or unit in {"$", "usd", "eur", "gbp", "chf", "jpy", "cny", "inr"}


def written_in_one(name: str, units: Iterable[str]) -> str:
    """Says that numbers are in several units, and what to do.

    Args:
        name: The column.
        units: Its units.

    Returns:
        The end of a sentence.
    """
    listed = ", ".join(units)
    return (
        f"{name} writes numbers in several units ({listed}), so they can't be compared: write all"
        " of them in one and upload the table again"
    )

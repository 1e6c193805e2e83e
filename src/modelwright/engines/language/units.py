"""Units: 5 kg is 5000 in a column of grams."""

from modelwright.engines.language.words import name_parts

_SIZES = {
    "mass": {"mg": 0.001, "g": 1.0, "gram": 1.0, "kg": 1e3, "kilo": 1e3, "kilogram": 1e3},
    "length": {
        "mm": 0.001, "cm": 0.01, "m": 1.0, "meter": 1.0, "metre": 1.0, "km": 1e3,
        "kilometer": 1e3, "kilometre": 1e3,
    },
    "time": {
        "ms": 0.001, "s": 1.0, "sec": 1.0, "second": 1.0, "min": 60.0, "minute": 60.0,
        "h": 3600.0, "hr": 3600.0, "hour": 3600.0,
    },
}  # fmt: skip


def times(said: str, name: str) -> float:
    """What a number of the unit `said` is multiplied by in the unit that a column's name ends in.

    1 where either tells no unit, or they measure different things; a column `hour` tells none.
    """
    *told, last = name_parts(name)
    if not told:
        return 1.0
    for sizes in _SIZES.values():
        mine, theirs = sizes.get(said.removesuffix("s") or said), sizes.get(last.removesuffix("s"))
        if mine and theirs:
            return mine / theirs
    return 1.0

"""All families that there are a file of: whoever imports this finds them registered."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from modelwright.engines.automl.estimators.family import FAMILIES, Family

__all__ = ["FAMILIES", "installed", "load_libraries"]

for _module in iter_modules([str(Path(__file__).parent)]):
    import_module(f"{__package__}.{_module.name}")


def installed() -> list[Family]:
    """Returns the families whose libraries are there, in the order of their names.

    Returns:
        Families.
    """
    return [one for _, one in sorted(FAMILIES.items()) if one.is_installed()]


def load_libraries() -> None:
    """Loads what the families import late, so that no fit's seconds are spent on it."""
    for family in installed():
        for name in family.modules:
            import_module(name)

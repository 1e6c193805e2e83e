"""Tells names apart by numbers, as SQL would take two that differ in their case for one."""

from collections.abc import Iterable


def numbered(wanted: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Numbers names that are taken already, whatever their case: `sales`, `Sales_2`.

    Args:
        wanted: Names, the first of which keep theirs.
        taken: Names that others have.

    Returns:
        As many names as are wanted.
    """
    used = {name.lower() for name in taken}
    names = []
    for name in wanted:
        free, number = name, 1
        while free.lower() in used:
            number += 1
            free = f"{name}_{number}"
        used.add(free.lower())
        names.append(free)
    return names

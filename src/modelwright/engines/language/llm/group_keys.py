"""Shows what a statement groups by: small models write `SELECT AVG(price) ... GROUP BY cut`.

Figures of groups that are not named say nothing, so the keys belong to the result.
"""

from sqlglot import exp


def show_group_keys(tree: exp.Expression) -> None:
    """Puts the keys in front of the result where none of them is shown.

    Args:
        tree: A statement; it is changed.
    """
    group = tree.args.get("group") if isinstance(tree, exp.Select) else None
    if not isinstance(tree, exp.Select) or group is None:
        return
    keys = [one for one in group.expressions if not one.is_int]
    shown = {one.unalias() for one in tree.selects}
    shown |= {exp.column(one.alias) for one in tree.selects if one.alias}
    if keys and not tree.is_star and not any(key in shown for key in keys):
        tree.set("expressions", [*(key.copy() for key in keys), *tree.selects])

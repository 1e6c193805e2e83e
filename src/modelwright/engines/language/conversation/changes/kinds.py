"""The changes that a follow-up may make of a statement, each of one kind of part."""

from modelwright.engines.language.conversation.changes.change import Change
from modelwright.engines.language.conversation.changes.computed import (
    change_figure,
    change_to_basis,
    change_to_count,
    change_to_list,
    change_to_share,
)
from modelwright.engines.language.conversation.changes.conditions import (
    add_condition,
    change_condition,
    change_nothing,
    drop,
)
from modelwright.engines.language.conversation.changes.groups import change_groups, take_groups
from modelwright.engines.language.conversation.changes.orders import (
    change_end,
    change_limit,
    change_order,
)
from modelwright.engines.language.conversation.changes.tested import change_period, change_value

CHANGES: tuple[Change, ...] = (
    change_limit, change_end, change_value, change_period, change_to_count, change_to_list,
    change_to_share, change_to_basis, take_groups, change_groups, change_figure, change_order, drop,
    add_condition, change_condition, change_nothing,
)  # fmt: skip
"""The kinds of changes, in the order in which they are tried."""

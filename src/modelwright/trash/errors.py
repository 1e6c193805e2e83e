"""Refusals about the trash."""

from modelwright.core.errors import NotFound


class NotInTrash(NotFound):
    """Nothing of that id lies in the trash."""

    def __init__(self, item_id: str) -> None:
        super().__init__(f"item_id: {item_id!r} is not in the trash; GET /trash lists what is.")

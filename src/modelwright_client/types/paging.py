"""The envelope of every list."""

from typing import TypedDict


class Pagination(TypedDict):
    """Where a page lies in the whole list."""

    total: int
    limit: int
    offset: int
    has_more: bool

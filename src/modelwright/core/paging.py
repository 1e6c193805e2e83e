"""The page a list request asks for and the envelope its answer carries."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Query
from pydantic import BaseModel

from modelwright.core.limits import LIMITS

MAX_OFFSET = 2**53


@dataclass(frozen=True, slots=True)
class Page:
    """A window on a list."""

    limit: int
    offset: int


class Pagination(BaseModel):
    """Where a list answer stands in the whole list."""

    total: int
    limit: int
    offset: int
    has_more: bool

    @classmethod
    def of(cls, page: Page, total: int) -> "Pagination":
        """Describes one page of `total` items."""
        return cls(
            total=total,
            limit=page.limit,
            offset=page.offset,
            has_more=page.offset + page.limit < total,
        )


async def _page(
    limit: Annotated[int, Query(ge=1, le=LIMITS.page_max)] = LIMITS.page,
    offset: Annotated[int, Query(ge=0, le=MAX_OFFSET)] = 0,
) -> Page:
    return Page(limit, offset)


async def _log_page(
    limit: Annotated[int, Query(ge=1, le=LIMITS.log_page_max)] = LIMITS.log_page,
    offset: Annotated[int, Query(ge=0, le=MAX_OFFSET)] = 0,
) -> Page:
    return Page(limit, offset)


async def _long_page(
    limit: Annotated[int, Query(ge=1, le=LIMITS.page_max)] = LIMITS.page_max,
    offset: Annotated[int, Query(ge=0, le=MAX_OFFSET)] = 0,
) -> Page:
    return Page(limit, offset)


Paged = Annotated[Page, Depends(_page)]
"""20 a page by default, 100 at most."""
LongPaged = Annotated[Page, Depends(_long_page)]
"""100 a page by default and at most."""
LogPaged = Annotated[Page, Depends(_log_page)]
"""100 a page by default, 1000 at most."""

"""The page a list request asks for and the envelope its answer carries."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Query
from pydantic import BaseModel

from modelwright.core.limits.contract import LIMITS

MAX_OFFSET = 2**53
"""The largest number that every reader of JSON has exactly."""


@dataclass(frozen=True, slots=True)
class Page:
    """A window on a list."""

    limit: int
    offset: int


class Pagination(BaseModel):
    """The position of a page in the whole list."""

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


def _paged(usual: int, most: int) -> Any:
    async def page(
        limit: Annotated[int, Query(ge=1, le=most)] = usual,
        offset: Annotated[int, Query(ge=0, le=MAX_OFFSET)] = 0,
    ) -> Page:
        return Page(limit, offset)

    return Depends(page)


Paged = Annotated[Page, _paged(LIMITS.page, LIMITS.page_max)]
"""20 a page by default, 100 at most."""
LongPaged = Annotated[Page, _paged(LIMITS.page_max, LIMITS.page_max)]
"""100 a page by default and at most."""
LogPaged = Annotated[Page, _paged(LIMITS.log_page, LIMITS.log_page_max)]
"""100 a page by default, 1000 at most."""

"""What is noted of a prediction, and what may be asked about it.

The id of a request tells where its prediction is kept, so that feedback finds it without an index
over all predictions.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from modelwright.usage.domain import hour_of

DEFAULT_WINDOW_HOURS = 24
"""How far monitoring looks back unless told otherwise."""
MOST_HOURS = 24 * 366
"""How far it may look back: a year."""
MAX_FEEDBACK_ROWS = 10_000
"""Truths that one request may tell."""
FIRST_ROW = ".0"
"""What the id of a batch's first row ends with, and that of a single row may."""
_REQUEST = re.compile(r"req_([0-9a-f]{32})(?:\.(0|[1-9][0-9]{0,8}))?")


class NotedRequest(NamedTuple):
    """One answered request; the rows are there as objects, as the body, or counted already."""

    account_id: str
    version_id: str
    artifact: str
    request_id: str
    told: Any
    """Class numbers or values, shape (n,)."""
    link: Any
    """Shape (n, width)."""
    rows: Sequence[Mapping[str, Any]] | None = None
    body: bytes = b""
    columns: dict[str, Any] | None = None


class FeedbackKey(NamedTuple):
    """A request's id taken apart: when it came, what it is kept under, which row of it."""

    milliseconds: int
    key: bytes
    row: int | None

    @classmethod
    def of(cls, request_id: str) -> "FeedbackKey | None":
        """Reads an id such as `req_0192…` or, for a row of a batch, `req_0192….7`."""
        found = _REQUEST.fullmatch(request_id)
        if found is None:
            return None
        body, row = found.groups()
        return cls(int(body[:12], 16), bytes.fromhex(body), None if row is None else int(row))

    def fits(self, rows: int) -> bool:
        """Returns whether a request of so many rows has the row that is meant."""
        return rows == 1 if self.row is None else self.row < rows

    @property
    def moment(self) -> datetime:
        """When the request came."""
        return datetime.fromtimestamp(self.milliseconds / 1000, UTC)


class FoundPrediction(NamedTuple):
    """One prediction: class number or value, and its link as float32."""

    told: float
    link: bytes


class ToldTruth(NamedTuple):
    """A prediction and what turned out to be so: class numbers or values."""

    predicted: float
    link: bytes
    """The raw prediction, float32 of each output."""
    actual: float
    """Below zero for a class that the model does not know."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What turned out to be so for one prediction."""

    request_id: str
    actual: Any


def since(now: datetime, hours: int) -> datetime:
    """Returns the first hour of a window that ends now."""
    return hour_of(now - timedelta(hours=hours))


def fits(kind: str, value: Any) -> bool:
    """Returns whether a truth is of the type that the output schema names."""
    if kind == "boolean" or isinstance(value, bool):
        return kind == "boolean" and isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int | float) and float(value).is_integer()
    if kind == "float":
        return isinstance(value, int | float)
    return isinstance(value, str)

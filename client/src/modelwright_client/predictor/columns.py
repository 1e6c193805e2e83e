"""Compiled columns: one JSON value, or many, to the float32 slots that the models read.

They run in the API process, so they know only numpy. `one` and `many` give the same numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from modelwright_client.predictor.texts import Vocabulary

Slots = NDArray[np.float32]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
NO_DATE = int(np.iinfo(np.int64).min)
LARGEST = 3.0e38
DAY_MS = 86_400_000
NAN = float("nan")
DATE_PARTS = ("days", "month", "day", "weekday", "hour")
NO_PARTS = (NAN,) * len(DATE_PARTS)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one field of an input row."""

    field: str
    kind: Literal["missing", "type"]
    message: str


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """An integer, float or boolean: its value, NaN when missing."""

    kind: ClassVar[str] = "number"
    name: str
    type: str
    gaps: bool
    width: int = 1

    def one(self, value: Any) -> Sequence[float]:
        """Encodes one value."""
        return (NAN,) if value is None else (min(max(value, -LARGEST), LARGEST),)

    def many(self, values: Sequence[Any]) -> Slots:
        """Encodes a column of values, shape (n, 1)."""
        try:
            wide = np.array(values, dtype=np.float64)
        except (TypeError, OverflowError):
            wide = np.array([self.one(value)[0] for value in values], dtype=np.float64)
        return np.clip(wide, -LARGEST, LARGEST).astype(np.float32)[:, None]


@dataclass(frozen=True, slots=True)
class CategoryColumn:
    """A string with few values: a row of a table for each level, then missing, then unseen."""

    kind: ClassVar[str] = "category"
    name: str
    type: str
    gaps: bool
    levels: tuple[str, ...]
    table: Slots
    index: dict[str | None, int] = field(init=False, repr=False)
    rows: list[list[float]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        places: dict[str | None, int] = {level: row for row, level in enumerate(self.levels)}
        object.__setattr__(self, "index", {**places, None: len(places)})
        object.__setattr__(self, "rows", self.table.tolist())

    @property
    def width(self) -> int:
        """The number of slots."""
        return int(self.table.shape[1])

    def one(self, value: Any) -> Sequence[float]:
        """Encodes one value."""
        return self.rows[self.index.get(value, -1)]

    def many(self, values: Sequence[Any]) -> Slots:
        """Encodes a column of values, shape (n, width)."""
        places = self.index
        return self.table[np.array([places.get(value, -1) for value in values], dtype=np.intp)]


@dataclass(frozen=True, slots=True)
class DateColumn:
    """A date or date-time: days since the start of the training data, and calendar parts."""

    kind: ClassVar[str] = "date"
    name: str
    type: str
    gaps: bool
    start: int
    width: int = len(DATE_PARTS)

    def one(self, value: Any) -> Sequence[float]:
        """Encodes one ISO string."""
        return NO_PARTS if value is None else self.one_moment(moment_of(value))

    def one_moment(self, moment: datetime) -> Sequence[float]:
        """Encodes one moment."""
        milliseconds = (moment - EPOCH) // MICROSECOND // 1000
        day = (milliseconds % DAY_MS) / 3_600_000
        since = (milliseconds - self.start) / DAY_MS
        return since, moment.month, moment.day, moment.weekday(), day

    def many(self, values: Sequence[Any]) -> Slots:
        """Encodes a column of ISO strings, shape (n, 5)."""
        return self.parts(np.array([microseconds(value) for value in values], dtype=np.int64))

    def parts(self, stamps: NDArray[np.int64]) -> Slots:
        """Encodes microseconds since 1970, shape (n, 5); the smallest integer is a gap."""
        milliseconds = stamps // 1000
        days = milliseconds // DAY_MS
        months = days.astype("datetime64[D]").astype("datetime64[M]")
        parts = np.empty((len(stamps), self.width), dtype=np.float32)
        parts[:, 0] = (milliseconds - self.start) / DAY_MS
        parts[:, 1] = months.astype(np.int64) % 12 + 1
        parts[:, 2] = days - months.astype("datetime64[D]").astype(np.int64) + 1
        parts[:, 3] = (days + 3) % 7
        parts[:, 4] = (milliseconds % DAY_MS) / 3_600_000
        parts[stamps == NO_DATE] = np.nan
        return parts


@dataclass(frozen=True, slots=True)
class TextColumn:
    """Free text: its length in characters and its dense directions; a gap is an empty text."""

    kind: ClassVar[str] = "text"
    name: str
    type: str
    gaps: bool
    words: Vocabulary

    @property
    def width(self) -> int:
        """The number of slots."""
        return 1 + int(self.words.directions.shape[1])

    def one(self, value: Any) -> Sequence[float]:
        """Encodes one text."""
        text = value or ""
        return [len(text), *self.words.place(*self.words.weigh(text)).tolist()]

    def many(self, values: Sequence[Any]) -> Slots:
        """Encodes a column of texts, shape (n, width)."""
        rows = [self.one(value) for value in values]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.width)


Column = NumberColumn | CategoryColumn | DateColumn | TextColumn


@dataclass(frozen=True, slots=True)
class Encoder:
    """All columns, and the seconds between pairs of dates, as one vector of slots."""

    columns: tuple[Column, ...]
    durations: tuple[tuple[str, str], ...] = ()
    _plain: tuple[tuple[str, frozenset[type], Column], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        plain = tuple((column.name, _classes(column), column) for column in self.columns)
        object.__setattr__(self, "_plain", plain)

    @property
    def width(self) -> int:
        """The number of slots."""
        return sum(column.width for column in self.columns) + len(self.durations)

    def owners(self) -> list[int]:
        """Gives for each slot the number of the column it comes from."""
        names = [column.name for column in self.columns]
        owners = [place for place, column in enumerate(self.columns) for _ in range(column.width)]
        return owners + [names.index(later) for _, later in self.durations]

    def plain(self, row: Mapping[str, Any]) -> Slots | None:
        """Checks and encodes one row in one go, shape (1, width), as `one` does.

        None for a row that is wrong, and for one that takes a closer look to tell.
        """
        slots: list[float] = []
        moments: dict[str, datetime] = {}
        for name, classes, column in self._plain:
            value: Any = row.get(name)
            if type(value) not in classes:
                return None
            if isinstance(column, NumberColumn) and value is not None:
                if not -LARGEST <= value <= LARGEST:
                    return None
                slots.append(value)
            elif isinstance(column, DateColumn) and value is not None:
                try:
                    moments[name] = moment = moment_of(value)
                except (ValueError, OverflowError):
                    return None
                slots.extend(column.one_moment(moment))
            else:
                slots.extend(column.one(value))
        for earlier, later in self.durations:
            slots.append(_between(moments.get(earlier), moments.get(later)))
        return np.array([slots], dtype=np.float32)

    def plain_many(self, rows: Sequence[Mapping[str, Any]]) -> Slots | None:
        """Checks and encodes rows in one go, shape (n, width), as `many` does; None as `plain`."""
        slots = np.empty((len(rows), self.width), dtype=np.float32)
        stamps: dict[str, NDArray[np.int64]] = {}
        at = 0
        for name, classes, column in self._plain:
            values = [row.get(name) for row in rows]
            if not classes.issuperset(map(type, values)):
                return None
            try:
                if isinstance(column, NumberColumn):
                    part = _plain_numbers(values)
                elif isinstance(column, DateColumn):
                    stamps[name] = np.array([microseconds(one) for one in values], dtype=np.int64)
                    part = column.parts(stamps[name])
                else:
                    part = column.many(values)
            except (ValueError, OverflowError):
                return None
            slots[:, at : at + column.width] = part
            at += column.width
        for earlier, later in self.durations:
            ends = stamps[earlier], stamps[later]
            seconds = (ends[1] - ends[0]) // 1000 / 1000
            slots[:, at] = np.where((ends[0] == NO_DATE) | (ends[1] == NO_DATE), NAN, seconds)
            at += 1
        return slots

    def one(self, row: Mapping[str, Any]) -> Slots:
        """Encodes one row, shape (1, width)."""
        slots: list[float] = []
        for column in self.columns:
            slots.extend(column.one(row.get(column.name)))
        for earlier, later in self.durations:
            slots.append(elapsed(row.get(earlier), row.get(later)))
        return np.array([slots], dtype=np.float32)

    def many(self, rows: Sequence[Mapping[str, Any]]) -> Slots:
        """Encodes rows, shape (n, width)."""
        slots = np.empty((len(rows), self.width), dtype=np.float32)
        at = 0
        for column in self.columns:
            values = [row.get(column.name) for row in rows]
            slots[:, at : at + column.width] = column.many(values)
            at += column.width
        for earlier, later in self.durations:
            slots[:, at] = [elapsed(row.get(earlier), row.get(later)) for row in rows]
            at += 1
        return slots


_CLASSES: Mapping[str, tuple[type, ...]] = {
    "integer": (int,), "float": (int, float), "boolean": (bool,), "string": (str,), "date": (str,)
}  # fmt: skip


def _classes(column: Column) -> frozenset[type]:
    """The classes that values of a column are of at least when nothing is odd about them."""
    return frozenset([*_CLASSES[column.type], *([type(None)] if column.gaps else [])])


def _plain_numbers(values: Sequence[Any]) -> Slots:
    """Encodes numbers and gaps, shape (n, 1); raises OverflowError for what is very large."""
    wide = np.array(values, dtype=np.float64)
    if (np.abs(wide) > LARGEST).any():
        raise OverflowError
    return wide.astype(np.float32)[:, None]


def moment_of(value: str) -> datetime:
    """Reads an ISO date or date-time; without a zone it is taken as UTC."""
    moment = datetime.fromisoformat(value)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def microseconds(value: Any) -> int:
    """Gives microseconds since 1970, the smallest 64-bit integer for a gap."""
    return NO_DATE if value is None else (moment_of(value) - EPOCH) // MICROSECOND


def elapsed(earlier: Any, later: Any) -> float:
    """Gives the seconds between two ISO strings, NaN where one is missing."""
    return _between(*(None if one is None else moment_of(one) for one in (earlier, later)))


def _between(earlier: datetime | None, later: datetime | None) -> float:
    if earlier is None or later is None:
        return NAN
    return ((later - EPOCH) // MICROSECOND - (earlier - EPOCH) // MICROSECOND) // 1000 / 1000

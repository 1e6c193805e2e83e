"""Compiled columns: one JSON value, or many, to the float32 features that the models read.

They run in the API process, so they know only numpy. `one` and `many` give the same numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.date_parsing import (
    EPOCH,
    MICROSECOND,
    NO_DATE,
    Order,
    moment_of,
    stamps_of,
)
from modelwright_runtime.missing_values import says_nothing
from modelwright_runtime.number_parsing import NumberFormat
from modelwright_runtime.text_features import COUNTS, Vocabulary
from modelwright_runtime.text_keys import places_by_key, spelling_key

Features = NDArray[np.float32]
MAX_NUMBER = 3.0e38
"""Numbers are kept as float32; larger ones are cut to this."""
DAY_MS = 86_400_000
"""Milliseconds of a day."""
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
    """An integer, float or boolean: how far it is from the origin, NaN when missing."""

    kind: ClassVar[str] = "number"
    name: str
    type: str
    gaps: bool
    width: int = 1
    origin: float = 0.0
    """Not zero for numbers so large that float32 could not tell them apart."""

    def one(self, value: Any) -> Sequence[float]:
        """Encodes one value.

        Args:
            value: One JSON value, None where missing.

        Returns:
            The number less its origin, shape (1,).
        """
        return (
            (NAN,) if value is None else (min(max(value, -MAX_NUMBER), MAX_NUMBER) - self.origin,)
        )

    def many(self, values: Sequence[Any]) -> Features:
        """Encodes a column of values, shape (n, 1).

        Args:
            values: JSON values, None where missing, n of them.

        Returns:
            Numbers less their origin, float32.
        """
        try:
            wide = np.array(values, dtype=np.float64)
        except (TypeError, OverflowError):
            cut = [NAN if one is None else min(max(one, -MAX_NUMBER), MAX_NUMBER) for one in values]
            wide = np.array(cut, dtype=np.float64)
        return self.features(wide)

    def features(self, wide: NDArray[np.float64]) -> Features:
        """Encodes numbers, NaN where missing, shape (n, 1).

        Args:
            wide: Numbers, shape (n,).

        Returns:
            Numbers less their origin, float32.
        """
        return (np.clip(wide, -MAX_NUMBER, MAX_NUMBER) - self.origin).astype(np.float32)[:, None]


@dataclass(frozen=True, slots=True)
class AmountColumn:
    """A string that writes a number: that number, NaN when missing."""

    kind: ClassVar[str] = "amount"
    name: str
    type: str
    gaps: bool
    written: NumberFormat
    width: int = 1

    def one(self, value: Any) -> Sequence[float]:
        """Encodes one string, or its number.

        Args:
            value: One JSON value, None where missing.

        Returns:
            The number, shape (1,).

        Raises:
            ValueError: The string is no such number, or a gap where training had none.
        """
        if not isinstance(value, str):
            return (NAN,) if value is None else (value,)
        number = self.written.read(value)
        if number != number and not self.gaps:  # noqa: PLR0124 - NaN alone differs from itself
            raise ValueError("a gap where training had none")
        return (number,)

    def many(self, values: Sequence[Any]) -> Features:
        """Encodes a column of values, shape (n, 1).

        Args:
            values: JSON values, None where missing, n of them.

        Returns:
            Numbers, float32.

        Raises:
            ValueError: As `one` does.
        """
        return np.array([self.one(value) for value in values], np.float32).reshape(-1, 1)


@dataclass(frozen=True, slots=True)
class CategoryColumn:
    """A string of few values: a row of a table for each level, then missing, then unseen.

    A level may come in another case or with other blanks. Of integers that name things, the levels
    are their digits.
    """

    kind: ClassVar[str] = "category"
    name: str
    type: str
    gaps: bool
    levels: tuple[str, ...]
    table: Features
    index: dict[str | int | None, int] = field(init=False, repr=False)
    keys: dict[str, int] = field(init=False, repr=False)
    rows: list[list[float]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        read: type[str | int] = int if self.type == "integer" else str
        places = {read(level): row for row, level in enumerate(self.levels)}
        object.__setattr__(self, "index", {**places, None: len(places)})
        object.__setattr__(self, "keys", places_by_key(self.levels))
        object.__setattr__(self, "rows", self.table.tolist())

    @property
    def width(self) -> int:
        """The number of features."""
        return int(self.table.shape[1])

    def one(self, value: Any) -> Sequence[float]:
        """Encodes one value.

        Args:
            value: One JSON value, None where missing.

        Returns:
            The row of the table for its level, shape (width,).
        """
        return self.rows[self.place(value)]

    def place(self, value: Any) -> int:
        """Returns the row of the table that a value reads.

        Args:
            value: One JSON value, None where missing.

        Returns:
            The level's number; -1, the last row, where the level is not known.
        """
        place = self.index.get(value)
        if place is not None:
            return place
        return self.keys.get(spelling_key(value), -1) if isinstance(value, str) else -1

    def many(self, values: Sequence[Any]) -> Features:
        """Encodes a column of values, shape (n, width).

        Args:
            values: JSON values, None where missing, n of them.

        Returns:
            Rows of the table.
        """
        places = self.index
        found = np.array([places.get(value, -1) for value in values], dtype=np.intp)
        for at in np.flatnonzero(found < 0).tolist():
            found[at] = self.place(values[at])
        return self.table[found]

    def with_table(self, table: Features) -> "CategoryColumn":
        """Returns the same column with another table.

        Args:
            table: Shape (levels + 1, width).

        Returns:
            A copy.
        """
        return replace(self, table=table)


@dataclass(frozen=True, slots=True)
class NominalIntegerColumn:
    """An integer that names things, as a branch's number does: its value, then its level's row."""

    kind: ClassVar[str] = "coded"
    number: NumberColumn
    category: CategoryColumn

    @property
    def name(self) -> str:
        """The name of both."""
        return self.number.name

    @property
    def type(self) -> str:
        """The type of both."""
        return self.number.type

    @property
    def gaps(self) -> bool:
        """Whether it may be missing."""
        return self.number.gaps

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels of the category."""
        return self.category.levels

    @property
    def table(self) -> Features:
        """The table of the category."""
        return self.category.table

    @property
    def width(self) -> int:
        """The number of features."""
        return self.number.width + self.category.width

    def one(self, value: Any) -> Sequence[float]:
        """Encodes one value.

        Args:
            value: One JSON value, None where missing.

        Returns:
            The number, then its row of the table, shape (width,).
        """
        return *self.number.one(value), *self.category.one(value)

    def many(self, values: Sequence[Any]) -> Features:
        """Encodes a column of values, shape (n, width).

        Args:
            values: JSON values, None where missing, n of them.

        Returns:
            The number, then its row of the table.
        """
        return np.concatenate([self.number.many(values), self.category.many(values)], axis=1)

    def with_table(self, table: Features) -> "NominalIntegerColumn":
        """Returns the same column with another table.

        Args:
            table: Shape (levels + 1, width).

        Returns:
            A copy.
        """
        return replace(self, category=self.category.with_table(table))


@dataclass(frozen=True, slots=True)
class DateColumn:
    """A date or date-time: days since the start of the training data, and calendar parts."""

    kind: ClassVar[str] = "date"
    name: str
    type: str
    gaps: bool
    start: int
    order: Order | None = None
    """How the strings of the training data write dates that are not ISO."""
    width: int = len(DATE_PARTS)

    def moment(self, value: str) -> datetime:
        """Reads one string.

        Args:
            value: One JSON value, None where missing.

        Returns:
            The moment, in UTC.

        Raises:
            ValueError: It is no date.
            OverflowError: It lies too far away.
        """
        return moment_of(value, self.order)

    def moment_or_gap(self, value: str | None) -> datetime | None:
        """Reads one string as `moment` does, or a gap, where training had one.

        Args:
            value: One JSON value, None where missing.

        Returns:
            The moment in UTC, or None.

        Raises:
            ValueError: It is no date.
            OverflowError: It lies too far away.
        """
        if value is None or (self.order and self.gaps and says_nothing(value)):
            return None
        return self.moment(value)

    def stamps(self, values: Sequence[Any]) -> NDArray[np.int64]:
        """Reads strings and gaps as microseconds since 1970, shape (n,).

        Args:
            values: JSON values, None where missing, n of them.

        Returns:
            Microseconds, the smallest integer for a gap.

        Raises:
            ValueError: One is no date.
            OverflowError: One lies too far away.
        """
        return stamps_of(values, self.order)

    def one(self, value: Any) -> Sequence[float]:
        """Encodes one string.

        Args:
            value: One JSON value, None where missing.

        Returns:
            As `one_moment`, NaN for a gap.

        Raises:
            ValueError: It is no date.
            OverflowError: It lies too far away.
        """
        moment = self.moment_or_gap(value)
        return NO_PARTS if moment is None else self.one_moment(moment)

    def one_moment(self, moment: datetime) -> Sequence[float]:
        """Encodes one moment.

        Args:
            moment: A moment in UTC.

        Returns:
            Days since training began, month, day of the month, weekday (0 is Monday), hour of the
            day.
        """
        milliseconds = (moment - EPOCH) // MICROSECOND // 1000
        day = (milliseconds % DAY_MS) / 3_600_000
        since = (milliseconds - self.start) / DAY_MS
        return since, moment.month, moment.day, moment.weekday(), day

    def many(self, values: Sequence[Any]) -> Features:
        """Encodes a column of strings, shape (n, 5).

        Args:
            values: JSON values, None where missing, n of them.

        Returns:
            Parts of the moments as `one_moment` has them.

        Raises:
            ValueError: One is no date.
            OverflowError: One lies too far away.
        """
        return self.parts(self.stamps(values))

    def parts(self, stamps: NDArray[np.int64]) -> Features:
        """Encodes microseconds since 1970, shape (n, 5); the smallest integer is a gap.

        Args:
            stamps: Shape (n,).

        Returns:
            Parts of the moments as `one_moment` has them, NaN for gaps.
        """
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
    """Free text: its length in characters, its counts, its directions; a gap is an empty text."""

    kind: ClassVar[str] = "text"
    name: str
    type: str
    gaps: bool
    words: Vocabulary
    counted: bool = False
    """Whether words, digits, capitals and marks are counted."""

    @property
    def counts(self) -> int:
        """The number of features before the directions."""
        return 1 + COUNTS * self.counted

    @property
    def width(self) -> int:
        """The number of features."""
        return self.counts + int(self.words.directions.shape[1])

    def one(self, value: Any) -> Sequence[float]:
        """Encodes one text, read or not.

        Args:
            value: One JSON value, None where missing.

        Returns:
            Counts, then directions, shape (width,).
        """
        read = self.words.read(value)
        directions = self.words.place(read.places, read.weights).tolist()
        return [*read.counts[: self.counts], *directions]

    def many(self, values: Sequence[Any]) -> Features:
        """Encodes a column of texts, shape (n, width).

        Args:
            values: JSON values, None where missing, n of them.

        Returns:
            Counts, then directions.
        """
        rows = [self.one(value) for value in values]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.width)


Simple = NumberColumn | AmountColumn | CategoryColumn | DateColumn | TextColumn
Column = Simple | NominalIntegerColumn

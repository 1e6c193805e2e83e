"""All columns of a row at once: from JSON values to the features that the models read.

It runs in the API process, so it knows only numpy. `one` and `many` give the same numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate, combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.columns import (
    MAX_NUMBER,
    NAN,
    CategoryColumn,
    Column,
    DateColumn,
    Features,
    NominalIntegerColumn,
    NumberColumn,
    Simple,
    TextColumn,
)
from modelwright_runtime.date_parsing import EPOCH, MICROSECOND, NO_DATE
from modelwright_runtime.geo_features import ANGLES, LatLon, kilometres, kilometres_one
from modelwright_runtime.text_features import Weighed

Plain = tuple[str, frozenset[type], Column, NumberColumn | None]
"""A column by its name, with the classes of its values, and how its numbers are read if it has any.
"""


@dataclass(frozen=True, slots=True)
class Encoder:
    """All columns, the seconds between pairs of dates, and places, as one vector of features."""

    columns: tuple[Column, ...]
    durations: tuple[tuple[str, str], ...] = ()
    places: tuple[LatLon, ...] = ()
    _plain: tuple[Plain, ...] = field(init=False, repr=False)
    _degrees: tuple[tuple[int, int], ...] = field(init=False, repr=False)
    """The features of each place's latitude and longitude."""
    located: int = field(init=False, repr=False)
    """The number of features that tell of places, the last ones."""

    def __post_init__(self) -> None:
        plain = tuple((one.name, _classes(one), one, _number(one)) for one in self.columns)
        first = dict(zip((one.name for one in self.columns), self._starts(), strict=True))
        degrees = tuple((first[one.latitude], first[one.longitude]) for one in self.places)
        ways = len(tuple(combinations(self.places, 2)))
        object.__setattr__(self, "_plain", plain)
        object.__setattr__(self, "_degrees", degrees)
        object.__setattr__(self, "located", len(ANGLES) * len(self.places) + ways)

    def _starts(self) -> list[int]:
        return list(accumulate((column.width for column in self.columns), initial=0))[:-1]

    @property
    def width(self) -> int:
        """The number of features."""
        return sum(column.width for column in self.columns) + len(self.durations) + self.located

    def parts(self) -> tuple[Simple, ...]:
        """Returns the columns with those of two kinds taken apart.

        In the order of their features.

        Returns:
            Simple columns; a nominal integer is two of them.
        """
        found: list[Simple] = []
        for column in self.columns:
            if isinstance(column, NominalIntegerColumn):
                found += [column.number, column.category]
            else:
                found.append(column)
        return tuple(found)

    def level_counts(self) -> dict[int, int]:
        """Returns how many levels the code of each category has, by its feature.

        The last two of them stand for gaps and for levels never seen.

        Returns:
            Counts by the number of the feature.
        """
        sizes, at = {}, 0
        for column in self.parts():
            if isinstance(column, CategoryColumn):
                sizes[at] = len(column.table)
            at += column.width
        return sizes

    def owners(self) -> list[int]:
        """Returns for each feature the number of the column it comes from.

        What several columns tell together has a number of its own, after all columns: that of
        its place in `shared`.

        Returns:
            Numbers of columns, one for each of `width` features.
        """
        names = [column.name for column in self.columns]
        owners = [place for place, column in enumerate(self.columns) for _ in range(column.width)]
        owners += [names.index(later) for _, later in self.durations]
        rotated = len(self.places)
        shared = [place for place in range(rotated) for _ in ANGLES]
        shared += range(rotated, len(self.shared()))
        return owners + [len(names) + one for one in shared]

    def shared(self) -> list[list[int]]:
        """Returns the numbers of the columns that tell together of a place, or of two.

        Returns:
            For each place its latitude and longitude, then for each pair of places all four.
        """
        names = [column.name for column in self.columns]
        ends = [[names.index(one.latitude), names.index(one.longitude)] for one in self.places]
        return ends + [first + second for first, second in combinations(ends, 2)]

    def locate(self, features: Features) -> Features:
        """Fills in, from the degrees in encoded rows, the features that tell of places.

        Args:
            features: Encoded rows, shape (n, width); written into.

        Returns:
            The same array.
        """
        if not self.places:
            return features
        degrees = [
            (features[:, north].astype(np.float64), features[:, east].astype(np.float64))
            for north, east in self._degrees
        ]
        at = features.shape[1] - self.located
        for place, (north, east) in zip(self.places, degrees, strict=True):
            features[:, at : at + len(ANGLES)] = place.rotated(north, east)
            at += len(ANGLES)
        for first, second in combinations(degrees, 2):
            features[:, at] = kilometres(first, second)
            at += 1
        return features

    def plain(self, row: Mapping[str, Any]) -> Features | None:
        """Checks and encodes one row in one go, shape (1, width), as `one` does.

        None for a row that is wrong, and for one that takes a closer look to tell.

        Args:
            row: Values by the names of the columns, not checked.

        Returns:
            Features, float32, or None.
        """
        features: list[float] = []
        moments: dict[str, datetime] = {}
        for name, classes, column, number in self._plain:
            value: Any = row.get(name)
            if type(value) not in classes:
                return None
            if number is not None and value is not None:
                if not -MAX_NUMBER <= value <= MAX_NUMBER:
                    return None
                features.append(value - number.origin)
                if isinstance(column, NominalIntegerColumn):
                    features.extend(column.category.one(value))
            elif isinstance(column, DateColumn) and value is not None:
                try:
                    moments[name] = moment = column.moment(value)
                except (ValueError, OverflowError):
                    return None
                features.extend(column.one_moment(moment))
            else:
                try:
                    features.extend(column.one(value))
                except ValueError:
                    return None
        for earlier, later in self.durations:
            features.append(_between(moments.get(earlier), moments.get(later)))
        return self._row(features)

    def plain_many(self, rows: Sequence[Mapping[str, Any]]) -> Features | None:
        """Checks and encodes rows in one go, shape (n, width), as `many` does; None as `plain`.

        Args:
            rows: Values by the names of the columns, not checked, n rows.

        Returns:
            Features, float32, or None.
        """
        features = np.empty((len(rows), self.width), dtype=np.float32)
        stamps: dict[str, NDArray[np.int64]] = {}
        at = 0
        for name, classes, column, _ in self._plain:
            values = [row.get(name) for row in rows]
            if not classes.issuperset(map(type, values)):
                return None
            try:
                if isinstance(column, NumberColumn):
                    part = _plain_numbers(column, values)
                elif isinstance(column, NominalIntegerColumn):
                    named = column.category.many(values)
                    part = np.concatenate([_plain_numbers(column.number, values), named], axis=1)
                elif isinstance(column, DateColumn):
                    stamps[name] = column.stamps(values)
                    part = column.parts(stamps[name])
                else:
                    part = column.many(values)
            except (ValueError, OverflowError):
                return None
            features[:, at : at + column.width] = part
            at += column.width
        for earlier, later in self.durations:
            ends = stamps[earlier], stamps[later]
            seconds = (ends[1] - ends[0]) // 1000 / 1000
            features[:, at] = np.where((ends[0] == NO_DATE) | (ends[1] == NO_DATE), NAN, seconds)
            at += 1
        return self.locate(features)

    def one(self, row: Mapping[str, Any]) -> Features:
        """Encodes one row, shape (1, width).

        Args:
            row: Values by the names of the columns, checked.

        Returns:
            Features, float32.
        """
        features: list[float] = []
        for column in self.columns:
            features.extend(column.one(row.get(column.name)))
        for earlier, later in self.durations:
            features.append(self._elapsed(row, earlier, later))
        return self._row(features)

    def many(self, rows: Sequence[Mapping[str, Any]]) -> Features:
        """Encodes rows, shape (n, width).

        Args:
            rows: Values by the names of the columns, checked, n rows.

        Returns:
            Features, float32.
        """
        features = np.empty((len(rows), self.width), dtype=np.float32)
        at = 0
        for column in self.columns:
            values = [row.get(column.name) for row in rows]
            features[:, at : at + column.width] = column.many(values)
            at += column.width
        for earlier, later in self.durations:
            features[:, at] = [self._elapsed(row, earlier, later) for row in rows]
            at += 1
        return self.locate(features)

    def _row(self, features: list[float]) -> Features:
        found = np.array([features + [NAN] * self.located], dtype=np.float32)
        if not self.places:
            return found
        ends = [(float(found[0, north]), float(found[0, east])) for north, east in self._degrees]
        there = [
            at
            for place, end in zip(self.places, ends, strict=True)
            for at in place.slanted_one(*end)
        ]
        there += [kilometres_one(*pair) for pair in combinations(ends, 2)]
        found[0, -self.located :] = there
        return found

    def _elapsed(self, row: Mapping[str, Any], *names: str) -> float:
        """Returns the seconds from one date to another, NaN where one is missing."""
        ends = {
            column.name: column.moment_or_gap(row[column.name])
            for column in self.columns
            if isinstance(column, DateColumn)
            and column.name in names
            and row.get(column.name) is not None
        }
        return _between(*map(ends.get, names))


_CLASSES: Mapping[str, tuple[type, ...]] = {
    "integer": (int,), "float": (int, float), "boolean": (bool,), "string": (str,), "date": (str,)
}  # fmt: skip


def _classes(column: Column) -> frozenset[type]:
    """The classes that values of a column are of at least when nothing is odd about them."""
    read = [Weighed] if isinstance(column, TextColumn) else []
    return frozenset([*_CLASSES[column.type], *read, *([type(None)] if column.gaps else [])])


def _number(column: Column) -> NumberColumn | None:
    if isinstance(column, NominalIntegerColumn):
        return column.number
    return column if isinstance(column, NumberColumn) else None


def _plain_numbers(column: NumberColumn, values: Sequence[Any]) -> Features:
    """Encodes numbers and gaps, shape (n, 1); raises OverflowError for what is very large."""
    wide = np.array(values, dtype=np.float64)
    if (np.abs(wide) > MAX_NUMBER).any():
        raise OverflowError
    return column.features(wide)


def _between(earlier: datetime | None, later: datetime | None) -> float:
    if earlier is None or later is None:
        return NAN
    return ((later - EPOCH) // MICROSECOND - (earlier - EPOCH) // MICROSECOND) // 1000 / 1000

"""Places: what a latitude and a longitude tell together that neither tells alone.

A tree cuts along the axes it is given, while coasts and valleys run aslant; so the position along
four slanted lines is given as well, and between two places the distance. Only numpy.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import asin, cos, radians, sin, sqrt

import numpy as np

from modelwright_runtime.objective import Floats

ANGLES = np.deg2rad([30.0, 60.0, 120.0, 150.0])
ALONG = np.cos(ANGLES)
"""Cosines of the turns."""
ACROSS = np.sin(ANGLES)
"""Sines of the turns."""
EARTH_RADIUS_KM = 6371.0
"""The mean radius of the Earth in km."""
POLE_DEGREES = 90.0
"""The latitude of a pole."""
MAX_PAIRS = 3
"""Of more pairs of columns than this the others are read as numbers alone."""
LATITUDE = re.compile(r"(.*)(?:latitude|lat)(.*)", re.IGNORECASE)
LONGITUDE = re.compile(r"(.*)(?:longitude|long|lon|lng)(.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LatLon:
    """Two columns of degrees, and how long a degree of longitude is there in those of latitude."""

    latitude: str
    longitude: str
    narrowing: float

    def rotated(self, latitude: Floats, longitude: Floats) -> Floats:
        """Returns positions along the slanted lines in degrees of latitude, shape (n, 4).

        Args:
            latitude: Degrees, shape (n,).
            longitude: Degrees, shape (n,).

        Returns:
            Degrees of latitude along each line.
        """
        north, east = latitude[:, None], longitude[:, None] * self.narrowing
        return np.asarray(north * ALONG + east * ACROSS)

    def slanted_one(self, latitude: float, longitude: float) -> list[float]:
        """Returns the positions of one place, the same numbers as `slanted`.

        Args:
            latitude: Degrees.
            longitude: Degrees.

        Returns:
            Degrees of latitude along each of the four lines.
        """
        east = longitude * self.narrowing
        return [latitude * along + east * across for along, across in _SLANTS]


_SLANTS = tuple(zip(ALONG.tolist(), ACROSS.tolist(), strict=True))


def kilometres(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> Floats:
    """Returns the great-circle distance of latitudes and longitudes (haversine), shape (n,).

    Args:
        first: Latitudes and longitudes in degrees, shape (n,) each.
        second: Latitudes and longitudes in degrees, shape (n,) each.

    Returns:
        Kilometres.
    """
    north, east = np.deg2rad(first)
    other_north, other_east = np.deg2rad(second)
    apart = np.sin((other_north - north) / 2) ** 2
    apart += np.cos(north) * np.cos(other_north) * np.sin((other_east - east) / 2) ** 2
    return np.asarray(2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.clip(apart, 0.0, 1.0))))


def kilometres_one(first: tuple[float, float], second: tuple[float, float]) -> float:
    """Returns the distance of one pair as `kilometres` does, in less time without arrays.

    Args:
        first: Latitude and longitude in degrees.
        second: Latitude and longitude in degrees.

    Returns:
        Kilometres.
    """
    north, east, other_north, other_east = map(radians, (*first, *second))
    apart = sin((other_north - north) / 2) ** 2
    apart += cos(north) * cos(other_north) * sin((other_east - east) / 2) ** 2
    return 2 * EARTH_RADIUS_KM * asin(sqrt(min(max(apart, 0.0), 1.0)))


def named_places(names: Sequence[str]) -> list[tuple[str, str]]:
    """Returns the names of latitudes with those of their longitudes: `pickup_lat`, `pickup_lon`.

    Args:
        names: Names of columns.

    Returns:
        Pairs of names, `MAX_PAIRS` at most.
    """
    longitudes = _parts(LONGITUDE, names)
    pairs = ((name, longitudes.get(parts)) for parts, name in _parts(LATITUDE, names).items())
    return [(north, east) for north, east in pairs if east is not None][:MAX_PAIRS]


def _parts(form: re.Pattern[str], names: Sequence[str]) -> dict[tuple[str, ...], str]:
    """Returns the names of this form by what stands before and after it."""
    found = ((form.fullmatch(name.lower()), name) for name in names)
    return {match.groups(): name for match, name in found if match}

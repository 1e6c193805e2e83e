"""How columns of tables that refer to each other are drawn: names, keys, words and days."""

import random
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from tests.questions.synthetic.more_offices import Maker


def _words(text: str, mark: str | None = None) -> list[str]:
    return text.split(mark)


FIRST = _words(
    "Amelia Arjun Beatrice Caleb Chiara Declan Elena Emeka Fatima Gareth Hannah Hiroshi Imogen"
    " Isaac Jasmine Kofi Leila Lorenzo Magda Nikhil Noor Oscar Paloma Quentin Rosa Stefan Tara Umar"
    " Violet Wesley"
)
LAST = _words(
    "Abbott Bianchi Carver Delgado Eriksen Foster Gupta Hartley Ibrahim Jensen Kowalski Lindqvist"
    " Mbeki Nakamura Osborne Petrov Quigley Rossi Silva Thornton Underwood Vargas Whitfield Xu"
    " Yilmaz Zimmer Ashby Barlow Castillo Doyle Engel Faraday Grady Holm Ivers Jarvis Keane Lowe"
    " Moretti Nash Oakes"
)
MOODS = _words("Silent Broken Distant Golden Hidden Last Quiet Red Second Stolen Winter Long Paper")
THINGS = _words(
    "River Garden Letter Mountain Orchard Harbour Window Summer Mirror Bridge Forest Island Clock"
    " Station Shore Lantern Kingdom"
)
WAYS = _words("Grilled Spicy Crispy Smoked Roasted Sweet Classic Garlic Lemon Creamy Stuffed")
FOODS = _words(
    "Noodles Chicken Salad Tofu Prawns Lamb Soup Rice Aubergine Salmon Dumplings Wrap Beef"
    " Mushrooms Potatoes Curry Halloumi"
)
MOTIFS = _words("Boats Apples Horses Dancers Lilies Mills Ruins Birds Bathers Cliffs Bottles")
TIMES = _words(
    "at Dawn|in the Rain|at Night|in Autumn|by the Sea|in Blue|with a Dog|in Snow|at Noon|on a Hill"
    "|in May|in Fog|under Trees",
    "|",
)
PROJECTS = _words(
    "Apollo Birch Comet Delta Ember Falcon Granite Harvest Indigo Jupiter Kestrel Lumen Meridian"
    " Nimbus Orchid Pioneer Quartz Raven Sierra Topaz Umbra Vertex Willow Xenon Yarrow Zephyr"
)
Tables = dict[str, tuple[int, dict[str, Maker]]]


def serial(start: int = 1) -> Maker:
    return lambda _, row: start + row["at"]


def listed(*values: Any) -> Maker:
    return lambda _, row: values[row["at"]]


def paired(left: list[str], right: list[str], shift: int = 0, form: str = "{} {}") -> Maker:
    """Two words, never the same two twice while the numbers of words have no common factor."""

    def draw(_: random.Random, row: dict[str, Any]) -> str:
        at = row["at"] + shift
        return form.format(left[at % len(left)], right[7 * at % len(right)])

    return draw


def person(shift: int, form: str = "{} {}") -> Maker:
    return paired(FIRST, LAST, shift, form)


def ref(table: str, *, used: float = 1.0, gaps: float = 0.0, skew: float = 1.5) -> Maker:
    """The key of an earlier table's row, the first ones more often, the last ones never."""

    def draw(rng: random.Random, row: dict[str, Any]) -> Any:
        rows = row["made"][table]
        key = next(iter(rows[int(used * len(rows) * rng.random() ** skew)].values()))
        return None if rng.random() < gaps else key

    return draw


def via(table: str, key: str, column: str) -> Callable[[dict[str, Any]], Any]:
    """What the row that a key names holds in a column."""
    return lambda row: next(
        one[column] for one in row["made"][table] if next(iter(one.values())) == row[key]
    )


def later(name: str, low: int, high: int, *, gaps: float = 0.0) -> Maker:
    def draw(rng: random.Random, row: dict[str, Any]) -> date | None:
        found = row[name] + timedelta(days=rng.randint(low, high))
        return None if rng.random() < gaps or found > date(2026, 11, 19) else found

    return draw

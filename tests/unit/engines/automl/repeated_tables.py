"""Tables whose rows repeat per subject, and tables of kinds, quantities and days, by seed.

Every table has a column that rows are grouped by, under a name that says nothing or the wrong
thing, and a target `y`. Where rows of one subject share what makes `y`, a hold-out at random leaks;
kinds that come again in every part of the table, quantities and ids without a say in `y` do not.
"""

from collections.abc import Callable
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

Columns = dict[str, Any]
Table = tuple[str, Columns]
"""The name of the column in question, and all columns; `y` is the target."""
Maker = np.random.Generator
Ints = NDArray[np.int64]
NAMES = (
    "c17", "zyx", "患者番号", "Kennung", "numéro", "пациент", "hogar", "x_3", "Vorgang", "klíč",
    "colour", "level", "A", "field12", "ref",
)  # fmt: skip
"""Names that tell nothing of what a column is."""
MISLEADING = ("customer_id", "patient", "device_id", "subject", "userId")
"""Names of subjects, which tables without any have too."""


def _codes(maker: Maker, values: Ints) -> Any:
    """Writes what rows are of: as numbers in no order, as words, or as long keys."""
    places = maker.permutation(int(values.max()) + 1)
    written = maker.integers(3)
    if written == 0:
        return places[values] * 7 + 1003
    if written == 1:
        return [f"k{one}" for one in places[values]]
    keys = [f"{one:08x}" for one in maker.integers(1 << 28, 1 << 31, len(places))]
    return [keys[one] for one in values]


def _noise(maker: Maker, rows: int) -> Columns:
    return {"n1": maker.normal(size=rows), "n2": maker.integers(0, 6, rows),
            "n3": maker.choice(["u", "v", "w"], rows)}  # fmt: skip


def _outcome(maker: Maker, groups: Ints, strength: float = 1.6) -> Any:
    """Gives a number, or in every other table a class, that is alike in the rows of a group."""
    effect = maker.normal(size=int(groups.max()) + 1) * strength
    y = effect[groups] + maker.normal(size=len(groups))
    return y if maker.integers(2) else np.where(y > np.median(y), "yes", "no")


def _named(
    maker: Maker,
    groups: Ints,
    more: Columns,
    y: Any,
    *,
    may_mislead: bool = False,
    is_ordered: bool = False,
) -> Table:
    """Puts the columns together, one value after the other or, unless ordered, shuffled."""
    names = NAMES + MISLEADING * may_mislead
    name = str(maker.choice(names))
    columns = {name: _codes(maker, groups), **more, "y": y}
    return name, columns if is_ordered else _laid(maker, columns)


def _laid(maker: Maker, columns: Columns) -> Columns:
    rows = np.arange(len(columns["y"]))
    if maker.integers(2):
        maker.shuffle(rows)
    return {name: np.asarray(one)[rows] for name, one in columns.items()}


def _sizes(groups: Any) -> Ints:
    return np.repeat(np.arange(len(groups)), groups)


def patients_with_fixed_traits(maker: Maker) -> Table:
    many = int(maker.integers(40, 120))
    who = _sizes(maker.integers(3, 9, many))
    more = {"m1": maker.integers(18, 90, many)[who], "m2": maker.choice(["a", "b"], many)[who],
            "m3": maker.normal(size=many)[who] + maker.normal(size=len(who)) / 9}  # fmt: skip
    return _named(maker, who, more | _noise(maker, len(who)), _outcome(maker, who))


def patients_with_numbered_visits(maker: Maker) -> Table:
    many, each = int(maker.integers(40, 90)), int(maker.integers(4, 8))
    who = _sizes(np.full(many, each))
    more = {"m1": np.tile(np.arange(1, each + 1), many)}
    return _named(maker, who, more | _noise(maker, len(who)), _outcome(maker, who))


def equally_many_rows_each(maker: Maker) -> Table:
    """Samples of one specimen, of which nothing but the target is alike."""
    who = _sizes(np.full(int(maker.integers(40, 150)), int(maker.integers(3, 12))))
    return _named(maker, who, _noise(maker, len(who)), _outcome(maker, who), is_ordered=True)


def loans_of_customers(maker: Maker) -> Table:
    """A few loans a customer, of some many, of which nothing but the target is alike."""
    who = _sizes(maker.geometric(0.35, int(maker.integers(200, 600))))
    return _named(maker, who, _noise(maker, len(who)), _outcome(maker, who, 2.5), is_ordered=True)


def members_of_households(maker: Maker) -> Table:
    who = _sizes(maker.integers(1, 6, int(maker.integers(200, 500))))
    return _named(maker, who, _noise(maker, len(who)), _outcome(maker, who, 2.0), is_ordered=True)


def logs_of_devices(maker: Maker) -> Table:
    """Many rows a device, one device after the other, of which nothing but the target is alike."""
    who = _sizes(maker.poisson(maker.uniform(15, 60), int(maker.integers(25, 70))) + 2)
    name = str(maker.choice(NAMES))
    keys = [f"{one:07x}" for one in maker.integers(1 << 24, 1 << 28, int(who.max()) + 1)]
    columns = {name: [keys[one] for one in who], **_noise(maker, len(who))}
    return name, {**columns, "y": _outcome(maker, who)}


def devices_with_fixed_traits(maker: Maker) -> Table:
    many = int(maker.integers(25, 60))
    who = _sizes(maker.poisson(30, many) + 2)
    more = {"m1": maker.normal(size=many)[who] + maker.normal(size=len(who)) / 9,
            "m2": maker.normal(size=many)[who] + maker.normal(size=len(who)) / 9}  # fmt: skip
    return _named(maker, who, more | _noise(maker, len(who)), _outcome(maker, who))


def kinds(maker: Maker) -> Table:
    """Kinds that rows are drawn from."""
    rows, many = int(maker.integers(800, 4000)), int(maker.integers(20, 60))
    kind = maker.integers(0, many, rows)
    return _named(maker, kind, _noise(maker, rows), _outcome(maker, kind), may_mislead=True)


def kinds_of_which_few_are_common(maker: Maker) -> Table:
    rows, many = int(maker.integers(1500, 5000)), int(maker.integers(25, 120))
    share = 1 / np.arange(1, many + 1)
    kind = np.unique(maker.choice(many, rows, p=share / share.sum()), return_inverse=True)[1]
    return _named(maker, kind, _noise(maker, rows), _outcome(maker, kind), may_mislead=True)


def towns(maker: Maker) -> Table:
    """Some hundred kinds, of which most rows are of some, and many have few rows."""
    rows, many = int(maker.integers(3000, 6000)), int(maker.integers(150, 300))
    share = maker.lognormal(0, 1, many)
    kind = np.unique(maker.choice(many, rows, p=share / share.sum()), return_inverse=True)[1]
    return _named(maker, kind, _noise(maker, rows), _outcome(maker, kind), may_mislead=True)


def kinds_within_kinds(maker: Maker) -> Table:
    rows, many = int(maker.integers(1500, 4000)), int(maker.integers(25, 60))
    kind = maker.integers(0, many, rows)
    more = {"m1": kind // 4, "m2": [f"g{one}" for one in kind // 9]}
    return _named(maker, kind, more | _noise(maker, rows), _outcome(maker, kind), may_mislead=True)


def kinds_that_measures_tell_of(maker: Maker) -> Table:
    rows, many = int(maker.integers(1500, 4000)), int(maker.integers(25, 60))
    kind = maker.integers(0, many, rows)
    more = {"m1": maker.normal(size=many)[kind] + maker.normal(size=rows)}
    return _named(maker, kind, more | _noise(maker, rows), _outcome(maker, kind), may_mislead=True)


def kinds_in_their_order(maker: Maker) -> Table:
    """A table that somebody sorted by kind."""
    rows, many = int(maker.integers(1500, 4000)), int(maker.integers(20, 40))
    kind = np.sort(maker.integers(0, many, rows))
    name = str(maker.choice(NAMES + MISLEADING))
    columns = {name: [f"t{one:02}" for one in kind], **_noise(maker, rows)}
    return name, {**columns, "y": _outcome(maker, kind)}


def subjects_that_do_not_tell(maker: Maker) -> Table:
    many = int(maker.integers(40, 150))
    who = _sizes(maker.integers(2, 9, many))
    more = {"m1": maker.integers(18, 90, many)[who], "m2": maker.choice(["a", "b"], many)[who]}
    y = _outcome(maker, who, 0.0)
    return _named(maker, who, more | _noise(maker, len(who)), y, may_mislead=True)


def numbers_of_rows(maker: Maker) -> Table:
    rows = int(maker.integers(400, 1500))
    at = np.arange(rows)
    name = str(maker.choice(NAMES + MISLEADING))
    y = np.sin(at / 50) * 2 + maker.normal(size=rows)
    return name, _laid(maker, {name: at + 1, **_noise(maker, rows), "y": y})


def quantities(maker: Maker) -> Table:
    rows = int(maker.integers(600, 2500))
    hours = np.minimum(maker.poisson(25, rows), 60)
    name = str(maker.choice(NAMES + MISLEADING))
    more = {"m1": hours * 2.5 + maker.normal(size=rows) / 9, "m2": hours // 2}
    y = hours / 3 + maker.normal(size=rows)
    return name, _laid(maker, {name: hours, **more, **_noise(maker, rows), "y": y})


def ages_one_after_the_other(maker: Maker) -> Table:
    """A quantity by which the table is sorted, with as many rows each."""
    ages = _sizes(np.full(60, int(maker.integers(8, 30)))) + 18
    name = str(maker.choice(NAMES + MISLEADING))
    y = (ages - 45) ** 2 / 200 + maker.normal(size=len(ages))
    return name, {name: ages, **_noise(maker, len(ages)), "y": y}


def days_as_numbers(maker: Maker) -> Table:
    """Rows of days that drift slowly, as whole numbers."""
    each = maker.poisson(12, 120) + 1
    day = _sizes(each)
    level = np.cumsum(maker.normal(size=120))
    month, of_month = day // 28 + 1, day % 28 + 1
    name = str(maker.choice(NAMES + MISLEADING))
    y = level[day] + maker.normal(size=len(day))
    written = 20240000 + month * 100 + of_month
    return name, {name: written, **_noise(maker, len(day)), "y": y}


def years(maker: Maker) -> Table:
    year = maker.integers(1990, 2024, int(maker.integers(800, 2500)))
    name = str(maker.choice([*NAMES, "year", "Jahr", "año"]))
    y = (year - 1990) / 6 + maker.normal(size=len(year))
    return name, _laid(maker, {name: year, **_noise(maker, len(year)), "y": y})


def _in_panel(maker: Maker, values: Any, groups: Ints, more: Columns) -> Table:
    """Puts a column together with what its effect, jagged from one value to the next, makes."""
    name = str(maker.choice(NAMES))
    y = _outcome(maker, groups, 2.0)
    return name, {name: values, **more, **_noise(maker, len(groups)), "y": y}


def hours_of_days(maker: Maker) -> Table:
    """Each hour once a day, in the order of time, as a number or as text."""
    days = int(maker.integers(30, 80))
    hour = np.tile(np.arange(24), days)
    day = np.datetime64("2024-01-01") + _sizes(np.full(days, 24))
    values = [f"{one:02}" for one in hour] if maker.integers(2) else hour
    return _in_panel(maker, values, hour, {"m1": day} if maker.integers(2) else {})


def hours_of_numbered_days(maker: Maker) -> Table:
    days = int(maker.integers(30, 80))
    hour = np.tile(np.arange(24), days)
    more = {"m1": np.arange(len(hour)) // 24 + 1}
    return _in_panel(maker, [f"{one}h" for one in hour], hour, more)


def half_hour_slots(maker: Maker) -> Table:
    days = int(maker.integers(20, 60))
    slot = np.tile(np.arange(48), days)
    return _in_panel(maker, [f"{one // 2:02}:{one % 2 * 3}0" for one in slot], slot, {})


def days_of_months(maker: Maker) -> Table:
    months = int(maker.integers(24, 60))
    days = [int(maker.choice([28, 30, 31])) for _ in range(months)]
    day = np.concatenate([np.arange(one) for one in days])
    return _in_panel(maker, day + 1, day, {})


def states_in_years(maker: Maker) -> Table:
    """A panel, state by state or year by year, the states by name, as many rows of each."""
    years, state = int(maker.integers(16, 40)), np.arange(50)
    names = np.array(["".join(maker.choice([*"abcdeilnorstu"], 6)).title() for _ in state])
    which = _sizes(np.full(50, years)) if maker.integers(2) else np.tile(state, years)
    year = np.tile(np.arange(years), 50) if which[1] == 0 else _sizes(np.full(years, 50))
    more = {"m1": 1990 + year} if maker.integers(2) else {}
    return _in_panel(maker, np.sort(names)[which], which, more)


def dose_levels(maker: Maker) -> Table:
    levels, each = int(maker.integers(20, 30)), int(maker.integers(8, 30))
    level = maker.permutation(np.tile(np.arange(levels), each))
    return _in_panel(maker, level * 5, level, {})


def zip_codes(maker: Maker) -> Table:
    """A few rows each, by chance or equally many."""
    many = int(maker.integers(150, 300))
    each = np.full(many, 4) if maker.integers(2) else maker.poisson(4, many) + 1
    place = maker.permutation(_sizes(each))
    return _in_panel(maker, [f"{10001 + 37 * one}" for one in place], place, {})


def car_models(maker: Maker) -> Table:
    many = int(maker.integers(80, 200))
    model = maker.permutation(_sizes(np.full(many, 3)))
    names = ["".join(maker.choice([*"aeilnorst"], 5)) + f" {maker.integers(1, 9)}" for _ in model]
    return _in_panel(maker, [names[one] for one in model], model, {})


def cities_with_a_long_tail(maker: Maker) -> Table:
    rows, many = int(maker.integers(600, 2500)), int(maker.integers(200, 600))
    share = 1 / np.arange(1, many + 1)
    city = np.unique(maker.choice(many, rows, p=share / share.sum()), return_inverse=True)[1]
    names = ["".join(maker.choice([*"aeilnorst"], 7)) for _ in range(many)]
    return _in_panel(maker, [names[one] for one in city], city, {})


def rows_by_department(maker: Maker) -> Table:
    """Departments one after the other, in no order of their names."""
    who = _sizes(maker.poisson(maker.uniform(10, 50), int(maker.integers(20, 40))) + 2)
    names = ["".join(maker.choice([*"aeilnorst"], 7)) for _ in range(int(who.max()) + 1)]
    return _in_panel(maker, [names[one] for one in who], who, {})


def months_in_their_order(maker: Maker) -> Table:
    """Rows of months as they are written, one month after the other."""
    month = _sizes(maker.poisson(20, int(maker.integers(24, 60))) + 1)
    many = int(month.max()) + 1
    written = [date(2020 + one // 12, 1 + one % 12, 1).strftime("%b %Y") for one in range(many)]
    return _in_panel(maker, [written[one] for one in month], month, {})


Kind = Callable[[Maker], Table]
SUBJECTS: tuple[Kind, ...] = (
    patients_with_fixed_traits,
    patients_with_numbered_visits,
    equally_many_rows_each,
    loans_of_customers,
    members_of_households,
    logs_of_devices,
    devices_with_fixed_traits,
)
OTHERS: tuple[Kind, ...] = (
    kinds,
    kinds_of_which_few_are_common,
    towns,
    kinds_within_kinds,
    kinds_that_measures_tell_of,
    kinds_in_their_order,
    subjects_that_do_not_tell,
    numbers_of_rows,
    quantities,
    ages_one_after_the_other,
    days_as_numbers,
    years,
    hours_of_days,
    hours_of_numbered_days,
    half_hour_slots,
    days_of_months,
    states_in_years,
    dose_levels,
    zip_codes,
    car_models,
    cities_with_a_long_tail,
    rows_by_department,
    months_in_their_order,
)


def made(kind: Kind, seed: int) -> Table:
    """Makes the table of a kind and a seed."""
    return kind(np.random.default_rng([seed, *kind.__name__.encode()]))

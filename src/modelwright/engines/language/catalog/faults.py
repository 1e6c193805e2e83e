"""What is wrong with corrections, each told by its field and with what to do."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from zoneinfo import available_timezones

from modelwright.engines.language.catalog.corrections import (
    ColumnCorrection,
    Corrections,
    MetricDefinition,
    Reference,
    TableCorrection,
)
from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.catalog.sql import (
    NUMERIC,
    ExpressionError,
    filter_tree,
    metric_tree,
)
from modelwright.engines.language.written_dates import parsed_formats

MAX_SYNONYMS = 50
"""Synonyms of one thing that a catalog takes."""
MAX_NAMES_LISTED = 20
"""Names that a sentence lists where none is near the unknown one."""
DATED = frozenset({"date", "string", "integer"})
"""Types of columns that can hold dates or years."""
DATE_FORMATS = (
    "write year, month and day as in %d/%m/%Y (%b for Jan, %y for 24), a time as %H:%M:%S or"
    " %I:%M %p, and several formats with ` | ` between them."
)
"""What to send for the format of texts that are dates."""
Columns = Mapping[str, str]
"""The columns of a table with their types."""
Tables = Mapping[str, Columns]


@dataclass(frozen=True, slots=True)
class Fault:
    """A member that cannot be kept."""

    field: str
    message: str


def faults_of(
    said: Corrections, whole: Corrections, tables: Tables, others: Callable[[str], Tables | None]
) -> list[Fault]:
    """Finds what cannot be kept.

    Args:
        said: What is said now.
        whole: All that is then said, with what was said before.
        tables: The dataset's tables.
        others: Gives the tables of another dataset of the account, None where there is none.

    Returns:
        The faults, in the order of the members.
    """
    found = [*_calendar_faults(said)]
    for name, table in said.tables.items():
        columns = tables.get(name)
        if columns is None:
            found.append(Fault(f"tables.{name}", _unknown("table", name, [*tables])))
            continue
        roles = (
            {column: one.role for column, one in whole.tables[name].columns.items()}
            if name in whole.tables
            else {}
        )
        found += _TableFaults(name, table, tables, others, roles).found()
    for name, metric in said.defined_metrics.items():
        found += _metric_faults(name, metric, tables)
    return [*found, *_clashes(said, whole, tables)]


def _calendar_faults(said: Corrections) -> Iterator[Fault]:
    if said.time_zone is not None and said.time_zone not in available_timezones():
        near = get_close_matches(said.time_zone, sorted(available_timezones()), 3)
        told = f"; did you mean {' or '.join(near)}?" if near else "."
        yield Fault(
            "time_zone",
            f"{said.time_zone!r} is no time zone; send a name such as Europe/Berlin{told}",
        )
    for name, most in (("first_day_of_week", 7), ("first_month_of_fiscal_year", 12)):
        value = getattr(said, name)
        if value is not None and not 1 <= value <= most:
            what = "1 (Monday) to 7 (Sunday)" if most == 7 else "1 (January) to 12"  # noqa: PLR2004
            yield Fault(name, f"must be {what}.")


def _unknown(what: str, name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name, known, 3)
    shown = near or known[:MAX_NAMES_LISTED]
    told = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(shown)}."
    return f"there is no {what} named {name!r}; {told}"


class _TableFaults:
    """What is wrong with what is said of one table."""

    def __init__(
        self,
        name: str,
        said: TableCorrection,
        tables: Tables,
        others: Callable[[str], Tables | None],
        roles: Mapping[str, Role | None],
    ) -> None:
        self._roles = roles
        self._at = f"tables.{name}"
        self._said = said
        self._tables = tables
        self._columns = tables[name]
        self._others = others

    def found(self) -> Iterator[Fault]:
        """Yields the faults."""
        said = self._said
        if said.key and said.key not in self._columns:
            yield Fault(f"{self._at}.key", _unknown("column", said.key, [*self._columns]))
        if said.default_date:
            yield from self._date_faults(said.default_date)
        if said.default_filter:
            try:
                filter_tree(said.default_filter, self._columns)
            except ExpressionError as problem:
                yield Fault(f"{self._at}.default_filter", str(problem))
        yield from _word_faults(f"{self._at}.row_nouns", said.row_nouns)
        for name, column in said.columns.items():
            at = f"{self._at}.columns.{name}"
            if name not in self._columns:
                yield Fault(at, _unknown("column", name, [*self._columns]))
                continue
            yield from self._column_faults(at, self._columns[name], column)

    def _date_faults(self, name: str) -> Iterator[Fault]:
        at = f"{self._at}.default_date"
        kind = self._columns.get(name)
        if kind is None:
            yield Fault(at, _unknown("column", name, [*self._columns]))
        elif kind not in DATED or (kind != "date" and self._roles.get(name) is not Role.DATE):
            dates = [one for one, its in self._columns.items() if its == "date"]
            named = f"name one of {', '.join(dates)}" if dates else "no column does"
            also = " (or send role date for it, if its texts or years are dates)"
            told = f"{name} holds no dates; {named}"
            yield Fault(at, f"{told}{also if kind in DATED else ''}.")

    def _column_faults(self, at: str, kind: str, said: ColumnCorrection) -> Iterator[Fault]:
        if said.role is Role.MEASURE and kind not in NUMERIC:
            yield Fault(
                f"{at}.role", f"must not be measure: it holds {_held(kind)}, and only numbers can."
            )
        if said.role is Role.DATE and kind not in DATED:
            yield Fault(f"{at}.role", f"must not be date: it holds {_held(kind)}.")
        if said.role is Role.FLAG and kind in {"date", "float"}:
            yield Fault(f"{at}.role", f"must not be flag: it holds {_held(kind)}.")
        is_measure = said.role in {None, Role.MEASURE} and kind in NUMERIC
        if said.additivity is not None and not is_measure:
            yield Fault(
                f"{at}.additivity", "is of measures only; leave it out, or send role measure."
            )
        if kind in DATED and "%" in (said.format or "") and not parsed_formats(said.format or ""):
            yield Fault(f"{at}.format", f"{said.format!r} is no format of dates; {DATE_FORMATS}")
        yield from _word_faults(f"{at}.synonyms", said.synonyms)
        if isinstance(said.references, Reference):
            yield from self._reference_faults(f"{at}.references", kind, said.references)

    def _reference_faults(self, at: str, kind: str, said: Reference) -> Iterator[Fault]:
        tables = self._others(said.dataset) if said.dataset else self._tables
        if tables is None:
            yield Fault(f"{at}.dataset", f"no dataset of yours is named {said.dataset!r}.")
        elif said.table not in tables:
            yield Fault(f"{at}.table", _unknown("table", said.table, [*tables]))
        elif said.column not in tables[said.table]:
            known = [*tables[said.table]]
            yield Fault(f"{at}.column", _unknown("column", said.column, known))
        elif (kind in NUMERIC) != (tables[said.table][said.column] in NUMERIC):
            other = _held(tables[said.table][said.column])
            yield Fault(f"{at}.column", f"holds {other}, and this column {_held(kind)}.")


def _held(kind: str) -> str:
    return {"string": "texts", "boolean": "yes and no", "date": "dates"}.get(kind, "numbers")


def _word_faults(at: str, told: Sequence[str] | None) -> Iterator[Fault]:
    if told is None:
        return
    if len(told) > MAX_SYNONYMS:
        yield Fault(at, f"must be at most {MAX_SYNONYMS}.")
    for one in told:
        if not any(letter.isalnum() for letter in one):
            yield Fault(at, f"{one!r} holds no letter; send words that people use in questions.")
    if len({one.casefold() for one in told}) < len(told):
        yield Fault(at, "names the same words twice.")


def _metric_faults(name: str, said: MetricDefinition, tables: Tables) -> Iterator[Fault]:
    at = f"metrics.{name}"
    if not any(letter.isalpha() for letter in name):
        yield Fault(at, "must be called by words that people use in questions.")
    columns = tables.get(said.table)
    if columns is None:
        yield Fault(f"{at}.table", _unknown("table", said.table, [*tables]))
        return
    taken = {one.casefold().replace("_", " ") for one in columns}
    if name.casefold().replace("_", " ") in taken:
        yield Fault(at, f"{said.table} has a column of that name; call the metric otherwise.")
    for member, read in (("expression", metric_tree), ("filter", filter_tree)):
        text = getattr(said, member)
        try:
            if text or member == "expression":
                read(text, columns)
        except ExpressionError as problem:
            yield Fault(f"{at}.{member}", str(problem))
    yield from _word_faults(f"{at}.synonyms", said.synonyms)


def _clashes(said: Corrections, whole: Corrections, tables: Tables) -> Iterator[Fault]:
    """Finds words that are said now and would mean two things of one table."""
    meant: dict[tuple[str, str], str] = {}
    for at, table, words in _named(whole, tables):
        place = table, words.casefold()
        if meant.setdefault(place, at) != at:
            is_new = any(at == one for one, _, _ in _named(said, tables))
            field, other = (at, meant[place]) if is_new else (meant[place], at)
            yield Fault(field, f"{words!r} is said of {other} already; take one of the two back.")


def _named(said: Corrections, tables: Tables) -> Iterator[tuple[str, str, str]]:
    for name, table in said.tables.items():
        for column, one in table.columns.items():
            for words in one.synonyms or () if column in tables.get(name, ()) else ():
                yield f"tables.{name}.columns.{column}.synonyms", name, words
    for name, metric in said.defined_metrics.items():
        for words in (name, *metric.synonyms):
            yield f"metrics.{name}", metric.table, words.replace("_", " ")

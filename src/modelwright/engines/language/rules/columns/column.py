"""A column of a session: its values, the words of its name, and what it serves for.

Every rule asks the same of columns: can it be summed, does it tell rows apart, is it a list of
names? What is told of them stands here once, found from facts about values and not from names
alone, so that two rules never judge the same column differently.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from modelwright.engines.facts import ColumnFacts, Value
from modelwright.engines.language.rules.columns.linking import Name
from modelwright.engines.language.rules.columns.list_values import parts_in
from modelwright.engines.language.rules.columns.row_numbers import numbers_rows, numbers_things
from modelwright.engines.language.rules.columns.typed_text import alike_in, as_numbers
from modelwright.engines.language.rules.columns.value_shapes import shape_of, yes_no
from modelwright.engines.language.rules.plans.plan import Ref
from modelwright.engines.language.rules.text.words import name_parts
from modelwright.engines.language.vocabulary import word_set

LIST = 50
"""From how many rows on a table is more than a list to look things up in."""
_ROWS_A_VALUE = 5
"""In so many rows or more a value stands on average in a column whose values repeat."""
_PERCENT = 100
"""Of percentages the largest."""
_KEYS = word_set("names.key_stems")
"""Stems of names whose values only name rows."""
_REFERENCES = word_set("names.reference_stems")
"""The same of texts alone."""
_KEY_SHARE = 0.9
"""Which share of the rows must have a value of their own in a column that names them."""
_APIECE = frozenset({"per", "unit", "each"})
_POINTING = frozenset({"id", "key", "uid"})
"""Stems of names whose numbers stand for rows."""
_NUMBERED = word_set("names.numbering_stems")
"""Stems of names that say so of rows that are numbered through."""


@dataclass(frozen=True, eq=False)
class Column:
    """A column with its place in the schema and the words of its name.

    What is told of it is found once: every question asks it of every column.
    """

    at: int
    table: str
    facts: ColumnFacts
    name: Name
    yes: Value | None = None
    """The value that means yes, where the column says yes or no."""
    no: Value | None = None
    textual: bool = False
    """Whether its numbers are stored as text."""
    shape: str = ""
    """What its values look like: years, days, scores, names of two words."""
    comma: bool = False
    unit: bool = False
    alike: tuple[tuple[str, str], ...] = ()
    parts: frozenset[str] = frozenset()
    """Of what its texts are lists."""
    distant: bool = False
    """Whether it tells of what rows only lead to: what a product costs, when it was launched."""

    @cached_property
    def plain_name(self) -> str:
        """Its name as words: `unit price` of UnitPrice."""
        return " ".join(name_parts(self.facts.name))

    @cached_property
    def number(self) -> bool:
        """Whether it can be summed and compared."""
        return self.facts.type in {"integer", "float"}

    @cached_property
    def priced(self) -> bool:
        """Whether its numbers may be what was paid, not the price of one unit."""
        return self.number and not _APIECE & {term.text for term in self.name.terms}

    @cached_property
    def date(self) -> bool:
        """Whether it holds dates or times."""
        return self.facts.type == "date"

    @cached_property
    def when(self) -> bool:
        """Whether it holds dates, times or years."""
        return self.date or self.shape == "year"

    @cached_property
    def timed(self) -> bool:
        """Whether it tells the time of a day."""
        return self.date and isinstance(self.facts.maximum, datetime)

    @cached_property
    def repeated(self) -> bool:
        """Whether values stand in many rows each, in a table that is more than a list."""
        return self.facts.rows >= LIST and _ROWS_A_VALUE * self.facts.distinct < self.facts.rows

    @cached_property
    def listed(self) -> bool:
        """Whether it is of a list to look things up in."""
        return self.facts.rows < LIST

    def times(self, value: Value) -> int:
        """In how many rows a value stands, as far as is known."""
        return next((times for held, times in self.facts.top if held == value), 0)

    @cached_property
    def hundreds(self) -> bool:
        """Whether whole numbers go beyond a hundred, so that they are no percentages."""
        return isinstance(self.facts.maximum, int) and self.facts.maximum > _PERCENT

    @cached_property
    def calls(self) -> frozenset[str]:
        """What rows are called that it numbers from one on, or tells the type of, of many.

        `Doses` of Dose Number, `complaints` of Complaint Type.
        """
        facts, parts = self.facts, [term.text for term in self.name.terms]
        one_on = facts.type == "integer" and facts.minimum == 1 and facts.maximum == facts.distinct
        numbers = one_on and len(parts) > 1 and parts[-1] == "number"
        types = self.repeated and (parts[1:] == ["type"] or parts[:-1] == ["type", "of"])
        called = parts[-1] if parts[:-1] == ["type", "of"] else parts[-2] if parts[1:] else ""
        return frozenset({f"{called}s"}) if numbers or types else frozenset()

    @cached_property
    def refers(self) -> bool:
        """Whether its values name something of which there may be many rows: a session_id."""
        return not self.identifier and bool({term.stem for term in self.name.terms} & _POINTING)

    @cached_property
    def keyed(self) -> bool:
        """Whether its numbers stand for rows, of this or another table, by its own name."""
        stems = {term.stem for term in self.name.terms}
        is_called = numbers_things(self.facts.name)
        is_called = is_called or bool(stems & _POINTING or (self._listed and stems & _NUMBERED))
        return self.number and is_called

    @cached_property
    def _listed(self) -> bool:
        """Whether whole numbers count the rows of a large table, each another."""
        return self.facts.type == "integer" and self.facts.distinct == self.facts.rows >= LIST

    @cached_property
    def identifier(self) -> bool:
        """Whether its values only name rows."""
        own = {term.stem for term in self.name.terms}
        keyed = bool(own & _KEYS) or self.facts.name.rstrip().endswith("#")
        keyed = keyed or (self.facts.type == "string" and bool(own & _REFERENCES))
        keyed = keyed or ("numb" in own and self._listed)
        keyed = keyed or numbers_rows(self.facts)
        return keyed and self.facts.distinct >= _KEY_SHARE * max(1, self.facts.rows)


def read_column(
    at: int, table: str, facts: ColumnFacts, name: Name, more: Sequence[Value], unit: bool
) -> Column:
    """Reads a column's values, numbers that are stored as text among them.

    `more` are values beyond its facts; with `unit` its numbers have a word for their unit.
    """
    read, comma = as_numbers(facts, more, units=unit)
    return Column(
        at,
        table,
        read or facts,
        name,
        *yes_no(facts),
        textual=read is not None,
        shape=shape_of(read or facts),
        comma=comma,
        unit=unit,
        alike=() if read else alike_in(facts),
        parts=frozenset() if read else parts_in(facts),
    )


def ref(column: Column) -> Ref:
    """Names the column in a plan."""
    return Ref(
        column.table,
        column.facts.name,
        column.textual,
        comma=column.comma,
        unit=column.unit,
        alike=column.alike,
    )

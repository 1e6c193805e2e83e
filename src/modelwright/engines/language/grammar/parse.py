"""One reading under way: the items of a question, and what was made of those that are read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.catalog.meaning import Catalog
from modelwright.engines.language.grammar.items import Item, Kind
from modelwright.engines.language.grammar.query import Field, Filter, Number


class NotReadError(Exception):
    """A word has no place; the message is a sentence for people."""


@dataclass(slots=True)
class Parse:
    """One reading under way: items are taken from the left until none is left."""

    items: list[Item]
    catalog: Catalog
    facts: Mapping[tuple[str, str], ColumnFacts]
    persons: frozenset[str] = frozenset()
    """Tables whose rows are persons: their dates tell of them, not of what they do."""
    rows: str = ""
    """The table whose rows are meant; empty where it is not known before all is read."""
    is_timeless: bool = False
    """Whether times are passed over, to find the rows that they are of."""
    numbers: list[Number] = field(default_factory=list)
    groups: list[Field] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    having: list[Filter] = field(default_factory=list)
    related: list[str] = field(default_factory=list)
    """Tables of which no row may lead to those that are meant."""
    entities: list[Field] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    order: Number | Field | None = None
    descending: bool = True
    limit: int | None = None
    counts: bool = False
    counted: Field | None = None
    counted_table: str = ""
    deed: Field | None = None
    """The date of what is counted: of bookings that on which they were booked."""
    averages_counts: bool = False
    """Whether rows are counted for each of something, on average."""
    is_distinct: bool = False
    share: bool = False
    shared: list[Filter] = field(default_factory=list)
    """Tests of what a share is of, where other tests say what share: `of online orders`."""
    left_out: list[Filter] = field(default_factory=list)
    """Tests of what is left out: `without the cancelled ones`."""
    apart: Field | None = None
    """The column of values that are set beside each other: `in Oslo and Rome`."""
    compares: bool = False
    """Whether they are set against each other: `ebooks vs paperbacks`."""
    superlative: Item | None = None
    each: bool = False
    """Whether the first of each group are wanted: `the largest city of each country`."""
    which: bool = False
    confidence: float = 0.9
    at: int = 0

    def peek(self, ahead: int = 0) -> Item | None:
        """Returns a coming item."""
        at = self.at + ahead
        return self.items[at] if 0 <= at < len(self.items) else None

    def take(self) -> Item:
        """Takes the next item."""
        self.at += 1
        return self.items[self.at - 1]

    def is_next(self, *kinds: Kind, ahead: int = 0) -> bool:
        """Returns whether a coming item is of one of these kinds."""
        one = self.peek(ahead)
        return one is not None and one.kind in kinds

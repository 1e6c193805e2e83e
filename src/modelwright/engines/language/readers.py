"""What all readers of questions share: what they are asked, and what they answer.

A reader turns a question into candidates, or says that the tables cannot answer it. It never
decides: candidates are checked, run and compared by the arbiter.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Protocol

from modelwright.engines.chart_spec import ChartSpec
from modelwright.engines.facts import Value
from modelwright.engines.language.catalog.meaning import Catalog
from modelwright.engines.language.rules.columns.schema import TableFacts
from modelwright.engines.language.rules.text.stopping import Stopped, never


@dataclass(frozen=True, slots=True)
class Period:
    """Words of a question that mean a range of time: `last month`."""

    text: str
    span: tuple[int, int]
    """Where they stand in the question, in characters, the end left out."""
    start: date | None
    end: date | None
    """The first moment that is no longer meant; with None the range is open."""
    relative: bool = False
    """Whether it moves with the day on which it is asked."""
    part: str = ""
    """`month`, `weekday` or `hour` where it returns every year, week or day, without ends."""
    values: tuple[int, ...] = ()
    """The numbers of that part, weekdays from Monday as 1."""
    negated: bool = False
    """Whether all times but these are meant."""


@dataclass(frozen=True, slots=True)
class ValueLink:
    """Words of a question that are a value of a column."""

    text: str
    span: tuple[int, int]
    table: str
    column: str
    value: Value
    """As it stands in the data."""
    quality: float = 1.0
    """1 where it is written alike, less where it is spelt nearly so."""


@dataclass(frozen=True, slots=True)
class NameLink:
    """Words of a question that name a table, a column (with `column`) or a metric."""

    text: str
    span: tuple[int, int]
    table: str
    column: str | None = None
    metric: str | None = None
    quality: float = 1.0


@dataclass(frozen=True, slots=True)
class NumberLink:
    """A number of a question, with its unit where it has one."""

    text: str
    span: tuple[int, int]
    value: int | float
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Links:
    """What the words of a question were found to mean, whichever reader reads it."""

    periods: tuple[Period, ...] = ()
    values: tuple[ValueLink, ...] = ()
    names: tuple[NameLink, ...] = ()
    numbers: tuple[NumberLink, ...] = ()
    unlinked: tuple[str, ...] = ()
    """Content words that nothing explains."""

    @property
    def of_tables(self) -> "list[NameLink | ValueLink]":
        """Returns what stands in the tables: names, then values."""
        return [*self.names, *self.values]


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question of the conversation, whole, and the SQL that answered it."""

    question: str
    sql: str


Example = Exchange
"""A verified question, shown to readers that learn by examples, with its SQL."""


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """A question, and all that a reader may know."""

    question: str
    tables: Sequence[TableFacts]
    """What the data hold: types, ranges, the most frequent values."""
    catalog: Catalog
    today: date
    links: Links = field(default_factory=Links)
    conversation: Sequence[Exchange] = ()
    """Earlier questions, oldest first; the question itself is always whole."""
    examples: Sequence[Example] = ()
    """The verified questions nearest to this one, nearest first."""
    deadline: float = float("inf")
    """When the reader must have answered, in seconds of the monotonic clock."""
    stopped: Stopped = never
    """Tells whether nobody waits for an answer any more."""
    try_sql: Callable[[str, bool], str | None] | None = None
    """Runs SQL in the sandbox and returns the engine's message, or None where it ran; for one
    repair. The second argument tells whether the message may show values of the data."""
    sampled: bool = False
    """Whether a language model draws statements in place of writing the likeliest: how often they
    say the same tells how sure it is, and what they say otherwise may be meant."""
    data_id: str = ""
    """What the tables belong to; what a reader keeps of them is deleted with it. Empty: nothing
    is kept."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to read a question."""

    sql: str
    """One SELECT in DuckDB's dialect over the tables' real names."""
    reader: str
    interpretation: str = ""
    """One plain sentence that says what the SQL shows; empty where the reader has none."""
    confidence: float | None = None
    """How sure the reader is, 0 to 1 and not calibrated; None where it cannot tell."""
    min_logprob: float | None = None
    """The lowest log-probability of a token of the SQL, of models that tell it."""
    ignored_words: tuple[str, ...] = ()
    """The words that the reader knows it has not used."""
    warnings: tuple[str, ...] = ()
    chart: ChartSpec | None = None
    samples: int = 0
    """How many samples of a language model say so; 0 of what a reader takes for the likeliest."""

    def otherwise(self, sql: str, interpretation: str, reader: str) -> "Candidate":
        """Returns another reading made of this one: nobody is sure of it, and it has no chart.

        Args:
            sql: Its SQL.
            interpretation: What that shows.
            reader: What made it.

        Returns:
            The other reading.
        """
        return replace(
            self, sql=sql, interpretation=interpretation, reader=reader, confidence=None, chart=None
        )


@dataclass(frozen=True, slots=True)
class Cannot:
    """A reader's judgement that these tables cannot answer the question; it is respected."""

    reader: str
    reason: str
    suggestions: tuple[str, ...] = ()
    """Questions that it can answer."""
    not_understood: bool = False
    """Whether the reader only failed to understand: another reader may still answer."""
    samples: int = 0
    """How many samples of a language model say so; they are doubts, not a judgement."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A reader that could not be asked: its model is away, too slow or answered nonsense."""

    reader: str
    reason: str
    samples: int = 0
    """How many samples of a language model came to nothing; that is no failure of the reader."""


Outcome = Candidate | Cannot | Failed


class Reader(Protocol):
    """Reads questions; safe to be called by many threads at once."""

    @property
    def name(self) -> str:
        """Its name, told with its candidates, for example `rules` or `qwen2.5-coder-1.5b`."""

    def read(self, request: ReadRequest) -> Sequence[Outcome]:
        """Reads one question by its deadline.

        Args:
            request: The question with tables, catalog, links and conversation.

        Returns:
            Candidates, the likeliest first, or one `Cannot` or `Failed`; never nothing.
        """


def names_read(request: ReadRequest) -> list[str]:
    """Returns the names of columns, and the values that words of a question were linked to."""
    names = [one.name for table in request.catalog.tables for one in table.columns]
    return [*names, *(str(one.value) for one in request.links.values)]

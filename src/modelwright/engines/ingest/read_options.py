"""What the owner of a file says of how it is to be read, in place of what would be guessed.

Guesses are right for most files; who knows better can say so, and what was guessed is told in the
same terms.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from modelwright.engines.facts import ColumnType
from modelwright.engines.ingest.table import Format
from modelwright_runtime.text_keys import composed

TAB_WORDS = {"tab", "\\t"}
NAMING = frozenset({"sheet", "delimiter", "encoding", "header_rows", "skip_rows"})
"""Options by which the columns of a file may have other names."""
_VALUES = frozenset({"types", "decimal", "null_values"})
_OF_TEXT = NAMING - {"sheet"} | _VALUES
OPTIONS_OF: Mapping[Format, frozenset[str]] = {
    "csv": _OF_TEXT,
    "tsv": _OF_TEXT,
    "xlsx": frozenset({"sheet", "header_rows", "skip_rows"}) | _VALUES,
    "json": frozenset({"encoding"}) | _VALUES,
    "parquet": frozenset({"types"}),
}
"""The options by which a file of a format is read."""
CALLED: Mapping[Format, str] = {
    "csv": "a delimited text",
    "tsv": "a delimited text",
    "xlsx": "a workbook",
    "json": "JSON",
    "parquet": "Parquet",
}
"""What a sentence calls a file of a format."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options of one file; what is left out is guessed from its bytes."""

    sheet: str | None = None
    """The name, or the number from 1, of the sheet of a workbook."""
    delimiter: str | None = None
    """The character between cells of a text."""
    encoding: str | None = None
    header_rows: int | None = None
    """How many rows name the columns; with 0 names are made up."""
    skip_rows: int = 0
    """How many rows stand above those that name the columns."""
    types: Mapping[str, ColumnType] = field(default_factory=dict)
    """The types of columns, by their names."""
    decimal: str | None = None
    """What stands before the decimals of numbers: a point or a comma."""
    null_values: tuple[str, ...] = ()
    """Texts that say that there is no value, in any column."""

    def __post_init__(self) -> None:
        """Composes the letters of names and values, as those of the table are."""
        types = {composed(name): kind for name, kind in self.types.items()}
        object.__setattr__(self, "types", types)
        object.__setattr__(self, "null_values", tuple(map(composed, self.null_values)))

    def passed_over(self, kind: Format) -> list[str]:
        """Names the options that were said and say nothing of a file of a format.

        Args:
            kind: The format.

        Returns:
            Names of options.
        """
        unsaid = ReadOptions()
        said = [
            one.name for one in fields(self) if getattr(self, one.name) != getattr(unsaid, one.name)
        ]
        return [name for name in said if name not in OPTIONS_OF[kind]]

    @property
    def mark(self) -> str | None:
        """The delimiter as the character that it is."""
        return "\t" if self.delimiter in TAB_WORDS else self.delimiter

    @property
    def tells_header(self) -> bool:
        """Whether rows above the data are counted and not guessed."""
        return self.header_rows is not None or self.skip_rows > 0

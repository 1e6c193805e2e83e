"""What the owner of a file says of it, and what is noticed while it is read, in every format."""

from collections.abc import Mapping, Sequence

from modelwright.engines.facts import ColumnType
from modelwright.engines.ingest.local_forms import Read


class SourceFacts:
    """What is known of a file beside its rows; a source of each format starts without any."""

    def __init__(self) -> None:
        self.null_values: Sequence[str] = ()
        """Texts that say that there is no value, as the owner of the file says."""
        self.types: Mapping[str, ColumnType] = {}
        """The types of columns, as the owner of the file says."""
        self.spelt: Sequence[str] = ()
        """Columns of bytes that are kept as hexadecimal digits; none where all is text."""
        self.zoned: Sequence[str] = ()
        """Columns of times that named other zones than UTC."""
        self.said: Sequence[str] = ()
        """What is to be said of odd values."""
        self.read_so: Sequence[str] = ()
        """What is to be said of columns that have one reading; nothing that a model must know."""
        self.rounded = set[str]()
        """Columns of numbers with more digits than are kept."""
        self.forms: Mapping[str, Read] = {}
        """How texts of columns are read as the types that the owner of the file says."""
        self.gaps: Mapping[str, frozenset[str]] = {}
        """Values that say that there is none, by the names of their columns."""
        self.units: Mapping[str, str] = {}
        """The units of columns whose texts are read as numbers."""

"""JSON as blocks of columns: an array of records, alone or in an object, or one after the other.

Files are larger than memory and nest: records are parsed as they come, and a column may appear in
the last of them.
"""

import codecs
import json
import math
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain

from modelwright.engines.ingest.kinds import Cells
from modelwright.engines.ingest.naming import distinct_names, said_of_names
from modelwright.engines.ingest.odd_values import said_of_rounding
from modelwright.engines.ingest.quoted_length import MOST_NAMED, QUOTED_LENGTH
from modelwright.engines.ingest.record_shapes import records_of_lists, table_in
from modelwright.engines.ingest.repaired_rows import lines_named
from modelwright.engines.ingest.source_facts import SourceFacts
from modelwright.engines.ingest.streaming import CHUNK_BYTES, TextStream
from modelwright.engines.ingest.table import BYTES_PER_CELL, Bounds, BrokenFile, DecompressionBudget
from modelwright.engines.ingest.texts import DOUBLE_DIGITS, NO_DIGITS
from modelwright.engines.ingest.values import cells_of
from modelwright.engines.sentences import first_of
from modelwright_runtime.record_fields import COUNT, flat

BLOCK_CELLS = 1_000_000
"""Cells that records wait for before they are handed on."""
BLOCK_CHARACTERS = 4 * 2**20
"""Characters that records wait for before they are handed on."""
EXPECTED = "an array of records, or one record a line"
MOST_LINES = 10_000
"""Lines that are counted, of those that repeat a name."""
LONGEST_TOKEN = 16
"""An error this close to the end of what was read may be a token that is cut in two."""
_BLANK = re.compile(r"[ \t\r\n\x1e]*")
"""Blanks, and the sign before each record of a sequence of JSON texts (RFC 7464)."""
SAID_OF_COMMAS = "Commas stand behind the records, in no array, and are passed over."
_INFINITIES = {"Infinity": float("inf"), "-Infinity": float("-inf")}


class _TooLong(BrokenFile):
    """A value is longer than a record may be, or never ends."""


class Records(SourceFacts):
    """A JSON file, to be read several times; its columns are the union of the records' keys."""

    def __init__(
        self,
        opened: Callable[[], TextStream],
        size: int,
        bounds: Bounds,
        *,
        of_lines: bool = False,
    ) -> None:
        super().__init__()
        self._of_lines = of_lines
        """The file is named as one of a record a line."""
        self._whole: list[dict[str, object]] = []
        """The rows of a table that is a single object."""
        self._found: Sequence[str] = ()
        """What is to be said of where the records were."""
        self._opened = opened
        self._size = size
        self._bounds = bounds
        self._keys: dict[str, None] = {}
        self._has_rounded = self._has_commas = False
        self._repeats = RepeatedNames()
        self._shapes = MixedShapes()

    @property
    def names(self) -> list[str]:
        """The names of the columns met so far, in the order of their first appearance."""
        return distinct_names(list(self._keys))

    @property
    def notices(self) -> Sequence[str]:
        """What is to be said of where the records were, and of their values."""
        rounded = [said_of_rounding("the file")] if self._has_rounded else []
        apart = said_of_names(list(self._keys))
        commas = [SAID_OF_COMMAS] if self._has_commas else []
        shapes = self._shapes.notices()
        repeats = self._repeats.notices()
        return [*self._found, *commas, *apart, *repeats, *shapes, *rounded, *self.said]

    def blocks(self) -> Iterator[list[Cells]]:
        """Yields the columns of some records at a time; refuses broken JSON, with its line.

        Yields:
            Columns of one piece.

        Raises:
            BrokenFile: The JSON is broken, holds no records, or unpacks to too much.
        """
        budget = DecompressionBudget(self._bounds)
        self._repeats, self._shapes = RepeatedNames(), MixedShapes()
        self._shapes.expect(self._keys.keys())
        member = self._wrapper()
        with self._opened() as stream:
            values = JsonValues(stream, self._bounds, self._repeats)
            waiting: list[dict[str, object]] = []
            for value in self._shaped(values, member):
                waiting.append(self._record(value, values))
                full = len(waiting) * len(self._keys) >= BLOCK_CELLS
                if full or values.characters >= BLOCK_CHARACTERS:
                    values.characters = 0
                    self._has_rounded |= values.rounded
                    yield self._block(waiting, budget)
                    waiting = []
            self._has_rounded |= values.rounded
            self._has_commas = values.has_commas
            if waiting:
                yield self._block(waiting, budget)
        if not self._keys:
            raise BrokenFile("The file holds no record with a field.", expected=EXPECTED)

    def _shaped(self, values: "JsonValues", member: str | None) -> Iterator[object]:
        """Yields the records as they stand, or those of a table that is written otherwise."""
        if self._whole:
            yield from self._whole
            return
        rows = iter(values if member is None else values.within(member))
        first = next(rows, None)
        if first is None:
            return
        again = chain([first], rows)
        yield from records_of_lists(again) if isinstance(first, list) and first else again

    def _wrapper(self) -> str | None:
        """Returns the member of the file's only object that alone holds records; APIs answer so."""
        repeats = RepeatedNames()
        with self._opened() as stream:
            values = JsonValues(stream, self._bounds, repeats)
            if not values.is_object():
                return None
        table = table_in(values.first, of_lines=self._of_lines) if values.first else None
        if table:
            self._whole, said = table
            self._found = [said]
            self._repeats = repeats
            return None
        names, found = [], []
        with self._opened() as stream:
            for name, elements in JsonValues(stream, self._bounds).members():
                names.append(name)
                if _are_records(elements):
                    found.append(name)
        if len(found) > 1:
            several = ", ".join(f"{name:.{QUOTED_LENGTH}}" for name in found[:MOST_NAMED])
            said = f"The file is one record, as several of its members hold records ({several}):"
            self._found = [f"{said} save the one that you want as a file of its own."]
        elif not found and values.first:
            self._found = _said_of_one_record(values.first)
        if len(found) != 1:
            return None
        beside = [f"{name:.{QUOTED_LENGTH}}" for name in names if name != found[0]]
        said = f"The rows are the records in {found[0]:.{QUOTED_LENGTH}}."
        if beside:
            said += f" Left out beside them: {first_of(beside, MOST_NAMED)}."
        self._found = [said]
        return found[0]

    def _record(self, value: object, values: "JsonValues") -> dict[str, object]:
        if not isinstance(value, dict):
            what = "an array" if isinstance(value, list) else json.dumps(value)[:40]
            raise values.broken(f"A record has to be an object, but there is {what}", EXPECTED)
        value = flat(value)
        if not value.keys() <= self._keys.keys():
            self._shapes.expect(value.keys() - self._keys.keys())
            self._keys |= dict.fromkeys(value)
            most = self._bounds.max_columns
            if len(self._keys) > most:
                raise values.broken(
                    f"The records have more than {most:,} different fields",
                    f"at most {most:,} columns",
                )
        self._shapes.see(value)
        return value

    def _block(self, records: list[dict[str, object]], budget: DecompressionBudget) -> list[Cells]:
        budget.take(BYTES_PER_CELL * len(records) * len(self._keys), self._size)
        return [
            cells_of(
                [record.get(key) for record in records],
                gaps=self.gaps.get(name, frozenset()).union(self.null_values),
            )
            for key, name in zip(self._keys, self.names, strict=True)
        ]


def _said_of_one_record(record: Mapping[str, object]) -> list[str]:
    """Says that a file's only record has lists that may be its columns or rows."""
    lists = [f"{name:.{QUOTED_LENGTH}}" for name, one in record.items() if isinstance(one, list)]
    numbers = sum(isinstance(one, int | float) for one in record.values())
    if numbers == len(record) > MOST_NAMED:
        return ["The file is one record of numbers: each of its members is a column of one row."]
    if len(lists) < len(record):
        held = {name: one for name, one in flat(record).items() if isinstance(one, list)}
        several = sum(len(one) > 1 for one in held.values()) > 1
        lists = [
            f"{name:.{QUOTED_LENGTH}}" for name, one in held.items() if several or _is_table(one)
        ]
    if not lists:
        return []
    named = ", ".join(lists[:MOST_NAMED])
    return [f"The file is one record, and its lists ({named}) are no columns."]


def _is_table(elements: Sequence[object]) -> bool:
    """Returns whether a list holds records, or lists as rows."""
    return any(all(isinstance(one, kind) for one in elements) for kind in (dict, list))


def _expected(message: str) -> str:
    """Takes out of a decoder's message what should have stood there."""
    _, is_said, what = message.partition("Expecting ")
    return what if is_said else EXPECTED


def _are_records(elements: Iterator[object]) -> bool:
    return isinstance(next(elements, None), dict) and all(isinstance(one, dict) for one in elements)


class MixedShapes:
    """Tells the members that are now a value, now an object or a list; and lists of records."""

    def __init__(self) -> None:
        self._seen = 0
        self._plain: dict[str, int] = {}
        """The first record that has a plain value, by names."""
        self._unseen: set[str] = set()
        """Fields without a value so far."""
        self._known: set[str] = set()
        self._nested: dict[str, str] = {}
        """What some records have besides a plain value, by names: objects or lists."""
        self._mixed: dict[str, tuple[int, str]] = {}
        """Records and other shapes, by names."""
        self._held: dict[str, int] = {}
        """How many records have a list of records, by names."""

    def expect(self, keys: AbstractSet[str]) -> None:
        """Takes the names of fields that are new, by which the members to look at are told.

        Args:
            keys: The names.
        """
        self._known |= keys
        self._unseen |= keys
        for key in keys:
            for at in (place for place, sign in enumerate(key) if sign == "."):
                name, kind = key[:at], "lists" if key[at:] == COUNT else "objects"
                if name in self._known and len(self._nested) < MOST_LINES:
                    self._nested.setdefault(name, kind)
                    if name in self._plain:
                        self._mixed.setdefault(name, (self._plain[name], kind))

    def see(self, record: Mapping[str, object]) -> None:
        """Looks at a record.

        Args:
            record: Values by the names of fields.
        """
        self._seen += 1
        if self._seen > MOST_LINES:
            self._unseen.clear()
        for name in self._unseen & record.keys():
            if record[name] is not None:
                self._unseen.remove(name)
                if not isinstance(record[name], list):
                    self._plain[name] = self._seen
        for name, kind in self._nested.items():
            value = record.get(name)
            if value is None:
                continue
            if not isinstance(value, list):
                self._mixed.setdefault(name, (self._seen, kind))
            elif value and all(isinstance(one, dict) for one in value):
                self._held[name] = self._held.get(name, 0) + 1

    def notices(self) -> list[str]:
        """Says which members are of several shapes, and which hold records of their own.

        Returns:
            Sentences.
        """
        told = []
        for name, (record, others) in list(self._mixed.items())[:MOST_NAMED]:
            named = name[:QUOTED_LENGTH]
            where = (
                f"the fields of these are in {named}.…" if others == "objects" else "kept as JSON"
            )
            told.append(
                f"{named} is a plain value in record {record:,}, while others have {others}"
                f" ({where})."
            )
        held = [name[:QUOTED_LENGTH] for name, often in self._held.items() if often > 1]
        if held:
            named = ", ".join(held[:MOST_NAMED])
            told.append(f"Records hold lists of records in {named}, which are kept as JSON.")
        return told


class RepeatedNames:
    """The names that objects have more than once, of which the last value is kept."""

    def __init__(self) -> None:
        self._lines: dict[str, set[int]] = {}
        """Lines by names."""

    def record(self, name: str, line: int) -> None:
        """Keeps where a name was repeated.

        Args:
            name: The name.
            line: The line on which the value with the object begins.
        """
        if name in self._lines or len(self._lines) <= MOST_NAMED:
            lines = self._lines.setdefault(name, set())
            if len(lines) < MOST_LINES:
                lines.add(line)

    def notices(self) -> list[str]:
        """Says which names were repeated, and which value is kept.

        Returns:
            A sentence for each name.
        """
        told = []
        for name, lines in list(self._lines.items())[:MOST_NAMED]:
            where = lines_named(sorted(lines))
            said = f"{name[:QUOTED_LENGTH]!r} stands more than once in an object ({where})"
            told.append(f"{said}: its last value is kept, and the others are left out.")
        more = len(self._lines) > MOST_NAMED
        return [*told, "Further names stand more than once in an object."] if more else told


class JsonValues:
    """The values in a stream of JSON, one by one: elements of an array, or values in a row."""

    def __init__(
        self, stream: TextStream, bounds: Bounds, repeats: RepeatedNames | None = None
    ) -> None:
        self.characters = 0
        """Characters read since this was last set to zero."""
        self.first: dict[str, object] | None = None
        """The first value, where `is_object` read it."""
        self._stream = stream
        self._longest = bounds.max_cell_bytes
        self._utf8 = codecs.getincrementaldecoder("utf-8")()
        self.rounded = False
        """A number had more digits than a double keeps."""
        self.has_commas = False
        """Commas stand behind values that are in no array."""
        self._repeats = repeats or RepeatedNames()
        self._json = json.JSONDecoder(
            parse_constant=_INFINITIES.get,
            parse_float=self._number,
            object_pairs_hook=self._object,
        )
        self._text, self._at, self._line = "", 0, 1
        self._ended = False

    def _number(self, text: str) -> float | str:
        """Reads a number; one beyond doubles stays as it is written."""
        if len(text) > DOUBLE_DIGITS:
            digits = NO_DIGITS.sub("", text).strip("0")
            self.rounded |= len(digits) > DOUBLE_DIGITS
        value = float(text)
        return value if math.isfinite(value) else text

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            line = self._line + self._text.count("\n", 0, self._at)
            often = Counter(name for name, _ in pairs)
            for name in (one for one, number in often.items() if number > 1):
                self._repeats.record(name, line)
        return found

    def __iter__(self) -> Iterator[object]:
        if self._peek() != "[":
            while self._peek():
                yield self._next()
                if self._peek() == ",":
                    self._at, self.has_commas = self._at + 1, True
            return
        yield from self._elements()
        if self._peek():
            raise self.broken("Something follows the end of the array", "the end of the file")

    def is_object(self) -> bool:
        """Returns whether the first value is an object that nothing follows or that is too long.

        Returns:
            Whether it is; if so it is in `first`, unless it is too long.
        """
        if self._peek() != "{":
            return False
        try:
            value = self._next()
        except _TooLong:
            return True
        self.first = value if isinstance(value, dict) else None
        return not self._peek()

    def members(self) -> Iterator[tuple[str, Iterator[object]]]:
        """Yields the names in the first object, each with its elements where it has an array.

        Yields:
            A name, and the elements to be read before the next name.
        """
        for _ in self._separated("{", "}", "an object", "a comma or } after a member"):
            name = self._next()
            self._skip(":", "a colon after a name")
            elements: Iterator[object] = iter(())
            if self._peek() == "[":
                elements = self._elements()
            else:
                self._next()
            yield str(name), elements
            deque(elements, maxlen=0)

    def within(self, member: str) -> Iterator[object]:
        """Yields the elements of the array of that name in the first object.

        Args:
            member: The name.

        Yields:
            An element.
        """
        for name, elements in self.members():
            if name == member:
                yield from elements

    def _elements(self) -> Iterator[object]:
        for _ in self._separated("[", "]", "[", "a comma or ] after a record"):
            yield self._next()

    def _separated(self, first: str, last: str, opening: str, comma: str) -> Iterator[None]:
        """Stops before each of what stands in brackets, parted by commas."""
        self._skip(first, opening)
        closed = self._peek() == last
        while not closed:
            yield
            closed = self._peek() == last
            if not closed:
                self._skip(",", comma)
        self._skip(last, last)

    def broken(
        self,
        what: str,
        expected: str,
        at: int | None = None,
        kind: type[BrokenFile] = BrokenFile,
    ) -> BrokenFile:
        """Makes a refusal that names the present line.

        Args:
            what: What is wrong.
            expected: What should be there.
            at: Where in the present text; else where reading has come to.
            kind: The class of the refusal.

        Returns:
            The refusal, to be raised.
        """
        line = self._line + self._text.count("\n", 0, self._at if at is None else at)
        return kind(f"{what} (line {line:,}).", line=line, expected=expected)

    def _skip(self, sign: str, expected: str) -> None:
        if self._peek() != sign:
            raise self.broken("The JSON is broken or cut short", expected)
        self._at += 1

    def _peek(self) -> str:
        while True:
            blank = _BLANK.match(self._text, self._at)
            self._at = blank.end() if blank else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._fill():
                return ""

    def _next(self) -> object:
        self._peek()
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if self._certain(error) or not self._fill():
                    raise self._wrong(error) from None
            except RecursionError:
                raise self.broken("The JSON is nested too deeply", "less nesting") from None
            except ValueError:
                raise self.broken("A number has too many digits", "a shorter number") from None
            else:
                self.characters += end - self._at
                self._at = end
                return value

    def _certain(self, error: json.JSONDecodeError) -> bool:
        """Returns whether more text could not make the record whole."""
        if len(self._text) - self._at > self._longest:
            return True
        cut = error.msg.startswith("Unterminated") or error.pos > len(self._text) - LONGEST_TOKEN
        return not cut

    def _wrong(self, error: json.JSONDecodeError) -> BrokenFile:
        if len(self._text) - self._at > self._longest:
            longest = f"{self._longest / 2**20:g} MiB"
            what = f"A record is broken or longer than {longest}"
            return self.broken(what, EXPECTED, kind=_TooLong)
        return self.broken("The JSON is broken or cut short", _expected(error.msg), error.pos)

    def _fill(self) -> bool:
        if self._ended:
            return False
        chunk = self._stream.read(CHUNK_BYTES)
        self._ended = not chunk
        self._line += self._text.count("\n", 0, self._at)
        self._text, self._at = self._text[self._at :], 0
        try:
            self._text += self._utf8.decode(chunk, self._ended)
        except UnicodeDecodeError:
            raise self.broken("The text is not valid UTF-8", "UTF-8", len(self._text)) from None
        return True

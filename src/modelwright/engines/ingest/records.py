"""JSON as blocks of columns: an array of records, alone or in an object, or one after the other."""

import codecs
import json
import re
from collections.abc import Callable, Iterator, Sequence

from modelwright.engines.ingest.kinds import Cells
from modelwright.engines.ingest.naming import distinct_names
from modelwright.engines.ingest.streaming import CHUNK, TextStream
from modelwright.engines.ingest.table import CELL, Allowance, Bounds, BrokenFile
from modelwright.engines.ingest.values import cells_of

BLOCK_CELLS = 1_000_000
BLOCK_CHARACTERS = 4 * 2**20
EXPECTED = "an array of records, or one record a line"
MOST_NAMED, NAMED = 3, 40
"""So many members that are left out are named, each with so many characters."""
LONGEST_TOKEN = 16
"""An error this close to the end of what was read may be a token that is cut in two."""
_BLANK = re.compile(r"[ \t\r\n]*")
_INFINITIES = {"Infinity": float("inf"), "-Infinity": float("-inf")}


class Records:
    """A JSON file, to be read several times; its columns are the union of the records' keys."""

    def __init__(self, opened: Callable[[], TextStream], size: int, bounds: Bounds) -> None:
        self.notices: Sequence[str] = ()
        self._opened = opened
        self._size = size
        self._bounds = bounds
        self._keys: dict[str, None] = {}

    @property
    def names(self) -> list[str]:
        """The names of the columns met so far, in the order of their first appearance."""
        return distinct_names(list(self._keys))

    def blocks(self) -> Iterator[list[Cells]]:
        """Gives the columns of some records at a time; refuses broken JSON, with its line."""
        allowance = Allowance(self._bounds)
        with self._opened() as stream:
            values = JsonValues(stream, self._bounds)
            waiting: list[dict[str, object]] = []
            for value in self._unwrapped(values):
                waiting.append(self._record(value, values))
                full = len(waiting) * len(self._keys) >= BLOCK_CELLS
                if full or values.characters >= BLOCK_CHARACTERS:
                    values.characters = 0
                    yield self._block(waiting, allowance)
                    waiting = []
            if waiting:
                yield self._block(waiting, allowance)
        if not self._keys:
            raise BrokenFile("The file holds no record with a field.", expected=EXPECTED)

    def _unwrapped(self, values: "JsonValues") -> Iterator[object]:
        for place, value in enumerate(values):
            found = None if place else _only_records(value)
            if found is None or values.go_on():
                yield value
            else:
                records, said = found
                self.notices = [said]
                yield from records

    def _record(self, value: object, values: "JsonValues") -> dict[str, object]:
        if not isinstance(value, dict):
            what = "an array" if isinstance(value, list) else json.dumps(value)[:40]
            raise values.broken(f"A record has to be an object, but there is {what}", EXPECTED)
        if not value.keys() <= self._keys.keys():
            self._keys |= dict.fromkeys(value)
            most = self._bounds.max_columns
            if len(self._keys) > most:
                raise values.broken(
                    f"The records have more than {most:,} different fields",
                    f"at most {most:,} columns",
                )
        return value

    def _block(self, records: list[dict[str, object]], allowance: Allowance) -> list[Cells]:
        allowance.take(CELL * len(records) * len(self._keys), self._size)
        return [cells_of([record.get(key) for record in records]) for key in self._keys]


def _only_records(value: object) -> tuple[list[object], str] | None:
    """Gives the only array of records in an object, and what to say of it; APIs answer so."""
    if not isinstance(value, dict):
        return None
    found = [name for name, held in value.items() if _are_records(held)]
    if len(found) != 1:
        return None
    said = f"The rows are the records in {found[0]:.{NAMED}}."
    beside = [f"{name:.{NAMED}}" for name in value if name != found[0]]
    if beside:
        more = f" and {len(beside) - MOST_NAMED} more" if len(beside) > MOST_NAMED else ""
        said += f" Left out beside them: {', '.join(beside[:MOST_NAMED])}{more}."
    return value[found[0]], said


def _are_records(held: object) -> bool:
    return isinstance(held, list) and bool(held) and all(isinstance(one, dict) for one in held)


class JsonValues:
    """The values in a stream of JSON, one by one: elements of an array, or values in a row."""

    def __init__(self, stream: TextStream, bounds: Bounds) -> None:
        self.characters = 0
        """Characters read since this was last set to zero."""
        self._stream = stream
        self._longest = bounds.max_cell_bytes
        self._utf8 = codecs.getincrementaldecoder("utf-8")()
        self._json = json.JSONDecoder(parse_constant=_INFINITIES.get)
        self._text, self._at, self._line = "", 0, 1
        self._ended = False

    def __iter__(self) -> Iterator[object]:
        if self._peek() != "[":
            while self._peek():
                yield self._next()
            return
        self._at += 1
        closed = self._peek() == "]"
        while not closed:
            yield self._next()
            closed = self._peek() == "]"
            if not closed:
                self._skip(",", "a comma or ] after a record")
        self._skip("]", "]")
        if self._peek():
            raise self.broken("Something follows the end of the array", "the end of the file")

    def go_on(self) -> bool:
        """Tells whether anything follows what was given last."""
        return bool(self._peek())

    def broken(self, what: str, expected: str, at: int | None = None) -> BrokenFile:
        """Makes a refusal that names the present line."""
        line = self._line + self._text.count("\n", 0, self._at if at is None else at)
        return BrokenFile(f"{what} (line {line:,}).", line=line, expected=expected)

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
        """Tells whether more text could not make the record whole."""
        if len(self._text) - self._at > self._longest:
            return True
        cut = error.msg.startswith("Unterminated") or error.pos > len(self._text) - LONGEST_TOKEN
        return not cut

    def _wrong(self, error: json.JSONDecodeError) -> BrokenFile:
        if len(self._text) - self._at > self._longest:
            longest = f"{self._longest / 2**20:g} MiB"
            return self.broken(f"A record is broken or longer than {longest}", EXPECTED)
        return self.broken("The JSON is broken or cut short", error.msg, error.pos)

    def _fill(self) -> bool:
        if self._ended:
            return False
        chunk = self._stream.read(CHUNK)
        self._ended = not chunk
        self._line += self._text.count("\n", 0, self._at)
        self._text, self._at = self._text[self._at :], 0
        try:
            self._text += self._utf8.decode(chunk, self._ended)
        except UnicodeDecodeError:
            raise self.broken("The text is not valid UTF-8", "UTF-8", len(self._text)) from None
        return True

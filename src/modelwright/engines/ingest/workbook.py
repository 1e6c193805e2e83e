"""The parts of an Excel file (.xlsx): which sheet is first, its shared texts, its date formats.

Excel files are read here as a stream rather than by a library, because those that exist unpack a
whole sheet into memory: a small file can claim billions of cells or repeat one long text forever.
"""

import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from xml.parsers import expat

from modelwright.engines.ingest.formats import KNOWN
from modelwright.engines.ingest.sheet_choice import SheetChoice, choose_sheet
from modelwright.engines.ingest.streaming import CHUNK_BYTES
from modelwright.engines.ingest.table import Bounds, BrokenFile, DecompressionBudget

Clock = str
"""What a number format shows: of a moment "day" (with or without a time) or "time" alone, or how
much time is "elapsed"."""
DIRECTORY_BYTES = 16 * 2**20
"""Bytes of the directory of a zip: tens of thousands of parts."""
LONGEST_TAG = 4 * CHUNK_BYTES
"""A longer tag is an attempt to fill the memory: the parser holds all of it until it ends."""
MOST_LOOKED_AT = 20
"""So many sheets are looked at for a table."""
STRING_OVERHEAD = 80
"""Bytes that a short Python text takes beside its characters."""
DAMAGED = "The Excel file is damaged: open it, save it again as .xlsx and upload that."
_BUILT_IN: dict[int, Clock] = {
    **dict.fromkeys((*range(14, 18), 22, *range(27, 32), 36, *range(50, 59)), "day"),
    **dict.fromkeys((*range(18, 22), 32, 33, 34, 35, 45, 47), "time"),
    46: "elapsed",
}
_ZEROS = re.compile("0{2,}")
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_LITERAL = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
_BROKEN = (expat.ExpatError, zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError)
_ESCAPE = re.compile(r"_x(?![Dd][89A-Fa-f])([0-9A-Fa-f]{4})_")


@dataclass(frozen=True, slots=True)
class Workbook:
    """What is needed of a workbook to read its first sheet."""

    sheet: str
    """The part that holds the first sheet."""
    texts: list[str]
    """The shared texts, which cells name by number."""
    clocks: list[Clock | None]
    """What the style of that number shows, if it shows dates."""
    pads: list[int]
    """To how many digits the style of that number fills whole numbers with zeros."""
    since_1904: bool
    choice: SheetChoice


class Parts:
    """The XML parts in the zip file, read as events, all within one budget."""

    def __init__(self, path: Path, bounds: Bounds) -> None:
        _check_directory(path)
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError) as damage:
            raise BrokenFile(DAMAGED) from damage
        self.names = set(self._zip.namelist())
        self.size = path.stat().st_size
        self._allowance = DecompressionBudget(bounds)
        self.share = 0.0
        """The share that was read of the present part."""

    def take(self, amount: int) -> None:
        """Counts what was unpacked.

        Args:
            amount: Bytes.

        Raises:
            BrokenFile: It is more than the bounds allow.
        """
        self._allowance.take(amount, self.size)

    def read(
        self,
        name: str,
        start: Callable[[str, dict[str, str]], object],
        end: Callable[[str], object] = lambda _: None,
        text: Callable[[str], object] = lambda _: None,
    ) -> Iterator[None]:
        """Calls the handlers with the part's elements, and pauses after every piece of it.

        Args:
            name: The part, such as `xl/workbook.xml`.
            start: Called with the name and attributes of an element that begins.
            end: Called with the name of an element that ends.
            text: Called with text between them.

        Yields:
            Nothing, after every piece.

        Raises:
            BrokenFile: The part is missing, damaged, or unpacks to too much.
        """
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = lambda tag, given: start(_local(tag), given)
        parser.EndElementHandler = lambda tag: end(_local(tag))
        parser.CharacterDataHandler = text
        parser.StartDoctypeDeclHandler = _refuse_doctype
        fed = 0
        try:
            size = max(self._zip.getinfo(name).file_size, 1)
            with self._zip.open(name) as part:
                while piece := part.read(CHUNK_BYTES):
                    self.take(len(piece))
                    parser.Parse(piece)
                    fed += len(piece)
                    if fed - parser.CurrentByteIndex > LONGEST_TAG:
                        raise BrokenFile(DAMAGED, expected="XML tags of an ordinary length")
                    self.share = fed / size
                    yield
                parser.Parse(b"", True)
        except _BROKEN as damage:
            raise BrokenFile(DAMAGED) from damage
        except (KeyError, RuntimeError, NotImplementedError) as missing:
            raise BrokenFile(
                "The Excel file lacks a part or is protected: save it again as plain .xlsx."
            ) from missing
        yield

    def pieces(self, name: str) -> Iterator[bytes]:
        """Reads the bytes of a part.

        Args:
            name: The part, such as `xl/styles.bin`.

        Yields:
            Its bytes, some at a time.

        Raises:
            BrokenFile: The part is damaged, or unpacks to too much.
            KeyError: There is no such part.
        """
        try:
            with self._zip.open(name) as part:
                while piece := part.read(CHUNK_BYTES):
                    self.take(len(piece))
                    yield piece
        except (*_BROKEN, RuntimeError, NotImplementedError) as damage:
            raise BrokenFile(DAMAGED) from damage


def open_workbook(parts: Parts, bounds: Bounds, wanted: str | None = None) -> Workbook:
    """Finds a sheet and what its cells refer to.

    It is the wanted one, by its name or number, else the first that is shown; where that has a
    single column of words, such as a cover, the first one with a table.

    Args:
        parts: The parts of the file.
        bounds: What is refused, and the memory and threads to use.
        wanted: Name or number of the sheet.

    Returns:
        The sheet with shared texts and date formats.

    Raises:
        BrokenFile: It is no .xlsx file, or has no such sheet.
    """
    if "xl/workbook.xml" not in parts.names:
        raise BrokenFile(_what_else(parts.names), expected=KNOWN)
    sheets, hidden, since_1904 = _listed(parts)
    targets = relations(parts, "xl/_rels/workbook.xml.rels")
    tables = [key for key in sheets if targets.get(key, ("",))[0] == "worksheet"]
    tables = [key for key in tables if targets[key][1] in parts.names]
    if not tables:
        raise BrokenFile("The Excel file has no sheet with cells.", expected="a sheet with a table")
    kinds = dict(targets.values())
    texts = _shared_texts(parts, kinds.get("sharedStrings", ""), bounds)
    shown = [key for key in tables if key not in hidden] or tables
    widths = {key: _widest(parts, targets[key][1]) for key in shown[:MOST_LOOKED_AT]}
    choice = choose_sheet({key: sheets[key] for key in tables}, shown, widths, wanted)
    clocks, pads = _formats(parts, kinds.get("styles", ""))
    return Workbook(
        targets[choice.key][1],
        texts,
        clocks,
        pads,
        since_1904,
        choice,
    )


def _listed(parts: Parts) -> tuple[dict[str, str], set[str], bool]:
    """Reads the names of sheets by their keys, which are hidden, and if days count from 1904."""
    sheets: dict[str, str] = {}
    hidden: set[str] = set()
    since_1904 = False

    def start(tag: str, given: dict[str, str]) -> None:
        nonlocal since_1904
        if tag == "sheet":
            ids = [value for key, value in given.items() if key.endswith("}id")]
            sheets.update(dict.fromkeys(ids, given.get("name", "")))
            hidden.update(ids if given.get("state", "visible") != "visible" else [])
        if tag == "workbookPr":
            since_1904 = given.get("date1904") in {"1", "true"}

    for _ in parts.read("xl/workbook.xml", start):
        pass
    return sheets, hidden, since_1904


def _widest(parts: Parts, sheet: str) -> int:
    """Counts the cells of the fullest row at the beginning of a sheet; none for a broken one."""
    widest = filled = 0

    def start(tag: str, _: dict[str, str]) -> None:
        nonlocal widest, filled
        if tag == "row":
            filled = 0
        elif tag in {"v", "is", "f"}:
            filled += tag != "f"
            widest = max(widest, filled)

    try:
        next(parts.read(sheet, start))
    except BrokenFile:
        return 0
    return widest


def unescaped(text: str) -> str:
    """Resolves Excel's spelling of characters that XML cannot hold (`_x000D_`).

    Args:
        text: A text of the file.

    Returns:
        The text.
    """
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


@lru_cache(256)
def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _refuse_doctype(*_: object) -> None:
    raise BrokenFile(DAMAGED, expected="XML without a document type")


def relations(parts: Parts, name: str) -> dict[str, tuple[str, str]]:
    """Returns for each relation of the workbook its kind and the part that it names.

    Args:
        parts: The parts of the file.
        name: The one that tells relations.

    Returns:
        Kinds and parts by their keys.

    Raises:
        BrokenFile: The part is missing or damaged.
    """
    found: dict[str, tuple[str, str]] = {}

    def start(tag: str, given: dict[str, str]) -> None:
        if tag == "Relationship":
            target = posixpath.normpath(posixpath.join("/xl", given.get("Target", "")))
            kind = given.get("Type", "").rpartition("/")[2]
            found[given.get("Id", "")] = (kind, target.lstrip("/"))

    for _ in parts.read(name, start):
        pass
    return found


class _SharedTexts:
    """Collects the shared texts, without the readings that Japanese cells carry beside them."""

    def __init__(self, bounds: Bounds) -> None:
        self.texts: list[str] = []
        self._pieces: list[str] = []
        self._taking = self._reading = False
        self._left = bounds.memory_bytes // 2

    def start(self, tag: str, _: dict[str, str]) -> None:
        self._taking = tag == "t" and not self._reading
        self._reading = self._reading or tag == "rPh"

    def end(self, tag: str) -> None:
        self._taking = False
        if tag == "rPh":
            self._reading = False
        elif tag == "si":
            self.texts.append(unescaped("".join(self._pieces)))
            self._pieces.clear()
            self._left -= STRING_OVERHEAD

    def text(self, some: str) -> None:
        if not self._taking:
            return
        self._pieces.append(some)
        self._left -= 4 * len(some)
        if self._left < 0:
            raise BrokenFile("The Excel file holds too much text: save the sheet as CSV.")


def _shared_texts(parts: Parts, name: str, bounds: Bounds) -> list[str]:
    shared = _SharedTexts(bounds)
    if name in parts.names:
        for _ in parts.read(name, shared.start, shared.end, shared.text):
            pass
    return shared.texts


def _formats(parts: Parts, name: str) -> tuple[list[Clock | None], list[int]]:
    """Returns for each style what of a moment it shows, and to how many digits it fills numbers."""
    clocks: list[Clock | None] = []
    pads: list[int] = []
    formats, padded = dict(_BUILT_IN), dict[int, int]()
    inside = False

    def start(tag: str, given: dict[str, str]) -> None:
        nonlocal inside
        if tag == "numFmt":
            number, code = int(given.get("numFmtId", "-1")), given.get("formatCode", "")
            if clock := _clock_of(code):
                formats[number] = clock
            padded[number] = pad_of(code)
        elif tag == "cellXfs":
            inside = True
        elif tag == "xf" and inside:
            style = int(given.get("numFmtId", "0"))
            clocks.append(formats.get(style))
            pads.append(padded.get(style, 0))

    def end(tag: str) -> None:
        nonlocal inside
        inside = inside and tag != "cellXfs"

    if name in parts.names:
        for _ in parts.read(name, start, end):
            pass
    return clocks, pads


def pad_of(code: str) -> int:
    """Counts the digits to which a number format fills whole numbers, such as 00000.

    Args:
        code: The format as Excel writes it.

    Returns:
        How many; 0 for other formats.
    """
    shown = _LITERAL.sub("", code.partition(";")[0]).strip()
    return len(shown) if _ZEROS.fullmatch(shown) else 0


def _clock_of(code: str) -> Clock | None:
    code = code.partition(";")[0]
    if _ELAPSED.search(code):
        return "elapsed"
    shown = _LITERAL.sub("", code).lower()
    if re.search(r"[dy]", shown) or ("m" in shown and not re.search(r"[hs]", shown)):
        return "day"
    return "time" if re.search(r"[hs]", shown) else None


def _what_else(names: set[str]) -> str:
    if "content.xml" in names:
        return "The file is an OpenDocument table: save it as .xlsx or CSV."
    if "xl/workbook.bin" in names:
        return "The file is a binary Excel workbook (.xlsb): save it as .xlsx."
    return "The file is a ZIP archive: upload the files in it one by one."


def _check_directory(path: Path) -> None:
    """Refuses a list of contents so long that reading it would be the attack."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 65_557))
        tail = file.read()
    end = tail.rfind(b"PK\x05\x06")
    long = tail.find(b"PK\x06\x07") >= 0 and size < 2**32
    if long or int.from_bytes(tail[end + 12 : end + 16], "little") > DIRECTORY_BYTES:
        raise BrokenFile(DAMAGED, expected="a short list of contents in the ZIP file")

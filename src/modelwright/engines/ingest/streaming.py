"""A file as a stream of UTF-8: unpacked, recoded and bounded while read, never whole in memory."""

import codecs
import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal, Protocol, Self

import pyarrow as pa

from modelwright.engines.ingest.table import Bounds, BrokenFile, DecompressionBudget

Packing = Literal["gzip", "zstd"]
Edit = Callable[[bytes, bool], bytes]
"""Changes a chunk of UTF-8; told whether it is the last one."""

LAST_PLANE = 0x10
"""The last of the planes of Unicode."""
LEAST_ZEROS = 0.04
"""The share of characters that are ASCII in a table, at the least."""
WESTERN_ZEROS = 0.4
"""More of the characters than this share are ASCII in Western texts."""
MOST_ODD = 0.02
"""The share of characters of a text that are no letters, signs or blanks, at the most."""
END_OF_DOS = b"\x1a"
"""What programs of DOS write behind the last line."""
LONGEST_END = 8
"""Bytes behind which nothing ends a file of DOS."""
CHUNK_BYTES = 2**20
"""Bytes that are read at a time: large enough for the disk, small beside the memory."""
WINDOWS_1252 = "".join(
    bytes([byte]).decode("cp1252", errors="ignore") or chr(byte) for byte in range(256)
)
"""Windows-1252 as browsers read it: the five unused bytes are control characters, as in Latin-1."""


class PackedBytes:
    """The bytes of a file, unpacked while they are read; refuses what unpacks to too much."""

    def __init__(
        self,
        path: Path,
        packing: Packing | None,
        bounds: Bounds,
        progress: Callable[[float], None] = lambda _: None,
    ) -> None:
        self._file = path.open("rb", buffering=0)
        self._size = path.stat().st_size
        self._unpacked = pa.CompressedInputStream(self._file, packing) if packing else self._file
        self._progress = progress
        self._allowance = DecompressionBudget(bounds) if packing else None

    def read(self, size: int) -> bytes:
        """Reads the next bytes, unpacked.

        Args:
            size: Bytes at most.

        Returns:
            Bytes, none at the end.

        Raises:
            BrokenFile: The file is damaged, or unpacks to too much.
        """
        try:
            got: bytes = self._unpacked.read(size)
        except (OSError, pa.ArrowInvalid) as damage:
            raise BrokenFile(
                "The compressed file is damaged or cut short: upload it again, whole."
            ) from damage
        if self._allowance:
            self._allowance.take(len(got), self._file.tell())
        self._progress(self._file.tell() / max(self._size, 1))
        return got

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


class Guess(Protocol):
    """Tells the encoding of a text that is no plain ASCII."""

    @property
    def name(self) -> str:
        """Python's name of it."""

    marked: str | None
    """The encoding that the first bytes tell; set here."""

    def of_start(self, first: bytes) -> str | None:
        """Names it by the first bytes where ASCII is something else in it.

        Args:
            first: The first bytes of the file.

        Returns:
            The name, or None.
        """


class Recoder:
    """Turns text of a known or yet unknown encoding into UTF-8, chunk by chunk.

    Without a byte order mark, text is plain ASCII until the first byte that isn't. What comes then
    is told by a guess, which looks at more of the file; without one the text is UTF-8 where that
    byte starts a character of it, else Windows-1252. All of them agree on what went before.
    """

    def __init__(
        self,
        guess: Guess | None = None,
        decoder_of: Callable[[str], Callable[[bytes, bool], bytes]] | None = None,
    ) -> None:
        self._convert: Callable[[bytes, bool], bytes] | None = None
        self._held = b""
        self._guess, self._decoder_of = guess, decoder_of

    def feed(self, chunk: bytes, last: bool) -> bytes:
        """Recodes a chunk.

        Args:
            chunk: Bytes of any length.
            last: Whether none follow.

        Returns:
            The same text in UTF-8.

        Raises:
            BrokenFile: The text isn't of its own encoding.
        """
        if self._convert:
            return self._convert(chunk, last)
        chunk, self._held = self._held + chunk, b""
        if chunk.isascii():
            return chunk
        head = _ascii_length(chunk)
        if len(chunk) - head < 4 and not last:  # noqa: PLR2004 - the longest UTF-8 character
            self._held = chunk[head:]
            return chunk[:head]
        self._convert = self._guessed(chunk[head : head + 4])
        return self._convert(chunk, last)

    def _guessed(self, some: bytes) -> Callable[[bytes, bool], bytes]:
        if self._guess is None or self._decoder_of is None:
            return unchanged if _starts_utf8(some) else _from_windows
        name = self._guess.name
        if name in {"utf-8", "cp1252"}:
            return unchanged if name == "utf-8" else _from_windows
        return self._decoder_of(name)

    def begin(self, first: bytes) -> bytes:
        """Takes from the first bytes what they tell of the encoding; gives all but the mark.

        Args:
            first: The first bytes of the file.

        Returns:
            The first bytes without the byte order mark.
        """
        if first.startswith(codecs.BOM_UTF8):
            self._convert = unchanged
            return first[3:]
        for mark, encoding in (
            (codecs.BOM_UTF32_LE, "utf-32-le"),
            (codecs.BOM_UTF32_BE, "utf-32-be"),
            (codecs.BOM_UTF16_LE, "utf-16-le"),
            (codecs.BOM_UTF16_BE, "utf-16-be"),
        ):
            if first.startswith(mark):
                self._convert = self._marked(encoding)
                return first[len(mark) :]
        if order := _unmarked_utf32(first) or _unmarked_utf16(first):
            self._convert = self._marked(order)
        elif self._guess and self._decoder_of and (name := self._guess.of_start(first)):
            self._convert = self._decoder_of(name)
        return first

    def _marked(self, encoding: str) -> Callable[[bytes, bool], bytes]:
        if self._guess:
            self._guess.marked = encoding
        said = (
            f"The file is not valid {encoding[:6].upper()}: save it as UTF-8 and upload it again."
        )
        return to_utf8(encoding, BrokenFile(said))


def unchanged(chunk: bytes, last: bool) -> bytes:  # noqa: ARG001 - one of several conversions
    """Returns a chunk as it is.

    Args:
        chunk: Bytes.
        last: Whether none follow.

    Returns:
        The chunk.
    """
    return chunk


class SingleSigns:
    """Makes one sign of a delimiter of two equal ones, such as `||`."""

    def __init__(self, sign: str) -> None:
        self._pair = 2 * sign.encode()
        self._held = b""

    def __call__(self, chunk: bytes, last: bool) -> bytes:
        """Returns a chunk with single signs; half a pair waits for the next one."""
        whole = self._held + chunk
        odd = (len(whole) - len(whole.rstrip(self._pair[:1]))) % 2
        self._held = whole[-1:] if odd and not last else b""
        return whole[: len(whole) - len(self._held)].replace(self._pair, self._pair[:1])


def doubled_sign(sample: bytes) -> str | None:
    """Returns the sign that stands only in pairs and in every line as often, as a delimiter does.

    Args:
        sample: The first bytes.

    Returns:
        The sign, or None.
    """
    lines = [line for line in re.split(rb"[\r\n]+", sample[:CHUNK_BYTES]) if line][:200]
    for sign in b"|:;~#^$":
        runs = re.findall(rb"%b+" % re.escape(bytes([sign])), b"\n".join(lines[:-1] or lines))
        counts = {line.count(bytes([sign])) for line in lines[:-1] or lines}
        if len(lines) > 1 and runs and {len(run) for run in runs} == {2} and len(counts) == 1:
            return chr(sign)
    return None


class TextStream:
    """A file-like object of UTF-8 bytes, without byte order mark, its last line always ended."""

    def __init__(
        self, source: PackedBytes, edit: Edit = unchanged, recoder: Recoder | None = None
    ) -> None:
        self._source = source
        self._recoder = recoder or Recoder()
        self._edit = edit
        self._held = b""
        """Signs at the end of what was read, which are none of the text where nothing follows."""
        first = source.read(CHUNK_BYTES)
        self._ended = not first
        begun = edit(self._recoder.feed(self._recoder.begin(first), False), False)
        self._ready = self._without_end(begun)
        self._tail = self._ready[-1:]
        self.closed = False

    def read(self, size: int = -1) -> bytes:
        """Gives up to `size` bytes (all of them for -1), none at the end.

        They never end between the two characters of a Windows line end, because Arrow takes the
        second one for a line end of its own, inside quotes too.

        Args:
            size: Bytes at most, -1 for all.

        Returns:
            Bytes in UTF-8.
        """
        parts, missing = [self._ready], (size if size >= 0 else 2**62) - len(self._ready)
        while missing > 0 and not self._ended:
            parts.append(self._next(max(min(missing, 16 * CHUNK_BYTES), CHUNK_BYTES)))
            missing -= len(parts[-1])
        whole = b"".join(parts) if len(parts) > 1 else parts[0]
        kept = len(whole) if size < 0 else min(size, len(whole))
        if (
            kept > 1
            and whole[kept - 1 : kept] == b"\r"
            and not (self._ended and kept == len(whole))
        ):
            kept -= 1
        self._ready = whole[kept:]
        return whole[:kept]

    def _next(self, size: int) -> bytes:
        raw = self._source.read(size)
        self._ended = not raw
        text = self._edit(self._recoder.feed(raw, self._ended), self._ended)
        text = self._without_end(text)
        self._tail = text[-1:] or self._tail
        if self._ended and self._tail not in {b"\n", b"\r", b""}:
            return text + b"\n"
        return text

    def _without_end(self, text: bytes) -> bytes:
        """Holds back the signs that end a file of DOS, until it is known whether they do."""
        if not self._held and END_OF_DOS not in text[-LONGEST_END:]:
            return text
        whole = self._held + text
        start = len(whole.rstrip(END_OF_DOS + b"\r\n"))
        end = whole.find(END_OF_DOS, start)
        kept = whole if end < 0 else whole[:end]
        self._held = whole[len(kept) :]
        return kept

    def skip(self, size: int) -> None:
        """Passes over some bytes.

        Args:
            size: How many.
        """
        while size > 0 and (passed := self.read(size)):
            size -= len(passed)

    def put_back(self, start: bytes) -> None:
        """Makes the bytes given the next ones that are read.

        Args:
            start: Bytes that were read.
        """
        self._ready = start + self._ready

    def close(self) -> None:
        """Closes the file."""
        self.closed = True
        self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _ascii_length(chunk: bytes) -> int:
    try:
        chunk.decode("ascii")
    except UnicodeDecodeError as other:
        return other.start
    return len(chunk)


def _starts_utf8(some: bytes) -> bool:
    try:
        return bool(codecs.utf_8_decode(some, "strict", False)[1])
    except UnicodeDecodeError as other:
        return other.start > 0


def _from_windows(chunk: bytes, last: bool) -> bytes:  # noqa: ARG001 - one of several conversions
    return codecs.charmap_decode(chunk, "strict", WINDOWS_1252)[0].encode()


def to_utf8(encoding: str, broken: BrokenFile) -> Callable[[bytes, bool], bytes]:
    """Makes a function that turns chunks of an encoding into UTF-8.

    Args:
        encoding: Python's name of the encoding.
        broken: What is raised of bytes that are none of it.

    Returns:
        The function; it takes a chunk and whether that is the last one.
    """
    decoder = codecs.getincrementaldecoder(encoding)()

    def convert(chunk: bytes, last: bool) -> bytes:
        try:
            return decoder.decode(chunk, last).encode()
        except UnicodeError as error:
            raise broken from error

    return convert


def _unmarked_utf32(first: bytes) -> str | None:
    """Names the byte order of UTF-32 without a mark: the upper two of four bytes are all but 0."""
    whole = first[: min(len(first), 4096) // 4 * 4]
    for encoding, top, second in (("utf-32-le", 3, 2), ("utf-32-be", 0, 1)):
        planes = whole[second::4]
        if len(whole) >= 8 and not any(whole[top::4]) and max(planes) <= LAST_PLANE:  # noqa: PLR2004 - two letters
            return encoding if any(whole) else None
    return None


def _unmarked_utf16(first: bytes) -> str | None:
    """Names the byte order of UTF-16 without a mark: one byte of each ASCII character is zero.

    Western text has hardly other characters; any table has line ends and delimiters.
    """
    whole = first[: min(len(first), 4096) // 2 * 2]
    zeros = {"utf-16-le": whole[1::2].count(0), "utf-16-be": whole[::2].count(0)}
    encoding, often = max(zeros.items(), key=lambda one: one[1])
    seldom = min(zeros.values())
    if len(whole) < 4 or often < LEAST_ZEROS * len(whole) / 2 or seldom > often / 4:  # noqa: PLR2004
        return None
    western = often > WESTERN_ZEROS * len(whole) / 2
    return encoding if western or _is_text(whole, encoding) else None


def _is_text(some: bytes, encoding: str) -> bool:
    """Returns whether bytes are text of an encoding, with the end of a line in it."""
    text = codecs.getincrementaldecoder(encoding)("replace").decode(some)
    odd = sum(not (one.isprintable() or one.isspace()) for one in text)
    lines = any(end in text for end in "\r\n")
    return lines and odd <= MOST_ODD * len(text)

"""What a file is, by its bytes; its name and declared type only help where those leave a doubt.

Names lie: `.csv` that is a workbook, `.xls` that is HTML. A file of a kind that is not read is
refused by its name, with what to do.
"""

import re
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from modelwright.engines.ingest.streaming import PackedBytes, Packing, Recoder
from modelwright.engines.ingest.table import Bounds, BrokenFile

Content = Literal["delimited", "json", "parquet", "xlsx"]
KNOWN = "CSV, TSV, JSON, Parquet or Excel"
SAMPLE_BYTES = 65536
"""Bytes by which a format is told: magic numbers, and the first lines of a text."""
PACKINGS: dict[bytes, Packing] = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
OLD_OFFICE = b"\xd0\xcf\x11\xe0"
"""How .xls begins, and .xlsx with a password."""
FOREIGN = {
    b"%PDF": "a PDF document: export the table as CSV or Excel",
    b"SQLite format 3": "an SQLite database: export the table as CSV, or connect the database",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"BZh": "packed with bzip2: use gzip or zstd",
    b"\xfd7zXZ": "packed with xz: use gzip or zstd",
    b"7z\xbc\xaf": "a 7-Zip archive: upload the files in it one by one",
    b"Rar!": "a RAR archive: upload the files in it one by one",
    b"ARROW1": "an Arrow file: save it as Parquet",
    b"ORC": "an ORC file: save it as Parquet",
    b"version https://git-lfs": "a pointer of Git LFS: get the file itself (git lfs pull)",
    b"Obj\x01": "an Avro file: save it as Parquet",
    b"$FL2": "a file of SPSS: save it as CSV or Excel",
    b"<stata_dta>": "a file of Stata: save it as CSV or Excel",
    b"\x89HDF": "an HDF5 file: save the table as CSV or Parquet",
    b"\x93NUMPY": "an array of NumPy: save it as CSV or Parquet",
    b"RDX": "a file of R: save the table as CSV",
    b"{\\rtf": "a text document (RTF): save the table in it as CSV or Excel",
    b"BEGIN:VCARD": "a list of contacts (vCard): export them as CSV",
    b"BEGIN:VCALENDAR": "a calendar (iCalendar): export its entries as CSV",
    b"!Type:": "a file of accounts (QIF): export them as CSV",
    b"!Account": "a file of accounts (QIF): export them as CSV",
    b"OFXHEADER:": "a file of accounts (OFX): export them as CSV",
    b"\\documentclass": "a document of LaTeX: save the table in it as CSV or Excel",
    b"@relation": "an ARFF file: save the table as CSV",
    b"@RELATION": "an ARFF file: save the table as CSV",
}
CONTROL = bytes(byte for byte in range(32) if byte not in b"\t\n\r\x01\x1b\x1c\x1d\x1e\x1f")
"""Characters that texts hardly hold; some others serve as delimiters."""
_RECORDS = re.compile(rb'[\s\x1e]*(\[\s*(\{|\]|$)|\{\s*("|\}|$))')
_JSON = re.compile(rb"\s*[\[{]")
_DUMP = re.compile(
    rb"\s*(--[^\n]*\n\s*)*(insert\s+into|create\s+table|drop\s+table|set\s+\w+\s*="
    rb"|copy\s[^\n]+\bfrom\s+stdin\b|\\restrict)",
    re.IGNORECASE,
)
"""How the statements of a dump of a database begin."""
_DOCUMENTS = {
    "a message of a bank (SWIFT MT940): export the account as CSV": re.compile(
        rb"(\{1:[^\n]*\n\s*)?:20:[^\n]*\n:2[15]:"
    ),
    "a message of mail: save the table in it as a file": re.compile(
        rb"((from|to|subject|date|received|return-path|message-id|mime-version|delivered-to|cc"
        rb"|reply-to|content-type): [^\n]*\n([ \t][^\n]*\n)*){3}",
        re.IGNORECASE,
    ),
    "a file of settings (INI): write the table as CSV": re.compile(
        rb"([ \t\r]*([;#][^\n]*)?\n)*\[[\w .:/-]+\][ \t\r]*\n"
        rb"([ \t\r]*([;#][^\n]*)?\n)*[\w.-]+ *= *[^\n]*\n"
    ),
    "a document of YAML: write its records as CSV or JSON": re.compile(
        rb"(---[^\n]*\n)?([\w.-]+:( [^\n]*)?\n)+ *- +\S"
    ),
    "of sequences (FASTA): write the table as CSV": re.compile(
        rb">[^\n]+\n([A-Z*-]{5,}\r?\n)+(>|$)"
    ),
}
"""How texts begin that are no tables, by what they are."""
_MARKUP = re.compile(
    rb"\s*<(!doctype|html|\?xml|[a-z][\w:.-]*(\s[^<>\n]*)?>\s*<[a-z])", re.IGNORECASE
)
"""How web pages and XML begin: with a word that tells them, or with a tag that holds another."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a file holds and how it is packed."""

    content: Content
    packing: Packing | None


def find_format(path: Path, hints: str, bounds: Bounds) -> Found:
    """Tells what a file is.

    Args:
        path: The file.
        hints: Its name and declared type, in lower case.
        bounds: What is refused, and the memory and threads to use.

    Returns:
        Its format, and what it is packed with.

    Raises:
        BrokenFile: It is no table; the message says what it is instead.
    """
    with path.open("rb") as file:
        head = file.read(SAMPLE_BYTES)
    if not head:
        raise BrokenFile("The file is empty.", expected="a header and rows")
    packing = next((kind for magic, kind in PACKINGS.items() if head.startswith(magic)), None)
    if packing:
        head = _unpacked(path, packing, bounds)
    content = _content(head, hints)
    if packing and content in {"parquet", "xlsx"}:
        raise BrokenFile("Upload Parquet and Excel files as they are, not packed once more.")
    return Found(content, packing)


def _unpacked(path: Path, packing: Packing, bounds: Bounds) -> bytes:
    with closing(PackedBytes(path, packing, bounds)) as source:
        head = source.read(SAMPLE_BYTES)
    if any(head.startswith(magic) for magic in PACKINGS):
        raise BrokenFile("The file is packed twice: unpack it once and upload it again.")
    return head


def _content(head: bytes, hints: str) -> Content:
    """Tells what unpacked bytes hold; refuses by its name what is no table."""
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith((b"PK\x03\x04", OLD_OFFICE)):
        return "xlsx"
    for magic, what in FOREIGN.items():
        if head.startswith(magic):
            raise BrokenFile(f"The file is {what}.", expected=KNOWN)
    recoder = Recoder()
    text = recoder.feed(recoder.begin(head), False)
    if _MARKUP.match(text):
        raise BrokenFile(
            "The file is a web page or XML, not a table: open it with a spreadsheet program, save"
            " it as .xlsx or CSV, and upload that.",
            expected=KNOWN,
        )
    if _DUMP.match(text):
        raise BrokenFile(
            "The file holds statements of SQL, not a table: export the table as CSV, or connect"
            " the database.",
            expected=KNOWN,
        )
    document = next((what for what, begins in _DOCUMENTS.items() if begins.match(text)), None)
    if document:
        raise BrokenFile(f"The file is {document}.", expected=KNOWN)
    if _RECORDS.match(text) or ("json" in hints and _JSON.match(text)):
        return "json"
    if len(text.translate(None, CONTROL)) < 0.9 * len(text):
        raise BrokenFile(
            "The file is binary and of no known format: save the table as CSV in UTF-8, or as"
            " Excel, and upload that.",
            expected=KNOWN,
        )
    return "delimited"

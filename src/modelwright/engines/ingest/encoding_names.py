"""What encodings of texts are called, by people and by Python."""

import codecs

LABELS: dict[str, str] = {
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
    "cp1254": "Windows-1254",
    "cp1257": "Windows-1257",
    "iso8859_2": "ISO-8859-2",
    "iso8859_15": "ISO-8859-15",
    "mac_roman": "Mac Roman",
    "cp850": "DOS 850",
    "cp852": "DOS 852",
    "cp1251": "Windows-1251",
    "koi8_r": "KOI8-R",
    "koi8_u": "KOI8-U",
    "cp866": "DOS 866",
    "mac_cyrillic": "Mac Cyrillic",
    "iso8859_5": "ISO-8859-5",
    "cp1253": "Windows-1253",
    "cp737": "DOS 737",
    "cp1255": "Windows-1255",
    "cp862": "DOS 862",
    "cp1256": "Windows-1256",
    "iso8859_6": "ISO-8859-6",
    "cp857": "DOS 857",
    "cp874": "Windows-874",
    "gb18030": "GBK",
    "big5": "Big5",
    "cp932": "Shift-JIS",
    "euc_jp": "EUC-JP",
    "cp949": "EUC-KR",
}
"""The encodings that are looked for, by their names in Python."""
_NO_CHARACTER_SETS = {"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"}
"""What Python has among its encodings although no file is written so."""


def encoding_named(name: str) -> str | None:
    """Returns Python's name of an encoding that a table may be said to be in; None for others.

    Args:
        name: A label such as `windows-1250` or `gbk`.

    Returns:
        The name, or None.
    """
    by_label = {label.casefold(): known for known, label in LABELS.items()}
    try:
        found = codecs.lookup(by_label.get(name.strip().casefold(), name.strip()))
    except (LookupError, ValueError):
        return None
    is_text = found._is_text_encoding  # noqa: SLF001 - nothing public tells
    is_known = is_text and found.name.replace("-", "_") not in _NO_CHARACTER_SETS
    return found.name if is_known else None


def extends_ascii(name: str) -> bool:
    """Returns whether what is ASCII in an encoding is the same text in it.

    Args:
        name: Python's name of the encoding.

    Returns:
        False for encodings such as UTF-16, UTF-7 and those that change with escapes.
    """
    letters = bytes(range(0x20, 0x7F))
    escapes = name.startswith(("iso2022", "hz"))
    try:
        return not escapes and letters.decode(name) == letters.decode("ascii")
    except UnicodeError:
        return False

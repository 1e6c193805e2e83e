"""Texts that are numbers or dates as people write them: `1'234.50 CHF`, `31. Januar 2024`.

Days as `31.01.2024`, shares as `24 %`, amounts as `$1,234.50` and numbers as `1.234,50` are read
where all texts of a column are of that form and have one reading; a currency is the column's unit.
Others stay texts, as an upload keeps what it holds, and a notice says what they look like. Where
the owner of a file says the type of such a column, they are read by the form that all of them have.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from modelwright.engines.facts import ColumnType
from modelwright.engines.ingest.odd_values import is_gap
from modelwright.engines.ingest.quoted_length import QUOTED_LENGTH
from modelwright.engines.ingest.repaired_rows import lines_named
from modelwright.engines.ingest.texts import Texts
from modelwright.engines.number_units import CODES, PERCENT, unit_written
from modelwright.engines.sentences import first_of
from modelwright_runtime.date_parsing import Order, moment_of, order_of, orders_of
from modelwright_runtime.number_parsing import (
    CLOCKS,
    COMMA,
    POINT,
    SCALED,
    Form,
    NumberFormat,
    Unit,
    form_of,
    units_of,
    written_in,
)

Read = Callable[[str], str]
"""Writes a text of a local form as the plain number or the ISO date that it is."""
SAMPLE_ROWS = 1000
"""So many first rows tell whether all are worth to be looked at."""
SAMPLE_VALUES = 20
"""So many of them are looked at before."""
LONGEST_FORM = 100
"""Characters of a number or a date at the most; longer texts are not looked at."""
MOST_ODD_WORDS = 3
"""So few different words among numbers or dates of a local form do not hide it."""
MOST_ODD_TEXTS = 20
"""So few different texts of any kind do not, either."""
MOST_ODD_SHARE = 0.4
"""So small a share of a column's different texts may they be."""
LEAST_AMONG_WORDS = 3
"""So many different numbers or dates tell a form where there are words among them."""
LEAST_NUMBERS = 2
"""So many different whole numbers tell that they are days."""
MAX_NAMED_COLUMNS = 3
"""So many columns are named in one notice."""
PHONE_DIGITS = 8
"""Digits behind a plus sign that are a telephone number where all of a column have the sign."""
FIRST_DAY = 17000101
"""From here on, whole numbers of eight digits may be days."""
LAST_DAY = 22001231
"""Up to here they may be."""
LocalKind = Literal["number", "date"]
_TYPES: dict[LocalKind, str] = {"number": "float", "date": "date"}
"""The types that have columns of local forms read."""
_ENGLISH = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TONGUES = (
    "january february march april may june july august september october november december",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
    (
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października"
        " listopada grudnia"
    ),
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",  # noqa: RUF001 - Turkish
)
"""The names of months in several languages, as a date has them."""
_MONTHS = {
    name: english for told in _TONGUES for name, english in zip(told.split(), _ENGLISH, strict=True)
}
_LEAST_LETTERS = 3
"""Months are cut to so many letters or more."""
_WORD = re.compile(r"[^\W\d_]{3,}\.?")
_WEEKDAY = re.compile(
    r"(?i)^(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?\.?,? +(?=\S)"
    r"|^(mo|di|mi|do|fr|sa|so)\.?, +|^(montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche),? +"
)
_ZONE = re.compile(r"(?<=\d) ?(UTC|GMT)$")
_CHARACTERS = re.compile(r"(\d{4})年(\d{1,2})月(\d{1,2})日")
_ORDINAL = re.compile(r"(?<=\d)\.?(?: de)? (?=[^\W\d_])|(?<=[^\W\d_]) de (?=\d{4})")
_SPACED = re.compile(r"^(\d{1,4})\. ?(\d{1,2})\. ?(\d{1,4})\.?(?=\s|$)")
_FRACTION = re.compile(r"(:\d{2}:\d{2})[.,](\d{1,9})")
_PLAIN_DAY = re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}")
_SHARE = re.compile(r"[-+]?\d+(?:([.,])(\d+))? ?%")
"""A share without marks between thousands."""
_BOTH_MARKS = re.compile(r"\d([.,' \u2019])\d{3}(?!\1)[.,]\d|\d,\d{3},\d{3}(?!\d)")
"""Marks between thousands and before decimals, or commas between thousands again."""
_CODE = re.compile(r"\(?[A-Za-z]+(?:-|\s*-\s+|\()?\d+\)?|\(?\d+[A-Za-z]+\)?|\d+-[^\d\s]+")
"""Letters and digits without a blank or a mark: a code, such as `rs12`, or `CAD-100`, whose hyphen
is no minus sign."""
_LIST = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:,-?(?:0|[1-9]\d*)(?:\.\d+)?)*|\d{3}(?:,\d{3})*")
"""What may be a list of plain numbers that commas part, as `52.520,13` and `10,100,200`."""
_SHAPED = re.compile(r"[1-9]|(?<=\d)0")
"""Digits of which it does not matter which they are: all but zeros at the front of digits."""
_FOREIGN_DIGIT = re.compile(r"[^\D0-9]")
_THREE_ZERO = re.compile(r"[.,]\d\d0(?!\d)")
"""Three digits behind a mark of which the last is a zero."""
_BELOW_THOUSAND = re.compile(r"\D*\d{1,3}\D*")
"""A whole number that needs no mark between thousands."""
_BARE: set[Unit] = {("", "")}
"""The units of numbers without any."""
_IN_ANY_CASE = frozenset({"eur", "usd", "gbp", "chf"})
"""Codes that are currencies in small letters, too; others may be words then: `3 try`, `30 sek`."""
COMMA_MARK = ","
_MARKS: dict[Form, str] = {POINT: ".", COMMA: COMMA_MARK}
"""What stands before decimals."""
_COMPACT = re.compile(r"\d{8}")
_SERIAL = re.compile(r"[2-7]\d{4}")
"""A day as Excel counts it, from 1954 on."""
_NAMED_DAY = re.compile(r"(?i)(?<![a-z])(dates?|datum|fecha|data|day|dt)(?![a-z])|(?<=[a-z])Date\b")
EXCEL_EPOCH = date(1899, 12, 30)
"""Day 0 of Excel, which counts a 29 February 1900 that never was."""
_POINT_OR_COMMA = re.compile(r"-?(0|[1-9]\d{0,14})([.,]\d+)?")
NEVER_SHARE = 0.2
"""Days that never were are so few beside those that were."""
_WRITTEN_DAY = re.compile(
    r"(\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d\d)|\d{4}[./]\d{1,2}[./]\d{1,2})(?!\d)"
)
_CLOCKED = re.compile(r"\d:\d\d")
_ZONED = re.compile(r":\d\d(\.\d+)? ?([Zz]|[+-]\d\d:?(\d\d)?)$")
_LAKHS = re.compile(r"\d{1,2}(,\d{2})+,\d{3}(?!\d)")
"""Thousands as India parts them: 12,34,567."""
_MILLIONS = re.compile(r"\d,\d{3},\d{3}(?!\d)")
"""Thousands as others part them: 1,234,567."""
_BASIC_MOMENT = re.compile(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)?(?=Z|[-+.,]|$)")
"""A moment of ISO without marks: 20240103T101530Z."""
_EXPONENTIAL = re.compile(r"([-+]?(?:\d+(?:([.,])\d*)?|([.,])\d+))([dDeE][-+]?\d{1,3})?")
"""A number that may have an exponent behind an E or, as Fortran writes it, a D."""
_BEFORE_BRACKETS = re.compile(r"([$\u00a2-\u00a5\u20a0-\u20cf]|[A-Z]{3})\s*\(([^()]*)\)")
"""A currency before the brackets of a negative amount: $ (99.00)."""
_PADDED = re.compile(r"([-+])0+(?=\d+\.\d+$)")
"""A sign and the zeros by which mainframes fill up a number."""
_LONG = re.compile(r"-?[1-9]\d{15,}")
_WHOLE = re.compile(r"-?(0|[1-9]\d*)")
_ASCII_SIGNS = str.maketrans(
    {"\u066b": ".", "\u066c": ",", "\u2212": "-", "\u00a0": " ", "\u202f": " "}
)


@dataclass(frozen=True, slots=True)
class LocalForm:
    """The form of all texts of one column."""

    name: str
    kind: LocalKind
    example: str
    read: Read | None
    """None where it cannot be told which number is the day and which the month, and where numbers
    have now a point and now a comma before their decimals."""
    never: tuple[str, ...] = ()
    """Texts that are written as days which never were."""
    never_rows: Sequence[int] = ()
    """The rows that have one of them, counted from 1."""
    odd: tuple[str, ...] = ()
    """The few other texts that a column has besides; it can only be read without them."""
    is_sure: bool = False
    """Whether all are days, shares, amounts of one currency or numbers with one reading."""
    unit: str = ""
    """Of numbers: `%` or their currency."""
    decimal: str = ""
    """What stands before decimals, where the numbers prove it."""
    readings: Mapping[str, Read] = field(default_factory=dict)
    """How amounts are read by what stands before decimals, where it may be a point or a comma."""
    likely: str = ""
    """Which of these is likelier."""
    against: str = ""
    """What its owner said that stands before decimals, where the numbers have another mark."""

    def applies_to(self, wanted: ColumnType | None) -> bool:
        """Returns whether the column is to be read in this form: it is sure, or its owner says so.

        Args:
            wanted: The type that the owner says, if any.

        Returns:
            Whether texts of the column are to be read.
        """
        if wanted is None:
            return self.is_sure
        return wanted in ({"date"} if self.kind == "date" else {"float", "integer"})


def find_forms(
    path: Path, wanted: Mapping[str, ColumnType], decimal: str | None, habit: str | None = None
) -> list[LocalForm]:
    """Looks through the columns of texts, and of whole numbers of eight digits, of a table.

    Args:
        path: the table as it was written.
        wanted: the types of columns, as the owner of the file says.
        decimal: what stands before decimals, where the owner said it.
        habit: what stands before decimals in the plain numbers of the file, where that is known.

    Returns:
        A form for each column that has one.
    """
    with pq.ParquetFile(path) as file:
        likely = [name for name in _likely(file) if wanted.get(name) != "string"]
        found = (_form_of(file, name, decimal) for name in likely)
        forms = [_with_rows(file, form) for form in found if form is not None]
    proven = {form.decimal for form in forms if form.is_sure and form.decimal}
    return [_settled(form, proven, habit) for form in forms]


def _settled(form: LocalForm, proven: Collection[str], habit: str | None) -> LocalForm:
    """Returns a form with the mark before decimals that others of the file have.

    Machines write plain numbers with points beside amounts of any form, so such points tell only
    what the amounts themselves make likely.
    """
    told = {*proven} | ({COMMA_MARK} if habit == COMMA_MARK else set[str]())
    mark = next(iter(told)) if len(told) == 1 else ""
    if not told and habit == form.likely:
        mark = form.likely
    if form.odd or mark not in form.readings or form.likely not in {"", mark}:
        return form
    return replace(form, read=form.readings[mark], is_sure=True, readings={})


def _with_rows(file: pq.ParquetFile, form: LocalForm) -> LocalForm:
    rows = _rows_with(file, form.name, form.never) if form.never else ()
    return replace(form, never_rows=rows)


def _rows_with(file: pq.ParquetFile, name: str, texts: Sequence[str]) -> list[int]:
    """Returns the rows, counted from 1, that have one of some texts in a column."""
    wanted, rows, before = pa.array(texts, pa.string()), list[int](), 0
    for batch in file.iter_batches(columns=[name]):
        places = pc.indices_nonzero(pc.is_in(batch.column(name), wanted))
        rows += [before + place + 1 for place in places.to_pylist()]
        before += batch.num_rows
    return rows


def _likely(file: pq.ParquetFile) -> list[str]:
    """Returns the columns of texts and whole numbers whose first values are of a local form."""
    names = [
        one.name
        for one in file.schema_arrow
        if pa.types.is_string(one.type) or pa.types.is_int64(one.type)
    ]
    first = next(file.iter_batches(SAMPLE_ROWS, columns=names), None) if names else None
    return [] if first is None else [name for name in names if _is_likely(first.column(name))]


def _is_likely(column: pa.Array) -> bool:
    """Returns whether values are of a local form, at first by a few of them."""
    is_text = pa.types.is_string(column.type)
    for some in (column.slice(0, SAMPLE_VALUES), column):
        texts = _different(some)
        if texts and not _may_be(texts, is_text=is_text):
            return False
    return len(texts) >= (1 if is_text else LEAST_NUMBERS)


def said_of_forms(forms: Sequence[LocalForm], wanted: Mapping[str, ColumnType]) -> list[str]:
    """Says which columns hold numbers or dates of a local form that is not sure.

    Args:
        forms: The forms of columns.
        wanted: The types of columns, as the owner of the file says.

    Returns:
        Sentences.
    """
    told = [sentence for form in forms for sentence in _said_of_form(form, wanted)]
    for kind in _TYPES:
        kept = [
            form
            for form in forms
            if form.kind == kind
            and not (form.odd or form.against or form.applies_to(wanted.get(form.name)))
        ]
        if kept:
            told.append(_said_of_kept(kind, kept))
    return told


def _said_of_form(form: LocalForm, wanted: Mapping[str, ColumnType]) -> Iterator[str]:
    """Says how a column is read, which of its days never were, and what keeps it a text."""
    name = f"{form.name:.{QUOTED_LENGTH}}"
    if form.read is not None and form.name in wanted and form.applies_to(wanted[form.name]):
        yield f"In {name}, {form.example!r} is read as {form.read(form.example)}."
    if form.against:
        yield (
            f"{name} ({form.example!r:.{QUOTED_LENGTH}}) holds numbers without the mark"
            f" {form.against!r} that `decimal` says, and stays as it is: leave `decimal` out, and"
            " name the type float in types where a column is not read as numbers then."
        )
    if form.never:
        days = ", ".join(map(repr, form.never[:MAX_NAMED_COLUMNS]))
        where = lines_named(form.never_rows, "row")
        yield f"In {name}, {days} is no day of the calendar ({where})."
    if form.odd:
        words = first_of([repr(word[:QUOTED_LENGTH]) for word in form.odd], MOST_ODD_WORDS)
        yield (
            f"{name} ({form.example!r:.{QUOTED_LENGTH}}) holds {form.kind}s as people write them,"
            f" and {words}, and stays as it is: name these in null_values, and the type"
            f" {_TYPES[form.kind]} in types, to have them read as {form.kind}s."
        )


def _said_of_kept(kind: LocalKind, kept: Sequence[LocalForm]) -> str:
    """Says which columns stay texts although they could be read as a kind."""
    named = [f"{form.name:.{QUOTED_LENGTH}} ({form.example!r:.{QUOTED_LENGTH}})" for form in kept]
    shown = first_of(named, MAX_NAMED_COLUMNS)
    verb = "holds" if len(kept) == 1 else "hold"
    stay = "stays as it is" if len(kept) == 1 else "stay as they are"
    return (
        f"{shown} {verb} {kind}s as people write them and {stay}: name the type {_TYPES[kind]} in"
        f" types to have them read as {kind}s."
    )


def said_of_sure(forms: Iterable[LocalForm], wanted: Mapping[str, ColumnType]) -> Iterator[str]:
    """Says of all columns of a kind at once how they are read, and how to keep the texts.

    Args:
        forms: The forms of columns.
        wanted: The types of columns, as the owner of the file says.

    Yields:
        Sentences.
    """
    by_kind: dict[tuple[LocalKind, str], list[LocalForm]] = {}
    for form in forms:
        if not form.is_sure or form.name in wanted:
            continue
        by_kind.setdefault((form.kind, form.unit), []).append(form)
    for (kind, unit), alike in by_kind.items():
        shown = first_of(list(map(_read_so, alike)), MAX_NAMED_COLUMNS)
        what = "dates" if kind == "date" else "numbers"
        what += f", in {'percent' if unit == PERCENT else unit}" if unit else ""
        verb = "is" if len(alike) == 1 else "are"
        yield f"{shown} {verb} read as {what}: name the type string in types to keep the texts."


def _read_so(form: LocalForm) -> str:
    meant = form.read(form.example) if form.read else ""
    return f"{form.name:.{QUOTED_LENGTH}} ({form.example!r:.{QUOTED_LENGTH}} as {meant})"


def read_texts(texts: pa.Array, read: Read) -> pa.Array:
    """Writes texts of a form as plain numbers or ISO dates; what says nothing is missing.

    Args:
        texts: Texts of one column.
        read: Writes one of them.

    Returns:
        As many texts.
    """
    coded = texts.dictionary_encode()
    texts_read = (
        None if _is_nothing(text) else read(text) for text in coded.dictionary.to_pylist()
    )
    plain = [text or None for text in texts_read]
    return pa.array(plain, pa.string()).take(coded.indices)


def said_of_long_numbers(path: Path, wanted: Mapping[str, ColumnType]) -> list[str]:
    """Says which columns of whole numbers are texts because some have more than 15 digits.

    Args:
        path: The table as it was written.
        wanted: The types of columns, as the owner of the file says.

    Returns:
        One sentence, or none.
    """
    with pq.ParquetFile(path) as file:
        names = [one.name for one in file.schema_arrow if pa.types.is_string(one.type)]
        long = [name for name in names if name not in wanted and _has_long_numbers(file, name)]
    if not long:
        return []
    shown = first_of([f"{name:.{QUOTED_LENGTH}}" for name in long], MAX_NAMED_COLUMNS)
    verb = "holds" if len(long) == 1 else "hold"
    return [
        f"{shown} {verb} whole numbers of more than 15 digits, which stay texts as identifiers do."
    ]


def _has_long_numbers(file: pq.ParquetFile, name: str) -> bool:
    """Returns whether all texts of a column are whole numbers, and some of them are long."""
    long = False
    for batch in file.iter_batches(columns=[name]):
        texts = _different(batch.column(name).slice(0, SAMPLE_VALUES))
        if not all(map(_WHOLE.fullmatch, texts)):
            return False
        texts = _different(batch.column(name))
        if not all(map(_WHOLE.fullmatch, texts)):
            return False
        long |= any(map(_LONG.fullmatch, texts))
    return long


def _form_of(file: pq.ParquetFile, name: str, decimal: str | None) -> LocalForm | None:
    column = file.schema_arrow.field(name)
    texts = _texts(file, name)
    told, odd = _without_words(texts)
    if odd:
        form = _numbers(name, told, decimal) or _dates(name, told)
        found = None if form is None else replace(form, read=None, never=(), odd=odd, is_sure=False)
        return found or _among_others(name, texts, decimal)
    if not pa.types.is_string(column.type):
        if _are_days(texts):
            return LocalForm(name, "date", texts[0], _read_compact)
        serial = _NAMED_DAY.search(name) and all(map(_SERIAL.fullmatch, texts))
        return LocalForm(name, "date", texts[0], _read_serial) if serial else None
    form = _numbers(name, texts, decimal) or _dates(name, texts)
    return form or _among_others(name, texts, decimal)


def _may_be(texts: list[str], *, is_text: bool) -> bool:
    if not is_text:
        return any(all(map(form.fullmatch, texts)) for form in (_COMPACT, _SERIAL))
    told, _ = _without_words(texts)
    digits = all(any(map(str.isdigit, text)) for text in told)
    form = (_numbers("", told, None) or _dates("", told)) if digits else None
    return (form or _among_others("", texts, None)) is not None


def _without_words(texts: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """Parts texts with digits from a few words among them."""
    words = tuple(text for text in texts if not any(map(str.isdigit, text)))
    if not words or len(words) > MOST_ODD_WORDS or len(words) * 2 >= len(texts):
        return texts, ()
    told = [text for text in texts if text not in words]
    return (told, words) if len(told) >= LEAST_AMONG_WORDS else (texts, ())


def _among_others(name: str, texts: list[str], decimal: str | None) -> LocalForm | None:
    """Finds the form that most texts have, and the few others, which may have digits too."""
    some = [text for text in texts[:SAMPLE_VALUES] if any(map(str.isdigit, text))]
    for find in (partial(_numbers, decimal=decimal), _dates):
        sure = [text for text in some if find(name, [text]) is not None]
        form = find(name, sure) if len(sure) >= LEAST_AMONG_WORDS and not _bare(sure) else None
        if form is None or form.read is None:
            continue
        read = form.read
        odd = tuple(text for text in texts if not _reads(read, text))
        if len(odd) <= min(MOST_ODD_TEXTS, MOST_ODD_SHARE * len(texts)):
            return replace(form, read=None, never=(), odd=odd, is_sure=False)
    return None


def _are_short(texts: Iterable[str]) -> bool:
    return all(len(text) <= LONGEST_FORM for text in texts)


def _reads(read: Read, text: str) -> bool:
    if len(text) > LONGEST_FORM:
        return False
    try:
        read(text)
    except (ValueError, OverflowError):
        return False
    return True


def _texts(file: pq.ParquetFile, name: str) -> list[str]:
    """Returns the different texts of a column in their order."""
    found: dict[str, None] = {}
    for batch in file.iter_batches(columns=[name]):
        found |= dict.fromkeys(_different(batch.column(name)))
    return list(found)


def _different(column: pa.Array) -> list[str]:
    values = pc.unique(column).drop_null().cast(pa.string()).to_pylist()
    return [value for value in values if not _is_nothing(value)]


def _is_nothing(text: str | None) -> bool:
    return text is None or is_gap(text, "string")


def _are_days(texts: Iterable[str]) -> bool:
    return all(
        _COMPACT.fullmatch(text) and FIRST_DAY <= int(text) <= LAST_DAY for text in texts
    ) and all(map(_is_day, texts))


def _is_day(text: str) -> bool:
    try:
        datetime.strptime(text, "%Y%m%d")  # noqa: DTZ007 - days have no zone
    except ValueError:
        return False
    return True


def _read_compact(text: str) -> str:
    return f"{text[:4]}-{text[4:6]}-{text[6:]}"


def _read_serial(text: str) -> str:
    return (EXCEL_EPOCH + timedelta(days=int(text))).isoformat()


def _numbers(name: str, texts: list[str], decimal: str | None) -> LocalForm | None:
    """Finds the form of numbers: with thousands, a currency, a unit, brackets or a sign behind."""
    if not _are_short(texts) or _are_phones(texts):
        return None
    if raised := _exponents(texts, decimal):
        return LocalForm(name, "number", texts[0], raised)
    some = _one_of_each_shape(texts)
    plain = [_ascii_number(text) for text in some]
    if _bare(plain):
        plain = [_ascii_number(text) for text in texts]
    readings = _readings(some, plain, decimal)
    form = _number_form(readings, texts, plain, decimal)
    if form is None:
        mixed = _mix_points_and_commas(plain)
        told = LocalForm(name, "number", texts[0], None) if mixed else None
        return told or _against(name, texts, decimal)
    read = _reader(written_in(form, plain))
    if not _reads_all(read, some):
        return _against(name, texts, decimal)
    units = units_of(plain)
    found = LocalForm(name, "number", texts[0], read, unit=_unit_of(units, plain))
    if _are_shares(some, decimal):
        found = replace(found, is_sure=True)
    elif not (_are_amounts(units, found.unit, some) or _are_parted(units, some, plain)):
        return found
    return _with_evidence(found, readings, texts, plain)


def _against(name: str, texts: list[str], decimal: str | None) -> LocalForm | None:
    """Finds numbers that are written otherwise than the owner said: `12.25` beside a comma."""
    if decimal is None or _numbers(name, texts, None) is None:
        return None
    return LocalForm(name, "number", texts[0], None, against=decimal)


def _number_form(
    readings: Mapping[Form, list[float]],
    texts: Sequence[str],
    plain: Sequence[str],
    decimal: str | None,
) -> Form | None:
    """Returns the form in which numbers are read where their type is said, the likeliest one."""
    form = _only_form(readings) or _likely_form(readings, texts, plain) or form_of(plain)
    if form is None:  # with a plus sign, in digits of another script, or numbers that JSON quotes
        form = POINT if _bare(plain) else None
    if decimal == COMMA_MARK and form in {POINT, SCALED[POINT]}:
        return COMMA
    return None if form in CLOCKS else form


def _with_evidence(
    found: LocalForm,
    readings: Mapping[Form, list[float]],
    texts: Sequence[str],
    plain: Sequence[str],
) -> LocalForm:
    """Adds to a form of amounts what they prove, or what others of the file are to tell."""
    only = _only_form(readings)
    if only:
        has_mark = any(mark in text for text in plain for mark in ".,")
        return replace(found, is_sure=True, decimal=_MARKS[only] if has_mark else "")
    by_mark = {_MARKS[form]: _reader(written_in(form, plain)) for form in readings}
    likely = _likely_form(readings, texts, plain)
    return replace(found, readings=by_mark, likely=_MARKS[likely] if likely else "")


def _reader(written: NumberFormat) -> Read:
    return lambda text: _plain_number(_ascii_number(text), written)


def _one_of_each_shape(texts: Iterable[str]) -> list[str]:
    """Returns the first of all numbers that differ only in their digits: they have one form."""
    found: dict[str, str] = {}
    for text in texts:
        found.setdefault(_SHAPED.sub("1", text if text.isascii() else _ascii_number(text)), text)
    return list(found.values())


def _unit_of(units: Collection[Unit], plain: Sequence[str]) -> str:
    """Returns the currency or the sign of shares that all numbers have; empty where they have none.

    Args:
        units: What stands before and behind numbers.
        plain: The numbers as they are written.

    Returns:
        A currency's code or sign, or `%`.
    """
    before, after = next(iter(units)) if len(units) == 1 else ("", "")
    told = before or after
    if told in CODES - _IN_ANY_CASE:
        capitals = re.compile(rf"(?<![^\W\d_]){told.upper()}(?![^\W\d_])")
        if not all(map(capitals.search, plain)):
            return ""
    return unit_written(before, after)


def _are_amounts(units: Collection[Unit], unit: str, texts: Sequence[str]) -> bool:
    """Returns whether all numbers have one currency, and are no codes such as `CAD-100`."""
    if not unit or unit == PERCENT or len(units) != 1:
        return False
    texts = [text.strip() for text in texts]
    signed = len({"-" in text for text in texts}) > 1
    return not all(map(_CODE.fullmatch, texts)) or signed


def _are_parted(units: Collection[Unit], texts: Sequence[str], plain: Sequence[str]) -> bool:
    """Returns whether numbers without a unit have marks between thousands, and are no lists."""
    both = any(map(_MILLIONS.search, texts)) and any(map(_LAKHS.search, texts))
    listed = all(_LIST.fullmatch(text.strip()) for text in texts)
    parted = units == _BARE and any(map(_BOTH_MARKS.search, plain))
    return parted and not both and not listed


def _readings(
    texts: Sequence[str], plain: Sequence[str], decimal: str | None
) -> dict[Form, list[float]]:
    """Reads numbers in each form in which all of them can be read."""
    wanted = {decimal or mark for mark in _MARKS.values()}
    if any(map(_LAKHS.search, texts)):
        wanted -= {COMMA_MARK}
    forms = [form for form, mark in _MARKS.items() if mark in wanted]
    return {form: values for form in forms if (values := _values(form, plain)) is not None}


def _only_form(readings: Mapping[Form, list[float]]) -> Form | None:
    """Returns the form in which numbers have one reading, if there is one.

    Three digits behind one mark have two: 1.125 may be one and an eighth, or a thousand and more.
    """
    one = len(readings) == 1 or (readings and readings[POINT] == readings[COMMA])
    return next(iter(readings)) if one else None


def _likely_form(
    readings: Mapping[Form, list[float]], texts: Sequence[str], plain: Sequence[str]
) -> Form | None:
    """Returns the form whose marks part thousands, where the numbers make that likely.

    Decimals have zeros at their end where all have equally many, and then none is without.
    """
    if len(readings) < len(_MARKS) or _only_form(readings):
        return None
    bare = [text for text in plain if not any(mark in text for mark in ".,")]
    below = bool(bare) and all(map(_BELOW_THOUSAND.fullmatch, bare))
    if not below or not any(map(_THREE_ZERO.search, texts)):
        return None
    return max(readings, key=lambda form: sum(map(abs, readings[form])))


def _values(form: Form, texts: Sequence[str]) -> list[float] | None:
    """Reads numbers; None where one is none in this form."""
    written, values = written_in(form, texts), []
    for text in texts:
        try:
            values.append(written.read(text))
        except ValueError:
            return None
    return values


def _mix_points_and_commas(texts: list[str]) -> bool:
    """Returns whether some numbers have a point and some a comma: nobody knows what they mean."""
    marks = {mark for text in texts for mark in ".," if mark in text}
    return len(marks) > 1 and all(map(_POINT_OR_COMMA.fullmatch, texts))


def _reads_all(read: Callable[[str], str], texts: list[str]) -> bool:
    try:
        for text in texts:
            read(text)
    except ValueError:
        return False
    return True


def _are_shares(texts: Sequence[str], decimal: str | None) -> bool:
    """Returns whether all texts are shares as `24 %` of which no mark may part thousands."""
    found = [_SHARE.fullmatch(text.strip().translate(_ASCII_SIGNS)) for text in texts]
    told = [one for one in found if one is not None]
    marks = {one[1] for one in told} - {None}
    parted = bool(marks) and all(len(one[2]) == len("000") for one in told if one[1])
    return len(told) == len(texts) and len(marks) <= 1 and (decimal is not None or not parted)


def _are_phones(texts: Sequence[str]) -> bool:
    signed = all(text.strip().startswith("+") for text in texts)
    return signed and any(sum(map(str.isdigit, text)) >= PHONE_DIGITS for text in texts)


def _exponents(texts: Sequence[str], decimal: str | None) -> Read | None:
    """Finds how numbers are read of which some have an exponent, but are no codes as `40E5`."""
    found = list(_matched(_EXPONENTIAL, texts))
    told = [one for one in found if one is not None]
    marks = {one[2] or one[3] for one in told} - {"", None}
    raised = [one for one in told if one[4]]
    codes = all(one[1].isdigit() and one[4][1:].isdigit() for one in raised)
    if len(told) < len(found) or len(marks) > 1 or codes or marks - {decimal or "".join(marks)}:
        return None
    return _read_exponent if all(_reads(_read_exponent, text) for text in texts) else None


def _matched(pattern: re.Pattern[str], texts: Iterable[str]) -> Iterator[re.Match[str] | None]:
    """Yields how texts match a pattern, up to the first that does not."""
    for text in texts:
        found = pattern.fullmatch(text.strip())
        yield found
        if found is None:
            return


def _read_exponent(text: str) -> str:
    value = float(text.strip().upper().replace("D", "E").replace(",", "."))
    if not math.isfinite(value):
        raise ValueError
    return repr(value)


def _bare(texts: Iterable[str]) -> bool:
    return all(re.fullmatch(r"-?(0|[1-9]\d{0,14})(\.\d+)?", text) for text in texts)


def _ascii_number(text: str) -> str:
    """Writes digits of any script as ASCII, and leaves a plus sign out."""
    plain = text.strip().translate(_ASCII_SIGNS)
    if not plain.isascii():
        plain = _FOREIGN_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), plain)
    plain = _BEFORE_BRACKETS.sub(r"(\1\2)", _PADDED.sub(r"\1", plain))
    plain = _LAKHS.sub(lambda found: found[0].replace(",", ""), plain)
    return plain[1:] if re.match(r"\+[\d.,]", plain) else plain


def _plain_number(text: str, form: NumberFormat) -> str:
    value = form.read(text)
    mark = "," if form.form in {COMMA, SCALED[COMMA]} else "."
    return str(int(value)) if mark not in text and value.is_integer() else repr(value)


def _dates(name: str, texts: list[str]) -> LocalForm | None:
    """Finds the form of dates: the order of their digits, or names of months in any language."""
    if not _are_short(texts) or any(len(text) < len("1.1.24") for text in texts):
        return None
    if Texts(pa.array(texts, pa.string())).kind() != "string":
        return None
    never = tuple(text for text in texts if _is_never(_english_date(text)))
    days = [text for text in texts if text not in never] if never else texts
    if len(never) > NEVER_SHARE * len(days):
        return None
    plain = [_english_date(text) for text in days]
    order = order_of(plain) or _dotted(plain)
    if order is None:
        sure = all(map(orders_of, plain))
        return LocalForm(name, "date", days[0], None, never) if sure else None

    def read(text: str) -> str:
        return "" if text in never else _iso(_english_date(text), order)

    try:
        for text in days:
            read(text)
    except (ValueError, OverflowError):
        return None
    is_sure = (
        order == "dmy" and not never and all(_PLAIN_DAY.fullmatch(text.strip()) for text in texts)
    )
    return LocalForm(name, "date", days[0], read, never, is_sure=is_sure)


def _is_never(text: str) -> bool:
    """Returns whether digits are written as a day that is none in any order."""
    return _WRITTEN_DAY.match(text) is not None and not orders_of(text)


def _dotted(texts: list[str]) -> Order | None:
    """Returns the order of dates with dots, where the day always stands first."""
    dotted = all(re.match(r"\d{1,2}\.\d{1,2}\.", text) for text in texts)
    return "dmy" if dotted and all("dmy" in orders_of(text) for text in texts) else None


def _english_date(text: str) -> str:
    """Writes a date's month in English, its digits in ASCII, and leaves the weekday out."""
    plain = unicodedata.normalize("NFKC", text).strip().removeprefix("'")
    plain = _BASIC_MOMENT.sub(_with_marks, _CHARACTERS.sub(r"\1-\2-\3", plain))
    plain = _ZONE.sub("Z", _WEEKDAY.sub("", plain))
    plain = _SPACED.sub(r"\1.\2.\3", _ORDINAL.sub(" ", plain))
    plain = _WORD.sub(_english_month, plain)
    return re.sub(r"(:\d\d),(\d{1,9})", r"\1.\2", plain)


def _with_marks(found: re.Match[str]) -> str:
    year, month, day, hour, minute, second = found.groups()
    return f"{year}-{month}-{day}T{hour}:{minute}:{second or '00'}"


def _english_month(found: re.Match[str]) -> str:
    word = found[0].rstrip(".").casefold()
    for name, english in _MONTHS.items():
        cut = len(word) >= _LEAST_LETTERS and name.startswith(word)
        if name == word or (cut and found[0].rstrip(".").isalpha()):
            return english
    return found[0]


def _iso(text: str, order: Order) -> str:
    moment = moment_of(text, order)
    if not _CLOCKED.search(text):
        return moment.date().isoformat()
    fraction = _FRACTION.search(text)
    part = f".{fraction[2]:.6}" if fraction else ""
    zone = "Z" if _ZONED.search(text) else ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}{part}{zone}"

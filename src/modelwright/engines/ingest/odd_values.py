"""Values that alone keep a column from being one of numbers, dates or truths.

A date that never was, or a word for nothing, is a gap. Anything else stays, and is told. A row that
is odd in several columns at once names the columns of another table that begins there.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from modelwright.engines.ingest.kinds import Kind
from modelwright.engines.ingest.quoted_length import QUOTED_LENGTH
from modelwright.engines.ingest.repaired_rows import NAMED_LINES, lines_named
from modelwright.engines.ingest.texts import is_missing
from modelwright.engines.sentences import first_of
from modelwright_runtime.missing_values import says_nothing

SAMPLE_VALUES = 1000
"""Values by which the kind that most have is guessed before all are looked at."""
LIKELY_SHARE = 0.5
"""So large a share of the first values has to be of a kind for the others to be odd."""
LEAST_FITTING = 3
"""Values of a kind below which a column is just text."""
MOST_ODD_VALUES = 20
"""A column with more different odd values is one of texts."""
TOLD_VALUES = 3
"""So many odd values at most are told where they keep a column a text."""
TOLD_SHARE = 0.5
"""The share of the fitting rows that they may be at most."""
LONGEST_SIGNS = 10
"""Characters up to which a text of signs alone, such as `--`, says that there is nothing."""
_PATTERNS: dict[Kind, str] = {
    "integer": r"^-?(0|[1-9][0-9]{0,14})$",
    "float": r"^-?((0|[1-9][0-9]{0,14})?\.[0-9]+([eE][-+]?[0-9]+)?|(0|[1-9][0-9]{0,14})\.?)$",
    "date": (
        r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?"
        r"([Zz]|[-+][0-9]{2}(:?[0-9]{2})?)?)?$"
    ),
    "boolean": r"(?i)^(true|false)$",
}
_CLOCKED = r"[ Tt][0-9]{2}:[0-9]{2}"
_ZONED = r":[0-9]{2}(\.[0-9]+)? ?([Zz]|[-+][0-9]{2}(:?[0-9]{2})?)$"
"""A time of a day, and one that names its zone."""
MOST_SUMS_SHARE = 0.34
"""The share of rows up to which they may be sums of others: one of every two others."""
_SUM_WORDS = (
    r"((sub|grand|zwischen|gesamt)[ -]?)?(totals?|summe|ergebnis|sous-total|somme|subtotale|totale"
    r"|subtotaal|totaal|suma|итого|всего|小计|合计|总计|average|avg|durchschnitt|mittelwert|moyenne"
    r"|promedio|среднее|平均)"
)
_SUM = rf"(?i)^\s*{_SUM_WORDS}\s*(:.*)?$"
_WITH_SUM = rf"(?i)(^\s*{_SUM_WORDS}[ :-]|[ :-]{_SUM_WORDS}\s*:?\s*$)"
MOST_PART_SUMS = 200
"""More texts that name sums are words like others."""
LONGEST_PART_SUM = 80
"""Characters of a text that names a sum, at the most."""
_OF = "(?:for|of|für|von|pour|de|du|des|para|del|per|di|voor|van|для|по)"
"""What stands between a word for a sum and what it is the sum of."""
_NAMES_SUM = rf"(?i){_SUM_WORDS}"
_PART_SUM = re.compile(
    rf"(?i)\s*(?:(.+?)[ :-]+{_SUM_WORDS}|{_SUM_WORDS}[ :-]+(?:{_OF} )?(.+?))\s*:?\s*"
)
"""A sum of the rows that have a value in the same column: `North Total`, `Total for North`."""
_HOLDS_NOTHING = r"(?i)(null|nan|<na>|nat|#n/a|#ref!|#value!|#name\?|#div/0!)"
_NOTHING = (
    r"^(null|NULL|\(null\)|\(NULL\)|nan|NaN|<NA>|NaT|#N/A|#REF!|#VALUE!|#NAME\?|#DIV/0!|#NUM!)$"
)
"""Words that only programs write."""
_DIGITS = re.compile(r"\d+")
_REMARK = re.compile(r"\s*\([^()]*\)$")
"""What explains a gap behind its word: `N/A (see note)`."""
_GAP_WORDS = frozenset((
    "empty", "blank", "void", "not available", "not applicable", "not known", "not reported",
    "not stated", "no data", "n/d", "nd", "tbd", "tba", "undefined", "unspecified",
    "suppressed", "withheld", "#null!", "k.a.", "n.v.", "unbekannt", "keine angabe", "inconnu",
    "non disponible", "s/o", "sin datos", "sin dato", "desconocido", "brak", "brak danych",
    "н/д", "нет данных", "неизвестно", "无", "未知", "不明", "なし", "없음", "(x)", "(d)", "(s)",
    "(na)", "(blank)", "(empty)", "(none)", "(null)", "(leer)", "(vide)", "(en blanco)", "leer",
    "nat", "n.d.", "s/d", "s.d.", "n.r.",
))  # fmt: skip


@dataclass(slots=True)
class OddColumn:
    """A column of texts of which most are of another kind."""

    name: str
    kind: Kind
    """What most values are."""
    fitting: int = 0
    odd: int = 0
    first: dict[str, int] = field(default_factory=dict)
    """The odd values, each with the first row that has it, counted from 0."""
    rows: list[int] = field(default_factory=list)
    """The first few rows that have an odd value, counted from 1."""

    @property
    def gaps(self) -> frozenset[str]:
        """The odd values, where all of them only say that there is none."""
        nothing = all(is_gap(value, self.kind) for value in self.first)
        enough = self.fitting >= LEAST_FITTING and self.fitting >= self.odd
        enough |= self.fitting > 0 and self.kind == "date" and all(map(_is_written_day, self.first))
        return frozenset(self.first) if nothing and enough else frozenset()

    @property
    def is_told(self) -> bool:
        """Whether so little keeps the column a text that its owner should know."""
        few = 0 < len(self.first) <= MOST_ODD_VALUES and self.odd <= TOLD_SHARE * self.fitting
        # Digits that are no number are codes.
        codes = self.kind in {"integer", "float"} and any(map(_DIGITS.fullmatch, self.first))
        return few and not codes


def is_gap(value: str, kind: Kind) -> bool:
    """Returns whether a text among values of a kind says that there is none.

    Args:
        value: A text.
        kind: The kind of the column's other values.

    Returns:
        Whether it is read as missing.
    """
    plain = value.strip()
    if kind == "date" and _is_written_day(plain):
        return True
    signs = len(plain) <= LONGEST_SIGNS and not any(map(str.isalnum, plain))
    word = (_REMARK.sub("", plain) or plain).casefold()
    is_word = word in _GAP_WORDS or word.replace(". ", ".") in _GAP_WORDS
    return signs or is_word or says_nothing(word)


def _is_written_day(value: str) -> bool:
    """Returns whether a text is written as a day, be it one that never was."""
    return re.fullmatch(_PATTERNS["date"], value.strip()) is not None


def find_odd(path: Path) -> list[OddColumn]:
    """Looks through the columns of texts of a written table.

    Args:
        path: The table.

    Returns:
        Columns in which some values are of another kind than most.
    """
    with pq.ParquetFile(path) as file:
        names = [one.name for one in file.schema_arrow if pa.types.is_string(one.type)]
        found = (_odd_column(file, name) for name in names)
        return [column for column in found if column is not None and column.odd]


def another_table(path: Path, columns: Sequence[OddColumn]) -> int | None:
    """Returns the row, counted from 0, that names the columns of another table below the first.

    All its cells are words, and it is the first that is odd in several columns, or in the only one
    that most of the rows above have values of a kind in.

    Args:
        path: The table.
        columns: Columns with odd values.

    Returns:
        The number of the row, or None.
    """
    firsts = [min(column.first.values()) for column in columns if not column.gaps]
    row = min(firsts, default=None)
    if row is None or row < LEAST_FITTING - 1:
        return None
    # A single odd column is enough where the row is named throughout and stays odd.
    stays = any(column.odd > 1 and min(column.first.values()) == row for column in columns)
    several = firsts.count(row) > 1
    cells = _row(path, row)
    if len(_filled(cells)) == 1 and stays:  # a title above the names
        cells = _row(path, row + 1)
    return row if (several or stays) and _are_names(cells) else None


def _filled(cells: Mapping[str, object]) -> list[object]:
    return [cell for cell in cells.values() if cell is not None]


def _are_names(cells: Mapping[str, object]) -> bool:
    """Returns whether the cells of a row are several words that all differ, from the first on."""
    filled = _filled(cells)
    words = [cell for cell in filled if isinstance(cell, str) and any(map(str.isalpha, cell))]
    is_worded = len(set(words)) == len(filled) > 1
    return is_worded and next(iter(cells.values())) is not None


def _row(path: Path, number: int) -> dict[str, object]:
    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            rows = file.metadata.row_group(group).num_rows
            if number < rows:
                found: dict[str, object] = (
                    file.read_row_group(group).slice(number, 1).to_pylist()[0]
                )
                return found
            number -= rows
    return {}


def _odd_column(file: pq.ParquetFile, name: str) -> OddColumn | None:
    """Finds the values that most of a column's others are not of one kind with."""
    kind = _likely_kind(file, name)
    if kind is None:
        return None
    column, before = OddColumn(name, kind), 0
    for texts in _texts(file, name):
        fits = _fits(pc.utf8_trim_whitespace(texts), kind)
        is_odd = pc.and_(pc.invert(fits), pc.is_valid(texts))
        places = pc.indices_nonzero(is_odd).slice(0, NAMED_LINES - len(column.rows))
        column.rows += [before + place + 1 for place in places.to_pylist()]
        odd = texts.filter(is_odd)
        column.fitting += pc.sum(fits).as_py() or 0
        column.odd += len(odd)
        for value in pc.unique(odd).to_pylist():
            if value not in column.first:
                column.first[value] = before + pc.index(texts, value).as_py()
        if len(column.first) > MOST_ODD_VALUES:
            break
        before += len(texts)
    return column


def _likely_kind(file: pq.ParquetFile, name: str) -> Kind | None:
    texts = next(_texts(file, name), pa.array([], pa.string()))
    values = pc.utf8_trim_whitespace(texts.drop_null().slice(0, SAMPLE_VALUES))
    values = values.filter(pc.invert(is_missing(values)))
    for kind in _PATTERNS:
        fits = _fits(values, kind)
        share = (pc.sum(fits).as_py() or 0) / max(len(values), 1)
        start = pc.all(fits.slice(0, LEAST_FITTING), min_count=0).as_py()
        if kind == "date" and share > 0:
            written = pc.match_substring_regex(values, _PATTERNS["date"])
            share = max(share, (pc.sum(written).as_py() or 0) / len(values))
        if len(values) >= LEAST_FITTING and (share > LIKELY_SHARE or (start and share > 0)):
            return kind
    return None


def _texts(file: pq.ParquetFile, name: str) -> Iterator[pa.Array]:
    for batch in file.iter_batches(columns=[name]):
        column = batch.column(name)
        yield column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column


def _fits(texts: pa.Array, kind: Kind) -> pa.Array:
    """Tells which texts are values of a kind; missing ones are not, but words for them are."""
    pattern = _PATTERNS["float" if kind == "integer" else kind]
    fits = pc.match_substring_regex(texts, pattern)
    if kind == "date":
        days = pc.unique(texts.filter(pc.fill_null(fits, False))).to_pylist()
        never = [day for day in days if not _is_day(day)]
        fits = pc.and_(fits, pc.invert(pc.is_in(texts, pa.array(never, pa.string()))))
    return pc.fill_null(pc.or_(fits, is_missing(texts)), False)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    clock = _DIGITS.findall(text[11:])
    return all(int(part) < most for part, most in zip(clock, (24, 60, 60), strict=False))


def said_of_zones(columns: Sequence[str]) -> list[str]:
    """Says which columns had times of other zones, and in which zone they are kept.

    Args:
        columns: Names of columns.

    Returns:
        One sentence, or none.
    """
    if not columns:
        return []
    named = first_of([f"{name:.{QUOTED_LENGTH}}" for name in columns], TOLD_VALUES)
    return [f"The times in {named} named their zones and are kept and shown in UTC."]


def find_mixed_zones(path: Path) -> list[str]:
    """Names the columns of texts that are times, of which some name a zone and others do not.

    Args:
        path: The table as it was written.

    Returns:
        Names of columns.
    """
    with pq.ParquetFile(path) as file:
        names = [one.name for one in file.schema_arrow if pa.types.is_string(one.type)]
        return [name for name in names if _mixes_zones(file, name)]


def _mixes_zones(file: pq.ParquetFile, name: str) -> bool:
    if _likely_kind(file, name) != "date":
        return False
    zoned, plain = False, False
    for texts in _texts(file, name):
        trimmed = pc.utf8_trim_whitespace(texts.drop_null())
        clocked = pc.match_substring_regex(trimmed, _CLOCKED)
        if not pc.all(pc.or_(_fits(trimmed, "date"), is_missing(trimmed)), min_count=0).as_py():
            return False
        named = names_zone(trimmed)
        zoned |= bool(pc.any(named, min_count=0).as_py())
        plain |= bool(pc.any(pc.and_(clocked, pc.invert(named)), min_count=0).as_py())
    return zoned and plain


def names_zone(texts: pa.Array) -> pa.Array:
    """Tells which texts end in a time of day with its zone.

    Args:
        texts: An array of strings.

    Returns:
        As many booleans.
    """
    return pc.match_substring_regex(texts, _ZONED)


def said_of_mixed_zones(columns: Sequence[str]) -> list[str]:
    """Says which columns stay texts because only some of their times name a zone.

    Args:
        columns: Names of columns.

    Returns:
        A sentence for each of the first few columns.
    """
    return [
        f"{name:.{QUOTED_LENGTH}} is read as text although its values are times, of which some name"
        " their zone and others do not: write all of them with it, or none."
        for name in columns[:TOLD_VALUES]
    ]


def said_of_digits(columns: Collection[str]) -> list[str]:
    """Says which columns had numbers with more digits than are kept.

    Args:
        columns: Their names.

    Returns:
        Sentences.
    """
    return [
        f"{said_of_rounding(name[:QUOTED_LENGTH])} Name the type string in types to keep all of"
        " them."
        for name in sorted(columns)[:TOLD_VALUES]
    ]


def said_of_rounding(where: str) -> str:
    """Says that numbers somewhere lose digits.

    Args:
        where: The column, or the file.

    Returns:
        A sentence.
    """
    return f"Numbers in {where} have more digits than the 17 that are kept of decimals."


def said_of_sums(path: Path) -> list[str]:
    """Says which rows look like sums of others; they stay where they are.

    Args:
        path: The table.

    Returns:
        One sentence, or none.
    """
    with pq.ParquetFile(path) as file:
        name = next((one.name for one in file.schema_arrow if pa.types.is_string(one.type)), None)
        if name is None:
            return []
        rows, parts, before = list[int](), list[int](), 0
        for texts in _texts(file, name):
            if _holds(texts, _NAMES_SUM):
                found = pc.fill_null(pc.match_substring_regex(texts, _SUM), False)
                rows += [before + place + 1 for place in pc.indices_nonzero(found).to_pylist()]
                parts += [before + place + 1 for place in _part_sums(texts)]
            before += len(texts)
    if len(rows) > MOST_SUMS_SHARE * before:
        rows = []
    rows = sorted({*rows, *parts})
    if not rows:
        return []
    where = lines_named(rows, "Row", most=TOLD_VALUES)
    looks = "looks like a sum of others and is" if len(rows) == 1 else "look like sums and are"
    them = "it" if len(rows) == 1 else "them"
    said = f"{where} {looks} counted like any other row ({name:.{QUOTED_LENGTH}})"
    return [f"{said}: take {them} out of the file and upload that, or totals count twice."]


def _holds(texts: pa.Array, pattern: str) -> bool:
    """Returns whether a pattern is found anywhere in texts, which are looked through as one.

    That takes a tenth of the time of a look at each, and most columns have nothing of the kind.
    """
    _, offsets, data = texts.buffers()
    if not len(texts) or data is None:
        return False
    ends = np.frombuffer(offsets, np.int32)[texts.offset :]
    span = pa.py_buffer(np.array([ends[0], ends[len(texts)]], np.int32))
    whole = pa.StringArray.from_buffers(1, span, data)
    return bool(pc.match_substring_regex(whole, pattern)[0].as_py())


def _part_sums(texts: pa.Array) -> Iterator[int]:
    """Yields the places of sums of the rows that have a value: of `North Total` beside `North`."""
    named = pc.fill_null(pc.match_substring_regex(texts, _WITH_SUM), False)
    likely = pc.unique(texts.filter(named)).to_pylist()
    for value in likely if len(likely) <= MOST_PART_SUMS else ():
        found = _PART_SUM.fullmatch(value) if len(value) <= LONGEST_PART_SUM else None
        part = (found[1] or found[found.re.groups]).strip() if found else None
        if part and pc.index(texts, part).as_py() >= 0:
            yield from pc.indices_nonzero(pc.fill_null(pc.equal(texts, value), False)).to_pylist()


def said_of_words_for_nothing(path: Path, known: Collection[str]) -> list[str]:
    """Says which columns of texts hold words that programs write where there is no value.

    Args:
        path: The table.
        known: Columns of which the words are gaps already.

    Returns:
        A sentence for each of the first few columns.
    """
    told = list[str]()
    with pq.ParquetFile(path) as file:
        names = [one.name for one in file.schema_arrow if pa.types.is_string(one.type)]
        for name in (one for one in names if one not in known):
            first, word, number, before = 0, "", 0, 0
            for texts in _texts(file, name):
                if _holds(texts, _HOLDS_NOTHING):
                    found = pc.fill_null(pc.match_substring_regex(texts, _NOTHING), False)
                    places = pc.indices_nonzero(found)
                    if len(places) and not number:
                        at = places[0].as_py()
                        first, word = before + at + 1, texts[at].as_py()
                    number += len(places)
                before += len(texts)
            if number and number < before and len(told) < TOLD_VALUES:
                more = f" and {number - 1:,} more" if number > 1 else ""
                told.append(
                    f"In {name:.{QUOTED_LENGTH}}, {word!r} stays a text (row {first:,}{more}): name"
                    " it in null_values if it says that there is no value."
                )
    return told


def said_of_gaps(columns: Sequence[OddColumn]) -> list[str]:
    """Says which values were made gaps, and in which columns and rows.

    Args:
        columns: Columns with odd values.

    Returns:
        A sentence for each column.
    """
    told = []
    for column in columns:
        if column.gaps:
            quoted = [repr(value[:QUOTED_LENGTH]) for value in sorted(column.gaps)]
            values = first_of(quoted, TOLD_VALUES)
            what = "no day of the calendar" if column.kind == "date" else "no value"
            where = lines_named(column.rows, "row", column.odd)
            told.append(f"In {column.name:.{QUOTED_LENGTH}}, {values} is {what}: empty in {where}.")
    return told


def said_of_texts(columns: Sequence[OddColumn]) -> list[str]:
    """Says which columns are texts because of a few odd values.

    Args:
        columns: Columns with odd values.

    Returns:
        A sentence for each column.
    """
    kinds = {"integer": "numbers", "float": "numbers", "date": "dates", "boolean": "truths"}
    told = []
    for column in columns:
        if column.is_told and not column.gaps:
            found = [
                f"{value[:QUOTED_LENGTH]!r} in row {row + 1:,}"
                for value, row in column.first.items()
            ]
            values = first_of(found, TOLD_VALUES)
            told.append(
                f"{column.name:.{QUOTED_LENGTH}} is read as text although {column.fitting:,} of its"
                f" values are {kinds[column.kind]}: {values}. Name such values in null_values to"
                " leave them empty."
            )
    return told

"""Polluted files, made from clean tables: what goes wrong between programs that write tables.

After the idea of the public suite Pollock (Vitagliano et al., VLDB 2023): every pollution is a
small change of a clean file. What a reader makes of it is right (the clean table, or what the file
says in truth), refused, noticed (read otherwise, with a notice), or silently wrong.
"""

import csv
import io
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Literal

import pyarrow.parquet as pq
from tests.unit.engines.ingest.excuses import excuse

from modelwright.engines.ingest.converting import convert
from modelwright.engines.ingest.table import Bounds, BrokenFile

Verdict = Literal["right", "refused", "wrong line", "noticed", "silently wrong"]
WORDS = ("alder", "birch", "cedar", "elm", "fir", "hazel", "it's", "o'clock", "rose-hip", "yew")
PLACES = ("Austin, TX", "Boise, ID", "Reno, NV", "Miami, FL", "St. John's, NL")
_LINES = re.compile(r"\(lines? ([\d, ]+)\)")
ODD = ('say "hi"', "two\nlines", 'a "b", c', "plain", "semi;colon", "pipe|d")


@dataclass(frozen=True)
class Clean:
    """A table and how it is written."""

    names: list[str]
    rows: list[list[str]]
    delimiter: str = ","
    quoting: Literal[0, 1, 2, 3] = csv.QUOTE_MINIMAL

    def text(self, rows: list[list[str]] | None = None, *, names: bool = True) -> str:
        """Writes the table, or other rows under its names."""
        out = io.StringIO(newline="")
        writer = csv.writer(
            out, delimiter=self.delimiter, quoting=self.quoting, lineterminator="\n"
        )
        writer.writerows([self.names] if names else [])
        writer.writerows(self.rows if rows is None else rows)
        return out.getvalue()


@dataclass(frozen=True)
class Polluted:
    """A polluted file and the table that it holds in truth; None where nobody could tell."""

    content: bytes
    truth: tuple[list[str], list[list[str]]] | None
    lines: tuple[int, ...] = ()
    """The lines that are spoiled, from 1, where it is told by them: a refusal names one of them,
    and a notice that names lines names no others."""


def clean(chance: random.Random) -> Clean:
    """Makes a table of columns of several kinds."""
    size = chance.randint(8, 60)
    day = date(2020, 1, 1) + timedelta(chance.randrange(2000))
    makers: dict[str, Callable[[int], str]] = {
        "id": lambda at: str(1000 + at),
        "units": lambda _: str(chance.randrange(5000)),
        "price": lambda _: f"{chance.uniform(0, 900):.2f}",
        "day": lambda at: (day + timedelta(at)).isoformat(),
        "tree": lambda _: chance.choice(WORDS),
        "code": lambda at: f"{chance.choice('ABC')}{at:03}",
        "place": lambda _: chance.choice(PLACES),
        "remark": lambda _: chance.choice(ODD),
        "open": lambda _: chance.choice(("true", "false")),
    }
    names = chance.sample(sorted(makers), chance.randint(3, 7))
    if not {"units", "price", "day", "id"} & set(names):
        names[0] = "units"
    rows = [[makers[name](at) for name in names] for at in range(size)]
    quoting: Literal[0, 1] = csv.QUOTE_ALL if chance.random() < 0.2 else csv.QUOTE_MINIMAL
    return Clean(names, rows, chance.choice(",,,;;\t|"), quoting)


Pollution = Callable[[Clean, random.Random], Polluted]


def _same(table: Clean, text: str | bytes) -> Polluted:
    return Polluted(text.encode() if isinstance(text, str) else text, (table.names, table.rows))


def _doubtful(text: str, *lines: int) -> Polluted:
    return Polluted(text.encode(), None, lines)


def _in_one_line(table: Clean) -> Clean:
    """Takes line ends out of cells, so that lines are rows."""
    rows = [[cell.replace("\n", " ") for cell in row] for row in table.rows]
    return replace(table, rows=rows)


def _split(table: Clean) -> tuple[Clean, list[str]]:
    table = _in_one_line(table)
    return table, table.text().splitlines()


def _with_line(lines: list[str], at: int, line: str) -> str:
    return "\n".join([*lines[:at], line, *lines[at + 1 :]]) + "\n"


def as_is(table: Clean, _: random.Random) -> Polluted:
    return _same(table, table.text())


def other_delimiter(table: Clean, chance: random.Random) -> Polluted:
    table = replace(table, delimiter=chance.choice("\t;|^~"))
    return _same(table, table.text())


def delimiter_of_two_signs(table: Clean, _: random.Random) -> Polluted:
    table = replace(
        table, delimiter="|", rows=[[c.replace("|", "/") for c in r] for r in table.rows]
    )
    table = _in_one_line(replace(table, quoting=csv.QUOTE_MINIMAL))
    return _same(table, table.text().replace("|", "||"))


def other_quote(table: Clean, _: random.Random) -> Polluted:
    rows = [[cell.replace("'", "") for cell in row] for row in table.rows]
    table = replace(table, rows=rows)
    out = io.StringIO(newline="")
    csv.writer(
        out, delimiter=table.delimiter, quotechar="'", quoting=csv.QUOTE_ALL, lineterminator="\n"
    ).writerows([table.names, *table.rows])
    return _same(table, out.getvalue())


def other_escape(table: Clean, _: random.Random) -> Polluted:
    out = io.StringIO(newline="")
    csv.writer(
        out,
        delimiter=table.delimiter,
        escapechar="\\",
        doublequote=False,
        quoting=csv.QUOTE_ALL,
        lineterminator="\n",
    ).writerows([table.names, *table.rows])
    return _same(table, out.getvalue())


def other_line_ends(table: Clean, chance: random.Random) -> Polluted:
    table = _in_one_line(table)
    return _same(table, table.text().replace("\n", chance.choice(("\r\n", "\r"))))


def one_other_line_end(table: Clean, chance: random.Random) -> Polluted:
    table, lines = _split(table)
    at = chance.randrange(1, len(lines) - 1)
    text = "".join(line + ("\r\n" if n == at else "\n") for n, line in enumerate(lines))
    return _same(table, text)


def no_last_line_end(table: Clean, _: random.Random) -> Polluted:
    return _same(table, table.text().removesuffix("\n"))


def blank_lines(table: Clean, chance: random.Random) -> Polluted:
    table, lines = _split(table)
    for _ in range(chance.randint(1, 4)):
        lines.insert(chance.randrange(len(lines) + 1), "")
    return _same(table, "\n".join(lines) + "\n")


def byte_order_mark(table: Clean, chance: random.Random) -> Polluted:
    return _same(table, table.text().encode(chance.choice(("utf-8-sig", "utf-16"))))


def other_encoding(table: Clean, chance: random.Random) -> Polluted:
    encoding, words = chance.choice(
        (
            ("cp1252", ("Köln", "São Paulo", "Malmö")),
            ("cp1250", ("Łódź", "Kraków", "Częstochowa", "Świdnica")),
            ("cp1251", ("Москва", "Казань", "Новосибирск")),
            ("shift_jis", ("東京都", "大阪府", "北海道札幌市")),
            ("gbk", ("北京市", "上海市", "广州市天河区")),
        )
    )
    rows = [[*row, words[at % len(words)]] for at, row in enumerate(table.rows)]
    table = replace(table, names=[*table.names, "city"], rows=rows)
    return _same(table, table.text().encode(encoding))


def titles(table: Clean, chance: random.Random) -> Polluted:
    above = chance.sample(["Report of trees", "Made on 2024-01-05", "By the office", ""], 2)
    return _same(table, "\n".join(above) + "\n" + table.text())


def footnotes(table: Clean, chance: random.Random) -> Polluted:
    below = chance.sample(["", "Source: the office", "All figures are rounded", "End of file."], 2)
    return _same(table, table.text() + "\n".join(below) + "\n")


def no_header(table: Clean, _: random.Random) -> Polluted:
    names = [f"column_{at}" for at in range(1, len(table.names) + 1)]
    return Polluted(table.text(names=False).encode(), (names, table.rows))


def header_twice(table: Clean, _: random.Random) -> Polluted:
    return _same(table, table.text([table.names, *table.rows]))


def header_again(table: Clean, chance: random.Random) -> Polluted:
    at = chance.randrange(1, len(table.rows))
    return _same(table, table.text([*table.rows[:at], table.names, *table.rows[at:]]))


def header_in_two_lines(table: Clean, _: random.Random) -> Polluted:
    # Only the name of the last group has a second part.
    first = [*table.names, ""]
    second = [*[""] * (len(table.names) - 1), "low", "high"]
    rows = [[*row[:-1], str(at), str(at * 2)] for at, row in enumerate(table.rows)]
    names = [*table.names[:-1], f"{table.names[-1]} low", f"{table.names[-1]} high"]
    grouped = replace(table, names=first)
    return Polluted(grouped.text([second, *rows]).encode(), (names, rows))


def line_of_dashes(table: Clean, _: random.Random) -> Polluted:
    dashes = ["-" * len(name) for name in table.names]
    return _same(table, table.text([dashes, *table.rows]))


def another_table_below(table: Clean, chance: random.Random) -> Polluted:
    below = table.text([[chance.choice(WORDS) for _ in table.names] for _ in range(5)], names=False)
    other = table.delimiter.join(f"other{at}" for at in range(len(table.names)))
    return _doubtful(f"{table.text()}\n{other}\n{below}")


def a_wider_table_below(table: Clean, _: random.Random) -> Polluted:
    wider = table.delimiter.join(["w", *table.names, "z"])
    row = table.delimiter.join(["1", *("2" for _ in table.names), "3"])
    text = f"{table.text()}\n{wider}\n{row}\n{row}\n"
    return _doubtful(text, len(text.splitlines()) - 2)


def a_delimiter_less(table: Clean, chance: random.Random) -> Polluted:
    table, lines = _split(replace(table, quoting=csv.QUOTE_MINIMAL))
    at, place = chance.randrange(1, len(lines)), chance.randrange(len(table.names) - 1)
    cells = list(table.rows[at - 1])
    cells[place : place + 2] = ["".join(cells[place : place + 2])]
    return _doubtful(_with_line(lines, at, table.text([cells], names=False).strip("\n")), at + 1)


def a_delimiter_more(table: Clean, chance: random.Random) -> Polluted:
    table, lines = _split(table)
    at = chance.randrange(1, len(lines))
    cells = table.rows[at - 1]
    place = chance.randrange(len(cells) + 1)
    row = table.text([[*cells[:place], "", *cells[place:]]], names=False).strip("\n")
    return _doubtful(_with_line(lines, at, row), at + 1)


def another_delimiter_in_a_row(table: Clean, chance: random.Random) -> Polluted:
    table, lines = _split(table)
    at = chance.randrange(1, len(lines))
    other = replace(table, delimiter=";" if table.delimiter == "," else ",")
    row = other.text([table.rows[at - 1]], names=False).strip("\n")
    return _doubtful(_with_line(lines, at, row), at + 1)


def a_row_cut_by_a_line_end(table: Clean, chance: random.Random) -> Polluted:
    table, lines = _split(replace(table, quoting=csv.QUOTE_MINIMAL))
    at, place = chance.randrange(1, len(lines)), chance.randrange(1, len(table.names))
    cells = table.rows[at - 1]
    parts = [table.text([some], names=False) for some in (cells[:place], cells[place:])]
    return _doubtful(_with_line(lines, at, "".join(parts).strip("\n")), at + 1, at + 2)


def cut_off(table: Clean, _: random.Random) -> Polluted:
    table, lines = _split(table)
    last = lines[-1].rsplit(table.delimiter, 1)[0]
    return _doubtful("\n".join([*lines[:-1], last]), len(lines))


def a_quote_before_a_cell(table: Clean, chance: random.Random) -> Polluted:
    return _stray(table, chance, lambda cell: f'"{cell}')


def a_quote_behind_a_cell(table: Clean, chance: random.Random) -> Polluted:
    return _stray(table, chance, lambda cell: f'{cell}"')


def a_quote_in_a_cell(table: Clean, chance: random.Random) -> Polluted:
    return _stray(table, chance, lambda cell: f'{cell[:1]}"{cell[1:]}')


def _stray(table: Clean, chance: random.Random, spoil: Callable[[str], str]) -> Polluted:
    """Puts a quote into one word that stands without quotes; the truth has it as a character."""
    table = _in_one_line(replace(table, quoting=csv.QUOTE_MINIMAL))
    names = ["tag", *table.names]
    rows = [[f"t{at}", *row] for at, row in enumerate(table.rows)]
    table = replace(table, names=names, rows=rows)
    lines, at = table.text().splitlines(), chance.randrange(1, len(rows) + 1)
    cell, rest = lines[at].split(table.delimiter, 1)
    rows[at - 1] = [spoil(cell), *rows[at - 1][1:]]
    text = _with_line(lines, at, f"{spoil(cell)}{table.delimiter}{rest}")
    return replace(_same(table, text), lines=(at + 1,))


def two_stray_quotes(table: Clean, chance: random.Random) -> Polluted:
    """A quote before a cell of one row and one behind a cell of a later row."""
    plain = [[cell.replace('"', "").replace("\n", " ") for cell in row] for row in table.rows]
    free = [[cell.replace(table.delimiter, " ") for cell in row] for row in plain]
    table = replace(table, rows=free, quoting=csv.QUOTE_MINIMAL)
    first = chance.randrange(len(free) - 1)
    last = chance.randrange(first + 1, len(free))
    free[first][0] = f'"{free[first][0]}'
    free[last][-1] = f'{free[last][-1]}"'
    text = "\n".join(table.delimiter.join(row) for row in [table.names, *free]) + "\n"
    return replace(_same(table, text), lines=(first + 2, last + 2))


def quotes_not_doubled(table: Clean, chance: random.Random) -> Polluted:
    table = _in_one_line(table)
    table = replace(table, quoting=csv.QUOTE_ALL, rows=[list(row) for row in table.rows])
    at, place = chance.randrange(len(table.rows)), chance.randrange(len(table.names))
    table.rows[at][place] = 'a 12" pipe'
    text = table.text().replace('12"" pipe', '12" pipe')
    return replace(_same(table, text), lines=(at + 2,))


def blanks_around_quotes(table: Clean, chance: random.Random) -> Polluted:
    table = _in_one_line(replace(table, quoting=csv.QUOTE_ALL, delimiter=chance.choice(",;")))
    rows = [[cell.replace('"', "'") for cell in row] for row in table.rows]
    table, mark = replace(table, rows=rows), table.delimiter
    return _same(table, table.text().replace(f'"{mark}"', f'"{mark}{" " * chance.randint(1, 5)}"'))


def last_delimiter_in_each_row(table: Clean, _: random.Random) -> Polluted:
    table, lines = _split(table)
    text = "\n".join([lines[0], *(line + table.delimiter for line in lines[1:])]) + "\n"
    empty = f"column_{len(table.names) + 1}"
    return Polluted(text.encode(), ([*table.names, empty], [[*row, ""] for row in table.rows]))


def row_numbers_without_a_name(table: Clean, _: random.Random) -> Polluted:
    table, lines = _split(table)
    rows = [f"{at}{table.delimiter}{line}" for at, line in enumerate(lines[1:])]
    truth = [[str(at), *row] for at, row in enumerate(table.rows)]
    text = "\n".join([lines[0], *rows]) + "\n"
    return Polluted(text.encode(), (["column_1", *table.names], truth))


def row_names_without_a_name(table: Clean, _: random.Random) -> Polluted:
    table, lines = _split(table)
    rows = [f'"row {at}"{table.delimiter}{line}' for at, line in enumerate(lines[1:])]
    truth = [[f"row {at}", *row] for at, row in enumerate(table.rows)]
    text = "\n".join([lines[0], *rows]) + "\n"
    return Polluted(text.encode(), (["column_1", *table.names], truth))


def no_empty_last_cells(table: Clean, chance: random.Random) -> Polluted:
    table = _in_one_line(table)
    names, ends = [*table.names, "note", "mark"], (["", ""], ["", ""], ["seen", ""], ["seen", "x"])
    rows = [[*row, *chance.choice(ends)] for row in table.rows]
    table = replace(table, names=names, rows=rows, quoting=csv.QUOTE_MINIMAL)
    short = [row if row[-1] else row[: -1 - (not row[-2])] for row in rows]
    return _same(table, table.text(short))


def two_files_in_one(table: Clean, chance: random.Random) -> Polluted:
    at = chance.randrange(2, len(table.rows) - 1)
    parts = [table.text(table.rows[:at]), table.text(table.rows[at:])]
    return _same(table, "\ufeff" + "\ufeff".join(parts))


def two_files_of_other_order(table: Clean, chance: random.Random) -> Polluted:
    at = chance.randrange(2, len(table.rows) - 1)
    order = list(range(len(table.names)))
    while order == sorted(order):
        chance.shuffle(order)
    turned = [[row[place] for place in order] for row in [table.names, *table.rows[at:]]]
    above, below = table.text(table.rows[:at]), table.text(turned, names=False)
    return replace(_same(table, above + below), lines=(len(above.splitlines()) + 1,))


POLLUTIONS: tuple[Pollution, ...] = (
    as_is,
    other_delimiter,
    delimiter_of_two_signs,
    other_quote,
    other_escape,
    other_line_ends,
    one_other_line_end,
    no_last_line_end,
    blank_lines,
    byte_order_mark,
    other_encoding,
    titles,
    footnotes,
    no_header,
    header_twice,
    header_again,
    header_in_two_lines,
    line_of_dashes,
    another_table_below,
    a_wider_table_below,
    a_delimiter_less,
    a_delimiter_more,
    another_delimiter_in_a_row,
    a_row_cut_by_a_line_end,
    cut_off,
    a_quote_before_a_cell,
    a_quote_behind_a_cell,
    a_quote_in_a_cell,
    two_stray_quotes,
    quotes_not_doubled,
    blanks_around_quotes,
    last_delimiter_in_each_row,
    row_numbers_without_a_name,
    row_names_without_a_name,
    no_empty_last_cells,
    two_files_in_one,
    two_files_of_other_order,
)


def polluted(pollution: Pollution, seed: int) -> Polluted:
    """Makes the file of a kind and a seed."""
    chance = random.Random(f"{pollution.__name__} {seed}")
    return pollution(clean(chance), chance)


def judge(file: Polluted, folder: Path) -> Verdict:
    """Reads a polluted file and tells what became of it."""
    source, target = folder / "polluted.csv", folder / "polluted.parquet"
    source.write_bytes(file.content)
    try:
        table = convert(
            source,
            target,
            name="polluted.csv",
            content_type="text/csv",
            bounds=Bounds(threads=1),
            scratch=folder,
        )
    except BrokenFile as refusal:
        return "refused" if not file.lines or refusal.line in file.lines else "wrong line"
    if not _names_its_lines(table.notices, file.lines):
        return "wrong line"
    read = pq.read_table(target)
    rows = [[_text(cell) for cell in row.values()] for row in read.to_pylist()]
    found, expected = [read.column_names, *rows], list[list[str]]()
    if file.truth is not None:
        names, truth = file.truth
        expected = [names, *([_text(cell) for cell in row] for row in truth)]
    if found == expected:
        return "right"
    return "noticed" if excuse(expected, found, table.notices) else "silently wrong"


def _names_its_lines(notices: Sequence[str], lines: Sequence[int]) -> bool:
    """Returns whether notices name no other lines than those that are spoiled."""
    named = [one for notice in notices for one in _LINES.findall(notice)]
    told = {int(number) for one in named for number in re.findall(r"\d+", one)}
    return not lines or told <= set(lines)


def _text(cell: object) -> str:
    """Spells values so that those of a clean file and those that were read compare."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, datetime | date):
        return cell.isoformat()
    try:
        return f"{float(str(cell)):.9g}"
    except ValueError:
        return str(cell)

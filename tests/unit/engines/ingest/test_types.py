"""What the cells of a column make of its type."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.ingest.kinds import Kind, common_type
from modelwright.engines.ingest.table import Bounds

D, T = date, datetime
COLUMNS: list[tuple[str, list[str], str, list[Any] | None]] = [
    ("digits", ["1", "-2", "0"], "integer", [1, -2, 0]),
    ("leading zeros", ["007", "12"], "string", ["007", "12"]),
    ("a leading zero far down", ["7"] * 500 + ["07"], "string", ["7"] * 500 + ["07"]),
    ("negative with leading zero", ["-07", "1"], "string", ["-07", "1"]),
    ("fifteen digits", ["123456789012345"], "integer", [123456789012345]),
    ("sixteen digits", ["1234567890123456", "1"], "string", ["1234567890123456", "1"]),
    ("beyond 64 bits", ["9" * 25], "string", ["9" * 25]),
    ("long digits beside decimals", ["12345678901234567890", "0.5"], "string", None),
    ("decimals", ["1.5", "2", "-.5", "3."], "float", [1.5, 2.0, -0.5, 3.0]),
    ("exponents", ["1e5", "-2.5E-3"], "float", [1e5, -0.0025]),
    ("infinities", ["inf", "-Infinity", "+inf", "1.5"], "float", None),
    ("too large for a float", ["1e999", "1"], "string", ["1e999", "1"]),
    ("decimals with leading zeros", ["00.5", "1.5"], "string", ["00.5", "1.5"]),
    ("plus signs", ["+5", "6"], "string", ["+5", "6"]),
    ("plus signs with decimals", ["+5.5", "6"], "string", ["+5.5", "6"]),
    ("hexadecimal", ["0x1F", "1"], "string", ["0x1F", "1"]),
    ("underscores", ["1_000", "1"], "string", ["1_000", "1"]),
    ("thousands separators", ["1,234", "5"], "string", ["1,234", "5"]),
    ("blanks around numbers", [" 1", "2 ", "\t3"], "integer", [1, 2, 3]),
    ("blanks for missing numbers", ["1", " ", "3"], "integer", [1, None, 3]),
    (
        "words for missing numbers",
        ["1", "NA", "n/a", "NaN", "null", "?", "-"],
        "integer",
        [1] + [None] * 6,
    ),
    ("words for missing dates", ["2024-01-01", "None"], "date", [D(2024, 1, 1), None]),
    ("such words among texts", ["Namibia", "NA", "-"], "string", ["Namibia", "NA", "-"]),
    ("nothing but such words", ["NA", "?", "NA"], "string", ["NA", "?", "NA"]),
    ("numbers and texts", ["1", "two", "3"], "string", ["1", "two", "3"]),
    ("truths", ["true", "FALSE", "True"], "boolean", [True, False, True]),
    ("truths and digits", ["true", "1"], "string", ["true", "1"]),
    ("yes and no", ["yes", "no"], "string", ["yes", "no"]),
    ("single letters", ["t", "f"], "string", ["t", "f"]),
    ("zero and one", ["0", "1"], "integer", [0, 1]),
    ("dates", ["2024-02-29", "0001-01-01"], "date", [D(2024, 2, 29), D(1, 1, 1)]),
    ("no such day", ["2023-02-29"], "string", ["2023-02-29"]),
    ("dates of other countries", ["31/12/2024", "12/31/2024"], "string", None),
    ("short dates", ["2024-1-5"], "string", ["2024-1-5"]),
    (
        "date-times",
        ["2024-01-05 10:00", "2024-01-05T10:00:00.5"],
        "date",
        [T(2024, 1, 5, 10), T(2024, 1, 5, 10, 0, 0, 500000)],
    ),
    (
        "dates and date-times",
        ["2024-01-05", "2024-01-05T10:00:00"],
        "date",
        [T(2024, 1, 5), T(2024, 1, 5, 10)],
    ),
    (
        "zones",
        ["2024-01-05T10:00:00Z", "2024-01-05T10:00:00+02:00"],
        "date",
        [T(2024, 1, 5, 10, tzinfo=UTC), T(2024, 1, 5, 8, tzinfo=UTC)],
    ),
    ("with and without zone", ["2024-01-05T10:00:00Z", "2024-01-05T10:00:00"], "string", None),
    (
        "ticks that are zero",
        ["2024-01-05T10:00:00.1234560"],
        "date",
        [T(2024, 1, 5, 10, 0, 0, 123456)],
    ),
    ("ticks that are not", ["2024-01-05T10:00:00.1234567"], "string", None),
    ("times alone", ["10:30:00"], "string", ["10:30:00"]),
    ("dates and numbers", ["2024-01-05", "5"], "string", ["2024-01-05", "5"]),
    ("truths and missing words", ["true", "NA"], "boolean", [True, None]),
    ("odd texts", ["\x00", "\x1b[0m", "ünï", "😀", "\u202e"], "string", None),
    ("texts with blanks", [" a ", "b"], "string", [" a ", "b"]),
]


class TestType:
    @pytest.mark.parametrize(
        ("cells", "kind", "values"), [c[1:] for c in COLUMNS], ids=[c[0] for c in COLUMNS]
    )
    def test_follows_from_all_cells(
        self, ingest: Any, cells: list[str], kind: str, values: list[Any] | None
    ):
        text = "n;column\n" + "".join(f"x;{cell}\n" for cell in cells)
        found = ingest(text)
        assert found.types[1] == kind
        expected = cells if values is None and kind == "string" else values
        if expected is not None:
            assert found.values(1) == expected

    @pytest.mark.parametrize(
        ("cells", "kind", "values"), [c[1:] for c in COLUMNS], ids=[c[0] for c in COLUMNS]
    )
    def test_stays_the_same_with_empty_cells_between(
        self, ingest: Any, cells: list[str], kind: str, values: list[Any] | None
    ):
        found = ingest("n;column\n" + "".join(f"x;{cell}\ny;\n" for cell in cells))
        assert found.types[1] == kind
        assert found.values(1)[1::2] == [None] * len(cells)
        assert found.table.columns[1].nullable

    def test_of_a_column_of_empty_cells_is_a_nullable_string(self, ingest: Any):
        found = ingest('a,b\n1,\n2,""\n')
        assert found.types == ["integer", "string"]
        assert found.values(1) == [None, None]
        assert found.table.columns[1].nullable
        assert not found.table.columns[1].unique

    def test_of_infinities_keeps_them(self, ingest: Any):
        assert ingest("x;y\na;inf\na;-Infinity\na;1\n").values(1) == [
            float("inf"),
            float("-inf"),
            1.0,
        ]


class TestLateValue:
    """A value near the end of a file of many blocks decides as much as one at its start."""

    ROWS = 50_000
    BOUNDS = Bounds(max_cell_bytes=2**16)
    """A block has as many bytes as a cell may have."""

    def lines(self, cell: str, late: str) -> str:
        return "id,value\n" + "".join(f"{n},{cell}\n" for n in range(self.ROWS)) + f"-1,{late}\n"

    @pytest.mark.parametrize(
        ("cell", "late", "kind", "first", "last"),
        [
            ("100", "abc", "string", "100", "abc"),
            ("100", "007", "string", "100", "007"),
            ("1.10", "x", "string", "1.10", "x"),
            ("100", "0.5", "float", 100.0, 0.5),
            ("", "7", "integer", None, 7),
            ("NA", "7", "integer", None, 7),
            ("2024-01-05", "2024-01-05T10:00:00", "date", T(2024, 1, 5), T(2024, 1, 5, 10)),
        ],
    )
    def test_decides_and_loses_nothing(
        self, ingest: Any, cell: str, late: str, kind: str, first: Any, last: Any
    ):
        found = ingest(self.lines(cell, late), bounds=self.BOUNDS)
        assert found.types == ["integer", kind]
        assert found.table.rows == self.ROWS + 1
        assert (found.values(1)[0], found.values(1)[-1]) == (first, last)
        assert found.values(0)[:-1] == list(range(self.ROWS))


class TestJoin:
    KINDS: tuple[Kind, ...] = (
        "empty",
        "missing",
        "integer",
        "float",
        "boolean",
        "date",
        "datetime",
        "instant",
        "string",
    )

    def test_does_not_depend_on_the_order(self):
        for a in self.KINDS:
            for b in self.KINDS:
                assert common_type(a, b) == common_type(b, a)
                for c in self.KINDS:
                    assert common_type(common_type(a, b), c) == common_type(a, common_type(b, c))


class TestPartedThousands:
    PARTED = tuple(f"{one}.{rest}" for one in range(1, 40) for rest in ("500", "275"))

    def test_stay_as_they_are_written_and_are_learnt_from(self, ingest: Any):
        cells = ["7", "999", "N/A", "", *self.PARTED, "12"]
        text = "n;y\n" + "".join(f"{cell};{at % 13}\n" for at, cell in enumerate(cells))
        found = ingest(text)
        assert found.types == ["string", "integer"]
        assert found.values()[:3] == ["7", "999", "N/A"]
        made = make_plan([found.path], "", target="n", seconds=10)
        assert (made.task, made.kinds["n"]) == ("regression", "1.234,5")
        assert make_plan([found.path], "", target="y", seconds=10).kinds["n"] == "1.234,5"

    @pytest.mark.parametrize("odd", ["0.125", "12.5", "1000"])
    def test_are_not_seen_in_decimals(self, ingest: Any, odd: str):
        assert ingest("n\n" + "\n".join(["999", *self.PARTED, odd])).types == ["float"]
        assert ingest("n\n" + "\n".join(self.PARTED)).types == ["float"]

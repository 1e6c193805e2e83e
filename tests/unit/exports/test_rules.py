"""Which file becomes which."""

import pytest

from modelwright.exports.domain import Format, plan_files, unique_filenames
from modelwright.uploads.domain import TableFile


def table(filename: str, kind: str = "csv") -> TableFile:
    return TableFile(filename, "tables/u/1.parquet", 1, (), kind, "uploads/u/1", 10)


class TestPlanned:
    @pytest.mark.parametrize(
        ("filename", "wanted", "name"),
        [
            ("sales.csv", Format.JSON, "sales.json"),
            ("sales.2024.csv", Format.JSON, "sales.2024.json"),
            ("sales.csv.gz", Format.CSV, "sales.csv"),
            ("sales", Format.PARQUET, "sales.parquet"),
            ("sales.xlsx", None, "sales.xlsx"),
        ],
    )
    def test_names_follow_the_format(self, filename: str, wanted: Format | None, name: str):
        assert plan_files([table(filename)], wanted, include_headers=True)[0].filename == name

    def test_files_that_would_share_a_name_are_numbered(self):
        pieces = plan_files([table("a.csv"), table("a.json")], Format.CSV, include_headers=True)
        assert [piece.filename for piece in pieces] == ["a.csv", "a_2.csv"]

    def test_a_type_follows_from_the_bytes_never_from_what_was_declared(self):
        kinds = [
            plan_files([table(name, kind)], None, include_headers=True)[0].media_type
            for name, kind in [("a.html", "csv"), ("a.csv.gz", "csv"), ("a.html", "unknown")]
        ]
        assert kinds == [
            "text/csv",
            "application/octet-stream",
            "application/octet-stream",
        ]

    def test_parquet_and_what_came_are_taken_as_they_are(self):
        for wanted, source in ((None, "uploads/u/1"), (Format.PARQUET, "tables/u/1.parquet")):
            piece = plan_files([table("a.csv")], wanted, include_headers=True)[0]
            assert (piece.source, piece.convert) == (source, None)


class TestDistinct:
    def test_numbers_what_is_there_already(self):
        assert unique_filenames(["a.csv", "a.csv", "a_2.csv", "b", "b"]) == [
            "a.csv",
            "a_2.csv",
            "a_2_2.csv",
            "b",
            "b_2",
        ]

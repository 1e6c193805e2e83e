"""Labels and shapes."""

import pytest

from modelwright.datasets.domain import (
    FIRST_LABEL,
    VersionLabel,
    next_label,
    parse_reference,
    shape_of,
)
from modelwright.uploads.domain import FileColumn, TableFile


def table(*columns: tuple[str, str]) -> TableFile:
    known = tuple(FileColumn(name, kind, False, False) for name, kind in columns)
    return TableFile("a.csv", "tables/u/1", 0, known, "csv", "uploads/u/1", 0)


class TestShape:
    def test_order_of_columns_and_files_does_not_matter(self):
        one = [table(("a", "string"), ("b", "date")), table(("c", "float"))]
        two = [table(("c", "float")), table(("b", "date"), ("a", "string"))]
        assert shape_of(one) == shape_of(two)

    def test_more_files_of_the_same_columns_are_the_same(self):
        assert shape_of([table(("a", "string"))] * 3) == shape_of([table(("a", "string"))])

    @pytest.mark.parametrize(
        "other",
        [
            [table(("a", "integer"))],
            [table(("A", "string"))],
            [table(("a", "string"), ("b", "string"))],
            [table(("a", "string")), table(("b", "string"))],
            [],
        ],
    )
    def test_other_names_or_types_are_not(self, other: list[TableFile]):
        assert shape_of(other) != shape_of([table(("a", "string"))])


class TestLabel:
    def test_the_first_is_v1_0(self):
        assert str(next_label(None, same_shape=False)) == "v1.0"

    def test_the_same_columns_raise_the_minor_number(self):
        assert str(next_label(VersionLabel(1, 9), same_shape=True)) == "v1.10"

    def test_others_raise_the_major_one(self):
        assert str(next_label(VersionLabel(1, 9), same_shape=False)) == "v2.0"


class TestAsked:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("sales@v1.0", ("sales", FIRST_LABEL)),
            ("a@b@v12.3", ("a@b", VersionLabel(12, 3))),
            ("x@v1.0@v2.0", ("x@v1.0", VersionLabel(2, 0))),
            ("sales", None),
            ("sales@", None),
            ("sales@v1", None),
            ("@v1.0", None),
            ("sales@v1.0 ", None),
            ("sales@v1.-1", None),
            ("sales@v9999999999.0", None),
            ("sales@v\u0661.0", None),
        ],
    )
    def test_a_name_with_a_label_is_told_from_a_name(self, text: str, found: object):
        assert parse_reference(text) == found

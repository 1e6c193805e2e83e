"""What files are called as tables."""

import pytest

from modelwright.sessions.domain import table_names


class TestTableNames:
    @pytest.mark.parametrize(
        ("filename", "table"),
        [
            ("sales.csv", "sales"),
            ("sales-2024.csv", "sales_2024"),
            ("Sales 2024 (final).xlsx", "Sales_2024_final"),
            ("2024.csv", "_2024"),
            ("sales.csv.gz", "sales"),
            ("events.v2.JSON", "events_v2"),
            ("données.parquet", "données"),
            ("---.csv", "table"),
            ('"; drop table x; --.csv', "drop_table_x"),
            ("<script>.csv", "script"),
        ],
    )
    def test_a_table_is_named_after_its_file(self, filename: str, table: str):
        assert table_names([filename]) == [table]

    def test_collisions_are_numbered(self):
        files = ["a.csv", "a.json", "a_2.csv", "a.parquet"]
        assert table_names(files) == ["a", "a_2", "a_2_2", "a_3"]

    def test_names_that_differ_in_case_only_collide(self):
        assert table_names(["Sales.csv", "sales.tsv"]) == ["Sales", "sales_2"]

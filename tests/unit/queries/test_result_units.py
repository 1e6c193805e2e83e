"""The units of an answer's columns: what SQL hands on of the columns of tables."""

from collections.abc import Mapping

import pytest

from modelwright.engines.language.catalog.corrections import (
    ColumnCorrection,
    Corrections,
    DatasetTeaching,
    TableCorrection,
)
from modelwright.queries.result_units import units_of_result, units_of_tables
from modelwright.sessions.domain import SessionTable

UNITS = {"visits": {"fee": "$", "rate": "%"}, "rooms": {"fee": "EUR", "price": "EUR"}}


@pytest.mark.parametrize(
    ("sql", "columns", "units"),
    [
        ("SELECT fee, day FROM visits", ["fee", "day"], ["$", ""]),
        ("SELECT * FROM visits", ["day", "fee"], ["", "$"]),
        ("SELECT region, SUM(fee) AS s FROM visits GROUP BY 1", ["region", "s"], ["", "$"]),
        ("SELECT AVG(rate) FROM visits", ["avg_rate"], ["%"]),
        ("SELECT ROUND(MEDIAN(fee), 2) AS m FROM visits", ["m"], ["$"]),
        ("SELECT MAX(fee) FILTER (WHERE kept) AS m FROM visits", ["m"], ["$"]),
        ("SELECT v.fee, r.fee FROM visits v JOIN rooms r ON true", ["a", "b"], ["$", "EUR"]),
        ("SELECT price FROM visits JOIN rooms USING (id)", ["price"], ["EUR"]),
        ("SELECT COUNT(*) / 2.0 AS percent FROM visits", ["percent"], ["%"]),
        ("SELECT fee FROM visits JOIN rooms USING (id)", ["fee"], None),
        ("SELECT COUNT(fee) AS fee FROM visits", ["fee"], None),
        ("SELECT fee / 2 AS fee FROM visits", ["fee"], None),
        ("SELECT fee * 0.9 AS fee_in_eur FROM visits", ["fee_in_eur"], None),
        ("SELECT fee FROM (SELECT COUNT(*) AS fee FROM visits)", ["fee"], None),
        ("WITH visits AS (SELECT 1 AS fee) SELECT fee FROM visits", ["fee"], None),
        ("SELECT fee FROM visits UNION SELECT price FROM rooms", ["fee"], None),
        ("SELECT 1 AS fee", ["fee"], None),
        ("SELECT *, 1 AS n FROM visits", ["fee", "day", "n"], None),
        ("no SQL at all (", ["fee"], None),
    ],
)
def test_are_those_of_the_columns_that_it_hands_on(
    sql: str, columns: list[str], units: list[str] | None
) -> None:
    assert units_of_result(sql, columns, UNITS) == units


@pytest.mark.parametrize(
    ("said", "units"),
    [
        ({}, {"fee": "$"}),
        ({"fee": "EUR"}, {"fee": "EUR"}),
        ({"fee": ""}, {"fee": ""}),
        ({"weight": "kg"}, {"fee": "$", "weight": "kg"}),
        ({"fee": None}, {"fee": "$"}),
    ],
)
def test_are_of_the_file_unless_somebody_said_otherwise(
    said: Mapping[str, str | None], units: dict[str, str]
) -> None:
    table = SessionTable("visits.csv", "visits", "key", ("fee", "weight"), units={"fee": "$"})
    columns = {name: ColumnCorrection(unit=unit) for name, unit in said.items()}
    corrections = Corrections(tables={"visits": TableCorrection(columns=columns)})
    teaching = DatasetTeaching("visits", corrections, {"visits": "visits"})
    assert units_of_tables([table], [teaching]) == {"visits": units}

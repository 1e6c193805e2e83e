"""Files that were misread once, each with its right value; they lie in ../shared/cases."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modelwright.engines.ingest.table import BrokenFile

DATA = Path(__file__).parents[4] / "../shared/cases/data"
pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the cases are kept beside the project")
Check = Callable[[Any], bool]


def said(found: Any, words: str) -> bool:
    return any(words in notice for notice in found.table.notices)


RIGHT: dict[str, Check] = {
    "stops_open_quote.csv": lambda it: it.table.rows == 2999 and said(it, "line 1,467"),
    "people_id_quoted_space.csv": lambda it: (
        it.names == ["id", "name", "city", "score"] and it.rows[0][2] == "Austin, TX"
    ),
    "biostats.csv": lambda it: (
        it.names == ["Name", "Sex", "Age", "Height (in)"] and it.rows[0][1] == "M"
    ),
    "cp1251.csv": lambda it: it.names == ["Город", "Цена", "Дата"] and it.rows[0][0] == "Москва",
    "cp1250_pl.csv": lambda it: it.rows[0][0] == "Łódź",
    "gbk.csv": lambda it: it.names[0] == "城市" and it.rows[0][0] == "北京",
    "eucjp.csv": lambda it: it.rows[0][0] == "東京",
    "nbp_rates.csv": lambda it: (
        it.table.rows == 60 and it.types[1:5] == ["float"] * 4 and "pełny numer tabeli" in it.names
    ),
    "expenses.csv": lambda it: (
        it.table.rows == 12
        and it.names[3:7]
        == ["Travel Air", "Travel Rail", "Travel Taxi/Car", "Travel Accommodation/Meals"]
    ),
    "worldbank.csv": lambda it: (
        it.table.rows == 40
        and it.names[:2] == ["Country Name", "Country Code"]
        and it.names[4] == "1990"
    ),
    "excel_pasting2.csv": lambda it: (
        it.table.rows == 12 and it.names == ["Year", *map(str, range(2000, 2008))]
    ),
    "acs.csv": lambda it: (
        it.table.rows == 60 and it.types[2] == "integer" and said(it, "describes them")
    ),
    "sqlcmd.csv": lambda it: it.table.rows == 40 and it.types == ["integer", "string", "float"],
    "concat_bom.csv": lambda it: (
        it.table.rows == 40 and it.types == ["date", "string", "integer", "float"]
    ),
    "r_rownames.csv": lambda it: it.names[1:] == ["mpg", "cyl", "hp"] and it.rows[0][0] == "Mazda",
    "mturk.csv": lambda it: len(it.names) == 5 and it.rows[0][3:] == (None, None),
    "nohdr_nan.csv": lambda it: it.table.rows == 200 and it.names[2] == "column_3",
    "footer_mid.csv": lambda it: it.table.rows == 22,
    "spectrum.csv": lambda it: it.table.rows == 200 and it.names == ["cm-1", "%T"],
    "zero_dates.csv": lambda it: (
        it.types[1] == "date" and it.values(1).count(None) == 16 and said(it, "0000-00-00")
    ),
    "exp_codes.csv": lambda it: it.types[0] == "string" and "40E5" in it.values(0),
    "nfd.csv": lambda it: sum(value == "Québec" for value in it.values(1)) == 134,
    "zero_width.csv": lambda it: it.types[1] == "integer" and it.rows[3][1] is None,
    "tz.csv": lambda it: said(it, "UTC"),
    "xl_nocache.xlsx": lambda it: said(it, "30 formulas"),
    "xl_cover.xlsx": lambda it: it.table.rows > 4 and said(it, "Accidents"),
    "xl_stacked.xlsx": lambda it: it.table.rows == 10 and said(it, "Another table"),
    "pandas_default.json": lambda it: it.table.rows == 40 and it.names == ["age", "city", "y"],
    "pandas_split.json": lambda it: it.table.rows == 40 and it.names == ["age", "city", "y"],
    "nested.json": lambda it: {"user.age", "user.plan"} <= set(it.names),
    "geo.geojson": lambda it: (
        it.names == ["name", "pop", "longitude", "latitude"] and it.table.rows == 40
    ),
    "cents.parquet": lambda it: str(it.values(0)[1999]) == "19.99",
    "pd_index.parquet": lambda it: it.names == ["x", "y"],
}
REFUSED = {"reviews_one_extra.csv": 32, "concat_reordered.csv": 22}
"""Files that are refused, with the line that is to be named."""


@pytest.mark.parametrize("name", RIGHT)
def test_a_file_is_read_rightly(ingest: Any, name: str):
    assert RIGHT[name](ingest(DATA / name, name))


@pytest.mark.parametrize("name", REFUSED)
def test_a_doubtful_file_is_refused_with_its_line(ingest: Any, name: str):
    with pytest.raises(BrokenFile) as refusal:
        ingest(DATA / name, name)
    assert refusal.value.line == REFUSED[name]

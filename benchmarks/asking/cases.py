"""The questions of `../shared/cases/asking`: `python -m benchmarks.asking.cases`.

--shared FOLDER   where the cases are, if not beside the project

Each case has small tables, a question, and what is right of it. The files are read as uploads are,
and the questions go the way of those of the API. What the other cases there are about is held by
`python -m benchmarks.cases` (connections, SQL, serving) and by tests.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from benchmarks.asking import sets
from benchmarks.asking.__main__ import Judge
from benchmarks.asking.product import Product, Told
from benchmarks.report import table
from modelwright.engines.ingest.converting import convert
from modelwright.engines.ingest.table import Bounds

SHARED = sets.SPIDER.parents[2] / "cases" / "asking"
SECONDS = 29.0
TODAY = date(2026, 11, 20)


@dataclass(frozen=True)
class Wanted:
    """What is right of a case."""

    sql: tuple[str, ...] = ()
    """Each gives a right answer."""
    then: str = ""
    """What is said after the question; the answer is that of both."""
    refusal: bool = False
    """Whether a refusal is right as well."""
    said: str = ""
    """What the answer must be told with."""


WANTED = {
    "a01_cities_no_sales": Wanted(
        ("select city from stores where store_id not in (select store_id from sales)",)
    ),
    "a04_fanout_pen": Wanted(("select 10000",)),
    "a06_shipped_to": Wanted(
        ("from orders where order_id in (1, 2)", "select order_id from orders where order_id < 3")
    ),
    "a08_reports_to": Wanted(("select name from staff where manager_id = 1",)),
    "a10_one_dangling_refused": Wanted(
        ("select city, sum(amount) from sales join stores using (store_id) group by 1",)
    ),
    "a11_one_dangling_no_sales": Wanted(("select 'Bern'",)),
    "a13_top2_unsorted": Wanted(
        ("select town, count(*) c from shops group by 1 order by c desc limit 2",)
    ),
    "a15_placed_is_hired": Wanted(("select 52",)),
    "a16_average_in_two_countries": Wanted(
        (
            """select ship_country, avg(freight) from orders
            where ship_country in ('USA', 'Germany') group by 1""",
        )
    ),
    "a17_born_boren": Wanted(("select 19",)),
    "a20_year_is_birthday": Wanted(("select 1",), refusal=True),
    "a21_hottest_by_min": Wanted(("select day from weather order by max_temp desc limit 1",)),
    "a22_relative_date_outside": Wanted(("select 0",), refusal=True, said="end on 2024-12-11"),
    "a24_followup_refused": Wanted(
        (
            """select region, sum(amount) from sales join stores using (store_id)
            where year(sold_on) = 2024 group by 1""",
        ),
        then="and in 2024?",
    ),
}


def tables(case: dict[str, dict[str, str]], folder: Path) -> dict[str, Path]:
    """Reads a case's files as uploads are read."""
    found = {}
    for name, text in case["files"].items():
        source, target = folder / name, folder / f"{name}.parquet"
        source.write_text(text, "utf-8")
        convert(source, target, name=name, content_type="", bounds=Bounds(), scratch=folder)
        found[source.stem] = target
    return found


def verdict(case: dict[str, dict[str, str]], wanted: Wanted, folder: Path) -> tuple[str, str]:
    """Asks a case; tells what became of it, and what was told."""
    data = sets.Data("case", tables(case, folder), TODAY)
    product, asked = Product(data, (), None, SECONDS), str(case["ask"]).partition("; then: ")[0]
    told = product.ask(wanted.then, asked) if wanted.then else product.ask(asked)
    shown = "; ".join(told.sql) or told.why
    if told.kind == "refused":
        return ("right" if wanted.refusal else "refused"), shown
    found, _ = Judge(data).verdict(wanted.sql, told)
    if found == "right" and wanted.said and not _says(told, wanted.said):
        return "right, but not told", shown
    return found, shown


def _says(told: Told, words: str) -> bool:
    return any(words in one for one in told.warnings)


def main() -> int:
    parser = argparse.ArgumentParser(description="The questions of the shared cases.")
    parser.add_argument("--shared", type=Path, default=SHARED, metavar="FOLDER")
    given = parser.parse_args()
    rows = []
    for name, wanted in WANTED.items():
        path = given.shared / f"{name}.json"
        if not path.exists():
            sys.exit(f"skipped: the cases are not in {given.shared}")
        case = json.loads(path.read_text("utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            became, shown = verdict(case, wanted, Path(folder).resolve())
        rows.append({"case": name, "question": case["ask"], "verdict": became, "told": shown})
    print(table(rows))
    return int(any(row["verdict"] not in {"right", "choices"} for row in rows))


if __name__ == "__main__":
    sys.exit(main())

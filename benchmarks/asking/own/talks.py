"""How second turns of our own are compiled: `python -m benchmarks.asking.own.talks`.

--misses      prints what goes wrong, of the development half only
"""

import argparse
import random
import tempfile
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.asking import sets
from benchmarks.asking.__main__ import Judge
from benchmarks.asking.compiling import judge_compiled
from benchmarks.asking.own.__main__ import HALVES, half, read
from benchmarks.asking.product import Product
from benchmarks.report import table

MADE_ROWS = 400
SECONDS = 29.0


def main() -> None:
    parser = argparse.ArgumentParser(description="How our own second turns are compiled.")
    parser.add_argument("--misses", action="store_true")
    given = parser.parse_args()
    seen: dict[str, Counter[str]] = {one: Counter() for one in HALVES}
    with tempfile.TemporaryDirectory() as folder:
        for name, talks in read("conversations").items():
            of = half(name)
            data = made(name, Path(folder)) if name in MADE else sets.data(name)
            product, judge = Product(data, (), None, SECONDS), Judge(data)
            for talk in talks:
                asked, then, whole = talk.split(" / ")
                verdict, compiled = judge_compiled(product, judge, asked, then, whole)
                seen[of][verdict] += 1
                if given.misses and of == "development" and verdict != "right":
                    print(f"  {verdict:8} {name} | {asked} … {then} -> {compiled} | {whole}")
    verdicts = ("right", "wrong", "refused")
    print(table([{"half": of, **{one: seen[of][one] for one in verdicts}} for of in HALVES]))


def _orders(at: int, of: random.Random) -> dict[str, object]:
    return {
        "order_id": at,
        "order_date": date(2022, 1, 1) + timedelta(days=of.randrange(1400)),
        "region": of.choice(["north", "south", "east", "west"]),
        "category": of.choice(["toys", "furniture", "books", "garden", "food", "music", "shoes"]),
        "channel": of.choice(["online", "shop", "phone"]),
        "status": of.choice(["shipped", "returned", "open"]),
        "gender": of.choice(["men", "women"]),
        "quantity": of.randrange(1, 12),
        "revenue": round(of.uniform(5, 900), 2),
    }


def _staff(at: int, of: random.Random) -> dict[str, object]:
    return {
        "employee_id": at,
        "department": of.choice(["sales", "engineering", "support", "finance"]),
        "city": of.choice(["Berlin", "Madrid", "Oslo"]),
        "sex": of.choice(["men", "women"]),
        "grade": of.choice(["junior", "senior", "lead"]),
        "age": of.randrange(20, 65),
        "salary": of.randrange(30000, 90000),
        "hired_on": date(2010, 1, 1) + timedelta(days=of.randrange(5000)),
    }


MADE = {"orders": _orders, "staff": _staff}


def made(name: str, folder: Path) -> sets.Data:
    """Makes a table of our own, the same each time."""
    of = random.Random(name)
    path = folder / f"{name}.parquet"
    pq.write_table(pa.Table.from_pylist([MADE[name](at, of) for at in range(MADE_ROWS)]), path)
    return sets.Data(name, {name: path}, date(2025, 11, 20))


if __name__ == "__main__":
    main()

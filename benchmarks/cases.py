"""Every case that is kept beside the project: read rightly, refused, noticed, silently wrong.

`python -m benchmarks.cases [KIND ...]` reads the files of `../shared/cases/data`, asks for what
they are asked for, brings in what the cases of connections name from real servers, and prints two
tables: kinds with their counts, and cases. It ends with 1 where a case is not as it has to be.
"""

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pyarrow.parquet as pq
from tests.unit.connections import servers
from tests.unit.connections.kept import Kept, bring_in
from tests.unit.engines.ingest.conftest import Ingested
from tests.unit.engines.ingest.test_cases import DATA, REFUSED, RIGHT

from benchmarks import arguments
from benchmarks.server import build, running, upload
from modelwright.builds.tasks import PREPARE
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.planning.plan import PlanError
from modelwright.engines.ingest.converting import convert
from modelwright.engines.ingest.table import Bounds, BrokenFile
from modelwright.engines.sql.pool import Pool
from modelwright.jobs.errors import JobRefused
from modelwright.jobs.subprocesses import ChildLimits, run
from modelwright.predictions.domain import Include
from modelwright.predictions.predict_rows import answer_many
from modelwright.system.sandbox.process import Reach
from modelwright_runtime.predictor import Predictor

RIGHTLY = "right"
REFUSAL = "refused"
NOTICE = "noticed"
SILENT = "silently wrong"
VERDICTS = (RIGHTLY, REFUSAL, NOTICE, SILENT)
BUILD_SECONDS = 60.0
BUILD_MEMORY_MB = 2048
POOL_MEMORY = 256 << 20
NEW_YORK = "America/New_York"
MONEY = "12345678901234567.89"
CHANCE = 0.5
NEAR_CHANCE = 0.1
STOCK_RMSE = [1.8, 3.9]
"""What the value of the row before, and the last one learnt from, are off by in stock.csv."""
R2_WITH_GAPS = 0.88
"""What a model of zero_dates.csv explains at least; about 0.9 with gaps for what is no day."""
SERVING_ROWS = 300
REGIONS = ("café", "harbour", "north side")

DIALECTS = ["stops_open_quote.csv", "people_id_quoted_space.csv", "biostats.csv"]
DIALECTS += ["reviews_one_extra.csv"]
ENCODINGS = ["cp1251.csv", "cp1250_pl.csv", "gbk.csv", "eucjp.csv"]
ODD_VALUES = ["zero_dates.csv", "exp_codes.csv", "nfd.csv", "zero_width.csv", "tz.csv"]
WERE_REFUSED = {"eucjp.csv", "worldbank.csv", "r_rownames.csv", "mturk.csv", "spectrum.csv"}
"""Files that commit 01a26c9 refused for want of a better reading."""
WERE_NOTICED = {"expenses.csv", "sqlcmd.csv", "xl_cover.xlsx", "xl_stacked.xlsx", "geo.geojson"}
"""Files that it misread with a notice."""


@dataclass(frozen=True)
class Case:
    """One case: its kind, what became of it before, and what finds out what becomes of it now."""

    kind: str
    name: str
    before: str
    judge: Callable[["Workshop"], str]
    wanted: tuple[str, ...] = (RIGHTLY,)


class Workshop:
    """A folder, real servers that start when they are first asked for, and a pool of sessions."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._folder = Path(stack.enter_context(tempfile.TemporaryDirectory())).resolve()
        self._servers: dict[str, servers.Server] = {}
        self._made = 0

    def folder(self) -> Path:
        """Makes an empty folder."""
        self._made += 1
        made = self._folder / str(self._made)
        made.mkdir()
        return made

    def read(self, name: str) -> Ingested:
        """Converts a file of the cases."""
        folder = self.folder()
        target = folder / "t.parquet"
        table = convert(
            DATA / name, target, name=name, content_type="", bounds=Bounds(), scratch=folder
        )
        read = pq.read_table(target)
        rows = [tuple(row) for row in zip(*(c.to_pylist() for c in read.columns), strict=True)]
        return Ingested(table, read.column_names, rows, target)

    def bring_in(self, kind: str, setup: str, query: str) -> Kept:
        """Has a real server run statements, and brings a query's result in."""
        if kind not in self._servers:
            start = servers.postgresql if kind == "postgresql" else servers.mariadb
            self._servers[kind] = self._stack.enter_context(start())
        server = self._servers[kind]
        server.run(f"use {server.database};{setup}" if kind == "mysql" else setup or "select 1")
        return bring_in(self.folder(), server.body(password=servers.PASSWORD), query=query)

    def ask(self, table: Path, sql: str, time_zone: str = "UTC") -> list[list[Any]]:
        """Asks a table as a session does."""
        pool = Pool(size=1, memory_bytes=POOL_MEMORY, homes=self.folder())
        try:
            return pool.run(
                "s", {"t": table}, sql, max_rows=10, max_bytes=10_000, seconds=30.0,
                time_zone=time_zone,
            ).rows  # fmt: skip
        finally:
            pool.close()

    def build(self, path: Path, intent: str, **options: Any) -> tuple[dict[str, Any], Path]:
        """Builds a model of a table in a process of its own; tells what was learnt, and where."""
        folder = self.folder()
        wish: dict[str, Any] = {"intent": intent, "max_iterations": 1}
        wish |= dict.fromkeys(("input_schema", "output_schema", "metric", "target", "task"))
        wish |= options
        told = {
            "request": wish | {"before": None},
            "tables": [{"filename": path.name, "path": str(path), "columns": {}}],
            "seconds": BUILD_SECONDS,
            "folder": str(folder / "artifact"),
        }
        learnt = run(
            "modelwright.builds.training_process:build",
            told,
            limits=ChildLimits(BUILD_MEMORY_MB, 2 * BUILD_SECONDS),
            on_report=lambda _: None,
            check=lambda: None,
            reach=Reach(readable=(str(path),)),
            folder=folder,
            prepare=PREPARE,
        )
        return learnt, folder / "artifact"

    def spending(self) -> Path:
        """Writes a table of spending by region."""
        lines = [f"{REGIONS[n % 3]},{n % 7},{n % 3 * 40 + n % 7}" for n in range(SERVING_ROWS)]
        path = self.folder() / "spending.csv"
        path.write_text("\n".join(["region,visits,spent", *lines]), "utf-8")
        return path

    @cached_property
    def served(self) -> Predictor:
        """A model of spending by region, where one region is called `café`."""
        folder = self.folder()
        source, table = self.spending(), folder / "t.parquet"
        convert(source, table, name="t.csv", content_type="", bounds=Bounds(), scratch=folder)
        return Predictor.load(self.build(table, "Predict spent")[1])


def cases() -> Iterator[Case]:
    """Gives every case."""
    for name in [*RIGHT, *REFUSED]:
        wanted = (REFUSAL,) if name in REFUSED else (RIGHTLY,)
        yield Case(_kind_of(name), name, _before(name), _file(name), wanted)
    yield from _wishes()
    yield from _honesty()
    yield from _connections()
    yield Case("SQL", "s01 decimals in JSON", SILENT, _decimal_in_json)
    yield Case("serving", "v01 decomposed letters", SILENT, _decomposed)
    yield Case("serving", "v03 a bad row in a batch", REFUSAL, _row_by_row)
    yield Case("serving", "v04 an address that stays", REFUSAL, _stable_address)


def _kind_of(name: str) -> str:
    lists = {"dialects": DIALECTS, "encodings": ENCODINGS, "odd values": ODD_VALUES}
    found = next((kind for kind, names in lists.items() if name in names), None)
    by_end = {"json": "JSON", "geojson": "JSON", "xlsx": "workbooks", "parquet": "Parquet"}
    return found or by_end.get(name.rpartition(".")[2], "headers and footers")


def _before(name: str) -> str:
    if name in WERE_REFUSED:
        return REFUSAL
    return NOTICE if name in WERE_NOTICED else SILENT


def _file(name: str) -> Callable[[Workshop], str]:
    def judge(shop: Workshop) -> str:
        try:
            found = shop.read(name)
        except BrokenFile as refused:
            as_wanted = name in REFUSED and refused.line == REFUSED[name]
            return REFUSAL if as_wanted else f"{REFUSAL}, wrongly"
        if name in RIGHT and RIGHT[name](found):
            return RIGHTLY
        return NOTICE if found.table.notices else SILENT

    return judge


WISHES = (
    ("E1", "survival.csv", "survival analysis of the patients by treatment", "survival"),
    ("E2", "weights.csv", "predict default using survey_weight as sample weight", "weights"),
    ("E3", "ratings.csv", "recommend movies to users", "recommend"),
    ("E3", "transactions.csv", "Predict customer lifetime value", "worth"),
    ("E3", "transactions.csv", "which products are bought together", "baskets"),
    ("E3", "transactions.csv", "find unusual transactions", "unusual"),
    ("E3", "multilabel2.csv", "predict the tags (multi-label)", "several labels"),
    ("E3", "process.csv", "find the best temp and press to maximise yield_pct", "best settings"),
    ("E3", "process.csv", "predict yield_pct, purity and viscosity", "one column"),
)
"""Wishes that no learner meets, each with a word that its refusal has to say."""


def _wishes() -> Iterator[Case]:
    for id_, name, intent, word in WISHES:
        before = RIGHTLY if "viscosity" in intent else SILENT
        judge = _wish(name, intent, word)
        yield Case("wishes", f"{id_} {name}: {intent}", before, judge, (REFUSAL,))


def _wish(name: str, intent: str, word: str) -> Callable[[Workshop], str]:
    def judge(shop: Workshop) -> str:
        found = shop.read(name)
        try:
            make_plan([found.path], intent, seconds=BUILD_SECONDS)
        except PlanError as refused:
            return REFUSAL if word in str(refused) else f"{REFUSAL}, unclearly"
        return SILENT

    return judge


def _honesty() -> Iterator[Case]:
    kind = "evaluation"
    yield Case(kind, "E4 matches.csv", SILENT, _groups, (NOTICE,))
    yield Case(kind, "E5 stock.csv", SILENT, _walk, (NOTICE,))
    yield Case(kind, "E6 fraud.csv", SILENT, _rare, (NOTICE,))
    yield Case(kind, "A12 zero_dates.csv", SILENT, _dates_with_gaps)


def _said(learnt: dict[str, Any], *words: str) -> bool:
    warnings = [*learnt["report"]["warnings"], *learnt["plan"]["warnings"]]
    return any(all(word in str(one) for word in words) for one in warnings)


def _groups(shop: Workshop) -> str:
    """Judges pure noise of groups: told, and no better than chance where groups are held out."""
    path = shop.read("matches.csv").path
    told = _said(shop.build(path, "Predict the diagnosis")[0], "same Match", "`split`")
    split = {"by": "group", "column": "Match"}
    honest = shop.build(path, "Predict the diagnosis", split=split)[0]["metrics"]
    chance = abs(honest["balanced_accuracy"] - CHANCE) < NEAR_CHANCE
    return NOTICE if told and chance and not honest["better_than_baseline"] else SILENT


def _walk(shop: Workshop) -> str:
    """Judges a random walk: the last values stand beside the model, which is no better."""
    learnt, _ = shop.build(shop.read("stock.csv").path, "Predict the price")
    naive = learnt["metrics"]["baseline"]
    beside = [round(naive[rule]["rmse"], 1) for rule in ("last_value", "last_known")]
    no_better = learnt["metrics"]["better_than_baseline"] is False
    said = _said(learnt, "not better than giving the value of the row before")
    return NOTICE if beside == STOCK_RMSE and no_better and said else SILENT


def _rare(shop: Workshop) -> str:
    """Judges a rare class: it is said that it is never called, and the metric named mends it."""
    path = shop.read("fraud.csv").path
    said = _said(shop.build(path, "Predict is_fraud")[0], "ever called 1", "`metric` f1")
    mended = shop.build(path, "Predict is_fraud", metric="f1")[0]["metrics"]["recall"] > 0
    return NOTICE if said and mended else SILENT


def _dates_with_gaps(shop: Workshop) -> str:
    """Judges dates of which some are no days: as good a model as with gaps there."""
    metrics = shop.build(shop.read("zero_dates.csv").path, "Predict spend")[0]["metrics"]
    return RIGHTLY if metrics["r2"] > R2_WITH_GAPS else SILENT


def _connections() -> Iterator[Case]:
    kind = "connections"
    yield Case(kind, "d01 numeric of PostgreSQL", SILENT, _numeric)
    yield Case(kind, "d03 BLOB or text of MySQL", SILENT, _blob)
    yield Case(kind, "d05 days of timestamptz", SILENT, _months)
    yield Case(kind, "d08 duplicate names of MySQL", REFUSAL, _duplicates)
    yield Case(kind, "d09 virtual tables of SQLite", REFUSAL, _virtual, (REFUSAL,))


def _numeric(shop: Workshop) -> str:
    setup = (
        "create table n (a numeric(20,2), b numeric(30,10), c numeric);"
        f"insert into n values ({MONEY}, 9234567890.1234567891, {MONEY})"
    )
    kept = shop.bring_in("postgresql", setup, "select * from n")
    given = [Decimal(MONEY), Decimal("9234567890.1234567891"), Decimal(MONEY)]
    told = shop.ask(kept.path, "SELECT a FROM t")
    exact = [*kept.columns.values()] == [[one] for one in given] and str(told[0][0]) == MONEY
    return RIGHTLY if exact else SILENT


def _blob(shop: Workshop) -> str:
    query = "select 1 id, x'deadbeef' as bl union all select 2, cast('deadbeef' as binary)"
    kept = shop.bring_in("mysql", "", query)
    return RIGHTLY if len(set(kept.columns["bl"])) == 2 else SILENT


def _months(shop: Workshop) -> str:
    setup = (
        "create table tz (id int, seen timestamptz); insert into tz values"
        " (1, '2024-03-31 23:30:00-04'), (2, '2024-04-01 00:15:00-04'),"
        " (3, '2024-03-31 12:00:00-04')"
    )
    kept = shop.bring_in("postgresql", setup, "select * from tz order by id")
    moment = datetime(2024, 4, 1, 3, 30, tzinfo=UTC)
    asked = "SELECT month(seen), count(*) FROM t GROUP BY 1 ORDER BY 1"
    right = shop.ask(kept.path, asked, NEW_YORK) == [[3, 2], [4, 1]]
    said = any("UTC" in one for one in kept.notices) and kept.columns["seen"][0] == moment
    return RIGHTLY if right and said else SILENT


def _duplicates(shop: Workshop) -> str:
    setup = "create table a (id int); create table b (id int, a_id int)"
    query = "select a.id, b.id from a join b on b.a_id = a.id"
    names = shop.bring_in("mysql", setup, query).names
    return RIGHTLY if names == ["id", "id_2"] else SILENT


def _virtual(shop: Workshop) -> str:
    import sqlite3

    folder = shop.folder()
    db = sqlite3.connect(folder / "f.db")
    db.executescript("create virtual table fts using fts5(body); insert into fts values ('hello')")
    db.close()
    where = {"type": "sqlite", "database": "f.db", "sqlite_folder": str(folder), "password": None}
    try:
        bring_in(shop.folder(), where, table="fts")
    except JobRefused as refused:
        return REFUSAL if "virtual table" in str(refused) else f"{REFUSAL}, unclearly"
    return SILENT


def _decimal_in_json(shop: Workshop) -> str:
    path = shop.read("pd_index.parquet").path
    told = shop.ask(path, f"SELECT {MONEY}::DECIMAL(20,2)")
    return RIGHTLY if str(told[0][0]) == MONEY else SILENT


def _decomposed(shop: Workshop) -> str:
    spellings = [normalize(form, "café") for form in ("NFC", "NFD")]
    names = [normalize(form, "visits") for form in ("NFC", "NFD")]
    rows = [{"region": one, name: 3} for one, name in zip(spellings, names, strict=True)]
    told = [one["prediction"]["spent"] for one in shop.served.predict(rows)]
    other = shop.served.predict([{"region": "never seen", "visits": 3}])[0]["prediction"]["spent"]
    return RIGHTLY if told[0] == told[1] != other else SILENT


def _row_by_row(shop: Workshop) -> str:
    rows = [{"region": "café", "visits": 3}, {"region": "café", "visits": "many"}] * 2
    items, _, told = answer_many(shop.served, rows, frozenset({Include.ROW_ERRORS}), "r")
    answered = [one["prediction"] is not None for one in items]
    return RIGHTLY if answered == [True, False] * 2 and len(told) == 2 else SILENT


def _stable_address(shop: Workshop) -> str:
    """Judges whether one address of a server answers with a new version at once, and back."""
    row, where = {"region": "café", "visits": 3}, "/models/spending/endpoints/production"
    with running(build_seconds="4") as server, server.client as client:
        uploaded, _ = upload(client, shop.spending())
        build(client, "spending", "Predict spent", uploaded)
        client.post("/models/spending/retrain", json={"max_iterations": 1}).raise_for_status()
        while client.get("/models/spending/v1.1/status").json()["status"] != "READY":
            time.sleep(0.1)

        def answering() -> str:
            told = client.post("/models/spending/infer", json=row).raise_for_status().json()
            return str(told["model_version"])

        found = [answering()]
        for verb, path, body in (
            ("PATCH", where, {"model_version": "v1.1"}),
            ("POST", f"{where}/rollback", None),
        ):
            client.request(verb, path, json=body).raise_for_status()
            found.append(answering())
    return RIGHTLY if found == ["v1.0", "v1.1", "v1.0"] else SILENT


def main() -> int:
    """Runs every case, or those of some kinds; prints the tables."""
    chosen = arguments.told(__doc__, words="KIND")
    if not DATA.exists():
        print(f"skipped: the cases are kept beside the project, in {DATA.resolve()}")
        return 0
    with ExitStack() as stack:
        shop = Workshop(stack)
        asked = [case for case in cases() if not chosen or case.kind in chosen]
        found = [(case, case.judge(shop)) for case in asked]
    _print_kinds(found)
    print("\n| kind | case | before | after |\n|---|---|---|---|")
    for case, verdict in found:
        print(f"| {case.kind} | {case.name} | {case.before} | {verdict} |")
    wrong = [case.name for case, verdict in found if verdict not in case.wanted]
    print(
        f"\n{len(found)} cases, {len(wrong)} not as they have to be: {', '.join(wrong) or 'none'}"
    )
    return 1 if wrong else 0


def _print_kinds(found: list[tuple[Case, str]]) -> None:
    listed = " | ".join(f"{when}: {one}" for when in ("before", "after") for one in VERDICTS)
    print(f"| kind | {listed} |\n|---|{'---|' * 2 * len(VERDICTS)}")
    for kind in [*dict.fromkeys(case.kind for case, _ in found), "all"]:
        some = [(case.before, verdict) for case, verdict in found if kind in {case.kind, "all"}]
        before, after = (Counter(one.partition(",")[0] for one in each) for each in zip(*some))  # noqa: B905
        counts = [*(before[one] for one in VERDICTS), *(after[one] for one in VERDICTS)]
        print(f"| {kind} | {' | '.join(map(str, counts))} |")


if __name__ == "__main__":
    sys.exit(main())

"""The cases of `../shared/cases/asking` and of their kinds: `python -m benchmarks.asking.cases`.

--shared FOLDER   where the cases are, if not beside the project
--misses          prints SQL and words of what is not answered rightly

A real server is asked over HTTP: files are uploaded, a session is opened, questions, follow-ups
and choices are asked, answers are verified. Each case is asked as it is, then three questions of
its kind over other tables (`own/kinds.toml`). What it is about is told by `shows` in its file. The
other cases there, of connections, SQL and serving, are asked by `python -m benchmarks.cases`.
"""

import argparse
import json
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
from tests.unit.queries.test_language_model import Peer, handler

from benchmarks import server
from benchmarks.asking import sets
from benchmarks.asking.over_api import REFUSED, RIGHT, Asking, Upload
from benchmarks.asking.own.__main__ import read
from benchmarks.asking.own.kinds import TABLES
from benchmarks.report import table

SHARED = sets.SPIDER.parents[2] / "cases" / "asking"
NOT_TOLD = "right, but not told"
SILENT = "silently wrong"


@dataclass(frozen=True)
class Wanted:
    """What is right of a case."""

    sql: tuple[str, ...] = ()
    """Each gives a right answer."""
    then: str = ""
    """What is said after the question; the answer is that of both."""
    first: tuple[str, ...] = ()
    """Each gives a right answer to the question before that."""
    refusal: bool = False
    """Whether a refusal is right as well."""
    said: str = ""
    """What the answer must be told with."""

    @classmethod
    def of(cls, one: Mapping[str, Any]) -> "Wanted":
        """Reads what is right of a question of `own/kinds.toml`."""
        return cls(
            tuple(one["right"]),
            one.get("then", ""),
            tuple(one.get("first", ())),
            refusal=one.get("may_refuse", False),
            said=one.get("said", ""),
        )


WANTED = {
    "a01_cities_no_sales": Wanted(
        ("select city from stores where store_id not in (select store_id from sales)",)
    ),
    "a04_fanout_pen": Wanted(("select 10000",)),
    "a06_shipped_to": Wanted(
        (
            "select * from orders where order_id < 3",
            "select order_id from orders where order_id < 3",
        )
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
        first=("select region, sum(amount) from sales join stores using (store_id) group by 1",),
    ),
}


@dataclass(frozen=True)
class Judged:
    """What became of a case."""

    case: str
    question: str
    verdict: str
    shown: str = ""


def question_cases(client: httpx.Client, upload: Upload, folder: Path) -> Iterator[Judged]:
    """Asks the cases that are questions, each over its own files."""
    for name, wanted in WANTED.items():
        case = json.loads((folder / f"{name}.json").read_text("utf-8"))
        asking = Asking.of_files(client, upload, case["files"])
        asked = str(case["ask"]).partition("; then: ")[0]
        yield Judged(name, case["ask"], *judged(asking, asked, wanted))


def kinds(client: httpx.Client, upload: Upload) -> Iterator[Judged]:
    """Asks the questions of our own that are of the same kinds."""
    for one in read("kinds")["asked"]:
        wanted = Wanted.of(one)
        asking = Asking.of_files(client, upload, TABLES[one["tables"]])
        told = "; then: ".join(filter(None, (one["asked"], wanted.then)))
        yield Judged(f"{one['kind']} {one['tables']}", told, *judged(asking, one["asked"], wanted))


def judged(asking: Asking, asked: str, wanted: Wanted) -> tuple[str, str]:
    """Asks a question, and what is said after it; tells the verdict and what was shown."""
    said = asking.ask(asked)
    if wanted.then:
        said = asking.go_on(said, wanted.then, wanted.first)
    verdict = asking.verdict(said, wanted.sql, may_refuse=wanted.refusal)
    if verdict == RIGHT and wanted.said and wanted.said not in said.told:
        verdict = NOT_TOLD
    return verdict, said.sql or said.told


def sessions(client: httpx.Client, upload: Upload) -> Iterator[Judged]:
    """Asks what is about sessions: tables of several datasets, and a version that came later."""
    people, bills = TABLES["clinics"]["clinics.csv"], TABLES["clinics"]["visits.csv"]
    upload({"clinics.csv": people}, "clinics of d06")
    upload({"visits.csv": bills}, "visits of d06")
    asking = Asking.opened(client, {"dataset_ids": ["clinics of d06", "visits of d06"]})
    right = "select town, sum(fee) from visits join clinics using (clinic_id) group by 1"
    said = asking.ask("total fee by town")
    yield Judged("d06 two datasets", said.asked, asking.verdict(said, [right]), said.sql)
    asking = Asking.of_files(client, upload, {"visits.csv": bills}, "visits of d07")
    upload({"visits.csv": f"{bills}601,1,3,2024-12-01\n"}, "visits of d07")
    said = asking.ask("how many visits are there?")
    verdict = asking.verdict(said, ["select count(*) from visits"])
    is_told = "there is v1.1 now" in said.told
    yield Judged("d07 a newer version", said.asked, verdict if is_told else SILENT, said.told)


def teaching(client: httpx.Client, upload: Upload) -> Iterator[Judged]:
    """Verifies SQL that was corrected, and asks the same words again."""
    right = "SELECT town FROM clinics WHERE clinic_id NOT IN (SELECT clinic_id FROM visits)"
    asking = Asking.of_files(client, upload, TABLES["clinics"], "clinics of a27")
    first = asking.ask("which towns are idle?")
    answer = asking.verify(first, sql=right)
    again = asking.ask("Which towns are idle")
    is_kept = answer.status_code == httpx.codes.OK and again.body.get("verified") is True
    verdict = asking.verdict(again, [right]) if is_kept else SILENT
    yield Judged("a27 corrected SQL", first.asked, verdict, again.sql)


@contextmanager
def endpoint() -> Iterator[Peer]:
    """Runs a server that speaks the protocol of language models and says what it is told to."""
    peer = Peer()
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler(peer))
    http.daemon_threads = True
    peer.address = f"http://127.0.0.1:{http.server_port}/v1"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield peer
    finally:
        peer.hold.set()
        http.shutdown()
        http.server_close()
        thread.join()


def models(client: httpx.Client, upload: Upload, peer: Peer) -> Iterator[Judged]:
    """Asks a server with a language model that declines, fails, is asked a fragment, is told."""
    files = TABLES["repairs"]
    asked = "how many repairs were done in 2023?"
    sql = "SELECT count(*) FROM repairs WHERE year(repair_date) = 2023"
    told = {"sql": sql, "interpretation": "The repairs of 2023.", "chart": None}

    def open_() -> Asking:
        peer.replies, peer.asked, peer.statuses = [], [], []
        return Asking.of_files(client, upload, files)

    asking = open_()
    peer.replies = [{"sql": None, "interpretation": "No column tells what was repaired."}]
    said = asking.ask(asked)
    is_kept = said.status != httpx.codes.OK and "what was repaired" in said.told
    yield Judged("l01 a model declines", asked, REFUSED if is_kept else SILENT, said.told)
    asking = open_()
    peer.statuses, peer.replies = [429], [told]
    said = asking.ask(asked)
    again = asking.verdict(said, [sql]) == RIGHT and len(peer.asked) > 1
    asking = open_()
    peer.statuses = [500] * 20
    failed = asking.ask(asked)
    is_told = "500" in failed.told
    verdict = RIGHT if again and is_told else SILENT
    yield Judged("l03 a model fails", asked, verdict, failed.told)
    asking = open_()
    peer.replies = [told]
    first = asking.ask(asked)
    peer.replies, peer.asked = [told], []
    asking.ask("And in 2022?", follows=first.query_id)
    sent = _sent(peer)
    alone = asking.ask("And in 2022?")
    is_whole = "in 2022" in sent and "repairs" in sent and alone.status != httpx.codes.OK
    yield Judged("l04 a follow-up", "And in 2022?", RIGHT if is_whole else SILENT, alone.told)
    asking = open_()
    peer.replies = [told]
    asking.ask("how many repairs in Lund?")
    sent = _sent(peer)
    missing = [
        one
        for one in ("DATE", "rows", "fitter_id", "fitters", "BIGINT")
        if one.lower() not in sent.lower()
    ]
    yield Judged("l06 the prompt", "how many repairs in Lund?", RIGHT if not missing else SILENT,
                 f"not told: {missing}")  # fmt: skip


def _sent(peer: Peer) -> str:
    """Returns all that a model was sent last."""
    return json.dumps(peer.asked[-1].get("messages")) if peer.asked else ""


def uploads(client: httpx.Client, folder: Path) -> Upload:
    """Makes what takes files through the upload of a server."""

    def take(files: Mapping[str, str], name: str | None) -> str:
        paths = [folder / one for one in files]
        for path, text in zip(paths, files.values(), strict=True):
            path.write_text(text, "utf-8")
        return server.upload_all(client, paths, name)[0]

    return take


def ask_all(shared: Path) -> list[Judged]:
    """Asks every case of two servers, one of which has a language model."""
    found: list[Judged] = []
    with tempfile.TemporaryDirectory() as folder, server.running() as one, one.client as client:
        take = uploads(client, Path(folder))
        found += [*sessions(client, take), *teaching(client, take)]
        found += question_cases(client, take, shared) if shared.exists() else ()
        found += kinds(client, take)
    with (
        tempfile.TemporaryDirectory() as folder,
        endpoint() as peer,
        server.running(
            language_model_url=peer.address, language_model="some-model", language_model_key="k"
        ) as one,
        one.client as client,
    ):
        found += models(client, uploads(client, Path(folder)), peer)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="The shared cases of questions, and their kinds.")
    parser.add_argument("--shared", type=Path, default=SHARED, metavar="FOLDER")
    parser.add_argument("--misses", action="store_true")
    given = parser.parse_args()
    found = ask_all(given.shared)
    print(table([{"case": o.case, "question": o.question, "verdict": o.verdict} for o in found]))
    for one in found if given.misses else ():
        if one.verdict != RIGHT:
            print(f"  {one.verdict:14} {one.case} | {one.question} -> {one.shown}")
    silent = {"wrong", SILENT, NOT_TOLD}
    return int(any(one.verdict in silent for one in found))


if __name__ == "__main__":
    sys.exit(main())

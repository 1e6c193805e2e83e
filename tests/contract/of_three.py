"""The contract's tests over three machines behind one address: `MODELWRIGHT_TEST_MACHINES=3`.

These fixtures stand in place of those that serve an application in the test's own process. Every
test begins with an empty database, and what cannot run from outside is left out with its reason.
"""

import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from redis import Redis
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from tests.contract.walking import told_of
from tests.contract.world import World, make_shop, tour
from tests.e2e.cluster import Cluster, running, until
from tests.unit.users import identity

from modelwright.bootstrap.container import Container
from modelwright.bootstrap.startup import open_container
from modelwright.core.clock import SystemClock
from modelwright.core.db.database import ALL_ACCOUNTS, Base
from modelwright.machines.domain import MachineIdentity, MachinePart
from modelwright.machines.identity import machine_id
from modelwright.machines.membership import CHECK_SECONDS
from modelwright.machines.service import Machines
from modelwright.server.app import create_app

WORKING_SECONDS = 90.0
ANSWER_SECONDS = 60.0
BEAT_SECONDS = 2.0
NOTICED_SECONDS = 2 * CHECK_SECONDS + 1.0
"""After which a machine has seen that it is drained, and has begun its last job."""
EMPTYING_TRIES = 20
"""The machines' own transactions and the emptying may wait for each other."""
OF_THE_MACHINES = {"machines", "leader_leases", "objects_marks", "signing_keys"}
"""Tables of what the machines are; the others hold what accounts have."""
ROOM = MachineIdentity("machine_room", "room", "127.0.0.1:1", "0.1.0", 32)
"""Says that it has room for replicas and begins none, as none begin in the test's own process."""
FROM_INSIDE = {
    "clock": "turns a clock that machines do not share",
    "monkeypatch": "changes the process that answers",
    "waits": "looks into the process that answers",
    "called": "runs a server of its own",
    "two": "runs machines of its own",
}
"""Why a test that asks for a fixture cannot run from outside."""
ELSEWHERE = {
    "test_addresses.py": "asks by names of hosts that lead nowhere",
    "test_hosts.py": "asks by names of hosts that lead nowhere",
    "test_authentication.py::TestLock": "comes from addresses that this machine does not have",
    "test_authentication.py::TestAdmitted::test_in_either_header[spaces": "no client sends it",
    "test_authentication.py::TestRefused::test_without_a_key": "no client sends it",
    "test_predictions_take_sixty_four": "no client sends less than it says",
    "TestTwoLinesOfOneHeader::test_are_refused_where_they_differ[Auth": "the proxy refuses it",
    "TestTwoLinesOfOneHeader::test_are_read_where_they_are_alike[Auth": "the proxy refuses it",
    "test_an_odd_id_is_404[%00": "the proxy refuses it",
    "test_an_odd_id_is_404[odd4": "the proxy refuses it",
    "test_odd_headers_are_answered": "no client sends it",
    "test_answers_as_get_without_the_body": "has no sign-in provider, to which machines lead",
    "test_odd_values_of_every_query": "has no sign-in provider, to which machines lead",
    "TestAudit::test_tells_who": "its account is made by the command line, which the log tells",
    "TestEnterprise::test_has_the_rate": "has settings of its own",
}
"""Tests, by a part of their name, that cannot run from outside for a reason of their own."""
OWN_FILES = ("test_idempotency.py", "test_links.py", "test_states.py")
"""Their settings name files of SQLite alone, which the machines have as well."""
ANY_TIME = "test_is_carried_out_once_and_answered_alike"
"""Asks for a clock only to let time pass, which it does by itself."""


class OwnTime(SystemClock):
    """The time of day, which nobody turns."""

    def advance(self, **_: float) -> None:
        """Lets a moment pass."""
        time.sleep(0.01)


class WorldOfThree(World):
    """The tour, over HTTP; the work is the machines' own."""

    origins = ("http://127.0.0.1:",)
    """The one address and the bucket's."""
    caller = "127.0.0.1"

    def __init__(self, container: Container, cluster: Cluster) -> None:
        self._app = create_app(container)
        super().__init__(container, cluster)

    def work(self) -> None:
        end = time.monotonic() + WORKING_SECONDS
        while any(self._open(status) for status in ("PENDING", "RUNNING")):
            assert time.monotonic() < end
            time.sleep(0.1)

    def _open(self, status: str) -> int:
        answer = self.api.get("/jobs", params={"status": status, "limit": 1})
        return int(answer.json()["pagination"]["total"])

    def host(self) -> Any:
        return SimpleNamespace(turn=lambda: time.sleep(0.1), close=lambda: None)

    def _paths(self) -> dict[str, Any]:
        document = httpx.get(f"{self._running.url}/openapi.json", timeout=ANSWER_SECONDS).json()
        return dict(document["paths"])

    def _client(self, key: str = "") -> Any:
        return Outside(self._running.url, self._app, key)


class Outside(httpx.Client):
    """A client of the one address, with the routes and the document that tests look up."""

    def __init__(self, url: str, app: Any, key: str = "") -> None:
        headers = {"x-api-key": key} if key else None
        super().__init__(base_url=url, headers=headers, timeout=ANSWER_SECONDS)
        self.app = SimpleNamespace(routes=app.routes, openapi_schema=told_of(app))


@contextmanager
def cluster_with_files(folder: Path) -> Iterator[Cluster]:
    """Runs three machines that know a sign-in provider and may read files of SQLite."""
    make_shop(folder / "files")
    shutil.copy(folder / "files" / "shop.db", folder / "files" / "shop.sqlite")
    with identity.running(SystemClock()) as idp:
        told = identity.told_of_provider(idp) | {"oidc_client_secret": idp.secret}
        with running(folder, sqlite_folder=folder / "files", **told) as cluster:
            yield cluster


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The machines of all tests."""
    with cluster_with_files(tmp_path_factory.mktemp("three")) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def beside(cluster: Cluster) -> Iterator[Container]:
    """The database and the bucket of the machines, as one of them opens them."""
    container = open_container(cluster.servers[0].settings)
    with closing(container.database):
        yield container


@pytest.fixture(scope="session")
def world(cluster: Cluster, beside: Container) -> World:
    """What every operation answered."""
    world = WorldOfThree(beside, cluster)
    tour(world)
    return world


@pytest.fixture(scope="session")
def drained(cluster: Cluster, beside: Container) -> None:
    """From here on jobs wait for the test to carry them out; the machines only answer."""
    with beside.database.transaction(ALL_ACCOUNTS) as db:
        for server in cluster.servers:
            beside.service(Machines).drain(db, machine_id(server.data), is_draining=True)
    time.sleep(NOTICED_SECONDS)


@pytest.fixture
def container(cluster: Cluster, beside: Container, drained: None) -> Iterator[Container]:
    """The machines' container over a database without accounts."""
    empty(cluster, beside)
    over = threading.Event()
    beating = threading.Thread(target=keep_room, args=(beside, over), daemon=True)
    beating.start()
    until(lambda: has_room(beside), within=ANSWER_SECONDS)
    yield beside
    over.set()
    beating.join()


def keep_room(beside: Container, over: threading.Event) -> None:
    """Has a machine say that it has room, as long as a test takes."""
    machines = Machines(SystemClock(), ROOM)
    while True:
        with beside.database.transaction(ALL_ACCOUNTS) as db:
            machines.beat(db, MachinePart.REPLICAS)
        if over.wait(BEAT_SECONDS):
            return


def has_room(beside: Container) -> bool:
    """Whether that machine has said so."""
    with beside.database.transaction(ALL_ACCOUNTS, write=False) as db:
        hosts = beside.service(Machines).hosts(db)
    return ROOM.machine_id in {one.machine_id for one in hosts}


def empty(cluster: Cluster, beside: Container) -> None:
    """Takes away what accounts have, and what was counted of them."""
    names = {table.name for table in Base.metadata.sorted_tables} - OF_THE_MACHINES
    ours = ", ".join(f"'{machine_id(one.data)}'" for one in cluster.servers)
    for tries in range(EMPTYING_TRIES):
        try:
            with beside.database.engine.begin() as connection:
                connection.execute(text(f"truncate {', '.join(sorted(names))} cascade"))
                connection.execute(text(f"delete from machines where machine_id not in ({ours})"))
            break
        except OperationalError:
            if tries == EMPTYING_TRIES - 1:
                raise
    address = cluster.servers[0].settings.redis_url.get_secret_value()
    with Redis.from_url(address) as counters:
        counters.flushall()


@pytest.fixture
def clock() -> OwnTime:
    """The clock of the machines."""
    return OwnTime()


@pytest.fixture(scope="session")
def routes(beside: Container) -> Any:
    """An application of which the routes are read and nothing is asked."""
    return create_app(beside)


@pytest.fixture
def anonymous_client(cluster: Cluster, container: Container, routes: Any) -> Iterator[Outside]:
    """A client of the one address without a key."""
    with Outside(cluster.url, routes) as client:
        yield client


@pytest.fixture
def as_key(cluster: Cluster, anonymous_client: Outside, routes: Any) -> Iterator[Any]:
    """Makes clients of the one address that send a key."""
    with ExitStack() as stack:
        yield lambda secret: stack.enter_context(Outside(cluster.url, routes, secret))


@pytest.fixture(autouse=True)
def _runs_from_outside(request: pytest.FixtureRequest) -> None:
    """Leaves out what cannot run over three machines, and says why."""
    if why := inside(request.node):
        pytest.skip(why)


def inside(item: pytest.Item) -> str:
    """Tells why a test cannot run from outside; nothing where it can."""
    for part, why in ELSEWHERE.items():
        if part in item.nodeid:
            return why
    known = item._fixtureinfo  # type: ignore[attr-defined]
    for name, why in FROM_INSIDE.items():
        if name in known.names_closure and not (name == "clock" and ANY_TIME in item.nodeid):
            return why
    own = [one.baseid for one in known.name2fixturedefs.get("settings", ())]
    if any(".py" in one and not one.endswith(OWN_FILES) for one in own):
        return "has settings of its own"
    return ""


def put_in_order(items: list[pytest.Item]) -> None:
    """Puts those that look at the tour first: after them the machines are emptied."""
    items.sort(key=lambda item: "world" not in item._fixtureinfo.names_closure)  # type: ignore[attr-defined]


FIXTURES = (
    "_runs_from_outside",
    "anonymous_client",
    "as_key",
    "beside",
    "clock",
    "cluster",
    "container",
    "drained",
    "routes",
    "world",
)
"""What stands in place of the fixtures of the same names, or behind those."""

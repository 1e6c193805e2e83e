"""Faults that people met in the console, each walked in a real browser."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.e2e.server import Server
from tests.e2e.test_console import CONSOLE, EMAIL, PASSWORD, find_browser, node
from tests.e2e.test_console import walk as walk_script

from modelwright_client.demo.table import PENGUINS

Walk = Callable[..., None]
ORDERS = """order_id,customer_id,agent,quantity,unit_price
1,10,11,2,10.5
2,11,11,1,20.0
3,10,12,5,10.5
4,12,11,4,5.5
5,12,12,3,1.5
6,11,12,2,2.5
"""
CUSTOMERS = "customer_id,name\n10,Ann\n11,Bob\n12,Cy\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the penguins uploaded; builds take four seconds."""
    find_browser()
    server = Server(tmp_path_factory.mktemp("console"), build_seconds=4).start()
    with server.client() as client:
        client.uploads.send(PENGUINS)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[str]:
    """The address of one browser for all walks, each of which has a profile of its own."""
    words = [str(node()), "e2e/browser-server.mjs", str(find_browser())]
    with subprocess.Popen(
        words, cwd=CONSOLE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        yield running.stdout.readline().strip()
        running.communicate()  # ends its input


@pytest.fixture
def walk(server: Server, browser: str) -> Walk:
    """Walks one of the console's scripts; fails with what it says."""

    def run(script: str, *more: object) -> None:
        words = (server.url, server.key, find_browser(), *more)
        walk_script(script, *words, E2E_BROWSER=browser)

    return run


@pytest.mark.timeout(180)
class TestPlan:
    def test_is_of_the_sentence_that_is_there_and_so_is_the_build(self, walk: Walk) -> None:
        walk("stale-plan")


@pytest.mark.timeout(180)
class TestUpload:
    def test_has_a_result_for_each_file_and_goes_on_where_it_broke_off(self, walk: Walk) -> None:
        walk("many-files")

    def test_of_a_large_file_goes_on_at_its_byte_also_after_a_reload(self, walk: Walk) -> None:
        walk("large-file")

    def test_of_a_large_file_is_proved_by_its_digest(self, walk: Walk) -> None:
        walk("digest")

    def test_shows_how_it_was_read_and_lets_one_put_it_right(self, walk: Walk) -> None:
        walk("read-again")


@pytest.mark.timeout(180)
class TestTrash:
    def test_gives_back_what_was_deleted_or_removes_it_for_good(self, walk: Walk) -> None:
        walk("trash")


@pytest.mark.timeout(180)
class TestPlayground:
    def test_says_what_training_had_and_follows_what_is_typed(self, walk: Walk) -> None:
        walk("playground")


@pytest.mark.timeout(180)
class TestMetrics:
    def test_stand_below_what_is_to_be_warned_of(self, walk: Walk) -> None:
        walk("model-warnings")


@pytest.mark.timeout(180)
class TestDeployed:
    def test_is_said_of_the_version_that_is_and_of_no_other(self, walk: Walk) -> None:
        walk("deployed")


@pytest.mark.timeout(180)
class TestConversation:
    def test_goes_from_a_question_over_a_follow_up_to_a_verified_answer(self, walk: Walk) -> None:
        walk("conversation")


@pytest.mark.timeout(180)
class TestTogether:
    def test_two_datasets_are_asked_in_one_session(
        self, walk: Walk, server: Server, tmp_path: Path
    ) -> None:
        uploads = []
        for name, text in (("orders", ORDERS), ("customers", CUSTOMERS)):
            path = tmp_path / f"{name}.csv"
            path.write_text(text, "utf-8")
            with server.client() as client:
                uploads.append(client.uploads.send([path], name=f"together-{name}")["upload_id"])
        walk("together", *uploads)


@pytest.mark.timeout(180)
class TestChoices:
    def test_one_is_taken_gone_on_from_and_verified(self, walk: Walk) -> None:
        walk("choices", PENGUINS)


@pytest.mark.timeout(180)
class TestCatalog:
    def test_metrics_and_keys_are_rejected_said_anew_and_restored(
        self, walk: Walk, server: Server, tmp_path: Path
    ) -> None:
        files = [tmp_path / "orders.csv", tmp_path / "customers.csv"]
        for path, text in zip(files, (ORDERS, CUSTOMERS), strict=True):
            path.write_text(text, "utf-8")
        with server.client() as client:
            upload = client.uploads.send(files, name="corrected-shop")
        walk("catalog", upload["upload_id"])


@pytest.mark.timeout(180)
class TestBuildOptions:
    def test_are_fixed_on_the_page_and_kept_by_the_build(self, walk: Walk) -> None:
        walk("build-options", PENGUINS)


@pytest.mark.timeout(180)
class TestSecondFactor:
    def test_is_turned_on_asked_for_beside_the_password_and_turned_off(
        self, walk: Walk, server: Server
    ) -> None:
        server.command("users", "set-password", EMAIL, told=f"{PASSWORD}\n")
        walk("second-factor", EMAIL, PASSWORD)


@pytest.mark.timeout(180)
class TestInService:
    def test_a_version_is_promoted_and_rolled_back_on_the_model_s_page(self, walk: Walk) -> None:
        walk("in-service")

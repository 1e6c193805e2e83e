"""What is tried again, how long it is waited for, and what is not."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.unit.client.scripted import Answer, Scripted, client_of

from modelwright_client import Client, Retry
from modelwright_client.errors import RateLimitedError, UnavailableError, UnreachableError

USER = Answer({"user_id": "user_1"})
FAST = Retry(sleep=lambda _: None)


@contextmanager
def breaking(times: int) -> Iterator[tuple[str, list[bytes]]]:
    """Listens; hangs up without an answer `times` times, then answers {} once."""
    heard: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        for number in range(times + 1):
            connection, _ = listener.accept()
            with connection:
                heard.append(connection.recv(65536))
                if number == times:
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}", heard
    listener.close()
    thread.join(5)


class TestRateLimit:
    def test_waits_as_long_as_the_server_asks_and_tries_again(self):
        pauses: list[float] = []
        app = Scripted(Answer.refusal(429, Retry_After="7"), USER)
        with client_of(app, pauses) as client:
            assert client.users.me()["user_id"] == "user_1"
        assert pauses == [7.0]

    @pytest.mark.parametrize(("asked", "told"), [("60", True), ("5", True), ("1", False)])
    def test_a_long_wait_is_told_with_its_reason(
        self, caplog: pytest.LogCaptureFixture, asked: str, told: bool
    ):
        app = Scripted(Answer.refusal(429, Retry_After=asked), USER)
        with client_of(app) as client:
            client.users.me()
        said = [f"Trying again in {asked} seconds." in one.message for one in caplog.records]
        assert (said == [True]) is told

    def test_a_wait_above_the_longest_is_the_callers_to_make(self):
        app = Scripted(Answer.refusal(429, "rate_limited", Retry_After="900"))
        with client_of(app) as client, pytest.raises(RateLimitedError) as caught:
            client.users.me()
        assert caught.value.retry_after == 900
        assert len(app.asked) == 1

    def test_a_query_is_repeated_too_because_it_never_ran(self):
        app = Scripted(Answer.refusal(429, Retry_After="1"), Answer({"query_id": "qry_1"}))
        with client_of(app) as client:
            assert client.queries.ask("how many?")["query_id"] == "qry_1"


class TestBusy:
    def test_reading_is_repeated_after_ever_longer_pauses(self):
        pauses: list[float] = []
        app = Scripted(Answer.refusal(503), Answer.refusal(503), USER)
        with client_of(app, pauses) as client:
            client.users.me()
        assert 0.25 <= pauses[0] <= 0.5 <= pauses[1] <= 1

    def test_gives_up_after_three_tries(self):
        app = Scripted(Answer.refusal(503, "service_unavailable"))
        with client_of(app) as client, pytest.raises(UnavailableError):
            client.users.me()
        assert len(app.asked) == 3

    def test_creating_is_repeated_with_the_same_idempotency_key(self):
        app = Scripted(Answer.refusal(503), Answer({"job_id": "job_1"}))
        with client_of(app) as client:
            client.models.create("m", intent="Predict x", dataset_id="upload_1")
            client.models.create("m", intent="Predict x", dataset_id="upload_1")
        first, again, other = (asked.headers["idempotency-key"] for asked in app.asked)
        assert first == again != other

    def test_a_prediction_is_repeated_without_a_key(self):
        app = Scripted(Answer.refusal(503), Answer({"result": {}}))
        with client_of(app) as client:
            client.predictions.infer("m", "v1.0", {"a": 1})
        assert ["idempotency-key" in asked.headers for asked in app.asked] == [False, False]

    def test_a_query_that_ran_out_of_time_is_not_run_again(self):
        app = Scripted(Answer.refusal(503))
        with client_of(app) as client, pytest.raises(UnavailableError):
            client.queries.sql("select 1")
        assert len(app.asked) == 1


class TestBrokenConnection:
    def test_reading_is_repeated(self):
        with breaking(2) as (url, heard), Client(url, "mw_key", retry=FAST) as client:
            client.users.me()
            assert len(heard) == 3

    def test_creating_is_repeated_with_the_same_idempotency_key(self):
        with breaking(1) as (url, heard), Client(url, "mw_key", retry=FAST) as client:
            client.sessions.create("upload_1")
        keys = {line for sent in heard for line in sent.split(b"\r\n") if b"Idempotency" in line}
        assert len(heard) == 2
        assert len(keys) == 1

    def test_a_query_is_not_repeated_because_it_may_have_run(self):
        with breaking(1) as (url, heard), Client(url, "mw_key", retry=FAST) as client:
            with pytest.raises(UnreachableError):
                client.queries.ask("how many?")
            client.health()
        assert [sent.split()[0] for sent in heard] == [b"POST", b"GET"]

    def test_nobody_listening_is_said_with_the_address(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        with (
            Client(f"http://127.0.0.1:{port}", retry=FAST) as client,
            pytest.raises(UnreachableError, match=rf"127\.0\.0\.1:{port}/data/health"),
        ):
            client.health()

    def test_an_address_without_a_scheme_is_refused_at_once(self):
        pauses: list[float] = []
        with (
            Client("nowhere", retry=Retry(sleep=pauses.append)) as client,
            pytest.raises(UnreachableError, match=r"or 'https://' protocol\.$"),
        ):
            client.health()
        assert pauses == []

"""A real model in a process of its own: grammar, time, cancel, kept prefixes, memory, crashes."""

import os
import signal
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Event, Thread, Timer

import pytest
from tests.unit.engines.language.llm.made import CATALOG, ITEMS, ORDERS, asked, store, trying, view
from tests.unit.language_models.conftest import loaded

from modelwright.engines.language.llm.completion import (
    CompletionFailed,
    CompletionRequest,
    Constraint,
    Turn,
)
from modelwright.engines.language.llm.grammar import grammar_of
from modelwright.engines.language.llm.reader import ModelReader
from modelwright.engines.language.readers import Candidate, Cannot, Failed
from modelwright.language_models.domain import (
    LONGEST_SOCKET_CHARS,
    SAMPLES,
    ModelFile,
    Place,
    place_of,
)
from modelwright.language_models.local import LocalModel

pytestmark = pytest.mark.timeout(240)
Started = Callable[..., tuple[LocalModel, BaseProcess]]
SYSTEM = Turn("system", "You answer questions about tables of orders and of their items. " * 8)
LONG = [SYSTEM, Turn("user", "Count from one to ten thousand in words.")]
SECONDS = 120.0
A_OR_B = Constraint(grammar='root ::= "SELECT a" | "SELECT b"')


def ask(text: str) -> list[Turn]:
    return [SYSTEM, Turn("user", text)]


class TestComplete:
    def test_writes_only_what_the_grammar_allows(self, model: LocalModel):
        found = model.complete(CompletionRequest(ask("Say hello!"), A_OR_B, SECONDS))
        assert found.text in {"SELECT a", "SELECT b"}

    def test_tells_tokens_with_their_log_probabilities(self, model: LocalModel):
        found = model.complete(CompletionRequest(ask("Say hello!"), A_OR_B, SECONDS))
        assert "".join(one.text for one in found.tokens) == found.text
        assert all(one.logprob <= 0 for one in found.tokens)
        assert found.completion_tokens >= len(found.text.split())
        assert found.milliseconds > 0

    def test_answers_the_same_each_time(self, model: LocalModel):
        first, second = (
            model.complete(CompletionRequest(ask("Say hi!"), A_OR_B, SECONDS)) for _ in range(2)
        )
        assert first.tokens == second.tokens

    @pytest.mark.parametrize(
        "question", ["how many orders are there?", "sum of prices by customer"]
    )
    def test_names_of_a_schema_are_the_only_ones(self, model: LocalModel, question: str):
        reader = ModelReader(model)
        (found,) = reader.read(asked(question, deadline=time.monotonic() + SECONDS))
        if isinstance(found, Candidate):
            assert "Line Items" in found.sql or "table0" in found.sql or "FROM" not in found.sql
        assert isinstance(found, Candidate | Cannot | Failed)

    def test_a_wrong_grammar_fails(self, model: LocalModel):
        with pytest.raises(CompletionFailed, match="400"):
            model.complete(
                CompletionRequest(ask("Hi"), Constraint(grammar="root ::= nonsense ("), SECONDS)
            )

    def test_a_conversation_that_is_too_long_fails(self, model: LocalModel):
        with pytest.raises(CompletionFailed, match="context"):
            model.complete(CompletionRequest(ask("word " * 9000), A_OR_B, SECONDS))


class TestSample:
    def test_is_drawn_several_times_and_alike_each_time(self, model: LocalModel):
        turns = ask("Say one of many words!")
        grammar = Constraint(grammar='root ::= "SELECT " [a-z]{1,12}')
        model.complete(CompletionRequest(turns, grammar, SECONDS, owner="upl_drawn"))
        first = model.sample(CompletionRequest(turns, grammar, SECONDS, owner="upl_drawn"))
        model.complete(CompletionRequest(ask("Something else"), A_OR_B, SECONDS))
        second = model.sample(CompletionRequest(turns, grammar, SECONDS, owner="upl_drawn"))
        model.complete(CompletionRequest(ask("Something else"), A_OR_B, SECONDS))
        model.complete(CompletionRequest(turns, grammar, SECONDS, owner="upl_drawn"))
        third = model.sample(CompletionRequest(turns, grammar, SECONDS, owner="upl_drawn"))
        assert len({one.text for one in first}) > 1
        told = [[one.text for one in drawn] for drawn in (first, second, third)]
        assert told[0] == told[1] == told[2]
        assert len(first) == SAMPLES
        assert all(one.text.startswith("SELECT ") and one.tokens for one in first)

    def test_is_given_up_in_time(self, model: LocalModel):
        started = time.monotonic()
        with pytest.raises(CompletionFailed, match="too long"):
            model.sample(CompletionRequest(LONG, Constraint(), 0.5))
        assert time.monotonic() - started < 60
        assert model.complete(CompletionRequest(ask("Hi"), A_OR_B, SECONDS)).text in {
            "SELECT a",
            "SELECT b",
        }


class TestGrammar:
    def test_is_taken_by_llama_cpp(self, model: LocalModel):
        found = model.complete(
            CompletionRequest(ask("How many?"), Constraint(grammar_of(view())), SECONDS)
        )
        assert found.text.startswith(("SELECT", "WITH", "CANNOT"))

    def test_lets_a_table_be_read_that_is_there(self, model: LocalModel):
        reader = ModelReader(model)
        request = asked("how many?", try_sql=trying(store()), deadline=time.monotonic() + SECONDS)
        assert "nonexistent" not in str(reader.read(request))


class TestTime:
    def test_is_bounded(self, model: LocalModel):
        started = time.monotonic()
        with pytest.raises(CompletionFailed, match="too long"):
            model.complete(CompletionRequest(LONG, Constraint(), 0.5))
        assert time.monotonic() - started < 5

    def test_is_over_when_nobody_waits(self, model: LocalModel):
        cancelled, started = Event(), time.monotonic()
        Timer(0.5, cancelled.set).start()
        with pytest.raises(CompletionFailed):
            model.complete(CompletionRequest(LONG, Constraint(), SECONDS, cancelled.is_set))
        assert time.monotonic() - started < 10

    def test_of_a_question_that_was_left_is_free_for_the_next(self, model: LocalModel):
        with pytest.raises(CompletionFailed):
            model.complete(CompletionRequest(LONG, Constraint(), 0.3))
        assert model.complete(CompletionRequest(ask("Hi"), A_OR_B, SECONDS)).text in {
            "SELECT a",
            "SELECT b",
        }

    def test_is_shared_by_questions_in_turn(self, model: LocalModel):
        found: list[str] = []
        both = [
            Thread(
                target=lambda: found.append(
                    model.complete(CompletionRequest(ask("Hi"), A_OR_B, SECONDS)).text
                )
            )
            for _ in range(2)
        ]
        for one in both:
            one.start()
        for one in both:
            one.join()
        assert len(found) == 2


class TestPrefix:
    def test_is_kept_on_disk_and_not_evaluated_again(self, model: LocalModel, place: Place):
        model.prepare(SYSTEM, "upl_kept", SECONDS)
        assert len(list(place.prefixes.iterdir())) >= 1
        model.complete(
            CompletionRequest(
                [Turn("system", "Something else."), Turn("user", "Hi")], A_OR_B, SECONDS
            )
        )
        found = model.complete(CompletionRequest(ask("Hi"), A_OR_B, SECONDS, owner="upl_kept"))
        assert found.cached_tokens > 0.8 * found.prompt_tokens

    def test_is_used_by_the_process_that_is_started_next(
        self, started: Started, tmp_path: Path, model_file: ModelFile
    ):
        client, process = started()
        loaded(client, process).prepare(SYSTEM, "upl_1", SECONDS)
        process.terminate()
        process.join(20)
        client, process = started()
        found = loaded(client, process).complete(
            CompletionRequest(ask("Hi"), A_OR_B, SECONDS, owner="upl_1")
        )
        assert found.cached_tokens > 0.8 * found.prompt_tokens

    def test_that_is_damaged_is_evaluated_again(self, model: LocalModel, place: Place):
        model.prepare(SYSTEM, "upl_damaged", SECONDS)
        newest = max(place.prefixes.iterdir(), key=lambda path: path.stat().st_mtime_ns)
        newest.write_bytes(newest.read_bytes()[:100])
        assert model.complete(
            CompletionRequest(ask("Hi"), A_OR_B, SECONDS, owner="upl_damaged")
        ).text

    def test_goes_with_what_it_is_kept_with(self, model: LocalModel, place: Place):
        before = set(place.prefixes.iterdir())
        model.prepare(SYSTEM, "upl_gone", SECONDS)
        assert set(place.prefixes.iterdir()) > before
        model.forget("upl_gone")
        assert set(place.prefixes.iterdir()) == before

    def test_those_not_used_for_longest_go_when_there_are_too_many(
        self, model: LocalModel, place: Place, monkeypatch: pytest.MonkeyPatch
    ):
        model.prepare(SYSTEM, "upl_old", SECONDS)
        before = set(place.prefixes.iterdir())
        monkeypatch.setattr("modelwright.language_models.local.MAX_KEPT_BYTES", 1)
        model.prepare(SYSTEM, "upl_new", SECONDS)
        (left,) = place.prefixes.iterdir()
        assert left not in before

    def test_of_a_question_is_that_of_its_schema(self, model: LocalModel):
        reader = ModelReader(model)
        model.prepare(reader.opening((ORDERS, ITEMS), CATALOG), "upl_2", SECONDS)
        deadline = time.monotonic() + SECONDS
        outcome = reader.read(asked("how many?", data_id="upl_2", deadline=deadline))
        assert outcome


class TestProcess:
    def test_that_dies_fails_the_question_and_no_more(self, started: Started):
        client, process = started()
        loaded(client, process)
        assert process.pid
        Timer(0.5, os.kill, (process.pid, signal.SIGKILL)).start()
        with pytest.raises(CompletionFailed):
            client.complete(CompletionRequest(LONG, Constraint(), SECONDS))
        client, process = started()  # as the supervisor does
        assert loaded(client, process).complete(CompletionRequest(ask("Hi"), A_OR_B, SECONDS)).text

    def test_that_stands_still_fails_long_before_its_time_is_up_and_then_at_once(
        self, started: Started, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("modelwright.language_models.local.SIGN_SECONDS", 2.0)
        client, process = started()
        loaded(client, process)
        assert process.pid
        os.kill(process.pid, signal.SIGSTOP)
        begun = time.monotonic()
        with pytest.raises(CompletionFailed, match="no sign of life"):
            client.complete(CompletionRequest(ask("Hi"), A_OR_B, SECONDS))
        first = time.monotonic() - begun
        with pytest.raises(CompletionFailed, match="no sign of life"):
            client.complete(CompletionRequest(ask("Hi"), A_OR_B, SECONDS))
        assert first < SECONDS / 2
        assert time.monotonic() - begun - first < first
        os.kill(process.pid, signal.SIGCONT)
        assert loaded(client, process).complete(CompletionRequest(ask("Hi"), A_OR_B, SECONDS)).text

    def test_that_stops_while_it_is_asked_fails_long_before_its_time_is_up(
        self, started: Started, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("modelwright.language_models.local.SIGN_SECONDS", 2.0)
        client, process = started()
        loaded(client, process)
        assert process.pid
        Timer(0.5, os.kill, (process.pid, signal.SIGSTOP)).start()
        begun = time.monotonic()
        with pytest.raises(CompletionFailed, match="no sign of life"):
            client.complete(CompletionRequest(LONG, Constraint(), SECONDS))
        assert time.monotonic() - begun < SECONDS / 2

    def test_that_is_not_there_fails(self, model_file: ModelFile, tmp_path: Path):
        client = LocalModel(model_file, place_of(tmp_path, model_file))
        with pytest.raises(CompletionFailed, match="not there"):
            client.complete(CompletionRequest(ask("Hi"), A_OR_B, 0.5))

    def test_ends_where_its_memory_does_not_suffice(self, started: Started):
        _, process = started(-900)  # less than the address space that threads reserve
        process.join(60)
        assert process.exitcode not in {None, 0}

    def test_keeps_its_socket_to_this_user(self, model: LocalModel, place: Place):
        model.probe()
        assert place.socket.parent.stat().st_mode & 0o077 == 0
        assert place.prefixes.stat().st_mode & 0o077 == 0


class TestPlace:
    def test_is_short_enough_for_a_socket(self, tmp_path: Path):
        deep = tmp_path / ("deep" * 30)
        place = place_of(deep, ModelFile("m", Path("/m.gguf")))
        assert len(str(place.socket)) <= LONGEST_SOCKET_CHARS
        assert place.prefixes.is_relative_to(deep)

    @pytest.mark.parametrize("folder", ["", "deep" * 30], ids=["in the data", "elsewhere"])
    def test_leaves_no_folder_once_the_last_model_is_gone(self, tmp_path: Path, folder: str):
        first, second = (place_of(tmp_path / folder, ModelFile(n, Path(n))) for n in ("/a", "/b"))
        for place in (first, second):
            place.make()
            place.socket.touch()
        first.leave()
        assert second.socket.exists()
        second.leave()
        assert not second.socket.parent.exists()

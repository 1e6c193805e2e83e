"""Fits give the same wherever they run, and what is sent elsewhere cannot be made to run code."""

import hashlib
import multiprocessing
import os
import socket
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from scipy import sparse
from tests.few_folds import few_folds
from tests.unit.engines.automl.conftest import mixed

from modelwright.engines.automl.estimators.estimator import Deadline
from modelwright.engines.automl.estimators.fitted_model import Latency
from modelwright.engines.automl.estimators.fold_data import FoldData
from modelwright.engines.automl.fitting import BuildInputs, fit
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.search.executors import (
    MAX_ATTEMPTS,
    FitExecutor,
    ProcessExecutor,
    RemoteExecutor,
    RemoteFitError,
    ThreadExecutor,
    run_encoded,
)
from modelwright.engines.automl.search.fit_messages import MessageError, decode, encode
from modelwright.engines.automl.search.fits import Fit
from modelwright.engines.automl.search.gateway_messages import (
    DATA,
    HELLO,
    ID_BYTES,
    LOST,
    NAME_BYTES,
    REFUSED,
    RESULT,
)
from modelwright.engines.automl.search.portfolio import BASELINE, FALLBACK, LINEAR
from modelwright_runtime import ARTIFACT
from modelwright_runtime.columns import NumberColumn
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.objective import Objective, TargetTransform

ROWS = 200
SHORT_SECONDS = 0.5
"""Of a fit that the clock ends."""
MAKER = np.random.default_rng(0)


def data() -> FoldData:
    features = np.random.default_rng(0).normal(size=(ROWS, 2)).astype(np.float32)
    y = (features[:, 0] + 0.1 * features[:, 1]).astype(np.float64)
    encoder = Encoder(tuple(NumberColumn(name, "float", gaps=False) for name in "ab"))
    goal = Objective("regression", scale=TargetTransform.of(y, log=False))
    target = goal.scale.transform(y)
    return FoldData(goal, encoder, ("number", "number"), features, None, target, y, 0, 1)


def a_fit(candidate: Any = FALLBACK, *, is_kept: bool = True) -> Fit:
    rows = np.arange(ROWS)
    return Fit(candidate, rows[:150], rows[150:], None, (rows[150:], rows[:0]), is_kept)


class Gateway:
    """The other side of `RemoteExecutor` in threads of this process, which can lose fits."""

    def __init__(self, lost: int = 0, *, is_late: bool = False) -> None:
        self.near, self.far = multiprocessing.Pipe()
        self.lost, self.is_late = lost, is_late
        """Whether a loss is found only once other rows have come."""
        self.losing = b""
        self.rows: dict[bytes, bytes] = {}
        self.sent: list[int] = []
        self.pool = ThreadPoolExecutor(1)
        self.far.send_bytes(bytes([HELLO]) + (2).to_bytes(4, "big"))
        self.pool.submit(self._serve)

    def _serve(self) -> None:
        while True:
            try:
                message = self.far.recv_bytes()
            except (EOFError, OSError):
                return
            self.sent.append(message[0])
            rest = message[1:]
            if message[0] == DATA:
                self.rows = {rest[:NAME_BYTES]: rest[NAME_BYTES:]}
                if self.losing:
                    self.far.send_bytes(bytes([LOST]) + self.losing + b"the node is gone")
                    self.losing = b""
                continue
            number, name = rest[:ID_BYTES], rest[ID_BYTES : ID_BYTES + NAME_BYTES]
            if self.lost:
                self.lost -= 1
                if self.is_late:
                    self.losing = number
                    continue
                self.far.send_bytes(bytes([LOST]) + number + b"the node is gone")
                continue
            outcome = run_encoded(name, self.rows[name], rest[ID_BYTES + NAME_BYTES :])
            self.far.send_bytes(bytes([RESULT]) + number + outcome)

    def close(self) -> None:
        with suppress(OSError), socket.socket(fileno=os.dup(self.far.fileno())) as end:
            end.shutdown(socket.SHUT_RDWR)
        self.pool.shutdown()
        self.far.close()


@pytest.fixture
def gateway() -> Iterator[Callable[..., Gateway]]:
    made: list[Gateway] = []

    def make(lost: int = 0, *, is_late: bool = False) -> Gateway:
        made.append(Gateway(lost, is_late=is_late))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def remote(gateway: Callable[..., Gateway]) -> Iterator[Callable[[Gateway], RemoteExecutor]]:
    made: list[RemoteExecutor] = []

    def make(other: Gateway) -> RemoteExecutor:
        made.append(RemoteExecutor(other.near))
        return made[-1]

    yield make
    for one in made:
        one.close()


def artifact(folder: Path, write: Callable[..., Path], executor: FitExecutor | None) -> str:
    path = write(**mixed(150))
    plan = make_plan([path], "Predict the score", max_iterations=2, seconds=600.0, seed=0)
    end = time.monotonic() + 600
    with few_folds():
        fit(
            BuildInputs(
                [path], plan, folder, deadline=end, progress=lambda *_: None, executor=executor
            )
        )
    return model_hash(folder)


def model_hash(folder: Path) -> str:
    """Returns the hash of all members that predictions are made from."""
    with zipfile.ZipFile(folder / ARTIFACT) as packed:
        names = sorted(name for name in packed.namelist() if name != "manifest.json")
        return hashlib.sha256(b"".join(packed.read(name) for name in names)).hexdigest()


class TestModels:
    @pytest.mark.timeout(240)
    def test_are_the_same_wherever_they_were_fitted(
        self,
        tmp_path: Path,
        write: Callable[..., Path],
        gateway: Callable[..., Gateway],
        remote: Callable[[Gateway], RemoteExecutor],
    ):
        processes = ProcessExecutor(2)
        found = {
            "one thread": artifact(tmp_path / "1", write, ThreadExecutor(1)),
            "two threads": artifact(tmp_path / "2", write, ThreadExecutor(2)),
            "processes": artifact(tmp_path / "3", write, processes),
            "elsewhere": artifact(tmp_path / "4", write, remote(gateway())),
        }
        processes.close()
        assert len(set(found.values())) == 1, found


class TestDeadline:
    """A fit that would take hours gives what it has when its seconds are over, wherever it runs."""

    @pytest.mark.parametrize("where", ["threads", "processes", "elsewhere"])
    def test_ends_a_fit(
        self,
        where: str,
        gateway: Callable[..., Gateway],
        remote: Callable[[Gateway], RemoteExecutor],
    ):
        makers: dict[str, Callable[[], FitExecutor]] = {
            "threads": lambda: ThreadExecutor(1),
            "processes": lambda: ProcessExecutor(1),
            "elsewhere": lambda: remote(gateway()),
        }
        executor = makers[where]()
        endless = replace(a_fit(), valid=None, rounds=10**7)
        stop = Deadline(time.monotonic() + SHORT_SECONDS)
        outcome = executor.submit(data(), endless, stop).result(60)
        assert outcome.is_cut
        assert 0 < outcome.fitted.rounds < 10**7
        assert len(outcome.raw_predictions[0]) == 50
        executor.close()


class TestClose:
    def test_ends_those_who_wait_for_a_fit_that_runs_elsewhere(
        self, gateway: Callable[..., Gateway]
    ):
        executor = RemoteExecutor(gateway(lost=1, is_late=True).near)  # which never answers
        waiting = executor.submit(data(), a_fit(), Deadline(time.monotonic() + 600))
        executor.close()
        with pytest.raises(ConnectionError, match="the build is at its end"):
            waiting.result(60)


class TestRemote:
    def test_a_lost_fit_is_begun_again(
        self, gateway: Callable[..., Gateway], remote: Callable[[Gateway], RemoteExecutor]
    ):
        executor = remote(gateway(lost=MAX_ATTEMPTS - 1))
        outcome = executor.submit(data(), a_fit(), Deadline(time.monotonic() + 60)).result(60)
        assert len(outcome.raw_predictions[0]) == 50
        assert [one.kind for one in outcome.fitted.compiled().components] == ["sums"]

    def test_a_fit_that_is_lost_when_others_have_other_rows_gets_its_own_again(
        self, gateway: Callable[..., Gateway], remote: Callable[[Gateway], RemoteExecutor]
    ):
        executor = remote(gateway(lost=1, is_late=True))
        stop = Deadline(time.monotonic() + 60)
        before, after = data(), replace(data(), seed=1)
        waiting = executor.submit(before, a_fit(), stop)
        later = executor.submit(after, a_fit(), stop)
        assert len(waiting.result(60).raw_predictions[0]) == 50
        assert len(later.result(60).raw_predictions[0]) == 50

    def test_large_messages_do_not_wait_for_each_other(self):
        """Both sides send more than a pipe holds, at the same time, before either reads."""
        near, far = multiprocessing.Pipe()
        far.send_bytes(bytes([HELLO]) + (2).to_bytes(4, "big"))
        executor = RemoteExecutor(near)
        rows = np.random.default_rng(0).normal(size=(200_000, 2)).astype(np.float32)
        wide = replace(data(), features=rows)
        stop = Deadline(time.monotonic() + 60)
        futures = [executor.submit(wide, a_fit(), stop) for _ in range(2)]
        outcome = np.zeros((100_000, 1))
        told = encode((1, Latency(1.0, 1.0), None, (outcome, outcome), 1.0, False))
        for number in (1, 2):  # before anything is read of what came
            far.send_bytes(bytes([RESULT]) + number.to_bytes(ID_BYTES, "big") + told)
        assert [one.result(60).fitted.rounds for one in futures] == [1, 1]
        assert far.recv_bytes()[0] == DATA
        executor.close()
        far.close()

    def test_a_fit_that_is_lost_too_often_fails(
        self, gateway: Callable[..., Gateway], remote: Callable[[Gateway], RemoteExecutor]
    ):
        executor = remote(gateway(lost=MAX_ATTEMPTS))
        with pytest.raises(ConnectionError, match="the node is gone"):
            executor.submit(data(), a_fit(), Deadline(time.monotonic() + 60)).result(60)

    def test_fits_go_on_in_this_process_where_the_gateway_ends(
        self, gateway: Callable[..., Gateway]
    ):
        made, told = gateway(lost=1, is_late=True), []
        executor = RemoteExecutor(made.near, on_lost=lambda: told.append("lost"))
        stop = Deadline(time.monotonic() + 60)
        begun = executor.submit(data(), a_fit(), stop)
        made.close()
        assert len(begun.result(60).raw_predictions[0]) == 50
        later = executor.submit(data(), a_fit(), stop)
        assert [one.kind for one in later.result(60).fitted.compiled().components] == ["sums"]
        executor.close()
        assert told == ["lost"]

    def test_rows_are_sent_once(
        self, gateway: Callable[..., Gateway], remote: Callable[[Gateway], RemoteExecutor]
    ):
        made, rows = gateway(), data()
        executor = remote(made)
        for candidate in (BASELINE, LINEAR, FALLBACK):
            stop = Deadline(time.monotonic() + 60)
            executor.submit(rows, a_fit(candidate, is_kept=False), stop).result(60)
        assert made.sent.count(DATA) == 1

    def test_a_fault_of_a_fit_is_said(
        self, gateway: Callable[..., Gateway], remote: Callable[[Gateway], RemoteExecutor]
    ):
        executor = remote(gateway())
        broken = Fit(FALLBACK, np.arange(0), None, 3, (), is_kept=True)
        with pytest.raises(RemoteFitError, match="Error: "):
            executor.submit(data(), broken, Deadline(time.monotonic() + 60)).result(60)

    def test_a_cluster_that_is_away_is_said(self):
        near, far = multiprocessing.Pipe()
        far.send_bytes(bytes([REFUSED]) + b"no such host")
        with pytest.raises(ConnectionError, match="no such host"):
            RemoteExecutor(near)

    def test_a_gateway_that_ends_at_once_is_said(self):
        near, far = multiprocessing.Pipe()
        far.close()
        with pytest.raises(ConnectionError):
            RemoteExecutor(near)


class TestMessages:
    def test_carry_what_a_fit_needs(self):
        rows = data()
        read = decode(encode(rows))
        assert np.array_equal(read.features, rows.features)
        assert read.features.dtype == np.float32
        assert read.goal == rows.goal
        assert [one.name for one in read.encoder.columns] == ["a", "b"]
        again = decode(encode(a_fit()))
        assert again.candidate == FALLBACK
        assert isinstance(again.asked, tuple)

    def test_carry_sparse_rows(self):
        terms = sparse.random(20, 30, density=0.2, format="csr", random_state=0)
        assert (decode(encode(terms)) != terms).nnz == 0

    @pytest.mark.parametrize(
        "value",
        [object(), np.array([object()]), Path("/etc"), print, {1: Path()}, np.array(["a"])],
        ids=["object", "objects", "path", "function", "in a table", "texts"],
    )
    def test_carry_nothing_else(self, value: Any):
        with pytest.raises(MessageError):
            encode(value)

    @pytest.mark.parametrize(
        "told",
        [
            {"class": ["Path", {"x": "/etc"}]},
            {"class": ["Popen", {"args": "true"}]},
            {"fit": "system"},
            {"array": ["O", [1], b"12345678"]},
            {"array": ["<f8", [3], b"12345678"]},
            {"class": ["Forest", {}]},
            {"code": "import os"},
            {"class": 3},
            {"a": 1, "b": 2},
        ],
    )
    def test_are_refused_where_they_hold_something_else(self, told: Any):
        with pytest.raises(MessageError):
            decode(msgspec.msgpack.encode(told))

    def test_that_are_none_are_refused(self):
        with pytest.raises(MessageError):
            decode(b"\xc1\x00nothing")

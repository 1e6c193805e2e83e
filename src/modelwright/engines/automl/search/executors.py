"""Where the fits of a build run: in threads of its process, in processes, or on other machines."""

import os
import socket
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock, Thread
from typing import Any, Protocol

from modelwright.engines.automl.estimators.estimator import (
    CompiledModel,
    Deadline,
    FittedModel,
    FoldData,
    Latency,
    Rows,
)
from modelwright.engines.automl.estimators.families import load_libraries
from modelwright.engines.automl.search.fit_messages import decode, encode
from modelwright.engines.automl.search.fits import Fit, FitOutcome
from modelwright.engines.automl.search.gateway_messages import (
    DATA,
    FIT,
    HELLO,
    ID_BYTES,
    LOST,
    NAME_BYTES,
)
from modelwright_runtime.objective import Floats

MAX_ATTEMPTS = 3
"""How often a fit is begun whose machine is lost before its candidate counts as failed."""
HELLO_SECONDS = 20.0
"""How long the gateway may take to reach the other machines; Ray's driver starts in ten."""


class FitExecutor(Protocol):
    """Runs fits side by side."""

    workers: int
    """How many fits run at the same time."""

    def submit(self, fold_data: FoldData, fit: Fit, stop: Deadline) -> Future[FitOutcome]:
        """Begins a fit, or queues it; it gives what it has when the deadline comes.

        Args:
            fold_data: The rows as a fold sees them.
            fit: What is fitted.
            stop: When it has to end.
        """

    def close(self) -> None:
        """Ends what still runs."""


class ThreadExecutor:
    """Fits in threads: the libraries let go of the interpreter while they fit."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool = ThreadPoolExecutor(workers)

    def submit(self, fold_data: FoldData, fit: Fit, stop: Deadline) -> Future[FitOutcome]:
        """Begins a fit.

        Args:
            fold_data: The rows as a fold sees them.
            fit: What is fitted.
            stop: When it has to end.

        Returns:
            What comes of it, later.
        """
        return self._pool.submit(fit.run, fold_data, stop)

    def close(self) -> None:
        """Waits for what runs, and begins nothing more."""
        self._pool.shutdown(cancel_futures=True)


class ProcessExecutor:
    """Fits in processes of this machine, which share no interpreter and no memory."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        context = get_context("spawn")
        self._pool = ProcessPoolExecutor(workers, mp_context=context, initializer=load_libraries)
        self._encoded = _Encoded()

    def submit(self, fold_data: FoldData, fit: Fit, stop: Deadline) -> Future[FitOutcome]:
        """Begins a fit.

        Args:
            fold_data: The rows as a fold sees them.
            fit: What is fitted.
            stop: When it has to end.

        Returns:
            What comes of it, later.
        """
        name, content = self._encoded.of(fold_data)
        packed = self._pool.submit(run_encoded, name, content, _encoded_fit(fit, stop))
        return _then(packed, decoded)

    def close(self) -> None:
        """Waits for what runs, and begins nothing more."""
        self._pool.shutdown(cancel_futures=True)


class RemoteExecutor:
    """Fits on other machines, through a gateway that reaches them.

    The build's own process has no network. It hands the gateway rows and fits as bytes, which that
    passes on unread; a fit whose machine is lost is begun again with the time that is left.
    """

    def __init__(self, gateway: Connection) -> None:
        """Waits for the gateway's word; raises `ConnectionError` where it reaches no machine."""
        self._gateway = gateway
        try:
            if not gateway.poll(HELLO_SECONDS):
                raise ConnectionError(f"it did not answer within {HELLO_SECONDS:g} seconds")
            hello = gateway.recv_bytes()
        except EOFError:
            raise ConnectionError("the gateway ended") from None
        if hello[0] != HELLO:
            raise ConnectionError(hello[1:].decode())
        self.workers = int.from_bytes(hello[1:], "big")
        self._encoded = _Encoded()
        self._known: set[bytes] = set()
        self._waiting: dict[int, _Remote] = {}
        self._lock = Lock()
        self._count = 0
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def submit(self, fold_data: FoldData, fit: Fit, stop: Deadline) -> Future[FitOutcome]:
        """Begins a fit.

        Args:
            fold_data: The rows as a fold sees them.
            fit: What is fitted.
            stop: When it has to end.

        Returns:
            What comes of it, later.
        """
        name, content = self._encoded.of(fold_data)
        with self._lock:
            if name not in self._known:
                self._known = {name}
                self._gateway.send_bytes(bytes([DATA]) + name + content)
            remote = _Remote(Future(), name, fit, stop)
            self._begin(remote)
        return _then(remote.encoded, decoded)

    def _begin(self, remote: "_Remote") -> None:
        self._count += 1
        remote.attempts += 1
        self._waiting[self._count] = remote
        head = bytes([FIT]) + self._count.to_bytes(ID_BYTES, "big") + remote.name
        self._gateway.send_bytes(head + _encoded_fit(remote.fit, remote.stop))

    def _read(self) -> None:
        while True:
            try:
                message = self._gateway.recv_bytes()
            except (EOFError, OSError):
                self._give_up("the gateway to the other machines ended")
                return
            number = int.from_bytes(message[1 : 1 + ID_BYTES], "big")
            content = message[1 + ID_BYTES :]
            with self._lock:
                remote = self._waiting.pop(number)
                if message[0] == LOST and remote.attempts < MAX_ATTEMPTS:
                    self._begin(remote)
                    continue
            if message[0] == LOST:
                remote.encoded.set_exception(ConnectionError(content.decode()))
            else:
                remote.encoded.set_result(content)

    def _give_up(self, why: str) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        for remote in waiting.values():
            remote.encoded.set_exception(ConnectionError(why))

    def close(self) -> None:
        """Lets go of the gateway, which then cancels what still runs and ends."""
        # Closing alone would wake neither side while the reader waits for a message.
        with suppress(OSError), socket.socket(fileno=os.dup(self._gateway.fileno())) as end:
            end.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._gateway.close()


@dataclass(slots=True)
class _Remote:
    """A fit that is somewhere else."""

    encoded: Future[bytes]
    name: bytes
    fit: Fit
    stop: Deadline
    attempts: int = 0


class _Encoded:
    """The rows of the latest fold as bytes, under a name that nothing else has."""

    def __init__(self) -> None:
        self._latest: tuple[FoldData, bytes, bytes] | None = None

    def of(self, fold_data: FoldData) -> tuple[bytes, bytes]:
        """Returns the name and the bytes."""
        if self._latest is None or self._latest[0] is not fold_data:
            self._latest = fold_data, os.urandom(NAME_BYTES), encode(fold_data)
        return self._latest[1], self._latest[2]


def _encoded_fit(fit: Fit, stop: Deadline) -> bytes:
    """Writes a fit with the seconds that are left, as clocks of machines differ.

    Args:
        fit: What is fitted.
        stop: When it has to end.

    Returns:
        A message for `run_encoded`.
    """
    return encode((fit, stop.remaining()))


_LATEST: dict[bytes, FoldData] = {}
"""The rows that this process had last, as the next fit mostly is of the same."""


def run_encoded(name: bytes, rows: Any, encoded: bytes) -> bytes:
    """Runs a fit on rows, in a process that is there for that.

    Args:
        name: Of the rows; those that this process had last are not read again.
        rows: The `FoldData` of a fold, encoded.
        encoded: The fit, as `_encoded_fit` wrote it.

    Returns:
        The outcome, for `decoded`; the reason where the fit failed.
    """
    if name not in _LATEST:
        _LATEST.clear()
        _LATEST[name] = decode(rows)
    fit, seconds = decode(encoded)
    try:
        outcome = fit.run(_LATEST[name], Deadline(time.monotonic() + seconds))
        model = outcome.fitted.compiled() if fit.is_kept else None
    except Exception as error:  # noqa: BLE001 - the search drops the candidate and says why
        return encode(f"{type(error).__name__}: {error}")
    told = outcome.fitted.rounds, outcome.fitted.cost, model
    return encode((*told, outcome.raw_predictions, outcome.seconds, outcome.is_cut))


class RemoteFitError(RuntimeError):
    """A fit failed where it ran; the message says how."""


def decoded(encoded: bytes) -> FitOutcome:
    """Reads what `run_encoded` gave.

    Args:
        encoded: The message.

    Returns:
        What came of the fit.

    Raises:
        RemoteFitError: The fit failed.
    """
    told = decode(encoded)
    if isinstance(told, str):
        raise RemoteFitError(told)
    rounds, cost, model, raw_predictions, seconds, is_cut = told
    return FitOutcome(_elsewhere(rounds, cost, model), raw_predictions, seconds, is_cut)


def _elsewhere(rounds: int, cost: Latency, model: CompiledModel | None) -> FittedModel:
    """Returns a model that was fitted elsewhere: it came compiled, or not at all."""

    def compiled() -> CompiledModel:
        if model is None:
            raise RuntimeError("this fit was asked for predictions alone")
        return model

    def raw_prediction(_rows: Rows) -> Floats:
        raise RuntimeError("a model that was fitted elsewhere has said what it was asked")

    return FittedModel(rounds, raw_prediction, compiled, cost)


def _then(packed: "Future[bytes]", read: Callable[[bytes], FitOutcome]) -> Future[FitOutcome]:
    """Returns the future of what is read of another's result."""
    outcome: Future[FitOutcome] = Future()

    def pass_on(done: "Future[bytes]") -> None:
        try:
            outcome.set_result(read(done.result()))
        except BaseException as error:  # noqa: BLE001 - whoever waits for it is told
            outcome.set_exception(error)

    packed.add_done_callback(pass_on)
    return outcome

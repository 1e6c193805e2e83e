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
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Protocol

from modelwright.engines.automl.estimators.estimator import Deadline
from modelwright.engines.automl.estimators.families import load_libraries
from modelwright.engines.automl.estimators.fitted_model import CompiledModel, FittedModel, Latency
from modelwright.engines.automl.estimators.fold_data import FoldData, Rows
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
from modelwright.system.processors import usable_processors
from modelwright_runtime.objective import Floats

MAX_ATTEMPTS = 3
"""How often a fit is begun whose machine is lost before its candidate counts as failed."""
MAX_WORKERS = 4
"""At most so many fits run side by side on one machine; more processors give each of them more
threads."""
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

        Returns:
            What comes of it, later.
        """

    def close(self) -> None:
        """Ends what still runs."""


class ThreadExecutor(FitExecutor):
    """Fits in threads: the libraries let go of the interpreter while they fit."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool = ThreadPoolExecutor(workers)

    def submit(self, fold_data: FoldData, fit: Fit, stop: Deadline) -> Future[FitOutcome]:
        """Begins a fit."""
        return self._pool.submit(fit.run, fold_data, stop)

    def close(self) -> None:
        """Waits for what runs, and begins nothing more."""
        self._pool.shutdown(cancel_futures=True)


class ProcessExecutor(FitExecutor):
    """Fits in processes of this machine, which share no interpreter and no memory."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        context = get_context("spawn")
        self._pool = ProcessPoolExecutor(workers, mp_context=context, initializer=load_libraries)
        self._encoded = _Encoded()

    def submit(self, fold_data: FoldData, fit: Fit, stop: Deadline) -> Future[FitOutcome]:
        """Begins a fit."""
        name, content = self._encoded.of(fold_data)
        packed = self._pool.submit(run_encoded, name, content, _encoded_fit(fit, stop))
        return _then(packed, decoded)

    def close(self) -> None:
        """Waits for what runs, and begins nothing more."""
        self._pool.shutdown(cancel_futures=True)


class RemoteExecutor(FitExecutor):
    """Fits on other machines, through a gateway that reaches them.

    The build's own process has no network. It hands the gateway rows and fits as bytes, which that
    passes on unread; a fit whose machine is lost is begun again with the time that is left. Where
    the gateway itself is lost, fits go on in threads of this process.
    """

    def __init__(self, gateway: Connection, on_lost: Callable[[], object] = lambda: None) -> None:
        """Waits for the gateway's word; raises `ConnectionError` where it reaches no machine.

        Args:
            gateway: The connection to it.
            on_lost: Called when it has ended before this did.
        """
        self._gateway, self._on_lost = gateway, on_lost
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
        self._known = b""
        self._waiting: dict[int, _Remote] = {}
        self._lock = Lock()
        self._count = 0
        self._local: ThreadExecutor | None = None
        """What fits once the gateway has ended."""
        self._is_closed = False
        # Whoever waits to send would keep from reading what the gateway waits to be rid of.
        self._outgoing: SimpleQueue[bytes | None] = SimpleQueue()
        self._threads = [Thread(target=one, daemon=True) for one in (self._read, self._write)]
        for thread in self._threads:
            thread.start()

    def submit(self, fold_data: FoldData, fit: Fit, stop: Deadline) -> Future[FitOutcome]:
        """Begins a fit."""
        name, content = self._encoded.of(fold_data)
        with self._lock:
            remote = _Remote(Future(), fold_data, name, content, fit, stop)
            if self._local is None:
                self._begin(remote)
            else:
                remote.begin_in(self._local)
        return remote.outcome

    def _begin(self, remote: "_Remote") -> None:
        self._count += 1
        remote.attempts += 1
        self._waiting[self._count] = remote
        if remote.name != self._known:  # one that was lost may be of rows before the latest
            self._known = remote.name
            self._outgoing.put(bytes([DATA]) + remote.name + remote.rows)
        head = bytes([FIT]) + self._count.to_bytes(ID_BYTES, "big") + remote.name
        self._outgoing.put(head + _encoded_fit(remote.fit, remote.stop))

    def _write(self) -> None:
        while message := self._outgoing.get():
            try:
                self._gateway.send_bytes(message)
            except OSError:  # the reader finds that out too, and says it
                return

    def _read(self) -> None:
        while True:
            try:
                message = self._gateway.recv_bytes()
            except (EOFError, OSError):
                self._go_on_here()
                return
            number = int.from_bytes(message[1 : 1 + ID_BYTES], "big")
            content = message[1 + ID_BYTES :]
            with self._lock:
                remote = self._waiting.pop(number)
                if message[0] == LOST and remote.attempts < MAX_ATTEMPTS:
                    self._begin(remote)
                    continue
            remote.end(content, is_lost=message[0] == LOST)

    def _go_on_here(self) -> None:
        """Begins what was elsewhere in threads of this process, unless all is at an end."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
            if not self._is_closed:
                self._local = ThreadExecutor(min(usable_processors(), MAX_WORKERS))
                self.workers = self._local.workers
                for remote in waiting.values():
                    remote.begin_in(self._local)
        if self._local is not None:
            self._on_lost()
            return
        for remote in waiting.values():
            remote.end(b"the build is at its end", is_lost=True)

    def close(self) -> None:
        """Lets go of the gateway, which then cancels what still runs and ends."""
        with self._lock:
            self._is_closed = True
        # Closing alone would wake neither side while the reader waits for a message.
        with suppress(OSError), socket.socket(fileno=os.dup(self._gateway.fileno())) as end:
            end.shutdown(socket.SHUT_RDWR)
        self._outgoing.put(None)
        for thread in self._threads:
            thread.join()
        self._gateway.close()
        if self._local is not None:
            self._local.close()


@dataclass(slots=True)
class _Remote:
    """A fit that is somewhere else."""

    outcome: Future[FitOutcome]
    fold_data: FoldData
    name: bytes
    rows: bytes
    """What is called so, to be sent again where the gateway has let go of it."""
    fit: Fit
    stop: Deadline
    attempts: int = 0

    def end(self, content: bytes, *, is_lost: bool) -> None:
        """Tells whoever waits for it what came of it, or why it was lost."""
        if is_lost:
            self.outcome.set_exception(ConnectionError(content.decode()))
            return
        try:
            self.outcome.set_result(decoded(content))
        except Exception as error:  # noqa: BLE001 - whoever waits for it is told
            self.outcome.set_exception(error)

    def begin_in(self, executor: ThreadExecutor) -> None:
        """Begins it once more in this process."""
        _pass_on(executor.submit(self.fold_data, self.fit, self.stop), self.outcome)


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
    head = outcome.fitted.rounds, outcome.fitted.cost, model
    return encode((*head, outcome.raw_predictions, outcome.seconds, outcome.is_cut))


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
    message = decode(encoded)
    if isinstance(message, str):
        raise RemoteFitError(message)
    rounds, cost, model, raw_predictions, seconds, is_cut = message
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
    _pass_on(packed, outcome, read)
    return outcome


def _pass_on(
    source: "Future[Any]",
    target: Future[FitOutcome],
    read: Callable[[Any], FitOutcome] = lambda outcome: outcome,
) -> None:
    """Has one future end as another does."""

    def pass_on(done: "Future[Any]") -> None:
        try:
            target.set_result(read(done.result()))
        except BaseException as error:  # noqa: BLE001 - whoever waits for it is told
            target.set_exception(error)

    source.add_done_callback(pass_on)

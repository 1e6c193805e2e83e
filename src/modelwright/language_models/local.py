"""A model in a process of this machine, as a `Completer`."""

import os
from collections.abc import Callable, Sequence
from hashlib import sha256
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Any

from modelwright.engines.language.llm.completion import (
    Completion,
    CompletionFailed,
    CompletionRequest,
    Token,
    Turn,
)
from modelwright.engines.language.rules.text.stopping import Stopped, never
from modelwright.language_models.domain import SAMPLES, ModelFile, Place
from modelwright.language_models.socket_http import AnswerLate, request

MAX_NEW_TOKENS = 220
"""A statement of 200 tokens is longer than any that was right."""
SAMPLING_TEMPERATURE = 0.8
"""How far samples go from what is likeliest."""
SAMPLING_SEED = 48
"""Any fixed number: the same question is answered the same."""
MAX_SAMPLED_TOKENS = 120
"""Samples that are longer come to nothing; statements that are right have 30 tokens on average."""
MAX_KEPT_BYTES = 2 << 30
"""What one model may keep on disk; a schema of 30 columns takes about 30 MB."""
CONNECT_SECONDS = 3.0
"""How long a process that is just being started again is waited for."""
PAUSE_SECONDS = 0.1
"""Pause before a model that is loading is asked again."""
SIGN_SECONDS = 5.0
"""How long a process that is asked may give no sign of life, however long its answer takes."""
SILENT_SIGN_SECONDS = 0.5
"""How long one that gave none when it was asked last may take for its next sign."""
CHECK_SECONDS = 2.0
"""How often a process that takes long over an answer is asked for a sign of life."""
_SILENT = "The model's process gives no sign of life; it is started again if that lasts."


class LocalModel:
    """A model in a process of this machine. Thread-safe; one question at a time."""

    answers_json = False
    sees_values = True
    """What it is shown never leaves the machine."""

    def __init__(self, model: ModelFile, place: Place) -> None:
        """Makes the client of a model's process.

        Args:
            model: The model.
            place: Where its process is reached.
        """
        self._model = model
        self._place = place
        self._turn = Lock()
        self._is_silent = False
        """Whether it gave no sign of life when it was asked last."""

    @property
    def name(self) -> str:
        """Returns the model's name."""
        return self._model.name

    def complete(self, request: CompletionRequest) -> Completion:
        """Completes a conversation; see `Completer.complete`."""
        turns, stopped, until = request.turns, request.stopped, monotonic() + request.seconds
        with _Waiting(self._turn, until, stopped):
            self._make_sure_it_lives(until)
            if request.owner and not any(turn.role == "assistant" for turn in turns):
                self._recall(request.owner, turns[0], until, stopped)
            body = _chat(turns, request.constraint.grammar, MAX_NEW_TOKENS)
            return _completion(self._ask("POST", "/v1/chat/completions", body, until, stopped))

    def sample(self, request: CompletionRequest) -> Sequence[Completion]:
        """Draws completions side by side; see `Completer.sample`.

        Writing them together reads the weights once for a token of each. A prompt that is evaluated
        in other pieces has slightly other numbers, by which other samples may be drawn: where
        another question came in between, it is evaluated as for its completion, and drawn anew.
        """
        turns, stopped, until = request.turns, request.stopped, monotonic() + request.seconds
        with _Waiting(self._turn, until, stopped):
            self._make_sure_it_lives(until)
            found = self._drawn(request, until)
            if found[0].cached_tokens < found[0].prompt_tokens - 1:
                if request.owner:
                    self._recall(request.owner, turns[0], until, stopped)
                self._ask("POST", "/v1/chat/completions", _chat(turns, "", 1), until, stopped)
                found = self._drawn(request, until)
        return found

    def _drawn(self, request: CompletionRequest, until: float) -> Sequence[Completion]:
        drawn = {"n": SAMPLES, "temperature": SAMPLING_TEMPERATURE, "seed": SAMPLING_SEED}
        body = _chat(request.turns, request.constraint.grammar, MAX_SAMPLED_TOKENS) | drawn
        answer = self._ask("POST", "/v1/chat/completions", body, until, request.stopped)
        return [_completion(answer, at) for at in range(SAMPLES)]

    def prepare(self, turn: Turn, owner: str, seconds: float, stopped: Stopped = never) -> None:
        """Evaluates a first turn and keeps it on disk, so that questions need not wait for it.

        Args:
            turn: The turn that all questions about some tables share.
            owner: What it is kept with.
            seconds: How long it may take.
            stopped: Tells whether it is of no use any more.

        Raises:
            CompletionFailed: The model can't be asked, or took too long.
        """
        until = monotonic() + seconds
        with _Waiting(self._turn, until, stopped):
            if not self._kept(owner, turn).exists():
                self._evaluate(owner, turn, until, stopped)

    def forget(self, owner: str) -> None:
        """Deletes what is kept with an owner."""
        for kept in self._place.prefixes.glob(f"{_tag(owner)}-*"):
            kept.unlink(missing_ok=True)

    def probe(self) -> None:
        """Asks whether the model is loaded; raises `CompletionFailed` where it is not."""
        self._ask("GET", "/health", None, monotonic() + CONNECT_SECONDS, never)

    def _make_sure_it_lives(self, until: float) -> None:
        """Refuses at once where the process stands still, so that others may answer instead.

        It tells its health in a thread of its own, also while it reads or writes.
        """
        patience = SILENT_SIGN_SECONDS if self._is_silent else SIGN_SECONDS
        seconds = min(patience, until - monotonic())
        try:
            request(self._place.socket, "GET", "/health", None, seconds)
        except AnswerLate as silent:
            self._is_silent = True
            raise CompletionFailed(_SILENT) from silent
        except (OSError, HTTPException, ValueError):
            pass  # it is not there: what is asked of it next waits for it, or says so
        self._is_silent = False

    def _recall(self, owner: str, turn: Turn, until: float, stopped: Stopped) -> None:
        """Puts an evaluated first turn back; evaluates and keeps it where it is new."""
        kept = self._kept(owner, turn)
        if kept.exists():
            try:
                self._slot("restore", kept.name, until, stopped)
            except CompletionFailed:
                kept.unlink(missing_ok=True)  # of another version of the library, or cut short
            else:
                os.utime(kept)
                return
        self._evaluate(owner, turn, until, stopped)

    def _evaluate(self, owner: str, turn: Turn, until: float, stopped: Stopped) -> None:
        body = _chat([turn, Turn("user", "")], "", 1)
        self._ask("POST", "/v1/chat/completions", body, until, stopped)
        self._slot("save", self._kept(owner, turn).name, until, stopped)
        self._make_room()

    def _make_room(self) -> None:
        """Deletes the prefixes that were not used for longest, beyond what may be kept."""
        kept = sorted(self._place.prefixes.glob("*.bin"), key=_last_used, reverse=True)
        total = 0
        for one in kept:
            total += one.stat().st_size if one.exists() else 0
            if total > MAX_KEPT_BYTES and one != kept[0]:
                one.unlink(missing_ok=True)

    def _slot(self, verb: str, filename: str, until: float, stopped: Stopped) -> None:
        self._ask("POST", f"/slots/0?action={verb}", {"filename": filename}, until, stopped)

    def _kept(self, owner: str, turn: Turn) -> Path:
        return self._place.prefixes / f"{_tag(owner)}-{_tag(turn.content)}.bin"

    def _ask(
        self, method: str, target: str, body: dict[str, Any] | None, until: float, stopped: Stopped
    ) -> Any:
        """Sends a request; waits a little for a process that is being started."""
        patience = monotonic() + CONNECT_SECONDS
        watched = _Watched(stopped, self._make_sure_it_lives, until)
        while True:
            seconds = until - monotonic()
            try:
                status, answer = request(self._place.socket, method, target, body, seconds, watched)
            except AnswerLate as late:
                raise CompletionFailed("The model took too long and was stopped.") from late
            except (ConnectionRefusedError, FileNotFoundError) as away:
                if monotonic() > min(until, patience) or stopped():
                    raise CompletionFailed("The model's process is not there.") from away
                sleep(PAUSE_SECONDS)
                continue
            except (OSError, HTTPException, ValueError) as fault:
                raise CompletionFailed("The model's process died while it was asked.") from fault
            if (
                status == HTTPStatus.SERVICE_UNAVAILABLE
                and monotonic() < min(until, patience)
                and not stopped()
            ):
                sleep(PAUSE_SECONDS)
                continue
            if status != HTTPStatus.OK:
                raise CompletionFailed(f"The model's process answered {status}: {_told(answer)}")
            return answer


class _Waiting:
    """A lock that is waited for until a moment, or until nobody waits any more."""

    def __init__(self, lock: Lock, until: float, stopped: Stopped) -> None:
        self._lock, self._until, self._stopped = lock, until, stopped

    def __enter__(self) -> None:
        while not self._lock.acquire(timeout=PAUSE_SECONDS):
            if monotonic() > self._until or self._stopped():
                raise CompletionFailed("The model was busy with other questions.")

    def __exit__(self, *_: object) -> None:
        self._lock.release()


class _Watched:
    """Tells whether nobody waits any more; now and then makes sure that waiting is of use."""

    def __init__(self, stopped: Stopped, sure: Callable[[float], None], until: float) -> None:
        self._stopped, self._sure, self._until = stopped, sure, until
        self._due = monotonic() + CHECK_SECONDS

    def __call__(self) -> bool:
        if self._stopped():
            return True
        if self._due < monotonic() < self._until:
            self._sure(self._until)
            self._due = monotonic() + CHECK_SECONDS
        return False


def _chat(turns: Sequence[Turn], grammar: str, tokens: int) -> dict[str, Any]:
    return {
        "messages": [{"role": turn.role, "content": turn.content} for turn in turns],
        "temperature": 0,
        "max_tokens": tokens,
        "logprobs": True,
        "top_logprobs": 1,
        "cache_prompt": True,
        "id_slot": 0,
    } | ({"grammar": grammar} if grammar else {})


def _completion(answer: Any, at: int = 0) -> Completion:
    try:
        choice = answer["choices"][at]
        told = (choice.get("logprobs") or {}).get("content") or ()
        timings = answer.get("timings") or {}
        return Completion(
            text=str(choice["message"]["content"]),
            tokens=tuple(Token(str(one["token"]), float(one["logprob"])) for one in told),
            prompt_tokens=int(answer["usage"]["prompt_tokens"]),
            cached_tokens=int(timings.get("cache_n", 0)),
            completion_tokens=len(told) or int(answer["usage"]["completion_tokens"]),
            milliseconds=float(timings.get("prompt_ms", 0)) + float(timings.get("predicted_ms", 0)),
            is_cut=choice.get("finish_reason") == "length",
        )
    except (LookupError, TypeError, ValueError, AttributeError) as fault:
        raise CompletionFailed("The model's answer is not as it should be.") from fault


def _told(answer: Any) -> str:
    error = answer.get("error") if isinstance(answer, dict) else None
    return str(error.get("message"))[:200] if isinstance(error, dict) else "no reason given"


def _last_used(path: Path) -> float:
    return path.stat().st_mtime if path.exists() else 0.0


def _tag(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:24]

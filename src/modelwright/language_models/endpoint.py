"""An OpenAI-compatible endpoint as a `Completer`: `POST {base_url}/chat/completions`."""

import json
from collections.abc import Callable, Sequence
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from threading import Event, Thread
from time import monotonic, perf_counter, sleep
from typing import TYPE_CHECKING, Any

from modelwright.core.clock import SystemClock
from modelwright.core.http.bounded_answers import read_body
from modelwright.engines.language.llm.completion import (
    Completion,
    CompletionFailed,
    CompletionRequest,
    Token,
)
from modelwright.engines.language.rules.text.stopping import Stopped

if TYPE_CHECKING:
    import httpx

MAX_TRIES = 4
"""How often a passing failure is tried again, with the first time."""
FIRST_WAIT_SECONDS = 0.5
"""Doubled after each try, unless the endpoint says how long to wait."""
GLANCE_SECONDS = 0.05
"""How often it is looked whether the answer is still wanted."""
PROBE_SECONDS = 3.0
"""How long a model may take to say that it is there."""
OPTIONAL_MEMBERS = ("temperature", "logprobs", "response_format")
"""What some models refuse; left out from then on where one does."""


class _Refused(Exception):
    """The endpoint answered with another status than 200."""

    def __init__(self, status: int, message: str, wait_seconds: float | None) -> None:
        super().__init__(message)
        self.status, self.message, self.wait_seconds = status, message, wait_seconds

    @property
    def is_passing(self) -> bool:
        """Returns whether the same request may be taken later."""
        return (
            self.status == HTTPStatus.TOO_MANY_REQUESTS
            or self.status >= HTTPStatus.INTERNAL_SERVER_ERROR
        )


class Endpoint:
    """One model behind one endpoint that the operator configured. Thread-safe."""

    answers_json = True

    def __init__(self, base_url: str, model: str, key: str, *, sees_values: bool = False) -> None:
        """Makes the client of an endpoint.

        Args:
            base_url: Address before `/chat/completions`.
            model: The model's name there.
            key: What it lets in; empty: it asks for none.
            sees_values: Whether the operator allows values of the data to be sent.
        """
        self._base_url = base_url.rstrip("/")
        self._model = model
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._sees_values = sees_values
        self._left_out: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """Returns the model's name."""
        return self._model or "endpoint"

    @property
    def sees_values(self) -> bool:
        """Returns whether values of the data may be sent."""
        return self._sees_values

    def complete(self, request: CompletionRequest) -> Completion:
        """Completes a conversation; see `Completer.complete`. Nothing is kept with an owner."""
        until = monotonic() + request.seconds
        wait = FIRST_WAIT_SECONDS
        for tried in range(1, MAX_TRIES + 1):
            started = perf_counter()
            try:
                answer = self._post(self._body(request), until, request.stopped)
                return _completion(answer, (perf_counter() - started) * 1000)
            except _Refused as refused:
                if self._leave_out(refused):
                    continue
                pause = wait if refused.wait_seconds is None else refused.wait_seconds
                if not refused.is_passing or tried == MAX_TRIES or monotonic() + pause > until:
                    raise CompletionFailed(f"The endpoint answered {refused.status}.") from None
                _pause(pause, request.stopped)
                wait *= 2
        raise CompletionFailed("The endpoint takes no request of this kind.")

    def sample(self, request: CompletionRequest) -> Sequence[Completion]:
        """Draws nothing: each answer of an endpoint costs money."""
        del request
        return ()

    def probe(self) -> None:
        """Asks whether the endpoint is there and lets the key in, without spending tokens.

        Raises:
            CompletionFailed: It is not, or refuses the key.
        """
        import httpx  # noqa: PLC0415 - heavy, kept out of start-up

        try:
            with httpx.Client(trust_env=False, headers=self._headers) as client:
                status = client.get(f"{self._base_url}/models", timeout=PROBE_SECONDS).status_code
        except (httpx.HTTPError, httpx.InvalidURL) as fault:
            raise _away(fault) from fault
        # Not every server lists its models; what matters is that it answers and lets the key in.
        if status != HTTPStatus.OK and status not in {HTTPStatus.NOT_FOUND, 405}:
            raise CompletionFailed(f"The endpoint answered {status}.")

    def _body(self, request: CompletionRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "temperature": 0,
            "logprobs": True,
            "messages": [{"role": turn.role, "content": turn.content} for turn in request.turns],
            "response_format": {
                "type": "json_schema",
                "json_schema": {
                    "name": "answer",
                    "strict": True,
                    "schema": request.constraint.json_schema,
                },
            },
        }
        return {name: value for name, value in body.items() if name not in self._left_out}

    def _leave_out(self, refused: _Refused) -> bool:
        """Leaves out what the endpoint does not take; tells whether there was something to."""
        if refused.status not in {HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY}:
            return False
        left = [one for one in OPTIONAL_MEMBERS if one not in self._left_out]
        named = [
            one for one in left if one in refused.message or one.split("_")[0] in refused.message
        ]
        if "json_schema" in refused.message and "response_format" in left:
            named.append("response_format")
        self._left_out |= frozenset(named or left)
        return bool(left)

    def _post(self, body: dict[str, Any], until: float, stopped: Stopped) -> Any:
        """Sends a request in a thread of its own, so that it can be left when time is over."""
        done, box = Event(), list[Any]()

        def send() -> None:
            try:
                box.append(self._sent(body, max(GLANCE_SECONDS, until - monotonic())))
            except Exception as fault:  # noqa: BLE001 - raised again by whoever waits
                box.append(fault)
            finally:
                done.set()

        Thread(target=send, name="language-model-endpoint", daemon=True).start()
        while not done.wait(GLANCE_SECONDS):
            if monotonic() > until:
                raise CompletionFailed("The endpoint can't be asked: it took too long (Timeout).")
            if stopped():
                raise CompletionFailed("Nobody waits for the endpoint's answer any more.")
        if isinstance(box[0], Exception):
            raise box[0]
        return box[0]

    def _sent(self, body: dict[str, Any], seconds: float) -> Any:
        import httpx  # noqa: PLC0415 - heavy, kept out of start-up

        address = f"{self._base_url}/chat/completions"
        try:
            with (
                httpx.Client(timeout=seconds, trust_env=False, headers=self._headers) as client,
                client.stream("POST", address, json=body) as response,
            ):
                return _read(response, monotonic() + seconds)
        except (httpx.HTTPError, httpx.InvalidURL) as fault:
            raise _away(fault) from fault


def _read(response: "httpx.Response", until: float) -> Any:
    """Reads an answer; one that drips beyond its time or grows too large is refused."""
    try:
        body = read_body(response, until)
    except ValueError:
        raise CompletionFailed("The endpoint's answer is too long.") from None
    if response.status_code != HTTPStatus.OK:
        reason = body[:2_000].decode("utf-8", "replace")
        raise _Refused(
            response.status_code, reason, _wait_told(response.headers.get("retry-after"))
        )
    try:
        return json.loads(body)
    except ValueError as fault:
        raise CompletionFailed("The endpoint's answer is no JSON.") from fault


def _wait_told(header: str | None) -> float | None:
    """Reads how long an endpoint wants to be left alone: seconds, or a date."""
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        return max(0.0, (parsedate_to_datetime(header) - SystemClock().now()).total_seconds())
    except (ValueError, TypeError):
        return None


def _completion(answer: Any, milliseconds: float) -> Completion:
    try:
        choice = answer["choices"][0]
        content = choice["message"]["content"]
        if not isinstance(content, str):
            raise CompletionFailed("The endpoint's answer has no text.")
        logprobs = (choice.get("logprobs") or {}).get("content") or ()
        usage = answer.get("usage") or {}
        return Completion(
            text=content,
            tokens=tuple(Token(str(one["token"]), float(one["logprob"])) for one in logprobs),
            prompt_tokens=int(usage.get("prompt_tokens") or 0),
            completion_tokens=int(usage.get("completion_tokens") or 0),
            milliseconds=milliseconds,
            is_cut=choice.get("finish_reason") == "length",
        )
    except (LookupError, TypeError, ValueError, AttributeError) as fault:
        raise CompletionFailed("The endpoint's answer has no message.") from fault


def _away(fault: Exception) -> CompletionFailed:
    return CompletionFailed(f"The endpoint can't be asked: {type(fault).__name__}.")


def _pause(seconds: float, stopped: Callable[[], bool]) -> None:
    until = monotonic() + seconds
    while (left := until - monotonic()) > 0 and not stopped():
        sleep(min(left, GLANCE_SECONDS))

"""The one way to the server: sends, repeats what may be repeated, raises what is refused."""

import itertools
import logging
import random
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import quote

import httpx

from modelwright_client.errors import (
    ApiError,
    ModelwrightError,
    UnexpectedResponseError,
    UnreachableError,
    error_class,
)

T = TypeVar("T")
Query = Mapping[str, str | int | None]

NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
BUSY = HTTPStatus.SERVICE_UNAVAILABLE
TOO_MANY = HTTPStatus.TOO_MANY_REQUESTS


LOGGER = logging.getLogger("modelwright_client")
LONG_WAIT = 5.0
"""Seconds from which on it is told why nothing happens."""


@dataclass(frozen=True, slots=True)
class Retry:
    """How often a call is tried, and the pauses in between."""

    attempts: int = 3
    first_wait: float = 0.5
    """Seconds before the second try where the server names none; doubled for each further one."""
    longest_wait: float = 60.0
    """Seconds; a server that asks for more is not waited for."""
    sleep: Callable[[float], None] = time.sleep


class HttpTransport:
    """Requests to one server with one key.

    GET, PATCH and DELETE are repeated when the connection breaks or the server is busy (503), and
    so are POSTs, because each carries an `Idempotency-Key` of its own. 429 is always repeated.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        *,
        transport: httpx.BaseTransport | None = None,
        timeout: float = 60.0,
        retry: Retry | None = None,
    ) -> None:
        self._retry = retry or Retry()
        self._signature = {"Authorization": f"Bearer {_printable(api_key)}"} if api_key else {}
        try:
            self._http = httpx.Client(
                base_url=base_url,
                transport=transport,
                timeout=httpx.Timeout(timeout, connect=5.0),
                headers={"User-Agent": f"modelwright-client/{version('modelwright-platform')}"},
            )
        except httpx.InvalidURL as problem:
            raise UnreachableError(
                f"{base_url!r} is not an address: {problem}. Give one such as"
                " http://localhost:8000."
            ) from problem

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def rest(self) -> None:
        """Pauses as long as before a second try."""
        self._retry.sleep(self._retry.first_wait)

    def get(self, path: str, returns: type[T], query: Query | None = None) -> T:
        """Reads."""
        return self._json("GET", path, returns, query=query)

    def post(self, path: str, returns: type[T], body: Any = None) -> T:
        """Makes something; repeating it cannot make it twice."""
        key = {"Idempotency-Key": secrets.token_hex(16)}
        return self._json("POST", path, returns, body=body, headers=key)

    def ask(
        self,
        path: str,
        returns: type[T],
        body: Any,
        query: Query | None = None,
        *,
        repeat: bool = True,
    ) -> T:
        """Posts what changes nothing, such as rows to predict; needs no `Idempotency-Key`."""
        return self._json("POST", path, returns, body=body, query=query, repeat=repeat)

    def patch(self, path: str, returns: type[T], body: Any) -> T:
        """Amends."""
        return self._json("PATCH", path, returns, body=body)

    def delete(self, path: str, returns: type[T]) -> T:
        """Takes away."""
        return self._json("DELETE", path, returns)

    def rest_before(self, attempt: int) -> bool:
        """Pauses before another attempt than the first; tells that there was one too many."""
        pause = self._pause(attempt)
        if pause is not None:
            self._retry.sleep(pause)
        return pause is not None

    def put_object(
        self,
        url: str,
        content: Callable[[], Iterator[bytes]],
        size: int,
        content_type: str,
        *,
        repeat: bool = True,
    ) -> None:
        """Sends bytes to a pre-signed URL, without the key; `content` starts over at each try."""
        headers = {"Content-Type": content_type, "Content-Length": str(size)}
        self._answer(
            lambda: self._http.build_request("PUT", url, headers=headers, content=content()),
            repeat=repeat,
        )

    @contextmanager
    def stream(
        self, path: str, *, signed: bool = True, headers: Mapping[str, str] | None = None
    ) -> Iterator[httpx.Response]:
        """Opens an answer whose body is read as it comes; a signed address needs no key."""
        sent = {**(self._signature if signed else {}), **(headers or {})}
        response = self._answer(
            lambda: self._http.build_request("GET", path, headers=sent), stream=True
        )
        try:
            yield response
        except httpx.TransportError as problem:
            raise _unreachable(problem, response.request.url) from problem
        finally:
            response.close()

    def download(self, path: str, target: Path, name: str, *, signed: bool = True) -> Path:
        """Fetches bytes in constant memory into a file, or into a folder under a name.

        Whatever the server calls it, it stays in the folder.
        """
        place = target / Path(name).name if target.is_dir() else target
        part = place.with_name(place.name + ".part")
        with self.stream(path, signed=signed) as answer, part.open("wb") as out:
            for chunk in answer.iter_bytes():
                out.write(chunk)
        return part.replace(place)

    def _json(
        self,
        method: str,
        path: str,
        returns: type[T],
        *,
        body: Any = None,
        query: Query | None = None,
        headers: Mapping[str, str] | None = None,
        repeat: bool = True,
    ) -> T:
        """Sends a request and reads its answer as JSON."""
        del returns  # it names the type for the reader and the type checker
        sent = {**self._signature, **(headers or {})}

        def build() -> httpx.Request:
            params = drop_none(query or {})
            try:
                return self._http.build_request(
                    method, path, params=params, headers=sent, json=body
                )
            except (TypeError, ValueError) as problem:
                advice = "give None for what is missing, and dates as ISO text."
                raise ModelwrightError(f"This is no JSON ({problem}): {advice}") from problem

        response = self._answer(build, repeat=repeat)
        try:
            return cast("T", response.json())
        except ValueError as problem:
            raise UnexpectedResponseError(
                f"{response.request.url} did not answer in JSON; is a Modelwright server there?"
            ) from problem

    def _answer(
        self, build: Callable[[], httpx.Request], *, repeat: bool = True, stream: bool = False
    ) -> httpx.Response:
        """Sends a request until it is answered; waits where the server is busy or says so."""
        for attempt in itertools.count(1):
            request = build()
            try:
                response = self._http.send(request, stream=stream)
                if response.is_success:
                    return response
                response.read()
            except httpx.TransportError as problem:
                pause = self._pause(attempt) if _again(problem, repeat=repeat) else None
                if pause is None:
                    raise _unreachable(problem, request.url) from problem
            else:
                refusal = _refusal(response)
                worth_it = refusal.status == TOO_MANY or (repeat and refusal.status == BUSY)
                pause = self._pause(attempt, refusal.retry_after) if worth_it else None
                if pause is None:
                    raise refusal
                if pause >= LONG_WAIT:
                    LOGGER.warning("%s Trying again in %.0f seconds.", refusal, pause)
            self._retry.sleep(pause)
        raise AssertionError  # pragma: no cover - count() does not end

    def _pause(self, attempt: int, asked: float | None = None) -> float | None:
        if attempt >= self._retry.attempts or (asked or 0) > self._retry.longest_wait:
            return None
        if asked is not None:
            return asked
        longest: float = self._retry.first_wait * 2 ** (attempt - 1)
        return longest * random.uniform(0.5, 1)  # noqa: S311 - spreads callers, hides nothing


class Resource:
    """One part of the API, whose operations are its methods."""

    def __init__(self, calls: HttpTransport) -> None:
        self._calls = calls


def drop_none(members: Mapping[str, Any]) -> dict[str, Any]:
    """Leaves out what was not given, so that the server's defaults hold."""
    return {name: value for name, value in members.items() if value is not None}


def path(*parts: str) -> str:
    """Joins names to a path; a name with a slash or a space stays one part."""
    return "/" + "/".join(quote(part, safe="") for part in parts)


def _printable(api_key: str) -> str:
    key = api_key.strip()
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise ModelwrightError("The API key has characters that no key has; copy it once more.")
    return key


def _again(problem: httpx.TransportError, *, repeat: bool) -> bool:
    if isinstance(problem, httpx.UnsupportedProtocol):
        return False
    return repeat or isinstance(problem, NEVER_SENT)


def _unreachable(problem: httpx.TransportError, url: httpx.URL) -> UnreachableError:
    reason = str(problem).rstrip(".") or type(problem).__name__
    return UnreachableError(f"No answer from {url.copy_with(query=None)}: {reason}.")


def _refusal(response: httpx.Response) -> ApiError:
    try:
        error = response.json()["error"]
        status, code, message = int(error["status"]), str(error["code"]), str(error["message"])
    except (ValueError, KeyError, TypeError):
        error, status, code = {}, response.status_code, ""
        said = " ".join(response.text[:200].split())
        message = f"{response.request.url.copy_with(query=None)} answered {status}: {said}"
    return error_class(status)(
        message,
        code=code,
        status=status,
        details=error.get("details") or (),
        request_id=error.get("request_id") or response.headers.get("X-Request-Id"),
        retry_after=_seconds(response.headers.get("Retry-After")),
    )


def _seconds(header: str | None) -> float | None:
    try:
        return float(header) if header else None
    except ValueError:
        return None

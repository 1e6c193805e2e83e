"""How bodies are read: JSON as the standard has it, whatever Python takes besides."""

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.datastructures import Headers

from modelwright.core.errors import InvalidRequest
from modelwright.core.http.json import check_part_count, invalid_json_error

MAX_JSON_MARKS = 100_000
"""Commas and brackets at most: reading and checking keeps all other requests waiting. The longest
list that is taken, of 10,000 truths, has 30,000."""


class JsonRoute(APIRoute):
    """A route whose body is JSON as the standard has it."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Makes what answers a request."""
        answer = super().get_route_handler()

        async def read_strictly(request: Request) -> Response:
            return await answer(_JsonRequest(request.scope, request.receive))

        return read_strictly


class _JsonRequest(Request):
    async def json(self) -> Any:
        """Reads the body; refuses NaN and infinities, which Python alone takes for JSON.

        Refuses more parts than any body needs, too.
        """
        body = await self.body()
        check_part_count(body, b",[{", MAX_JSON_MARKS)
        try:
            return json.loads(body, parse_constant=_no_json)
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as fault:
            raise invalid_json_error(body, fault) from None
        except ValueError:  # Python's own bound
            raise InvalidRequest("A number in the body has too many digits.") from None


def _no_json(constant: str) -> Any:
    raise json.JSONDecodeError(f"{constant} is no JSON", constant, 0)


def check_type(headers: Headers) -> None:
    """Refuses a body that is said to be something else than JSON; nothing said is JSON."""
    content_type = headers.get("content-type") or "application/json"
    kind = content_type.partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        raise InvalidRequest("The Content-Type must be application/json.")

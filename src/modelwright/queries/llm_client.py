"""Asks an OpenAI-compatible endpoint: `POST {base_url}/chat/completions`, structured output."""

import json
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

from modelwright.queries.llm_sql import Turn, WritingFailed

if TYPE_CHECKING:
    import httpx

MOST_BYTES = 1024**2
OK = 200


class Endpoint:
    """The language model that the operator configured."""

    def __init__(self, base_url: str, model: str, key: str) -> None:
        self._address = base_url.rstrip("/") + "/chat/completions"
        self._model = model
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    def complete(self, turns: Sequence[Turn], schema: dict[str, Any], seconds: float) -> str:
        """Answers within `seconds`; refuses with `WritingFailed`."""
        import httpx  # noqa: PLC0415 - heavy, kept out of start-up

        body = {
            "model": self._model,
            "temperature": 0,
            "messages": [{"role": turn.role, "content": turn.content} for turn in turns],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": schema},
            },
        }
        until = monotonic() + seconds
        try:
            with (
                httpx.Client(timeout=seconds, trust_env=False, headers=self._headers) as client,
                client.stream("POST", self._address, json=body) as response,
            ):
                return _content(response, until)
        except (httpx.HTTPError, httpx.InvalidURL) as fault:
            raise WritingFailed(f"The endpoint cannot be asked: {type(fault).__name__}.") from fault


def _content(response: "httpx.Response", until: float) -> str:
    """Reads the answer's text; one that drips beyond its time or grows too large is refused."""
    told = b""
    for piece in response.iter_bytes():
        told += piece
        if len(told) > MOST_BYTES or monotonic() > until:
            raise WritingFailed("The endpoint's answer is too long.")
    if response.status_code != OK:
        raise WritingFailed(f"The endpoint answered {response.status_code}.")
    try:
        content = json.loads(told)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError) as fault:
        raise WritingFailed("The endpoint's answer has no message.") from fault
    if not isinstance(content, str):
        raise WritingFailed("The endpoint's answer has no text.")
    return content

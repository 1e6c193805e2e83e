"""Predictions packed for the database: ids of 16 bytes, the answers, and their links as float32."""

import zlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from modelwright.monitoring.domain import FeedbackKey, FoundPrediction, NotedRequest
from modelwright.monitoring.prediction_buffer import in_chunks


class Packed(NamedTuple):
    """Some predictions, and between which moments (milliseconds) their requests came."""

    first_ms: int
    last_ms: int
    rows: int
    content: bytes


def pack(noted: Sequence[NotedRequest]) -> Packed | None:
    """Packs what was noted of one version; None when no id is one of ours."""
    import numpy as np  # noqa: PLC0415 - heavy, kept out of start-up

    asked = [
        (one, known)
        for some in in_chunks(noted)
        for one in some
        if (known := FeedbackKey.of(one.request_id)) is not None
    ]
    if not asked:
        return None
    moments = [known.milliseconds for _, known in asked]
    lengths = [len(one.told) for one, _ in asked]
    content = {
        "keys": b"".join(known.key for _, known in asked),
        "rows": lengths,
        "told": np.concatenate([one.told for one, _ in asked]).astype("<f8").tobytes(),
        "link": np.concatenate([one.link for one, _ in asked]).astype("<f4").tobytes(),
    }
    packed = zlib.compress(msgspec.msgpack.encode(content), 1)
    return Packed(min(moments), max(moments), sum(lengths), packed)


def unpack(content: bytes) -> Iterator[tuple[bytes, list[FoundPrediction]]]:
    """Yields the predictions by their request's key."""
    import numpy as np  # noqa: PLC0415 - heavy, kept out of start-up

    held: dict[str, Any] = msgspec.msgpack.decode(zlib.decompress(content))
    told = np.frombuffer(held["told"], "<f8").tolist()
    width = len(held["link"]) // max(len(told), 1)
    at = 0
    for place, rows in enumerate(held["rows"]):
        key = held["keys"][16 * place : 16 * place + 16]
        yield (
            key,
            [
                FoundPrediction(told[row], held["link"][width * row : width * (row + 1)])
                for row in range(at, at + rows)
            ],
        )
        at += rows

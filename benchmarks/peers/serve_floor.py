"""The floor: one LightGBM model behind hand-written Starlette and msgspec, with what users pay for.

A key (SHA-256 and one read from SQLite), a token bucket, typed members, a count and a log line.
`python serve_floor.py PORT FOLDER`; the folder has `model.txt`, `row.json` and `floor.sqlite`.
"""

import hashlib
import json
import logging
import sqlite3
import sys
import time
import uuid
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import lightgbm
import msgspec
import numpy as np
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

PORT = int(sys.argv[1])
FOLDER = Path(sys.argv[2])
PER_SECOND = 1e6
"""Requests of an account a second, so many that none is refused."""
BURST = 1e6
"""Requests of an account at once."""
NAMES = tuple(json.loads((FOLDER / "row.json").read_text("utf-8")))
Row = msgspec.defstruct("Row", [(name, float | None) for name in NAMES])
booster = lightgbm.Booster(model_file=FOLDER / "model.txt")
database = sqlite3.connect(FOLDER / "floor.sqlite", check_same_thread=False)
decode = msgspec.json.Decoder(Row).decode
encode = msgspec.json.Encoder().encode
logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger("floor")
buckets: dict[str, tuple[float, float]] = {}
used: Counter[str] = Counter()


def allowed(account: str) -> bool:
    now = time.monotonic()
    left, before = buckets.get(account, (BURST, now))
    left = min(BURST, left + (now - before) * PER_SECOND)
    buckets[account] = (left - 1, now) if left >= 1 else (left, now)
    return left >= 1


def refused(status: int, code: str) -> Response:
    return Response(encode({"error": code}), status, media_type="application/json")


async def infer(request: Request) -> Response:
    started = time.perf_counter()
    request_id = uuid.uuid4().hex  # noqa: TID251 - it knows nothing of modelwright
    hashed = hashlib.sha256(request.headers.get("x-api-key", "").encode()).hexdigest()
    found = database.execute(
        "SELECT account, revoked FROM keys WHERE hash = ?", (hashed,)
    ).fetchone()
    if found is None or found[1]:
        return refused(401, "invalid_key")
    account = found[0]
    if not allowed(account):
        return refused(429, "rate_limited")
    try:
        row = decode(await request.body())
    except msgspec.DecodeError as error:
        return refused(422, str(error))
    values = np.array([msgspec.structs.astuple(row)], dtype=float)
    chance = float(booster.predict(values, num_threads=1)[0])
    used[account] += 1
    answer = {
        "request_id": request_id,
        "result": {"income": ">50K" if chance > 0.5 else "<=50K"},
        "probability": chance,
        "created_at": datetime.now(UTC).isoformat(),  # noqa: TID251 - nor of its clock
    }
    spent = (time.perf_counter() - started) * 1000
    told = request_id, account, request.url.path, spent
    log.info("request=%s account=%s path=%s ms=%.2f", *told)
    return Response(
        encode(answer), media_type="application/json", headers={"X-Request-Id": request_id}
    )


app = Starlette(routes=[Route("/infer", infer, methods=["POST"])])

if __name__ == "__main__":
    uvicorn.run(app, port=PORT, log_level="warning", access_log=False, http="httptools")

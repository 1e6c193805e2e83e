"""The main job on real tables over HTTP: seconds to complete, to READY, requests a second.

`python -m benchmarks.journey [--seconds 60] [--tables adult telco ...]`
"""

import argparse
import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.report import table
from benchmarks.server import build, load, running, upload
from benchmarks.tables import shared

LOAD_SECONDS = 5.0


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--seconds", type=float, default=60)
    reader.add_argument("--tables", nargs="*")
    asked = reader.parse_args()
    listed = shared()
    chosen = [one for one in listed if one["name"] in (asked.tables or [one["name"]])]
    with running(build_seconds=str(asked.seconds)) as server:
        start = {
            "first healthy s": round(server.healthy_seconds, 2),
            "later healthy s": round(server.again_seconds, 2),
            **server.memory(),
        }
        rows = [journey(server, one) for one in chosen]
    print(table([start]))
    print(table(rows))


def journey(server: Any, told: dict[str, Any]) -> dict[str, Any]:
    """Takes one table from the file to answers."""
    path = told["path"]
    with server.client as client:
        upload_id, processed = upload(client, path)
        name = told["name"]
        ready = build(client, name, f"Predict {told['target']}", upload_id)
        schema = client.get(f"/models/{name}").json()["input_schema"]
        row = _first_row(path, schema)
        place = f"/models/{name}/v1.0/infer"
        client.post(place, json=row).raise_for_status()
        one = load(server, place, row, 1, LOAD_SECONDS)
        many = load(server, place, row, 16, LOAD_SECONDS)
    return {
        "table": name,
        "rows": told["rows"],
        "complete s": round(processed, 2),
        "READY s": round(ready, 1),
        "1 conn req/s": one["requests_s"],
        "p50 ms": one["p50_ms"],
        "16 conn req/s": many["requests_s"],
        "p99 ms": many["p99_ms"],
        "CPU us/req": many["cpu_us"],
    }


def _first_row(path: Path, schema: dict[str, str]) -> dict[str, Any]:
    read: dict[str, Callable[[str], Any]] = {
        "integer": int,
        "float": float,
        "boolean": lambda text: text == "true",
    }
    with path.open(encoding="utf-8", newline="") as file:
        for raw in csv.DictReader(file):
            if all(raw[field] for field in schema):
                break
    return {field: read.get(kind, str)(raw[field]) for field, kind in schema.items()}


if __name__ == "__main__":
    main()

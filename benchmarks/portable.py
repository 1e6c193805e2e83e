"""Downloaded models against the server that built them, on 10,000 rows of each real table.

`python -m benchmarks.portable [--seconds 20] [--tables adult telco ...] [--keep FOLDER]`
The download predicts in a process that can import numpy and ONNX Runtime, nothing else.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.report import table
from benchmarks.server import build, running, upload
from benchmarks.tables import jsonable, shared

ROWS = 10_000
"""Rows that are predicted."""
EXPLAINED = 200
"""Rows of them that are explained too."""
TOLERANCE = 1e-6
"""Largest difference between the server's numbers and those of the artifact alone."""
ALONE = """
import json, sys, time
from importlib.abc import MetaPathFinder

class Wall(MetaPathFinder):
    kept = {"numpy", "onnxruntime", "modelwright_client", "modelwright_runtime"}
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in self.kept or top in sys.stdlib_module_names:
            return None
        raise ModuleNotFoundError(f"no {name} without the server", name=name)

sys.meta_path.insert(0, Wall())
import modelwright_client
asked, model, out = sys.argv[1:]
told = json.load(open(asked))
import onnxruntime
load = modelwright_client.load
clock = time.process_time()
predictor = load(model)
loaded = time.process_time()
begun = time.perf_counter()
answers = predictor.predict(told["rows"], include=["probabilities", "interval"])
done = time.perf_counter()
explained = predictor.predict(told["rows"][: told["explained"]], include=["explanation"])
json.dump({"answers": answers, "explained": explained,
           "load_ms": (loaded - clock) * 1e3, "seconds": done - begun}, open(out, "w"))
"""


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--seconds", type=float, default=20)
    reader.add_argument("--tables", nargs="*")
    reader.add_argument("--keep", type=Path, help="where the downloads are left")
    asked = reader.parse_args()
    listed = shared()
    chosen = [one for one in listed if one["name"] in (asked.tables or [one["name"]])]
    with (
        running(build_seconds=str(asked.seconds)) as server,
        tempfile.TemporaryDirectory() as folder,
    ):
        rows = [compare(server, one, asked.keep or Path(folder)) for one in chosen]
    print(table(rows))
    return 0 if all(one["largest difference"] <= TOLERANCE for one in rows) else 1


def compare(server: Any, told: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Builds a table's model, downloads it, and predicts the same rows with both."""
    path, name = told["path"], told["name"]
    with server.client as client:
        upload_id, _ = upload(client, path)
        build(client, name, f"Predict {told['target']}", upload_id)
        schema = client.get(f"/models/{name}").json()["input_schema"]
        rows = _rows(path, schema)
        model = folder / f"{name}.zip"
        model.write_bytes(client.get(f"/models/{name}/v1.0/artifact").raise_for_status().content)
        (folder / f"{name}.html").write_text(
            client.get(f"/models/{name}/v1.0/card", params={"format": "html"}).text, "utf-8"
        )
        place = f"/models/{name}/v1.0/predictions"
        include = {"include": "probabilities,interval"}
        theirs = client.post(place, json=rows, params=include).raise_for_status().json()
        include = {"include": "explanation"}
        explained = client.post(place, json=rows[:EXPLAINED], params=include).json()
    started = time.perf_counter()
    ours = _alone(rows, model)
    pairs = zip([*theirs, *explained], [*ours["answers"], *ours["explained"]], strict=True)
    return {
        "table": name,
        "rows": len(rows),
        "largest difference": max(difference(one, two) for one, two in pairs),
        "MB": round(model.stat().st_size / 1e6, 2),
        "load CPU ms": round(ours["load_ms"]),
        "rows/s": round(len(rows) / ours["seconds"]),
        "s in all": round(time.perf_counter() - started, 1),
    }


def _rows(path: Path, schema: dict[str, str]) -> list[dict[str, Any]]:
    """Reads rows as a request would send them, from the top again where the table is shorter."""
    from pyarrow import csv

    options = csv.ConvertOptions(strings_can_be_null=True)
    columns = csv.read_csv(path, convert_options=options).select(list(schema))
    found = [jsonable(row) for row in columns.slice(0, ROWS).to_pylist()]
    return (found * (ROWS // len(found) + 1))[:ROWS]


def _alone(rows: list[dict[str, Any]], model: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        asked, out = Path(folder) / "asked.json", Path(folder) / "out.json"
        asked.write_text(json.dumps({"rows": rows, "explained": EXPLAINED}), "utf-8")
        command = [sys.executable, "-c", ALONE, str(asked), str(model), str(out)]
        subprocess.run(command, check=True)
        return dict(json.loads(out.read_text("utf-8")))


def difference(one: Any, two: Any) -> float:
    """Gives the largest difference of two answers' numbers, infinity where all else differs."""
    if isinstance(one, dict) and isinstance(two, dict):
        names = (one.keys() | two.keys()) - {"request_id"}
        return max((difference(one.get(name), two.get(name)) for name in names), default=0.0)
    if isinstance(one, int | float) and isinstance(two, int | float):
        return abs(one - two)
    return 0.0 if one == two else float("inf")


if __name__ == "__main__":
    sys.exit(main())

"""What `benchmarks.serving` serves everywhere: a LightGBM booster, ours with the same trees."""

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from benchmarks.peers.serving import KEY, Ask
from benchmarks.server import build, running, upload
from benchmarks.tables import WORK, named
from modelwright.engines.automl.artifact import Artifact, save
from modelwright.engines.automl.estimators.lightgbm import _read
from modelwright.storage.checked import CheckedObjects
from modelwright.storage.disk import DiskObjectStore
from modelwright.storage.url_signer import UrlSigner
from modelwright_runtime.columns import NumberColumn
from modelwright_runtime.components.trees import SummedTrees
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.model import Model
from modelwright_runtime.objective import Objective

ROUNDS = 100
"""Trees of the model."""
ROW = 7
"""Number of the row that is predicted, any one."""
BUILD_SECONDS = 10
CLASSES = ["<=50K", ">50K"]


def made() -> Path:
    """Learns the booster once; gives the folder of `model.txt`, `row.json` and `table.csv`."""
    import lightgbm
    import pandas as pd

    folder = WORK / "serving"
    if (folder / "floor.sqlite").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    frame = pd.read_csv(named("adult")["path"])
    target = frame.pop("income")
    for name in frame.columns[[not pd.api.types.is_numeric_dtype(one) for one in frame.dtypes]]:
        frame[name] = pd.factorize(frame[name])[0]
    options = {"objective": "binary", "verbosity": -1, "seed": 0}
    data = lightgbm.Dataset(frame, (target == CLASSES[1]).astype(int))
    model = lightgbm.train(options, data, ROUNDS)
    model.save_model(folder / "model.txt")
    row = {name: int(value) for name, value in frame.iloc[ROW].items()}
    (folder / "row.json").write_text(json.dumps(row), "utf-8")
    expected = float(model.predict(frame.iloc[[ROW]].to_numpy(dtype=float))[0])
    (folder / "expected.json").write_text(json.dumps(expected), "utf-8")
    frame.assign(income=target).to_csv(folder / "table.csv", index=False)
    _keys(folder / "floor.sqlite")
    return folder


def _keys(path: Path) -> None:
    """Writes a table of a thousand keys; the one that is used is among them."""
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE keys (hash TEXT PRIMARY KEY, account TEXT, revoked INTEGER)")
        for number, key in enumerate([KEY, *map(str, range(999))]):
            hashed = hashlib.sha256(key.encode()).hexdigest()
            database.execute("INSERT INTO keys VALUES (?, ?, 0)", (hashed, f"account {number}"))
    database.close()


@contextmanager
def ours(folder: Path, **settings: str) -> Iterator[Ask]:
    """Runs a server with its defaults and a version it built, with the booster's trees."""
    with running(build_seconds=str(BUILD_SECONDS), **settings) as server:
        with server.client as client:
            upload_id, _ = upload(client, folder / "table.csv")
            build(client, "adult", "Predict income", upload_id)
        objects = server.data / "objects"
        store = CheckedObjects(DiskObjectStore(objects, UrlSigner(b"")))
        for artifact in (objects / "artifacts").glob("*/*/"):
            put_trees(folder, artifact)
            # Stored anew, or the server takes what it does not know for damaged.
            store.put_folder(artifact.relative_to(objects).as_posix(), artifact)
        row = json.loads((folder / "row.json").read_text("utf-8"))
        yield Ask(
            "modelwright", f"{server.url}/models/adult/v1.0/infer", row, server.process,
            server.healthy_seconds, headers={"x-api-key": server.key},
            read=lambda told: told["probabilities"][CLASSES[1]], more="?include=probabilities",
            expected=json.loads((folder / "expected.json").read_text("utf-8")),
        )  # fmt: skip


def put_trees(folder: Path, artifact: Path) -> None:
    """Puts the booster's trees into an artifact, in place of those that were learnt."""
    import lightgbm

    from modelwright_runtime.artifact import load_artifact

    kept = load_artifact(artifact / "model.zip")
    names = list(json.loads((folder / "row.json").read_text("utf-8")))
    goal = Objective("binary", len(CLASSES))
    encoder = Encoder(tuple(NumberColumn(name, "float", gaps=False) for name in names))
    booster = lightgbm.Booster(model_file=folder / "model.txt")
    forest = _read(booster, ROUNDS, goal, list(range(len(names))))
    model = Model.of(goal, encoder, np.zeros(1), [SummedTrees(forest)])
    answers: dict[str, Any] = {
        "target": "income", "type": "string", "classes": CLASSES, "offset": [0.0, 0.0],
        "interval": None,
    }  # fmt: skip
    training = msgspec.json.decode((artifact / "training.json").read_bytes())
    manifest = {name: one for name, one in kept.manifest.items() if name != "members"}
    save(artifact, Artifact(model, answers, manifest, training))

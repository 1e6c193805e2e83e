"""FLAML on one split; run by its own environment: train, test, target, task, seconds."""

import json
import sys
import tempfile
import time
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
from flaml import AutoML

train_path, test_path, target, task, seconds = sys.argv[1:]
train, test = pd.read_csv(train_path), pd.read_csv(test_path)
known, truth = train.pop(target), test.pop(target)
regression = task == "regression"
model = AutoML()
begun = time.monotonic()
model.fit(
    train,
    known,
    task="regression" if regression else "classification",
    metric="rmse" if regression else "log_loss",
    time_budget=float(seconds),
    n_jobs=2,
    verbose=0,
)
wall = time.monotonic() - begun
if regression:
    loss = float(np.sqrt(np.mean((model.predict(test) - truth) ** 2)))
else:
    places = {name: place for place, name in enumerate(model.classes_)}
    chances = model.predict_proba(test)
    picked = chances[np.arange(len(truth)), [places[one] for one in truth]]
    loss = float(-np.log(np.clip(picked, 1e-15, 1)).mean())
with tempfile.TemporaryDirectory() as folder:
    size = Path(joblib.dump(model, f"{folder}/model")[0]).stat().st_size
print(json.dumps({"loss": loss, "wall": round(wall, 1), "mb": round(size / 1e6, 2)}))

"""AutoGluon medium on one split; run by its own environment: train, test, target, task, seconds."""

import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from autogluon.tabular import TabularPredictor

train_path, test_path, target, task, seconds = sys.argv[1:]
train, test = pd.read_csv(train_path), pd.read_csv(test_path)
measure = "root_mean_squared_error" if task == "regression" else "log_loss"
with tempfile.TemporaryDirectory() as folder:
    begun = time.monotonic()
    model = TabularPredictor(
        label=target, problem_type=task, eval_metric=measure, path=folder, verbosity=0
    )
    model.fit(train, time_limit=float(seconds), presets="medium_quality", num_cpus=2)
    wall = time.monotonic() - begun
    if task == "regression":
        loss = float(np.sqrt(np.mean((model.predict(test) - test[target]) ** 2)))
    else:
        chances = model.predict_proba(test)
        picked = np.array([chances.loc[i, truth] for i, truth in test[target].items()])
        loss = float(-np.log(np.clip(picked, 1e-15, 1)).mean())
    size = sum(one.stat().st_size for one in Path(folder).rglob("*") if one.is_file())
print(json.dumps({"loss": loss, "wall": round(wall, 1), "mb": round(size / 1e6, 2)}))

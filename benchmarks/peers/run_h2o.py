"""H2O AutoML on one split; run by its own environment (and Java).

Arguments: train, test, target, task, seconds.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

import h2o
import numpy as np
from h2o.automl import H2OAutoML

train_path, test_path, target, task, seconds = sys.argv[1:]
h2o.init(nthreads=2, max_mem_size="8G", bind_to_localhost=True, verbose=False)
h2o.no_progress()
try:
    train, test = (h2o.import_file(path, header=1) for path in (train_path, test_path))
    if task != "regression":
        train[target], test[target] = train[target].asfactor(), test[target].asfactor()
    measure = "RMSE" if task == "regression" else "logloss"
    model = H2OAutoML(max_runtime_secs=int(float(seconds)), seed=0, sort_metric=measure)
    begun = time.monotonic()
    model.train(y=target, training_frame=train)
    wall = time.monotonic() - begun
    with tempfile.TemporaryDirectory() as folder:
        size = Path(h2o.save_model(model.leader, path=folder)).stat().st_size
    truth = test[target].as_data_frame()[target]
    answers = model.leader.predict(test).as_data_frame()
    if task == "regression":
        loss = float(np.sqrt(np.mean((answers["predict"] - truth) ** 2)))
    else:
        heads = {str(head): place for place, head in enumerate(answers.columns)}
        places = [
            heads.get(str(one), heads.get(f"p{one}", heads.get(str(one).replace(" ", "."))))
            for one in truth
        ]
        picked = answers.to_numpy()[np.arange(len(truth)), places].astype(float)
        loss = float(-np.log(np.clip(picked, 1e-15, 1)).mean())
finally:
    h2o.cluster().shutdown()
print(json.dumps({"loss": loss, "wall": round(wall, 1), "mb": round(size / 1e6, 2)}))

"""Saves the booster as a peer wants it: `python save_model.py mlflow|mlserver FOLDER`."""

import json
import shutil
import sys
from pathlib import Path

wanted, folder = sys.argv[1], Path(sys.argv[2])

if wanted == "mlflow":
    import lightgbm
    import mlflow

    mlflow.lightgbm.save_model(lightgbm.Booster(model_file=folder / "model.txt"), folder / wanted)
else:
    (folder / wanted).mkdir()
    shutil.copy(folder / "model.txt", folder / wanted / "model.bst")
    settings = {
        "name": "adult",
        "implementation": "mlserver_lightgbm.LightGBMModel",
        "parameters": {"uri": "./model.bst"},
    }
    (folder / wanted / "model-settings.json").write_text(json.dumps(settings), "utf-8")

"""The booster behind Ray Serve: `python serve_ray.py PORT FOLDER`."""

import signal
import sys
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import ray
from ray import serve

PORT = int(sys.argv[1])
FOLDER = Path(sys.argv[2])


@serve.deployment(num_replicas=1, max_ongoing_requests=100)
class Adult:
    """One row to one probability."""

    def __init__(self, path: str) -> None:
        self.model = lightgbm.Booster(model_file=path)

    async def __call__(self, request: Any) -> float:
        """Answers."""
        row = (await request.json())["row"]
        return float(self.model.predict(np.array([row]), num_threads=1)[0])


signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
ray.init(include_dashboard=False, num_cpus=2)
serve.start(http_options={"host": "127.0.0.1", "port": PORT})
serve.run(Adult.bind(str(FOLDER / "model.txt")))
signal.pause()

"""The booster behind BentoML: `bentoml serve serve_bentoml:Adult`; `SERVED` names its folder."""

import os
from pathlib import Path

import bentoml
import lightgbm
import numpy as np


@bentoml.service(workers=1)
class Adult:
    """One row to one probability."""

    def __init__(self) -> None:
        self.model = lightgbm.Booster(model_file=Path(os.environ["SERVED"]) / "model.txt")

    @bentoml.api(route="/infer")
    async def infer(self, row: list[float]) -> float:
        """Answers."""
        return float(self.model.predict(np.array([row]), num_threads=1)[0])

"""Writes the server's OpenAPI document, from which the console's types are made."""  # noqa: INP001 - a script

import json
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from modelwright.app import create_app
from modelwright.core.settings import Settings
from modelwright.wiring import build

with tempfile.TemporaryDirectory() as folder:
    house = build(Settings(data_dir=Path(folder)))
    with closing(house.database):
        json.dump(create_app(house).openapi(), sys.stdout)

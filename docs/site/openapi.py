"""Writes docs/openapi.json: the document that the server serves at /openapi.json."""  # noqa: INP001 - a script

import json
import tempfile
from contextlib import closing
from pathlib import Path

from modelwright.bootstrap.container import build_container
from modelwright.core.config.settings import Settings
from modelwright.server.app import create_app
from modelwright.server.openapi.document import document

with tempfile.TemporaryDirectory() as folder:
    house = build_container(Settings(data_dir=Path(folder)))
    with closing(house.database):
        made = json.dumps(document(create_app(house)), indent=1, ensure_ascii=False)
(Path(__file__).parents[1] / "openapi.json").write_text(made + "\n", "utf-8")

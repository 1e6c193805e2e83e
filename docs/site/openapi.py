"""Writes docs/openapi.json, the document that the server serves, and the client's types of it."""  # noqa: INP001 - a script

import json
import tempfile
from contextlib import closing
from pathlib import Path

from client_types import DOCUMENT, TYPES, generated

from modelwright.bootstrap.container import build_container
from modelwright.core.config.settings import Settings
from modelwright.server.app import create_app
from modelwright.server.openapi.document import document

with tempfile.TemporaryDirectory() as folder:
    container = build_container(Settings(data_dir=Path(folder)))
    with closing(container.database):
        made = json.dumps(document(create_app(container)), indent=1, ensure_ascii=False)
DOCUMENT.write_text(made + "\n", "utf-8")
TYPES.write_text(generated(), "utf-8")

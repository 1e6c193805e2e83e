"""A client that openapi-python-client makes of docs/openapi.json has every operation, and works."""

import importlib
import inspect
import json
import subprocess
import sys
from collections.abc import Iterator
from enum import Enum
from types import ModuleType
from typing import Any, get_args

import pytest
from tests.release.test_installed import ROOT, UV

pytestmark = pytest.mark.release

GENERATOR = "openapi-python-client==0.29.1"
"""In an environment of its own: it needs another typer than ours."""
DOCUMENT: dict[str, Any] = json.loads((ROOT / "docs" / "openapi.json").read_text("utf-8"))
OPERATIONS = {
    operation["operationId"]: (verb, path, operation)
    for path, verbs in DOCUMENT["paths"].items()
    for verb, operation in verbs.items()
}


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    folder = tmp_path_factory.mktemp("generated")
    command = [UV, "tool", "run", "--from", GENERATOR, "openapi-python-client", "generate"]
    options = ["--path", ROOT / "docs" / "openapi.json", "--meta", "none"]
    output = folder / "generated_client"
    subprocess.run(
        [*map(str, [*command, *options, "--output-path", output])],
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    sys.path.insert(0, str(folder))
    yield importlib.import_module("generated_client")
    sys.path.remove(str(folder))


def module_of(client: ModuleType, name: str) -> ModuleType:
    tag = OPERATIONS[name][2]["tags"][0].replace("-", "_")
    return importlib.import_module(f"{client.__name__}.api.{tag}.{name.replace('.', '_')}")


def value_of(annotation: Any, example: Any) -> Any:
    """Makes an argument of the generated type from the document's example."""
    for kind in (annotation, *get_args(annotation)):
        if hasattr(kind, "from_dict"):
            several = isinstance(example, list)
            return [kind.from_dict(one) for one in example] if several else kind.from_dict(example)
        if inspect.isclass(kind) and issubclass(kind, Enum):
            return next(iter(kind))
        if kind is int:
            return 1
    return "nobody"


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_an_operation_can_be_called(generated: ModuleType, name: str) -> None:
    verb, path, operation = OPERATIONS[name]
    module = module_of(generated, name)
    content = operation.get("requestBody", {}).get("content", {})
    body = content.get("application/json", {})
    example = body.get("example", {})
    arguments = {
        parameter.name: value_of(parameter.annotation, example)
        for parameter in inspect.signature(module._get_kwargs).parameters.values()
        if parameter.default is parameter.empty and parameter.name != "body"
    }
    if "body" in inspect.signature(module._get_kwargs).parameters:
        annotation = inspect.signature(module._get_kwargs).parameters["body"].annotation
        if content.keys() == {"application/octet-stream"}:
            example = importlib.import_module(f"{generated.__name__}.types").File(payload=b"")
            arguments["body"] = example
        else:
            arguments["body"] = value_of(annotation, example)
    made = module._get_kwargs(**arguments)
    assert made["method"] == verb
    assert made["url"].count("/") == path.count("/")
    assert {"sync_detailed", "asyncio_detailed"} <= vars(module).keys()

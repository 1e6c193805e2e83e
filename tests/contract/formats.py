"""What a value of the contract looks like, and the check of an answer against its shape."""

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from tests.contract.shapes import COLUMN, Shape

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z")
ID = r"[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}"
IDS = [
    *(
        "key_",
        "user_",
        "upload_",
        "model_",
        "ver_",
        "job_",
        "dep_",
        "sess_",
        "qry_",
        "exp_",
        "vis_",
    ),
    *("req_", "conn_", "ing_", "aud_", "machine_", "csess_"),
]
TYPES = {"string", "integer", "float", "boolean", "date"}
FOUR = ("accuracy", "precision", "recall", "f1_score")


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(pattern: str) -> Callable[[Any], bool]:
    wanted = re.compile(pattern)
    return lambda value: isinstance(value, str) and wanted.fullmatch(value) is not None


def is_address(value: Any) -> bool:
    parts = urlsplit(value)
    return parts.scheme in {"http", "https"} and bool(parts.netloc)


def are_metrics(value: Any) -> bool:
    """{} before READY, else the contract's four as numbers (null for a regression)."""
    four = [value.get(name, "absent") for name in FOUR]
    return value == {} or all(one is None or is_number(one) for one in four)


FORMATS: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": is_integer,
    "number": is_number,
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "strings": lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value),
    "percent": lambda value: is_integer(value) and 0 <= value <= 100,
    "moment": lambda value: MOMENT.fullmatch(value) is not None,
    "day": is_text(r"\d{4}-\d\d-\d\d"),
    "label": is_text(r"v[1-9]\d*\.\d+"),
    "e-mail": is_text(r"[^@ ]+@[^@ ]+"),
    "address": is_address,
    "metrics": are_metrics,
    "schema": lambda value: bool(value) and set(value.values()) <= TYPES,
    "numbers": lambda value: all(is_number(one) for one in value.values()),
    "columns": lambda value: bool(value) and not list(faults([COLUMN], value, "")),
} | {prefix: is_text(prefix + ID) for prefix in IDS}
IDS.append("plan_")
FORMATS["plan_"] = is_text("plan_[0-9a-f]{32}")
"""A plan is stored nowhere: its id is a digest of what was planned."""


def faults(shape: Shape, value: Any, where: str) -> Iterator[str]:
    """Tells where a value differs from its shape."""
    if isinstance(shape, dict):
        yield from _of_object(shape, value, where)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield f"{where} is no array: {value!r}"
            return
        for number, item in enumerate(value):
            yield from faults(shape[0], item, f"{where}[{number}]")
    elif not _fits(shape, value):
        yield f"{where} is not {shape}: {value!r}"


def _of_object(shape: dict[str, Shape], value: Any, where: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{where} is no object: {value!r}"
        return
    known = {name.removesuffix("?"): kind for name, kind in shape.items()}
    for name in known:
        if name in shape and name not in value:
            yield f"{where}.{name} is absent"
    for name, inner in value.items():
        if name in known:
            yield from faults(known[name], inner, f"{where}.{name}")
        else:
            yield f"{where}.{name} is in neither the contract nor the decisions"


def _fits(kind: str, value: Any) -> bool:
    if kind.endswith("?"):
        return value is None or _fits(kind[:-1], value)
    if kind in FORMATS:
        return FORMATS[kind](value)
    return value in kind.split("|")

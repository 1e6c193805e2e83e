"""Paints Vega-Lite documents as PNG, in a process of its own that warms up while others count.

It needs no browser and fetches nothing. One line of JSON asks for a picture, one line answers.
"""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

import vl_convert

VERSION = "6.4"
SMALLEST: dict[str, Any] = {
    "title": "x",
    "data": {"values": [{"x": 1, "y": "x"}]},
    "mark": "bar",
    "encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y"}},
}


class Painter:
    """The process that paints; it is gone when the block ends."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def begin(self, document: str, target: Path) -> None:
        """Asks for a document to be painted into a file."""
        assert self._process.stdin is not None  # noqa: S101 - piped above
        asked = json.dumps({"document": document, "target": str(target)})
        self._process.stdin.write(asked.encode() + b"\n")
        self._process.stdin.flush()

    def wait(self) -> None:
        """Waits until the next of the pictures asked for is there; raises what kept it away."""
        assert self._process.stdout is not None  # noqa: S101 - piped above
        told = self._process.stdout.readline()
        if not told:
            raise RuntimeError(f"painting ended with status {self._process.wait()}")
        if number := int(told):
            raise OSError(number, os.strerror(number))


def paint(spec: dict[str, Any]) -> bytes:
    """Paints one document of `drawing` as a PNG of its own size."""
    painted: bytes = vl_convert.vegalite_to_png(spec, vl_version=VERSION, allowed_base_urls=[])
    return painted


def main() -> None:
    """Paints what is asked for on standard input until it ends."""
    paint(SMALLEST)
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        number = _write(Path(asked["target"]), paint(json.loads(asked["document"])))
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


def _write(target: Path, painted: bytes) -> int:
    """Writes a picture; gives the number of the system's error, 0 where there is none."""
    try:
        target.write_bytes(painted)
    except OSError as fault:
        return fault.errno or errno.EIO
    return 0


if __name__ == "__main__":
    main()

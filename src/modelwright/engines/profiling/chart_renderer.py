"""Renders Vega-Lite documents as PNG, in a process of its own that warms up while others count.

It needs no browser and fetches nothing. One line of JSON asks for a chart, one line answers.
"""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from modelwright.system.process_title import set_title
from modelwright.system.sandbox.process import Reach, enter_sandbox, present, program_files

VERSION = "6.4"
WARM_UP_CHART: dict[str, Any] = {
    "title": "x",
    "data": {"values": [{"x": 1, "y": "x"}]},
    "mark": "bar",
    "encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y"}},
}


FONTS = ("/etc/fonts", "/usr/share/fonts", "/usr/local/share/fonts")
_prepared: list["ChartRenderer"] = []
"""The renderer of a process that starts it before it enters its own sandbox, until it is used."""


class ChartRenderer:
    """The process that renders into a folder and reaches nothing else; it ends with the block."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    @classmethod
    def of(cls, folder: Path) -> "ChartRenderer":
        """Returns the one that was prepared, else a new one.

        Args:
            folder: Where charts are written.

        Returns:
            A renderer that may write there.
        """
        return _prepared.pop() if _prepared else cls(folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # A process in the sandbox may not kill. The renderer ends when it is asked nothing more.
        self._process.communicate()

    def begin(self, document: str, target: Path) -> None:
        """Asks for a document to be rendered into a file.

        Args:
            document: A Vega-Lite document in JSON.
            target: The PNG to write.
        """
        assert self._process.stdin is not None  # noqa: S101 - piped above
        asked = json.dumps({"document": document, "target": str(target)})
        self._process.stdin.write(asked.encode() + b"\n")
        self._process.stdin.flush()

    def wait(self) -> None:
        """Waits until the next of the charts asked for is there.

        Raises:
            RuntimeError: The process has ended.
            OSError: The file could not be written.
        """
        assert self._process.stdout is not None  # noqa: S101 - piped above
        told = self._process.stdout.readline()
        if not told:
            raise RuntimeError(f"rendering ended with status {self._process.wait()}")
        if number := int(told):
            raise OSError(number, os.strerror(number))


def render_png(spec: dict[str, Any]) -> bytes:
    """Renders one document of `chart_specifications` as a PNG of its own size.

    Args:
        spec: A Vega-Lite document with its data inside.

    Returns:
        A PNG.
    """
    import vl_convert  # noqa: PLC0415 - heavy, and starts no thread before the sandbox is entered

    png: bytes = vl_convert.vegalite_to_png(spec, vl_version=VERSION, allowed_base_urls=[])
    return png


def prepare(payload: Mapping[str, Any]) -> None:
    """Starts the renderer of a process that may soon start none.

    Args:
        payload: What the process is asked to do; `target` is the folder of its charts.
    """
    _prepared.append(ChartRenderer(Path(payload["target"])))


def main(folder: str) -> None:
    """Renders what is asked for on standard input into the folder until the input ends.

    Args:
        folder: The only folder that it may write to.
    """
    set_title("chart renderer")
    readable = (*map(str, [*program_files(), *present(FONTS)]),)
    enter_sandbox(Reach(readable, writable=(folder,)))
    render_png(WARM_UP_CHART)
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        number = _write(Path(asked["target"]), render_png(json.loads(asked["document"])))
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


def _write(target: Path, png: bytes) -> int:
    """Writes a picture; gives the number of the system's error, 0 where there is none."""
    try:
        target.write_bytes(png)
    except OSError as fault:
        return fault.errno or errno.EIO
    return 0


if __name__ == "__main__":
    main(sys.argv[1])

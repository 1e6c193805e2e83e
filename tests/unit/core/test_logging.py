"""Lines of the log, and that none of them ends what it tells of."""

import io
import json
import logging
import sys
from contextlib import suppress

import pytest

from modelwright.core.logging import log_request, logger, set_up


class TestWriting:
    def test_a_line_is_one_json_object(self, monkeypatch: pytest.MonkeyPatch):
        out = io.BytesIO()
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(out))
        set_up("info")
        logger().info("plants.grown", height="1\n2")
        log_request("plants.cut", height=3)
        told = [json.loads(line) for line in out.getvalue().splitlines()]
        assert [(one["event"], one["height"]) for one in told] == [
            ("plants.grown", "1\n2"),
            ("plants.cut", 3),
        ]

    def test_what_libraries_say_is_one_too(self, monkeypatch: pytest.MonkeyPatch):
        out = io.BytesIO()
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(out))
        set_up("info")
        fault = OSError("gone")
        logging.getLogger("asyncio").error("A callback\nfailed.", exc_info=fault)
        logging.getLogger("asyncio").info("Not of use.")
        [line] = out.getvalue().splitlines()
        told = json.loads(line)
        assert (told["event"], told["level"]) == ("library.logged", "error")
        assert (told["library"], told["message"]) == ("asyncio", "A callback\nfailed.")
        assert "OSError: gone" in told["exception"]


class TestFull:
    def test_what_cannot_be_written_ends_nothing(self, monkeypatch: pytest.MonkeyPatch):
        full = open("/dev/full", "w")  # noqa: PTH123, SIM115 - closing it fails
        monkeypatch.setattr(sys, "stderr", full)
        set_up("info")
        for _ in range(3):
            logger().info("plants.grown", height="1" * 10_000)
            log_request("plants.cut", height=3)
        with suppress(OSError):
            full.close()

    def test_nor_does_a_file_that_is_closed(self, monkeypatch: pytest.MonkeyPatch):
        closed = io.TextIOWrapper(io.BytesIO())
        monkeypatch.setattr(sys, "stderr", closed)
        set_up("info")
        closed.close()
        logger().info("plants.grown", height=2)
        log_request("plants.cut", height=3)

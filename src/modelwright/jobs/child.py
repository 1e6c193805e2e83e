"""The child's side of `children`: `python -m modelwright.jobs.child`, started by the worker.

The process started first is the keeper. It forks the one that works, waits for it, and kills the
whole group when the worker is gone, so that grand-children go too. Imports stay few: this is paid
by every child. What works on strangers' bytes is loaded in the sandbox, and never sees anything
that its request does not name.
"""

import errno
import json
import os
import resource
import select
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from modelwright.jobs.errors import JobRefused
from modelwright.system.loading import loading
from modelwright.system.parent_death import die_with_parent
from modelwright.system.process_title import set_title
from modelwright.system.sandbox.process import Reach, enter_sandbox, program_files

POLL_MILLISECONDS = 100
"""How often the child looks whether its parent is there."""
SIGNAL_BASE = 128
"""The keeper's exit status says by which signal the work ended, as shells do."""


def main() -> NoReturn:
    """Keeps a working process."""
    set_title("job keeper")
    keeper = os.getpid()
    worker = os.fork()
    if worker == 0:
        _work(keeper)
    os.close(1)
    os.close(2)
    lifeline = select.poll()
    lifeline.register(0, 0)
    while True:
        gone, status = os.waitpid(worker, os.WNOHANG)
        if gone:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else SIGNAL_BASE - code)
        if lifeline.poll(POLL_MILLISECONDS):
            os.killpg(0, signal.SIGKILL)


def _work(keeper: int) -> NoReturn:
    die_with_parent(keeper)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    answers = os.dup(1)
    os.dup2(2, 1)

    def send(what: str, data: object) -> None:
        line = json.dumps({"is": what, "data": data}).encode() + b"\n"
        while line:
            line = line[os.write(answers, line) :]

    with open(0, "rb", closefd=False) as questions:
        request = json.loads(questions.readline())
    os.nice(request["nice"])
    set_title("job " + request["target"].removeprefix("modelwright."))
    send(*_answer(request, lambda report: send("report", report)))
    os._exit(0)


def _answer(
    request: dict[str, Any], report: Callable[[dict[str, Any]], None]
) -> tuple[str, object]:
    try:
        with loading():
            if request["prepare"]:
                _function(request["prepare"])(request["payload"])
            enter_sandbox(_reach(request["reach"]))
            target = _function(request["target"])
        result = target(request["payload"], report)
        json.dumps(result)
    except JobRefused as refusal:
        return "refused", refusal.reason
    except MemoryError:
        return "memory", None
    except Exception as fault:  # noqa: BLE001 - whatever it is, the worker is told
        return ("full", None) if _is_full_disk(fault) else ("failed", traceback.format_exc())
    return "result", result


def _reach(document: dict[str, Any]) -> Reach:
    asked = Reach.of_json(document)
    modules = tuple(map(str, program_files()))
    return replace(asked, readable=(*asked.readable, *modules))


def _function(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


def _is_full_disk(fault: Exception) -> bool:
    """Goes by the words: libraries such as DuckDB raise errors of their own that quote them."""
    return any(os.strerror(code) in str(fault) for code in (errno.ENOSPC, errno.EDQUOT))


if __name__ == "__main__":
    main()

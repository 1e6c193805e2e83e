"""The `modelwright` command: finds the word's module, runs it, says errors in one line.

Words are loaded one at a time and after the server's own, so that `modelwright serve` starts
without an HTTP or terminal library.
"""

import gc
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points, version
from typing import Annotated, Any

import typer

from modelwright_client.command_terms import in_command_terms
from modelwright_client.errors import (
    ApiError,
    JobFailedError,
    ModelwrightError,
    ServerError,
    UnreachableError,
)
from modelwright_client.printable import printable

COMMANDS = (
    "upload",
    "build",
    "predict",
    "score",
    "ask",
    "evaluate-questions",
    "demo",
    "models",
    "uploads",
    "jobs",
)
"""Words with a module of their own."""
GROUPS = (
    "account",
    "analyses",
    "catalog",
    "connections",
    "datasets",
    "deleted",
    "deployments",
    "endpoints",
    "exports",
    "ingestions",
    "jobs",
    "models",
    "sessions",
    "uploads",
)
"""Words under which the operations of the API stand."""
ENTRY_POINT_GROUP = "modelwright.commands"
DISTRIBUTION = "modelwright-platform"
SERVER_COMMANDS = (
    "serve", "worker", "keys", "users", "audit", "backup", "restore", "doctor",
    "adopt", "cleanup", "trash", "migrate-database", "rotate-key",
    "language-models", "machines", "drain",
)  # fmt: skip
"""Named when the server is not installed, so that nobody is told that there is no such command."""


class ServerMissingError(ModelwrightError):
    """An operator's command was asked for where the server is not installed or cannot run."""


def main() -> int:
    """Runs the command line and returns its exit code: 0, 1 when it failed, 2 when misused."""
    words = sys.argv[1:]
    app = None
    try:
        app = command_line(next((word for word in words if not word.startswith("-")), ""))
        ended = app(words, prog_name="modelwright", standalone_mode=False)
    except typer.TyperException as misuse:
        return _misused(misuse)
    except typer.Abort:
        return _complain("stopped.")
    except ModelwrightError as problem:
        return _complain(_sentence(problem, typed_in(app, words) if app else {}))
    except OSError as problem:
        return _complain(f"{problem.filename or 'the system'}: {problem.strerror or problem}")
    except Exception as bug:
        if os.environ.get("MODELWRIGHT_TRACEBACK"):
            raise
        return _complain(f"{type(bug).__name__}: {bug} (MODELWRIGHT_TRACEBACK=1 shows where)")
    return ended if isinstance(ended, int) else 0


def command_line(word: str) -> typer.Typer:
    """Builds the application with no more than `word` needs; with everything for any other word."""
    app = typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        callback=_root,
    )
    if word in COMMANDS or word in GROUPS:
        _register(app, word)
        return app
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        _register_server(app, entry, word)
    if not _knows(app, word):
        for each in dict.fromkeys(COMMANDS + GROUPS):
            _register(app, each)
    return app


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(version(DISTRIBUTION))
        raise typer.Exit


def _root(
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """Modelwright: tables in, questions and deployed, explained models out."""


def _register_server(app: typer.Typer, entry: EntryPoint, word: str) -> None:
    """Adds the operator's commands; raises when one is asked for and cannot run here."""
    if platform.system() == "Windows":
        lacking = "The server runs on Linux and macOS; on Windows it runs in WSL."
    else:
        try:
            _load(entry, app, word)
        except ModuleNotFoundError as missing:
            if not missing.name or missing.name.startswith("modelwright"):
                raise
            lacking = f"This needs the server: pip install '{DISTRIBUTION}[server]'."
        else:
            return
    if word in SERVER_COMMANDS:
        raise ServerMissingError(lacking)


def _load(entry: EntryPoint, app: typer.Typer, word: str) -> None:
    # What modules make while they load stays; looking for garbage in it takes a seventh longer.
    gc.disable()
    try:
        entry.load()(app, word)
    finally:
        gc.freeze()
        gc.enable()


def _register(app: typer.Typer, word: str) -> None:
    if word in COMMANDS:
        module = word.replace("-", "_")
        import_module(f"modelwright_client.commands.{module}").register(app)
    if word in GROUPS:
        import_module("modelwright_client.commands.groups").register(app, word)


def _knows(app: typer.Typer, word: str) -> bool:
    return bool(word) and word in typer.main.get_group(app).commands


def _misused(misuse: typer.TyperException) -> int:
    sentence = misuse.format_message()
    if not sentence:  # the help was shown
        return 0
    return _complain(f"{sentence} (--help says more)", misuse.exit_code)


def typed_in(app: typer.Typer, words: Sequence[str]) -> dict[str, str]:
    """Tells what the options and arguments of a command of a group are called, by their fields.

    Args:
        app: The command line.
        words: What was typed.

    Returns:
        Nothing for a word with a module of its own, whose names `command_terms` knows.
    """
    group, verb = [*(word for word in words if not word.startswith("-")), "", ""][:2]
    if group not in GROUPS:
        return {}
    from modelwright_client.commands.groups import GROUPS as METHODS  # noqa: PLC0415 - heavy

    if verb not in {method.command for method in METHODS[group]}:
        return {}
    groups: Any = typer.main.get_group(app).commands
    command = groups[group].commands[verb]
    return {
        one.name: one.opts[0] if one.opts[0].startswith("-") else one.name.upper()
        for one in command.params
    }


def _sentence(problem: ModelwrightError, typed: Mapping[str, str] | None = None) -> str:
    if isinstance(problem, ServerError) and problem.request_id:
        return f"{problem} (request {problem.request_id})"
    if isinstance(problem, ApiError) and problem.code == "unauthorized":
        return f"{problem} Set MODELWRIGHT_API_KEY or give --api-key."
    if isinstance(problem, UnreachableError):
        return f"{problem} Is the server running there (modelwright serve)?"
    if isinstance(problem, ApiError | JobFailedError):
        return in_command_terms(str(problem), typed)
    return str(problem)


def _complain(sentence: str, code: int = 1) -> int:
    typer.echo(f"error: {printable(sentence)}", err=True)
    return code

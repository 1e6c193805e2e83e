"""The operator's commands, plugged into the `modelwright` command line, a module a group.

A module is loaded for its own words alone: all but `serve` and `worker` do without the HTTP server.
"""

from importlib import import_module

import typer

MODULES = {
    "keys": ("keys",),
    "users": ("users",),
    "language_models": ("language-models",),
    "serve": ("serve", "worker"),
    "audit": ("audit",),
    "backup": ("backup", "restore"),
    "doctor": ("doctor",),
    "upkeep": ("adopt", "cleanup", "migrate-database", "rotate-key", "trash"),
    "machines": ("machines", "drain"),
}
"""The words of each module, in the order of the help."""


def register(app: typer.Typer, word: str = "") -> None:
    """Adds the module of a word to the command line; all of them for any other word."""
    own = [module for module, words in MODULES.items() if word in words]
    for module in own or MODULES:
        import_module(f"modelwright.cli.{module}").register(app)

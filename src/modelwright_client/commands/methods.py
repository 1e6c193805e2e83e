"""Commands made of the client's methods: each takes what its method takes, under the same names.

A method's positional parameters are the command's arguments, its keywords are options, and the
`Args` of its docstring are their help. What answers with a page is shown as a table.
"""

import inspect
import json
import re
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, is_typeddict

import typer

from modelwright_client import terminal
from modelwright_client.commands.options import ApiKey, Json, Url, connect
from modelwright_client.errors import UnexpectedResponseError
from modelwright_client.models import TrainingOptions, VersionOptions

NOT_TYPED = {"self", "progress", "timeout"}
"""Parameters that make sense in a program only."""
COMMON = {"api_key": ApiKey, "url": Url, "as_json": Json}
ENVIRONMENT = {"password": "MODELWRIGHT_CONNECTION_PASSWORD"}
"""Where a secret is read from, so that no list of processes shows it."""
_HELP = re.compile(r"^ {4}\**(\w+): (.+(?:\n {8,}.+)*)", re.MULTILINE)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)?")


@dataclass(frozen=True, slots=True)
class Method:
    """A method of the client as a command."""

    command: str
    """What is typed after the group's name."""
    function: Callable[..., Any]
    """The method, as its class has it."""
    columns: tuple[str, ...] = ()
    """Of a page: the members that the table shows; else all that have no parts."""

    def __call__(self, client: Any, *positional: Any, **named: Any) -> Any:
        """Calls the method of a client."""
        owner, _, name = self.function.__qualname__.partition(".")
        return getattr(getattr(client, owner.lower()), name)(*positional, **named)


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A parameter of a method, as it is typed."""

    name: str
    kind: Any
    """What typer reads: text, a number, a flag, one of some words, or a list of these."""
    is_json: bool
    is_needed: bool
    is_argument: bool
    help: str | None

    @property
    def option(self) -> str:
        return f"--{self.name.replace('_', '-')}"

    def of_command(self) -> inspect.Parameter:
        """Returns the parameter of the function that typer calls."""
        parameter: Any = (
            typer.Argument(help=self.help, show_default=False)
            if self.is_argument
            else typer.Option(
                self.option, help=self.help, show_default=False, envvar=ENVIRONMENT.get(self.name)
            )
        )
        return inspect.Parameter(
            self.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if self.is_needed else None,
            annotation=Annotated[self.kind if self.is_needed else self.kind | None, parameter],
        )

    def read(self, typed: Any) -> Any:
        """Returns the value for the method of what was typed."""
        if not self.is_json or typed is None:
            return typed
        try:
            return json.loads(typed)
        except ValueError as broken:
            where = self.name if self.is_argument else self.option
            raise typer.BadParameter(f"{where} takes JSON: {broken}") from None


def add(app: typer.Typer, name: str, *methods: Method) -> None:
    """Adds a group of commands, or more commands to a group that is there.

    Args:
        app: The command line.
        name: The name of the group.
        *methods: What it offers.
    """
    found = (one.typer_instance for one in app.registered_groups if one.name == name)
    group = next(found, None) or typer.Typer(no_args_is_help=True)
    app.registered_groups[:] = [one for one in app.registered_groups if one.name != name]
    for one in methods:
        group.command(one.command)(command_of(one))
    names = [one.name for one in group.registered_commands if one.name]
    app.add_typer(group, name=name, help=f"{name.capitalize()}: {', '.join(names)}.")


def command_of(method: Method) -> Callable[..., None]:
    """Makes the function that typer calls, with the signature of a method.

    Args:
        method: The method, and how its answer is shown.

    Returns:
        A function that opens a client, calls the method and shows what it answers.
    """
    parameters = list(_parameters(method.function))

    def command(**typed: Any) -> None:
        api_key, url, as_json = (typed[name] for name in COMMON)
        read = {one.name: one.read(typed[one.name]) for one in parameters}
        positional = [read[one.name] for one in parameters if one.is_argument]
        named = {one.name: read[one.name] for one in parameters if not one.is_argument}
        with connect(api_key, url) as client:
            given = {name: value for name, value in named.items() if value is not None}
            answer = method(client, *positional, **given)
        show(answer, method.columns, as_json=as_json)

    common = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=False if name == "as_json" else None,
            annotation=annotation,
        )
        for name, annotation in COMMON.items()
    ]
    signature = inspect.Signature([*(one.of_command() for one in parameters), *common])
    command.__signature__ = signature  # type: ignore[attr-defined]
    command.__doc__ = _documentation(method.function).partition("\n")[0]
    return command


def show(answer: Any, columns: Sequence[str] = (), *, as_json: bool = False) -> None:
    """Shows what a method answered: a page as a table, anything else as names and values.

    Args:
        answer: The answer of the server.
        columns: Of a page, the members to show; else all of its first entry that have no parts.
        as_json: Print the JSON itself.
    """
    if as_json and not isinstance(answer, Path):
        terminal.raw(answer)
    elif not isinstance(answer, Mapping):
        terminal.say(str(answer))
    elif columns or "pagination" in answer:
        table(_entries(answer), columns)
    else:
        terminal.facts(answer)


def table(entries: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> None:
    """Prints entries of a page under the names of their members."""
    first = entries[0] if entries else {}
    names = columns or [name for name, value in first.items() if not isinstance(value, list | dict)]
    if not entries:
        terminal.say("There are none.")
        return
    terminal.table(names, [[_cell(entry.get(name)) for name in names] for entry in entries])


def _entries(page: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    for value in page.values():
        if isinstance(value, list):
            return value
    raise UnexpectedResponseError(
        "The answer has no entries; look whether a Modelwright server is at this address."
    )


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return ", ".join(map(terminal.text, value))
    return terminal.minute(value) if isinstance(value, str) and _TIME.fullmatch(value) else value


def _documentation(documented: Any) -> str:
    return inspect.cleandoc(documented.__doc__ or "")


def _parameters(function: Callable[..., Any]) -> Iterator[_Parameter]:
    helps = _helps(function)
    for each in inspect.signature(function, eval_str=True).parameters.values():
        if each.name in NOT_TYPED:
            continue
        if each.kind is each.VAR_KEYWORD:
            options = get_args(each.annotation)[0]
            helps = _helps(TrainingOptions) | _helps(VersionOptions) | _helps(options)
            for name, annotation in inspect.get_annotations(options, eval_str=True).items():
                yield _parameter(name, annotation, helps.get(name))
            continue
        needed = each.default is each.empty
        is_argument = each.kind is not each.KEYWORD_ONLY and needed
        yield _parameter(
            each.name, each.annotation, helps.get(each.name), needed=needed, argument=is_argument
        )


def _helps(documented: Any) -> dict[str, str]:
    """Reads the `Args` or `Attributes` of a docstring."""
    return {
        name: " ".join(text.split()) for name, text in _HELP.findall(_documentation(documented))
    }


def _parameter(
    name: str,
    annotation: Any,
    help_text: str | None,
    *,
    needed: bool = False,
    argument: bool = False,
) -> _Parameter:
    kind, is_json = _typed(annotation)
    if is_json:
        help_text = f"{help_text or name.replace('_', ' ').capitalize() + '.'} As JSON."
    return _Parameter(name, kind, is_json, needed, argument, help_text)


def _typed(annotation: Any) -> tuple[Any, bool]:
    """Tells what is typed for a value, and whether that is JSON."""
    origin = get_origin(annotation)
    if origin in {Union, types.UnionType}:
        options = [one for one in get_args(annotation) if one is not type(None)]
        if Path in options:
            return Path, False
        return _typed(options[0]) if len(options) == 1 else (str, False)
    if origin in {Sequence, list} and _typed(get_args(annotation)[0]) != (str, True):
        one = _typed(get_args(annotation)[0])[0]
        kind = one if isinstance(one, type) else str  # which words there are says the server
        return list[kind], False  # type: ignore[valid-type]
    if origin in {Mapping, dict, Sequence, list} or is_typeddict(annotation):
        return str, True
    return (
        (annotation, False) if origin is Literal or isinstance(annotation, type) else (str, False)
    )

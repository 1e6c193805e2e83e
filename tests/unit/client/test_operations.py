"""Every operation of the API is a method of the client with its type, and a command."""

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
from tests.error_catalogue import request_fields
from tests.unit.client.scripted import Answer, Scripted, serving

from modelwright_client import Client
from modelwright_client._http import HttpTransport
from modelwright_client.cli import command_line, main, typed_in
from modelwright_client.command_terms import CALLS, in_command_terms
from modelwright_client.commands.groups import GROUPS

Json = dict[str, Any]
DOCUMENT: Json = json.loads(
    (Path(__file__).parents[3] / "docs" / "openapi.json").read_text("utf-8")
)
BY_OTHER_WORDS = {
    "audit.list": "`modelwright audit`, the operator's",
    "builds.artifact": "`modelwright models download`",
    "builds.create": "`modelwright build`",
    "endpoints.many": "`modelwright endpoints predict`, a row at a time",
    "exports.download": "`modelwright score`, and the address that `exports show` prints",
    "health.read": "`modelwright doctor`, the operator's",
    "jobs.follow": "`modelwright jobs follow`",
    "keys.amend": "a key is changed by its owner's program; `modelwright keys` is the operator's",
    "keys.create": "`modelwright keys create`, the operator's",
    "keys.list": "`modelwright keys list`, the operator's",
    "keys.read": "`modelwright keys list`, the operator's",
    "keys.rotate": "`modelwright keys rotate`, the operator's",
    "keys.revoke": "`modelwright keys revoke`, the operator's",
    "machines.list": "`modelwright machines`, the operator's",
    "models.describe": "`modelwright models show`",
    "models.read": "`modelwright models show`",
    "monitoring.read": "`modelwright models watch`",
    "predictions.infer": "`modelwright predict --input`",
    "predictions.many": "`modelwright predict --file`",
    "queries.ask": "`modelwright ask`",
    "scoring.start": "`modelwright score`",
    "uploads.complete_file": "`modelwright upload` completes what it sent in parts",
    "uploads.missing_parts": "`modelwright upload --resume`",
    "users.list": "`modelwright users list`, the operator's",
    "signing.keys": "`modelwright keys signing`, the operator's",
    "uploads.confirm": "`modelwright upload` confirms what it sent",
    "uploads.create": "`modelwright upload`",
    "uploads.read": "`modelwright uploads show`",
    "uploads.reparse": "`modelwright uploads reparse`",
    "uploads.resume": "`modelwright upload` takes up what broke off",
}
"""Operations that no command of a group carries out, and what does."""
NOT_TYPED_BY_NAME = {
    "actual", "by", "column", "errors", "false_negative", "false_positive", "filename", "format",
    "include", "limit", "offset", "request_id",
}  # fmt: skip
"""Members of what is typed as JSON, and fields that the commands which lack them never send."""
NOT_OF_THE_CLIENT = re.compile(r"users\.(?!me|list)|storage\.")
"""The console's own sign-in, and addresses that are signed."""
SEVERAL_KINDS = {"datasets.preview", "queries.ask", "deployments.infer"}
"""Operations that answer in several shapes, told apart by the caller."""


class Called(Exception):
    """What a method of the client asked its transport for."""

    def __init__(self, verb: str, path: str, returns: Any) -> None:
        super().__init__(verb, path)
        self.verb, self.path, self.returns = verb, path, returns


class Recording(HttpTransport):
    """Sends nothing; says what would have been sent."""

    def __init__(self) -> None:
        """Needs no server."""

    def get(self, path: str, returns: Any, query: Any = None) -> Any:
        raise Called("get", path, returns)

    def post(self, path: str, returns: Any, body: Any = None) -> Any:
        raise Called("post", path, returns)

    def ask(self, path: str, returns: Any, *_: Any, **__: Any) -> Any:
        raise Called("post", path, returns)

    def patch(self, path: str, returns: Any, body: Any) -> Any:
        raise Called("patch", path, returns)

    def delete(self, path: str, returns: Any) -> Any:
        raise Called("delete", path, returns)

    def stream(self, path: str, *_: Any, **__: Any) -> Any:
        raise Called("get", path, None)

    def download(self, path: str, *_: Any, **__: Any) -> Any:
        raise Called("get", path, None)


def methods(client: Client) -> Iterator[tuple[str, Any]]:
    for feature, owner in vars(client).items():
        if hasattr(owner, "_calls"):
            for name, method in inspect.getmembers(owner, inspect.ismethod):
                if not name.startswith("_"):
                    yield f"{feature}.{name}", method
    yield "health", client.health


def called(method: Any) -> Called | None:
    """Calls a method with names that are nobody's, and returns what it would have sent."""
    given: dict[str, Any] = {}
    for one in inspect.signature(method, eval_str=True).parameters.values():
        if one.default is one.empty and one.kind is not one.VAR_KEYWORD:
            given[one.name] = _value(one.annotation)
    try:
        answer = method(**given)
        if inspect.isgenerator(answer):
            next(answer)
    except Called as caught:
        return caught
    except (OSError, TypeError, KeyError):
        return None  # it works on files, or on an answer
    return None


def _value(annotation: Any) -> Any:
    origin = get_origin(annotation) or annotation
    if inspect.isclass(origin) and origin is not str and issubclass(origin, Mapping):
        return {}
    if inspect.isclass(origin) and origin is not str and origin.__name__ == "Sequence":
        return []
    return "nobody"


@pytest.fixture(scope="module")
def sent() -> dict[str, Called]:
    """What each method of the client asks for first."""
    client = Client("http://127.0.0.1:1", "mw_key")
    client._calls.close()
    transport = Recording()
    for owner in (client, *vars(client).values()):
        if hasattr(owner, "_calls"):
            owner._calls = transport
    found = {}
    for name, method in methods(client):
        call = called(method)
        if call is not None:
            found[name] = call
    return found


def operation_of(call: Called) -> tuple[str, Json] | None:
    path = call.path.partition("?")[0]
    matches = []
    for template, verbs in DOCUMENT["paths"].items():
        pattern = re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(template))
        if re.fullmatch(pattern, path) and call.verb in verbs:
            matches.append((template.count("{"), verbs[call.verb]["operationId"], verbs[call.verb]))
    if not matches:
        return None
    _, name, told = min(matches, key=lambda one: one[0])
    return name, told


def template_of(call: Called) -> str | None:
    found = operation_of(call)
    for template, verbs in DOCUMENT["paths"].items():
        if found and verbs.get(call.verb, {}).get("operationId") == found[0]:
            return str(template)
    return None


def _qualified(command: Any) -> str:
    owner, _, name = command.function.__qualname__.partition(".")
    return f"{owner.lower()}.{name}"


def component_of(told: Json) -> str | None:
    schema = told["responses"]["200"].get("content", {}).get("application/json", {}).get("schema")
    if not schema:
        return None
    return str(schema.get("$ref", schema.get("items", {}).get("$ref", ""))).rpartition("/")[2]


class TestMethods:
    def test_every_operation_is_asked_for_by_one(self, sent: dict[str, Called]) -> None:
        asked = {found[0] for call in sent.values() if (found := operation_of(call))}
        operations = {
            operation["operationId"]
            for verbs in DOCUMENT["paths"].values()
            for operation in verbs.values()
        }
        lacking = {
            name for name in operations - asked if not NOT_OF_THE_CLIENT.match(name)
        } - WITHOUT_A_CALL_OF_THEIR_OWN
        assert lacking == set()

    def test_each_returns_what_its_operation_answers(self, sent: dict[str, Called]) -> None:
        wrong = {}
        for method, call in sent.items():
            name, told = operation_of(call) or ("", {})
            if not name or call.returns is None or name in SEVERAL_KINDS:
                continue
            answered = component_of(told)
            returns = get_args(call.returns)[0] if get_origin(call.returns) else call.returns
            if returns.__name__ != answered:
                wrong[method] = (returns.__name__, answered)
        assert wrong == {}

    def test_enough_of_them_are_looked_at(self, sent: dict[str, Called]) -> None:
        assert len(sent) > 60


WITHOUT_A_CALL_OF_THEIR_OWN = {"exports.download", "analysis.visualization"}
"""They take an answer of another operation, whose address they fetch."""


class TestCommands:
    def test_every_operation_has_one_or_says_what_does_it(self, sent: dict[str, Called]) -> None:
        commands = {
            f"{owner.lower()}.{name}"
            for methods_ in GROUPS.values()
            for owner, _, name in (one.function.__qualname__.partition(".") for one in methods_)
        }
        carried = {
            found[0]
            for method, call in sent.items()
            if method in commands and (found := operation_of(call))
        } | {"analysis.visualization"}
        operations = {
            operation["operationId"]
            for verbs in DOCUMENT["paths"].values()
            for operation in verbs.values()
            if not NOT_OF_THE_CLIENT.match(operation["operationId"])
        }
        assert operations - carried - BY_OTHER_WORDS.keys() == set()
        assert BY_OTHER_WORDS.keys() - operations == set()

    @pytest.mark.parametrize(
        ("group", "command"),
        [(group, one) for group, commands in GROUPS.items() for one in commands],
        ids=lambda value: getattr(value, "command", value),
    )
    def test_each_is_told_what_is_wrong_as_it_is_typed(
        self, sent: dict[str, Called], group: str, command: Any
    ) -> None:
        operation, _ = operation_of(sent[_qualified(command)]) or ("", {})
        typed = typed_in(command_line(group), [group, command.command])
        fields = request_fields()[operation]
        assert fields - typed.keys() <= NOT_TYPED_BY_NAME
        for field in fields:
            told = in_command_terms(f"{field}: must be another one.", typed).partition(": ")[0]
            assert told == typed.get(field, told)
            assert not told.startswith("--") or told in typed.values()

    @pytest.mark.parametrize(
        ("words", "said", "told"),
        [
            ("models retrain p", "upload_id: nothing of yours.", "--upload-id: nothing of yours."),
            ("endpoints promote p v9", "model_version: not found", "MODEL_VERSION: not found"),
            ("models retrain p", "costs.false_positive: is 0", "--costs: is 0"),
            (
                "models retrain p",
                'Too good: ask for `split` {"by": "group", "column": "a cow"}.',
                """Too good: ask for --split '{"by": "group", "column": "a cow"}'.""",
            ),
            ("build p", "dataset_id: nothing of yours.", "--dataset: nothing of yours."),
        ],
    )
    def test_one_is_told_in_its_own_words(self, words: str, said: str, told: str) -> None:
        typed = typed_in(command_line(words.split(maxsplit=1)[0]), words.split())
        assert in_command_terms(said, typed) == told

    def test_one_that_does_what_a_sentence_names_is_named(self, sent: dict[str, Called]) -> None:
        carried = {
            f"{call.verb.upper()} {path}"
            for methods_ in GROUPS.values()
            for one in methods_
            if (call := sent.get(_qualified(one))) and (path := template_of(call))
        }
        elsewhere = {call for call, told in CALLS.items() if not told.startswith("modelwright")}
        assert elsewhere & carried == set()

    def test_a_refusal_names_the_option_that_was_typed(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        message = "upload_id: nothing of yours is named 'upload_1'."
        error = {"code": "not_found", "message": message, "status": 404}
        with serving(Scripted(Answer({"error": error}, 404))) as url:
            monkeypatch.setenv("MODELWRIGHT_API_KEY", "mw_key")
            monkeypatch.setenv("MODELWRIGHT_URL", url)
            words = "models retrain p --upload-id upload_1"
            monkeypatch.setattr("sys.argv", ["modelwright", *words.split()])
            assert main() == 1
        assert "--upload-id: nothing of yours is named 'upload_1'." in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("group", "command"),
        [(group, one) for group, commands in GROUPS.items() for one in commands],
        ids=lambda value: getattr(value, "command", value),
    )
    def test_each_explains_what_it_takes(self, group: str, command: Any) -> None:
        told = inspect.getdoc(command.function) or ""
        parameters = [
            name
            for name in inspect.signature(command.function).parameters
            if name not in {"self", "timeout", "progress"}
        ]
        assert [name for name in parameters if f"{name}: " not in told] == [], group

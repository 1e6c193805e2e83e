"""One verb in the server, the client and the CLI: whatever can be asked, under one name."""

from operator import attrgetter

from fastapi.testclient import TestClient

from modelwright_client import Client

ELSEWHERE = {
    "health.read": "health",
    "datasets.preview": "uploads.preview",
    "builds.logs": "models.build_logs",
    "queries.list": "sessions.queries",
    "scoring.start": "predictions.score",
    "signing.keys": "keys.signing",
}
"""Operations whose client verb is not simply the feature's; builds are models'."""


def client_verb(operation: str) -> str:
    return ELSEWHERE.get(operation, operation.replace("builds.", "models."))


class TestVerbs:
    def test_every_operation_of_the_server_is_a_verb_of_the_client(
        self, anonymous_client: TestClient
    ):
        paths = anonymous_client.get("/openapi.json").json()["paths"]
        operations = {
            verb["operationId"]
            for path in paths.values()
            for verb in path.values()
            if verb.get("security") != []  # signed addresses and the console's sign-in need no verb
        } | {"health.read"}
        with Client() as client:
            missing = {name for name in operations if not _has(client, client_verb(name))}
        assert "uploads.confirm" in operations
        assert missing == set()


def _has(client: Client, verb: str) -> bool:
    try:
        return callable(attrgetter(verb)(client))
    except AttributeError:
        return False

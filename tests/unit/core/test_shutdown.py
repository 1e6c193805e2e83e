"""A server that ends writes down what it can, and ends whatever it cannot."""

import pytest
from fastapi.testclient import TestClient

from modelwright.bootstrap.container import Container
from modelwright.core.db.errors import DatabaseUnavailable
from modelwright.monitoring.service import Monitoring
from modelwright.queries.service import Queries
from modelwright.server.app import create_app
from modelwright.sessions.service import Sessions
from modelwright.usage.service import Usage


def test_parts_end_though_the_database_of_others_is_away(
    container: Container, monkeypatch: pytest.MonkeyPatch
):
    ended = []

    def fail() -> None:
        raise DatabaseUnavailable

    for kind, verb in ((Monitoring, "stop"), (Usage, "stop"), (Queries, "flush")):
        monkeypatch.setattr(container.service(kind), verb, fail)
    monkeypatch.setattr(container.service(Sessions), "close", lambda: ended.append("sessions"))
    with TestClient(create_app(container)):
        pass
    assert ended == ["sessions"]

"""What tests read of answers: errors, and what an account has used, written down yet or not."""

from typing import Any

from fastapi.testclient import TestClient

from modelwright.usage.domain import Kind


def used(api: TestClient, kind: Kind) -> float:
    """Sums what the client's account used of one kind."""
    entries = api.get("/usage").json()["entries"]
    return sum(entry["quantity"] for entry in entries if entry["kind"] == kind)


def error_of(answer: Any) -> dict[str, Any]:
    """Gives what an answer says went wrong."""
    return dict(answer.json()["error"])

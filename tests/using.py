"""What an account has used, as the API tells it, whether it was written down yet or not."""

from fastapi.testclient import TestClient

from modelwright.usage.rules import Kind


def used(api: TestClient, kind: Kind) -> float:
    """Sums what the client's account used of one kind."""
    entries = api.get("/usage").json()["entries"]
    return sum(entry["quantity"] for entry in entries if entry["kind"] == kind)

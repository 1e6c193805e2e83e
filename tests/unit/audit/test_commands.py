"""`modelwright audit`, and what the operator's own commands leave in the log."""

from collections.abc import Callable

import pytest
import typer
from typer.testing import CliRunner

from modelwright.cli.commands import register
from modelwright.core.config.settings import Settings

Run = Callable[..., list[str]]


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command and returns its lines."""
    monkeypatch.setenv("MODELWRIGHT_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("MODELWRIGHT_DATABASE_URL", settings.database_url)
    app = typer.Typer()
    register(app)

    def invoke(*words: str) -> list[str]:
        told = CliRunner().invoke(app, words)
        assert told.exit_code == 0, told.output
        return told.stdout.splitlines()

    return invoke


class TestAudit:
    def test_lists_what_was_done_newest_first(self, run: Run):
        run("keys", "create", "--name", "a", "--permission-level", "read_only")
        key_id = run("keys", "list")[0].split()[0]
        run("keys", "revoke", key_id)
        run("users", "create", "ben@example.org")
        run("users", "set-tier", "ben@example.org", "pro")
        words = [line.split("  ") for line in run("audit")]
        assert [word[2] for word in words] == [
            "users.amend",
            "users.create",
            "keys.revoke",
            "keys.create",
        ]
        assert {word[1] for word in words} == {"command line"}
        assert [word[3] for word in words[:2]] == ["tier=pro", "ben@example.org"]
        assert {word[3] for word in words[2:]} == {key_id}

    def test_is_narrowed(self, run: Run):
        run("users", "create", "ben@example.org")
        run("users", "create", "cid@example.org")
        run("users", "deactivate", "ben@example.org")
        assert len(run("audit", "--operation", "users.create")) == 2
        assert len(run("audit", "--limit", "1")) == 1

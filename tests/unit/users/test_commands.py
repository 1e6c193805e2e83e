"""`modelwright users`: what it refuses, and passwords."""

from contextlib import closing

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from modelwright.bootstrap.container import build_container
from modelwright.cli import users
from modelwright.cli.users import users_app
from modelwright.core.config.settings import Settings
from modelwright.core.db import database
from modelwright.core.db.database import ALL_ACCOUNTS, Database
from modelwright.users.console_sessions import SignIn

pytestmark = pytest.mark.usefixtures("command_line")
PASSWORD = "correct horse battery"
OPERATOR = "operator@localhost"


class TestSetPassword:
    def test_reads_it_from_the_standard_input(self, settings: Settings):
        told = CliRunner().invoke(users_app, ["set-password", OPERATOR], input=f"{PASSWORD}\n")
        assert told.exit_code == 0, told.output
        container = build_container(settings)
        with container.database.transaction(ALL_ACCOUNTS, write=False) as db:
            signing_in = container.service(SignIn)
            candidate = signing_in.candidate(db, OPERATOR)
            assert signing_in.fits(candidate, PASSWORD)
            assert not signing_in.fits(candidate, PASSWORD + " ")
        container.database.close()

    def test_refuses_one_too_short(self):
        told = CliRunner().invoke(users_app, ["set-password", OPERATOR], input="short\n")
        assert told.exit_code == 1
        assert "at least 10 characters" in told.output

    def test_refuses_an_unknown_account(self):
        told = CliRunner().invoke(users_app, ["set-password", "x@y.z"], input=f"{PASSWORD}\n")
        assert told.exit_code == 1
        assert "x@y.z" in told.output

    def test_the_server_goes_on_writing_while_somebody_thinks_of_one(
        self, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(database, "SQLITE_BUSY_SECONDS", 5.0)
        beside = Database(settings.database)

        def think() -> str:
            with beside.transaction(ALL_ACCOUNTS) as db:
                db.execute(text("update users set credits = 7"))
            return PASSWORD

        monkeypatch.setattr(users, "_asked_for_password", think)
        told = CliRunner().invoke(users_app, ["set-password", OPERATOR])
        assert told.exit_code == 0, told.output
        with closing(beside), beside.transaction(ALL_ACCOUNTS, write=False) as db:
            assert db.scalars(text("select credits from users")).all() == [7]


class TestCreate:
    @pytest.mark.parametrize(
        "email", ["", " ", "ana", "a b@c.d", "a\udcff@b.c", f"{'a' * 300}@example.org"]
    )
    def test_refuses_what_is_no_e_mail(self, email: str):
        told = CliRunner().invoke(users_app, ["create", email])
        assert told.exit_code == 1
        assert "must be an e-mail address" in told.output

    def test_refuses_one_that_is_there_however_it_is_spelt(self):
        assert CliRunner().invoke(users_app, ["create", "zoë@example.org"]).exit_code == 0
        told = CliRunner().invoke(users_app, ["create", " ZOë@Example.org"])
        assert told.exit_code == 1
        assert "exists already" in told.output


class TestSetCredits:
    def test_refuses_more_than_is_stored(self):
        told = CliRunner().invoke(users_app, ["set-credits", OPERATOR, str(2**31)])
        assert told.exit_code == 2

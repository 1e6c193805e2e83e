"""`modelwright keys`: makes, lists and revokes them; what it refuses."""

import pytest
from typer.testing import CliRunner, Result

from modelwright.api_keys import domain
from modelwright.cli.keys import keys_app

pytestmark = pytest.mark.usefixtures("command_line")


def keys(*words: str) -> Result:
    return CliRunner().invoke(keys_app, list(words))


def create(name: str, *more: str) -> Result:
    return keys("create", "--name", name, "--permission-level", "read_write", *more)


class TestCreate:
    def test_prints_the_key_alone_on_the_standard_output(self):
        made = create("first")
        assert made.exit_code == 0, made.output
        assert domain.is_well_formed(made.stdout.rstrip("\n"))

    @pytest.mark.parametrize("name", ["", " ", "n" * 201, "a\0b", "a\udcff"])
    def test_refuses_a_name_that_the_api_refuses(self, name: str):
        refused = create(name)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert "--name" in refused.stderr

    @pytest.mark.parametrize("email", ["", "nobody"])
    def test_refuses_an_account_that_can_be_none(self, email: str):
        refused = create("first", "--email", email)
        assert (refused.exit_code, refused.stdout) == (1, "")
        assert "must be an e-mail address" in refused.stderr


class TestList:
    def test_an_account_that_is_none_has_no_keys_of_all(self):
        create("first")
        assert keys("list", "--email", "").exit_code == 1

    def test_no_name_commands_the_operator_s_terminal(self):
        create("\x1b[2Jfirst\nsecond")
        [line] = keys("list").stdout.splitlines()
        assert r"\u001b[2Jfirst\nsecond" in line


class TestRevoke:
    def test_is_seen_in_the_list(self):
        create("first")
        [line] = keys("list").stdout.splitlines()
        assert keys("revoke", line.split()[0]).exit_code == 0
        assert "  revoked  " in keys("list").stdout

    def test_refuses_an_unknown_key(self):
        refused = keys("revoke", "key_nope")
        assert refused.exit_code == 1
        assert "There is no key 'key_nope'; `modelwright keys list` shows all." in refused.stderr

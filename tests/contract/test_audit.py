"""The audit log of the tour: everything that changes something is in it, under what it changed."""

import re

import pytest
from tests.contract.walking import Operation, operations
from tests.contract.world import EMAIL, World

from modelwright.audit.domain import AuditFilter
from modelwright.audit.service import Audit, AuditEntryInfo
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.http.context import Level
from modelwright.core.http.paging import Page

STORED_ALONE = {"uploads.complete_file"}
"""Concerns the storage and no row; the confirmation that follows is recorded."""
ABOUT_THE_CALLER = {"users.sign_in", "users.sign_out", "users.change_password"}


@pytest.fixture(scope="module")
def entries(world: World) -> list[AuditEntryInfo]:
    with world.container.database.transaction(ALL_ACCOUNTS, write=False) as db:
        return world.container.service(Audit).list_(db, AuditFilter(), Page(10_000, 0))[0]


@pytest.fixture(scope="module")
def every(world: World) -> dict[str, Operation]:
    return {one.name: one for one in operations(world.anonymous_client.app)}


class TestAudit:
    def test_holds_all_that_changes_and_nothing_else(
        self, entries: list[AuditEntryInfo], every: dict[str, Operation]
    ):
        changing = {
            one.name
            for one in every.values()
            if one.name not in STORED_ALONE
            and one.verb != "get"
            and one.needs > Level.READ_ONLY
            and not one.is_public
        }
        assert {entry.operation for entry in entries} == changing | ABOUT_THE_CALLER

    def test_tells_which_resource(self, entries: list[AuditEntryInfo], every: dict[str, Operation]):
        for entry in entries:
            assert entry.resource, entry
            template = every[entry.operation].path
            if template.endswith("}") or every[entry.operation].name.startswith(("jobs.", "ing")):
                pattern = re.sub(r"\{\w+\}", "([^/]+)", template)
                found = re.fullmatch(pattern, entry.path)
                assert found is not None
                assert entry.resource in (found.groups() or {entry.resource}), entry

    def test_tells_who_and_from_where(self, world: World, entries: list[AuditEntryInfo]):
        for entry in entries:
            assert entry.actor == EMAIL
            assert entry.address == world.caller
            assert entry.request_id.startswith("req_")
            assert entry.key_id or entry.operation in ABOUT_THE_CALLER

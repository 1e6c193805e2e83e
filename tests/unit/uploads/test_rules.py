"""The table of moves, names, estimates."""

from itertools import product

import pytest

from modelwright.uploads.domain import (
    TRANSITIONS,
    Status,
    UploadEvent,
    filename_fault,
    name_fault,
    seconds_for,
)

CONTRACT = {
    ("pending", "confirm"): "processing",
    ("processing", "finish"): "complete",
    ("pending", "give up"): "failed",
    ("pending", "expire"): "failed",
    ("processing", "give up"): "failed",
    ("processing", "fail"): "failed",
}


class TestMove:
    @pytest.mark.parametrize(("status", "verb"), list(product(Status, UploadEvent)))
    def test_only_the_moves_of_the_contract_lead_anywhere(self, status: Status, verb: UploadEvent):
        assert TRANSITIONS.get((status, verb)) == CONTRACT.get((status.value, verb.value))

    def test_nothing_leads_out_of_complete_or_failed(self):
        assert {status for status, _ in TRANSITIONS} == {Status.PENDING, Status.PROCESSING}


class TestFilename:
    @pytest.mark.parametrize(
        "name",
        [
            "a",
            "sales 2024.csv",
            "größe.csv",
            "a" * 255,
            "x..y",
            "100%.csv",
            "a?b#c&d.csv",
            "日本.parquet",
            "trailing.",
            "COM1",
            "'; drop table uploads; --",
        ],
    )
    def test_a_plain_name_is_fine(self, name: str):
        assert filename_fault(name) is None

    @pytest.mark.parametrize(
        "name",
        [
            "",
            "a" * 256,
            ".",
            "..",
            ".hidden",
            "a/b",
            "/etc/passwd",
            "a\\b",
            "a\nb",
            "a\0b",
            "a\x7fb",
            "a\x85b",
            "a\ud800b",
            "invoice\u202evsc.exe",
        ],
    )
    def test_a_name_that_could_lead_elsewhere_is_not(self, name: str):
        assert filename_fault(name)

    def test_an_upload_may_be_named_with_a_slash(self):
        assert name_fault("sales/2024") is None
        assert name_fault("a\tb")


class TestEstimate:
    def test_it_grows_with_files_and_bytes(self):
        assert seconds_for([1]) < seconds_for([1, 1]) < seconds_for([1, 10**9])

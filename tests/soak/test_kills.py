"""Thirty times kill -9 of everything while it works, and thirty power cuts."""

from pathlib import Path

import pytest
from tests.e2e.killing import Campaign
from tests.e2e.server import Server
from tests.e2e.test_power_cut import cut_power

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]


class TestKills:
    def test_thirty_kills_lose_nothing(self, tmp_path: Path):
        campaign = Campaign(Server(tmp_path), tmp_path, seed=30)
        for _ in range(30):
            campaign.kill(longest=6.0)
        assert len(campaign.ledger.uploads) >= 30
        campaign.reckon()

    def test_thirty_power_cuts_lose_nothing(self, tmp_path: Path):
        cut_power(Server(tmp_path), tmp_path, cuts=30, seed=31)

"""Thirty times kill -9 of everything while it works."""

from pathlib import Path

import pytest
from tests.e2e.killing import Campaign
from tests.e2e.server import Server

pytestmark = pytest.mark.soak


class TestKills:
    def test_thirty_kills_lose_nothing(self, tmp_path: Path):
        campaign = Campaign(Server(tmp_path), tmp_path, seed=30)
        for _ in range(30):
            campaign.kill(longest=6.0)
        assert len(campaign.uploads) >= 30
        campaign.reckon()

"""Kill -9 of everything while it works: nothing acknowledged is lost, every job still ends."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.killing import Campaign
from tests.e2e.server import Server


class TestKilled:
    @pytest.mark.timeout(600)
    def test_three_kills_in_processing_and_a_build_lose_nothing(
        self, new_server: Callable[..., Server], tmp_path: Path
    ):
        campaign = Campaign(new_server(), tmp_path, seed=7)
        for _ in range(3):
            campaign.kill(longest=3.0)
        assert len(campaign.uploads) >= 3
        campaign.reckon()

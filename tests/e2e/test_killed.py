"""Kill -9 of everything, or of PostgreSQL: nothing acknowledged is lost, every job still ends."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.killing import Campaign
from tests.e2e.private_postgres import private_postgres
from tests.e2e.server import Server


class TestPostgres:
    @pytest.mark.timeout(600)
    def test_killed_under_load_and_started_again_loses_nothing(
        self, new_server: Callable[..., Server], tmp_path: Path
    ):
        with private_postgres() as postgres:
            server = new_server(database_url=postgres.url)
            campaign = Campaign(server, tmp_path, seed=3)

            def kill_and_start() -> None:
                postgres.kill()
                postgres.start()

            campaign.disturb(3.0, kill_and_start)
            campaign.reckon()


class TestKilled:
    @pytest.mark.timeout(600)
    def test_three_kills_in_processing_and_a_build_lose_nothing(
        self, new_server: Callable[..., Server], tmp_path: Path
    ):
        campaign = Campaign(new_server(), tmp_path, seed=7)
        for _ in range(3):
            campaign.kill(longest=3.0)
        assert len(campaign.ledger.uploads) >= 3
        campaign.reckon()

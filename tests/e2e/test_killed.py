"""Kill -9 of a server and of PostgreSQL: nothing acknowledged is lost, every job still ends.

`test_power_cut.py` also takes away what the server had not synced, where there is a C compiler.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.killing import Campaign
from tests.e2e.private_postgres import private_postgres
from tests.e2e.server import Server


class TestServer:
    @pytest.mark.timeout(600)
    def test_killed_in_a_build_and_started_again_loses_nothing(
        self, new_server: Callable[..., Server], tmp_path: Path
    ):
        campaign = Campaign(new_server(), tmp_path, seed=7)
        campaign.kill(longest=2.0)
        assert campaign.builds
        assert campaign.ledger.keys
        assert campaign.ledger.questions
        campaign.reckon()


class TestPostgres:
    @pytest.mark.timeout(600)
    def test_killed_under_load_and_started_again_loses_nothing(
        self, new_server: Callable[..., Server], tmp_path: Path
    ):
        with private_postgres() as postgres:
            server = new_server(database_url=postgres.url, lease_seconds=5)
            campaign = Campaign(server, tmp_path, seed=3)

            def kill_and_start() -> None:
                postgres.kill()
                postgres.start()

            campaign.disturb(3.0, kill_and_start)
            campaign.reckon()

"""Ten million rows are scored over three machines, one of which is killed meanwhile.

`SOAK_ROWS` says how many, ten million where it does not.
"""

import json
import os
import sys
from pathlib import Path

import pytest
from tests.built_models import Built
from tests.e2e.cluster import running
from tests.e2e.scoring_kill import score_and_kill, write_table

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]
ROWS = int(os.environ.get("SOAK_ROWS", "10000000"))
STEPS = 11
"""As many as ten million rows make by default; with fewer rows they are smaller."""


class TestScoringKill:
    def test_leaves_each_row_once_and_in_order_and_costs_the_lost_steps_alone(
        self, tmp_path: Path, species: Built
    ):
        table = write_table(tmp_path / "birds.parquet", ROWS)
        with running(tmp_path, scoring_step_rows=-(-ROWS // STEPS)) as cluster:
            cluster.servers[0].give_model("p", species)
            told = score_and_kill(cluster, table, tmp_path, ROWS)
        sys.stdout.write(f"{json.dumps(told)}\n")

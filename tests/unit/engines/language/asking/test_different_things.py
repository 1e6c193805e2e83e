"""`The most different teachers`, `more than 3 different rooms`: each of them is counted once."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices

from .conftest import Data, Make
from .test_arbiter import decide

CLINIC = {
    "patients": """
        select i as patient_id, 'Patient ' || i as patient_name from range(1, 31) t(i)""",
    "doctors": """
        select i as doctor_id, 'Doctor ' || i as doctor_name from range(1, 13) t(i)""",
    "visits": """
        select i as visit_id, 1 + (i * i) % 30 as patient_id, 1 + (i * i * 7) % 11 as doctor_id,
        date '2024-01-01' + i::int as visited_on from range(1, 301) t(i)""",
}
JOINED = "visits join patients using (patient_id)"


@pytest.fixture(scope="module")
def clinic(make: Make) -> Data:
    return make(CLINIC)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        (
            "patients with visits to more than 4 different doctors",
            f"select patient_name from {JOINED} group by 1 having count(distinct doctor_id) > 4",
        ),
        (
            "which patient had visits to the most different doctors",
            (
                f"select patient_name from {JOINED} group by 1"
                " order by count(distinct doctor_id) desc, 1 limit 1"
            ),
        ),
    ],
)
def test_are_counted_once(clinic: Data, question: str, sql: str) -> None:
    decision = decide(clinic, question)
    assert isinstance(decision, Answer | Choices)
    first = decision.reading if isinstance(decision, Answer) else decision.readings[0]
    found = sorted(row[0] for row in first.result.rows)
    assert found == sorted(row[0] for row in clinic.run(sql).rows)

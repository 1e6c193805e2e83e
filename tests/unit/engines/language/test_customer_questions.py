"""Questions about groups of people: who is meant, what is asked of them, what isn't read."""

from typing import Any

import duckdb
import pytest
from tests.questions.question_sets import TODAY, same
from tests.unit.engines.language.tables import reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

COLUMNS = {
    "gender": "string", "SeniorCitizen": "integer", "Partner": "boolean", "Dependents": "boolean",
    "tenure": "integer", "InternetService": "string", "OnlineSecurity": "string",
    "Contract": "string", "PaymentMethod": "string", "MonthlyCharges": "float",
    "marital_status": "string", "status": "string", "quality": "string", "Churn": "boolean",
}  # fmt: skip
ROWS: list[tuple[Any, ...]] = [
    (
        ("Female", "Male")[at % 2],
        int(at % 7 == 0),
        at % 3 == 0,
        at % 5 < 2,
        at % 70 + 1,
        ("DSL", "Fiber optic", "No")[at % 3],
        "No internet service" if at % 3 == 2 else ("Yes", "No")[at // 3 % 2],
        ("Month-to-month", "One year", "Two year")[at // 2 % 3],
        ("Mailed check", "Electronic check", "Credit card (automatic)")[at // 4 % 3],
        20.5 + at * 37 % 91,
        ("Married-civ-spouse", "Never-married", "Divorced", "Married-AF-spouse")[at // 3 % 4],
        ("no checking account", "low", "high")[at // 5 % 3],
        f"q{at // 2 % 5 + 4}",
        at * at % 11 < 4,
    )
    for at in range(120)
]


@pytest.fixture(scope="module")
def store() -> duckdb.DuckDBPyConnection:
    return store_of("customers", COLUMNS, ROWS)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of("customers", COLUMNS, ROWS)


def means(
    store: duckdb.DuckDBPyConnection, reader: Reader, question: str, gold: str
) -> tuple[bool, Answerable]:
    """Whether a question is answered with the same rows as its SQL."""
    answer = reader.read(question, TODAY)
    assert isinstance(answer, Answerable), answer
    told = store.execute(answer.sql).fetchall()
    return same(store.execute(gold).fetchall(), told, wider=True), answer


WHO = [
    ("average monthly charges of seniors who churned vs stayed",
     'select "Churn", avg("MonthlyCharges") from customers where "SeniorCitizen" = 1 group by 1'),
    ("how many senior customers are there?",
     'select count(*) from customers where "SeniorCitizen" = 1'),
    ("churned seniors with a partner",
     'select * from customers where "Churn" and "SeniorCitizen" = 1 and "Partner"'),
    ("number of customers paying by credit card",
     "select count(*) from customers where \"PaymentMethod\" = 'Credit card (automatic)'"),
    ("average tenure of married people",
     "select avg(tenure) from customers where marital_status like 'Married%'"),
    ("average tenure of divorced vs married people",
     ("select marital_status, avg(tenure) from customers where marital_status <> 'Never-married'"
      " group by 1")),
    ("how many customers pay by mailed check or electronic check",
     "select count(*) from customers where \"PaymentMethod\" like '%check'"),
    ("how many customers have quality q7 or q8",
     "select count(*) from customers where quality in ('q7', 'q8')"),
]  # fmt: skip
DENIED = [
    ("how many female customers have a partner but no dependents",
     ("select count(*) from customers where gender = 'Female' and \"Partner\""
      ' and not "Dependents"')),
    ("how many customers without a partner churned",
     'select count(*) from customers where not "Partner" and "Churn"'),
    ("how many customers have neither a partner nor dependents",
     'select count(*) from customers where not "Partner" and not "Dependents"'),
    ("how many customers are there without partner or dependents",
     'select count(*) from customers where not "Partner" and not "Dependents"'),
    ("how many never-married women have a tenure under 30",
     ("select count(*) from customers where marital_status = 'Never-married'"
      " and gender = 'Female' and tenure < 30")),
    ("how many customers are without a checking account",
     "select count(*) from customers where status = 'no checking account'"),
    ("how many customers have a checking account",
     "select count(*) from customers where status <> 'no checking account'"),
    ("how many customers have no internet service",
     "select count(*) from customers where \"InternetService\" = 'No'"),
]  # fmt: skip
SHARES = [
    ("what share of customers with fiber optic churned",
     ('select 100.0 * count_if("Churn") / count(*) from customers'
      " where \"InternetService\" = 'Fiber optic'")),
    ("share of customers with fiber optic who churned",
     ('select 100.0 * count_if("Churn") / count(*) from customers'
      " where \"InternetService\" = 'Fiber optic'")),
    ("what percentage of customers who churned have a two year contract",
     ("select 100.0 * count_if(\"Contract\" = 'Two year') / count(*) from customers"
      ' where "Churn"')),
    ("share of customers who churned and have a partner",
     'select 100.0 * count_if("Churn" and "Partner") / count(*) from customers'),
    ("what percentage of seniors without a partner are female",
     ("select 100.0 * count_if(gender = 'Female') / count(*) from customers"
      ' where "SeniorCitizen" = 1 and not "Partner"')),
    ("share of women among customers who churned",
     "select 100.0 * count_if(gender = 'Female') / count(*) from customers where \"Churn\""),
]  # fmt: skip
COMPARED = [
    ("do customers with dependents stay longer",
     'select "Dependents", avg(tenure) from customers group by 1'),
    ("do women pay more monthly charges than men",
     'select gender, avg("MonthlyCharges") from customers group by 1'),
    ("is tenure higher for fiber optic or DSL",
     ('select "InternetService", avg(tenure) from customers'
      " where \"InternetService\" <> 'No' group by 1")),
    ("do seniors churn more",
     'select "SeniorCitizen", 100.0 * count_if("Churn") / count(*) from customers group by 1'),
    ("are seniors less likely to have a partner",
     'select "SeniorCitizen", 100.0 * count_if("Partner") / count(*) from customers group by 1'),
    ("is the churn rate higher among women than men",
     'select gender, 100.0 * count_if("Churn") / count(*) from customers group by 1'),
    ("are there more men than women", "select gender, count(*) from customers group by 1"),
    ("how does churn differ by contract",
     'select "Contract", 100.0 * count_if("Churn") / count(*) from customers group by 1'),
    ("how does internet service differ by gender",
     'select gender, "InternetService", count(*) from customers group by 1, 2'),
]  # fmt: skip


@pytest.mark.parametrize(("question", "gold"), [*WHO, *DENIED, *SHARES, *COMPARED])
def test_the_rows_are_those_that_are_meant(
    store: duckdb.DuckDBPyConnection, reader: Reader, question: str, gold: str
):
    right, answer = means(store, reader, question, gold)
    assert right, answer.sql
    assert "Not used" not in answer.interpretation


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("average monthly charges of quality customers by contract", "quality"),
        ("average tenure of phone users", "phone"),
    ],
)
def test_a_word_that_narrows_the_rows_and_was_not_used_is_told(
    reader: Reader, question: str, word: str
):
    answer = reader.read(question, TODAY)
    assert isinstance(answer, Answerable)
    assert f'"{word}"' in answer.interpretation.partition("Not used: ")[2]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("do customers with tenure over 12 pay more", "more"),
        ("are taller customers more likely to churn", "more"),
        ("the tastiest 5 customers", "tastiest"),
        ("average monthly charges of single customers", "single"),
        ("average monthly charges of long customers", "long"),
    ],
)
def test_what_cannot_be_compared_or_ranked_is_refused(reader: Reader, question: str, named: str):
    answer = reader.read(question, TODAY)
    assert isinstance(answer, NotUnderstood), answer
    assert f'"{named}"' in answer.sentence

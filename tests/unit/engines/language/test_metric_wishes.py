"""By what models are to be compared is read from an intent, or refused by its name."""

import pytest

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.intents.intents import Target, Unclear, find_target
from modelwright.engines.language.rules.intents.metric_wishes import metric_wish


def column(name: str, distinct: int = 90) -> ColumnFacts:
    return ColumnFacts(name, "integer", 1000, 0, distinct, 0, 99, ((1, 3), (2, 2)))


COLUMNS = [column("churn", 2), column("age"), column("price")]


@pytest.mark.parametrize(
    ("intent", "metric", "plain"),
    [
        ("predict churn, optimising for AUC", "roc_auc", "predict churn"),
        ("predict churn with the best possible F1 score", "f1", "predict churn"),
        ("build the churn model that has the highest recall", "recall", "build the churn model"),
        ("predict churn and maximise recall", "recall", "predict churn"),
        ("predict churn; we care about precision", "precision", "predict churn"),
        ("predict churn, judged by log loss", "log_loss", "predict churn"),
        ("predict churn and optimize accuracy", "accuracy", "predict churn"),
        ("predict churn, balanced accuracy is what matters", "balanced_accuracy", "predict churn"),
        ("predict the price and minimise the mean absolute error", "mae", "predict the price"),
        ("predict the price, RMSE should be as low as possible", "rmse", "predict the price"),
        ("predict the price, evaluated by R2", "r2", "predict the price"),
        ("predict the price with the lowest MAPE", "other", "predict the price"),
    ],
)
def test_a_metric_is_read(intent: str, metric: str, plain: str) -> None:
    found = metric_wish(intent, COLUMNS)
    assert (found.metric, found.plain) == (metric, plain)


@pytest.mark.parametrize(
    "intent",
    [
        "predict the precision of the drill",
        "predict the recall of the product",
        "predict churn with high accuracy",
        "predict churn with a recall of 90%",
        "predict churn with precision above 0.9",
        "minimise the cost",
    ],
)
def test_what_is_no_metric_stays(intent: str) -> None:
    assert metric_wish(intent, COLUMNS).metric is None


def test_a_column_that_is_called_so_is_predicted() -> None:
    columns = [*COLUMNS, column("accuracy")]
    assert metric_wish("measure models by accuracy", columns).metric is None


def test_it_stands_with_the_target() -> None:
    found = find_target("predict churn, optimising for AUC", COLUMNS)
    assert isinstance(found, Target)
    assert (found.column, found.beside.metric) == ("churn", "roc_auc")


def test_one_that_models_are_not_compared_by_is_refused_by_its_field() -> None:
    refused = find_target("predict the price with the lowest MAPE", COLUMNS)
    assert isinstance(refused, Unclear)
    assert "`metric`" in refused.sentence
    assert '"MAPE"' in refused.sentence


def test_it_is_not_read_where_the_field_is_given() -> None:
    found = find_target("predict the price with the lowest MAPE", COLUMNS, ["metric"])
    assert isinstance(found, Target)
    assert found.beside.metric is None

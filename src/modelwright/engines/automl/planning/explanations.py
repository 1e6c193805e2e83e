"""Says in plain words what a plan improves, and what it learns from."""

from collections.abc import Mapping, Sequence

from modelwright.engines.automl.planning.load_columns import Kind
from modelwright_runtime.date_parsing import ORDERS
from modelwright_runtime.geo_features import named_places
from modelwright_runtime.number_parsing import FORMS

MEANINGS: Mapping[str, str] = {
    "log_loss": "how sure they are of what is right",
    "accuracy": "how many rows they get right",
    "balanced_accuracy": "how many rows of each class they get right, rare classes counting alike",
    "f1": "how many cases they find without false alarms",
    "roc_auc": "how well they rank the rows",
    "precision": "how often they are right when they say so",
    "recall": "how many of the cases they find",
    "rmse": "how far off they are, large misses counting more",
    "mae": "how far off they are on average",
    "r2": "how much of the differences they explain",
}
_KINDS: Mapping[Kind, str] = {
    "number": "numbers",
    "category": "categories",
    "date": "dates",
    "text": "texts",
}


def reasons(
    metric: str, features: Sequence[str], kinds: Mapping[str, Kind], later: Sequence[str] = ()
) -> list[str]:
    """Returns a sentence each for metric, columns, those read otherwise, places and time order.

    Args:
        metric: What is optimised.
        features: The columns that are learnt from.
        kinds: How each is read.
        later: The columns that order the rows in time, where they are held out by it.

    Returns:
        Sentences.
    """
    counts: dict[Kind, int] = {}
    for name in features:
        kind: Kind = kinds[name]
        kind = "date" if kind in ORDERS else "number" if kind in FORMS else kind
        counts[kind] = counts.get(kind, 0) + 1
    listed = ", ".join(f"{count} with {_KINDS[kind]}" for kind, count in counts.items())
    written = [name for name in features if kinds[name] in {*ORDERS, *FORMS}]
    numbers = [name for name in features if kinds[name] == "number"]
    columns = "1 column" if len(features) == 1 else f"{len(features)} columns"
    return [
        f"Models are compared by {MEANINGS[metric]} ({metric}).",
        f"It learns from {columns}: {listed}.",
        *[f"{', '.join(written)}: texts, read as the dates or numbers they write."][: len(written)],
        *(
            f"{north} and {east} are read together too, as places."
            for north, east in named_places(numbers)
        ),
        *_later(later),
    ]


def _later(later: Sequence[str]) -> list[str]:
    if not later:
        return []
    said = (
        f"The rows are in the order of {' and '.join(later)}: the latest are held out, and models"
        " are judged on rows later than those they learn from. An input_schema without dates and"
        " years has rows held out at random."
    )
    return [said]

"""`modelwright build`: a model from a sentence.

It joins what the API keeps apart, uploading, building and reporting, for somebody who has a file
and wants a model.
"""

from typing import Annotated, cast, get_args

import typer

from modelwright_client import formatting, terminal
from modelwright_client._http import drop_none
from modelwright_client.commands.options import ApiKey, Json, Url, connect
from modelwright_client.models import Costs, Split, SplitBy, Task, TrainingOptions


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(build)


def build(
    name: Annotated[str, typer.Argument(help="Name of the new model.")],
    intent: Annotated[str, typer.Option(help="What it is for: “Predict …”.")],
    dataset: Annotated[str, typer.Option(help="Upload id, dataset name, or name@v1.2.")],
    target: Annotated[str | None, typer.Option(help="Column to predict, else --intent's.")] = None,
    task: Annotated[
        Task | None, typer.Option(help="What kind of answer, else the data decide.")
    ] = None,
    metric: Annotated[str | None, typer.Option(help="What to optimise, else it is chosen.")] = None,
    max_iterations: Annotated[
        int | None, typer.Option(help="How many candidates are tried at most.")
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(help="random, time, group:COLUMN, time:COLUMN or column:COLUMN."),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(help="Probability from which on the positive class is said, above 0 below 1."),
    ] = None,
    costs: Annotated[
        str | None,
        typer.Option(help="FALSE_POSITIVE:FALSE_NEGATIVE, such as 1:20, in place of a threshold."),
    ] = None,
    sample_weight: Annotated[
        str | None, typer.Option(help="Column that says how much each row counts.")
    ] = None,
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Builds a model and shows how good it is."""
    plain = {"target": target, "task": task, "metric": metric, "max_iterations": max_iterations}
    pins = cast("TrainingOptions", drop_none(plain))
    pins |= _pins(split, threshold, costs, sample_weight)
    with connect(api_key, url) as client:
        with terminal.progress(f"building {name}", quiet=as_json) as bar:
            model = client.models.build(
                name,
                intent,
                dataset,
                progress=lambda job: bar(job["progress"], job["stage"]),
                **pins,
            )
        if as_json:
            terminal.raw(model)
            return
        formatting.model(model)
        formatting.description(client.models.describe(name, model["model_version"]))


def _pins(
    split: str | None, threshold: float | None, costs: str | None, sample_weight: str | None
) -> TrainingOptions:
    """Reads what the options fix of the build."""
    pins: TrainingOptions = {}
    if split is not None:
        pins["split"] = _split(split)
    if threshold is not None:
        pins["threshold"] = threshold
    if costs is not None:
        pins["costs"] = _costs(costs)
    if sample_weight is not None:
        pins["sample_weight"] = sample_weight
    return pins


def _split(text: str) -> Split:
    by, _, column = text.partition(":")
    if by not in get_args(SplitBy):
        listed = ", ".join(get_args(SplitBy))
        raise typer.BadParameter(f"{by!r} is none of {listed}.", param_hint="--split")
    if by in {"group", "column"} and not column:
        raise typer.BadParameter(f"Name the column: {by}:COLUMN.", param_hint="--split")
    if by == "random" and column:
        raise typer.BadParameter(
            f"random goes by no column {column!r}; give --split random.", param_hint="--split"
        )
    split: Split = {"by": cast("SplitBy", by)}
    if column:
        split["column"] = column
    return split


def _costs(text: str) -> Costs:
    wrong, _, missed = text.partition(":")
    try:
        return {"false_positive": float(wrong), "false_negative": float(missed)}
    except ValueError:
        raise typer.BadParameter(
            "Give two numbers, FALSE_POSITIVE:FALSE_NEGATIVE, such as 1:20.", param_hint="--costs"
        ) from None

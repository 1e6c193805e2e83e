"""A model card as one page of HTML: no script, nothing from elsewhere, every word escaped."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from modelwright.models import charts
from modelwright.models.charts import figure

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'self'; sandbox"
    ),
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, no-cache",
    "Vary": "Accept, Authorization, X-Api-Key, Cookie",
}
NAMES = {
    "log_loss": "Log loss", "roc_auc": "ROC AUC", "accuracy": "Accuracy", "f1_score": "F1",
    "balanced_accuracy": "Balanced accuracy", "precision": "Precision", "recall": "Recall",
    "rmse": "RMSE", "mae": "MAE", "r2": "R²",
}  # fmt: skip
FIRST_COLUMNS = {"regression": ("r2", "rmse", "mae"), "": ("roc_auc", "accuracy", "log_loss")}
SPREAD = {
    "mean": "Mean", "p5": "5th percentile", "p25": "25th percentile", "median": "Median",
    "p75": "75th percentile", "p95": "95th percentile",
}  # fmt: skip
MAX_MATRIX_CLASSES = 12
"""Classes up to which a confusion matrix fits on a page."""
COLUMNS_SHOWN = 60
"""Rows of a table of columns; of more it says how many there are."""
Json = Mapping[str, Any]


def prefers_html(accept: str) -> bool:
    """Returns whether an Accept header names HTML before JSON, as a browser's does."""
    named = [one.split(";")[0].strip().lower() for one in accept.split(",")]
    known = [one for one in named if one in {"text/html", "application/json"}]
    return known[:1] == ["text/html"]


def page(card: Json) -> str:
    """Writes the page of a card as `ModelCard` tells it."""
    title = f"{card['name']} {card['model_version']}"
    parts = [
        _head(card), _tiles(card), _quality(card), _pictures(card), _plan(card), _data(card),
        _section("Limits", _list(card["limits"])),
    ]  # fmt: skip
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}: model card</title><style>{_style()}</style></head>"
        f"<body><main>{''.join(parts)}<footer>{_foot(card)}</footer></main></body></html>"
    )


@cache
def _style() -> str:
    return Path(__file__).with_name("card.css").read_text("utf-8")


def _head(card: Json) -> str:
    badges = [card["task"], f"predicts {card['target']}", card["model_version"]]
    shown = "".join(f'<span class="badge">{escape(one)}</span>' for one in badges)
    said = f"<p class='quiet'>{escape(card['description'])}</p>" if card["description"] else ""
    return (
        f'<p class="quiet">Model card</p><h1>{escape(card["name"])}</h1>'
        f'<p class="lead">“{escape(card["intent"])}”</p>{said}<div class="badges">{shown}</div>'
    )


def _tiles(card: Json) -> str:
    metrics, confidence = card["metrics"], card["metrics"].get("confidence", {})
    chosen = [
        name
        for name in FIRST_COLUMNS.get(card["task"], FIRST_COLUMNS[""])
        if isinstance(metrics.get(name), int | float)
    ]
    told = [(figure(metrics[one]), NAMES[one], _between(confidence.get(one))) for one in chosen]
    if metrics.get("lift") is not None:
        told.append((f"{metrics['lift']:.0%}", "Lift", _over_baseline(card)))
    told.append(
        (f"{card['data']['rows']:,}", "Rows", f"{card['data']['held_out_rows']:,} held out")
    )
    tiles = [
        f'<div class="tile"><span>{escape(name)}</span><b>{escape(value)}</b>'
        f"<span>{escape(note)}</span></div>"
        for value, name, note in told
    ]
    return f'<div class="tiles">{"".join(tiles)}</div>'


def _over_baseline(card: Json) -> str:
    metrics = card["metrics"]
    measure = "RMSE" if card["task"] == "regression" else "log loss"
    ends = metrics.get("confidence", {}).get("lift")
    known = f", {ends[0]:.0%} to {ends[1]:.0%}" if ends else ""
    if metrics.get("better_than_baseline", True):
        return f"less {measure} than the baseline{known}"
    if ends and ends[0] > 0:
        return f"less {measure} than always giving the same{known}; not than what needs no model"
    return f"of {measure}: not surely better than the baseline{known}"


def _quality(card: Json) -> str:
    metrics, confidence = card["metrics"], card["metrics"].get("confidence", {})
    baseline = _strongest(metrics.get("baseline", {}))
    rows = [
        (label, figure(metrics[name]), _between(confidence.get(name)), _number(baseline.get(name)))
        for name, label in NAMES.items()
        if isinstance(metrics.get(name), int | float)
    ]
    table = _table(("Metric", "Value", "95% interval", "Baseline"), rows, right=(1, 2, 3))
    matrix = _matrix(card)
    other = matrix or _outcome(card)
    return _section(
        "Quality on held-out rows", f'<div class="pair"><div>{table}</div>{other}</div>'
    )


def _strongest(baseline: Json) -> Json:
    """Gives the best of what needs no model: the same answer always, or a naive rule over time."""
    naive = [one for one in baseline.values() if isinstance(one, dict)]
    best = {name: one for name, one in baseline.items() if not isinstance(one, dict)}
    for name, pick in (("rmse", min), ("mae", min), ("accuracy", max)):
        told = [one[name] for one in [best, *naive] if name in one]
        best |= {name: pick(told)} if told else {}
    return best


def _matrix(card: Json) -> str:
    table = card["metrics"].get("confusion_matrix") or []
    names = card["data"]["target"].get("classes", [])
    if not table or len(table) > MAX_MATRIX_CLASSES or len(names) != len(table):
        return ""
    most = max(max(row) for row in table) or 1
    head = "".join(f"<th>{escape(str(name))}</th>" for name in names)
    rows = []
    for name, counts in zip(names, table, strict=True):
        cells = "".join(
            f'<td style="background:color-mix(in srgb, var(--accent) {45 * count / most:.0f}%,'
            f' transparent)">{count:,}</td>'
            for count in counts
        )
        rows.append(f"<tr><th>{escape(str(name))}</th>{cells}</tr>")
    return (
        "<div><h3>Truth (down) against prediction (across)</h3>"
        f'<div class="scroll"><table class="matrix"><tr><th></th>{head}</tr>{"".join(rows)}</table>'
        "</div></div>"
    )


def _outcome(card: Json) -> str:
    target = card["data"]["target"]
    if "classes" in target:
        shares = dict(zip(map(str, target["classes"]), target["shares"], strict=True))
        return f"<div><h3>Classes in the data</h3>{charts.bars(shares, 'Classes')}</div>"
    rows = [(SPREAD.get(name, name), _number(value)) for name, value in target.items()]
    return f"<div><h3>{escape(card['target'])} in the data</h3>{_table(None, rows, (1,))}</div>"


def _pictures(card: Json) -> str:
    curves, shares = card["curves"], card["feature_importance"]
    drawn = []
    if shares:
        drawn.append(("Importance", charts.bars(shares, "Importance of the columns")))
    if curves.get("roc"):
        drawn.append(("ROC", charts.roc(curves["roc"]) + _key(curves["roc"])))
    if curves.get("calibration"):
        drawn.append(("Calibration", charts.calibration(curves["calibration"])))
    if curves.get("residuals"):
        note = '<p class="quiet">Median, half and nine tenths of the held-out rows.</p>'
        drawn.append(("Residuals", charts.residuals(curves["residuals"]) + note))
    cards = [f'<section class="card"><h2>{name}</h2>{picture}</section>' for name, picture in drawn]
    return f'<div class="pictures">{"".join(cards)}</div>'


def _key(curves: Sequence[Json]) -> str:
    named = [
        f'<span><svg viewBox="0 0 22 6"><line class="curve c{place}" x1="0" x2="22" y1="3" y2="3"/>'
        f"</svg>{escape(str(curve['class']))}</span>"
        for place, curve in enumerate(curves[: charts.LINES])
    ]
    return f'<div class="key">{"".join(named)}</div>'


def _plan(card: Json) -> str:
    plan = card["plan"]
    members = ", ".join(f"{name} {weight:.0%}" for name, weight in card["members"].items())
    facts = [
        ("Learns", f"{card['target']} ({card['task']})"), ("Judged by", str(plan.get("metric"))),
        ("Held out", str(plan.get("split"))), ("Made of", members or card["algorithm"]),
        ("Seed", str(plan.get("seed"))), ("Learnt with", _versions(card["libraries"])),
    ]  # fmt: skip
    left = [(one["column"], one["reason"]) for one in plan.get("left_out", ())]
    parts = _table(None, facts) + _list(plan.get("reasons", ()))
    if left:
        parts += f"<br><h3>Columns left out</h3>{_table(('Column', 'Why'), left[:COLUMNS_SHOWN])}"
    return _section("Plan", parts)


def _versions(libraries: Json) -> str:
    return ", ".join(f"{name} {version}" for name, version in libraries.items()) or "not recorded"


def _data(card: Json) -> str:
    data, names = card["data"], list(card["input_schema"].items())
    where = data["dataset_name"] or data["dataset_id"]
    more = len(names) - COLUMNS_SHOWN
    shares = card["feature_importance"]
    rows = [(name, kind, _share(shares.get(name))) for name, kind in names[:COLUMNS_SHOWN]]
    note = f'<p class="quiet">and {more} more</p>' if more > 0 else ""
    told = f"<p>{data['rows']:,} rows of <b>{escape(where)}</b>, {len(names)} columns read.</p>"
    told += f"<p>SHA-256 <code>{escape(data['sha256'])}</code></p>" if data["sha256"] else ""
    table = _table(("Column", "Type", "Importance"), rows, right=(2,))
    return _section("Data", told + table + note)


def _foot(card: Json) -> str:
    minutes = card["training_time_minutes"] or 0
    long = f"{minutes:.1f} minutes" if minutes >= 1 else f"{60 * minutes:.0f} seconds"
    took = f", built in {long}" if minutes else ""
    return escape(f"{card['model_name']} {card['model_version']}, {card['created_at']}{took}")


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def _number(value: Any) -> str:
    return figure(value) if isinstance(value, int | float) else ""


def _between(ends: Sequence[float] | None) -> str:
    return f"{figure(ends[0])} to {figure(ends[1])}" if ends else ""


def _section(title: str, content: str) -> str:
    return f'<section class="card"><h2>{escape(title)}</h2>{content}</section>'


def _list(items: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in items)}</ul>"


def _table(
    heads: Sequence[str] | None, rows: Iterable[Sequence[str]], right: Sequence[int] = ()
) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        shown = [
            f"<{tag}{' class=right' if place in right else ''}>{escape(cell)}</{tag}>"
            for place, cell in enumerate(cells)
        ]
        return f"<tr>{''.join(shown)}</tr>"

    top = line(heads, "th") if heads else ""
    return (
        f'<div class="scroll"><table>{top}{"".join(line(row, "td") for row in rows)}</table></div>'
    )

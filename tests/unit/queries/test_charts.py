"""Charts drawn from results: order, bounds, holes, missing labels."""

from collections.abc import Sequence
from typing import Any

import pytest

from modelwright.engines.chart_spec import ChartSpec, ChartType
from modelwright.queries.charts import ResultChart, draw


def drawn(
    kind: str, rows: Sequence[Any], *, columns: str = "label n", width: float | None = None
) -> ResultChart:
    names = columns.split()
    values = tuple(names[1:]) if len(names) == 2 else (names[-1],)
    chart = draw(ChartSpec(ChartType(kind), names[0], values, "Title", width), names, rows)
    assert chart is not None
    return chart


def data(chart: ResultChart) -> list[Any]:
    return [one["data"] for one in chart.datasets]


class TestDraw:
    def test_labels_and_numbers_are_those_of_the_rows(self):
        chart = drawn("bar_chart", [["b", 2], ["a", 1.5]])
        assert chart.as_json() == {
            "visualization_type": "bar_chart",
            "title": "Title",
            "data": {"labels": ["b", "a"], "datasets": [{"label": "n", "data": [2, 1.5]}]},
        }

    @pytest.mark.parametrize("rows", [[], [["a", None]], [["a", "text"]]])
    def test_nothing_is_drawn_where_there_is_no_number(self, rows: list[list[Any]]):
        assert draw(ChartSpec(ChartType.BAR, "label", ("n",), ""), ["label", "n"], rows) is None

    def test_nothing_is_drawn_from_columns_that_are_not_there(self):
        assert draw(ChartSpec(ChartType.BAR, "x", ("n",), ""), ["label", "n"], [["a", 1]]) is None
        assert (
            draw(ChartSpec(ChartType.BAR, "label", ("x",), ""), ["label", "n"], [["a", 1]]) is None
        )

    def test_a_missing_label_says_so(self):
        assert drawn("bar_chart", [["a", 1], [None, 2]]).labels == ["a", "(missing)"]

    def test_bars_are_bounded(self):
        chart = drawn("bar_chart", [[f"k{n}", n] for n in range(80)])
        assert (len(chart.labels), len(data(chart)[0]), chart.is_cut) == (50, 50, True)

    def test_a_hostile_label_stays_text(self):
        assert drawn("bar_chart", [["<script>", 1]]).labels == ["<script>"]


class TestLine:
    def test_runs_forward_and_leaves_no_label_out(self):
        rows = [["2024-03-01T00:00:00", 3], [None, 9], ["2024-01-01T00:00:00", 1]]
        chart = drawn("line_chart", rows)
        assert chart.labels == ["2024-01-01", "2024-03-01"]
        assert data(chart) == [[1, 3]]

    def test_weekdays_keep_the_order_of_the_result(self):
        assert drawn("line_chart", [["Monday", 1], ["Friday", 2]]).labels == ["Monday", "Friday"]

    def test_a_second_group_makes_series(self):
        rows = [["2024", "a", 1], ["2024", "b", 2], ["2025", "b", 3]]
        chart = drawn("line_chart", rows, columns="year kind n")
        assert chart.labels == ["2024", "2025"]
        assert chart.datasets == [
            {"label": "a", "data": [1, None]},
            {"label": "b", "data": [2, 3]},
        ]

    def test_series_are_bounded_to_the_largest(self):
        rows = [["2024", f"k{n}", n] for n in range(30)]
        chart = drawn("line_chart", rows, columns="year kind n")
        assert [one["label"] for one in chart.datasets] == [f"k{n}" for n in range(18, 30)]
        assert chart.is_cut


class TestPie:
    def test_the_largest_come_first_and_the_rest_is_one_slice(self):
        chart = drawn("pie_chart", [[f"k{n}", n] for n in range(1, 13)])
        assert chart.labels == ["k12", "k11", "k10", "k9", "k8", "k7", "k6", "Other"]
        assert sum(data(chart)[0]) == sum(range(1, 13))
        assert data(chart)[0][-1] == 15

    def test_what_has_negative_parts_is_drawn_as_bars(self):
        assert drawn("pie_chart", [["a", -1], ["b", 2]]).picture.type is ChartType.BAR


class TestHistogram:
    def test_ranges_are_named_and_empty_ones_filled(self):
        chart = drawn("histogram", [[0.0, 5], [30.0, 2], [10.0, 1]], width=10.0)
        assert chart.labels == ["0 to 10", "10 to 20", "20 to 30", "30 to 40"]
        assert data(chart) == [[5, 1, 0, 2]]

    def test_fractions_and_negative_ranges(self):
        chart = drawn("histogram", [[-0.25, 1], [0.25, 3]], width=0.25)
        assert chart.labels == ["-0.25 to 0", "0 to 0.25", "0.25 to 0.5"]

    def test_a_lonely_far_value_does_not_make_a_million_ranges(self):
        chart = drawn("histogram", [[0.0, 5], [1e9, 1]], width=1.0)
        assert data(chart) == [[5, 1]]

    def test_a_missing_range_is_left_out(self):
        assert data(drawn("histogram", [[None, 5], [0.0, 1]], width=1.0)) == [[1]]


class TestScatter:
    def test_pairs_numbers(self):
        chart = drawn("scatter_plot", [[1, 2.5], [None, 9], [3, 4]])
        assert (chart.labels, data(chart)) == ([1, 3], [[2.5, 4]])

    def test_labels_that_are_no_numbers_make_bars(self):
        assert drawn("scatter_plot", [["a", 1]]).picture.type is ChartType.BAR

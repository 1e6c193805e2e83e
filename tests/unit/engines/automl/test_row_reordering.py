"""The order of a batch: rows that are alike lie beside each other, and every row once."""

import numpy as np
from tests.unit.engines.automl.test_onnx_export import SLOTS, _forest

from modelwright_runtime.row_reordering import RowOrder


class TestOrder:
    def test_has_every_row_once(self):
        rows = np.random.default_rng(0).normal(size=(999, SLOTS)).astype(np.float32)
        rows[::7, 1] = np.nan
        found = RowOrder.of([_forest(0), _forest(1)]).places(rows)
        assert sorted(found.tolist()) == list(range(999))

    def test_puts_rows_beside_each_other_that_no_tree_tells_apart(self):
        few = np.random.default_rng(0).normal(size=(20, SLOTS)).astype(np.float32)
        kinds = np.random.default_rng(1).integers(20, size=999)
        order = RowOrder.of([_forest(0)])
        alike = kinds[order.places(few[kinds])]
        changes = np.count_nonzero(np.diff(alike))
        assert changes < 0.2 * np.count_nonzero(np.diff(kinds))

    def test_looks_at_what_is_asked_alone(self):
        forest = _forest(0)
        asked = np.bincount(forest.feature, forest.cover)
        assert list(RowOrder.of([forest]).features) == np.argsort(-asked).tolist()
        forest.feature[:] = 2
        order = RowOrder.of([forest])
        assert list(order.features) == [2]
        rows = np.zeros((50, SLOTS), dtype=np.float32)
        rows[:, 2] = np.random.default_rng(0).normal(size=50)
        (edges,) = order.edges
        told = np.searchsorted(edges, rows[order.places(rows), 2])
        assert (np.diff(told) >= 0).all()
        assert told[0] < told[-1]

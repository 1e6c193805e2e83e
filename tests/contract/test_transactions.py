"""No operation and no job keeps a transaction open while it waits for the storage or a child."""

from tests.contract.world import World
from tests.transactions import Waits


class TestTransactions:
    def test_none_that_writes_waits_for_storage_network_or_a_child(
        self, world: World, waits: Waits
    ) -> None:
        assert world.answers
        assert waits.writing == set()

    def test_none_that_reads_does_either(self, world: World, waits: Waits) -> None:
        assert world.answers
        assert waits.reading == set()

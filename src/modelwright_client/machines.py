"""The machines that share the server's database."""

from modelwright_client._http import Resource
from modelwright_client.types import MachineList


class Machines(Resource):
    """The machines of the server; for `admin` keys."""

    def list(self, *, limit: int | None = None, offset: int | None = None) -> MachineList:
        """Lists the machines that share the database, and what runs on each.

        Args:
            limit: How many machines at most.
            offset: How many machines to skip.

        Returns:
            A page of machines, each with its processes and when it was last heard of.
        """
        return self._calls.get("/machines", MachineList, {"limit": limit, "offset": offset})

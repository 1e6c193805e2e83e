"""`GET /machines`."""

from modelwright.core.http.context import AdminContext
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.machines.schemas import MachineDetail, MachineList
from modelwright.machines.service import Machines

router = ApiRouter("machines")


@router.get_("/machines")
def list_(ctx: AdminContext, machines: Service[Machines]) -> MachineList:
    """Lists the machines that share the database, and what runs on each; for `admin` keys."""
    now = machines.now(ctx.db)
    return MachineList(machines=[MachineDetail.of(one, now) for one in machines.list_(ctx.db)])

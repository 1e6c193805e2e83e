"""`GET /machines`."""

from modelwright.core.http.context import AdminContext
from modelwright.core.http.paging import Paged, Pagination
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.machines.schemas import MachineDetail, MachineList
from modelwright.machines.service import Machines

router = ApiRouter("machines")


@router.get_("/machines")
def list_(ctx: AdminContext, machines: Service[Machines], page: Paged) -> MachineList:
    """Lists the machines that share the database, and what runs on each; for `admin` keys."""
    now, found = machines.now(ctx.db), machines.list_(ctx.db)
    shown = found[page.offset : page.offset + page.limit]
    return MachineList(
        machines=[MachineDetail.of(one, now) for one in shown],
        pagination=Pagination.of(page, len(found)),
    )

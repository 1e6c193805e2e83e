"""An API process as a part of its machine: its signs of life, and what it and others call for."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from starlette.concurrency import run_in_threadpool

from modelwright.bootstrap.container import Container
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.logging import logger
from modelwright.deployments.service import Deployments
from modelwright.machines.domain import MachinePart
from modelwright.machines.membership import Membership
from modelwright.machines.service import Machines

REFRESH_SECONDS = 0.5
"""How often it is read what other machines have."""


@asynccontextmanager
async def joined(container: Container, listener: socket.socket | None) -> AsyncIterator[None]:
    """Is a part of the machine for as long as the block lasts; takes calls of other machines."""
    member = Membership(container.database, container.service(Machines), MachinePart.API)
    async with AsyncExitStack() as stack:
        if container.channel is not None and listener is not None:
            server = await container.channel.listen(listener)
            stack.callback(server.close)
        task = asyncio.create_task(_keep(container, member))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await run_in_threadpool(member.leave)


async def _keep(container: Container, member: Membership) -> None:
    while True:
        # On the loop's time, so that a process that no longer answers gives no sign either.
        try:
            await run_in_threadpool(_refresh, container, member)
        except Exception:  # noqa: BLE001 - a database that is away comes back
            logger().warning("membership.not_kept", exc_info=True)
        await asyncio.sleep(REFRESH_SECONDS)


def _refresh(container: Container, member: Membership) -> None:
    member.keep()
    if container.channel is None:
        return
    deployments = container.service(Deployments)
    with container.database.transaction(ALL_ACCOUNTS, write=False) as db:
        elsewhere = deployments.elsewhere(db)
    deployments.directory.update(elsewhere)

"""The job of a deployment: it follows the replicas until they answer or cannot.

The host of the replicas (`hosting`) starts them by itself, so that a deployment waits for no
free slot of a worker; the job makes it seen, followed and cancelled like other work.
"""

import time
from dataclasses import dataclass

from sqlalchemy.orm import Session

from modelwright.core.errors import Conflict
from modelwright.deployments.domain import Status
from modelwright.deployments.errors import NoReplica
from modelwright.deployments.service import Deployments
from modelwright.jobs.context import JobContext
from modelwright.jobs.domain import Kind, Lane

POLL_SECONDS = 0.1
"""How often a job looks whether the replicas are ready."""
FOLLOW_SECONDS = 15.0
"""How long a slot is taken before others have their turn."""


@dataclass
class FollowDeployment:
    """Ends when the deployment is ACTIVE, FAILED or gone; the subject is its id."""

    deployments: Deployments

    kind = Kind.DEPLOYMENT.value
    lane = Lane.SHORT

    def run(self, step: JobContext) -> None:
        """Waits for the replicas; gives its slot to others when that takes long."""
        step.log("Starting replicas.")
        step.progress(10, "starting replicas")
        until = time.monotonic() + FOLLOW_SECONDS
        while time.monotonic() < until:
            with step.transaction() as db:
                facts = self.deployments.find(db, step.subject)
            if facts is not None and facts.status is Status.FAILED:
                raise Conflict(facts.error or "")
            if facts is None or facts.status is not Status.DEPLOYING:
                step.log("The replicas answer." if facts else "The deployment is gone.")
                return
            time.sleep(POLL_SECONDS)
        raise NoReplica

    def give_up(self, db: Session, subject: str, why: str) -> None:
        """Leaves the deployment FAILED."""
        self.deployments.fail(db, subject, why)

"""Refusals about deployments."""

from modelwright.core.errors import Conflict, Detail, Unavailable
from modelwright.deployments.domain import DeploymentInfo, Status

_WHY = {
    Status.DEPLOYING: "try again when it is ACTIVE.",
    Status.UNDEPLOYING: "it takes no requests any more. Deploy again.",
}


class NothingReady(Conflict):
    """The model has no version that could be deployed (409)."""

    def __init__(self, model_name: str) -> None:
        super().__init__(
            f"{model_name} has no READY version yet; deploy it when its build has ended.",
            details=(Detail("model_version", "is not READY"),),
        )


class NotActive(Conflict):
    """The deployment does not answer now (409)."""

    def __init__(self, facts: DeploymentInfo) -> None:
        why = _WHY.get(facts.status) or (facts.error or "") + " Undeploy it and deploy again."
        super().__init__(
            f"The deployment {facts.deployment_id} is {facts.status}, not ACTIVE; {why.strip()}",
            details=(Detail("deployment_id", f"is {facts.status}"),),
        )


class MachineFull(Unavailable):
    """The machine may not run as many replicas more, or not for this account (503)."""

    def __init__(self, asked: int, free: int, most: str, setting: str) -> None:
        super().__init__(
            f"replicas: {asked} are asked for, {free} of {most} are free; ask for fewer,"
            f" undeploy something, or ask the operator to raise {setting}.",
            details=(Detail("replicas", f"only {free} are free"),),
            retry_after=30,
        )


class ReplicasBusy(Unavailable):
    """As many requests wait for the replicas as may (503)."""

    def __init__(self) -> None:
        super().__init__(
            "All replicas are busy and too many requests wait; try again.", retry_after=1
        )


class NoReplica(Unavailable):
    """No replica answers, for now (503)."""

    def __init__(self) -> None:
        super().__init__("The replicas are being started; try again.", retry_after=2)


class AnswerLost(Unavailable):
    """Several replicas died while they had this request (503)."""

    def __init__(self) -> None:
        super().__init__("Replicas died over this request; if it is large, send less at a time.")

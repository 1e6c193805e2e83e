"""Putting versions to work and taking them down; `/predict/…` is the feature predictions'."""

from modelwright.core.http.context import ReadContext, Scope, WriteContext
from modelwright.core.http.paging import LongPaged, Pagination
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.deployments.schemas import Deploy, DeploymentDetail, DeploymentList, Undeployed
from modelwright.deployments.service import Deployments

router = ApiRouter("deployments", Scope.MODELS)


@router.post_("/models/{model_name}/deploy")
def deploy(
    ctx: WriteContext,
    deployments: Service[Deployments],
    model_name: str,
    body: Deploy | None = None,
) -> DeploymentDetail:
    """Starts replicas of a version; earlier deployments stay."""
    asked = body or Deploy()
    facts = deployments.deploy(
        ctx.db,
        model_name,
        asked.model_version,
        environment=asked.environment,
        replicas=asked.replicas,
        auto_scale=asked.auto_scale,
        by=ctx.caller,
    )
    return DeploymentDetail.of(facts, ctx.base_url)


@router.get_("/models/{model_name}/deployments")
def list_(
    ctx: ReadContext, deployments: Service[Deployments], model_name: str, page: LongPaged
) -> DeploymentList:
    """Lists a model's deployments, newest first."""
    model, found, total = deployments.list_(ctx.db, model_name, page)
    return DeploymentList(
        model_name=model_name,
        model_version=model.shown.model_version,
        deployments=[DeploymentDetail.of(facts, ctx.base_url) for facts in found],
        pagination=Pagination.of(page, total),
    )


@router.delete_("/models/{model_name}/deployments/{deployment_id}")
def undeploy(
    ctx: WriteContext, deployments: Service[Deployments], model_name: str, deployment_id: str
) -> Undeployed:
    """Takes a deployment down; requests in flight are answered."""
    facts, moment = deployments.undeploy(ctx.db, model_name, deployment_id)
    return Undeployed(
        model_name=facts.model_name,
        model_version=facts.model_version,
        deployment_id=deployment_id,
        undeployed_at=moment,
    )

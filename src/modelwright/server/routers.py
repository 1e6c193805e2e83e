"""The features' routers, in the order they are mounted."""

from fastapi import APIRouter

import modelwright.analysis.routes
import modelwright.api_keys.routes
import modelwright.audit.routes
import modelwright.builds.routes
import modelwright.catalog.routes
import modelwright.connections.ingest_routes
import modelwright.connections.routes
import modelwright.datasets.routes
import modelwright.deployments.routes
import modelwright.endpoints.routes
import modelwright.exports.routes
import modelwright.jobs.routes
import modelwright.machines.routes
import modelwright.models.routes
import modelwright.monitoring.routes
import modelwright.predictions.routes
import modelwright.queries.routes
import modelwright.scoring.routes
import modelwright.sessions.routes
import modelwright.signing.routes
import modelwright.storage.routes
import modelwright.trash.routes
import modelwright.uploads.routes
import modelwright.usage.routes
import modelwright.users.oidc_routes
import modelwright.users.routes

ROUTERS: tuple[APIRouter, ...] = (
    modelwright.predictions.routes.router,
    modelwright.scoring.routes.router,
    modelwright.monitoring.routes.router,
    modelwright.api_keys.routes.router,
    modelwright.users.routes.router,
    modelwright.users.oidc_routes.router,
    modelwright.usage.routes.router,
    modelwright.audit.routes.router,
    modelwright.machines.routes.router,
    modelwright.signing.routes.router,
    modelwright.storage.routes.router,
    modelwright.uploads.routes.router,
    modelwright.datasets.routes.router,
    modelwright.connections.routes.router,
    modelwright.connections.ingest_routes.router,
    modelwright.analysis.routes.router,
    modelwright.catalog.routes.router,
    modelwright.sessions.routes.router,
    modelwright.queries.routes.router,
    modelwright.exports.routes.router,
    modelwright.builds.routes.router,
    modelwright.deployments.routes.router,
    modelwright.endpoints.routes.router,
    modelwright.models.routes.router,
    modelwright.trash.routes.router,
    modelwright.jobs.routes.router,
)
"""In the order they are mounted and tried: predictions first, `builds` before `models`."""

"""`/data/catalog/{dataset_name}`: read and corrected.

The tables are looked at outside the transaction, as that takes seconds.
"""

from modelwright.catalog.domain import KnownDataset
from modelwright.catalog.schemas import CatalogAnswer, CatalogPatch
from modelwright.catalog.service import Catalogs
from modelwright.core.http.context import ReadContext, Scope, WriteContext
from modelwright.core.http.routing import ApiRouter, Service

router = ApiRouter("catalog", Scope.DATASETS)


def _shown(found: KnownDataset, catalogs: Catalogs) -> CatalogAnswer:
    return CatalogAnswer.of(catalogs.show(found))


@router.get_("/data/catalog/{dataset_name:path}", then=_shown)
def read(ctx: ReadContext, catalogs: Service[Catalogs], dataset_name: str) -> KnownDataset:
    """Shows what a dataset's tables and columns mean, why, and what was corrected."""
    return catalogs.read(ctx.db, dataset_name, ctx.caller.account_id)


@router.patch_("/data/catalog/{dataset_name:path}", then=_shown)
def update(
    ctx: WriteContext, catalogs: Service[Catalogs], dataset_name: str, body: CatalogPatch
) -> KnownDataset:
    """Corrects what a dataset's tables and columns mean; null takes a correction back."""
    return catalogs.correct(ctx.db, dataset_name, body.corrections(), ctx.caller.account_id)

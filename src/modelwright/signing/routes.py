"""`GET /auth/signing-keys`."""

from modelwright.core.http.context import ReadContext
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.signing.schemas import SigningKey, SigningKeyList
from modelwright.signing.service import Signing

router = ApiRouter("signing")


@router.get_("/auth/signing-keys")
def keys(ctx: ReadContext, signing: Service[Signing]) -> SigningKeyList:
    """Lists the public keys that model artifacts of this server are verified with."""
    known = [SigningKey.model_validate(one) for one in signing.public_keys(ctx.db)]
    return SigningKeyList(keys=known)

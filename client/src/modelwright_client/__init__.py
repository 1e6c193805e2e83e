"""Python client for a Modelwright server.

Names are loaded when first used, so that the `modelwright` command starts without an HTTP library.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from modelwright_client.calls import Retry as Retry
    from modelwright_client.client import Client as Client
    from modelwright_client.errors import ModelwrightError as ModelwrightError

_HOMES = {"Client": "client", "ModelwrightError": "errors", "Retry": "calls"}

__all__ = ["Client", "ModelwrightError", "Retry"]


def __getattr__(name: str) -> Any:
    """Finds a public name in its module; refuses names the package does not have."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)

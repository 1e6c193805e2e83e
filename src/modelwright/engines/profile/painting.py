"""Paints Vega-Lite documents as PNG; needs no browser and fetches nothing. For child processes."""

from typing import Any

import vl_convert

VERSION = "6.4"


def paint(spec: dict[str, Any]) -> bytes:
    """Paints one document of `drawing` as a PNG of its own size."""
    painted: bytes = vl_convert.vegalite_to_png(spec, vl_version=VERSION, allowed_base_urls=[])
    return painted

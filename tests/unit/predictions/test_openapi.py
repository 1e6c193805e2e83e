from starlette.routing import Route

from modelwright.predictions.openapi import PATHS
from modelwright.predictions.routes import router


def test_every_plain_route_is_in_the_document_and_nothing_else() -> None:
    routes = [route for route in router.routes if isinstance(route, Route)]
    mounted = {(route.path, method.lower()) for route in routes for method in route.methods or ()}
    told = {(path, method) for path, methods in PATHS.items() for method in methods}
    assert mounted == told


def test_every_path_parameter_is_told() -> None:
    for path, methods in PATHS.items():
        for operation in methods.values():
            named = {one["name"] for one in operation["parameters"] if one["in"] == "path"}
            assert all(f"{{{name}}}" in path for name in named)
            assert path.count("{") == len(named)

"""Links from what makes something to what can be done with it, by the names of ids."""

from modelwright.core.http.schemas import Json

ALSO = {"keyId": "key_id"}
"""Parameters whose member has another name."""
MAKES = {"builds.create": {"model_name"}}
"""What an operation makes under a name that its caller chose."""
MAKE_NOTHING = {
    "deployments.infer",
    "endpoints.infer",
    "endpoints.rollback",
    "ingestions.retrigger",
}
"""Operations that answer ids of what was there before."""


def add(document: Json) -> None:
    """Gives each POST that answers new ids a link to every operation these ids lead to."""
    operations = [
        one
        for verbs in document["paths"].values()
        for one in verbs.values()
        if one.get("security") != []
    ]
    for path, verbs in document["paths"].items():
        maker = verbs.get("post")
        answer = maker["responses"]["200"]["content"].get("application/json") if maker else None
        if answer is None or maker["operationId"] in MAKE_NOTHING:
            continue
        members = _members(document, answer["schema"]).items()
        answered = {name for name, one in members if {"type": "null"} not in one.get("anyOf", ())}
        made = answered - _taken(document, path, maker) | MAKES.get(maker["operationId"], set())
        links = {
            user["operationId"]: _link(user, names)
            for user in operations
            if user is not maker and (names := _needed(user)) <= answered and names & made
            if _is_of_use(maker, user, names)
        }
        if links:
            maker["responses"]["200"]["links"] = links


def _is_of_use(maker: Json, user: Json, names: set[str]) -> bool:
    """Jobs of every kind are read as jobs; another feature's `job_id` is of its own jobs."""
    return names != {"job_id"} or user["tags"] in (["jobs"], maker["tags"])


def _link(user: Json, names: set[str]) -> Json:
    return {
        "operationId": user["operationId"],
        "description": user["summary"],
        "parameters": {
            one["name"]: f"$response.body#/{ALSO.get(one['name'], one['name'])}"
            for one in user["parameters"]
            if ALSO.get(one["name"], one["name"]) in names
        },
    }


def _needed(operation: Json) -> set[str]:
    names = {one["name"] for one in operation.get("parameters", []) if one["in"] == "path"}
    return {ALSO.get(name, name) for name in names}


def _taken(document: Json, path: str, maker: Json) -> set[str]:
    """What was there before: the ids in the path and in the body."""
    body = maker.get("requestBody", {}).get("content", {}).get("application/json", {})
    sent = _members(document, body.get("schema", {}))
    return {part[1:-1] for part in path.split("/") if part.startswith("{")} | set(sent)


def _members(document: Json, schema: Json) -> Json:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    options = schema.get("oneOf") or schema.get("anyOf")
    members: Json = schema.get("properties", {})
    return _members(document, options[0]) if options else members

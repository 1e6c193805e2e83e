"""How refusals of the server become exceptions, and what they carry."""

from datetime import date

import pytest
from tests.unit.client.scripted import Answer, Scripted, client_of

import modelwright_client
from modelwright_client import Client, ModelwrightError, errors

CLASSES = [
    (400, errors.InvalidRequestError),
    (401, errors.UnauthorizedError),
    (403, errors.ForbiddenError),
    (404, errors.NotFoundError),
    (409, errors.ConflictError),
    (413, errors.TooLargeError),
    (422, errors.ValidationError),
    (500, errors.ServerError),
    (502, errors.ServerError),
    (405, errors.ApiError),
]


def test_every_error_is_at_hand_where_the_client_is():
    kinds = [one for one in vars(errors).values() if isinstance(one, type)]
    raised = {one.__name__ for one in kinds if issubclass(one, ModelwrightError)}
    assert raised <= set(modelwright_client.__all__)


class TestRefusal:
    @pytest.mark.parametrize(("status", "kind"), CLASSES)
    def test_each_status_has_its_class(self, status: int, kind: type[errors.ApiError]):
        with (
            client_of(Scripted(Answer.refusal(status, "the_code"))) as client,
            pytest.raises(ModelwrightError) as caught,
        ):
            client.users.me()
        assert type(caught.value) is kind
        assert (caught.value.code, caught.value.status) == ("the_code", status)
        assert str(caught.value) == "It says the_code."

    def test_carries_details_and_the_request(self):
        details = [{"field": "replicas", "message": "at most 32"}]
        error = {"code": "validation_error", "message": "replicas is too large", "status": 422}
        app = Scripted(Answer({"error": {**error, "details": details, "request_id": "req_1"}}, 422))
        with client_of(app) as client, pytest.raises(errors.ValidationError) as caught:
            client.deployments.deploy("m", replicas=99)
        assert caught.value.details == tuple(details)
        assert caught.value.request_id == "req_1"

    def test_a_collapsed_status_line_gives_way_to_the_bodys_status(self):
        body = Answer.refusal(404, "not_found").body
        with client_of(Scripted(Answer(body, 400))) as client, pytest.raises(errors.NotFoundError):
            client.keys.read("key_1")

    def test_an_answer_of_something_else_is_quoted(self):
        app = Scripted(Answer("<Error>\n  AccessDenied</Error>", 403, {"X-Request-Id": "req_2"}))
        with client_of(app) as client, pytest.raises(errors.ForbiddenError) as caught:
            client.users.me()
        assert "answered 403: <Error> AccessDenied</Error>" in str(caught.value)
        assert caught.value.request_id == "req_2"

    def test_success_that_is_not_json_is_no_success(self):
        app = Scripted(Answer("<html>welcome</html>"))
        with client_of(app) as client, pytest.raises(errors.UnexpectedResponseError):
            client.users.me()


class TestKey:
    def test_travels_as_a_bearer_token(self):
        app = Scripted(Answer({}))
        with client_of(app) as client:
            client.users.me()
        assert app.asked[0].headers["authorization"] == "Bearer mw_key"

    def test_comes_from_the_environment(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setenv("MODELWRIGHT_API_KEY", "mw_other\n")
        app = Scripted(Answer({}))
        with client_of(app) as known, Client(known.base_url) as client:
            client.users.me()
        assert app.asked[0].headers["authorization"] == "Bearer mw_other"

    @pytest.mark.parametrize("key", ["mw_ä", "mw a", "mw\nb"])
    def test_with_characters_no_key_has_is_refused_before_it_is_sent(self, key: str):
        with pytest.raises(ModelwrightError, match="copy it once more"):
            Client("http://127.0.0.1:1", key)


class TestRequest:
    def test_names_with_slashes_stay_one_part_of_the_path(self):
        app = Scripted(Answer({}))
        with client_of(app) as client:
            client.uploads.preview("upload_1", "a b/c.csv", limit=3)
        assert app.asked[0].path == "/data/uploads/upload_1/files/a b/c.csv/preview"
        assert app.asked[0].query == "limit=3"

    def test_what_is_not_given_is_not_sent(self):
        app = Scripted(Answer({}))
        with client_of(app) as client:
            client.models.retrain("m", metric="f1")
            client.keys.amend("key_1", expiration_days="never")
            client.keys.amend("key_1", name="n")
        assert [asked.json for asked in app.asked] == [
            {"metric": "f1"},
            {"expiration_days": None},
            {"name": "n"},
        ]

    @pytest.mark.parametrize("value", [float("nan"), date(2026, 3, 2)])
    def test_what_is_no_json_is_refused_before_it_is_sent(self, value: object):
        app = Scripted(Answer({}))
        with client_of(app) as client, pytest.raises(ModelwrightError, match="dates as ISO text"):
            client.predictions.infer("m", "v1.0", {"age": value})
        assert app.asked == []

    def test_a_server_below_a_path_is_reached_there(self):
        app = Scripted(Answer({}))
        with client_of(app) as known, Client(f"{known.base_url}/ml/") as client:
            client.models.read("m")
        assert app.asked[0].path == "/ml/models/m"

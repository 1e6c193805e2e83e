"""The same creation sent twice with one `Idempotency-Key` happens once."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from fastapi.testclient import TestClient
from pydantic import SecretStr
from sqlalchemy import select

from modelwright.bootstrap.container import Container, build_container
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.http.idempotency import StoredResponseRecord, fingerprint, without_secrets

BODY = {"name": "a", "permission_level": "read_only"}
KEY = {"Idempotency-Key": "order-17"}


def count(api: TestClient) -> int:
    return api.get("/auth/api-keys").json()["pagination"]["total"]


class TestIdempotencyKey:
    def test_a_repetition_is_answered_alike_without_the_secret(self, api: TestClient):
        before = count(api)
        first = api.post("/auth/api-keys", json=BODY, headers=KEY).json()
        again = api.post("/auth/api-keys", json=BODY, headers=KEY)
        assert again.status_code == 200
        assert again.json() == {k: v for k, v in first.items() if k != "key"}
        assert count(api) == before + 1

    def test_sent_many_times_at_once_it_is_carried_out_once(self, api: TestClient):
        before = count(api)
        with ThreadPoolExecutor(6) as pool:
            sent = [
                pool.submit(api.post, "/auth/api-keys", json=BODY, headers=KEY) for _ in range(6)
            ]
        answers = [one.result() for one in sent]
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.json()["key_id"] for answer in answers}) == 1
        assert count(api) == before + 1

    def test_another_body_is_refused(self, api: TestClient):
        api.post("/auth/api-keys", json=BODY, headers=KEY)
        refused = api.post("/auth/api-keys", json={**BODY, "name": "b"}, headers=KEY)
        error = refused.json()["error"]
        assert (refused.status_code, error["status"]) == (400, 409)
        assert error["code"] == "resource_exists"

    def test_another_account_is_another_matter(
        self, api: TestClient, other_account_client: TestClient
    ):
        first = api.post("/auth/api-keys", json=BODY, headers=KEY).json()
        other = other_account_client.post("/auth/api-keys", json=BODY, headers=KEY).json()
        assert other["key_id"] != first["key_id"]

    def test_a_refusal_is_not_remembered(self, api: TestClient):
        assert api.post("/auth/api-keys", json={"name": "a"}, headers=KEY).status_code == 400
        assert api.post("/auth/api-keys", json=BODY, headers=KEY).status_code == 200

    def test_no_secret_is_kept_wherever_it_stands(self):
        files = [{"filename": "a.csv", "presigned_url": "https://a?signature"}]
        told = {"key": "mw_1", "files": files, "more": {"download_url": "https://b"}}
        assert without_secrets(told) == {"files": [{"filename": "a.csv"}], "more": {}}

    def test_answers_are_kept_for_a_day(
        self, api: TestClient, container: Container, clock: FrozenClock
    ):
        api.post("/auth/api-keys", json=BODY, headers=KEY)
        clock.advance(hours=23)
        api.post("/auth/api-keys", json=BODY, headers={"Idempotency-Key": "order-18"})
        clock.advance(hours=1)
        duty = next(duty for duty in container.duties if duty.name == "idempotency.purge")
        with container.database.transaction(ALL_ACCOUNTS) as db:
            duty.carry_out(db)
            [left] = db.scalars(select(StoredResponseRecord)).all()
            assert left.created_at == clock.now() - timedelta(hours=1)

    def test_a_day_later_it_is_a_new_request(self, api: TestClient, clock: FrozenClock):
        first = api.post("/auth/api-keys", json=BODY, headers=KEY).json()
        clock.advance(hours=24)
        again = api.post("/auth/api-keys", json=BODY, headers=KEY).json()
        assert again["key_id"] != first["key_id"]

    def test_an_empty_or_overlong_key_is_refused(self, api: TestClient):
        for key in ("", "x" * 256):
            answer = api.post("/auth/api-keys", json=BODY, headers={"Idempotency-Key": key})
            assert answer.json()["error"]["status"] == 422


class TestFingerprint:
    def test_without_the_server_s_secret_no_body_can_be_guessed(
        self, api: TestClient, container: Container
    ):
        answer = api.post("/auth/api-keys", json=BODY, headers=KEY)
        body = answer.request.content
        with container.database.transaction(ALL_ACCOUNTS, write=False) as db:
            (stored,) = db.scalars(select(StoredResponseRecord.fingerprint)).all()
        plain = (
            body,
            b"POST /auth/api-keys\n" + body,
            b"idempotency\nPOST /auth/api-keys\n" + body,
        )
        assert stored not in {hashlib.sha256(guess).hexdigest() for guess in plain}
        secret = (container.settings.data_dir / "secret.key").read_bytes()
        assert stored == fingerprint(secret, "POST", "/auth/api-keys", body)

    def test_servers_with_one_secret_agree_and_others_do_not(self, settings: Settings):
        secrets = []
        for given in ("one", "one", "two"):
            container = build_container(
                settings.model_copy(update={"secret_key": SecretStr(given)})
            )
            secrets.append(container.pipeline.secret)
            container.database.close()
        one, same, other = (fingerprint(secret, "POST", "/x", b"{}") for secret in secrets)
        assert one == same != other

    def test_method_path_and_body_all_count(self):
        told = [
            ("POST", "/x", b"{}"),
            ("PUT", "/x", b"{}"),
            ("POST", "/y", b"{}"),
            ("POST", "/x", b""),
        ]
        assert len({fingerprint(b"secret", *one) for one in told}) == len(told)

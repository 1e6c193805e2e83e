import pytest
from pydantic import ValidationError

from modelwright.core.settings import Settings

SECRET = "not-to-be-shown"


class TestWrongSettings:
    @pytest.mark.parametrize(
        "given",
        [
            {"redis_url": f"http://:{SECRET}@cache"},
            {"s3_bucket": "b", "s3_secret_key": SECRET},
            {"oidc_issuer": "http://login.example.org", "oidc_client_secret": SECRET},
        ],
        ids=lambda given: next(iter(given)),
    )
    def test_the_refusal_names_the_setting_and_no_secret(
        self, given: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name, value in given.items():
            monkeypatch.setenv(f"MODELWRIGHT_{name.upper()}", value)
        with pytest.raises(ValidationError, match=next(iter(given))) as refused:
            Settings()
        assert SECRET not in str(refused.value)

    @pytest.mark.parametrize("name", ["build_seconds", "lease_seconds", "drain_seconds"])
    def test_no_time_is_infinite(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(f"MODELWRIGHT_{name.upper()}", "inf")
        with pytest.raises(ValidationError, match=name):
            Settings()

    def test_a_level_that_nobody_knows_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MODELWRIGHT_LOG_LEVEL", "loud")
        with pytest.raises(ValidationError, match=r"log_level"):
            Settings()

    def test_capital_letters_of_a_level_do_not_matter(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MODELWRIGHT_LOG_LEVEL", "WARNING")
        assert Settings().log_level == "warning"

    @pytest.mark.parametrize("name", ["public_url", "language_model_url", "s3_endpoint"])
    def test_an_address_without_its_scheme_is_refused(
        self, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(f"MODELWRIGHT_{name.upper()}", "models.example.org")
        with pytest.raises(ValidationError, match=name):
            Settings()

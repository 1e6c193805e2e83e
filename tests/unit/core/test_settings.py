import shutil
from contextlib import closing
from pathlib import Path

import pytest

from modelwright.core.config.load import SettingsError, read_settings
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import Database
from modelwright.core.http.context import Tier
from modelwright.core.limits.account_caps import cap_of

SECRET = "not-to-be-shown"


class TestDatabase:
    @pytest.mark.parametrize("name", ["da ta", "50%20off", "why?how=1", "a#b", "ä"])
    def test_is_in_the_data_folder_however_that_is_called(self, name: str, tmp_path: Path) -> None:
        settings = Settings(data_dir=tmp_path / name)
        settings.make_data_dir()
        with closing(Database(settings.database)) as database, database.engine.connect():
            assert (tmp_path / name / "modelwright.sqlite").exists()

    @pytest.mark.parametrize("name", ["data ", " data", "data\n", "da\u200bta", "~/data"])
    def test_a_folder_that_is_surely_meant_otherwise_is_refused(
        self, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Else the server would begin anew there, and all data seem lost."""
        monkeypatch.setenv("MODELWRIGHT_DATA_DIR", name)
        with pytest.raises(SettingsError, match="MODELWRIGHT_DATA_DIR"):
            read_settings()

    def test_is_one_by_whatever_name_the_folder_is_reached(self, tmp_path: Path) -> None:
        (tmp_path / "data").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "data")
        names = (tmp_path / "data", tmp_path / "link", tmp_path / "data" / ".." / "link" / ".")
        assert len({Settings(data_dir=name).database for name in names}) == 1


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
        named = f"MODELWRIGHT_{next(iter(given)).upper()}"
        with pytest.raises(SettingsError, match=named) as refused:
            read_settings()
        assert SECRET not in str(refused.value)

    @pytest.mark.parametrize("name", ["build_seconds", "lease_seconds", "drain_seconds"])
    def test_no_time_is_infinite(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(f"MODELWRIGHT_{name.upper()}", "inf")
        with pytest.raises(SettingsError, match=f"MODELWRIGHT_{name.upper()}"):
            read_settings()

    def test_a_level_that_nobody_knows_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MODELWRIGHT_LOG_LEVEL", "loud")
        with pytest.raises(SettingsError, match=r"MODELWRIGHT_LOG_LEVEL"):
            read_settings()

    def test_capital_letters_of_a_level_do_not_matter(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MODELWRIGHT_LOG_LEVEL", "WARNING")
        assert read_settings().log_level == "warning"

    @pytest.mark.parametrize("name", ["public_url", "language_model_url", "s3_endpoint"])
    def test_an_address_without_its_scheme_is_refused(
        self, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(f"MODELWRIGHT_{name.upper()}", "models.example.org")
        with pytest.raises(SettingsError, match=f"MODELWRIGHT_{name.upper()}"):
            read_settings()

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("trusted_proxies", "proxy.example.org"),
            ("trusted_proxies", "127.0.0.1, 10.0.0.1/8"),
            ("trusted_proxies", "127.0.0.1, *"),
            ("operator_email", "operator"),
            ("sqlite_folder", "nowhere"),
            ("operator_email", f"{'o' * 250}@x.org"),
            ("operator_email", "operator@example.org\x01"),
            ("mail_from", "models"),
            ("mail_from", "models@example.org\nBcc: all@example.org"),
            ("s3_bucket", "my bucket"),
            ("redis_url", "redis://cache:six"),
            ("redis_url", "redis://"),
            ("public_url", "https://models.example org"),
            ("public_url", "https://models.example.org:port"),
            ("public_url", "https://models.example.org#here"),
            ("database_hosts", "db.example.org, 10.0.0.0/33"),
            ("database_hosts", "https://db.example.org"),
            ("oidc_domains", "example.org, *.example.net"),
            ("lease_seconds", "1e300"),
            ("drain_seconds", "1e9"),
            ("build_memory_mb", str(2**63)),
            ("job_retention_days", "1000000000"),
            ("console_idle_minutes", "1e18"),
        ],
    )
    def test_what_would_never_work_is_refused(
        self, name: str, value: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(f"MODELWRIGHT_{name.upper()}", value)
        with pytest.raises(SettingsError, match=f"^MODELWRIGHT_{name.upper()}: "):
            read_settings()

    @pytest.mark.parametrize("value", ["", "*", "127.0.0.1, ::1", "10.0.0.0/8,fd00::/8"])
    def test_addresses_and_networks_of_proxies_are_taken(
        self, value: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MODELWRIGHT_TRUSTED_PROXIES", value)
        assert read_settings().trusted_proxies == value

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("database_hosts", "db, db.example.org, 10.1.2.3/8, ::1, fd00::/8,"),
            ("oidc_domains", "example.org,@example.net"),
            ("mail_from", "Models <models@example.org>"),
            ("public_url", "https://[2001:db8::1]:8443/models"),
        ],
    )
    def test_what_works_is_taken(
        self, name: str, value: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(f"MODELWRIGHT_{name.upper()}", value)
        assert getattr(read_settings(), name) == value

    @pytest.mark.parametrize("name", ["data_dir", "tls_cert", "build_seconds", "oidc_name"])
    def test_an_empty_variable_counts_as_not_set(
        self, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(f"MODELWRIGHT_{name.upper()}", "")
        assert getattr(read_settings(), name) == Settings.model_fields[name].default

    @pytest.mark.parametrize(
        ("line", "told"),
        [
            ("build_seconds = 0", r"^build_seconds in modelwright\.toml: "),
            ("build_second = 9", r"^build_second in modelwright\.toml: there is no such setting"),
            ("build_seconds = ", r"^modelwright\.toml: "),
            ("log_level = 5", r"^log_level in modelwright\.toml: "),
        ],
    )
    def test_what_stands_in_the_file_is_named_as_there(
        self, line: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("modelwright.toml").write_text(line)
        with pytest.raises(SettingsError, match=told):
            read_settings()

    def test_a_file_that_is_no_text_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("modelwright.toml").write_bytes(b"oidc_name = '\xff'")
        with pytest.raises(SettingsError, match=r"^modelwright\.toml: "):
            read_settings()

    def test_all_that_is_wrong_is_told_at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MODELWRIGHT_BUILD_SECONDS", "soon")
        monkeypatch.setenv("MODELWRIGHT_SMTP_PORT", "0")
        with pytest.raises(SettingsError) as refused:
            read_settings()
        assert [line.partition(":")[0] for line in str(refused.value).splitlines()] == [
            "MODELWRIGHT_BUILD_SECONDS",
            "MODELWRIGHT_SMTP_PORT",
        ]


class TestRoomOfAnAccount:
    def test_is_three_tenths_of_the_disk_unless_it_is_set(self, tmp_path: Path) -> None:
        disk = shutil.disk_usage(tmp_path).total
        limits = Settings(data_dir=tmp_path / "not" / "there").limits
        assert limits.account_bytes == int(0.3 * disk)
        assert 0 < limits.undeclared_bytes <= limits.file_bytes

    @pytest.mark.parametrize(("given", "most"), [(0, 0), (7, 7 * 1024**3)])
    def test_is_what_the_operator_says(self, tmp_path: Path, given: int, most: int) -> None:
        settings = Settings(data_dir=tmp_path, account_storage_gb=given)
        assert settings.limits.account_bytes == most

    def test_in_a_bucket_is_a_tebibyte(self) -> None:
        settings = Settings(s3_bucket="b", s3_access_key="a", s3_secret_key="s")
        assert settings.limits.account_bytes == 1024**4


class TestCaps:
    @pytest.mark.parametrize(
        ("given", "caps"), [("2,4,8", (2, 4, 8)), ("3", (3, 3, 3)), (5, (5, 5, 5))]
    )
    def test_are_one_for_all_tiers_or_one_each(self, given: str, caps: tuple[int, ...]) -> None:
        setting = Settings(short_jobs_per_account=given).short_jobs_per_account
        assert tuple(cap_of(setting, tier) for tier in Tier) == caps

    @pytest.mark.parametrize("given", ["0", "1,2", "1,2,3,4", "many", "-1", "1.5", "2,0,2"])
    def test_that_are_none_are_refused_by_their_setting(
        self, given: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MODELWRIGHT_SHORT_JOBS_PER_ACCOUNT", given)
        with pytest.raises(SettingsError, match="MODELWRIGHT_SHORT_JOBS_PER_ACCOUNT"):
            read_settings()

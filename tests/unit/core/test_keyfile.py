"""Secrets the server makes for itself."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from modelwright.core.config.secret_files import SECRET_BYTES, read_or_make


class TestReadOrMake:
    def test_it_is_made_once_and_kept(self, tmp_path: Path):
        first = read_or_make(tmp_path / "deep" / "secret.key")
        assert len(first) == SECRET_BYTES
        assert read_or_make(tmp_path / "deep" / "secret.key") == first
        assert read_or_make(tmp_path / "other.key") != first

    def test_only_its_owner_may_read_it(self, tmp_path: Path):
        read_or_make(tmp_path / "secret.key")
        assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600

    def test_all_who_start_at_once_agree(self, tmp_path: Path):
        with ThreadPoolExecutor(8) as pool:
            found = set(pool.map(lambda _: read_or_make(tmp_path / "secret.key"), range(64)))
        assert len(found) == 1
        assert [path.name for path in tmp_path.iterdir()] == ["secret.key"]

"""The documents miss nothing that the code has."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from benchmarks import attacks

from modelwright.core.config.settings import Settings

ROOT = Path(__file__).parents[2]


class TestSettings:
    def test_every_setting_is_documented_with_its_default(self):
        text = (ROOT / "docs" / "reference" / "settings.md").read_text()
        rows = dict(re.findall(r"^\| `MODELWRIGHT_(\w+)` \| `([^`]*)` \|", text, re.MULTILINE))
        told = {
            name.upper(): "" if field.default == "" else str(field.default)
            for name, field in Settings.model_fields.items()
        }
        assert rows == told


class TestDependencies:
    def test_every_direct_dependency_has_its_line_and_no_other_is_there(self):
        text = (ROOT / "docs" / "reference" / "dependencies.md").read_text().lower()
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())
        extras = project["project"]["optional-dependencies"]
        groups = project["dependency-groups"]
        wanted = {
            "client": project["project"]["dependencies"],
            "runtime": extras["runtime"],
            "server": extras["server"][1:],  # the first is our own runtime
            "extras": extras["ray"] + extras["language-models"] + extras["telemetry"],
            "development": groups["setup"] + groups["dev"][1:],  # the first includes `setup`
        }
        told = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
        for part, lines in wanted.items():
            names = {re.split(r"[\[><=;! ]", line, maxsplit=1)[0].lower() for line in lines}
            cells = re.findall(r"^\| (`[^|]*) \|", told[part], re.MULTILINE)
            assert set(re.findall(r"`([^`]+)`", " ".join(cells))) == names


class TestLinks:
    def test_every_link_to_a_file_leads_somewhere(self):
        pages = ROOT.glob("*.md")  # the site's own pages are checked as it is built
        links = [
            page.parent / link
            for page in pages
            for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))
        ]
        assert [link for link in links if not link.exists()] == []


class TestDecisions:
    """Each is short; a number belongs to one."""

    MOST_LINES = 5
    WIDTH = 120

    def test_a_decision_is_short_and_has_a_number_of_its_own(self):
        page = (ROOT / "docs" / "explanation" / "api-decisions.md").read_text("utf-8")
        paragraphs = [part for part in page.strip().split("\n\n")[2:] if not part.startswith("## ")]
        numbers = [re.match(r"\*\*(\d+)\.\*\* ", part) for part in paragraphs]
        assert all(numbers)
        assert sorted(int(found[1]) for found in numbers if found) == [
            *range(1, len(paragraphs) + 1)
        ]
        assert [part for part in paragraphs if part.count("\n") >= self.MOST_LINES] == []
        assert [line for line in page.splitlines() if len(line) > self.WIDTH] == []


class TestSecurity:
    """What is said to be tested is tested where that is said."""

    PAGES = ("docs/explanation/security.md", "docs/development/attacks.md", "SECURITY.md")

    def test_every_test_that_is_named_is_there_and_has_tests(self):
        named = {
            name
            for page in self.PAGES
            for name in re.findall(
                r"`(tests/[^`]+(?:/|\.py)(?:::\w+)?)`", (ROOT / page).read_text("utf-8")
            )
        }
        assert len(named) > 40
        assert [name for name in sorted(named) if not _has_tests(name)] == []

    def test_every_defence_of_the_tables_names_a_test(self):
        page = (ROOT / self.PAGES[0]).read_text("utf-8")
        tables = re.findall(r"^\|.*tested in \|\n\|[-|]+\n((?:\|.*\n)+)", page, re.MULTILINE)
        rows = [row for rows in tables for row in rows.splitlines()]
        assert len(rows) > 30
        assert [row for row in rows if not re.search(r"`tests/[^`]+` ?\S* ?\|$", row)] == []

    def test_every_suite_of_attacks_was_counted_and_let_nothing_through(self):
        page = (ROOT / self.PAGES[1]).read_text("utf-8")
        for suite in attacks.SUITES:
            [line] = [line for line in page.splitlines() if line.startswith(f"| {suite.attack} |")]
            _, _, _, tried, through, *_ = (cell.strip() for cell in line.split("|"))
            assert int(tried) > 0, line
            assert int(through) == 0, line


def _has_tests(name: str) -> bool:
    path, _, member = name.partition("::")
    place = ROOT / path
    files = [place] if place.is_file() else list(place.rglob("test_*.py"))
    text = "".join(file.read_text("utf-8") for file in files)
    wanted = rf"(class|def) {member}\b" if member else r"def test_|\bTest[A-Z]"
    return bool(re.search(wanted, text))


class TestFigures:
    def test_every_table_of_measurements_names_its_command_and_its_day(self):
        page = (ROOT / "docs/development/benchmarks.md").read_text("utf-8")
        sections = re.split(r"^#{2,3} ", page, flags=re.MULTILINE)[1:]
        measured = [one for one in sections if re.search(r"^\|", one, re.MULTILINE)]
        assert len(measured) > 15
        command = r"`[^`]*(?:python -m benchmarks|pytest -m soak|make soak)[^`]*`"
        bare = [
            one.partition("\n")[0]
            for one in measured
            if not re.search(command, one) or not re.search(r"\d{4}-\d\d-\d\d", one)
        ]
        assert bare == []


class TestSite:
    def test_builds_without_a_warning(self, tmp_path: Path):
        command: list[str | Path] = [
            Path(sys.executable).with_name("mkdocs"),
            "build",
            "-q",
            "-d",
            tmp_path,
        ]
        # Material announces its successor on standard error unless told not to.
        quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
        done = subprocess.run(
            command, cwd=ROOT, env=quiet, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        index = json.loads((tmp_path / "search" / "search_index.json").read_text())
        assert any("infer" in page["text"] for page in index["docs"])


class TestLocks:
    @pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
    def test_a_lock_holds_hashes_and_no_addresses(self, name: str):
        lock = (ROOT / name).read_text()
        assert "--hash=sha256:" in lock
        assert not re.search(r"https?://|file:|--index|--find-links| @ ", lock)

    def test_what_catboost_draws_plots_with_is_left_out(self):
        lock = (ROOT / "requirements.lock").read_text()
        for name in ("graphviz", "matplotlib", "plotly"):
            assert re.search(rf"^{name}==\S+ ; sys_platform == 'never'", lock, re.MULTILINE)


class TestExamples:
    def test_the_files_and_folders_that_contributing_names_are_there(self):
        text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
        named = set(re.findall(r"`([\w/]+(?:/|/\w+\.\w+|\.(?:py|ts|toml)))`", text))
        assert len(named) >= 20
        folders = ("src", "tests", "console/src", "docs")
        places = [f"/{path}" for under in folders for path in (ROOT / under).rglob("*.*")]
        places += [f"/{path.name}" for path in ROOT.iterdir()]
        lost = {name for name in named if not any(f"/{name}" in place for place in places)}
        assert lost == set()

    def test_the_commits_that_contributing_names_are_in_the_history(self):
        named = re.findall(r"`([0-9a-f]{8})`", (ROOT / "CONTRIBUTING.md").read_text("utf-8"))
        assert len(named) >= 5
        git = ["git", "-C", str(ROOT)]
        told = subprocess.run(
            [*git, "rev-parse", "--is-shallow-repository"],
            capture_output=True,
            text=True,
            check=False,
        )
        if told.stdout.strip() != "false":
            pytest.skip("the whole history is not here")
        for commit in named:
            there = [*git, "merge-base", "--is-ancestor", commit, "HEAD"]
            assert subprocess.run(there, check=False).returncode == 0, commit

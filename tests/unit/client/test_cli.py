"""The command line as a user meets it: what it prints, where, and how it ends."""

import inspect
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from tests.unit.client.scripted import Answer, Scripted, serving
from tests.unit.client.test_file_upload import Store

from modelwright.cli.commands import MODULES, register
from modelwright.uploads.schemas import FileOptions
from modelwright_client import Client, cli
from modelwright_client.commands.build import build
from modelwright_client.commands.predict import _typed
from modelwright_client.errors import UnreachableError
from modelwright_client.models import TrainingOptions

Run = Callable[..., int]

MODEL: dict[str, Any] = {
    "model_name": "churn",
    "model_version": "v1.2",
    "status": "READY",
    "deployment_status": None,
    "intent": "Predict who leaves [soon]",
    "created_at": "2026-01-02T03:04:05Z",
}
PAGE = {"models": [MODEL], "pagination": {"total": 1, "limit": 20, "offset": 0, "has_more": False}}
DESCRIBED = {
    "model_name": "churn",
    "model_version": "v1.2",
    "description": "",
    "input_schema": {"age": "integer"},
    "output_schema": {"leaves": "string"},
    "performance_metrics": {"accuracy": 0.91234567, "rmse": None},
    "training_info": {
        "dataset_size": 100,
        "training_time_minutes": 0.5,
        "algorithm": "blend",
        "feature_importance": {"age": 0.25, "city": 0.5},
    },
}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("MODELWRIGHT_API_KEY", "mw_key")
    monkeypatch.setenv("COLUMNS", "200")

    def run(*words: str, app: Scripted | Store | None = None) -> int:
        monkeypatch.setattr(sys, "argv", ["modelwright", *words])
        with serving(app or Scripted(Answer({}))) as url:
            monkeypatch.setenv("MODELWRIGHT_URL", url)
            return cli.main()

    return run


class TestScore:
    def test_predicts_an_upload_into_files(
        self, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ):
        started = {"job_id": "job_1", "export_id": "exp_1"}
        job = {
            "job_id": "job_1",
            "status": "COMPLETED",
            "progress": 100,
            "stage": "",
            "error": None,
        }
        file = {"filename": "a_predictions.csv", "size_bytes": 2, "download_url": "/storage/a"}
        file["notice"] = "1 of 2 rows has no prediction."
        export = {"export_id": "exp_1", "status": "completed", "files": [file]}
        app = Scripted(Answer(started), Answer(job), Answer(export), Answer([1]))
        words = ("--upload", "upload_1", "--version", "v1.0", "--to", str(tmp_path))
        assert run("score", "churn", *words, "--include", "probabilities", app=app) == 0
        assert (tmp_path / "a_predictions.csv").exists()
        said = capsys.readouterr().out
        assert "a_predictions.csv" in said
        assert "1 of 2 rows has no prediction." in said
        assert app.seen[0] == "POST /models/churn/v1.0/score"
        assert app.asked[0].json["include"] == ["probabilities"]

    def test_needs_files_or_an_upload(self, run: Run):
        assert run("score", "churn") == 2
        assert run("score", "churn", "a.csv", "--upload", "upload_1") == 2

    def test_says_how_the_files_are_to_be_read(self, run: Run, tmp_path: Path):
        file, store = tmp_path / "a.csv", Store()
        file.write_text("a\n1\n")
        words = ("--version", "v1.0", "--to", str(tmp_path))
        run("score", "churn", str(file), *words, *READ_AS, app=store)
        assert store.created["files"][0]["options"] == OPTIONS

    def test_an_upload_that_was_read_takes_no_such_options(
        self, run: Run, capsys: pytest.CaptureFixture[str]
    ):
        assert run("score", "churn", "--upload", "upload_1", "--type", "zip=string") == 2
        said = " ".join(capsys.readouterr().err.split())
        assert "modelwright uploads reparse" in said

    def test_no_file_name_leads_out_of_the_folder(self, tmp_path: Path):
        folder = tmp_path / "folder"
        folder.mkdir()
        file: Any = {
            "filename": "../a.csv",
            "size_bytes": 3,
            "download_url": "/a",
            "expires_at": "2026-01-02T03:04:05Z",
        }
        with serving(Scripted(Answer([1]))) as url, Client(url, "mw_key") as client:
            assert client.exports.download(file, folder) == folder / "a.csv"


READ_AS = (
    *("--sheet", "2024", "--delimiter", "tab", "--encoding", "gbk", "--decimal", ","),
    *("--header-rows", "0", "--skip-rows", "3", "--type", "zip=string", "--type", "a=b=integer"),
    *("--null-value", "NA", "--null-value", "-"),
)
OPTIONS = {
    "sheet": "2024",
    "delimiter": "tab",
    "encoding": "gbk",
    "header_rows": 0,
    "skip_rows": 3,
    "types": {"zip": "string", "a=b": "integer"},
    "decimal": ",",
    "null_values": ["NA", "-"],
}


class TestFileOptions:
    """How a file is to be read, as `upload` and `uploads reparse` take it."""

    def test_are_sent_with_an_upload_as_the_server_knows_them(self, run: Run, tmp_path: Path):
        file, store = tmp_path / "a.csv", Store()
        file.write_text("a\n1\n")
        assert run("upload", str(file), *READ_AS, "--json", app=store) == 0
        [sent] = store.created["files"]
        assert sent["options"] == OPTIONS
        read = FileOptions.model_validate(sent["options"])
        assert read.model_dump(exclude_none=True) == OPTIONS
        assert run("upload", str(file), "--json", app=store) == 0
        assert "options" not in store.created["files"][0]

    def test_have_a_stored_file_read_again(self, run: Run, capsys: pytest.CaptureFixture[str]):
        started = Answer({"upload_id": "upload_2", "status": "processing"})
        complete = {"upload_id": "upload_2", "status": "complete", "error": None}
        app = Scripted(started, Answer(complete))
        words = ("uploads", "reparse", "upload_1", "my file.csv", *READ_AS, "--json")
        assert run(*words, app=app) == 0
        assert app.seen == [
            "POST /uploads/upload_1/files/my file.csv/reparse",
            "GET /uploads/upload_2",
        ]
        assert app.asked[0].json == OPTIONS
        assert json.loads(capsys.readouterr().out) == complete

    @pytest.mark.parametrize("command", ["upload a.csv", "uploads reparse upload_1 a.csv"])
    @pytest.mark.parametrize("typed", ["zip", "=string", "zip="])
    def test_refuse_a_type_of_no_column(
        self, run: Run, capsys: pytest.CaptureFixture[str], command: str, typed: str
    ):
        app = Scripted(Answer({}))
        assert run(*command.split(), "--type", typed, app=app) == 2
        said = capsys.readouterr().err
        assert "--type" in said
        assert "COLUMN=TYPE, such as zip=string" in said
        assert app.seen == []


class TestWatch:
    def test_shows_what_moved_and_the_live_metrics(
        self, run: Run, capsys: pytest.CaptureFixture[str]
    ):
        column = {"name": "age", "status": "moved", "psi": 0.4}
        feedback = {
            "truths": 7,
            "metrics": {"accuracy": 0.5},
            "training_metrics": {"accuracy": 0.9},
        }
        seen = {
            "rows": 120,
            "columns": [column],
            "predictions": {"name": "leaves", "status": "stable", "psi": 0.01},
            "feedback": feedback,
        }
        assert run("models", "watch", "churn", "v1.0", app=Scripted(Answer(seen))) == 0
        out = capsys.readouterr().out
        assert all(
            word in out for word in ("age", "moved", "leaves", "120 rows", "7 recorded outcomes")
        )
        assert "accuracy: 0.5 (training 0.9)" in out


class TestDownload:
    def test_puts_the_model_into_a_folder(
        self, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ):
        app = Scripted(Answer(MODEL), Answer("zipped"))
        assert run("models", "download", "churn", "--to", str(tmp_path), app=app) == 0
        assert (tmp_path / "churn-v1.2.zip").read_text() == "zipped"
        assert app.seen[1] == "GET /models/churn/v1.2/artifact"
        assert "churn-v1.2.zip" in capsys.readouterr().out

    def test_that_is_no_model_is_said_without_a_server(
        self, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ):
        (tmp_path / "model.zip").write_text("no zip")
        app = Scripted(Answer({}))
        words = ("predict", str(tmp_path / "model.zip"), "--input", "{}")
        assert run(*words, app=app) == 1
        assert "is not a model that can be used: it is no zip" in capsys.readouterr().err
        assert app.seen == []

    def test_reads_cells_by_the_model_s_types(self):
        schema = {"a": "integer", "b": "float", "c": "boolean", "d": "string", "e": "date"}
        rows = _typed("a,b,c,d,e\n1,2,TRUE,3,2024-01-01\n,x,no,,\n", schema)
        assert rows == [
            {"a": 1, "b": 2.0, "c": True, "d": "3", "e": "2024-01-01"},
            {"a": None, "b": "x", "c": "no", "d": None, "e": None},
        ]

    @pytest.mark.parametrize("mark", [",", ";", "\t"])
    def test_cells_are_parted_as_the_first_line_is(self, mark: str):
        rows = _typed(f"a{mark}b\r\n1{mark}x\r\n", {"a": "integer", "b": "string"})
        assert rows == [{"a": 1, "b": "x"}]

    def test_a_server_s_model_takes_the_same_files(self, run: Run, tmp_path: Path):
        file = tmp_path / "a.CSV"
        file.write_text("age;city\n41;Ulm\n;Bonn\n")
        app = Scripted(Answer(DESCRIBED), Answer([]))
        assert run("predict", "churn", "v1.2", "--file", str(file), app=app) == 0
        sent = app.asked[1].json
        assert sent == [{"age": 41, "city": "Ulm"}, {"age": None, "city": "Bonn"}]


class TestModels:
    def test_lists_them_as_a_table(self, run: Run, capsys: pytest.CaptureFixture[str]):
        assert run("models", "list", app=Scripted(Answer(PAGE))) == 0
        row = next(line for line in capsys.readouterr().out.splitlines() if "churn" in line)
        columns = ("model_name", "model_version", "status", "intent")
        shown = [*(MODEL[column] for column in columns), "2026-01-02 03:04"]
        assert row.split() == " ".join(shown).split()

    def test_names_stay_whole_in_a_narrow_terminal(
        self, run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setenv("COLUMNS", "20")
        model = {**MODEL, "model_name": "n" * 90, "intent": "Predict what matters. " * 9}
        assert run("models", "list", app=Scripted(Answer({**PAGE, "models": [model]}))) == 0
        assert "n" * 90 in capsys.readouterr().out

    def test_lists_them_as_the_servers_json(self, run: Run, capsys: pytest.CaptureFixture[str]):
        app = Scripted(Answer(PAGE))
        assert run("models", "list", "--json", "--limit", "5", app=app) == 0
        assert json.loads(capsys.readouterr().out) == PAGE
        assert app.asked[0].query == "limit=5"

    def test_shows_metrics_and_importance(self, run: Run, capsys: pytest.CaptureFixture[str]):
        assert run("models", "show", "churn", app=Scripted(Answer(MODEL), Answer(DESCRIBED))) == 0
        out = capsys.readouterr().out
        assert "0.9123" in out
        assert "rmse" not in out
        assert out.index("city") < out.index("age  ")


class TestBuild:
    def test_waits_and_shows_the_model(self, run: Run, capsys: pytest.CaptureFixture[str]):
        app = Scripted(
            Answer({"job_id": "job_1", "model_version": "v1.0"}),
            Answer({"job_id": "job_1", "status": "COMPLETED", "progress": 100, "stage": "done"}),
            Answer(MODEL),
            Answer(DESCRIBED),
        )
        assert (
            run("build", "churn", "--intent", "Predict who leaves", "--dataset", "c", app=app) == 0
        )
        printed = capsys.readouterr()
        assert printed.err == ""
        assert "READY" in printed.out
        assert app.asked[0].json == {"intent": "Predict who leaves", "dataset_id": "c"}

    def test_a_build_takes_all_that_the_api_lets_one_fix(self):
        assert set(TrainingOptions.__annotations__) <= set(inspect.signature(build).parameters)

    def test_a_build_sends_what_is_fixed(self, run: Run):
        app = Scripted(Answer({"job_id": "job_1", "model_version": "v1.0"}))
        words = ("--task", "multiclass", "--max-iterations", "1")
        run("build", "m", "--intent", "x", "--dataset", "d", *words, app=app)
        fixed = {"task": "multiclass", "max_iterations": 1}
        assert app.asked[0].json == {"intent": "x", "dataset_id": "d"} | fixed

    def test_a_build_tells_what_must_not_be_missed_in_terms_of_the_command_line(
        self, run: Run, capsys: pytest.CaptureFixture[str]
    ):
        warned = "No held-out row is ever called yes. Ask for `metric` f1, or a `threshold`."
        app = Scripted(
            Answer({"job_id": "job_1", "model_version": "v1.2"}),
            Answer({"job_id": "job_1", "kind": "build", "status": "COMPLETED", "progress": 100,
                    "stage": "done", "error": None}),
            Answer(MODEL),
            Answer(DESCRIBED | {"warnings": [warned]}),
        )  # fmt: skip
        assert run("build", "churn", "--intent", "x", "--dataset", "d", app=app) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert "ever called yes. Ask for --metric f1, or a --threshold." in shown

    def test_a_build_that_fails_names_options(self, run: Run, capsys: pytest.CaptureFixture[str]):
        ended = {"kind": "build", "status": "FAILED", "error": "Leave `sample_weight` out."}
        app = Scripted(
            Answer({"job_id": "job_1", "model_version": "v1.0"}),
            Answer({"job_id": "job_1", "progress": 1, "stage": "planning", **ended}),
        )
        assert run("build", "m", "--intent", "x", "--dataset", "d", app=app) == 1
        assert "Leave --sample-weight out." in capsys.readouterr().err

    def test_a_failed_build_ends_with_its_reason(
        self, run: Run, capsys: pytest.CaptureFixture[str]
    ):
        ended = {"kind": "build", "status": "FAILED", "error": "Name the column."}
        app = Scripted(
            Answer({"job_id": "job_1", "model_version": "v1.0"}),
            Answer({"job_id": "job_1", "progress": 1, "stage": "planning", **ended}),
        )
        assert run("build", "m", "--intent", "x", "--dataset", "d", "--json", app=app) == 1
        printed = capsys.readouterr()
        assert printed.err == "error: The build job job_1 ended FAILED: Name the column.\n"
        assert printed.out == ""


class TestPredict:
    def test_one_row_with_the_version_in_service(
        self, run: Run, capsys: pytest.CaptureFixture[str]
    ):
        in_service = {"model_name": "churn", "environment": "production", "model_version": "v1.2"}
        app = Scripted(Answer(in_service), Answer({"result": {"leaves": "yes"}}))
        assert run("predict", "churn", "--input", '{"age": 41}', app=app) == 0
        assert capsys.readouterr().out.split() == ["leaves", "yes"]
        asked = ["GET /models/churn/endpoints/production", "POST /models/churn/v1.2/infer"]
        assert app.seen == asked
        assert app.asked[1].json == {"age": 41}

    @pytest.mark.parametrize("content", ['{"age": 1}\n\n{"age": 2}\n', '[{"age": 1}, {"age": 2}]'])
    def test_many_rows_from_a_file(
        self, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str
    ):
        file = tmp_path / "rows.jsonl"
        file.write_text(content)
        answers = [{"prediction": {"leaves": "yes"}}, {"prediction": {"leaves": "no"}}]
        app = Scripted(Answer(answers))
        words = ("predict", "churn", "v1.0", "--file", str(file), "--json", "--include")
        assert run(*words, "probabilities, interval", app=app) == 0
        assert json.loads(capsys.readouterr().out) == answers
        assert app.asked[0].json == [{"age": 1}, {"age": 2}]
        assert app.asked[0].query == "include=probabilities%2Cinterval"

    def test_what_is_included_stands_beside_each_answer(
        self, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ):
        file = tmp_path / "rows.jsonl"
        file.write_text('{"age": 1}\n{"age": 2}\n')
        answers = [
            {"prediction": {"leaves": leaves}, "probabilities": {"no": 1 - chance, "yes": chance}}
            for leaves, chance in (("yes", 0.75), ("no", 0.25))
        ]
        words = ("predict", "churn", "v1.0", "--file", str(file), "--include", "probabilities")
        assert run(*words, app=Scripted(Answer(answers))) == 0
        lines = capsys.readouterr().out.strip().splitlines()
        head, *_, first, second = map(str.strip, lines)
        assert head.split() == ["row", "leaves", "probabilities"]
        assert first.split(maxsplit=2) == ["1", "yes", '{"no": 0.25, "yes": 0.75}']
        assert second.split(maxsplit=2) == ["2", "no", '{"no": 0.75, "yes": 0.25}']

    def test_more_rows_than_one_call_takes_go_in_parts_and_keep_their_order(
        self, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ):
        file = tmp_path / "rows.jsonl"
        file.write_text("\n".join(f'{{"n": {n}}}' for n in range(10_001)))
        whole = [{"prediction": {"n": n}} for n in range(10_000)]
        app = Scripted(Answer(whole), Answer([{"prediction": {"n": 10_000}}]))
        assert run("predict", "m", "v1.0", "--file", str(file), "--json", app=app) == 0
        got = json.loads(capsys.readouterr().out)
        assert [item["prediction"]["n"] for item in got] == list(range(10_001))
        assert [len(asked.json) for asked in app.asked] == [10_000, 1]

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--input", "{"], "--input is not JSON"),
            (["--input", "[1]"], "--input must be a JSON object"),
            ([], "Give either --input or --file"),
            (["--file", "/nowhere.jsonl"], "No such file"),
        ],
    )
    def test_misuse_is_one_line_and_exit_code_2(
        self, run: Run, capsys: pytest.CaptureFixture[str], words: list[str], said: str
    ):
        app = Scripted(Answer({}))
        assert run("predict", "m", *words, app=app) == 2
        err = capsys.readouterr().err
        assert said in err
        assert err.count("\n") == 1
        assert app.asked == []

    def test_a_file_may_begin_with_the_mark_of_utf_8(self, run: Run, tmp_path: Path):
        file = tmp_path / "rows.jsonl"
        file.write_text('{"age": 1}\r\n', "utf-8-sig")
        app = Scripted(Answer([{"prediction": {"leaves": "yes"}}]))
        assert run("predict", "churn", "v1.0", "--file", str(file), app=app) == 0
        assert app.asked[0].json == [{"age": 1}]

    def test_a_file_in_another_encoding_is_named_with_what_to_do(
        self, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ):
        file = tmp_path / "rows.csv"
        file.write_bytes("a;Gek\u00fcndigt\n".encode("cp1252"))
        assert run("predict", "m", "v1.0", "--file", str(file)) == 2
        assert "rows.csv is no text in UTF-8: save it so, or" in capsys.readouterr().err

    def test_a_broken_line_of_a_file_is_named(
        self, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ):
        file = tmp_path / "rows.jsonl"
        file.write_text('{"a": 1}\n{"a": \n')
        assert run("predict", "m", "v1.0", "--file", str(file)) == 2
        assert "--file, line 2 is not JSON" in capsys.readouterr().err


class TestAsk:
    def test_opens_a_session_on_the_upload_and_shows_rows_and_sql(
        self, run: Run, capsys: pytest.CaptureFixture[str]
    ):
        answer = {
            "query_id": "qry_1",
            "result_type": "table",
            "columns": ["city", "n"],
            "rows": [["Ålesund", 3], [None, 1.5]],
            "row_count": 2,
            "truncated": False,
            "generated_sql": "SELECT city",
            "interpretation": "Rows per city.",
        }
        app = Scripted(Answer({"session_id": "sess_1"}), Answer(answer))
        assert run("ask", "how many per city?", "--upload", "upload_1", app=app) == 0
        out = capsys.readouterr().out
        assert all(part in out for part in ("Ålesund", "2 rows", "SELECT city", "Rows per city."))
        assert app.asked[1].json == {
            "query_type": "natural_language",
            "query": "how many per city?",
            "session_id": "sess_1",
        }

    def test_no_cell_commands_the_terminal(self, run: Run, capsys: pytest.CaptureFixture[str]):
        answer = {
            "query_id": "qry_1",
            "result_type": "table",
            "columns": ["city"],
            "rows": [["\x1b]0;owned\x07Oslo \u202eolsO \x9b2J"]],
            "row_count": 1,
            "truncated": False,
            "generated_sql": "SELECT '\x1b[2J'",
        }
        for more in ([], ["--json"]):
            assert run("ask", "select 1", "--sql", *more, app=Scripted(Answer(answer))) == 0
            out = capsys.readouterr().out
            assert not set("\x1b\x07\x9b\u202e") & set(out)
            assert r"\u001b]0;owned\u0007Oslo \u202eolsO \u009b2J" in out

    def test_shows_a_chart_as_its_numbers(self, run: Run, capsys: pytest.CaptureFixture[str]):
        answer = {
            "result_type": "visualization",
            "visualization_type": "bar_chart",
            "title": "Sales by year",
            "data": {"labels": ["2024", "2025"], "datasets": [{"label": "sales", "data": [1, 2]}]},
            "generated_sql": "SELECT 1",
        }
        app = Scripted(Answer(answer))
        assert run("ask", "select 1", "--sql", "--limit", "5", app=app) == 0
        assert "Sales by year (bar_chart)" in capsys.readouterr().out
        assert app.asked[0].json == {"query_type": "sql", "query": "select 1", "max_results": 5}


class TestJobs:
    def test_follows_one_to_its_end(self, run: Run, capsys: pytest.CaptureFixture[str]):
        job = {"status": "RUNNING", "progress": 40, "stage": "fitting", "error": None}
        line = {"timestamp": "2026-01-02T03:04:05Z", "level": "INFO", "message": "Planning."}
        events = [("progress", job), ("log", line), ("end", {**job, "status": "COMPLETED"})]
        stream = "".join(
            f"event: {name}\nid: 1\ndata: {json.dumps(told)}\n\n" for name, told in events
        )
        assert run("jobs", "follow", "job_1", app=Scripted(Answer(stream))) == 0
        assert capsys.readouterr().out.splitlines() == [
            "RUNNING 40% fitting",
            "2026-01-02T03:04:05Z INFO Planning.",
            "COMPLETED",
        ]

    def test_lists_them_with_what_they_say(self, run: Run, capsys: pytest.CaptureFixture[str]):
        job = {
            "job_id": "job_1",
            "kind": "build",
            "status": "FAILED",
            "progress": 3,
            "stage": "planning",
            "created_at": "2026-01-02T03:04:05Z",
            "error": "Name the column.",
        }
        assert run("jobs", "list", app=Scripted(Answer({"jobs": [job]}))) == 0
        row = next(line for line in capsys.readouterr().out.splitlines() if "job_1" in line)
        shown = ["job_1", "build", "FAILED", "3", "2026-01-02 03:04", "Name the column."]
        assert row.split() == " ".join(shown).split()


class TestGroups:
    def test_what_is_typed_reaches_the_operation(
        self, run: Run, capsys: pytest.CaptureFixture[str]
    ):
        app = Scripted(Answer({"job_id": "job_7", "status": "PENDING"}))
        split = '{"by": "time", "column": "day"}'
        words = ["models", "retrain", "churn", "--goal", "care", "--split", split]
        assert run(*words, "--threshold", "0.3", app=app) == 0
        assert app.seen == ["POST /models/churn/retrain"]
        assert json.loads(app.asked[0].body) == {
            "goal": "care",
            "split": {"by": "time", "column": "day"},
            "threshold": 0.3,
        }
        assert "job_7" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("split", "said"),
        [
            ("group", "--split: Name the column: group:COLUMN."),
            ("column:", "--split: Name the column: column:COLUMN."),
            ("random:age", "--split: random goes by no column 'age'; give --split random."),
        ],
    )
    def test_a_split_that_cannot_be_is_refused_before_it_is_sent(
        self, run: Run, capsys: pytest.CaptureFixture[str], split: str, said: str
    ):
        app = Scripted(Answer({}))
        words = ["build", "m", "--intent", "i", "--dataset", "d", "--split", split]
        assert run(*words, app=app) == 2
        assert said in capsys.readouterr().err
        assert app.asked == []

    def test_a_member_that_nobody_knows_is_refused_by_its_name(
        self, run: Run, capsys: pytest.CaptureFixture[str]
    ):
        split = '{"by": "time", "columm": "day"}'
        assert run("models", "retrain", "churn", "--split", split) == 1
        said = "error: split has no member 'columm'; did you mean 'column'?"
        assert capsys.readouterr().err.startswith(said)

    def test_json_that_is_none_names_its_option(self, run: Run, capsys: pytest.CaptureFixture[str]):
        assert run("models", "retrain", "churn", "--split", "by time") == 2
        assert "--split takes JSON" in capsys.readouterr().err

    def test_a_password_is_read_from_the_environment(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setenv("MODELWRIGHT_CONNECTION_PASSWORD", "s3cret")
        app = Scripted(Answer({"connection_id": "conn_1"}))
        assert run("connections", "create", "shop", "mysql", "--database", "shop", app=app) == 0
        assert json.loads(app.asked[0].body)["password"] == "s3cret"

    def test_an_empty_page_says_so(self, run: Run, capsys: pytest.CaptureFixture[str]):
        page: dict[str, Any] = {"sessions": [], "pagination": {}}
        assert run("sessions", "list", app=Scripted(Answer(page))) == 0
        assert capsys.readouterr().out == "There are none.\n"

    def test_a_page_without_chosen_columns_shows_what_has_no_parts(
        self, run: Run, capsys: pytest.CaptureFixture[str]
    ):
        entry = {"query": "count", "executed_at": "2026-01-02T03:04:05Z", "parts": {"a": 1}}
        page = {"verified_queries": [entry], "pagination": {}}
        assert run("sessions", "verified", app=Scripted(Answer(page))) == 0
        out = capsys.readouterr().out
        assert "2026-01-02 03:04" in out
        assert "parts" not in out


class TestFailure:
    def test_a_refusal_is_one_line_and_exit_code_1(
        self, run: Run, capsys: pytest.CaptureFixture[str]
    ):
        assert run("models", "show", "m", app=Scripted(Answer.refusal(404, "not_found"))) == 1
        assert capsys.readouterr().err == "error: It says not_found.\n"

    def test_a_missing_key_says_where_to_put_it(
        self, run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.delenv("MODELWRIGHT_API_KEY")
        assert run("jobs", "list", app=Scripted(Answer.refusal(401, "unauthorized"))) == 1
        assert "Set MODELWRIGHT_API_KEY or give --api-key." in capsys.readouterr().err

    def test_a_missing_file_is_named(self, run: Run, capsys: pytest.CaptureFixture[str]):
        assert run("upload", "/nowhere.csv") == 1
        assert capsys.readouterr().err == "error: /nowhere.csv: No such file or directory\n"

    def test_a_fault_of_ours_is_one_line_too(
        self, run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ):
        assert run("models", "show", "churn", app=Scripted(Answer({}))) == 1
        assert capsys.readouterr().err.startswith("error: KeyError: 'status' (MODELWRIGHT_TRACE")
        monkeypatch.setenv("MODELWRIGHT_TRACEBACK", "1")
        with pytest.raises(KeyError):
            run("models", "show", "churn", app=Scripted(Answer({})))

    def test_a_page_without_entries_in_it_is_said(
        self, run: Run, capsys: pytest.CaptureFixture[str]
    ):
        assert run("models", "list", app=Scripted(Answer({}))) == 1
        said = "error: The answer has no entries; look whether a Modelwright server is at this"
        assert capsys.readouterr().err == f"{said} address.\n"

    def test_a_server_error_names_the_request(self, run: Run, capsys: pytest.CaptureFixture[str]):
        error = {"code": "internal_error", "message": "It broke.", "status": 500}
        app = Scripted(Answer({"error": {**error, "request_id": "req_9"}}, 500))
        assert run("uploads", "list", app=app) == 1
        assert capsys.readouterr().err == "error: It broke. (request req_9)\n"

    def test_no_answer_asks_whether_a_server_runs(self):
        assert "modelwright serve" in cli._sentence(UnreachableError("No answer from x."))


class TestStart:
    def test_a_server_word_loads_no_http_and_no_terminal_library(self):
        check = (
            "import sys; from modelwright_client import cli; cli.command_line('keys');"
            "print([name for name in ('httpx', 'rich.progress', 'modelwright_client.commands')"
            " if name in sys.modules])"
        )
        done = subprocess.run([sys.executable, "-c", check], capture_output=True, check=True)
        assert done.stdout == b"[]\n"

    def test_an_operator_s_word_loads_no_http_server(self):
        check = (
            "import sys; from modelwright_client import cli; cli.command_line('keys');"
            "print([name for name in ('uvicorn', 'modelwright.server', 'modelwright.processes')"
            " if name in sys.modules])"
        )
        done = subprocess.run([sys.executable, "-c", check], capture_output=True, check=True)
        assert done.stdout == b"[]\n"

    def test_a_word_of_the_client_does_not_load_the_server(self):
        check = (
            "import sys; from modelwright_client import cli; cli.command_line('models');"
            "print('modelwright' in sys.modules)"
        )
        done = subprocess.run([sys.executable, "-c", check], capture_output=True, check=True)
        assert done.stdout == b"False\n"

    def test_help_names_every_word(self, run: Run, capsys: pytest.CaptureFixture[str]):
        assert run("--help") == 0
        out = capsys.readouterr().out
        assert all(word in out for word in (*cli.COMMANDS, "keys"))

    def test_every_word_has_help(self, run: Run, capsys: pytest.CaptureFixture[str]):
        for word in cli.COMMANDS:
            assert run(word, "--help") == 0
            assert f"modelwright {word}" in capsys.readouterr().out


class TestWithoutTheServer:
    @pytest.fixture
    def on_windows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("platform.system", lambda: "Windows")

    @pytest.mark.usefixtures("on_windows")
    def test_the_server_is_refused_on_windows_in_one_sentence(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ):
        monkeypatch.setattr(sys, "argv", ["modelwright", "serve"])
        assert cli.main() == 1
        told = capsys.readouterr().err
        assert told == "error: The server runs on Linux and macOS; on Windows it runs in WSL.\n"

    @pytest.mark.usefixtures("on_windows")
    def test_the_client_works_on_windows(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ):
        monkeypatch.setattr(sys, "argv", ["modelwright", "predict", "--help"])
        assert cli.main() == 0
        assert "predict" in capsys.readouterr().out

    def test_every_command_of_the_server_is_known_to_be_one(self):
        server = typer.Typer()
        register(server)
        names = set(typer.main.get_group(server).commands)
        assert names == set(cli.SERVER_COMMANDS)

    @pytest.mark.parametrize(("module", "words"), MODULES.items())
    def test_a_command_of_the_server_comes_with_its_module_alone(
        self, module: str, words: tuple[str, ...]
    ):
        server = typer.Typer(callback=lambda: None)
        register(server, words[-1])
        assert tuple(typer.main.get_group(server).commands) == words, module

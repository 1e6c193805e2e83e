"""An artifact from anybody: what is not as a build wrote it is refused, and nothing of it runs."""

import ast
import hashlib
import io
import json
import random
import struct
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from benchmarks.portable import ALONE
from numpy.typing import NDArray
from onnx import TensorProto, helper
from tests.unit.engines.automl.conftest import Built, rows_of

import modelwright_client
from modelwright.engines.automl.artifact import _replace, packed, zipped
from modelwright_client.errors import ArtifactError
from modelwright_runtime.archive import read_arrays
from modelwright_runtime.predictor import Predictor

Ensemble = dict[str, bytes]
Change = Callable[[Ensemble], Mapping[str, bytes]]
MB = 1 << 20


@pytest.fixture(scope="session")
def sound(learnt: Callable[[str], Built]) -> Built:
    """Gives what most kinds of artifacts hold: several classes, so several sums of trees."""
    return learnt("multiclass")


def members_of(built: Built) -> Ensemble:
    with zipfile.ZipFile(built[1] / "model.zip") as held:
        return {name: held.read(name) for name in held.namelist()}


def sealed(members: Ensemble) -> bytes:
    """Packs members under a manifest that has their right hashes, as whoever changed them can."""
    told = json.loads(members["manifest.json"])
    told["members"] = {
        name: hashlib.sha256(one).hexdigest()
        for name, one in members.items()
        if name != "manifest.json"
    }
    return zipped({**members, "manifest.json": json.dumps(told).encode()})


def refused(tmp_path: Path, content: bytes, match: str) -> None:
    """Loads what must be refused, in bounded memory."""
    path = tmp_path / "model.zip"
    path.write_bytes(content)
    tracemalloc.start()
    with pytest.raises(ArtifactError, match=match):
        modelwright_client.load(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 200 * MB


def with_json(members: Ensemble, change: Callable[[dict[str, Any]], None]) -> bytes:
    told = json.loads(members["model.json"])
    change(told)
    return sealed({**members, "model.json": json.dumps(told).encode()})


def with_array(members: Ensemble, member: str, name: str, change: Callable[[Any], Any]) -> bytes:
    with np.load(io.BytesIO(members[member]), allow_pickle=False) as held:
        arrays = {one: held[one].copy() for one in held.files}
    arrays[name] = change(arrays[name])
    return sealed({**members, member: packed(arrays)})


def put(place: Any, value: Any) -> Callable[[Any], Any]:
    """Makes a change that sets one place of an array."""

    def changed(array: Any) -> Any:
        array[place] = value
        return array

    return changed


class TestSave:
    def test_leaves_nothing_half_written_in_the_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        """The folder is stored as it is when a build's process is ended."""

        def ended(*_: object) -> None:
            raise InterruptedError

        monkeypatch.setattr(Path, "replace", ended)
        (folder := tmp_path / "artifact").mkdir()
        with pytest.raises(InterruptedError):
            _replace(folder / "model.zip", b"half")
        assert list(folder.iterdir()) == []


class TestWhole:
    def test_answers_without_the_server_as_with_it(self, built: Built):
        rows = rows_of(built[0], 300)
        ours = modelwright_client.load(built[1] / "model.zip")
        theirs = Predictor.load(built[1]).predict_many(rows)
        include = ["probabilities", "interval", "explanation"]
        for answer, their in zip(ours.predict(rows, include=include), theirs, strict=True):
            assert answer["prediction"] == their.result
            told = answer["explanation"]
            parts = told["base"] + sum(told["contributions"].values())
            assert parts == pytest.approx(told["sum"], abs=1e-6)

    def test_tells_what_it_is(self, built: Built):
        manifest = modelwright_client.load(built[1] / "model.zip").manifest
        wanted = {"format", "seed", "plan", "metrics", "input_schema", "output_schema", "members"}
        assert wanted <= manifest.keys()
        data = hashlib.sha256(built[0].read_bytes()).hexdigest()
        assert manifest["report"]["data_sha256"] == data
        assert manifest["report"]["libraries"]["lightgbm"] == version("lightgbm")
        assert manifest["members"].keys() == members_of(built).keys() - {"manifest.json"}

    def test_has_graphs_that_are_valid_onnx(self, built: Built):
        graphs = [one for name, one in members_of(built).items() if name.endswith(".onnx")]
        for graph in graphs:
            onnx.checker.check_model(onnx.load_model_from_string(graph))
        assert graphs

    def test_holds_no_training_row(self, built: Built):
        members = members_of(built)
        plain = members["manifest.json"] + members["model.json"]
        texts = [row["said"] for row in rows_of(built[0], 600)]
        assert not [text for text in texts if text.encode() in plain]
        assert "training.json" not in members

    def test_takes_any_number_of_rows(self, built: Built):
        model, rows = modelwright_client.load(built[1] / "model.zip"), rows_of(built[0], 600)
        many = model.predict(rows * 20)
        assert len(many) == 12_000
        assert many[:600] == many[-600:] == model.predict(rows)
        assert model.predict([]) == []


class TestAlone:
    def test_needs_numpy_and_onnx_runtime_and_nothing_else(self, built: Built, tmp_path: Path):
        rows = rows_of(built[0], 50)
        asked, out = tmp_path / "asked.json", tmp_path / "out.json"
        asked.write_text(json.dumps({"rows": rows, "explained": 5}))
        command = [sys.executable, "-c", ALONE, str(asked), str(built[1] / "model.zip"), str(out)]
        subprocess.run(command, check=True)
        told = json.loads(out.read_text())
        include = ["probabilities", "interval"]
        assert told["answers"] == Predictor.load(built[1]).predict(rows, include=include)

    def test_says_what_to_install(self):
        told = """
import sys
sys.modules["numpy"] = None
import modelwright_client
modelwright_client.load
"""
        command = [sys.executable, "-c", told]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "pip install 'modelwright-platform[runtime]'" in ran.stderr


class TestRows:
    @pytest.mark.parametrize(
        ("field", "value", "word"),
        [("count", None, "required"), ("count", "9", "an integer"), ("opened", "soon", "a date")],
    )
    def test_are_refused_by_field_and_row(self, sound: Built, field: str, value: Any, word: str):
        model, rows = modelwright_client.load(sound[1] / "model.zip"), rows_of(sound[0], 3)
        rows[2][field] = value
        with pytest.raises(
            modelwright_client.RowError, match=rf"row 2 .*`{field}`.*{word}"
        ) as told:
            model.predict(rows)
        assert (told.value.row, told.value.field) == (2, field)

    def test_must_be_objects(self, sound: Built):
        with pytest.raises(modelwright_client.RowError, match=r"row 0 .*object"):
            modelwright_client.load(sound[1] / "model.zip").predict([["a"]])  # type: ignore[list-item]

    def test_may_have_unseen_categories_and_gaps(self, sound: Built):
        row = rows_of(sound[0])[0] | {"place": "nowhere", "size": None, "unknown": 1}
        assert modelwright_client.load(sound[1] / "model.zip").predict([row])[0]["prediction"]

    def test_know_what_can_be_included(self, sound: Built):
        with pytest.raises(modelwright_client.ModelwrightError, match="'odds' is none of"):
            modelwright_client.load(sound[1] / "model.zip").predict([], include=["odds"])


class TestZip:
    def test_that_is_not_there_is_said(self, tmp_path: Path):
        with pytest.raises(ArtifactError, match="no model at"):
            modelwright_client.load(tmp_path / "none.zip")

    @pytest.mark.parametrize("content", [b"", b"PK", b"no zip" * 100, b"PK\5\6" + bytes(18)])
    def test_that_is_none_is_refused(self, tmp_path: Path, content: bytes):
        refused(tmp_path, content, "no zip|lacks")

    def test_that_was_changed_is_refused(self, sound: Built, tmp_path: Path):
        members = members_of(sound)
        members["trees.npz"] += b"\0"
        refused(tmp_path, zipped(members), "'trees.npz' has another hash")

    @pytest.mark.parametrize("name", ["arrays.npz", "model.json", "trees.npz"])
    def test_that_lacks_a_member_is_refused(self, sound: Built, tmp_path: Path, name: str):
        members = members_of(sound)
        del members[name]
        refused(tmp_path, zipped(members), f"'{name}' is missing")
        refused(tmp_path, sealed(members), f"lacks '{name}'")

    @pytest.mark.parametrize("name", ["../../evil.py", "/etc/evil", "evil.py", "C:\\evil", "a\0b"])
    def test_with_a_strange_member_is_refused(self, sound: Built, tmp_path: Path, name: str):
        refused(tmp_path, sealed({**members_of(sound), name: b"import os"}), "no place|hash")
        assert not list(tmp_path.parent.parent.glob("evil*"))

    def test_of_another_format_is_refused(self, sound: Built, tmp_path: Path):
        members = members_of(sound)
        told = json.loads(members["manifest.json"]) | {"format": 99}
        members["manifest.json"] = json.dumps(told).encode()
        refused(tmp_path, sealed(members), "format is 99")

    def test_packed_in_a_hungry_way_is_refused(self, sound: Built, tmp_path: Path):
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w", zipfile.ZIP_LZMA) as out:
            for name, content in members_of(sound).items():
                out.writestr(name, content)
        refused(tmp_path, held.getvalue(), "packed in a way")

    @pytest.mark.parametrize("seed", range(40))
    def test_with_flipped_bytes_loads_or_is_refused(self, sound: Built, tmp_path: Path, seed: int):
        maker, content = random.Random(seed), bytearray((sound[1] / "model.zip").read_bytes())
        for _ in range(maker.choice([1, 4, 30])):
            content[maker.randrange(len(content))] = maker.randrange(256)
        del content[: maker.choice([0, 0, 1, 40])]
        path = tmp_path / "model.zip"
        path.write_bytes(content)
        with suppress(ArtifactError):
            assert modelwright_client.load(path).predict(rows_of(sound[0], 3))


class TestBombs:
    """Small files that would unpack to much: refused before the memory is taken."""

    def test_of_overlapping_members(self, tmp_path: Path):
        refused(tmp_path, _overlapping(), "unpacked it has 1744830464 bytes")

    def test_of_packed_arrays(self, sound: Built, tmp_path: Path):
        for name in ("arrays.npz", "trees.npz"):
            content = sealed(members_of(sound) | {name: _overlapping()})
            refused(tmp_path, content, "unpacked it has 1744830464 bytes")

    def test_of_a_million_members(self, tmp_path: Path):
        record = struct.pack("<4s6H3L5H2L", b"PK\1\2", *[0] * 6, *[0] * 3, 1, *[0] * 4, 0, 0) + b"a"
        many = record * 1_000_000
        end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 16_960, 16_960, len(many), 0, 0)
        refused(tmp_path, many + end, "more than 60000 members")

    def test_of_an_array_larger_than_its_bytes(self, sound: Built, tmp_path: Path):
        arrays = zipped({"additive.weights.npy": _array((10**9, 10**6))})
        refused(tmp_path, sealed(members_of(sound) | {"arrays.npz": arrays}), "not as large as")

    def test_of_an_empty_array_that_is_endlessly_wide(self, sound: Built, tmp_path: Path):
        content = _array((0, 10**12))
        arrays = zipped({"words.0.npy": content})
        refused(tmp_path, sealed(members_of(sound) | {"arrays.npz": arrays}), "not as large as")

    def test_of_deep_json(self, sound: Built, tmp_path: Path):
        for name in ("model.json", "manifest.json"):
            members = members_of(sound) | {name: b"[" * 5 * MB}
            content = sealed(members) if name == "model.json" else zipped(members)
            refused(tmp_path, content, "nested too deep")

    def test_of_long_json(self, sound: Built, tmp_path: Path):
        members = members_of(sound) | {"model.json": b" " * (65 * MB) + b"{}"}
        refused(tmp_path, sealed(members), "more than 67108864 bytes")


def _overlapping() -> bytes:
    """26 members of 64 MB each that share their few bytes."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("a", bytes(64 * MB))
    content = held.getvalue()
    start = content.index(b"PK\1\2")
    record = content[start : content.index(b"PK\5\6")]
    many = b"".join(record[:-1] + bytes([letter]) for letter in range(65, 65 + 26))
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 26, 26, len(many), start, 0)
    return content[:start] + many + end


def _array(shape: tuple[int, ...]) -> bytes:
    """The head of an array, without its numbers."""
    held = io.BytesIO()
    told = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(held, told)
    return held.getvalue()


def _names(built: Built, member: str) -> list[str]:
    with np.load(io.BytesIO(members_of(built)[member]), allow_pickle=False) as held:
        return list(held.files)


class TestArrays:
    def test_are_never_unpickled(self, sound: Built, tmp_path: Path):
        class Hostile:
            def __reduce__(self) -> Any:
                return Path.touch, (tmp_path / "ran",)

        held = io.BytesIO()
        np.savez(held, evil=np.array([Hostile()], dtype=object))
        for name in ("arrays.npz", "trees.npz"):
            members = members_of(sound) | {name: held.getvalue()}
            refused(tmp_path, sealed(members), r"holds \|O, not numbers")
        assert not (tmp_path / "ran").exists()

    @pytest.mark.parametrize(
        "array",
        [
            np.float64(2.5),
            np.arange(3),
            np.arange(6.0).reshape(2, 3, order="F"),
            np.ones((0, 4), bool),
        ],
    )
    def test_are_read_as_they_were_written(self, array: NDArray[np.generic]):
        read = read_arrays(packed({"one": array}), MB)["one"]
        assert (read.dtype, read.shape) == (array.dtype, array.shape)
        assert (read == array).all()

    def test_are_read_without_python_s_parser(self, monkeypatch: pytest.MonkeyPatch):
        """Before 3.11.8 it fails at times when two threads use it."""
        with monkeypatch.context() as without:
            without.delattr(ast, "parse")
            read = read_arrays(packed({"one": np.ones(3)}), MB)
        assert read["one"].sum() == 3

    @pytest.mark.parametrize("value", [np.nan, np.inf])
    @pytest.mark.parametrize("name", ["additive.weights", "additive.bias", "table.", "idf."])
    def test_without_numbers_are_refused(
        self, sound: Built, tmp_path: Path, name: str, value: float
    ):
        whole = next(one for one in _names(sound, "arrays.npz") if one.startswith(name))
        content = with_array(members_of(sound), "arrays.npz", whole, put(0, value))
        refused(tmp_path, content, "none|not")

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("additive.smooth", 10**6), ("additive.smooth", -1), ("additive.counts", 0),
            ("additive.counts", 10**9), ("additive.smooth_at", 10**9), ("additive.level", 0),
            ("additive.level_at", 10**9), ("additive.level_at", -5),
        ],
    )  # fmt: skip
    def test_that_lead_outside_are_refused(
        self, sound: Built, tmp_path: Path, name: str, value: int
    ):
        content = with_array(members_of(sound), "arrays.npz", name, put(0, value))
        refused(tmp_path, content, "additive part")

    def test_of_codes_that_are_no_places_are_refused(self, sound: Built, tmp_path: Path):
        name = next(one for one in _names(sound, "arrays.npz") if one.startswith("table."))
        content = with_array(members_of(sound), "arrays.npz", name, put((0, 0), 10**6))
        refused(tmp_path, content, "not in order")


class TestTrees:
    @pytest.mark.parametrize(
        ("name", "place", "value", "match"),
        [
            ("feature", 0, 10**6, "slots"), ("feature", 0, -1, "slots"),
            ("targets", 0, 7, "slots"), ("yes", 0, 0, "circles"), ("yes", 0, 10**8, "nodes"),
            ("no", 0, -(10**8), "nodes"), ("roots", 0, -1, "nodes"), ("roots", 0, 1, "circles"),
            ("threshold", 0, np.nan, "none"), ("values", 0, np.inf, "none"),
            ("cover", 0, np.nan, "none"),
        ],
    )  # fmt: skip
    def test_that_are_none_are_refused(
        self, sound: Built, tmp_path: Path, name: str, place: int, value: float, match: str
    ):
        content = with_array(members_of(sound), "trees.npz", f"0.{name}", put(place, value))
        refused(tmp_path, content, match)

    def test_in_a_long_chain_are_refused(self, sound: Built, tmp_path: Path):
        nodes = 6000
        chain = {
            "feature": np.zeros(nodes, np.int32), "threshold": np.zeros(nodes),
            "yes": np.append(np.arange(1, nodes), -1).astype(np.int32),
            "no": np.append(-1 - np.arange(1, nodes), -nodes - 1).astype(np.int32),
            "missing": np.zeros(nodes, bool), "cover": np.ones(nodes),
            "values": np.zeros((nodes + 1, 1)), "leaf_cover": np.ones(nodes + 1),
            "roots": np.zeros(1, np.int32), "targets": np.zeros(1, np.int32),
        }  # fmt: skip
        trees = packed({f"0.{name}": one for name, one in chain.items()})
        refused(tmp_path, sealed(members_of(sound) | {"trees.npz": trees}), "too deep")


def _looping() -> bytes:
    """An ONNX model whose loop never ends."""
    yes = helper.make_node("Constant", [], ["go"], value=helper.make_tensor("v", 9, [], [1]))
    body = helper.make_graph(
        [yes],
        "body",
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, []),
            helper.make_tensor_value_info("c", TensorProto.BOOL, []),
        ],
        [helper.make_tensor_value_info("go", TensorProto.BOOL, [])],
    )
    return _model([helper.make_node("Loop", ["", ""], [], body=body)])


def _reading_files() -> bytes:
    """An ONNX model whose weights lie in a file of its reader's machine."""
    weights = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[1])
    weights.data_location = TensorProto.EXTERNAL
    weights.external_data.add(key="location", value="../../etc/passwd")
    return _model([helper.make_node("Add", ["x", "w"], ["y"])], [weights])


def _custom() -> bytes:
    """An ONNX model with an operator of somebody's own."""
    return _model([helper.make_node("Evil", ["x"], ["y"], domain="com.evil")])


def _model(nodes: list[Any], weights: list[TensorProto] | None = None) -> bytes:
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy")
    graph = helper.make_graph(nodes, "evil", [x], [y], weights or [])
    return bytes(helper.make_model(graph).SerializeToString())


class TestGraphs:
    @pytest.mark.parametrize("made", [_looping, _reading_files, _custom, bytes])
    def test_that_are_not_those_of_the_trees_are_refused(
        self, sound: Built, tmp_path: Path, made: Callable[[], bytes]
    ):
        for name in ("sums.onnx", "mean9.onnx"):
            members = members_of(sound) | {name: made()}
            refused(tmp_path, sealed(members), "not those of its trees")

    def test_are_not_read_of_a_folder_of_the_server(self, sound: Built, tmp_path: Path):
        members = {name: one for name, one in members_of(sound).items() if "onnx" not in name}
        (tmp_path / "model.zip").write_bytes(zipped({**members, "sums.onnx": b"none"}))
        rows = rows_of(sound[0], 20)
        expected = Predictor.load(sound[1]).predict(rows)
        assert Predictor.load(tmp_path).predict(rows) == expected


class TestJson:
    @pytest.mark.parametrize(
        "change",
        [
            lambda told: told.update(task="evil"),
            lambda told: told.update(base=[0.0] * 9),
            lambda told: told.update(base="evil"),
            lambda told: told.update(columns=[]),
            lambda told: told.update(columns=told["columns"][:-1]),
            lambda told: told.update(columns=told["columns"][:1] * 2),
            lambda told: told.update(durations=[["size", "place"]]),
            lambda told: told.update(scale={"evil": 1}),
            lambda told: told.update(target=["y"]),
            lambda told: told.update(classes=[{}] * len(told["classes"]) or [1]),
            lambda told: told.update(offset=[0.0] * 9),
            lambda told: told.update(interval={"edges": [1], "low": [1], "high": [1]}),
            lambda told: told.update(centre={"parts": [[0]], "terms": []}),
            lambda told: told.update(means=[1.0] * 9),
            lambda told: told["columns"][0].update(name=7),
            lambda told: told["columns"][0].update(type="date"),
            lambda told: told["columns"][0].update(kind="evil"),
            lambda told: told["columns"][0].update(gaps="no"),
        ],
    )
    def test_that_does_not_fit_is_refused(
        self, built: Built, tmp_path: Path, change: Callable[[dict[str, Any]], None]
    ):
        refused(tmp_path, with_json(members_of(built), change), "not a model|lacks")

    @pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
    def test_with_numbers_that_are_none_is_refused(self, built: Built, tmp_path: Path, number: str):
        members = members_of(built)
        plain = members["model.json"].replace(b'"means":[', f'"evil":{number},"means":['.encode())
        refused(tmp_path, sealed(members | {"model.json": plain}), "is no number")

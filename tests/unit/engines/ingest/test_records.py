"""JSON: arrays of records, a record a line, and what becomes of their values."""

import gzip
import json
from datetime import date
from typing import Any

import pytest

RECORDS = [
    {
        "id": 1,
        "code": "007",
        "score": 1.5,
        "ok": True,
        "day": "2024-01-05",
        "tags": ["a", {"b": 1}],
    },
    {"id": 2, "code": "12", "score": 2, "ok": False, "day": None, "more": {"x": [1.5, None, "é"]}},
]
NAMES = ["id", "code", "score", "ok", "day", "tags", "tags.count", "more.x", "more.x.count"]
READ = [
    (1, "007", 1.5, True, date(2024, 1, 5), '["a",{"b":1}]', 2, None, None),
    (2, "12", 2.0, False, None, None, None, '[1.5,null,"é"]', 3),
]
WRITINGS = {
    "an array": json.dumps(RECORDS),
    "an indented array": json.dumps(RECORDS, indent=4),
    "a record a line": "\n".join(map(json.dumps, RECORDS)),
    "windows lines": "\r\n".join(map(json.dumps, RECORDS)) + "\r\n\r\n",
    "indented records": "\n".join(json.dumps(record, indent=1) for record in RECORDS),
}


class TestRecords:
    @pytest.mark.parametrize("text", WRITINGS.values(), ids=WRITINGS.keys())
    def test_are_read_however_they_are_written(self, ingest: Any, text: str):
        found = ingest(text, "t.json")
        assert found.table.format == "json"
        assert found.names == NAMES
        types = ["integer", "string", "float", "boolean", "date"]
        assert found.types == [*types, "string", "integer", "string", "integer"]
        assert found.rows == READ

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
    def test_are_read_in_other_encodings(self, ingest: Any, encoding: str):
        text = json.dumps(RECORDS, ensure_ascii=False).encode(encoding)
        assert ingest(text, "t.json").rows == READ
        assert ingest(gzip.compress(text), "t.json.gz").rows == READ

    def test_may_be_the_only_array_of_records_in_an_object(self, ingest: Any):
        answer: dict[str, Any] = {
            "count": 2,
            "next": None,
            "results": RECORDS,
            "ids": [1, 2],
            "more": {},
        }
        found = ingest(json.dumps(answer, indent=1), "t.json")
        assert (found.names, found.rows) == (NAMES, READ)
        left_out = "Left out beside them: count, next, ids and 1 more."
        assert found.table.notices == (f"The rows are the records in results. {left_out}",)
        alone = ingest(json.dumps({"data": RECORDS}), "t.json")
        assert (alone.rows, alone.table.notices) == (READ, ("The rows are the records in data.",))

    def test_in_several_arrays_of_an_object_are_not_taken_and_that_is_told(self, ingest: Any):
        found = ingest('{"nodes": [{"a": 1}], "links": [{"b": 2}], "n": 1}', "t.json")
        assert found.table.rows == 1
        assert found.table.notices[0].startswith("The file is one record, as several")
        assert "(nodes, links)" in found.table.notices[0]

    def test_in_an_object_may_be_more_than_a_record_may_hold(self, ingest: Any):
        rows = [{"a": number, "pad": "x" * 100} for number in range(90_000)]
        found = ingest(json.dumps({"ids": [1], "data": rows, "next": {"page": 2}}), "t.json")
        assert [row[0] for row in found.rows] == list(range(90_000))
        said = "The rows are the records in data. Left out beside them: ids, next."
        assert found.table.notices == (said,)

    @pytest.mark.parametrize(
        "text",
        [
            '{"a": 1, "b": [{"c": 1}]}\n{"a": 2, "b": []}',
            '[{"a": 1, "b": [{"c": 1}]}]',
            '{"a": 1, "b": [{"c": 1}, 2]}',
        ],
    )
    def test_may_hold_arrays_of_records(self, ingest: Any, text: str):
        found = ingest(text, "t.json")
        assert (found.names, found.table.notices) == (["a", "b", "b.count"], ())

    def test_are_known_by_their_bytes(self, ingest: Any):
        assert ingest(json.dumps(RECORDS), "t.csv").table.format == "json"
        assert ingest("[id],[name]\n1,x\n", "t.csv").table.format == "csv"

    def test_may_bring_new_fields_late(self, ingest: Any):
        lines = ['{"a": 1}'] * 300_000 + ['{"a": 2, "b": "x"}', '{"c": 1, "a": 3}']
        found = ingest("\n".join(lines), "t.json")
        assert found.names == ["a", "b", "c"]
        assert found.rows[-3:] == [(1, None, None), (2, "x", None), (3, None, 1)]
        assert [column.nullable for column in found.table.columns] == [False, True, True]

    def test_of_one_object_is_one_row(self, ingest: Any):
        assert ingest('{"a": 1,\n "b": [1, 2]}', "t.json").rows == [(1, "[1,2]", 2)]

    def test_keep_a_field_that_is_always_null(self, ingest: Any):
        found = ingest('[{"a": null, "b": 1}]', "t.json")
        assert (found.types, found.rows) == (["string", "integer"], [(None, 1)])

    def test_tell_fields_apart_that_differ_in_case(self, ingest: Any):
        assert ingest('[{"a": 1, "A": 2, "": 3, "x\\u0000": 4}]').names == [
            "a",
            "A_2",
            "column_3",
            "x",
        ]


VALUES: list[tuple[str, list[str], str, list[Any]]] = [
    ("texts of digits", ['"12"', '"7"'], "string", ["12", "7"]),
    ("numbers and texts", ["1", '"x"', "2.5"], "string", ["1", "x", "2.5"]),
    ("numbers and truths", ["1", "true"], "string", ["1", "true"]),
    ("numbers and missing words", ["1", '"NA"', '""', "3"], "integer", [1, None, None, 3]),
    ("whole and decimal numbers", ["1", "2.5", "1e3"], "float", [1.0, 2.5, 1000.0]),
    ("large numbers", ["12345678901234567890", "1"], "string", ["12345678901234567890", "1"]),
    ("no numbers", ["NaN", "1.5", "-Infinity"], "float", [None, 1.5, float("-inf")]),
    ("empty objects and plain", ["{}", "5", '"x"'], "string", ["{}", "5", "x"]),
    ("texts that look true", ['"true"', '"false"'], "string", ["true", "false"]),
    ("half a character", ['"\\ud800x"'], "string", ["\\ud800x"]),
    ("escapes", ['"a\\u0000\\n\\"b"'], "string", ['a\x00\n"b']),
    ("dates and times", ['"2024-01-05"', '"soon"'], "string", ["2024-01-05", "soon"]),
]


class TestValues:
    @pytest.mark.parametrize(
        ("cells", "kind", "values"), [v[1:] for v in VALUES], ids=[v[0] for v in VALUES]
    )
    def test_have_the_type_that_json_gives(
        self, ingest: Any, cells: list[str], kind: str, values: Any
    ):
        found = ingest("\n".join(f'{{"v": {cell}}}' for cell in cells), "t.json")
        assert (found.types, found.values()) == ([kind], values)

    def test_late_in_a_file_decide_as_well(self, ingest: Any):
        pad = "x" * 100
        lines = [f'{{"v": 1, "pad": "{pad}"}}'] * 60_000 + ['{"v": "x"}']
        found = ingest("\n".join(lines), "t.json")
        assert (found.types[0], found.values()[0], found.values()[-1]) == ("string", "1", "x")


class TestShapes:
    ROWS = ((0, "x"), (1, "y"), (2, "x"))

    @pytest.mark.parametrize(
        "text",
        [
            '{"n": {"0": 0, "1": 1, "2": 2}, "t": {"0": "x", "1": "y", "2": "x"}}',
            '{"0": {"n": 0, "t": "x"}, "1": {"n": 1, "t": "y"}, "2": {"n": 2, "t": "x"}}',
            '{"columns": ["n", "t"], "index": [0, 1, 2], "data": [[0, "x"], [1, "y"], [2, "x"]]}',
            '{"schema": {}, "data": [{"n": 0, "t": "x"}, {"n": 1, "t": "y"}, {"n": 2, "t": "x"}]}',
            '[["n", "t"], [0, "x"], [1, "y"], [2, "x"]]',
        ],
    )
    def test_of_pandas_are_tables(self, ingest: Any, text: str):
        found = ingest(text, "t.json")
        assert (found.names, tuple(found.rows)) == (["n", "t"], self.ROWS)

    def test_of_lists_without_names_have_made_up_ones(self, ingest: Any):
        assert ingest("[[1, 2], [3, 4]]", "t.json").names == ["column_1", "column_2"]

    def test_of_a_record_with_objects_stay_one_row(self, ingest: Any):
        found = ingest('{"who": {"age": 3, "plan": "x"}, "where": {"city": "Faro"}}', "t.json")
        assert found.names == ["who.age", "who.plan", "where.city"]
        assert found.rows == [(3, "x", "Faro")]

    def test_of_places_have_their_point(self, ingest: Any):
        place = '{"type": "Point", "coordinates": [1.5, 50]}'
        one = f'{{"type": "Feature", "properties": {{"name": "A"}}, "geometry": {place}}}'
        line = one.replace("Point", "LineString").replace("[1.5, 50]", "[[1, 2], [3, 4]]")
        for text in (f'{{"type": "FeatureCollection", "features": [{one}]}}', f"{one}\n{one}"):
            found = ingest(text, "t.geojson")
            assert found.names == ["name", "longitude", "latitude"]
            assert found.rows[0] == ("A", 1.5, 50)
        assert ingest(line, "t.geojson").names == ["name", "geometry"]


class TestBreak:
    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ('[{"a": 1},\n{"a": }]', 2),
            ('[{"a": 1},\n\n{"a": 2}', 4),
            ('[{"a": 1}\n{"a": 2}]', 2),
            ('[{"a": 1}]\nx', 2),
            ('{"a": 1}\n{"a": 2\n', 3),
            ('{"a": 1}\n{"a": "\n', 2),
            ('[{"a": 1},\n5]', 2),
            ('[{"a": 1},\n[1, 2]]', 2),
            ('[{"a": 1,}]', 1),
            ('[{"a": "\xff\n', 1),
        ],
    )
    def test_names_its_line(self, broken: Any, text: str, line: int):
        refusal = broken(text, "t.json")
        assert refusal.line == line
        assert refusal.expected

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ('[{"a": 1},{', "property name enclosed in double quotes"),
            ('[{"a": "x', "an array of records, or one record a line"),
            ('[{"a": "\\x"}]', "an array of records, or one record a line"),
        ],
    )
    def test_says_what_was_expected_there(self, broken: Any, text: str, expected: str):
        assert broken(text, "t.json").expected == expected

    def test_far_down_names_its_line(self, broken: Any):
        text = '{"a": 1}\n' * 400_000 + '{"a": 1]\n' + '{"a": 1}\n' * 400_000
        assert broken(text, "t.json").line == 400_001

    @pytest.mark.parametrize("lines", [50_000, 100_000])
    def test_in_a_wrapped_array_names_its_line(self, broken: Any, lines: int):
        record = json.dumps({"a": 1, "pad": "x" * 100})
        text = '{"data": [\n' + f"{record},\n" * lines + '{"a": ]}\n' + f",{record}\n" * lines
        assert broken(text, "t.json").line == lines + 2

    def test_is_a_record_that_is_too_long(self, broken: Any):
        long = '{"a": "' + "x" * 9 * 2**20 + '"}'
        assert "longer than 8 MiB" in broken(long, "t.json").reason
        assert "longer than 8 MiB" in broken('{"data": [{"a": 1},\n' + long, "t.json").reason

    @pytest.mark.parametrize("text", ["[]", "[{}]", "{}", "  [\n]\n"])
    def test_is_what_holds_no_field(self, broken: Any, text: str):
        assert "no record" in broken(text, "t.json").reason

    def test_is_what_is_no_record(self, broken: Any):
        assert "object" in broken("[1, 2]", "t.json").reason

    def test_is_what_is_nested_endlessly(self, broken: Any):
        assert "deeply" in broken('[{"a": ' + "[" * 200_000, "t.json").reason

    def test_is_a_number_of_endless_digits(self, broken: Any):
        assert "digits" in broken('[{"a": ' + "1" * 10_000 + "}]", "t.json").reason


class TestNamesThatRepeat:
    def test_are_told_with_the_value_that_is_kept(self, ingest: Any):
        found = ingest(
            '[{"a": 1,\n"b": 2},\n{"a": 3, "b": 4, "a": 5},\n{"a": 6, "b": 7}]', "t.json"
        )
        assert found.rows == [(1, 2), (5, 4), (6, 7)]
        said = "'a' stands more than once in an object (line 3): its last value is kept"
        assert said in found.table.notices[0]

    def test_are_told_however_deep_and_of_each_line(self, ingest: Any):
        line = '{"u": {"x": 1, "x": 2}}\n'
        found = ingest(line * 7, "t.jsonl")
        assert "(lines 1, 2, 3, 4, 5 and 2 more)" in found.table.notices[0]

    def test_are_told_of_a_table_of_columns(self, ingest: Any):
        found = ingest('{"a": [1, 2], "b": [3, 4], "a": [5, 6]}', "t.json")
        assert "'a' stands more than once" in "".join(found.table.notices)

    def test_name_each_column_of_a_table_of_pandas(self, ingest: Any):
        found = ingest('{"columns": ["a", "a"], "data": [[1, 2], [3, 4]]}', "t.json")
        assert (found.names, found.rows) == (["a", "a_2"], [(1, 2), (3, 4)])

    def test_are_no_repeats_where_objects_differ(self, ingest: Any):
        assert ingest('[{"a": {"x": 1}, "b": {"x": 2}}]', "t.json").table.notices == ()


class TestOneRecord:
    @pytest.mark.parametrize(
        "record",
        [
            {"id": 1, "m": {"x": [1, 2, 3], "y": [4, 5, 6]}},
            {"id": 1, "bbox": {"min": [1.5, 2.5], "max": [3.5, 4.5]}},
            {"id": 1, "contacts": {part: {"phone": part} for part in ("home", "work", "other")}},
            {"a": {"id": 1, "m": {"x": [1, 2, 3], "y": [4, 5, 6]}}},
        ],
        ids=["columns", "corners", "contacts", "deeper"],
    )
    @pytest.mark.parametrize("name", ["t.jsonl", "t.json"])
    def test_with_short_parts_is_read_as_several_are(self, ingest: Any, record: Any, name: str):
        [first, *_] = ingest(f"{json.dumps(record)}\n" * 4, "t.jsonl").rows
        assert ingest(json.dumps(record), name).rows == [first]

    def test_a_line_of_its_own_keeps_what_stands_beside_many_rows(self, ingest: Any):
        record = {"id": 1, "m": {"x": [*range(20)], "y": [*range(20)]}}
        assert len(ingest(json.dumps(record), "t.json").rows) == 20
        assert len(ingest(json.dumps(record), "t.jsonl").rows) == 1

"""The guard: what it lets through unchanged, what it tells, and that no disguise gets by."""

import re
from contextlib import suppress

import duckdb
import pytest
from tests.properties import given, settings, st

from modelwright.engines.sql.failures import Refused
from modelwright.engines.sql.statement_validation import (
    _allowlists,
    allowed_names,
    validate_statement,
)

CONNECTION = duckdb.connect()
FORBIDDEN = (
    "read_text('/etc/passwd')",
    "query('SELECT 1')",
    "duckdb_settings()",
    "checkpoint()",
    "duckdb_tables",
    "information_schema.tables",
    "json_execute_serialized_sql('{}')",
)
PLACES = (
    "SELECT * FROM {}",
    "SELECT (SELECT count(*) FROM {})",
    "WITH a AS (FROM {}) FROM a",
    "SELECT * FROM sales WHERE id IN (SELECT 1 FROM {})",
    "SELECT 1 UNION SELECT 2 FROM {}",
    "SELECT * FROM sales, (SELECT * FROM (FROM {}))",
    "SELECT list_transform([1], lambda x: (SELECT count(*) FROM {}))",
    "SELECT CASE WHEN EXISTS (FROM {}) THEN 1 END",
    "SELECT sum(id) OVER (ORDER BY (SELECT count(*) FROM {})) FROM sales",
    "PIVOT (FROM {}) ON name USING count(*)",
    "PIVOT sales ON region USING first((SELECT count(*) FROM {}))",
    "SUMMARIZE SELECT * FROM {}",
    "SELECT 1 LIMIT (SELECT count(*) FROM {})",
    "VALUES ((SELECT count(*) FROM {}))",
)
WORDS = (
    "SELECT FROM WHERE WITH RECURSIVE AS ( ) , ; * sales customers id region 'x' 1 + = "
    "PIVOT ON USING IN GROUP BY ORDER LIMIT UNION ALL INSERT INTO DELETE UPDATE SET DROP VIEW "
    "CREATE TABLE COPY TO ATTACH DETACH CALL PRAGMA EXPLAIN ANALYZE DESCRIBE SUMMARIZE SHOW "
    "VALUES RETURNING duckdb_tables read_text('x') query('x') count(*) -- /* */ \" '"
)


def check(sql: str) -> str:
    return validate_statement(sql, ["sales", "customers"], CONNECTION)


def disguised(sql: str, draw: st.DataObject) -> str:
    """The same statement in other letters, with comments and line ends between its words."""
    gaps = st.sampled_from((" ", "\n", "\t ", " /* ; */ ", " -- '\n", " /* /* */ */ "))
    parts = re.split(r"('[^']*'|\s+)", sql)
    changed = []
    for part in parts:
        if part.isspace():
            changed.append(draw.draw(gaps))
        elif part.startswith("'"):
            changed.append(part)
        else:
            upper = draw.draw(st.lists(st.booleans(), min_size=len(part), max_size=len(part)))
            changed.append(
                "".join(c.upper() if u else c.lower() for c, u in zip(part, upper, strict=True))
            )
    return "".join(changed)


class TestRefuseDisguises:
    @pytest.mark.parametrize("sign", ["\0", "\ud800"])
    def test_what_is_no_text_is_refused_before_a_parser_stops_at_it(self, sign: str):
        with pytest.raises(Refused, match="not text"):
            check(f"SELECT id FROM sales{sign}, read_text('x')")

    @given(st.data(), st.sampled_from(PLACES), st.sampled_from(FORBIDDEN))
    @settings(max_examples=150)
    def test_a_forbidden_thing_is_refused_wherever_it_hides(
        self, data: st.DataObject, place: str, thing: str
    ):
        sql = disguised(place.format(thing), data)
        with pytest.raises(Refused):
            check(sql)

    @given(st.sampled_from(FORBIDDEN[:4]), st.sampled_from(PLACES))
    @settings(max_examples=60)
    def test_quoted_names_are_the_same_names(self, thing: str, place: str):
        name, _, rest = thing.partition("(")
        with pytest.raises(Refused):
            check(place.format(f'"{name}"({rest}'))

    @given(st.lists(st.sampled_from(WORDS.split()), max_size=14).map(" ".join))
    @settings(max_examples=300)
    def test_no_soup_of_words_changes_anything(self, sql: str):
        try:
            statement = check(sql)
        except Refused:
            return
        canary = duckdb.connect(config={"enable_external_access": False})
        canary.execute("CREATE VIEW sales AS SELECT 1 AS id, 'x' AS region")
        canary.execute("CREATE VIEW customers AS SELECT 1 AS id")
        state = "SELECT count(*) FROM duckdb_views() UNION ALL SELECT count(*) FROM duckdb_tables()"
        before = canary.execute(state).fetchall()
        with suppress(duckdb.Error):
            canary.execute(statement).fetchmany(3)
        assert canary.execute(state).fetchall() == before

    @given(st.text(max_size=60))
    @settings(max_examples=150)
    def test_any_text_is_answered(self, text: str):
        position = None
        try:
            check(text)
        except Refused as refusal:
            position = refusal.position
        assert position is None or 0 <= position <= len(text)


class TestAccept:
    @given(
        st.data(),
        st.sampled_from(
            (
                "SELECT region , count(*) FROM sales GROUP BY region",
                "WITH a AS ( SELECT * FROM sales ) SELECT * FROM a JOIN customers ON true",
                "PIVOT sales ON region USING sum(id)",
                "SELECT ';' , '--' , '/*' FROM sales",
            )
        ),
    )
    @settings(max_examples=100)
    def test_the_same_statement_in_other_letters_is_accepted(self, data: st.DataObject, sql: str):
        assert check(disguised(sql, data))

    def test_a_statement_is_left_as_it_is_but_for_its_tail(self):
        assert check(" SELECT  'é;' -- x\n ; /* y */ ;") == " SELECT  'é;'"

    def test_the_allow_list_holds_only_functions_that_exist(self):
        existing = {
            name.lower()
            for (name,) in CONNECTION.execute(
                "SELECT function_name FROM duckdb_functions()"
            ).fetchall()
        }
        windows = {"row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile"}
        windows |= {"lag", "lead", "first_value", "last_value", "nth_value", "fill"}
        named = allowed_names()["scalar"] | allowed_names()["table"]
        assert named - existing - windows - {"unnest", "<=>"} == set()

    def test_names_of_other_dialects_lead_to_listed_functions(self):
        names = _allowlists()["elsewhere"]
        assert set(names.values()) <= allowed_names()["scalar"] | {"coalesce"}
        assert not names.keys() & allowed_names()["scalar"]

    def test_the_allow_list_holds_no_function_that_acts_or_looks_around(self):
        named = allowed_names()["scalar"] | allowed_names()["table"]
        assert not [
            name
            for name in named
            if re.search(
                r"setting|duckdb|pragma|^read_|secret|sleep|setval|nextval|log$|query", name
            )
            and name != "log"
        ]


class TestExplain:
    @pytest.mark.parametrize(
        ("sql", "position", "suggestion"),
        [
            ("SELECT * FROM saless", 14, "sales"),
            ("SELECT 'é', * FROM Custmers", 19, "customers"),
            ("WITH totals AS (SELECT 1) FROM total", 31, "totals"),
            ("SELECT averge(id) FROM sales", 7, "avg"),
            ("SELECT nvl(id, 1) FROM sales", 7, "coalesce"),
            ("SELECT medain(id) FROM sales", 7, "median"),
            ("SELECT count(*) FROM sales WHERE", 27, None),
            ("FROM other.sales", 5, "sales"),
        ],
    )
    def test_a_refusal_says_where_and_what_instead(self, sql: str, position: int, suggestion: str):
        with pytest.raises(Refused) as refusal:
            check(sql)
        assert refusal.value.position == position
        assert refusal.value.suggestion == suggestion

    def test_a_table_that_is_not_there_is_refused_with_those_that_are(self):
        with pytest.raises(Refused, match='it has "sales", "customers"'):
            check("FROM nowhere")

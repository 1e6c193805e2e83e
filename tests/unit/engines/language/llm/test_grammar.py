"""The grammar holds the schema's names and nothing that leads a model astray."""

import re

from tests.unit.engines.language.llm.made import CATALOG, ITEMS, ORDERS, view

from modelwright.engines.language.catalog.meaning import Catalog, Relationship
from modelwright.engines.language.llm.grammar import OTHER, grammar_of
from modelwright.engines.language.llm.sql_words import sql_words


def rules(grammar: str) -> dict[str, str]:
    return dict(line.split(" ::= ", 1) for line in grammar.splitlines())


class TestNames:
    def test_of_columns_are_written_with_their_own_table(self):
        name = rules(grammar_of(view()))["name"]
        assert '"line_items." ("item_id" | "order_id" | "unit_price")' in name

    def test_of_several_tables_stand_alone_only_within_a_function(self):
        told = rules(grammar_of(view()))
        assert not told["name"].startswith("column")
        assert '"unit_price"' in told["bare"]
        assert '"order_id"' not in told["bare"]  # both tables have it

    def test_of_one_table_may_stand_alone(self):
        assert rules(grammar_of(view(ITEMS)))["name"].startswith("column")

    def test_of_dates_are_only_there_where_there_are_dates(self):
        assert "moment" in rules(grammar_of(view(ORDERS)))
        assert "date_trunc" in rules(grammar_of(view(ORDERS)))["function"]
        assert "moment" not in rules(grammar_of(view(ITEMS)))
        assert "date_trunc" not in rules(grammar_of(view(ITEMS)))["function"]

    def test_of_parts_of_dates_may_be_grouped_by_where_there_are_dates(self):
        told = rules(grammar_of(view(ORDERS)))
        assert '"BY " dates' in told["keyword"]
        assert '("GROUP" | "ORDER") " BY " dates' in told["after"]
        assert "BY " not in rules(grammar_of(view(ITEMS)))["keyword"].replace('"BY"', "")

    def test_are_those_of_the_schema(self):
        assert rules(grammar_of(view()))["table"] == '"line_items" | "orders"'


class TestSelfJoins:
    def test_are_only_there_where_rows_point_to_others_of_their_table(self):
        assert OTHER not in grammar_of(view())
        to_self = Relationship("table0", "group", "table0", "Order ID")
        pointing = view(ORDERS, catalog=Catalog(CATALOG.tables, (to_self,)))
        assert f'"JOIN " ("orders") " AS {OTHER}"' in rules(grammar_of(pointing))["source"]


class TestRules:
    def test_every_rule_that_is_named_is_there(self):
        told = rules(grammar_of(view()))
        bare = re.sub(r'"(?:[^"\\]|\\.)*"|\[[^\]]*\]|\{[^}]*\}', " ", "\n".join(told.values()))
        assert set(re.findall(r"[a-z]+", bare)) <= set(told)

    def test_no_keyword_begins_as_an_alias_that_models_like(self):
        assert not any(word.startswith("T") for word in sql_words().keywords)

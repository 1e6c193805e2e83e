"""Names that are words cut short are found by the words, for all readers alike."""

from datetime import date

import duckdb
import pytest

from modelwright.engines.facts import column_facts
from modelwright.engines.language.catalog.inference import infer_catalog
from modelwright.engines.language.grammar.reader import GrammarReader
from modelwright.engines.language.linking.linking import Linker
from modelwright.engines.language.linking.phrases import is_cut_of
from modelwright.engines.language.readers import Candidate, ReadRequest
from modelwright.engines.language.rule_reader import RuleReader
from modelwright.engines.language.rules.columns.schema import TableFacts

TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("bpress", "blood pressure"),
        ("wsize", "wound size"),
        ("wsize", "size"),
        ("smokstat", "smoking status"),
        ("insur", "insurance"),
        ("medins", "medical insurance"),
    ],
)
def test_a_name_is_words_cut_short(name: str, said: str) -> None:
    assert is_cut_of(name, said.split())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("month", "monthly"),  # a unit of time, which a column of months need not be
        ("bpress", "blood"),  # a word is left out
        ("wsize", "wound and size"),
        ("age", "agency"),  # too short
        ("bp", "blood pressure"),
        ("price", "prices list"),
        ("x1y2", "x one"),
    ],
)
def test_other_names_are_not(name: str, said: str) -> None:
    assert not is_cut_of(name, said.split())


@pytest.fixture(scope="module")
def ward(tmp_path_factory: pytest.TempPathFactory) -> list[TableFacts]:
    path = tmp_path_factory.mktemp("ward") / "ward.parquet"
    duckdb.execute(
        f"""copy (select i as age, 80 + i % 50 as bpress, ['a', 'b', 'c'][1 + i % 3] as smokstat,
        case when i % 3 = 0 then 'yes' else 'no' end as medins, 2 + i % 7 as wsize
        from range(20, 90) t(i)) to '{path}' (format parquet)"""
    )
    return [TableFacts("ward", tuple(column_facts([path])))]


@pytest.mark.parametrize(
    ("question", "columns"),
    [
        ("average blood pressure by smoking status", {"bpress", "smokstat"}),
        ("how many have medical insurance", {"medins"}),
        ("average age by wound size", {"age", "wsize"}),
    ],
)
def test_both_readers_read_them(ward: list[TableFacts], question: str, columns: set[str]) -> None:
    catalog = infer_catalog(ward)
    linker = Linker(ward, catalog)
    links = linker.link(question, TODAY)
    assert columns <= {one.column for one in links.names}
    request = ReadRequest(question, ward, catalog, TODAY, links)
    for reader in (RuleReader(ward), GrammarReader(ward, catalog, None, linker)):
        (first, *_) = reader.read(request)
        assert isinstance(first, Candidate), (reader.name, first)
        assert all(f'"{one}"' in first.sql for one in columns), first.sql

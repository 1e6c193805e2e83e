"""Names that are words cut short are found by the words, for all readers alike."""

from datetime import date

import duckdb
import pytest

from modelwright.engines.facts import column_facts
from modelwright.engines.language.catalog.inference import infer_catalog
from modelwright.engines.language.grammar.reader import GrammarReader
from modelwright.engines.language.linking.linking import Linker
from modelwright.engines.language.linking.phrases import is_code_of, is_cut_of
from modelwright.engines.language.readers import Candidate, ReadRequest
from modelwright.engines.language.rule_reader import RuleReader
from modelwright.engines.language.rules.columns.schema import TableFacts

from .conftest import Data, Make
from .test_ends_of_times import answered, values

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


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("rte", "route"),
        ("trk", "trucks"),
        ("occ_pct", "occupancy"),
        ("crn", "crane"),
        ("BRT", "berths"),
        ("wrd", "ward"),
        ("mch", "machines"),
    ],
)
def test_a_name_is_a_code_of_a_word(name: str, word: str) -> None:
    assert is_code_of(name, word)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("reg", "regular"),  # no noun
        ("age", "agency"),  # a word itself
        ("tmp_no", "temperature"),  # two words
        ("rte", "rotation"),
        ("vs", "vessel"),
        ("x1y", "xylophone"),
    ],
)
def test_other_names_are_no_codes(name: str, word: str) -> None:
    assert not is_code_of(name, word)


@pytest.fixture(scope="module")
def yard(make: Make) -> Data:
    return make(
        {
            "yard_log": """
        select i as no, ['Ada', 'Cleo', 'Dora'][1 + i % 3] as crn, ['A', 'B'][1 + i % 2] as brt,
        (3 + i * i % 20 + 4 * (i % 3 = 2)::int)::int as pal, (40 + i * 7 % 51)::double as utl_pct,
        ['regular', 'spare'][1 + i // 2 % 2] as shift from range(1, 121) t(i)"""
        }
    )


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("total pallets by crane", "crn, sum(pal) from yard_log group by 1"),
        ("average utilisation on each berth", "brt, avg(utl_pct) from yard_log group by 1"),
        ("which crane had the most pallets",
         "crn, sum(pal) from yard_log group by 1 order by 2 desc limit 1"),
        ("total pallets in regular shifts", "sum(pal) from yard_log where shift = 'regular'"),
    ],
)  # fmt: skip
def test_codes_are_read(yard: Data, question: str, sql: str) -> None:
    assert answered(yard, question) == values(yard, f"select {sql}")


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

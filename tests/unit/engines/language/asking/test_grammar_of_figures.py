"""Ratios, shares of amounts, the first of each group, and names without their units."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Arbiter, Choices
from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.readers import Candidate, Cannot

from .conftest import Data, Make
from .test_arbiter import decide

KILNS = """
    select 'K-' || (200 + i) as "Firing No", ['Anagama', 'Raku', 'Salt', 'Wood'][1 + i * 3 % 4]
    as "Kiln", case i % 5 when 4 then null else ['Ines', 'Jo', 'Kim', 'Lea'][1 + i % 5] end
    as "Potter Name", ['bowl', 'vase'][1 + i // 2 % 2] as "Ware",
    date '2025-01-06' + (i * 3)::int as "Fired On", (5 + i * 37 % 43)::double as "Load kg",
    (2 + i * 11 % 19)::double as "Gas Cost EUR", (60 + i * 29 % 211)::int as "Duration Min",
    'C' || (i * i % 23) as "Client ID", (i * 7 % 13)::int as "Pieces Cracked",
    ['Y', 'N'][1 + i % 3 // 2] as "Glazed"
    from range(0, 120) t(i)"""


@pytest.fixture(scope="module")
def kilns(make: Make) -> Data:
    return make({"firings": KILNS})


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("average load by kiln", """"Kiln", avg("Load kg") from firings group by 1"""),
        ("how many different potters", """count(distinct "Potter Name") from firings"""),
        ("how many different clients", """count(distinct "Client ID") from firings"""),
        ("clients with at least 9 firings",
         """"Client ID" from firings group by 1 having count(*) >= 9"""),
        ("number of firings per potter", """"Potter Name", count(*) from firings group by 1"""),
        ("gas cost per piece cracked by kiln",
         """"Kiln", sum("Gas Cost EUR") / sum("Pieces Cracked") from firings group by 1"""),
        ("what share of the total gas cost goes to raku",
         """100 * sum("Gas Cost EUR") filter ("Kiln" = 'Raku') / sum("Gas Cost EUR")
         from firings"""),
        ("% of firings that were glazed",
         """100.0 * count(*) filter ("Glazed" = 'Y') / count(*) from firings"""),
        ("what percentage of salt firings were glazed",
         """100.0 * count(*) filter ("Glazed" = 'Y') / count(*) from firings
         where "Kiln" = 'Salt'"""),
        ("highest load per kiln", """"Kiln", max("Load kg") from firings group by 1"""),
        ("longest firing in each kiln",
         """"Kiln", "Firing No", "Duration Min" from firings qualify row_number() over
         (partition by "Kiln" order by "Duration Min" desc, "Firing No") = 1"""),
        ("for each kiln which ware was the most common",
         """"Kiln", "Ware", count(*) from firings group by 1, 2 qualify row_number() over
         (partition by "Kiln" order by count(*) desc, "Ware") = 1"""),
        ("number of firings in February and March 2025",
         """count(*) from firings
         where "Fired On" >= '2025-02-01' and "Fired On" < '2025-04-01'"""),
        ("median load of anagama compared to wood",
         """"Kiln", median("Load kg") from firings
         where "Kiln" in ('Anagama', 'Wood') group by 1"""),
        ("kilns with a median duration of more than 150 minutes",
         """"Kiln", median("Duration Min") from firings group by 1
         having median("Duration Min") > 150"""),
        ("most expensive firing",
         """"Firing No", "Gas Cost EUR" from firings order by 2 desc, 1 limit 1"""),
        ("average load per kiln, best first", """"Kiln", avg("Load kg") from firings group by 1"""),
        ("the three potters with the most firings",
         """"Potter Name", count(*) from firings where "Potter Name" is not null group by 1
         order by 2 desc, 1 limit 3"""),
        ("firings with raku or salt kiln", """* from firings where "Kiln" in ('Raku', 'Salt')"""),
    ],
)  # fmt: skip
def test_is_read(kilns: Data, question: str, sql: str) -> None:
    (read, *_) = kilns.grammar().read(kilns.request(question))
    assert isinstance(read, Candidate), read
    assert same_result(kilns.run(read.sql), kilns.run(f"select {sql}")), read.sql


@pytest.mark.parametrize(
    "question",
    [
        "gas cost per hour",
        "average gas cost per kg of load by duration",
        "which town of Raku has the highest load",
        "latest load per kiln",
        "heaviest firing and which potter made it",
        "heaviest firing and when it was",
        "average load per duration",
        "who had the most firings",
        "what is the author of the longest firing",
        "kilns with at least 15 loaded firings",
        "percentage of raku firings that were glazed and made by Ines",
    ],
)
def test_is_left_alone(kilns: Data, question: str) -> None:
    found = kilns.grammar().read(kilns.request(question))
    assert all(isinstance(one, Cannot) for one in found), found


def test_what_one_reader_alone_reads_of_many_clauses_is_asked_back(kilns: Data) -> None:
    whole = decide(kilns, "correlation between load and gas cost")
    assert isinstance(whole, Answer)
    parted = decide(kilns, "correlation between load and gas cost, glazed ones only")
    assert isinstance(parted, Choices)


def test_a_number_that_is_left_out_is_never_answered(kilns: Data) -> None:
    request = kilns.request("potters with 20 glazed firings and an average load below 30")
    left_out = """select "Potter Name", avg("Load kg") from firings where "Glazed" = 'Y' group by 1
        having avg("Load kg") < 30"""
    decision = Arbiter().decide(request, [Candidate(left_out, "rules", confidence=0.95)], kilns.run)
    assert not isinstance(decision, Answer), decision

"""Questions of trials, what they took in, and what a word says beside another column's name."""

import random
from datetime import date, timedelta
from typing import Any

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import NotUnderstood, Reader

TODAY = date(2026, 11, 26)
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


def made(name: str, columns: dict[str, str], rows: list[tuple[Any, ...]]) -> Asked:
    return store_of(name, columns, rows), reader_of(name, columns, rows)


@pytest.fixture(scope="module")
def trials() -> Asked:
    chance = random.Random(8)
    columns = {
        "trial": "string", "trial_start": "date", "trial_end": "date", "trial_days": "integer",
        "accused": "string", "appeal_days": "integer", "step": "string", "court": "string",
        "settled": "boolean",
    }  # fmt: skip
    begun = {f"Trial {at + 100}": (date(2015, 1, 1) + timedelta(90 * at), 40 + 37 * at % 300)
             for at in range(20)}  # fmt: skip
    rows: list[tuple[Any, ...]] = []
    for at in range(160):
        trial = chance.choice([*begun])
        start, days = begun[trial]
        rows.append(
            (trial, start, start + timedelta(days), days, f"Person {at}",
             chance.randint(1, 900), chance.choices(["appeal", "plea", "fine"], [1, 4, 4])[0],
             chance.choice(["North", "South", "West"]), chance.random() < 0.3)
        )  # fmt: skip
    return made("hearings", columns, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("longest trial", "select trial from hearings order by trial_days desc limit 1"),
        ("top 3 longest trials",
         "select trial, trial_days from hearings order by trial_days desc, 1 limit 3"),
        ("which trial was the longest",
         "select trial from hearings group by 1 order by avg(trial_days) desc limit 1"),
        ("which court had the most appeals",
         ("select court from hearings where step = 'appeal' group by 1"
          " order by count(*) desc, 1 limit 1")),
        ("share of settled cases under North",
         "select 100 * avg(settled::int) from hearings where court = 'North'"),
        ("percentage of pleas with North",
         "select 100 * avg((court = 'North')::int) from hearings where step = 'plea'"),
    ],
)  # fmt: skip
def test_trials(trials: Asked, question: str, right: str) -> None:
    answers_as(trials, question, right, TODAY)


@pytest.fixture(scope="module")
def films() -> Asked:
    chance = random.Random(3)
    columns = {"film_title": "string", "released": "date", "genre": "string",
               "total_gross": "float", "storenum": "integer"}  # fmt: skip
    kinds = {"War": (20, 9), "Comedy": (90, 1), "Drama": (60, 4)}
    rows = [
        (f"Film {kind} {at}", date(2020, 1, 1) + timedelta(chance.randrange(1500)), kind,
         worth * chance.uniform(1, 2), chance.randint(1, 7))
        for kind, (times, worth) in kinds.items() for at in range(times)
    ]  # fmt: skip
    return made("showings", columns, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("which genre earned the most",
         "select genre from showings group by 1 order by sum(total_gross) desc limit 1"),
        ("which genre makes the least money",
         "select genre from showings group by 1 order by sum(total_gross) limit 1"),
        ("what year had the most films",
         ("select year(released), count(*) from showings group by 1"
          " order by 2 desc, 1 limit 1")),
        ("total gross by store number",
         "select storenum, sum(total_gross) from showings group by 1"),
        ("average total gross per store",
         "select storenum, avg(total_gross) from showings group by 1"),
    ],
)  # fmt: skip
def test_films(films: Asked, question: str, right: str) -> None:
    answers_as(films, question, right, TODAY)


def test_what_earns_is_not_counted_where_no_column_tells_money() -> None:
    columns = {"driver": "string", "team": "string", "laps": "integer"}
    rows = [(f"D{at % 30}", "red" if at % 3 else "blue", at % 9) for at in range(90)]
    found = reader_of("races", columns, rows).read("which team earned the most", TODAY)
    assert isinstance(found, NotUnderstood)
    assert '"earned"' in found.sentence


@pytest.fixture(scope="module")
def climbers() -> Asked:
    chance = random.Random(5)
    columns = {"link": "string", "name": "string", "Guest Climbers Intro": "string",
               "ascents": "integer", "result": "string"}  # fmt: skip
    rows = [
        (f"https://example.org/{at}", f"Climber {at}", chance.choice(["Sep-63", "Feb-78", None]),
         at * 37 % 1000, chance.choice(["summit", "return"]))
        for at in range(120)
    ]  # fmt: skip
    return made("climbers", columns, rows)


def test_climbers(climbers: Asked) -> None:
    right = "select name from climbers order by ascents desc limit 1"
    answers_as(climbers, "which climber has the most ascents", right, TODAY)


def test_a_draw_is_no_drawing(climbers: Asked) -> None:
    found = climbers[1].read("how many climbs ended in a draw", TODAY)
    assert isinstance(found, NotUnderstood)
    assert '"draw"' in found.sentence


@pytest.fixture(scope="module")
def songs() -> Asked:
    chance = random.Random(9)
    columns = {"song": "string", "artist": "string", "play_count": "integer",
               "deaths": "integer", "duration": "integer", "recorded": "date", "class": "string",
               "guest": "string"}  # fmt: skip
    rows = [
        (f"Song {at}", f"Artist {at % 9}", at * 37 % 1009 + 400 * (at % 9 == 4), at * 31 % 977,
         at * 7 % 500, date(1880, 1, 1) + timedelta(400 * at), chance.choice(["A", "B"]),
         chance.choice(["guest", "own"]))
        for at in range(100)
    ]  # fmt: skip
    return made("songs", columns, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("most played song", "select * from songs order by play_count desc limit 1"),
        ("most played artist",
         ("select artist, sum(play_count) from songs group by 1"
          " order by 2 desc limit 1")),
        ("the deadliest song", "select song from songs order by deaths desc limit 1"),
        ("how many songs were recorded in the 19th century",
         "select count(*) from songs where recorded < '1901-01-01'"),
        ("average play count of guest songs",
         "select avg(play_count) from songs where guest = 'guest'"),
    ],
)  # fmt: skip
def test_songs(songs: Asked, question: str, right: str) -> None:
    answers_as(songs, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "left_out"),
    [("songs longer than 10 minutes", ("minutes",)), ("the longest polka", ("polka",))],
)
def test_what_is_not_known_is_told(songs: Asked, question: str, left_out: tuple[str, ...]) -> None:
    found = songs[1].read(question, TODAY)
    assert getattr(found, "ignored", found) == left_out


def test_what_was_not_understood_is_told_as_it_was_said(songs: Asked, climbers: Asked) -> None:
    share = songs[1].read("percentage of odd songs", TODAY)
    century = climbers[1].read("how many climbers in the 20th century", TODAY)
    assert '"percentage"' in getattr(share, "sentence", ""), share
    assert '"20th century"' in getattr(century, "sentence", ""), century


@pytest.fixture(scope="module")
def losses() -> Asked:
    chance = random.Random(4)
    columns = {"boat": "string", "crew_name_kept": "string", "cause": "string", "port": "string"}
    kinds = ["Loss in port", "Fire", "Storm"]
    rows = [
        (f"Boat {at}", f"Crew {at % 30}", chance.choice(kinds), chance.choice(["Brest", "Faro"]))
        for at in range(150)
    ]
    return made("wrecks", columns, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("losses by cause without fire",
         "select cause, count(*) from wrecks where cause <> 'Fire' group by 1"),
        ("how many losses in port", "select count(*) from wrecks where cause = 'Loss in port'"),
        ("how many crews are there", "select count(distinct crew_name_kept) from wrecks"),
    ],
)  # fmt: skip
def test_losses(losses: Asked, question: str, right: str) -> None:
    answers_as(losses, question, right, TODAY)

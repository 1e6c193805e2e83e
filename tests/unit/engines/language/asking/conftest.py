"""A small shop: orders with two addresses each, their items, and staff with managers.

Beside it trips between stations, and readings of temperatures.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date

import duckdb
import pytest

from modelwright.engines.facts import column_facts
from modelwright.engines.language.arbiter.results import Result
from modelwright.engines.language.catalog.inference import infer_catalog
from modelwright.engines.language.catalog.meaning import Catalog
from modelwright.engines.language.catalog.readings import CatalogReadings, as_readers_see
from modelwright.engines.language.grammar.reader import GrammarReader
from modelwright.engines.language.linking.linking import Linker
from modelwright.engines.language.readers import ReadRequest
from modelwright.engines.language.rule_reader import RuleReader
from modelwright.engines.language.rules.columns.schema import TableFacts

TODAY = date(2026, 11, 20)
TABLES = {
    "orders": """
        select i as order_id, 1 + i % 40 as customer_id, 1 + i % 3 as billing_address_id,
        1 + (i // 3) % 3 as shipping_address_id, date '2024-01-01' + (i * 3)::int as order_date,
        date '2024-01-15' + (i * 3)::int as due_date,
        (10 + (i * 7) % 190)::double as amount, (i % 9)::int as discount_pct,
        ['open', 'paid', 'cancelled'][1 + i % 3] as status,
        case when i % 5 = 0 then 'yes' else 'no' end as gift,
        case when i % 11 = 0 then null else ['Ann', 'Bob', 'Cy'][1 + i % 3] end as agent
        from range(1, 241) t(i)""",
    "catches": """
        select i as catch_id, ['Dee', 'Tay'][1 + i % 2] as river, ['Ann', 'Bob'][1 + i // 2 % 2] as
        angler, ['perch', 'pike', 'trout'][1 + i % 3] as species from range(1, 91) t(i)""",
    "items": """
        select i as item_id, 1 + i % 240 as order_id, ['pen', 'ink', 'pad'][1 + i % 3] as product,
        (1 + i % 4)::int as quantity, (2 + i % 6)::double as unit_price from range(1, 601) t(i)""",
    "customers": """
        select i as customer_id, 'Customer ' || i as name,
        ['Oslo', 'Rome', 'Bern', 'Lyon'][1 + i % 4] as city, (20 + i % 50)::int as age
        from range(1, 51) t(i)""",
    "refunds": """
        select i as refund_id, case when i = 7 then null else 1 + i % 52 end as customer_id,
        (5 + i % 20)::double as refund from range(1, 121) t(i)""",
    "lots": """
        select i as lot_id, (30 + i)::int as area,
        case when i % 3 = 0 then 1000.0 * i end as hammer_price from range(1, 61) t(i)""",
    "addresses": """
        select i as address_id, ['Paris', 'Lyon', 'Nice'][i] as town from range(1, 4) t(i)""",
    "trips": """
        select i as trip_id, 1 + i % 4 as origin_id, 1 + (i * 7 // 3) % 3 as destination_id,
        (20 + i % 30)::int as passengers from range(1, 121) t(i)""",
    "stations": """
        select i as station_id, ['Bergen', 'Oslo', 'Molde', 'Hamar', 'Bodo'][i] as place
        from range(1, 6) t(i)""",
    "members": """
        select i as member_id, ['No', 'small', 'large'][1 + i % 3] as locker,
        ['none', 'yard', 'hall', 'street'][1 + i % 4] as parking,
        ['<=50', '>50'][1 + i // 4 % 2] as fee_band from range(1, 91) t(i)""",
    "pupils": """
        select 'Pupil ' || i as name, date '2008-02-01' + (i * 13)::int as birth_date,
        (1 + i % 5)::int as grade from range(1, 61) t(i)""",
    "renters": """
        select i as renter_id, 'Renter ' || i as name from range(1, 21) t(i)""",
    "rentals": """
        select i as rental_id, 1 + i % 15 as renter_id, (30 + i % 40)::double as paid
        from range(1, 61) t(i)""",
    "runners": """
        select i as runner_id, ['F', 'M', 'M'][1 + i % 3] as sex, (20 + i % 30)::int as age,
        ['club', 'open', 'youth'][1 + i % 3] as entry,
        date '2024-01-01' + i::int as opened from range(1, 61) t(i)""",
    "nurses": """
        select i as nurse_id, ['Ada', 'Bo', 'Cas', 'Dee'][i] as nurse from range(1, 5) t(i)""",
    "stays": """
        select i as stay_id, 1 + i % 4 as admitting_nurse_id, 1 + i % 3 as discharging_nurse_id,
        date '2024-01-01' + (i * 2)::int as admitted_on from range(1, 91) t(i)""",
    "writers": """
        select i as writer_id, ['Ann', 'Bea', 'Cid'][i] as writer from range(1, 4) t(i)""",
    "novels": """
        select i as novel_id, 'Novel ' || i as title from range(1, 21) t(i)""",
    "writings": """
        select 1 + i % 3 as writer_id, 1 + i % 20 as novel_id from range(1, 41) t(i)""",
    "courses": """
        select i as course_id, ['Rowing', 'Chess', 'Sailing'][1 + i % 3] as sport,
        (10 + i % 25)::int as fee from range(1, 61) t(i)""",
    "weddings": """
        select 1950 + i as year, (400 + i * 3)::int as weddings from range(1, 61) t(i)""",
    "clerks": """
        select i as person_id, date '2018-01-01' + (i * 11)::int as hire_date,
        date '2019-06-01' + (i * 11)::int as leave_date, (30 + i % 7)::int as pay
        from range(1, 121) t(i)""",
    "readings": """
        select date '2025-01-01' + (i // 3)::int as day, ['S1', 'S2', 'S3'][1 + i % 3] as station,
        (i % 20 - 5)::int as min_temp, (i % 20)::int as mean_temp,
        (i % 20 + 7 + i % 2)::int as max_temp from range(300) t(i)""",
    "guests": """
        select i as guest_id, 'Guest ' || i as name, date '1980-01-01' + (i * 40)::int as born_on
        from range(1, 31) t(i)""",
    "visits": """
        select i as visit_id, 1 + i % 30 as guest_id, date '2024-01-01' + (i // 2)::int as day,
        ['north', 'south', 'day'][1 + i % 3] as place, (1 + i % 5)::int as bags,
        (3 + (i * 5) % 40)::double as fee, (10 + (i * 3) % 50)::double as minutes
        from range(1, 301) t(i)""",
    "bouts": """
        select i as bout_id, ['north', 'south'][1 + i % 2] as hall, (1 + i % 11)::int as rounds,
        ['win', 'loss', 'draw'][1 + i % 3] as result, date '2024-01-01' + i::int as fought_on
        from range(1, 91) t(i)""",
    "rides": """
        select i as ride_id, ['Ann', 'Bob', 'Cy'][1 + i % 3] as rider, (2 + i % 17)::int as length,
        date '2024-01-01' + i::int as day from range(1, 91) t(i)""",
    "makers": """
        select i as maker_id, 'Maker ' || i as maker, (1950 + i % 70)::int as founded_year,
        (1900 + i * 3)::int as machines, (i % 9)::double as total_output from range(1, 121) t(i)""",
    "athletes": """
        select i as athlete_id, ['Ann', 'Bob', 'Cy'][1 + i // 4 % 3] as coach,
        ['Oslo', 'Rome', 'Bern'][1 + i % 3] as home_city,
        ['Pool', 'Hall A', 'Hall B'][1 + i * 7 // 3 % 3] as training_hall,
        (20 + i % 61)::int as trained_minutes from range(1, 121) t(i)""",
    "houses": """
        select i as house_id, ['No garage', 'Attached', 'Detached'][1 + i % 3] as parking,
        ['Yes', 'No'][1 + i // 3 % 2] as heated_garage, ['no pool', 'indoor'][1 + i // 6 % 2] as
        leisure, (100 + i)::double as price, ['Yes', 'No'][1 + i // 2 % 2] as balcony,
        ['none', 'No balcony', 'small'][1 + i // 5 % 3] as outside from range(1, 121) t(i)""",
    "commuters": """
        select i as commuter_id, ['Car', 'No car', 'Bus'][1 + i % 3] as transport,
        ['Fiction', 'Non-fiction', 'Science', 'Travel'][1 + i // 3 % 4] as reading,
        ['Helmet', 'No helmet'][1 + i // 2 % 2] as head, (i % 5)::int as trips
        from range(1, 121) t(i)""",
    "parcels": """
        select i as parcel_id, 1 + i % 12 as truck_id,
        ['Sent', 'Returned', 'Lost'][1 + i % 3] as state,
        date '2025-01-01' + i::int as sent_on,
        case when i % 4 = 0 then date '2025-02-01' + i::int end as returned_on
        from range(100) t(i)""",
    "pumps": """
        select 'Pump ' || i as pump, ['Oslo', 'Bergen', 'Malmo'][1 + i % 3] as town,
        ['Norway', 'Sweden'][1 + i % 3 // 2] as country, (4 + i % 13)::int as litres
        from range(1, 61) t(i)""",
    "ledger": """
        select i as line_id, ['mill', 'yard', 'shop'][1 + i % 3] as branch, (5 + i % 40)::double as
        costs, (7 + i % 60)::double as revenue, (i % 10)::double as score,
        date '2024-01-01' + i::int as booked_on from range(1, 181) t(i)""",
    "pools": """
        select i as pool_id, (1 + i * 7 % 9)::double as depth_2020,
        (1990 + i % 40)::int as last_filled, ['cancelled', 'filled', 'closed'][1 + i % 3] as state,
        date '2024-01-01' + i::int as left_on from range(1, 121) t(i)""",
    "packages": """
        select i as package_id, (100 + i % 900)::double as weight_g, (2 + i % 9)::double as fee_eur,
        (1 + i % 70)::int as way_km, ['red', 'blue'][1 + i % 2] as van from range(1, 121) t(i)""",
    "districts": """
        select i as line_id, ['North', 'South', 'East', 'West'][1 + i % 4] as district,
        date '2024-01-01' + i::int as day, (500 + i * 31 % 900)::double as sales,
        (case when i % 4 = 2 then -20 - i % 50 else i * 7 % 90 - 15 end)::double as profit
        from range(1, 241) t(i)""",
    "lodgings": """
        select i as booking_id, (60 + i % 200)::double as price_per_night,
        (1 + i % 7)::int as nights, ['Oslo', 'Rome'][1 + i % 2] as city from range(1, 121) t(i)""",
    "staff": """
        select i as emp_id, ['Ada', 'Ben', 'Cleo', 'Dov'][i] as name,
        [null, 1, 1, 2][i] as manager_id, 1000 * i as salary from range(1, 5) t(i)""",
}


@dataclass
class Data:
    """Some tables of the shop with what is known of them, and readers of questions to them."""

    store: duckdb.DuckDBPyConnection
    tables: list[TableFacts]
    catalog: Catalog
    linker: Linker
    readings: CatalogReadings

    def request(self, question: str) -> ReadRequest:
        links = self.linker.link(question, TODAY)
        return ReadRequest(question, self.tables, self.catalog, TODAY, links)

    def run(self, sql: str) -> Result:
        meant = self.readings.meant(sql)
        try:
            found = self.store.execute(meant.sql if meant else sql)
        except duckdb.Error as error:
            return Result(error=str(error))
        names = tuple(one[0] for one in found.description or ())
        return Result(names, [list(row) for row in found.fetchall()])

    def grammar(self) -> GrammarReader:
        return GrammarReader(self.tables, self.catalog, None, self.linker)

    def rules(self) -> RuleReader:
        return RuleReader(self.tables, None, self.catalog)


Open = Callable[..., Data]
Make = Callable[[dict[str, str]], Data]


@pytest.fixture(scope="session")
def shop(make: Make) -> Open:
    """Opens tables of the shop, each set of them once."""
    return lambda *names: make({one: TABLES[one] for one in names})


@pytest.fixture(scope="session")
def make(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Make]:
    """Opens tables by name and the SELECT that makes their rows, each set of them once."""
    known: dict[tuple[tuple[str, str], ...], Data] = {}

    def made(selects: dict[str, str]) -> Data:
        key = tuple(selects.items())
        if key not in known:
            # a store of its own: other sets have tables of the same name
            store, folder = duckdb.connect(config={"threads": 1}), tmp_path_factory.mktemp("tables")
            for name, select in selects.items():
                store.execute(f"copy ({select}) to '{folder / name}.parquet' (format parquet)")
                store.execute(f"create or replace view {name} as from '{folder / name}.parquet'")
            tables = [
                TableFacts(one, tuple(column_facts([folder / f"{one}.parquet"]))) for one in selects
            ]
            inferred = infer_catalog(tables)
            stored = replace(inferred, metrics=())
            seen, catalog, _ = as_readers_see(tables, stored, {})
            catalog = replace(catalog, metrics=inferred.metrics)
            readings = CatalogReadings(stored)
            known[key] = Data(store, list(seen), catalog, Linker(seen, catalog), readings)
        return known[key]

    yield made
    for data in known.values():
        data.store.close()

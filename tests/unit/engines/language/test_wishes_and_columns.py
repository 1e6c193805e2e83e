"""Wishes that cannot be met beside ones that sound like them, each with the table it is said of."""

import pytest
from tests.questions.intents import facts

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.intents.intents import Target, Unclear, find_target
from modelwright.engines.language.rules.intents.unsupported import unsupported_wish


def c(name: str, kind: str = "float", distinct: int = 500, *values: object) -> ColumnFacts:
    return facts({"name": name, "type": kind, "distinct": distinct, "values": values}, 1000)


def yn(name: str) -> ColumnFacts:
    return c(name, "string", 2, "no", "yes")


SHOP = [
    c("order_id", "integer", 1000),
    c("day", "date", 365),
    c("store", "string", 20),
    c("item", "string", 80),
    c("price"),
    c("quantity", "integer", 40),
    c("revenue"),
    c("returned", "string", 2, "no", "yes"),
]
CUST = [
    c("customer_id", "integer", 1000),
    c("age", "integer", 60),
    c("plan", "string", 3, "basic", "plus", "family"),
    c("tenure_months", "integer", 72),
    c("monthly_charges"),
    yn("churn"),
]
MACH = [
    c("machine_id", "integer", 60),
    c("temperature"),
    c("vibration"),
    c("pressure"),
    yn("failed"),
    c("hours_run"),
]
HOUSE = [
    c("sqft"),
    c("bedrooms", "integer", 7),
    c("city", "string", 40),
    c("year_built", "integer", 90),
    c("sale_price"),
]
MOV = [
    c("user_id", "integer", 900),
    c("movie_id", "integer", 500),
    c("title", "string", 500),
    c("rating", "integer", 5),
    c("genre", "string", 18, "Drama", "Comedy"),
]
CLAIM = [
    c("policy_no", "integer", 1000),
    c("claims", "integer", 6),
    c("exposure"),
    c("region", "string", 12),
    c("vehicle_age", "integer", 30),
    c("premium"),
]
PAT = [
    c("patient", "integer", 800),
    c("age", "integer", 70),
    c("treatment", "string", 2, "drug", "placebo"),
    c("days_observed", "integer", 600),
    yn("died"),
    c("bmi"),
]
REV = [
    c("review", "string", 990),
    c("stars", "integer", 5),
    c("product", "string", 60),
    yn("helpful"),
]
UNSUPPORTED: list[tuple[str, list[ColumnFacts], str]] = [
    ("predict total revenue per store", SHOP, "derived"),
    ("predict the average price for each item", SHOP, "derived"),
    ("predict sale price only for Paris", HOUSE, "rows"),
    ("What will our turnover be in each of the coming six weeks?", SHOP, "forecast"),
    ("project daily revenue through to the end of March", SHOP, "forecast"),
    ("I'd like to know how sales develop until Christmas", SHOP, "forecast"),
    ("give me a 12 month outlook for revenue", SHOP, "forecast"),
    ("extrapolate the revenue curve", SHOP, "forecast"),
    ("demand per item and store for the next fortnight", SHOP, "forecast"),
    ("flag any orders that do not look normal", SHOP, "anomaly"),
    ("which readings deviate from the rest", MACH, "anomaly"),
    ("are there machines behaving out of the ordinary", MACH, "anomaly"),
    ("novelty detection on the vibration signal", MACH, "anomaly"),
    ("isolation forest on pressure and temperature", MACH, "anomaly"),
    ("split our customer base into natural groups", CUST, "clustering"),
    ("k-means with five clusters", CUST, "clustering"),
    ("which customers resemble each other", CUST, "clustering"),
    ("build personas from this data", CUST, "clustering"),
    ("the 95th percentile of the sale price", HOUSE, "quantile"),
    ("a worst case estimate for sale_price that holds in 19 of 20 cases", HOUSE, "quantile"),
    ("lower and upper limits for the price of a house", HOUSE, "quantile"),
    ("put the movies into the order a user would like them", MOV, "ranking"),
    ("sort the search hits so the most relevant come first", REV, "ranking"),
    ("suggest films to each viewer", MOV, "recommendation"),
    ("people who watched this also watched", MOV, "recommendation"),
    ("what should I show to user 17 next", MOV, "recommendation"),
    ("which items end up in the same cart", SHOP, "basket"),
    ("frequently bought together", SHOP, "basket"),
    ("time until death, some patients are still alive", PAT, "survival"),
    ("hazard of failure over running hours", MACH, "survival"),
    ("which customers stay only because we gave them a discount", CUST, "uplift"),
    ("does the drug make patients live longer", PAT, "uplift"),
    ("who reacts to the drug but not to placebo", PAT, "uplift"),
    ("assign every movie all genres it belongs to", MOV, "multi_label"),
    ("newer orders should matter more than old ones when predicting returned", SHOP, "weights"),
    ("claims divided by exposure", CLAIM, "exposure"),
    ("claim counts per insured year", CLAIM, "exposure"),
    ("tell cats from dogs in the pictures", REV, "images"),
    ("which temperature and pressure give the fewest failures", MACH, "optimisation"),
    ("at what price do we earn the most", SHOP, "optimisation"),
    ("which price should we set to sell as many as possible", SHOP, "optimisation"),
]
SUPPORTED: list[tuple[str, list[ColumnFacts], str]] = [
    (
        "predict the forecast_error of each planner",
        [c("planner", "string", 20), c("horizon", "integer", 12), c("forecast_error")],
        "forecast_error",
    ),
    ("predict rank", [c("score"), c("country", "string", 40), c("rank", "integer", 1000)], "rank"),
    (
        "predict the university's rank from its scores",
        [c("teaching"), c("research"), c("rank", "integer", 1000)],
        "rank",
    ),
    (
        "predict next_week_sales",
        [c("store", "string", 20), c("sales"), c("next_week_sales")],
        "next_week_sales",
    ),
    (
        "how many units will sell next week",
        [c("store", "string", 20), c("units_this_week"), c("units_next_week")],
        "units_next_week",
    ),
    (
        "will the customer churn next month",
        [*CUST[:-1], yn("churned_next_month")],
        "churned_next_month",
    ),
    (
        "predict sales of the coming month",
        [c("shop", "string", 20), c("sales_last_month"), c("sales_coming_month")],
        "sales_coming_month",
    ),
    (
        "predict the cluster",
        [c("x"), c("y"), c("cluster", "string", 4, "A", "B", "C", "D")],
        "cluster",
    ),
    (
        "which segment does a customer belong to",
        [*CUST[:-1], c("segment", "string", 4, "gold", "silver", "bronze", "none")],
        "segment",
    ),
    ("is the reading an anomaly", [*MACH[:4], yn("anomaly")], "anomaly"),
    (
        "predict whether a transaction is an outlier",
        [c("amount"), c("hour", "integer", 24), yn("is_outlier")],
        "is_outlier",
    ),
    (
        "predict topic of the review",
        [c("review", "string", 990), c("topic", "string", 8, "price", "delivery")],
        "topic",
    ),
    (
        "predict the 90th percentile latency",
        [c("cpu"), c("requests"), c("latency_p90")],
        "latency_p90",
    ),
    (
        "predict p95_latency from load",
        [c("load"), c("nodes", "integer", 9), c("p95_latency")],
        "p95_latency",
    ),
    ("will the order be recommended", [c("price"), c("rating"), yn("recommended")], "recommended"),
    (
        "does the guest recommend the hotel",
        [c("stars", "integer", 5), c("price"), yn("recommends")],
        "recommends",
    ),
    (
        "predict the birth weight",
        [c("mother_age", "integer", 30), c("weeks", "integer", 20), c("birth_weight")],
        "birth_weight",
    ),
    ("predict weight", [c("height"), c("age", "integer", 60), c("weight")], "weight"),
    (
        "did the passenger survive",
        [
            c("pclass", "integer", 3),
            c("sex", "string", 2, "male", "female"),
            c("survived", "integer", 2, 0, 1),
        ],
        "survived",
    ),
    (
        "predict survival of the passengers",
        [c("pclass", "integer", 3), c("sex", "string", 2, "male", "female"), yn("Survived")],
        "Survived",
    ),
    (
        "predict time to delivery in days",
        [c("distance"), c("carrier", "string", 6), c("delivery_days", "integer", 30)],
        "delivery_days",
    ),
    (
        "predict basket_value",
        [c("age", "integer", 60), c("visits", "integer", 30), c("basket_value")],
        "basket_value",
    ),
    (
        "predict how much is in the shopping basket",
        [c("age", "integer", 60), c("visits", "integer", 30), c("basket_total")],
        "basket_total",
    ),
    (
        "predict the best selling category",
        [
            c("month", "integer", 12),
            c("region", "string", 9),
            c("category", "string", 5, "toys", "books"),
        ],
        "category",
    ),
    (
        "predict optimal_dose",
        [c("weight"), c("age", "integer", 60), c("optimal_dose")],
        "optimal_dose",
    ),
    (
        "predict number of photos in a listing",
        [c("rooms"), c("price"), c("n_photos", "integer", 30)],
        "n_photos",
    ),
    (
        "predict the duration until the ticket is closed",
        [c("priority", "string", 4), c("team", "string", 8), c("hours_to_close")],
        "hours_to_close",
    ),
    ("predict monthly_charges for each customer", CUST, "monthly_charges"),
    ("predict revenue per order", SHOP, "revenue"),
    ("predict total revenue per order", SHOP, "revenue"),
    (
        "predict the position in the sorted list",
        [c("points", "integer", 90), c("position", "integer", 20)],
        "position",
    ),
    ("predict p90 latency in 90% of regions", [c("hops"), c("p90_latency")], "p90_latency"),
    ("predict the average price for each order", SHOP, "price"),
    ("will an item be returned", SHOP, "returned"),
    (
        "predict whether two records are duplicates",
        [c("name_similarity"), c("address_similarity"), yn("is_duplicate")],
        "is_duplicate",
    ),
    (
        "predict uplift_pct measured in the past campaigns",
        [c("channel", "string", 4), c("budget"), c("uplift_pct")],
        "uplift_pct",
    ),
    (
        "Predict which customers do not use their loyalty card",
        [c("age", "integer", 60), c("spend"), yn("loyalty_card")],
        "loyalty_card",
    ),
    (
        "predict the precision of 3 d printers",
        [c("layer"), c("speed"), c("precision")],
        "precision",
    ),
    (
        "predict the speed limit restricted to 30",
        [c("lanes", "integer", 4), c("speed_limit", "integer", 9)],
        "speed_limit",
    ),
    ("predict the label", [c("x"), c("y"), c("label", "string", 3, "a", "b", "c")], "label"),
    (
        "predict the position in the league table",
        [c("goals", "integer", 90), c("points", "integer", 90), c("position", "integer", 20)],
        "position",
    ),
    (
        "predict tomorrow's temperature",
        [c("temp_today"), c("humidity"), c("temp_tomorrow")],
        "temp_tomorrow",
    ),
    (
        "predict claim_rate",
        [c("region", "string", 9), c("age", "integer", 50), c("claim_rate")],
        "claim_rate",
    ),
    (
        "predict lifetime_value",
        [c("age", "integer", 60), c("orders", "integer", 50), c("lifetime_value")],
        "lifetime_value",
    ),
    (
        "predict the translation cost",
        [c("pages", "integer", 90), c("language", "string", 9), c("translation_cost")],
        "translation_cost",
    ),
]


@pytest.mark.parametrize(("intent", "columns", "kind"), UNSUPPORTED)
def test_a_wish_that_cannot_be_met_is_refused_whatever_the_columns_are_called(
    intent: str, columns: list[ColumnFacts], kind: str
):
    found = unsupported_wish(intent, [one.name for one in columns])
    assert found is not None
    assert found.kind == kind
    assert isinstance(find_target(intent, columns), Unclear)


@pytest.mark.parametrize(("intent", "columns", "target"), SUPPORTED)
def test_a_column_that_is_called_like_a_wish_is_predicted(
    intent: str, columns: list[ColumnFacts], target: str
):
    answer = find_target(intent, columns)
    assert isinstance(answer, Target), answer
    assert answer.column == target


@pytest.mark.parametrize("intent", ["Predict KPIs_met >80%", "Forecast the share <5% (new)"])
def test_a_column_that_is_written_out_is_no_wish(intent: str) -> None:
    table = [*CUST, c("KPIs_met >80%", "integer", 2, 0, 1), c("share <5% (new)")]
    found = find_target(intent, table)
    assert isinstance(found, Target)
    assert found.column in intent

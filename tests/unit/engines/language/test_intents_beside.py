"""What an intent says beside its target: inputs, context, a second target, another language."""

import time

import pytest
from tests.questions.intents import facts

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.intents.beside_target import (
    BesideTarget,
    beside_target,
)
from modelwright.engines.language.rules.intents.intents import Target, Unclear, find_target


def column(name: str, kind: str = "float", distinct: int = 500, *values: object) -> ColumnFacts:
    return facts({"name": name, "type": kind, "distinct": distinct, "values": values}, 1000)


COLUMNS = [
    column("age", "integer", 60),
    column("plan", "string", 3, "basic", "plus", "family"),
    column("price"),
    column("wear and tear"),
    column("wear"),
    column("churn", "string", 2, "no", "yes"),
    column("town", "string", 40),
]


def found(intent: str) -> str | None:
    answer = find_target(intent, COLUMNS)
    return answer.column if isinstance(answer, Target) else None


class TestSeveral:
    @pytest.mark.parametrize(
        ("intent", "asked"),
        [
            ("predict price and churn", ("price", "churn")),
            ("predict price and churn of a customer in one go", ("price", "churn")),
            ("predict the age and the price for every town", ("age", "price")),
            ("Predict the churn, the age & the price", ("churn", "age", "price")),
            ("forecast `price` as well as `churn` for next year", ("price", "churn")),
            ("predict both the churn and the price", ("churn", "price")),
            ("predict the price or the churn", ("price", "churn")),
            ("Predict churn. Also predict price.", ("price", "churn")),
            ("Predict the prices and the churning of our customers", ("price", "churn")),
            ("predict whether a customer churns and what price they pay", ("price", "churn")),
        ],
    )
    def test_are_refused_by_their_names(self, intent: str, asked: tuple[str, ...]):
        answer = find_target(intent, COLUMNS)
        assert isinstance(answer, Unclear), answer
        assert answer.candidates == asked
        assert "A model predicts one column" in answer.sentence
        assert f'"Predict {asked[0]}"' in answer.sentence

    @pytest.mark.parametrize(
        "intent",
        ["Predict midterm and final scores", "predict the midterm and the final score of a pupil"],
    )
    def test_share_the_word_that_their_names_end_with(self, intent: str) -> None:
        columns = [column("midterm_score"), column("final_score"), column("age")]
        answer = find_target(intent, columns)
        assert isinstance(answer, Unclear)
        assert answer.candidates == ("midterm_score", "final_score")

    def test_share_it_where_names_are_short(self) -> None:
        columns = [column("dep_delay"), column("arr_delay"), column("distance")]
        answer = find_target("predict departure and arrival delay", columns)
        assert isinstance(answer, Unclear)
        assert answer.candidates == ("dep_delay", "arr_delay")

    def test_are_few_in_the_refusal_and_soon_found_among_many(self):
        columns = [column(f"part {number}") for number in range(1000)]
        begun = time.process_time()
        answer = find_target("Predict " + " and the ".join(f"part {n}" for n in range(99)), columns)
        assert isinstance(answer, Unclear)
        assert answer.candidates == tuple(f"part {number}" for number in range(5))
        assert "part 4 and others" in answer.sentence
        assert time.process_time() - begun < 5

    @pytest.mark.parametrize(
        ("intent", "target"),
        [
            ("Predict churn from age and price", "churn"),
            ("Using price and age, predict churn", "churn"),
            ("Predict churn and explain it by price", "churn"),
            ("predict wear and tear", "wear and tear"),
            ("predict who will churn and who will not", "churn"),
            ("find out who will churn, and how high", "churn"),
        ],
    )
    def test_are_not_what_is_only_said_beside_the_target(self, intent: str, target: str):
        assert found(intent) == target


class TestEitherOr:
    TABLE = (
        column("brand", "string", 2, "CH", "MM"),
        column("DiscCH"),
        column("special", "string", 2, "CH", "none"),
        column("pickup_borough", "string", 5),
        column("dropoff_borough", "string", 5),
        column("sleep_rem"),
        column("sleep_total"),
    )

    WINE = (
        column("price"),
        column("colour", "string", 2, "red", "white"),
        column("sex", "string", 2, "male", "female"),
        column("smoker", "string", 2, "no", "yes"),
        column("region", "string", 2, "east", "west"),
    )
    JUICE = (
        column("Purchase", "string", 2, "CH", "MM"),
        column("WeekofPurchase", "integer", 52),
        column("StoreID", "integer", 5),
        column("PriceCH"),
        column("PriceMM"),
        column("DiscCH"),
        column("LoyalCH"),
        column("Store7", "string", 2, "No", "Yes"),
    )

    @pytest.mark.parametrize(
        ("intent", "meant"),
        [
            ("Predict the price of red or white wine", "price"),
            ("How much does a red or white wine cost?", "price"),
            ("Predict cost of a bottle, red or white", "price"),
            ("Predict whether male or female buyers smoke", "smoker"),
            ("Predict sales value for east or west", "price"),
            ("is it red or white", "colour"),
            ("Tell whether the wine is red or white", "colour"),
            ("male or female?", "sex"),
            ("Predict if the smoker is male or female", "sex"),
        ],
    )
    def test_two_values_are_the_target_only_where_nothing_else_is_asked_for(
        self, intent: str, meant: str
    ):
        answer = find_target(intent, self.WINE)
        assert isinstance(answer, Target)
        assert answer.column == meant

    @pytest.mark.parametrize(
        "intent", ["CH or MM?", "Will the customer buy CH or MM", "Predict purchase of CH or MM"]
    )
    def test_two_values_are_the_target_though_other_names_hold_them(self, intent: str):
        answer = find_target(intent, self.JUICE)
        assert isinstance(answer, Target)
        assert answer.column == "Purchase"

    @pytest.mark.parametrize(
        ("intent", "meant"),
        [
            ("will it be CH or MM", "brand"),
            ("which borough does the ride end in", "dropoff_borough"),
            ("in which borough does the ride begin", "pickup_borough"),
        ],
    )
    def test_one_column_is_meant(self, intent: str, meant: str):
        answer = find_target(intent, self.TABLE)
        assert isinstance(answer, Target)
        assert answer.column == meant


class TestBeside:
    @pytest.mark.parametrize(
        "intent",
        [
            "We know age, predict churn",
            "We know the age and the plan; will the customer churn?",
            "For each age predict churn.",
            "Goal: churn",
            "- target: churn\n- features: age, plan, price",
            "predict churn but not price",
            "do not predict price, predict churn",
            "predict churn instead of price",
            "predict churn without the price and the wear",
            "predict churn without price",
            "predict churn with age",
            "predict churn with age, plan and price",
            "who will leave us, without knowing the price",
            "Predict churn and explain it by price",
            "Predict whether a customer will leave us. We have the price and the wear.",
            "Our table has price and wear. Who will leave us",
            "Hello, I sell plans.\nWe have the price and the wear\n\nwho will leave us\nThank you!",
            "who will leave us\n\nInputs: wear, price",
            "who will leave us (ignore the price)",
            "who will leave us, given the price and the age",
            "Estimate who will leave us, given the price\nand the age.",
            "will the customer leave us from price and wear",
        ],
    )
    def test_what_is_known_or_not_meant_is_not_the_target(self, intent: str):
        assert found(intent) == "churn"

    @pytest.mark.parametrize(
        "form",
        ["Hello, {}", "Could you please {}?", "Task: {}", "1. {}", '"{}"', "{} - for a report"],
    )
    @pytest.mark.parametrize(
        ("intent", "target"),
        [("how old is the customer", "age"), ("who will leave us", "churn"), ("wear", "wear")],
    )
    def test_what_leads_to_it_changes_nothing(self, form: str, intent: str, target: str):
        assert found(form.format(intent)) == target

    def test_what_is_excepted_is_refused(self):
        assert isinstance(find_target("anything except churn", COLUMNS), Unclear)


class TestNamesThatBeginLikeVerbs:
    @pytest.mark.parametrize("name", ["forecast_error", "predicted_load", "estimate_usd"])
    def test_are_names_and_what_follows_them_is_not_asked_for(self, name: str):
        columns = [column("planner", "string", 20), column("horizon", "integer", 12), column(name)]
        for intent in (f"predict the {name} of each planner", f"what is the {name} for a horizon"):
            answer = find_target(intent, columns)
            assert isinstance(answer, Target), answer
            assert answer.column == name


class TestLimits:
    @pytest.mark.parametrize(
        ("intent", "unread"),
        [
            ("predict if the price is above 100", "above 100"),
            ("who pays a price > $1,000?", "> $1,000"),
        ],
    )
    def test_that_no_value_of_a_number_tells_are_said_to_be_unread(self, intent: str, unread: str):
        answer = find_target(intent, COLUMNS)
        assert isinstance(answer, Target), answer
        assert answer.column == "price"
        assert f'"{unread}" is not read' in answer.reason

    def test_are_not_made_up(self):
        for intent in ("predict the price over the years", "predict churn over 3 months"):
            answer = find_target(intent, COLUMNS)
            assert isinstance(answer, Target), answer
            assert "not read" not in answer.reason


class TestForm:
    def test_when_is_answered_by_no_class_and_no_monthly_amount(self):
        columns = [*COLUMNS, column("monthly_charges")]
        assert isinstance(find_target("when will the customer sign up", columns), Unclear)

    def test_who_is_answered_by_no_column_of_very_many_classes(self):
        columns = [column("age"), column("species", "string", 140), column("felled", "boolean", 2)]
        assert isinstance(find_target("which trees are we going to paint", columns), Unclear)

    def test_where_is_answered_by_no_measure(self):
        columns = [column("roof_area_m2"), column("won", "boolean", 2)]
        assert isinstance(find_target("where did the customer hear of it", columns), Unclear)


class TestOtherLanguages:
    @pytest.mark.parametrize(
        "intent",
        [
            "Sage voraus, ob ein Kunde die Firma verlässt",
            "Wie hoch wird die Miete sein?",
            "prevedere se il cliente se ne va",
            "quanto pagherà il cliente?",
            "Predecir si el cliente se va a dar de baja",
            "¿cuánto va a pagar el cliente?",
            "combien le client va-t-il payer",
        ],
    )
    def test_are_refused_and_told_so(self, intent: str):
        answer = find_target(intent, COLUMNS)
        assert isinstance(answer, Unclear), answer
        assert "in English" in answer.sentence
        assert "`target`" in answer.sentence

    @pytest.mark.parametrize("intent", ["predecir churn de clientes", "Prognose für churn"])
    def test_are_read_where_a_column_is_called_by_its_name(self, intent: str):
        assert found(intent) == "churn"


class TestWhatIsSaidOfABuild:
    COLUMNS = (
        column("spend_eur"),
        column("postcode", "string", 300),
        column("power_draw"),
        column("churned", "string", 2, "No", "Yes"),
    )

    def beside(self, intent: str) -> BesideTarget:
        return beside_target(intent, self.COLUMNS)

    def test_a_unit_lacks_no_column(self):
        assert self.beside("Predict the spend in euros without the postcode").without == (
            "postcode",
        )

    @pytest.mark.parametrize(
        "intent", ["churned; all but postcode", "churned with postcode kept out"]
    )
    def test_what_is_kept_out_is_left_out(self, intent: str):
        assert self.beside(intent).without == ("postcode",)

    def test_to_save_something_leaves_nothing_out(self):
        assert self.beside("which customers churned to save power").without == ()

    @pytest.mark.parametrize("end", [", roc auc please", "; ROC AUC", ": auc."])
    def test_a_metric_may_stand_alone_at_the_end(self, end: str):
        assert self.beside(f"predict churned{end}").metric == "roc_auc"

    def test_a_figure_of_a_time_to_come_is_no_question_of_rows(self):
        columns = [column("occupied", "string", 2, "No", "Yes"), column("fee")]
        assert found_in("which rooms are occupied tomorrow", columns) == "occupied"
        assert found_in("occupancy tomorrow at noon", columns) is None


def found_in(intent: str, columns: list[ColumnFacts]) -> str | None:
    answer = find_target(intent, columns)
    return answer.column if isinstance(answer, Target) else None

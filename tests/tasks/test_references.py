"""Scores of letters beside their floors: exact, in the metric's own unit, and luck is called luck."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.items import Answer, ChoiceItem, Item, LabelItem, Triple
from readproof.tasks import TASKS, load
from readproof.tasks.base import Score
from readproof.tasks.references import References, published, references
from readproof.tasks.scoring import score
from tests.shared_data import SHARED, needs_shared
from tests.tasks.helpers import gold_answer, scored

DEV = SHARED / "data/gcrc_advrobust/dev_a.json"
GOLDEN = SHARED / "golden/gcrc_advrobust"


def question(name: str, answer: int, options: int = 4, passage: str = "") -> ChoiceItem:
    texts = tuple("甲乙丙丁戊"[:options])
    return ChoiceItem(id=name, passage=passage or name, question="?", options=texts, answer=answer)


def triple(number: int, *answers: int, options: int = 4) -> Triple:
    first, second, third = (
        question(f"t{number}#{form}", answer, options, passage=f"p{number}")
        for form, answer in zip(("original", "positive", "negative"), answers, strict=True)
    )
    return Triple(id=f"t{number}", original=first, positive=second, negative=third)


def beside(
    name: str, items: Sequence[Item], answers: Sequence[Answer], folder: Path, metric: str = "official"
) -> References:
    found = references(TASKS.get(name), scored(name, items, answers, folder, metric), items)
    assert found is not None
    return found


def all_questions(items: Sequence[Item]) -> list[ChoiceItem]:
    return [one for item in items for one in (item.questions if isinstance(item, Triple) else (item,))]  # type: ignore[misc]


def test_guessing_triples_of_four_options(tmp_path: Path) -> None:
    items = [triple(number, number % 4, 1, 2) for number in range(8)]
    found = beside("gcrc", items, list(map(gold_answer, all_questions(items))), tmp_path)
    uniform, letter = found.floors
    assert uniform.scores == pytest.approx({"Acc0": 1 / 4, "Acc1": 7 / 64, "Acc2": 1 / 64, "Score": 0.090625})
    # B is right for the original and the positive question of two triples, C for the original and the negative one
    assert letter.name == "always B"
    assert letter.scores == pytest.approx({"Acc0": 0.25, "Acc1": 0.25, "Acc2": 0.0, "Score": 0.125})
    assert (found.headline, found.unit, found.notes) == ("Score", "share", ())


@given(shapes=st.lists(st.tuples(st.integers(2, 5), *[st.integers(0, 1)] * 3), min_size=1, max_size=5))
def test_the_uniform_floor_is_the_mean_of_all_ways_to_answer(
    shapes: list[tuple[int, int, int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A triple is worth 0.2 for the original, 0.3 more with one form, 0.5 more with both: counted over all letters."""
    items = [triple(number, *answers, options=options) for number, (options, *answers) in enumerate(shapes)]
    found = beside("gcrc", items, [], tmp_path_factory.mktemp("p"))
    total = 0.0
    for options, *golds in shapes:
        ways = [(a, b, c) for a in range(options) for b in range(options) for c in range(options)]
        right = [[letter == gold for letter, gold in zip(way, golds, strict=True)] for way in ways]
        total += sum(o * (0.2 + 0.3 * (p or n) + 0.5 * (p and n)) for o, p, n in right) / len(ways)
    assert found.floors[0].scores["Score"] == pytest.approx(total / len(shapes))


def test_choices_of_any_number_of_options_in_percent(tmp_path: Path) -> None:
    items = [question("a", 0, 2), question("b", 1, 4), question("c", 3, 4), question("d", 1, 2)]
    found = beside("c3", items, list(map(gold_answer, items)), tmp_path)
    assert found.floors[0].scores == {"accuracy": pytest.approx(100 * (1 / 2 + 1 / 4 + 1 / 4 + 1 / 2) / 4)}
    assert (found.floors[1].name, found.floors[1].scores) == ("always B", {"accuracy": 50.0})
    assert (found.headline, found.unit, found.published) == ("accuracy", "percent", ())


def test_the_strict_metric_lets_an_equal_text_count(tmp_path: Path) -> None:
    twice = ChoiceItem(id="a", passage="p", question="?", options=("甲", "甲", "乙", "丙"), answer=0)
    items = [twice, question("b", 3)]
    official = beside("c3", items, [Answer(id="a", choice=0)], tmp_path)
    strict = beside("c3", items, list(map(gold_answer, items)), tmp_path, "strict")
    assert official.floors[0].scores["accuracy"] == pytest.approx(100 * (1 / 4 + 1 / 4) / 2)
    assert strict.floors[0].scores["accuracy"] == pytest.approx(100 * (2 / 4 + 1 / 4) / 2)


def test_items_without_gold_are_left_out(tmp_path: Path) -> None:
    unknown = ChoiceItem(id="x", passage="p", question="?", options=("甲", "乙"))
    items = [question("a", 0), question("b", 1), unknown]
    assert beside("c3", items, [Answer(id="a", choice=0)], tmp_path).floors[0].scores == {"accuracy": 25.0}


def test_luck_is_called_luck(tmp_path: Path) -> None:
    items = [triple(number, number % 4, (number + 1) % 4, (number + 2) % 4) for number in range(200)]
    chance = random.Random(1)
    questions = all_questions(items)
    guessed = [Answer(id=one.id, choice=chance.randrange(4)) for one in questions]
    (note,) = beside("gcrc", items, guessed, tmp_path).notes
    assert "uniform guessing (0.091)" in note and "luck" in note
    known = {one.id: one.answer if chance.random() < 0.8 else 0 for one in questions}
    assert beside("gcrc", items, [Answer(id=name, choice=at) for name, at in known.items()], tmp_path).notes == ()
    wrong = [Answer(id=one.id, choice=((one.answer or 0) + 1) % 4) for one in questions]
    (note,) = beside("gcrc", items, wrong, tmp_path).notes
    assert note.startswith("Score is below that of uniform guessing (0.091) and of always A (0.050)")


def test_one_passage_has_no_interval(tmp_path: Path) -> None:
    (note,) = beside("c3", [question("a", 0)], [Answer(id="a", choice=0)], tmp_path).notes
    assert "no interval" in note


def test_published_rows_belong_to_the_official_metric() -> None:
    rows = published("gcrc", "official")
    assert next(row.who for row in rows if row.track == "closed") == "Beijing Institute of Technology"
    best = {track: max(row.scores["Score"] for row in rows if row.track == track) for track in ("closed", "open")}
    assert best == {"closed": 0.2226, "open": 0.4562}
    assert {row.measured_on for row in rows} == {"test"}
    for row in rows:
        # rounded to the hundredth of a percent in the paper
        weighed = 0.2 * row.scores["Acc0"] + 0.3 * row.scores["Acc1"] + 0.5 * row.scores["Acc2"]
        assert weighed == pytest.approx(row.scores["Score"], abs=1e-4)
    assert published("gcrc", "strict") == published("c3", "official") == ()


@needs_shared
def test_on_the_real_triples() -> None:
    items = list(load(DEV))
    result = score("gcrc", GOLDEN / "constant_A.predictions.json", DEV)
    found = references(TASKS.get("gcrc"), result, items)
    assert found is not None
    assert found.floors[0].scores["Score"] == pytest.approx(0.090625)
    assert found.floors[1].name == "always A"
    assert found.floors[1].scores == pytest.approx(dict(result.exact))
    assert any("luck" in note for note in found.notes)


@needs_shared
@pytest.mark.parametrize(("name", "file"), [("c3", "c3/c3-d-test.json"), ("vgaokao", "vgaokao/clean.json.xz")])
def test_the_constant_letter_is_what_the_scorer_gives_it(name: str, file: str, tmp_path: Path) -> None:
    items = list(TASKS.get(name).load(SHARED / "data" / file))
    found = beside(name, items, list(map(gold_answer, items)), tmp_path)
    at = "ABCD".index(found.floors[1].name[-1])
    same: Score = scored(name, items, [Answer(id=item.id, choice=at) for item in items], tmp_path)
    assert same.exact["accuracy"] == pytest.approx(found.floors[1].scores["accuracy"])
    assert found.notes == ()


def test_tasks_without_options_have_no_floors(tmp_path: Path) -> None:
    items = [LabelItem(id=str(number), text="甲", pair="乙", label="neutral") for number in range(3)]
    result = scored("ocnli", items, map(gold_answer, items), tmp_path)
    assert references(TASKS.get("ocnli"), result, items) is None

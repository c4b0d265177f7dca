"""Which cases are failures, and that the changes on the page make the very text the reader read."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from readproof.items import Edit
from readproof.proof.run import RunResults
from readproof.reports.failures import Change, Units, changes, failures, kind_of
from readproof.text import encodable


def browser_text(before: str, made: list[Change]) -> str:
    """What the page's script makes of a text: JavaScript counts in UTF-16 units."""
    units = encodable(before).encode("utf-16-le")
    pieces, at = [], 0
    for start, end, new in made:
        pieces += [units[2 * at : 2 * start], new.encode("utf-16-le")]
        at = end
    return b"".join([*pieces, units[2 * at :]]).decode("utf-16-le")


def test_every_kind_is_told_from_the_others(sample: RunResults) -> None:
    found = failures(sample.cases())
    assert found.counts == Counter(one["kind"] for one in found.cases)
    assert found.found == len(found.cases) == sum(found.counts.values())
    assert {"broken", "worse", "guessed", "wrong"} <= set(found.counts)
    for case in sample.cases():
        kind = kind_of(case)
        main = "accuracy" if "accuracy" in case.prediction.measured else "f1"
        now, before = case.prediction.measured[main], case.before.measured[main]
        if kind == "broken":
            assert case.question.attacked and before > 0 and now == 0
        elif kind == "worse":
            assert case.question.attacked and 0 < now < before
        elif kind == "wrong":
            assert case.question.attack == "clean" and now == 0
        elif kind == "guessed":
            assert case.question.attack.startswith("probe/") and now == 1
        elif kind is None and case.question.attacked:
            assert now >= before


def test_a_failure_tells_what_the_reader_read(sample: RunResults, hostile: RunResults) -> None:
    for run in (sample, hostile):
        found = failures(run.cases())
        asked = {(case.question.attack, encodable(case.question.item.id)): case for case in run.cases()}
        assert found.cases
        for one in found.cases:
            case = asked[one["attack"], one["id"]]
            item = case.question.item
            passage = browser_text(found.texts[one["passage"]], one.get("passageEdits", []))
            assert passage == encodable(item.passage)
            assert browser_text(found.texts[one["question"]], one.get("questionEdits", [])) == encodable(item.question)
            if "place" in one["after"]:
                start, end = one["after"]["place"]
                cut = passage.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")
                assert cut == encodable(case.prediction.answer.raw)
            for start, end in one.get("goldPlaces", []):
                assert passage.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le") in one["golds"]


def test_options_have_their_evidence_and_first_ones_their_number(sample: RunResults) -> None:
    found = failures(sample.cases())
    judged = [one for one in found.cases if one["attack"] == "options/keyword"]
    assert judged
    assert all(len(one["after"]["options"]) == len(one["options"]) for one in judged)
    assert all(one["after"]["options"][0]["evidence"] for one in judged)
    assert any(one["after"]["choice"] == 0 or one["right"] == 0 for one in found.cases if "options" in one)


def test_a_sample_is_even_and_always_the_same(sample: RunResults) -> None:
    whole, some, again = (failures(sample.cases(), most) for most in (10_000, 20, 20))
    assert some.found == whole.found > 20
    assert len(some.cases) == 20
    assert some.cases == again.cases
    assert {(one["attack"], one["id"]) for one in some.cases} < {(one["attack"], one["id"]) for one in whole.cases}


def test_no_texts_at_all(sample: RunResults) -> None:
    none = failures(sample.cases(), 0)
    assert none.found
    assert not none.cases
    assert not none.texts


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(texts, texts)
def test_any_text_becomes_any_other(before: str, after: str) -> None:
    assert browser_text(before, changes(before, after, ())) == after
    lying = [Edit(0, "never there \u2603", "x")]
    assert browser_text(before, changes(before, after, lying)) == after


@given(texts, st.integers(-5, 50))
def test_places_are_those_of_the_encoded_text(text: str, place: int) -> None:
    inside = max(0, min(place, len(text)))
    assert Units(text).at(place) == len(text[:inside].encode("utf-16-le")) // 2

"""The small parts of a run, one by one: forms, logs, probes, plans, calibration, significance."""

from __future__ import annotations

import doctest
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.attacks import ATTACKS
from readproof.errors import InputError
from readproof.items import Answer, ChoiceItem, Gold, SpanItem
from readproof.prove import Run, significance
from readproof.prove.calibrating import Sure, calibrated
from readproof.prove.figures import Value, figures
from readproof.prove.forms import read_form, to_plain, write_form
from readproof.prove.logs import Log, lines
from readproof.prove.measuring import belief, measure_for, shares_of
from readproof.prove.model import PROBE, Scores, Timings
from readproof.prove.plan import FAST, Wish, chosen, parse_settings, planned
from readproof.prove.probes import PROBES, probe
from readproof.prove.questions import cleaned, question_line, question_of, single
from readproof.prove.significance import holm, mcnemar
from readproof.prove.timing import Clock
from readproof.readers.base import DISTRIBUTION, OPTIONS, SPANS
from tests.prove.made_readers import sample
from tests.strategies import texts

ABLE = frozenset({SPANS, DISTRIBUTION, OPTIONS})


# forms


def test_scores_come_back_from_their_file_as_they_were(perfect_run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    write_form(path, perfect_run.scores)
    assert read_form(path, Scores) == perfect_run.scores
    write_form(path, perfect_run.timings)
    assert read_form(path, Timings) == perfect_run.timings


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": 99}, "format 99"),
        ({"asked": "many"}, "at asked"),
        ({"verdict": {"headline": 3}}, "verdict.headline"),
        ({"parts": {}}, "at parts"),
    ],
)
def test_a_file_that_is_no_scores_is_refused(
    perfect_run: Run, tmp_path: Path, change: dict[str, object], said: str
) -> None:
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(to_plain(perfect_run.scores) | change), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_form(path, Scores)


# logs


@given(records=st.lists(st.dictionaries(texts(4), texts(), max_size=2), max_size=6), cut=st.integers(0, 400))
def test_a_log_that_was_cut_anywhere_holds_a_beginning_and_goes_on(
    records: list[dict[str, str]], cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("log") / "log.jsonl"
    with Log(path) as log:
        for record in records:
            log.add([record])
    whole = path.read_bytes()
    path.write_bytes(whole[:cut])
    with Log(path) as log:
        there = list(log.old())
        assert there == records[: len(there)]
        log.add(records[len(there) :])
    assert path.read_bytes() == whole
    assert list(lines(path)) == records


def test_lines_of_one_group_are_kept_together(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"last": true}\n{"last": false}\n{"last": tr', encoding="utf-8")
    with Log(path, lambda line: bool(line["last"])) as log:
        assert list(log.old()) == [{"last": True}]
    assert path.read_text(encoding="utf-8") == '{"last": true}\n'


def test_what_a_power_cut_leaves_behind_a_whole_line_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"a": 1}\n' + bytes(100) + b'\n{"a": 2}\n')
    with Log(path) as log:
        assert list(log.old()) == [{"a": 1}]


# times


def test_times_are_kept_while_a_phase_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("readproof.prove.timing.time.perf_counter", lambda: now[0])
    path = tmp_path / "timings.json"
    clock = Clock(path)
    with clock.phase("clean"):
        clock.question("spans", 80.0)
        now[0] = 4.0
        clock.tick(3.0)
        assert not path.exists(), "not at every question"
        now[0] = 6.0
        clock.tick(5.0)
    # killed here, the next session goes on from what is on disk
    found = read_form(path, Timings)
    assert (found.seconds, found.reader_seconds, found.phases) == (6.0, 5.0, {"clean": 6.0})
    assert found.speed["spans"].median == 80.0
    with Clock(path).phase("typo"):
        now[0] = 8.0
    assert clock.write(7.0).phases == {"clean": 6.0}, "a phase is counted once"


# questions and probes


def test_a_question_survives_its_line(perfect_run: Run) -> None:
    for line in lines(perfect_run.folder / "variants.jsonl"):
        assert question_line(question_of(line, Path("variants.jsonl"), "line")) == line


def test_probes_take_away_what_they_say() -> None:
    items = [single(item) for item in sample()]
    for name in PROBES:
        for at, item in enumerate(items):
            made = probe(name, at, item, items, 0)
            if made is None:
                # another passage that does not hold the answer is drawn, and may not be found
                assert (
                    name == ("options-only" if isinstance(item, SpanItem) else "no-question")
                    or name == "another-passage"
                )
                continue
            asked = made.item
            assert (asked.passage == item.passage) is (name == "no-question")
            assert bool(asked.question) is (name not in ("no-question", "options-only"))
            if name in ("no-passage", "options-only"):
                assert not asked.passage
            if isinstance(asked, ChoiceItem) and isinstance(item, ChoiceItem):
                assert (asked.options, asked.answer) == (item.options, item.answer)
            if name == "another-passage" and isinstance(item, SpanItem):
                assert all(gold.text not in asked.passage for gold in item.golds)
            assert made == probe(name, at, item, items, 0)
    impossible = replace(items[0], impossible=True) if isinstance(items[0], SpanItem) else items[0]
    assert probe("no-passage", 0, impossible, items, 0) is None


def test_cleaning_brings_back_what_invisible_characters_hid() -> None:
    item = sample()[0]
    assert isinstance(item, SpanItem)
    assert cleaned(item) is None or "\u3000" in item.passage
    hidden = replace(item, question="\u200b".join(item.question))
    again = cleaned(hidden)
    assert again is not None
    assert again.question == item.question


# measuring


def test_an_answer_without_the_invisible_characters_of_the_gold_is_right() -> None:
    item = SpanItem(id="1", passage="北\u200b京", question="？", golds=(Gold("北\u200b京", 0),))
    for task in ("cmrc2018", "items", "squad"):
        assert measure_for(task)(item, Answer(id="1", text="北京")) == {"f1": 1.0, "em": 1.0}


def test_answers_to_persianqa_are_right_or_wrong() -> None:
    """Its own F1 is over a bag of characters: by it a reader that answers with the question is half right."""
    item = SpanItem(
        id="1", passage="پایتخت اسپانیا مادرید است.", question="کجاست؟", golds=(Gold("مادرید"),), language="fa"
    )
    none = replace(item, golds=(), impossible=True)
    assert measure_for("persianqa")(item, Answer(id="1", text="ریاست دما"))["f1"] == 0
    assert measure_for("persianqa", "official")(item, Answer(id="1", text="ریاست دما"))["f1"] > 0.5
    assert measure_for("persianqa")(item, Answer(id="1", text="مادرید"))["f1"] == 1
    assert measure_for("persianqa")(none, Answer(id="1", text=""))["f1"] == 1


def test_belief_in_the_gold_option() -> None:
    item = ChoiceItem(id="1", passage="", question="", options=("a", "b"), answer=1)
    assert belief(item, Answer(id="1", choice=0, scores=(0.7, 0.3))) == 0.3
    assert belief(item, Answer(id="1", choice=0, scores=(1.0, 1.0))) == 0.5
    assert belief(item, Answer(id="1", choice=1, confidence=0.9)) == 0.9
    assert belief(item, Answer(id="1", choice=0, confidence=0.9)) == 0.0
    assert belief(item, Answer(id="1", choice=0)) is None


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=6))
def test_shares_sum_to_one(scores: list[float]) -> None:
    assert sum(shares_of(scores)) == pytest.approx(1, abs=2e-3)


# plans


def test_the_fast_set_leaves_out_what_takes_long_and_all_has_everything() -> None:
    assert chosen(Wish(attacks=("all",))) == ATTACKS.names()
    fast = chosen(Wish(attacks=(FAST,)))
    assert {"addsent", "typo", "triples"} <= set(fast)
    assert not {"addany", "hotflip", "backtranslate"} & set(fast)
    assert chosen(Wish(attacks=("typo", "addsent", "typo"))) == ["addsent", "typo"]
    with pytest.raises(InputError, match="Did you mean 'addsent'"):
        chosen(Wish(attacks=("adsent",)))


def test_attacks_that_do_not_fit_are_left_out_with_the_reason() -> None:
    items = list(sample())
    left = {one.attack: one.reason for one in planned(items, Wish(attacks=("all",)), ABLE).left}
    assert left == {
        "hotflip": "needs a reader that gives gradients",
        "backtranslate": "needs a translator: --set backtranslate.translator=…",
    }
    spans = [item for item in items if isinstance(item, SpanItem)]
    left = {one.attack: one.reason for one in planned(spans, Wish(attacks=("keyword", "addany")), {OPTIONS}).left}
    assert "of which there are none" in left["options/keyword"]
    assert left["addany"] == "needs a reader that gives spans"
    english = [replace(item, language="en") for item in spans]
    (one,) = planned(english, Wish(attacks=("script",)), ABLE).left
    assert one.reason.startswith("not for this language")
    (one,) = planned(spans, Wish(attacks=("addany",)), None).left
    assert one.reason == "needs a reader to search against"


def test_searches_have_a_small_budget_and_options_keep_their_truth() -> None:
    plan = planned(list(sample()), Wish(attacks=("addsent", "keyword")), ABLE)
    addsent, keyword = plan.attacks
    assert (addsent.searched, addsent.budget) == (True, 4)
    assert keyword.settings["truth"] == "kept"
    assert [phase.name for phase in plan.phases if phase.name.startswith(PROBE)] == [
        f"{PROBE}{name}" for name in PROBES
    ]


def test_settings_name_their_attack() -> None:
    found = parse_settings(["addsent.worst_of=3", "options/keyword.denial=no"])
    assert found == {"addsent": {"worst_of": "3"}, "options/keyword": {"denial": "no"}}
    plan = planned(list(sample()), Wish(attacks=("addsent",), settings=found), ABLE)
    assert plan.attacks[0].settings["worst_of"] == 3
    with pytest.raises(InputError, match=r"ATTACK\.NAME=VALUE"):
        parse_settings(["worst_of=3"])


# figures, calibration, significance


def test_intervals_are_over_passages() -> None:
    apart = figures([Value(number, {"f1": float(number % 2)}) for number in range(20)])["f1"]
    assert apart.value == 50
    assert apart.low is not None
    assert apart.low < 50
    together = figures([Value("one passage", {"f1": float(number % 2)}) for number in range(20)])["f1"]
    assert (together.value, together.low) == (50, None)


def test_a_reader_as_sure_as_right_has_no_calibration_error() -> None:
    honest = [Sure(0.75, float(number % 4 != 0), float(number % 4 != 0)) for number in range(100)]
    found = calibrated(honest)
    assert found is not None
    assert found.error == pytest.approx(0)
    boasting = calibrated([Sure(0.99, one.right, one.worth) for one in honest])
    assert boasting is not None
    assert boasting.error == pytest.approx(0.24)
    assert calibrated(honest[:5]) is None


def test_answering_less_helps_a_reader_that_knows_when_it_is_wrong() -> None:
    answers = [Sure(number / 100, float(number >= 50), float(number >= 50)) for number in range(100)]
    found = calibrated(answers)
    assert found is not None
    assert found.curve[0].score == 100
    assert found.curve[-1] == type(found.curve[-1])(share=1.0, score=50.0)
    assert len(found.curve) <= 41


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_never_lowers_a_p_and_keeps_their_order(chances: list[float]) -> None:
    corrected = holm(chances)
    for chance, after in zip(chances, corrected, strict=True):
        assert chance <= after <= 1
    order = sorted(range(len(chances)), key=lambda at: chances[at])
    assert [corrected[at] for at in order] == sorted(corrected)


def test_mcnemar() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(5, 5) == 1.0
    assert mcnemar(0, 10) == pytest.approx(2 / 2**10)
    exact, normal = mcnemar(450, 550), mcnemar(451, 550)
    assert exact == pytest.approx(normal, rel=0.2)
    assert doctest.testmod(significance).failed == 0

"""The rules of the verdict, one by one; whole readers are tried on them in test_zoo."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.items import Answer, Item, SpanItem
from readproof.proof.measure import Value
from readproof.proof.results import Check, Outcome, PartVerdict
from readproof.proof.run import RunResults, prove_reader
from readproof.proof.thresholds import check_names, parse
from readproof.proof.verdict import (
    ENOUGH,
    FEWEST,
    RULES,
    Rule,
    RuleEvidence,
    explained,
    held,
    part_verdict,
    rule_named,
    rules_for,
    stands,
    with_more,
)
from readproof.readers import load_reader
from readproof.reports.labels import label
from readproof.reports.terminal import table
from tests.proof import made_readers


def values(found: list[float], metric: str = "f1", passages: int = 0) -> list[Value]:
    return [Value(at % passages if passages else at, {metric: one}) for at, one in enumerate(found)]


def evidence(clean: list[float], other: list[float], chance: float = 0.0, **more: object) -> RuleEvidence:
    found = RuleEvidence(
        values=values(clean), other=values(other), metric="f1", chance=chance, total=len(clean), against="baseline:x"
    )
    return replace(found, **more)  # type: ignore[arg-type]


LOST = rule_named("another-passage", "spans")
SHARE = rule_named("substituted", "spans")
MARGIN = rule_named("score", "spans")


def share(right: int, of: int, **more: object) -> RuleEvidence:
    found = values([1.0] * right + [0.0] * (of - right), "share")
    return replace(RuleEvidence(values=found, metric="share", total=of), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rule", "given", "outcome"),
    [
        (LOST, evidence([1.0] * 40, [0.0] * 40), "passed"),
        (LOST, evidence([1.0] * 40, [0.9] * 40), "failed"),
        (LOST, evidence([1.0] * 40, [0.25] * 40, chance=25.0), "passed"),
        (LOST, evidence([0.2] * 40, [0.2] * 40, chance=25.0), "unclear"),
        (LOST, evidence([1.0] * 9, [0.0] * 9), "unclear"),
        (LOST, evidence([1.0, 0.0, 0.5] * 5, [0.0, 0.6, 0.1] * 5), "unclear"),
        (LOST, evidence([], []), "unmeasured"),
        (LOST, evidence([1.0] * 40, [0.0] * 40, refused=True), "unmeasured"),
        (SHARE, share(38, 40), "passed"),
        (SHARE, share(10, 40), "failed"),
        (SHARE, share(22, 40), "unclear"),
        (SHARE, share(7, 20), "unclear"),
        (SHARE, share(2, 20), "failed"),
        (SHARE, share(9, 9), "unclear"),
        (SHARE, share(0, 40, refused=True), "failed"),
        (MARGIN, evidence([1.0] * 40, [0.5, 0.9] * 20), "passed"),
        (MARGIN, evidence([0.5] * 40, [0.5] * 40), "failed"),
        (MARGIN, evidence([0.4, 0.6] * 20, [0.2, 0.7] * 20), "passed"),
        (MARGIN, evidence([1.0, 0.0, 0.5] * 14, [0.0, 1.0, 0.4] * 14), "unclear"),
        (MARGIN, evidence([0.4] * 40, [0.0, 0.9] * 20), "unclear"),
        (MARGIN, evidence([0.4] * 100, [0.0, 0.9] * 50), "failed"),
    ],
)
def test_a_rule_is_passed_failed_or_unclear(rule: Rule, given: RuleEvidence, outcome: Outcome) -> None:
    check = held(rule, given)
    assert check.outcome == outcome, check.why
    assert (check.value is None) is (outcome == "unmeasured" or given.refused or check.why.endswith("above chance"))
    assert (check.needed is not None) <= (outcome == "unclear")


def test_one_passage_proves_nothing() -> None:
    given = RuleEvidence(values=values([1.0] * 40, "share", passages=1), metric="share", total=40)
    assert held(SHARE, given).outcome == "unclear"
    assert held(SHARE, given).needed == 200, "five passages of forty questions"


def test_how_many_questions_are_needed() -> None:
    nearly = held(SHARE, share(22, 40))
    assert nearly.needed is not None and nearly.needed > 200, "55 % is near the limit"
    assert held(SHARE, share(30, 50)).needed == pytest.approx(100, rel=0.4)
    few = held(SHARE, share(9, 9))
    assert few.needed == FEWEST
    assert held(SHARE, share(7, 20)).needed == ENOUGH, "then the wrong side decides"


def check(name: str, outcome: Outcome, needed: int | None = None, part: str = "spans") -> Check:
    rule = rule_named(name, "options" if part == "options" else "spans")
    return Check(
        kind="reads",
        name=name,
        part=rule.part,
        what=rule.quantity,
        value=0.9,
        limit=rule.limit,
        outcome=outcome,
        why="because",
        needed=needed,
    )


def judged(**outcomes: Outcome) -> PartVerdict:
    """A verdict on spans where every rule was passed but these."""
    named = {name.replace("_", "-"): one for name, one in outcomes.items()}
    return part_verdict("spans", [check(rule.name, named.get(rule.name, "passed")) for rule in rules_for("spans")])


def test_a_reader_reads_if_no_rule_failed_and_each_group_has_one_that_passed() -> None:
    assert judged().reads == "yes"
    assert judged(another_passage="unclear", no_passage="unmeasured").reads == "yes"
    assert judged(another_passage="failed").reads == "no"
    assert judged(substituted="unclear").reads == "not shown"
    assert judged(substituted="unmeasured").reads == "not shown", "nothing in the data could be substituted"
    assert judged(fresh_second_half="unclear").reads == "not shown", "every half must be read"
    assert judged(score="unclear").because == "score"
    assert judged(score="failed", substituted="failed").because == "score"


def test_what_a_reader_refuses_is_left_to_the_questions_that_the_passage_answers() -> None:
    names = ["no_passage", "question_only", "another_passage", "half_passage", "another_question", "neutral_question"]
    refused: dict[str, Outcome] = dict.fromkeys(names, "unmeasured")
    assert judged(**refused).reads == "yes"
    assert judged(**refused, substituted="unmeasured").reads == "not shown"


def test_whether_it_stands_is_judged_only_of_a_reader_that_reads() -> None:
    attack = stands("typo", "spans", evidence([1.0] * 40, [0.0] * 40))
    every = [check(rule.name, "passed") for rule in rules_for("spans")]
    assert part_verdict("spans", [*every, attack]).falls_for == ("typo",)
    unread = part_verdict("spans", [check("score", "failed"), *every[1:], attack])
    assert (unread.reads, unread.falls_for, unread.stands, unread.unclear) == ("no", (), (), ())


def test_the_questions_that_are_missing_are_rounded_up() -> None:
    every = [check(rule.name, "passed") for rule in rules_for("spans") if rule.name != "substituted"]
    open_ = part_verdict("spans", [*every, check("substituted", "unclear", needed=137)])
    assert (open_.more, with_more(open_, 60, 20).more) == (137, 80)
    assert with_more(open_, 200, 20).more == 10
    assert with_more(open_, 200, 4).because == "passages"


def test_attacks_must_leave_four_fifths() -> None:
    def outcome(clean: list[float], other: list[float], chance: float = 0.0) -> Outcome:
        return stands("x", "spans", evidence(clean, other, chance)).outcome

    assert outcome([1.0] * 9, [0.0] * 9) == "unclear"
    assert outcome([1.0] * 40, [0.0] * 40) == "failed"
    assert outcome([1.0] * 40, [1.0] * 40) == "passed"
    assert outcome([1.0] * 20, [1.0] * 16 + [0.0] * 4) == "unclear", "20 % lost, give or take"
    assert outcome([0.3, 0.2] * 20, [0.0] * 40, chance=25.0) == "unclear", "nothing that could be lost"
    assert outcome([], []) == "unmeasured"


# whole runs


def test_a_reader_that_ignores_the_passage_does_not_read(tmp_path: Path) -> None:
    run = prove_reader(made_readers.ignores, made_readers.SAMPLE, attacks=["addsent", "triples"], out=tmp_path / "run")
    assert [(one.part, one.reads) for one in run.scores.verdict.parts] == [("spans", "no"), ("options", "no")]
    assert "does not read: it answers nearly as well without the passage" in run.scores.verdict.headline
    assert "stands" not in run.scores.verdict.headline
    assert not [one for one in run.scores.verdict.checks if one.kind == "stands"]
    part = run.scores.part("spans")
    assert part is not None
    assert part.clean["f1"].value == 100


def test_a_memory_that_looks_whether_its_answer_is_there_does_not_read(tmp_path: Path) -> None:
    run = prove_reader(made_readers.careful, list(spans()), attacks=[], out=tmp_path / "run")
    assert run.scores.verdict.headline == (
        "Does not read: it does not follow the passage where the answer in it was replaced."
    )
    refused = [probe.name for probe in run.scores.parts[0].probes if not probe.measured]
    assert {"no-passage", "another-passage", "half-passage"} <= set(refused)


def test_a_reader_that_falls_for_the_last_sentence_is_found_out(tmp_path: Path) -> None:
    run = prove_reader(
        made_readers.last_sentence, made_readers.SAMPLE, attacks=["addsent", "homoglyph", "typo"], out=tmp_path / "run"
    )
    (verdict,) = run.scores.verdict.parts
    assert (verdict.reads, verdict.falls_for, verdict.stands) == ("yes", ("addsent",), ("homoglyph", "typo"))
    assert run.scores.verdict.headline == "Reads, but falls for addsent."


def test_a_perfect_reader_reads_and_stands(tmp_path: Path) -> None:
    run = prove_reader(
        made_readers.perfect, made_readers.SAMPLE, attacks=["addsent", "homoglyph", "triples"], out=tmp_path / "run"
    )
    spans, options = run.scores.verdict.parts
    assert (spans.reads, options.reads) == ("yes", "not shown"), "ten questions with options are few"
    assert options.more == 10
    assert run.scores.verdict.headline == (
        "Spans: reads, and stands under every attack tried. "
        "Options: not shown to read: about 10 more questions are needed to tell."
    )


def spans() -> list[SpanItem]:
    return [item for item in made_readers.sample() if isinstance(item, SpanItem)]


@pytest.mark.parametrize(
    ("items", "headline"),
    [
        (spans()[:8], "more questions are needed to tell"),
        ([replace(item, passage_id="one", passage="".join(one.passage for one in spans()[:8])) for item in spans()[:8]],
         "questions on at least 5 passages are needed"),
        ([replace(item, language="xx") for item in spans()], "could not be measured"),
    ],
    ids=["eight questions", "one passage", "a language without rules"],
)  # fmt: skip
def test_data_that_prove_nothing(items: list[Item], headline: str, tmp_path: Path) -> None:
    run = prove_reader(made_readers.perfect, items, attacks=[], out=tmp_path / "run")
    (verdict,) = run.scores.verdict.parts
    assert verdict.reads == "not shown"
    assert headline in run.scores.verdict.headline


def test_baselines_stand_beside_the_score_and_are_readers_themselves(tmp_path: Path) -> None:
    run = prove_reader("baseline:typed", spans(), attacks=[], out=tmp_path / "run")
    assert run.scores.verdict.parts[0].reads == "no"
    assert run.scores.verdict.headline == "Does not read: it scores no more than baseline:typed, which does not read."
    part = run.scores.parts[0]
    beside = {one.name: one.figures["f1"].value for one in part.baselines}
    assert beside["baseline:typed"] == part.clean["f1"].value
    assert set(beside) == {f"baseline:{name}" for name in ("first", "last", "overlap", "typed", "random")}
    assert "baseline:overlap" in table(run.scores, run.timings)
    with pytest.raises(InputError, match="no baseline named 'best'"):
        load_reader("baseline:best")


class Wordy:
    """Right, in words of its own that do not stand in the passage; and now and then it has nothing to say."""

    name, capabilities, fingerprint = "wordy", frozenset({"spans"}), "1"

    def answer(self, items: list[SpanItem]) -> list[Answer]:
        known = [str(made_readers.perfect(item.passage, item.question)) for item in items]
        return [
            Answer(id=item.id, text=f"答：{text}" if text and not item.id.endswith("7") else "")
            for item, text in zip(items, known, strict=True)
        ]


def test_answers_that_do_not_stand_in_the_passage_are_counted(tmp_path: Path) -> None:
    run = prove_reader(Wordy(), spans(), attacks=[], out=tmp_path / "run")
    part = run.scores.parts[0]
    assert part.outside + part.empty == 30 > part.empty
    assert f"{part.outside} of 30 answers do not stand in their passage" in table(run.scores, run.timings)
    assert run.scores.verdict.parts[0].reads == "yes"


@pytest.mark.slow
def test_the_shipped_reader_reads_and_stands_under_added_sentences(tmp_path: Path) -> None:
    # the shorter ones; the README's first command, which the docs' tests run, reads them all
    shorter = sorted(spans(), key=lambda item: len(item.passage))[:20]
    run = prove_reader("zh", shorter, attacks=["addsent", "typo"], out=tmp_path / "run", threads=1)
    (verdict,) = run.scores.verdict.parts
    assert verdict.reads == "yes", run.scores.verdict.headline
    assert {"addsent", "typo"} <= set(verdict.stands), "the reader that ships is a hardened one"
    shares = {probe.name: probe.shares for probe in run.scores.parts[0].probes}["substituted"]
    assert shares["follows"] > 0.8 and shares["sticks"] < 0.1


# words


def test_the_rules_are_explained_and_translated() -> None:
    text = explained()
    for rule in RULES:
        assert rule.says in text and rule.name in text
        assert label(f"rule.{rule.part}.{rule.name}").en == rule.says
        assert label(f"fails.{rule.part}.{rule.name}").en == rule.failed
        assert label(f"check.{rule.name}").zh


# thresholds


@pytest.mark.parametrize(
    ("limits", "met"),
    [
        ("f1=100", True),
        ("f1 >= 100, em=99.5", True),
        ("score=100,acc2=100", True),
        ("invisible=30", True),
        ("invisible.f1=90", False),
        ("invisible.kept=0.9", False),
        ("invisible.worst=90", False),
        ("attacked.f1=90", False),
        ("worst.f1=1", True),
        ("no-passage.f1<=10", True),
        ("no-passage<=20", True),
        ("options-only.accuracy<=10", False),
        ("substituted.follows=0.9", True),
        ("substituted.sticks<=0.1,fresh-question.right=0.8", True),
        ("options-reordered.moved=1", True),
        ("reads", False),
        ("stands", False),
        ("f1=100,addsent.em=100", True),
        ("", True),
    ],
)
def test_thresholds(perfect_run: RunResults, limits: str, met: bool) -> None:
    assert (not perfect_run.broken(limits)) is met, perfect_run.broken(limits)


def test_a_figure_that_the_run_does_not_have_is_a_threshold_missed(perfect_run: RunResults) -> None:
    assert perfect_run.broken("calibration<=0.5") == ["calibration: this run has no such figure"]


@pytest.mark.parametrize("limits", ["f1", "f1=high", "f2=3", "adsent.f1=4", "addsent.kept.f1=3", "typo.speed=1", "=4"])
def test_thresholds_that_mean_nothing_are_refused_before_the_run(limits: str) -> None:
    with pytest.raises(InputError, match="--fail-under"):
        check_names(parse(limits), ["addsent", "typo"])

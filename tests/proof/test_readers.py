"""Runs with readers of every make: the shipped one, functions that fail, streams, judges of options, hardened ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import readproof as rp
from readproof.errors import InputError
from readproof.items import Answer, ChoiceItem, Item, SpanItem, Triple
from readproof.proof.records import cleaned
from readproof.proof.run import prove_reader, rescore_run
from readproof.readers import load_reader
from readproof.reports.terminal import table
from tests.proof import made_readers
from tests.proof.conftest import contents


def test_a_reader_that_fails_on_a_probe_is_reported_not_stopped(tmp_path: Path) -> None:
    run = prove_reader(made_readers.stumbles, made_readers.SAMPLE, out=tmp_path / "run", attacks=[])
    (fault,) = run.scores.faults
    assert (fault.error, fault.message, fault.questions) == ("ZeroDivisionError", "no passage to divide", 30)
    assert re.fullmatch(r"made_readers\.py:\d+ in stumbles", fault.where)
    wide = table(run.scores, run.timings, 200)
    assert f"the reader raised ZeroDivisionError: no passage to divide ({fault.where}) on 30 questions" in wide


def test_a_reader_that_fails_on_each_of_its_first_questions_stops_the_run(tmp_path: Path) -> None:
    def broken(passage: str, question: str) -> str:
        raise ValueError("no")

    with pytest.raises(InputError, match=r"test_readers\.py:\d+ in broken: found ValueError: no; .* first 5 questions"):
        prove_reader(broken, made_readers.SAMPLE, out=tmp_path / "run", attacks=[])


def test_a_reader_that_fails_now_and_then_is_measured_all_the_same(tmp_path: Path) -> None:
    def moody(passage: str, question: str) -> str:
        if len(question) % 3 == 0:
            raise RuntimeError(f"not in the mood for {len(question)} characters")
        return str(made_readers.perfect(passage, question))

    spans = [item for item in made_readers.sample() if isinstance(item, SpanItem)]
    run = prove_reader(moody, spans, out=tmp_path / "run", attacks=["typo"])
    failed = sum(len(item.question) % 3 == 0 for item in spans)
    assert 0 < failed < 20
    assert run.scores.parts[0].clean["f1"].value == pytest.approx(100 * (1 - failed / 30))
    clean = [case for case in run.cases() if case.question.attack == "clean" and case.prediction.fault]
    assert len(clean) == failed
    before = contents(run.folder)
    assert rescore_run(run.folder).scores == run.scores
    assert contents(run.folder) == before


def test_what_the_reader_cannot_answer_is_left_out_and_told(tmp_path: Path) -> None:
    run = prove_reader(made_readers.last_sentence, made_readers.SAMPLE, out=tmp_path / "run", attacks=[])
    assert [part.name for part in run.scores.parts] == ["spans"]
    assert run.scores.run.notes == ("10 items left out: the reader answers no questions with options",)
    triples = [item for item in made_readers.sample() if isinstance(item, Triple)]
    with pytest.raises(InputError, match="a ChoiceItem for the reader"):
        prove_reader(made_readers.last_sentence, triples, out=tmp_path / "none", attacks=[])


def test_a_hardened_reader_reads_the_same_variants(tmp_path: Path) -> None:
    items = made_readers.sample()[:20]
    run = prove_reader(
        made_readers.last_sentence,
        list(items),
        hardened=made_readers.perfect,
        attacks=["addsent"],
        out=tmp_path / "run",
    )
    (result,) = run.scores.attacks
    assert result.hardened is not None
    assert result.hardened["f1"].value == 100 > result.attacked["f1"].value
    assert "hardened" in table(run.scores, run.timings)
    before = contents(run.folder)
    answers = (run.folder / "answers.jsonl").read_bytes()
    (run.folder / "answers.jsonl").write_bytes(answers[: len(answers) // 2])
    prove_reader(
        made_readers.last_sentence,
        list(items),
        hardened=made_readers.perfect,
        attacks=["addsent"],
        out=tmp_path / "run",
    )
    assert contents(run.folder) == before


def test_answers_of_the_shipped_reader_are_those_that_it_gives_itself(tmp_path: Path) -> None:
    """A run asks for the distribution of spans; the best of them must be the reader's answer.

    So it is where text stands in another order: what was said is less than the raw span that it comes from.
    """
    reader = load_reader("zh", threads=1)
    items = [item for item in made_readers.sample()[:5] if isinstance(item, SpanItem)]
    run = prove_reader(reader, items, attacks=["reorder"], out=tmp_path / "run")
    cases = [case for case in run.cases() if case.question.attack in ("clean", "reorder")]
    assert len(cases) == 2 * len(items)
    for case in cases:
        one, other = case.prediction.answer, reader.answer([case.question.item])[0]
        assert (one.text, one.raw, one.start, one.end) == (other.text, other.raw, other.start, other.end)
        assert one.confidence == pytest.approx(other.confidence, abs=1e-5)


def test_the_shipped_reader_sanitises_by_itself_so_that_nobody_asks_it_twice(tmp_path: Path) -> None:
    reader = load_reader("zh", threads=1)
    items = [item for item in made_readers.sample()[:3] if isinstance(item, SpanItem)]
    run = prove_reader(reader, items, attacks=["invisible", "reorder"], out=tmp_path / "run")
    found = [case for case in run.cases() if case.question.attacked]
    assert len(found) == 6
    for case in found:
        assert case.sanitised is None
        clean = cleaned(case.question.item)
        assert clean is not None
        assert reader.answer([clean])[0].text == case.prediction.answer.text


class Streaming:
    """Answers many questions at a time, in no particular order, as language models do."""

    name, capabilities, fingerprint, kept_in = "streaming", frozenset({"spans", "options"}), "1", "nowhere"

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        return [one[0] for _, one in sorted(self.stream([(item,) for item in items]))]

    def stream(self, groups: Sequence[Sequence[Item]]) -> Iterator[tuple[int, list[Answer]]]:
        self.sizes.append(len(groups))
        for at in sorted(range(len(groups)), key=lambda at: -at):
            item = groups[at][0]
            if isinstance(item, ChoiceItem):
                yield at, [Answer(id=item.id, choice=0, confidence=0.5)]
            elif isinstance(item, SpanItem):
                text = str(made_readers.perfect(item.passage, item.question))
                yield at, [Answer(id=item.id, text=text, confidence=0.5)]

    def figures(self) -> dict[str, int]:
        return {}

    def prompts(self) -> list[dict[str, str]]:
        return []


def test_a_reader_that_works_on_many_questions_gets_many_and_resumes_like_any_other(tmp_path: Path) -> None:
    reader, data = Streaming(), list(made_readers.sample()[:20])
    run = prove_reader(reader, data, attacks=["addsent", "typo"], out=tmp_path / "run")
    assert max(reader.sizes) >= 20
    assert run.scores.parts[0].clean["f1"].value == 100
    before = contents(run.folder)
    for name, share in (("variants.jsonl", 0.6), ("answers.jsonl", 0.5)):
        whole = (run.folder / name).read_bytes()
        (run.folder / name).write_bytes(whole[: int(len(whole) * share)])
    prove_reader(Streaming(), data, attacks=["addsent", "typo"], out=tmp_path / "run")
    assert contents(run.folder) == before
    assert run.scores.parts[0].calibration is not None


def test_options_that_a_reader_judges_keep_their_evidence(tmp_path: Path) -> None:
    from readproof.readers.options import EvidenceSpan, JudgedOption, JudgedOptions

    class Judge:
        name, capabilities, fingerprint = "judge", frozenset({"options"}), "1"

        def answer(self, items: list[ChoiceItem]) -> list[Answer]:
            return [self.judge(item).answer for item in items]

        def judge(self, item: ChoiceItem) -> JudgedOptions:
            options = tuple(JudgedOption(0.25, (EvidenceSpan(0, 3, 1.0),)) for _ in item.options)
            return JudgedOptions(
                Answer(id=item.id, choice=0, scores=(0.4, 0.2, 0.2, 0.2), confidence=0.4), "false", options
            )

    triples = [item for item in made_readers.sample() if isinstance(item, Triple)]
    run = prove_reader(Judge(), triples, attacks=["triples"], out=tmp_path / "run")
    case = next(run.cases())
    assert case.prediction.options[0] == JudgedOption(0.25, (EvidenceSpan(0, 3, 1.0),))
    assert case.prediction.asked == "false"
    gold = case.question.item.answer if isinstance(case.question.item, ChoiceItem) else None
    assert case.prediction.belief == (0.4 if gold == 0 else 0.2)


class Peeker:
    """The cheapest fake of all: it looks up the gold answer in the item that it is handed, or goes by its id."""

    name = "peeker"
    fingerprint = "1"
    capabilities = frozenset({"spans", "options"})

    def __init__(self) -> None:
        self.ids: list[str] = []

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        return [self._one(item) for item in items]

    def _one(self, item: Item) -> Answer:
        self.ids.append(item.id)
        if isinstance(item, SpanItem):
            return Answer(id=item.id, text=item.golds[0].text if item.golds else "")
        assert isinstance(item, ChoiceItem)
        return Answer(id=item.id, choice=item.answer or 0)


def test_no_reader_is_shown_the_gold_answer_or_which_probe_it_is_asked(tmp_path: Path) -> None:
    peeker = Peeker()
    run = prove_reader(peeker, made_readers.SAMPLE, out=tmp_path / "run", attacks=["addsent", "triples"])
    assert run.scores.parts[0].clean["f1"].value == 0.0
    assert all(part.reads != "yes" for part in run.scores.verdict.parts)
    assert peeker.ids
    assert not [one for one in peeker.ids if "probe" in one or "addsent" in one or "QUERY" in one]
    answers = rp.answer(peeker, made_readers.sample())
    assert not any(one.text or one.choice for one in answers)

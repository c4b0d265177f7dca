"""Runs with readers of every make: the shipped one, functions that fail, streams, judges of options, hardened ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.items import Answer, ChoiceItem, Item, SpanItem, Triple
from readproof.prove import prove
from readproof.prove.questions import cleaned
from readproof.readers import load_reader
from tests.prove import made_readers
from tests.prove.conftest import contents


def test_a_reader_that_stumbles_over_probes_is_told_not_stopped(tmp_path: Path) -> None:
    run = prove(made_readers.stumbles, out=tmp_path / "run", attacks=[])
    assert run.scores.faults == {"ZeroDivisionError": 30}
    assert "failed with an error on 30 questions" in run.table()


def test_a_reader_that_fails_on_clean_questions_stops_the_run(tmp_path: Path) -> None:
    def broken(passage: str, question: str) -> str:
        raise ValueError("no")

    with pytest.raises(InputError, match="ValueError: no"):
        prove(broken, out=tmp_path / "run", attacks=[])


def test_what_the_reader_cannot_answer_is_left_out_and_told(tmp_path: Path) -> None:
    run = prove(made_readers.last_sentence, out=tmp_path / "run", attacks=[])
    assert [part.name for part in run.scores.parts] == ["spans"]
    assert run.scores.run.notes == ("10 items left out: the reader answers no questions with options",)
    triples = [item for item in made_readers.sample() if isinstance(item, Triple)]
    with pytest.raises(InputError, match="a ChoiceItem for the reader"):
        prove(made_readers.last_sentence, triples, out=tmp_path / "none", attacks=[])


def test_a_hardened_reader_reads_the_same_variants(tmp_path: Path) -> None:
    items = made_readers.sample()[:20]
    run = prove(
        made_readers.last_sentence,
        list(items),
        hardened=made_readers.perfect,
        attacks=["addsent"],
        out=tmp_path / "run",
    )
    (result,) = run.scores.attacks
    assert result.hardened is not None
    assert result.hardened["f1"].value == 100 > result.attacked["f1"].value
    assert "hardened" in run.table()
    before = contents(run.folder)
    answers = (run.folder / "answers.jsonl").read_bytes()
    (run.folder / "answers.jsonl").write_bytes(answers[: len(answers) // 2])
    prove(
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
    run = prove(reader, items, attacks=["reorder"], out=tmp_path / "run")
    cases = [case for case in run.cases() if case.question.attack in ("clean", "reorder")]
    assert len(cases) == 2 * len(items)
    for case in cases:
        one, other = case.said.answer, reader.answer([case.question.item])[0]
        assert (one.text, one.raw, one.start, one.end) == (other.text, other.raw, other.start, other.end)
        assert one.confidence == pytest.approx(other.confidence, abs=1e-5)


def test_the_shipped_reader_sanitises_by_itself_so_that_nobody_asks_it_twice(tmp_path: Path) -> None:
    reader = load_reader("zh", threads=1)
    items = [item for item in made_readers.sample()[:3] if isinstance(item, SpanItem)]
    run = prove(reader, items, attacks=["invisible", "reorder"], out=tmp_path / "run")
    found = [case for case in run.cases() if case.question.attacked]
    assert len(found) == 6
    for case in found:
        assert case.sanitised is None
        clean = cleaned(case.question.item)
        assert clean is not None
        assert reader.answer([clean])[0].text == case.said.answer.text


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
    run = prove(reader, data, attacks=["addsent", "typo"], out=tmp_path / "run")
    assert max(reader.sizes) >= 20
    assert run.scores.parts[0].clean["f1"].value == 100
    before = contents(run.folder)
    for name, share in (("variants.jsonl", 0.6), ("answers.jsonl", 0.5)):
        whole = (run.folder / name).read_bytes()
        (run.folder / name).write_bytes(whole[: int(len(whole) * share)])
    prove(Streaming(), data, attacks=["addsent", "typo"], out=tmp_path / "run")
    assert contents(run.folder) == before
    assert run.scores.parts[0].calibration is not None


def test_options_that_a_reader_judges_keep_their_evidence(tmp_path: Path) -> None:
    from readproof.readers.judged import Evidence, Judged, JudgedOption

    class Judge:
        name, capabilities, fingerprint = "judge", frozenset({"options"}), "1"

        def answer(self, items: list[ChoiceItem]) -> list[Answer]:
            return [self.judge(item).answer for item in items]

        def judge(self, item: ChoiceItem) -> Judged:
            options = tuple(JudgedOption(0.25, (Evidence(0, 3, 1.0),)) for _ in item.options)
            return Judged(Answer(id=item.id, choice=0, scores=(0.4, 0.2, 0.2, 0.2), confidence=0.4), "false", options)

    triples = [item for item in made_readers.sample() if isinstance(item, Triple)]
    run = prove(Judge(), triples, attacks=["triples"], out=tmp_path / "run")
    case = next(run.cases())
    assert case.said.options[0] == JudgedOption(0.25, (Evidence(0, 3, 1.0),))
    assert case.said.asked == "false"
    gold = case.question.item.answer if isinstance(case.question.item, ChoiceItem) else None
    assert case.said.belief == (0.4 if gold == 0 else 0.2)

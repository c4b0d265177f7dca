"""A run from its first question to its scores; stopped anywhere and resumed, it comes to the same bytes."""

from __future__ import annotations

import json
import shutil
from io import FileIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from readproof.codec import to_plain
from readproof.errors import InputError
from readproof.items import SpanItem, Triple
from readproof.journal import Journal, lines
from readproof.proof.records import cases
from readproof.proof.run import RunResults, open_results, prove_reader, rescore_run
from readproof.tasks import TASKS
from readproof.tasks.metrics.spans import SpanPredictions
from tests.proof import made_readers
from tests.proof.conftest import SMALL, contents, small


def test_every_question_has_its_answer_and_every_skipped_item_a_reason(perfect_run: RunResults) -> None:
    variants = list(lines(perfect_run.folder / "variants.jsonl"))
    asked = [line for line in variants if "item" in line]
    skipped = [line for line in variants if "skipped" in line]
    assert len(list(cases(perfect_run.folder))) == len(asked) == perfect_run.scores.asked
    assert all(line["skipped"] for line in skipped)
    for result in perfect_run.scores.attacks:
        own = {line["at"] for line in variants if line["attack"] == result.attack}
        assert len(own) == result.items + sum(result.skipped.values()) > 0


def test_the_clean_score_is_the_official_one(perfect_run: RunResults) -> None:
    spans = [item for item in made_readers.sample() if isinstance(item, SpanItem)]
    texts = {item.id: str(made_readers.last_sentence(item.passage, item.question)) for item in spans}
    wanted = TASKS.get("cmrc2018").metrics["official"](spans, SpanPredictions(Path(), texts)).exact
    run = prove_reader(made_readers.last_sentence, spans, attacks=[], out=perfect_run.folder.parent / "official")
    part = run.scores.part("spans")
    assert part is not None
    assert part.clean["f1"].value == pytest.approx(wanted["F1"])
    assert part.clean["em"].value == pytest.approx(wanted["EM"])
    assert 0 < part.clean["em"].value < 100


def test_triples_have_the_official_score_over_all_three_questions(tmp_path: Path) -> None:
    triples = [item for item in made_readers.sample() if isinstance(item, Triple)]
    wrong = triples[0].negative

    def reader(passage: str, question: str, options: list[str]) -> int:
        if (question, tuple(options)) == (wrong.question, wrong.options):
            return (int(wrong.answer or 0) + 1) % len(options)
        return int(made_readers.perfect(passage, question, options))

    run = prove_reader(reader, triples, attacks=["triples"], out=tmp_path / "run")
    part = run.scores.part("options")
    assert part is not None
    assert part.main == "score"
    assert part.triples == part.questions == len(triples)
    assert part.clean["acc0"].value == part.clean["acc1"].value == part.clean["accuracy"].value == 100
    assert part.clean["acc2"].value == pytest.approx(100 * (len(triples) - 1) / len(triples))
    assert part.clean["score"].value == pytest.approx(50 + 0.5 * part.clean["acc2"].value)
    (result,) = run.scores.attacks
    assert (result.success.wrong, result.success.right) == (1, 2 * len(triples))
    assert [row.name for row in result.strategies] == ["negative", "positive"]


def test_worst_is_never_above_attacked_nor_above_clean(perfect_run: RunResults) -> None:
    for result in perfect_run.scores.attacks:
        for metric, figure in result.worst.items():
            assert figure.value <= result.attacked[metric].value + 1e-9
            assert figure.value <= result.clean[metric].value + 1e-9


def test_the_sanitiser_wins_back_what_invisible_characters_took(perfect_run: RunResults) -> None:
    result = next(one for one in perfect_run.scores.attacks if one.attack == "invisible")
    assert result.attacked["f1"].value < 60
    assert result.sanitised["f1"].value == 100


def test_scoring_again_needs_no_reader_and_changes_nothing(perfect_run: RunResults, tmp_path: Path) -> None:
    folder = shutil.copytree(perfect_run.folder, tmp_path / "moved")
    before = contents(folder)
    (folder / "scores.json").unlink()
    assert rescore_run(folder).scores == perfect_run.scores
    assert contents(folder) == before


def test_limits_can_be_changed_afterwards(perfect_run: RunResults, tmp_path: Path) -> None:
    folder = shutil.copytree(perfect_run.folder, tmp_path / "run")
    failed = rescore_run(folder, fail_under="f1=100,invisible.f1=90")
    assert not failed.passed
    assert [check.outcome for check in failed.scores.verdict.checks if check.kind == "threshold"] == [
        "passed",
        "failed",
    ]
    assert not rescore_run(folder).passed, "the old limits hold"
    assert rescore_run(folder, fail_under="").passed


@given(first=st.integers(0, 10_000), second=st.integers(0, 10_000))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_was_left_of_the_files_a_run_goes_on_to_the_same_bytes(
    first: int, second: int, small_run: RunResults, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A kill, a full disk or a power cut leaves some beginning of each file, torn anywhere."""
    folder = tmp_path_factory.mktemp("torn") / "run"
    shutil.copytree(small_run.folder, folder)
    for name, share in (("variants.jsonl", first), ("answers.jsonl", second)):
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[: len(data) * share // 10_000])
    (folder / "scores.json").unlink()
    prove_reader(made_readers.perfect, small(), out=folder, attacks=SMALL)
    assert contents(folder) == contents(small_run.folder)


def test_an_item_whose_variants_were_half_written_is_made_again(small_run: RunResults, tmp_path: Path) -> None:
    variants = (small_run.folder / "variants.jsonl").read_bytes().splitlines(keepends=True)
    half = [at for at, line in enumerate(variants) if json.loads(line).get("of", 1) == 2 and b'"number": 0' in line]
    half = [at for at in half if b'"attack": "triples"' in variants[at]]
    assert len(half) == 3, "a triple has two variants"
    for at in half:
        folder = shutil.copytree(small_run.folder, tmp_path / f"run-{at}")
        (folder / "variants.jsonl").write_bytes(b"".join(variants[: at + 1]))
        prove_reader(made_readers.perfect, small(), out=folder, attacks=SMALL)
        assert contents(folder) == contents(small_run.folder)


def test_a_disk_that_is_full_at_any_write_gives_a_clear_error_and_a_run_that_goes_on(
    small_run: RunResults, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Random(0)
    folder = tmp_path / "run"
    opening = Journal.__init__

    class Full:
        """A file on a disk that is full now and then: a part of a line is written, then no more."""

        def __init__(self, file: FileIO) -> None:
            self.file = file

        def write(self, data: bytes) -> int:
            if room.random() < 0.002:
                self.file.write(bytes(data)[: len(data) // 2])
                raise OSError(28, "No space left on device")
            return self.file.write(bytes(data)[:100])  # short writes are no errors

        def __getattr__(self, name: str) -> Any:
            return getattr(self.file, name)

    def opened(log: Journal, *arguments: Any) -> None:
        opening(log, *arguments)
        log._file = Full(log._file)  # type: ignore[assignment]

    monkeypatch.setattr(Journal, "__init__", opened)
    stopped = 0
    while True:
        try:
            prove_reader(made_readers.perfect, small(), out=folder, attacks=SMALL)
            break
        except InputError as error:
            assert "No space left" in str(error)
            assert "resumes where it stopped" in error.do
            for name in ("variants.jsonl", "answers.jsonl"):
                assert (folder / name).read_bytes()[-1:] in (b"", b"\n"), "no torn line is left"
            stopped += 1
    assert stopped > 3
    assert contents(folder) == contents(small_run.folder)


def test_a_finished_run_is_not_run_again(small_run: RunResults, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> str:
        raise AssertionError("asked again")

    reader = made_readers.perfect
    before = contents(small_run.folder)
    monkeypatch.setattr("readproof.readers.callable.FunctionReader._call", forbidden)
    assert prove_reader(reader, small(), out=small_run.folder, attacks=SMALL).scores == small_run.scores
    assert contents(small_run.folder) == before


def test_a_text_is_read_once(tmp_path: Path) -> None:
    seen: list[tuple[str, str]] = []

    def reader(passage: str, question: str) -> str:
        seen.append((passage, question))
        return str(made_readers.perfect(passage, question))

    spans = [item for item in made_readers.sample()[:8] if isinstance(item, SpanItem)]
    prove_reader(reader, [*spans, *spans], attacks=["invisible", "typo"], out=tmp_path / "run")
    assert len(seen) == len(set(seen))


def test_another_run_in_the_folder_is_refused(small_run: RunResults) -> None:
    with pytest.raises(InputError, match="its seed differs") as caught:
        prove_reader(made_readers.perfect, small(), out=small_run.folder, attacks=SMALL, seed=1)
    assert "--fresh" in caught.value.do
    with pytest.raises(InputError, match="its reader differs"):
        prove_reader(made_readers.ignores, small(), out=small_run.folder, attacks=SMALL)


def test_a_folder_with_other_files_of_these_names_is_refused(tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"no run\.json"):
        prove_reader(made_readers.perfect, small(), out=tmp_path, attacks=[])
    prove_reader(made_readers.perfect, small(), out=tmp_path, attacks=[], fresh=True)


def test_two_processes_do_not_work_on_one_run(small_run: RunResults) -> None:
    with Journal(small_run.folder / "variants.jsonl"), pytest.raises(InputError, match="another process"):
        prove_reader(made_readers.perfect, small(), out=small_run.folder, attacks=SMALL)


def test_an_unfinished_run_is_not_scored(small_run: RunResults, tmp_path: Path) -> None:
    folder = shutil.copytree(small_run.folder, tmp_path / "run")
    answers = (folder / "answers.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "answers.jsonl").write_bytes(b"".join(answers[:-3]))
    with pytest.raises(InputError, match="do not belong together"):
        rescore_run(folder)
    with pytest.raises(InputError, match="no such folder"):
        open_results(tmp_path / "nowhere")


def test_the_files_say_nothing_of_time_or_place(perfect_run: RunResults) -> None:
    for name in ("run.json", "scores.json"):
        text = (perfect_run.folder / name).read_text(encoding="utf-8")
        assert str(perfect_run.folder) not in text
        assert "seconds" not in text
    facts = json.loads((perfect_run.folder / "run.json").read_text(encoding="utf-8"))
    assert facts == to_plain(perfect_run.scores.run)

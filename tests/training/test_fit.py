from __future__ import annotations

from pathlib import Path

import pytest
import torch

from readproof.training.finetune import span_loss
from readproof.training.fit import OutOfTimeError, fit
from readproof.training.measure import EvalSet, measure
from readproof.training.model import SpanReader, averaged, plain_state, reader_from
from readproof.training.recipe import Fit
from readproof.training.windows import SpanExamples


def test_a_reader_learns_its_questions(reader: SpanReader, prepared: EvalSet) -> None:
    lines: list[str] = []
    how = Fit(epochs=60, lr=3e-3, batch=4, ema=0.9)
    average = fit(reader, SpanExamples(prepared.windows), span_loss(reader), how, progress=lines.append)
    found = measure([reader], prepared)
    assert found.exact == 100.0
    assert found.answers[0].raw == "越南"
    assert average is not None
    with average.applied():
        assert measure([reader], prepared).f1 > 50
    assert measure([reader], prepared).exact == 100.0
    assert "windows/s" in lines[0]


@pytest.mark.parametrize("extra", [{"fgm": 1.0}, {"layer_decay": 0.9}, {"head": 5.0, "schedule": 2.0}])
def test_options_run(reader: SpanReader, prepared: EvalSet, extra: dict[str, float]) -> None:
    before = plain_state(reader)
    fit(
        reader,
        SpanExamples(prepared.windows),
        span_loss(reader, rdrop=1.0, smoothing=0.1),
        Fit(batch=4, lr=1e-3, **extra),
    )
    assert any(not torch.equal(before[name], tensor) for name, tensor in plain_state(reader).items())


def test_a_stopped_run_goes_on_as_if_nothing_had_been(reader: SpanReader, prepared: EvalSet, tmp_path: Path) -> None:
    how = Fit(epochs=3, batch=2, lr=1e-3, ema=0.9)
    start = plain_state(reader)
    fit(reader, SpanExamples(prepared.windows), span_loss(reader), how)
    other = reader_from(start)
    checkpoint = tmp_path / "run.pt"
    calls = iter(range(1000))
    with pytest.raises(OutOfTimeError):
        fit(
            other,
            SpanExamples(prepared.windows),
            span_loss(other),
            how,
            checkpoint=checkpoint,
            out_of_time=lambda: next(calls) == 5,
        )
    third = reader_from(start)
    fit(third, SpanExamples(prepared.windows), span_loss(third), how, checkpoint=checkpoint)
    for name, tensor in plain_state(reader).items():
        torch.testing.assert_close(plain_state(third)[name], tensor)


def test_a_soup_is_the_mean(reader: SpanReader) -> None:
    state = plain_state(reader)
    other = {name: tensor + 2 for name, tensor in state.items()}
    torch.testing.assert_close(averaged([state, other])["qa_outputs.bias"], state["qa_outputs.bias"] + 1)


def test_an_answer_does_not_depend_on_its_batch(reader: SpanReader, prepared: EvalSet) -> None:
    alone = [answer.text for answer in measure([reader], prepared, size=1).answers]
    assert alone == [answer.text for answer in measure([reader], prepared, size=64).answers]

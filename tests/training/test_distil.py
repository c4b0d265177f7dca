from __future__ import annotations

import numpy as np
import torch

from readproof.training.distil import distil_loss, gathered, student_of
from readproof.training.finetune import span_loss
from readproof.training.fit import fit
from readproof.training.losses import divergence, hidden_loss, relation_loss
from readproof.training.measure import EvalSet, log_probabilities, measure
from readproof.training.model import SpanReader
from readproof.training.recipe import DistilRecipe, Fit
from readproof.training.windows import SpanExamples, collate


def test_a_student_takes_on_what_its_teacher_says(reader: SpanReader, prepared: EvalSet) -> None:
    fit(reader, SpanExamples(prepared.windows), span_loss(reader), Fit(epochs=60, lr=3e-3, batch=4))
    said = log_probabilities([reader], prepared.windows)
    recipe = DistilRecipe(sets=("a",), layers=(1, 3), gold=0.0, relation=0.1, fit=Fit(epochs=60, lr=3e-3, batch=4))
    student = student_of(reader, recipe.layers)
    assert student.bert.shape.layers == 2
    fit(
        student,
        SpanExamples(prepared.windows),
        distil_loss(student, reader, prepared.windows, said, recipe),
        recipe.fit,
    )
    assert measure([student], prepared).exact == 100.0


def test_said_comes_back_window_by_window(reader: SpanReader, prepared: EvalSet) -> None:
    said = log_probabilities([reader, reader], prepared.windows, size=2)
    batch = collate(prepared.windows, np.arange(3))
    with torch.inference_mode():
        logs = reader.eval()(batch)[0]
    found = gathered(prepared.windows, said, batch.index, logs.shape[1])
    torch.testing.assert_close(found[batch.valid], logs[batch.valid], rtol=1e-2, atol=1e-2)
    assert divergence(logs, found, batch.valid, temperature=2.0).abs() < 1e-3


def test_nothing_is_lost_between_equals() -> None:
    hidden, inside = torch.randn(2, 8, 64), torch.arange(8)[None, :] < torch.tensor([8, 5])[:, None]
    values = torch.randn(2, 4, 8, 16)
    assert hidden_loss(hidden, hidden, inside) == 0
    assert relation_loss(values, values, inside).abs() < 1e-6
    changed = hidden.clone()
    changed[1, 6] += 5
    assert hidden_loss(changed, hidden, inside) == 0

"""On a GPU: kernels that give the same result every time, wherever every kernel that hardening uses has one."""

from __future__ import annotations

import numpy as np
import torch

from readproof.training.adversarial.aligned import Attacked
from readproof.training.adversarial.batches import Mixed
from readproof.training.adversarial.losses import hardening_loss
from readproof.training.adversarial.reading import TorchWindows
from readproof.training.adversarial.recipe import Recipe
from readproof.training.fit import backward
from readproof.training.learner import SpanLearner
from readproof.training.windows import Windows

_FEW = 4


def repeatable(reader: SpanLearner, recipe: Recipe, clean: Windows) -> bool:
    """Asks for such kernels, and tries each once; where one has no such form, a warning is all that can be had.

    The attention's gradients are the same again only when they are demanded: asked for with a warning, they are not.
    """
    if not next(reader.parameters()).is_cuda:
        return True
    torch.use_deterministic_algorithms(True, warn_only=False)
    try:
        tried(reader, recipe, clean)
    except RuntimeError as error:
        if "deterministic" not in str(error):
            raise
        torch.use_deterministic_algorithms(True, warn_only=True)
        return False
    finally:
        reader.zero_grad(set_to_none=True)
    return True


def tried(reader: SpanLearner, recipe: Recipe, clean: Windows) -> None:
    """All that training and the attacks ask of the device, once, with a few windows that are held to themselves."""
    few = first_windows(clean, min(_FEW, len(clean)))
    attacked = Attacked(few, np.arange(len(few), dtype=np.int32), _own_places(few))
    said = np.zeros((len(few.ids), 2), np.float16)
    examples = Mixed(few, attacked, said)
    device = next(reader.parameters()).device
    for batch in examples.batches(2 * _FEW, 0):
        backward(hardening_loss(reader, recipe), examples.collate(batch).to(device), device)
    model = TorchWindows(reader)
    model.spans(few, 2)
    model.slopes(few, np.asarray([[0, int(few.heads[0])]], dtype=np.int32), np.asarray([1], dtype=np.int32))


def first_windows(windows: Windows, count: int) -> Windows:
    """The first windows of many."""
    return Windows(
        frame=windows.frame,
        ids=windows.ids[: int(windows.offsets[count])],
        offsets=windows.offsets[: count + 1],
        questions=windows.questions[:count],
        heads=windows.heads[:count],
        firsts=windows.firsts[:count],
        golds=windows.golds[:count],
        labelled=windows.labelled[:count],
    )


def _own_places(windows: Windows) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.concatenate([np.arange(length, dtype=np.int32) for length in windows.lengths.tolist()])

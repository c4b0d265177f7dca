"""What a multi-exit reader's answer costs: the modules it passed, and the multiply-adds of each by the published rules.

emb            token ids (length)
layer_3        all tokens (length, hidden)
part_3         layer 3 for some tokens alone (length, some, hidden): all of them are read, some are worked out
exit_3         the head after layer 3
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from readproof.efficiency import rules
from readproof.efficiency.modules import ModuleUse, Trace
from readproof.efficiency.predictions import ANSWER_KEYS
from readproof.errors import InputError
from readproof.files import writing
from readproof.items import Answer, Item
from readproof.readers.exits.config import ExitConfig
from readproof.readers.exits.modelfile import FILE


def chain(config: ExitConfig, length: int, scored: int, tried: Sequence[int]) -> Trace:
    """A row that went up to the last exit it tried; `scored` is how many of its places a head scores."""
    uses = [ModuleUse("emb", (length,))]
    below = 0
    for layer in tried:
        uses += [ModuleUse(f"layer_{number}", (length, config.hidden)) for number in range(below + 1, layer + 1)]
        uses.append(head_use(config, layer, length, scored))
        below = layer
    return tuple(uses)


def token_chain(config: ExitConfig, length: int, frame: int, going: Sequence[int]) -> Trace:
    """A row whose characters stop one by one: `going` is how many went up to each exit, beside `frame` other tokens."""
    uses = [ModuleUse("emb", (length,))]
    below = 0
    for layer, count in zip(config.exits, going, strict=False):
        uses += [_layer_use(config, number, length, count + frame) for number in range(below + 1, layer + 1)]
        uses.append(head_use(config, layer, length, count))
        below = layer
    return tuple(uses)


def head_use(config: ExitConfig, layer: int, length: int, scored: int) -> ModuleUse:
    """The head after a layer, on what it sees."""
    if config.kind == "spans" or (config.kind != "tags" and config.pool == "mean"):
        return ModuleUse(f"exit_{layer}", (length, config.hidden))
    if config.kind == "label" or (config.kind == "choice" and not config.together):
        return ModuleUse(f"exit_{layer}", (config.hidden,))
    return ModuleUse(f"exit_{layer}", (scored, config.hidden))


def _layer_use(config: ExitConfig, layer: int, length: int, active: int) -> ModuleUse:
    """A layer on a row of which so many tokens are worked out."""
    if active == length:
        return ModuleUse(f"layer_{layer}", (length, config.hidden))
    return ModuleUse(f"part_{layer}", (length, active, config.hidden))


def macs(config: ExitConfig, use: ModuleUse) -> int:
    """The multiply-adds of one use, as the published counter and `readproof elue` have them."""
    hidden = config.hidden
    if use.name == "emb":
        length = use.shape[0]
        narrow = config.embedding or hidden
        wider = rules.linear((length, narrow), hidden) if config.embedding else 0
        return rules.norm((length, narrow), True) + wider
    if use.name.startswith("exit_"):
        mean = config.pool == "mean" and config.kind in ("label", "choice")
        seen = use.shape[1:] if mean else use.shape
        pooled = rules.linear(seen, hidden) if config.pooled else 0
        return pooled + rules.linear(seen, config.outputs)
    length, active = use.shape[0], use.shape[1] if use.name.startswith("part_") else use.shape[0]
    width, heads = config.width, config.heads
    scores = heads * active * length
    attention = (active + 2 * length) * hidden * width + 2 * scores + 2 * scores * (width // heads if heads else 0)
    dense = rules.linear((active, width), hidden) + 2 * rules.linear((active, hidden), config.inner)
    return attention + dense + 2 * rules.norm((active, hidden), True)


def flops(config: ExitConfig, trace: Trace) -> int:
    """What an answer costs."""
    return rules.FLOPS_PER_MAC * sum(macs(config, use) for use in trace)


def parameters(config: ExitConfig, layers: int = 0) -> int:
    """Of the whole reader; or of its first layers with one head, which is all that a reader of fixed depth needs."""
    hidden, narrow = config.hidden, config.embedding or config.hidden
    words = (config.rows + config.positions + config.types + 2) * narrow
    words += (narrow + 1) * hidden if config.embedding else 0
    attention = 3 * (hidden + 1) * config.width + (config.width + 1) * hidden
    layer = attention + (hidden + 1) * config.inner + (config.inner + 1) * hidden + 4 * hidden
    head = ((hidden + 1) * hidden if config.pooled else 0) + (hidden + 1) * config.outputs
    return words + (layers or config.layers) * layer + (1 if layers else len(config.exits)) * head


# Prediction files with what each answer cost: CELUE's own lines with `modules`, and the model file beside them.
#
# The format of another task has no place for modules; there they go to OUT.modules.jsonl, a line an item.


Write = Callable[[Iterable[Item], Mapping[str, Answer], TextIO], None]


def check_model_file(text: str, out: Path) -> None:
    """An InputError where the folder of the predictions has the model file of another reader."""
    path = out.parent / FILE
    if path.is_file() and path.read_text(encoding="utf-8") != text:
        found, expected = "the model file of another reader", "one reader for all predictions of a folder"
        raise InputError(file=path, found=found, expected=expected, do="Write the predictions to another folder.")


def with_modules(write: Write) -> Write:
    """The task's own writer of lines, each with its modules."""

    def traced(items: Iterable[Item], answers: Mapping[str, Answer], file: TextIO) -> None:
        listed = list(items)
        plain = io.StringIO()
        write(listed, answers, plain)
        for item, line in zip(listed, plain.getvalue().splitlines(), strict=True):
            record: dict[str, Any] = json.loads(line)
            record["modules"] = answers[item.id].modules if item.id in answers else None
            file.write(json.dumps(record, ensure_ascii=False) + "\n")

    return traced


def beside(items: Iterable[Item], answers: Mapping[str, Answer], out: Path, task: str, model: str) -> list[Path]:
    """The model file and, for a task whose lines have no modules, those of each item; gives what was written."""
    written = [out.parent / FILE]
    with writing(written[0]) as file:
        file.write(model)
    if task not in ANSWER_KEYS:
        written.append(out.with_name(f"{out.name}.modules.jsonl"))
        with writing(written[1]) as file:
            for item in items:
                answer = answers[item.id]
                record = {"id": item.id, "exit": answer.exit, "modules": answer.modules}
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return written

"""What the jobs of a multi-exit training share: the parts of the data as units, and how good each head is on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from torch import Tensor

from readproof.items import Item, SpanItem, TagItem
from readproof.readers.exits.asking import Asking, tag_set
from readproof.readers.exits.config import ExitConfig, Kind
from readproof.readers.exits.deciding import Policy
from readproof.tasks import TASKS
from readproof.training.encoder import shape_of
from readproof.training.fit import TrainingExamples
from readproof.training.measure import EvalSet
from readproof.training.multi_exit.measure import HeadOutputs, SpanOutputs, by_exit, said_by, span_scores, spans_said
from readproof.training.multi_exit.model import MultiExit, exit_weights, multi_exit_from
from readproof.training.multi_exit.recipe import ExitPlan
from readproof.training.multi_exit.sets import Parts, UnitRows, asked
from readproof.training.sets import prepare
from readproof.training.site import Judged, Say, TrainingSite
from readproof.training.start import BertStart
from readproof.training.windows import SpanExamples, collate
from readproof.training.work import WorkFolder

KINDS: Mapping[str, Kind] = {
    "ccpm": "choice",
    "chnc": "label",
    "cmeee": "tags",
    "pku-segpos": "tags",
    "wordseg-weibo": "tags",
    "cmrc2018": "spans",
}
_WORDS = ("pku-segpos", "wordseg-weibo")
_SHOWN = 64


class ExitBench(TrainingSite):
    """One training of one task."""

    def __init__(
        self,
        plan: ExitPlan,
        work: WorkFolder,
        parts: Parts,
        start: BertStart,
        *,
        say: Say,
        save_every: float = 120.0,
        replay: bool = True,
    ) -> None:
        super().__init__(work, {}, say=say, save_every=save_every)
        self.plan, self.parts, self.start = plan, parts, start
        self.replay = replay
        self._units: dict[str, UnitRows | EvalSet] = {}
        self.labels = self._labels()

    @property
    def task(self) -> str:
        return self.plan.task

    def config(self, tensors: Mapping[str, Tensor]) -> ExitConfig:
        """What a model with these tensors is."""
        bare = {name.removeprefix("bert."): one for name, one in tensors.items() if not name.startswith("exits.")}
        shape = shape_of({name: one for name, one in bare.items() if not name.startswith("qa_outputs.")})
        kind, plan = KINDS[self.task], self.plan
        outputs = {"choice": 1, "spans": 2}.get(kind, len(self.labels))
        exits = tuple(layer for layer in plan.exits if layer < shape.layers) if plan.exits else range(1, shape.layers)
        return ExitConfig(
            kind=kind,
            task=self.task,
            exits=(*exits, shape.layers),
            rows=shape.rows,
            hidden=shape.hidden,
            heads=shape.heads,
            width=shape.across,
            inner=shape.inner,
            positions=shape.positions,
            types=shape.types,
            embedding=shape.embedding,
            outputs=outputs,
            labels=self.labels,
            pool=plan.pool if kind in ("label", "choice") else "first",
            pooled=plan.pooled and kind in ("label", "choice"),
            together=plan.together and kind == "choice",
            max_tokens=min(plan.max_tokens, shape.positions),
        )

    def model(self, tensors: Mapping[str, Tensor]) -> MultiExit:
        config = self.config(tensors)
        if self.plan.weights == "last" and not self.plan.exits:
            config = replace(config, exits=config.exits[-1:])
        return multi_exit_from(tensors, config, dropout=self.plan.dropout).to(self.device)

    def units(self, part: str, config: ExitConfig) -> UnitRows | EvalSet:
        """A part of the data (first, learnt, held, measured), made ready once."""
        if part not in self._units:
            items: list[Item] = getattr(self.parts, part)
            if config.kind == "spans":
                spans = [item for item in items if isinstance(item, SpanItem)]
                tokenizer = self.start.vocabulary.tokenizer()
                overlap = min(self.plan.overlap, config.max_tokens // 4)
                self._units[part] = prepare(spans, tokenizer, max_tokens=config.max_tokens, overlap=overlap)
            else:
                self._units[part] = asked(items, Asking(self.start.vocabulary, config), config)
        return self._units[part]

    def examples(self, config: ExitConfig, part: str = "learnt") -> tuple[TrainingExamples, int]:
        """What is learnt from, and how many units that are."""
        found = self.units(part, config)
        if isinstance(found, EvalSet):
            return SpanExamples(found.windows), len(found.windows)
        return found, len(found)

    def shown(self, config: ExitConfig) -> Iterator[Any]:
        """Batches of one unit each, to see how far activations reach."""
        found = self.units("learnt", config)
        count = len(found.windows) if isinstance(found, EvalSet) else len(found)
        for at in range(0, count, max(1, count // _SHOWN)):
            one = np.array([at])
            yield collate(found.windows, one) if isinstance(found, EvalSet) else found.collate(one)

    def said(self, model: MultiExit, part: str) -> HeadOutputs | SpanOutputs:
        """What every head says of a part of the data."""
        found = self.units(part, model.config)
        return spans_said(model, found) if isinstance(found, EvalSet) else said_by(model, found)

    def scores(self, model: MultiExit, part: str, said: HeadOutputs | SpanOutputs) -> dict[str, dict[str, float]]:
        """Of each exit: performance (of spans the mean of EM and F1) and FLOPs an item."""
        found = self.units(part, model.config)
        if isinstance(said, HeadOutputs):
            items: list[Item] = getattr(self.parts, part)
            pairs = by_exit(self.task, items, said, model.config)
            return {str(layer): {"performance": one[0], "flops": one[1]} for layer, one in pairs.items()}
        if not isinstance(found, EvalSet):
            raise TypeError(type(found).__name__)
        out: dict[str, dict[str, float]] = {}
        for layer in said.exits:
            exact, f1, flops, _ = span_scores(found, said, model.config, Policy("layer", layer))
            out[str(layer)] = {"performance": (exact + f1) / 2, "exact": exact, "f1": f1, "flops": flops}
        return out

    def held(self, readers: Sequence[Any]) -> Judged:
        """Scores of each exit on the held-out part, and their mean, weighed as the losses are."""
        if not self.parts.held:
            return {}, None
        model: MultiExit = readers[0]
        found = self.scores(model, "held", self.said(model, "held"))
        shares = exit_weights(self.plan.weights, model.config.exits)
        each = [found[str(layer)]["performance"] for layer in model.config.exits]
        return found, sum(share * one for share, one in zip(shares, each, strict=True))

    def in_words(self, found: Mapping[str, Any]) -> str:
        return in_words(found)

    def _labels(self) -> tuple[str, ...]:
        kind = KINDS[self.task]
        if kind == "label":
            return tuple(TASKS.get(self.task).labels)
        if kind != "tags":
            return ()
        items = [item for item in (*self.parts.learnt, *self.parts.held) if isinstance(item, TagItem)]
        return tag_set(items, words=self.task in _WORDS)


def in_words(found: Mapping[str, Mapping[str, float]]) -> str:
    """Scores on one line: exit performance."""
    return ", ".join(f"{layer}: {one['performance']:.2f}" for layer, one in found.items())

"""Counting one module on one shape: it runs on an input without numbers, and each part is counted by its rule.

Parts that the published counter knows are counted as it does and not looked into. What an unknown part computes by
itself (an attention of another name, a product written by hand) is traced, added, and said to be an estimate; the
published counter would give it away. Biases, norms written by hand and other element-wise work stay free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from readproof.efficiency.known import Known, RankError, Run, known
from readproof.efficiency.products import watching


@dataclass(frozen=True, slots=True)
class Count:
    """Multiply-adds of a module on a shape; how many of them are an estimate, by class of module.

    `words` says that the input was numbers of words, not vectors.
    """

    macs: int
    estimated: dict[str, int] = field(default_factory=dict)
    words: bool = field(default=False, compare=False)


def count(module: Any, shape: Sequence[int]) -> Count:
    """Run the module on one item of this shape and count. What the module raises is raised on."""
    errors: list[BaseException] = []
    for kind in _kinds(module, shape):
        counter = _Counter()
        try:
            counter.run(module, _item(module, shape, kind))
        except Exception as error:
            errors.append(error)
            continue
        return replace(counter.result(), words=kind == "words")
    raise errors[0]


def _kinds(module: Any, shape: Sequence[int]) -> Sequence[str]:
    """Numbers of words where the module has a table of words and the shape is a sequence; else vectors first."""
    import torch

    tables = any(isinstance(part, torch.nn.Embedding | torch.nn.EmbeddingBag) for part in module.modules())
    if not tables:
        return ("vectors",)
    return ("words", "vectors") if len(shape) == 1 else ("vectors", "words")


def _item(module: Any, shape: Sequence[int], kind: str) -> Any:
    import torch

    tensors = [*module.parameters(), *module.buffers()]
    device = tensors[0].device if tensors else torch.device("meta")
    floats = [one.dtype for one in tensors if one.is_floating_point()]
    number = torch.long if kind == "words" else floats[0] if floats else torch.get_default_dtype()
    return torch.zeros((1, *shape), dtype=number, device=device)


class _Counter:
    """The parts that are running now, and what has been counted."""

    def __init__(self) -> None:
        self._total = 0
        self._estimated: Counter[str] = Counter()
        self._running: list[Any] = []
        self._within: tuple[Any, Known] | None = None
        self._seen_within = 0
        # of each part, the scores that wait between two products
        self._waiting: dict[int, int] = {}

    def run(self, module: Any, item: Any) -> None:
        hooks = []
        for part in module.modules():
            hooks.append(part.register_forward_pre_hook(self._enter))
            hooks.append(part.register_forward_hook(self._leave, with_kwargs=True))
        module.eval()
        try:
            with watching(self._operation):
                module(item)
        finally:
            for hook in hooks:
                hook.remove()

    def result(self) -> Count:
        return Count(self._total, dict(sorted(self._estimated.items())))

    def _enter(self, part: Any, _: Any) -> None:
        self._running.append(part)
        if self._within is None:
            found = known(part)
            if found is not None:
                self._within = part, found
                self._seen_within = 0

    def _leave(self, part: Any, inputs: Any, named: Any, output: Any) -> None:
        self._running.pop()
        if self._within is None or self._within[0] is not part or any(one is part for one in self._running):
            return
        found = self._within[1]
        self._within = None
        try:
            macs = found.rule(Run(part, inputs, named, output))
        except RankError:
            if found.exact:
                raise
            self._add(self._seen_within, part)
            return
        except (AttributeError, KeyError, IndexError, StopIteration, TypeError, ValueError):
            self._add(self._seen_within, part)
            return
        if found.exact and self._seen_within <= macs:
            self._total += macs
        elif found.exact and found.base.startswith("nn."):
            # torch's own classes compute what their rule says; the rule has the last word
            self._total += macs
        else:
            self._add(max(macs, self._seen_within), part)

    def _operation(self, macs: int, softmax: bool) -> None:
        if self._within is not None:
            # the rules of known attentions have their softmax
            self._seen_within += 0 if softmax else macs
            return
        if softmax:
            self._wait(macs)
            return
        owner = self._running[-1]
        self._add(macs + self._waiting.get(id(owner), 0), owner)
        self._waiting[id(owner)] = 0

    def _wait(self, macs: int) -> None:
        """A softmax counts only before another product: that of a classifier is free. It may be a part of its own."""
        for owner in self._running[-1:-3:-1]:
            if id(owner) in self._waiting:
                self._waiting[id(owner)] += macs
                return

    def _add(self, macs: int, part: Any) -> None:
        self._total += macs
        if macs:
            self._estimated[type(part).__name__] += macs

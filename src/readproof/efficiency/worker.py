"""The sandboxed side: `python -m readproof.efficiency.worker` reads one JSON request and writes one JSON answer.

    {"model": "model_to_eval.py", "wanted": [["layer_1", [128, 768]], …]}
    {"costs": [{"macs": …, "estimated": {…}, "parameters": …, "words": …} or {"fault": "…"}, …], "parameters": …,
     "frozen": …, "modules": […], "notes": […], "fault": ""}

The answers stand in the order of the questions. It runs the model file in this very process, so all that it says is
what the file makes it say: the caller checks the form of the answer, and a package's cost is its author's statement.
"""

from __future__ import annotations

import json
import os
from collections.abc import Hashable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readproof.efficiency.sandbox_channel import open_channel

if TYPE_CHECKING:
    from readproof.efficiency.building import Built
    from readproof.efficiency.counting import Count

_LISTED = 2000


def main() -> None:
    channel = open_channel()  # before anything of theirs runs
    request = json.loads(channel.request)
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error", TOKENIZERS_PARALLELISM="false")
    _prepare()
    channel.answer(json.dumps(answer(request)).encode())


def _prepare() -> None:
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)
    # the fast path of torch's own encoder layers calls no hooks
    torch.backends.mha.set_fastpath_enabled(False)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """All costs that are asked for, or the fault that stands in their way."""
    if not find_spec("torch"):
        return {"fault": "no torch", "missing": "torch"}
    from readproof.efficiency.building import ModelFileError, build

    try:
        built = build(Path(request["model"]))
    except ModelFileError as error:
        return {"fault": error.found, "expected": error.expected}
    except OSError as error:
        return {"fault": f"a model file that cannot be read ({error.strerror})"}
    notes = list(built.notes)
    costs = _Costs(built, notes)
    found = [costs.of(name, tuple(shape)) for name, shape in request["wanted"]]
    trained, frozen = _whole(built, notes)
    return {
        "fault": "",
        "costs": found,
        "parameters": trained,
        "frozen": frozen,
        "modules": sorted(built.modules)[:_LISTED],
        "notes": notes,
    }


class _Costs:
    """Costs by module and shape, each counted once for all modules that are alike."""

    def __init__(self, built: Built, notes: list[str]) -> None:
        self._modules = built.modules
        self._notes = notes
        self._kinds: dict[Hashable, int] = {}
        self._kind: dict[str, int] = {}
        self._counted: dict[tuple[int, tuple[int, ...]], Count | str] = {}

    def of(self, name: str, shape: tuple[int, ...]) -> dict[str, Any]:
        from readproof.efficiency.building import parameters
        from readproof.efficiency.missing import no_such_module

        if name not in self._modules:
            return {"fault": no_such_module("module_list", name, self._modules)}
        module = self._modules[name]
        if name not in self._kind:
            self._kind[name] = self._kinds.setdefault(_likeness(module), len(self._kinds))
        key = self._kind[name], shape
        if key not in self._counted:
            self._counted[key] = self._count(name, module, shape)
        found = self._counted[key]
        if isinstance(found, str):
            return {"fault": found}
        whole = sum(parameters(module))
        return {"macs": found.macs, "estimated": found.estimated, "parameters": whole, "words": found.words}

    def _count(self, name: str, module: Any, shape: tuple[int, ...]) -> Count | str:
        from readproof.efficiency.counting import count
        from readproof.efficiency.known import RankError

        try:
            return count(module, shape)
        except BaseException as error:  # a module may even ask to exit
            first = error
        if "meta" not in str(first).lower() or isinstance(first, RankError):
            return _unfit(first)
        try:
            self._fill(name, module)
            return count(module, shape)
        except BaseException as error:
            return _unfit(error)

    def _fill(self, name: str, module: Any) -> None:
        """Give a module numbers: its way depends on them."""
        import torch

        module.to_empty(device="cpu")
        with torch.no_grad():
            for one in (*module.parameters(), *module.buffers()):
                one.zero_()
        self._notes.append(f"{name} was run with weights of zero: it does not run on torch's meta device")


def _unfit(error: BaseException) -> str:
    """Why a module does not run on a shape."""
    from readproof.efficiency.building import told
    from readproof.efficiency.known import RankError
    from readproof.efficiency.plainly import plainly

    whole = told(error)
    kind = type(error).__name__
    why = whole.removeprefix(f"{kind}: ") if isinstance(error, RankError) else plainly(whole) or whole
    return f"it does not run alone on this shape ({why})"


def _likeness(module: Any) -> Hashable:
    from readproof.efficiency.likeness import likeness

    try:
        return likeness(module)
    except (RecursionError, TypeError):
        return id(module)


def _whole(built: Built, notes: list[str]) -> tuple[int, int]:
    """Trained and frozen parameters of the entire model, or else of all modules together."""
    from readproof.efficiency.building import parameters

    every = {id(one): one for module in built.modules.values() for one in module.parameters()}
    if built.whole is None:
        notes.append("the file has no entire_model: the parameters are those of all modules in module_list")
        trained = sum(one.numel() for one in every.values() if one.requires_grad)
        return trained, sum(one.numel() for one in every.values()) - trained
    trained, frozen = parameters(built.whole)
    together = sum(one.numel() for one in every.values())
    if together > trained + frozen:
        notes.append(
            f"the modules of module_list have {together:,} parameters, more than entire_model ({trained + frozen:,})"
        )
    return trained, frozen


if __name__ == "__main__":
    main()

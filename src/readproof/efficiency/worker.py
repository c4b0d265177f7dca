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
import re
import sys
from collections.abc import Hashable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from readproof.efficiency.sandbox_channel import open_channel

if TYPE_CHECKING:
    from readproof.efficiency.counting import OperationCount


# Executing a model file: its modules are made on the meta device, where weights have shapes and no numbers.
#
# This runs code that we do not know. It belongs in the sandboxed worker and nowhere else.


_NAME = "model_to_eval"
_LARGEST_FILE = 4 << 20
_PYTHON = "a file of Python that defines module_list and entire_model"


class ModelFileError(Exception):
    """The model file cannot be used: what was found, and what was expected where that is not a file that runs."""

    def __init__(self, found: str, expected: str = "") -> None:
        self.found = found
        self.expected = expected
        super().__init__(found)


@dataclass(frozen=True, slots=True)
class BuiltModel:
    """What a model file defines."""

    modules: dict[str, Any]
    whole: Any | None
    notes: tuple[str, ...]


def build(path: Path) -> BuiltModel:
    """The `module_list` and the `entire_model` of a model file."""
    import torch

    code = _code(path)
    notes: list[str] = []
    try:
        with torch.device("meta"):
            space = _executed(code, path)
    except (NotImplementedError, RuntimeError) as error:
        # such as .item() on a tensor without numbers
        if "meta" not in str(error).lower():
            raise _failed(error) from error
        notes.append("built with real weights: the file does not run on torch's meta device")
        try:
            space = _executed(code, path)
        except BaseException as other:
            raise _failed(other) from other
    except ModelFileError:
        raise
    except BaseException as error:
        raise _failed(error) from error
    return BuiltModel(_modules(space), _entire_model(space), tuple(notes))


def parameters(module: Any) -> tuple[int, int]:
    """Parameters that are trained, as the published counter has them, and those that are frozen."""
    found = list(module.parameters())
    trained = sum(one.numel() for one in found if one.requires_grad)
    return trained, sum(one.numel() for one in found) - trained


def _code(path: Path) -> Any:
    source = path.read_bytes()
    if len(source) > _LARGEST_FILE:
        raise ModelFileError(f"a file of {len(source):,} bytes", f"at most {_LARGEST_FILE:,}")
    try:
        return compile(source, str(path), "exec")
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        reason = getattr(error, "msg", None) or error
        raise ModelFileError(f"no valid Python{f' in line {line}' if line else ''} ({reason})", _PYTHON) from error


def _executed(code: Any, path: Path) -> dict[str, Any]:
    module = ModuleType(_NAME)
    module.__file__ = str(path)
    sys.modules[_NAME] = module
    exec(code, module.__dict__)  # the whole purpose of the sandboxed process
    return module.__dict__


def _failed(error: BaseException) -> ModelFileError:
    return ModelFileError(f"a file that fails when it runs: {told(error)}")


def told(error: BaseException) -> str:
    """An error of theirs in one line."""
    try:
        text = " ".join(str(error).split())
    except BaseException:
        text = "(an error that cannot be shown)"
    return f"{type(error).__name__}: {text[:300]}".removesuffix(": ")


def _modules(space: dict[str, Any]) -> dict[str, Any]:
    import torch

    found = space.get("module_list")
    if isinstance(found, torch.nn.ModuleDict):
        found = dict(found.items())
    if not isinstance(found, dict) or not found:
        raise ModelFileError(
            "no module_list" if found is None else f"module_list, a {type(found).__name__}",
            "the dictionary module_list {name: torch.nn.Module}",
        )
    wrong = [repr(name) for name, one in found.items() if not isinstance(name, str) or not _is_module(one)]
    if wrong:
        raise ModelFileError(f"entries of module_list that are no modules: {', '.join(wrong[:5])}", "torch.nn.Module")
    return found


def _is_module(one: Any) -> bool:
    import torch

    return isinstance(one, torch.nn.Module)


def _entire_model(space: dict[str, Any]) -> Any | None:
    found = space.get("entire_model")
    if found is not None and not _is_module(found):
        raise ModelFileError(f"entire_model, a {type(found).__name__}", "a torch.nn.Module")
    return found


# What torch says when a shape does not fit a module, in the words of shapes; other errors stay as they are.


# torch's texts on the processor and on the meta device, with what came and what was wanted
_WIDTHS = (
    re.compile(r"shapes cannot be multiplied \([0-9]+x(?P<came>[0-9]+) and (?P<wanted>[0-9]+)x[0-9]+\)"),
    re.compile(r"same reduction dim, but got \[[0-9]+, (?P<came>[0-9]+)\] X \[(?P<wanted>[0-9]+), [0-9]+\]"),
    re.compile(r"normalized_shape=\[(?P<wanted>[0-9]+)\].* of size\D*\[(?:[0-9]+, )*(?P<came>[0-9]+)\]"),
    re.compile(r"must be equal to input_size\. Expected (?P<wanted>[0-9]+), got (?P<came>[0-9]+)"),
)
_BATCHED = re.compile(r"unbatched 2D or batched 3D tensor but received 4-D")


def plainly(text: str) -> str:
    """The fault of a shape in plain words; nothing where the text is of another kind."""
    for pattern in _WIDTHS:
        found = pattern.search(text)
        if found:
            return f"a part of it takes vectors of {found['wanted']} numbers and got {found['came']}"
    return "its attention takes (tokens, width): a shape has no batch dimension" if _BATCHED.search(text) else ""


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

    try:
        built = build(Path(request["model"]))
    except ModelFileError as error:
        return {"fault": error.found, "expected": error.expected}
    except OSError as error:
        return {"fault": f"a model file that cannot be read ({error.strerror})"}
    notes = list(built.notes)
    costs = _Costs(built, notes)
    found = [costs.of(name, tuple(shape)) for name, shape in request["wanted"]]
    trained, frozen = _parameters_of_all(built, notes)
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

    def __init__(self, built: BuiltModel, notes: list[str]) -> None:
        self._modules = built.modules
        self._notes = notes
        self._kinds: dict[Hashable, int] = {}
        self._kind: dict[str, int] = {}
        self._counted: dict[tuple[int, tuple[int, ...]], OperationCount | str] = {}

    def of(self, name: str, shape: tuple[int, ...]) -> dict[str, Any]:
        from readproof.efficiency.modules import no_such_module

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

    def _count(self, name: str, module: Any, shape: tuple[int, ...]) -> OperationCount | str:
        from readproof.efficiency.counting import RankError, count

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
    from readproof.efficiency.counting import RankError

    whole = told(error)
    kind = type(error).__name__
    why = whole.removeprefix(f"{kind}: ") if isinstance(error, RankError) else plainly(whole) or whole
    return f"it does not run alone on this shape ({why})"


def _likeness(module: Any) -> Hashable:
    from readproof.efficiency.counting import likeness

    try:
        return likeness(module)
    except (RecursionError, TypeError):
        return id(module)


def _parameters_of_all(built: BuiltModel, notes: list[str]) -> tuple[int, int]:
    """Trained and frozen parameters of the entire model, or else of all modules together."""

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

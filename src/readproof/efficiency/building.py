"""Executing a model file: its modules are made on the meta device, where weights have shapes and no numbers.

This runs code that we do not know. It belongs in the sandboxed worker and nowhere else.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

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
class Built:
    """What a model file defines."""

    modules: dict[str, Any]
    whole: Any | None
    notes: tuple[str, ...]


def build(path: Path) -> Built:
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
    return Built(_modules(space), _whole(space), tuple(notes))


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


def _whole(space: dict[str, Any]) -> Any | None:
    found = space.get("entire_model")
    if found is not None and not _is_module(found):
        raise ModelFileError(f"entire_model, a {type(found).__name__}", "a torch.nn.Module")
    return found

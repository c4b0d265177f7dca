"""model_to_eval.py read and never run: does it define module_list and entire_model, and which names has the list?"""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass

from readproof.submit.decoding import decoded
from readproof.submit.problems import Problems, Refused

# what Python needs to parse it is a thousand times as much
MOST_CODE = 128 << 10
_LIST, _WHOLE = "module_list", "entire_model"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The names in module_list; None where only running the file would tell."""

    names: frozenset[str] | None


def read_model_file(data: bytes, label: str, problems: Problems) -> ModelFile:
    """What a model file defines, as far as its text tells."""
    try:
        tree = _parsed(decoded(data.removeprefix(b"\xef\xbb\xbf"), "C611"))
    except Refused as refused:
        problems.refuse(refused, label)
        return ModelFile(None)
    if not _defines(tree, _LIST):
        problems.add("C632", label)
    if not _defines(tree, _WHOLE):
        problems.add("C633", label)
    return ModelFile(_names(tree))


def _parsed(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            # what Python thinks of somebody's style does not belong in the output
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        raise Refused("C631", f"line {error.lineno or 1}", reason=error.msg) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Refused("C631", "line 1", reason=type(error).__name__) from None


def _defines(tree: ast.Module, name: str) -> bool:
    """Bound at the top, be it inside an if, a with or a try; or brought in by an import."""
    for node in _top(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            if any((one.asname or one.name) in (name, "*") for one in node.names):
                return True
        elif any(isinstance(one, ast.Name) and one.id == name for target in _targets(node) for one in ast.walk(target)):
            return True
    return False


def _top(tree: ast.Module) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt):
            found.append(node)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting += [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt | ast.ExceptHandler)]
    return found


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    if isinstance(node, ast.AnnAssign | ast.AugAssign) and getattr(node, "value", None) is not None:
        return [node.target]
    return []


def _names(tree: ast.Module) -> frozenset[str] | None:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and _is_list(node.value):
            return None  # update, setdefault and the like
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            for target in _targets(node):
                names = _added(target, node.value)
                if names is None:
                    return None
                found |= names
    return frozenset(found) if found else None


def _added(target: ast.expr, value: ast.expr | None) -> set[str] | None:
    """The names that an assignment puts into the list; None where they are made by running it."""
    if isinstance(target, ast.Subscript) and _is_list(target.value):
        return _texts([target.slice])
    if not _is_list(target):
        return set()
    if isinstance(value, ast.Dict):
        return _texts(value.keys)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "dict" and not value.args:
        keys = [keyword.arg for keyword in value.keywords]
        return None if None in keys else {key for key in keys if key}
    return None


def _texts(keys: list[ast.expr | None] | list[ast.expr]) -> set[str] | None:
    found = {key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
    return found if len(found) == len(keys) else None


def _is_list(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == _LIST

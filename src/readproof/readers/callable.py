"""Any Python function as a reader: `module:function`, with the current directory importable.

`function(passage, question)` gives the answer's text, or the text and where it starts; `function(passage, question,
options)` gives the number of the right option, from 0.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from readproof.errors import InputError, shown
from readproof.items import Answer, ChoiceItem, Item, SpanItem
from readproof.readers.api import OPTIONS, SPANS, need
from readproof.text import sanitised


def open_function(spec: str) -> FunctionReader:
    """The reader that `module:function` names."""
    return FunctionReader(spec, function_of(spec))


def function_of(spec: str) -> Callable[..., Any]:
    """The function that `module:function` names."""
    module_name, _, name = spec.partition(":")
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.insert(0, here)
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is not None and (module_name == error.name or module_name.startswith(error.name + ".")):
            do = "Run in the folder that holds it, or install it."
            raise InputError(found=f"no module {module_name!r}", expected="module:function", do=do) from None
        raise InputError(found=f"{module_name}, which needs {error.name!r}", expected="a module that loads") from error
    except (Exception, SystemExit) as error:
        found = f"{module_name}, which fails to load ({type(error).__name__}: {error})"
        raise InputError(found=found, expected="a module that loads") from error
    function = getattr(module, name, None)
    if not callable(function):
        raise InputError(found=f"no function {name!r} in {module_name}", expected="module:function")
    found_function: Callable[..., Any] = function
    return found_function


class FunctionReader:
    """Asks a function; what it gives back is checked, so that a wrong offset shows at once and not in the score."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.name = name
        self._function = function
        self.capabilities = _abilities(name, function)

    @property
    def fingerprint(self) -> str:
        """Of the file that holds the function: another reader may stand behind the same name tomorrow."""
        try:
            source = Path(inspect.getfile(inspect.unwrap(self._function))).read_bytes()
        except (TypeError, OSError):
            source = repr(type(self._function)).encode()
        return hashlib.sha256(self.name.encode() + b"\0" + source).hexdigest()

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer an item, in order."""
        for item in items:
            need(self, item)
        return [self._one(item) for item in items]

    def _one(self, item: Item) -> Answer:
        if isinstance(item, ChoiceItem):
            return self._choice(item, self._call(item, item.passage, item.question, list(item.options)))
        if isinstance(item, SpanItem):
            return self._span(item, self._call(item, item.passage, item.question))
        raise TypeError(type(item).__name__)

    def _call(self, item: Item, *arguments: Any) -> Any:
        try:
            return self._function(*arguments)
        except BrokenPipeError:  # nobody reads what it prints
            raise
        except (Exception, SystemExit) as error:  # one that leaves must not end the run as if all were well
            place = f"{self.name}, item {item.id!r}"
            raise InputError(place=place, found=f"{type(error).__name__}: {error}", expected="an answer") from error

    def _span(self, item: SpanItem, said: Any) -> Answer:
        text, start = said if isinstance(said, tuple | list) and len(said) == 2 else (said, None)
        if not isinstance(text, str) or not (start is None or (isinstance(start, int) and not isinstance(start, bool))):
            raise self._wrong(item, said, "a text, or a text and where it starts")
        if start is None:
            start = item.passage.find(text) if text else -1
            start = start if start >= 0 else None
        elif not text or start < 0 or item.passage[start : start + len(text)] != text:
            raise self._wrong(item, said, "a text that stands in the passage at that place")
        if start is None:
            return Answer(id=item.id, text=sanitised(text).clean)
        return Answer(id=item.id, text=sanitised(text).clean, raw=text, start=start, end=start + len(text))

    def _choice(self, item: ChoiceItem, said: Any) -> Answer:
        if not isinstance(said, int) or isinstance(said, bool) or not 0 <= said < len(item.options):
            raise self._wrong(item, said, f"the number of an option, 0 to {len(item.options) - 1}")
        return Answer(id=item.id, choice=said, text=item.options[said])

    def _wrong(self, item: Item, said: Any, expected: str) -> InputError:
        found = str(said)[:80] if isinstance(said, tuple) else shown(said)
        return InputError(place=f"{self.name}, item {item.id!r}", found=found, expected=expected)


def _abilities(name: str, function: Callable[..., Any]) -> frozenset[str]:
    """Two arguments answer spans, three answer options; a third one with a default answers both."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return frozenset({SPANS, OPTIONS})
    able = {kind for kind, count in ((SPANS, 2), (OPTIONS, 3)) if _takes(signature, count)}
    if not able:
        raise InputError(
            found=f"{name}{signature}", expected="function(passage, question) or function(passage, question, options)"
        )
    return frozenset(able)


def _takes(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True

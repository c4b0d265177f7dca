"""Names for tasks, readers and attacks: imported when asked for; plug-ins join by entry points."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Generic, TypeVar

from readproof.errors import InputError

Thing = TypeVar("Thing")


class Registry(Generic[Thing]):
    """Lazy names: each stands for `module:attribute`, loaded at first use.

    A package adds its own by the entry point group `readproof.KIND`, for example `readproof.tasks`.
    """

    def __init__(self, kind: str, built_in: Mapping[str, str], aliases: Mapping[str, str] | None = None) -> None:
        self.kind = kind
        self._places = dict(built_in)
        self._aliases = dict(aliases or {})
        self._loaded: dict[str, Thing] = {}
        self._plugins_read = False

    def names(self) -> list[str]:
        self._read_plugins()
        return list(self._places)

    def __iter__(self) -> Iterator[Thing]:
        return (self.get(name) for name in self.names())

    def __contains__(self, name: str) -> bool:
        return self._aliases.get(name, name) in self.names()

    def get(self, name: str) -> Thing:
        """The thing of that name; an unknown name is answered with the nearest ones."""
        name = self._aliases.get(name, name)
        if name not in self._loaded:
            if name not in self._places:
                self._read_plugins()
            if name not in self._places:
                raise self._unknown(name)
            module, _, attribute = self._places[name].partition(":")
            self._loaded[name] = getattr(import_module(module), attribute)
        return self._loaded[name]

    def add(self, name: str, thing: Thing) -> None:
        """Register a thing from Python, for this process."""
        self._places[name] = ""
        self._loaded[name] = thing

    def _read_plugins(self) -> None:
        if self._plugins_read:
            return
        self._plugins_read = True
        for point in entry_points(group=f"readproof.{self.kind}s"):
            self._places.setdefault(point.name, point.value)

    def _unknown(self, name: str) -> InputError:
        known = sorted({*self._places, *self._aliases})
        near = difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.5)
        do = f"Did you mean {' or '.join(map(repr, near))}?" if near else ""
        return InputError(found=f"no {self.kind} named {name!r}", expected=f"one of {', '.join(known)}", do=do)

"""Names become readers: kinds and wrappers are open to other packages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from readproof.errors import InputError
from readproof.items import Answer, Item, SpanItem
from readproof.readers.api import SPANS, Reader, ReaderOptions
from readproof.readers.factory import KINDS, WRAPPERS, load_reader

ITEM = SpanItem(id="1", passage="王力在北京去世。", question="王力在哪里去世？")


class Constant:
    """Says the same, whatever it is asked."""

    capabilities = frozenset({SPANS})
    fingerprint = "constant"

    def __init__(self, text: str) -> None:
        self.name = f"constant:{text}"
        self.text = text

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        return [Answer(id=item.id, text=self.text) for item in items]


class Doubled:
    """Says everything twice."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.name = f"doubled:{reader.name}"
        self.capabilities = reader.capabilities
        self.fingerprint = f"doubled {reader.fingerprint}"

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        return [Answer(id=one.id, text=one.text * 2) for one in self.reader.answer(items)]


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> None:
    for registry in (KINDS, WRAPPERS):
        for held in ("_places", "_loaded"):
            monkeypatch.setattr(registry, held, dict(getattr(registry, held)))

    def constant(rest: str, options: ReaderOptions) -> Reader:
        return Constant(rest)

    KINDS.add("constant", constant)
    WRAPPERS.add("doubled", Doubled)


@pytest.mark.usefixtures("plugged")
def test_a_kind_and_a_wrapper_of_one_s_own() -> None:
    assert load_reader("constant:北京").answer([ITEM])[0].text == "北京"
    reader = load_reader("doubled:constant:京")
    assert reader.name == "doubled:constant:京"
    assert reader.answer([ITEM])[0].text == "京京"
    assert load_reader("clean:doubled:constant:京").answer([ITEM])[0].text == "京京"


@pytest.mark.parametrize("wrapper", ["clean:", "sense:"])
def test_a_wrapper_without_a_reader(wrapper: str) -> None:
    with pytest.raises(InputError, match=f"Name one, as {wrapper}zh"):
        load_reader(wrapper)


def test_no_module_of_readers_imports_the_factory() -> None:
    """`factory` knows them by name only, so that nothing imports in a circle."""
    import subprocess
    import sys

    code = "import sys, readproof.readers.factory\n"
    code += "print(sorted(name for name in sys.modules if name.startswith('readproof.readers.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str([f"readproof.readers.{name}" for name in ("api", "card", "factory")])

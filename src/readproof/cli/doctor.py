"""`readproof doctor`: what is installed, what is missing and how to get it, and whether the sandbox is able."""

from __future__ import annotations

import platform
import re
import time
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Literal

import typer

from readproof import __version__
from readproof.cli._output import Json, print_json, print_table

State = Literal["fine", "missing", "broken"]

_PACKAGE = "readproof"
_OWN = ("test",)  # for people who change the package, not for those who use it
_NEEDED = ""  # the extra of what every installation needs
_FAILED = 1


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One part, how it is, what was found, and what to do about it."""

    part: str
    state: State
    found: str
    do: str = ""


def command(as_json: Json = False) -> None:
    """Say what is installed, what is missing and how to get it.

    Extras that are not installed are no fault. The status is 1 if something that every installation needs is broken.
    """
    findings = examine()
    wrong = any(one.state == "broken" for one in findings)
    if as_json:
        print_json({"fine": not wrong, "parts": [asdict(one) for one in findings]})
    else:
        print_table("", ("part", "", "found", "what to do"), [(o.part, o.state, o.found, o.do) for o in findings])
    if wrong:
        raise typer.Exit(_FAILED)


def examine() -> list[HealthCheck]:
    """Every part, in the order in which it matters."""
    system = f"{platform.python_implementation()} {platform.python_version()}, {platform.system()} {platform.machine()}"
    base = HealthCheck(_PACKAGE, "fine", f"{__version__} on {system}")
    return [base, *_packages(), *_readers(), _sandbox()]


def _packages() -> list[HealthCheck]:
    """The packages of every installation and of each extra, by what the installed metadata asks for."""
    groups: dict[str, list[str]] = {_NEEDED: []}
    try:
        asked = metadata.requires(_PACKAGE) or []
    except metadata.PackageNotFoundError:
        return [HealthCheck("packages", "broken", "readproof is not installed", "pip install readproof")]
    for one in asked:
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", one)
        name = re.match(r"[\w.-]+", one)
        group = extra[1] if extra else _NEEDED
        if name and group not in _OWN:
            groups.setdefault(group, []).append(name[0])
    return [_group(extra, names) for extra, names in groups.items()]


def _group(extra: str, names: list[str]) -> HealthCheck:
    versions = {name: _version(name) for name in names}
    lacking = [name for name, version in versions.items() if not version]
    part = f"extra [{extra}]" if extra else "packages"
    if not lacking:
        return HealthCheck(part, "fine", ", ".join(f"{name} {version}" for name, version in versions.items()))
    found = "without " + ", ".join(lacking)
    if not extra:
        return HealthCheck(part, "broken", found, f"pip install --force-reinstall {_PACKAGE}")
    return HealthCheck(part, "missing", found, f'pip install "{_PACKAGE}[{extra}]"')


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _readers() -> list[HealthCheck]:
    """The shipped readers, each asked one question."""
    from readproof.readers import READERS

    return [_asked(name) for name in READERS.names() if name in _QUESTIONS]


# a passage, a question, and what the answer must have in it
_QUESTIONS = {
    "zh": ("故宫位于北京，建成于1420年。", "故宫建成于哪一年？", "1420"),
    "fa": ("برج میلاد در شهر تهران قرار دارد و در سال ۱۳۸۷ گشایش یافت.", "برج میلاد در کدام شهر قرار دارد؟", "تهران"),
}


def _asked(name: str) -> HealthCheck:
    from readproof.items import SpanItem
    from readproof.readers import load_reader

    passage, question, wanted = _QUESTIONS[name]
    begun = time.perf_counter()
    try:
        (answer,) = load_reader(name).answer([SpanItem(id="1", passage=passage, question=question, language=name)])
    except Exception as error:  # whatever it is, it is what the user came to see
        return HealthCheck(f"reader {name}", "broken", f"{type(error).__name__}: {error}", "Install readproof again.")
    seconds = time.perf_counter() - begun
    if wanted not in answer.text:
        found = f"answers {answer.text!r} where {wanted!r} is right"
        return HealthCheck(f"reader {name}", "broken", found, "Install readproof again.")
    return HealthCheck(f"reader {name}", "fine", f"loaded, asked and right in {seconds:.1f} s")


def _sandbox() -> HealthCheck:
    from readproof.efficiency.sandbox import able

    ability = able()
    words = "; ".join(ability.words)
    if ability.fence is None:
        return HealthCheck("sandbox", "missing", words, "docs/sandbox.md says what the system lacks.")
    return HealthCheck("sandbox", "fine", words)

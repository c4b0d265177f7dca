"""Is a package all right? It is recognised by what is in it, and every problem is told in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal, NoReturn

from readproof.errors import InputError
from readproof.readers.track import MOST as MOST_CLOSED
from readproof.submit import lines as celue_lines
from readproof.submit.archive import Budget, megabytes, open_archive
from readproof.submit.celue import MOST as MOST_CELUE
from readproof.submit.celue import check_celue, how_to_pack, is_celue
from readproof.submit.document import MOST_DOCUMENT, Document, read_document
from readproof.submit.gcrc import MOST_PREDICTIONS, PREDICTIONS, TRACKS, Track, check_document, check_gcrc, is_gcrc
from readproof.submit.letters import TestQuestion, check_letters, read_test
from readproof.submit.problems import PackageProblem, Problems
from readproof.submit.weights import ParameterCounts, count_path, judge
from readproof.tasks import find

# The registration form of GCRC_advRobust: nine fields in a Word table, made from values and checked again.

FIELDS = (
    "单位名称",
    "参赛队名",
    "赛道选择",
    "队伍组长",
    "队伍组员",
    "地址",
    "联系人",
    "联系电话",
    "各成员邮箱",
)
_TRACK, _MAILS = "赛道选择", "各成员邮箱"
_FEWEST = 4
_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_BETWEEN = re.compile(r"[\s,;，；、]+")
_BLANK = re.compile("【待填写[^】]*】|[_＿\\s]*")


def is_form(document: Document) -> bool:
    """Whether a document is a registration form."""
    return len(form_values(document)) >= _FEWEST


def form_values(document: Document) -> dict[str, str]:
    """What stands beside each field's name, in a table or after a colon."""
    found: dict[str, str] = {}
    for row in document.rows:
        for at, cell in enumerate(row):
            name = cell.strip(" ：:\u3000")
            if name in FIELDS:
                found.setdefault(name, row[at + 1].strip() if at + 1 < len(row) else "")
    for line in document.text.split("\n"):
        name, colon, value = re.sub("[：:]", ":", line, count=1).partition(":")
        if colon and name.strip() in FIELDS:
            found.setdefault(name.strip(), value.strip())
    return found


def check_form(document: Document, label: str, problems: Problems) -> dict[str, object]:
    """Every problem of a form."""
    values = form_values(document)
    for name in FIELDS:
        if name not in values:
            problems.add("R501", label, name, name=name)
        elif _BLANK.fullmatch(values[name]):
            problems.add("R502", label, name, name=name)
    check_values({name: value for name, value in values.items() if not _BLANK.fullmatch(value)}, label, problems)
    return {"fields": len(values)}


def check_values(values: Mapping[str, str], label: str, problems: Problems) -> None:
    """The two fields whose values are not free."""
    if _TRACK in values and sum(words[:2] in values[_TRACK] for words in TRACKS.values()) != 1:
        problems.add("R503", label, _TRACK, what=values[_TRACK])
    if _MAILS not in values:
        return
    # a name may stand before an address: 张三：zhang@example.edu.cn
    mails = [re.split("[：:]", one)[-1] for one in _BETWEEN.split(values[_MAILS]) if "@" in one]
    for one in [one for one in mails if not _MAIL.fullmatch(one)] if mails else [values[_MAILS]]:
        problems.add("R504", label, _MAILS, what=one)


Kind = Literal["gcrc", "gcrc predictions", "gcrc document", "celue", "registration", "unknown"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a file was taken for, what was seen in it, and everything that is wrong with it."""

    file: str
    kind: Kind
    seen: dict[str, object]
    problems: tuple[PackageProblem, ...]
    unlisted: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def errors(self) -> list[PackageProblem]:
        return [one for one in self.problems if one.level == "error"]

    @property
    def warnings(self) -> list[PackageProblem]:
        return [one for one in self.problems if one.level == "warning"]


def check(
    path: str | Path,
    *,
    tests: Sequence[str | Path] = (),
    track: Track | None = None,
    model: str | Path | None = None,
    task: Literal["", "gcrc", "celue"] = "",
) -> CheckResult:
    """Check a package, a prediction file or a registration form.

    `tests` are the public test files: GCRC_advRobust's, or CELUE's as TASK:FILE. `model` is a file or folder with the
    weights, where the package has none.
    """
    path = Path(path)
    if not path.is_file():
        _refuse(path)
    wanted = _Wanted.of(tests, track, model, task)
    problems = Problems()
    with path.open("rb") as file:
        kind, seen = _look(file, path, wanted, problems)
    return CheckResult(str(path), kind, seen, tuple(problems.found), problems.unlisted())


def _refuse(path: Path) -> NoReturn:
    found, do = "no such file", ""
    if path.is_dir():
        found, do = "a folder", how_to_pack(path)
    elif path.is_fifo():
        found, do = "a pipe", "Write it to a file first: a package is not read from beginning to end."
    raise InputError(file=path, found=found, expected="a package (.zip), predictions (.json) or a form (.docx)", do=do)


@dataclass(frozen=True, slots=True)
class _Wanted:
    test: dict[str, TestQuestion] | None
    celue: dict[str, list[celue_lines.TestItem]]
    track: Track | None
    model: Path | None
    task: str

    @classmethod
    def of(cls, tests: Iterable[str | Path], track: Track | None, model: str | Path | None, task: str) -> _Wanted:
        test: dict[str, TestQuestion] | None = None
        celue: dict[str, list[celue_lines.TestItem]] = {}
        for one in tests:
            known, file = find(one)
            if known.name == "gcrc":
                test = (test or {}) | read_test(file)
            elif known.name in celue_lines.FOLDERS:
                celue[known.name] = celue_lines.read_test(known.name, file)
            else:
                raise InputError(file=file, found=f"a file of {known.name}", expected="a test file of GCRC or CELUE")
        weights = Path(model) if model else None
        if weights is not None and not weights.exists():
            raise InputError(file=weights, found="no such file", expected="weights: a file, a folder or a zip")
        return cls(test, celue, track, weights, task)

    def weights(self, problems: Problems) -> ParameterCounts | None:
        return count_path(self.model, problems) if self.model else None


def _look(file: BinaryIO, path: Path, wanted: _Wanted, problems: Problems) -> tuple[Kind, dict[str, object]]:
    label = path.name
    size = path.stat().st_size
    head = file.read(8)
    suffix = path.suffix.lower()
    if suffix in (".docx", ".docm", ".doc"):
        return _document(file, label, size, wanted, problems)
    if suffix == ".json" or head.lstrip()[:1] in (b"{", b"["):
        return "gcrc predictions", _predictions(file, label, size, wanted, problems)
    if suffix != ".zip" and not head.startswith(b"PK"):
        problems.add("A116", label)
        return "unknown", {}
    archive = open_archive(file, label, problems, Budget.of(size))
    if archive is None:
        return "unknown", {}
    if wanted.task == "celue" or (not wanted.task and is_celue(archive) and not is_gcrc(archive)):
        return "celue", check_celue(archive, problems, wanted.celue, wanted.weights(problems))
    if wanted.task == "gcrc" or is_gcrc(archive):
        seen = check_gcrc(archive, problems, wanted.test, wanted.track)
        _beside(wanted, seen.get("track"), MOST_CLOSED, problems)
        return "gcrc", seen
    if archive.named("word/document.xml"):
        problems.add("G204", label, name=label, wanted="*.docx")
        return _document(file, label, size, wanted, problems)
    if archive.entries or not problems.found:
        problems.add("A116", label)
    return "unknown", {}


def _beside(wanted: _Wanted, track: object, most: int, problems: Problems) -> None:
    """Weights that the user named beside a package."""
    found = wanted.weights(problems)
    if found is not None and track != "open":
        judge(found, most, str(wanted.model), problems)


def _predictions(file: BinaryIO, label: str, size: int, wanted: _Wanted, problems: Problems) -> dict[str, object]:
    if label != PREDICTIONS:
        problems.add("G204", label, name=label, wanted=PREDICTIONS)
    if size > MOST_PREDICTIONS:
        problems.add("A108", label, size=megabytes(size), most=megabytes(MOST_PREDICTIONS))
        return {}
    file.seek(0)
    return {"rows": check_letters(file.read(), label, wanted.test, problems)}


def _document(
    file: BinaryIO, label: str, size: int, wanted: _Wanted, problems: Problems
) -> tuple[Kind, dict[str, object]]:
    """A form, or the document of a package by itself."""
    if size > MOST_DOCUMENT:
        problems.add("A108", label, size=megabytes(size), most=megabytes(MOST_DOCUMENT))
        return "unknown", {}
    document = read_document(file, label, problems, Budget.of(size))
    if document is None:
        return "unknown", {}
    if is_form(document):
        return "registration", check_form(document, label, problems)
    return "gcrc document", {"track": check_document(document, label, problems, wanted.track)}


__all__ = ["MOST_CELUE", "MOST_CLOSED", "CheckResult", "check"]

"""Is a package all right? It is recognised by what is in it, and every problem is told in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal, NoReturn

from readproof.errors import InputError
from readproof.readers.track import MOST as MOST_CLOSED
from readproof.submit import lines as celue_lines
from readproof.submit.archive import open_archive
from readproof.submit.celue import MOST as MOST_CELUE
from readproof.submit.celue import check_celue, is_celue
from readproof.submit.document import MOST_DOCUMENT, read_document
from readproof.submit.gcrc import MOST_PREDICTIONS, PREDICTIONS, Track, check_document, check_gcrc, is_gcrc
from readproof.submit.layout import how_to_pack
from readproof.submit.letters import Asked, check_letters, read_test
from readproof.submit.problems import Problem, Problems
from readproof.submit.registration import check_form, is_form
from readproof.submit.views import Budget, megabytes
from readproof.submit.weights import Weights, count_path, judge
from readproof.tasks import find

Kind = Literal["gcrc", "gcrc predictions", "gcrc document", "celue", "registration", "unknown"]


@dataclass(frozen=True, slots=True)
class Checked:
    """What a file was taken for, what was seen in it, and everything that is wrong with it."""

    file: str
    kind: Kind
    seen: dict[str, object]
    problems: tuple[Problem, ...]
    unlisted: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def errors(self) -> list[Problem]:
        return [one for one in self.problems if one.level == "error"]

    @property
    def warnings(self) -> list[Problem]:
        return [one for one in self.problems if one.level == "warning"]


def check(
    path: str | Path,
    *,
    tests: Sequence[str | Path] = (),
    track: Track | None = None,
    model: str | Path | None = None,
    task: Literal["", "gcrc", "celue"] = "",
) -> Checked:
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
    return Checked(str(path), kind, seen, tuple(problems.found), problems.unlisted())


def _refuse(path: Path) -> NoReturn:
    found, do = "no such file", ""
    if path.is_dir():
        found, do = "a folder", how_to_pack(path)
    elif path.is_fifo():
        found, do = "a pipe", "Write it to a file first: a package is not read from beginning to end."
    raise InputError(file=path, found=found, expected="a package (.zip), predictions (.json) or a form (.docx)", do=do)


@dataclass(frozen=True, slots=True)
class _Wanted:
    test: dict[str, Asked] | None
    celue: dict[str, list[celue_lines.Asked]]
    track: Track | None
    model: Path | None
    task: str

    @classmethod
    def of(cls, tests: Iterable[str | Path], track: Track | None, model: str | Path | None, task: str) -> _Wanted:
        test: dict[str, Asked] | None = None
        celue: dict[str, list[celue_lines.Asked]] = {}
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

    def weights(self, problems: Problems) -> Weights | None:
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


__all__ = ["MOST_CELUE", "MOST_CLOSED", "Checked", "check"]

"""A look at the files of all competitions, in one wording: what serves or scores stops, what saves or restores warns.

A board that cannot start can still be saved and brought back: it is then that its organiser needs it most.
"""

from __future__ import annotations

import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import IO, Any, Protocol

from readproof.board.definition import Competition, load_competitions, released, unready
from readproof.board.settings import load_settings
from readproof.board.words import counted
from readproof.efficiency.evaluate import load_gold
from readproof.errors import InputError, shown
from readproof.items import ChoiceItem, Item, LabelItem, Mark, TagItem, Triple
from readproof.jsonstream import records
from readproof.submit.letters import read_test
from readproof.submit.lines import FOLDERS
from readproof.tasks import TASKS, find, gcrc
from readproof.tasks.metrics.triples import KEYS

# Whether the files of competitions go together: told to the organiser at the start, not to participants afterwards.
# A test file of GCRC has no letters, and asks what the gold answers. No download gives gold answers away, be it
# written anew, packed or cut short: files are read as the tasks read them.

_NAMED = 5
# archives within archives, as far as anybody packs them
_DEEP = 4
# a line of a training set may stand in the test set by chance
_CHANCE = 0.1


class Answers(Protocol):
    """The gold answers of a competition."""

    def given_by(self, file: Path) -> int:
        """How many of them a file gives away; 0 where it is but chance."""
        ...


def check_files(competitions: Mapping[str, Competition]) -> None:
    """An InputError where a download gives answers away, or where test and gold are not of one piece.

    Files that are not there yet are left to `unready`.
    """
    scored = [one.at(stage.name) for one in competitions.values() for stage in one.stages]
    # phases that share their gold are looked at once
    different = {(one.gold, one.test, one.dates.submission_closes): one for one in scored}.values()
    golds = [(one, _answers(one)) for one in different if one.gold.exists()]
    for one in competitions.values():
        for by, gold in golds:
            _refuse_given(one, by, gold)
    for one in different:
        _check_tests(one)


def _answers(competition: Competition) -> Answers:
    return _letters(competition.gold) if competition.task == "gcrc" else _lines(competition.gold)


def _refuse_given(competition: Competition, scored: Competition, gold: Answers) -> None:
    slug = scored.slug
    for one in competition.downloads:
        if released(one, scored):
            continue
        count = sum(gold.given_by(part) for part in _parts(one.file))
        if count:
            raise InputError(
                file=one.file,
                found=f"{count:,} of the gold answers of {slug}",
                expected="a download without them",
                do=f"Take the answers out of it, or the file out of [[data]] in {competition.slug}.toml.",
            )


def _parts(file: Path, deep: int = _DEEP) -> Iterator[Path]:
    """A download, or what is in it where it is an archive; one that cannot be unpacked gives nothing away."""
    if not file.is_file() or not deep:
        return
    members = _of_zip(file) if zipfile.is_zipfile(file) else _of_tar(file) if tarfile.is_tarfile(file) else None
    if members is None:
        yield file
        return
    with (
        suppress(zipfile.BadZipFile, tarfile.TarError, zlib.error, RuntimeError, OSError, EOFError),
        tempfile.TemporaryDirectory(prefix="readproof-") as folder,
    ):
        for number, (name, inside) in enumerate(members):
            part = Path(folder) / f"{number}{Path(name).suffix}"
            with inside, part.open("wb") as outside:
                shutil.copyfileobj(inside, outside)
            yield from _parts(part, deep - 1)
            part.unlink()


def _of_zip(file: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            yield member.filename, archive.open(member)


def _of_tar(file: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with tarfile.open(file) as archive:
        for member in archive:
            inside = archive.extractfile(member) if member.isfile() else None
            if inside is not None:
                yield member.name, inside


def _check_tests(competition: Competition) -> None:
    there = zip(competition.test, competition.test_files, strict=True)
    found = [find(one) for one, file in there if file.exists()]
    names = ("gcrc",) if competition.task == "gcrc" else FOLDERS
    for known, file in found:
        if known.name not in names:
            raise InputError(file=file, found=f"a file of {known.name}", expected=f"a test file of {competition.task}")
    whole = len(found) == len(competition.test) and competition.gold.exists()
    if competition.task == "gcrc":
        _check_letters(competition, [file for _, file in found], whole)
    elif competition.gold.exists():
        for known, file in found:
            _refuse_other_lines(known.name, competition.gold, file)


# GCRC: by the ids of the triples


@dataclass(frozen=True, slots=True)
class _Letters:
    """The three letters of each triple."""

    of: Mapping[str, Mapping[str, str]]

    def given_by(self, file: Path) -> int:
        """Rows with the ids of the gold and its letters. Where most are wrong it is a sample of a submission."""
        said = right = 0
        # what is no JSON has no letters; what was read before it broke counts
        with suppress(InputError):
            for _, record in records(file):
                gold = self._gold(record)
                given = _given(record) if gold else {}
                if gold and given:
                    said += 1
                    right += all(gold[key] == letter for key, letter in given.items())
        return right if 2 * right > said else 0

    def _gold(self, record: Any) -> Mapping[str, str] | None:
        return self.of.get(str(record.get("id"))) if isinstance(record, dict) else None


def _given(record: dict[str, Any]) -> dict[str, str]:
    """The letters of a row that has some."""
    return {key: str(record[key]).strip().upper() for key in KEYS if record.get(key) not in (None, "")}


def _letters(gold: Path) -> _Letters:
    return _Letters({item.id: _letters_of(item, gold) for item in gcrc.load(gold)})


def _letters_of(item: Item, gold: Path) -> dict[str, str]:
    letters = [one.letter for one in item.questions] if isinstance(item, Triple) else []
    found = {key: letter for key, letter in zip(KEYS, letters, strict=False) if letter}
    if len(found) < len(KEYS):
        raise InputError(
            file=gold, place=item.id, found=f"{len(found)} of three letters", expected="triples with all their answers"
        )
    return found


def _check_letters(competition: Competition, files: Collection[Path], whole: bool) -> None:
    asked: set[str] = set()
    for file in files:
        _refuse_letters(file)
        asked |= read_test(file).keys()
    if files and whole:
        _refuse_other_ids(competition.gold, files, asked)


def _refuse_letters(file: Path) -> None:
    """Also empty ones: every upload would be refused for them."""
    for place, record in records(file):
        for key in KEYS:
            if isinstance(record, dict) and record.get(key) is not None:
                raise InputError(
                    file=file,
                    place=f"{place}.{key}",
                    found=shown(record[key]),
                    expected="a test file without letters",
                    do=f"Take the keys {', '.join(KEYS)} out of every record.",
                )


def _refuse_other_ids(gold: Path, files: Collection[Path], asked: set[str]) -> None:
    known = [item.id for item in gcrc.load(gold)]
    test = " and ".join(file.name for file in files)
    only_gold = [one for one in dict.fromkeys(known) if one not in asked]
    only_test = sorted(asked.difference(known))
    parts = [f"only in {name}: {_first(ids)}" for name, ids in ((gold.name, only_gold), (test, only_test)) if ids]
    if parts:
        triples = counted(len(set(known)), "triple", "triples")
        raise InputError(
            file=gold,
            found=f"{triples} where {test} has {len(asked):,} ({'; '.join(parts)})",
            expected="the same ids in both",
        )


def _first(ids: Collection[str]) -> str:
    named = ", ".join(list(ids)[:_NAMED])
    return f"{named} and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else named


# CELUE: its ids are mostly the numbers of the lines, which every file has; what is asked tells items apart


@dataclass(frozen=True, slots=True)
class _Lines:
    """For each task what was asked, and the answer."""

    of: Mapping[str, Mapping[Hashable, Hashable]]

    def given_by(self, file: Path) -> int:
        return max((_agreeing(task, gold, file) for task, gold in self.of.items()), default=0)


def _agreeing(task: str, gold: Mapping[Hashable, Hashable], file: Path) -> int:
    found: set[Hashable] = set()
    # a file of another task, or of none; what was read before it broke counts
    with suppress(InputError):
        for asked, answer in _asked(TASKS.get(task).load(file)):
            if asked in gold and answer == gold[asked]:
                found.add(asked)
    return len(found) if len(found) > _CHANCE * len(gold) else 0


def _lines(folder: Path) -> _Lines:
    return _Lines({task: dict(_asked(load_gold(folder, task).items)) for task in FOLDERS if _has(folder, task)})


def _has(folder: Path, task: str) -> bool:
    return any(path.name.partition(".")[0] == task for path in folder.iterdir()) if folder.is_dir() else True


def _asked(items: Collection[Item] | Iterator[Item]) -> Iterator[tuple[Hashable, Hashable]]:
    """What each item asks, with its answer, where it has one."""
    for item in items:
        answer = _answer(item)
        if answer is not None:
            yield _question(item), answer


def _question(item: Item) -> Hashable:
    if isinstance(item, ChoiceItem):
        return item.question, item.options
    # blanks between the words of a text can be a part of the answer
    return "".join(item.text.split()) if isinstance(item, TagItem | LabelItem) else item.id


def _answer(item: Item) -> Hashable:
    if isinstance(item, ChoiceItem):
        return item.answer
    if isinstance(item, LabelItem):
        return item.label
    if not isinstance(item, TagItem) or not item.marks:
        return None
    # a line that is not cut into words reads as one word
    return None if item.marks == (Mark(0, len(item.text)),) else item.marks


def _refuse_other_lines(task: str, folder: Path, file: Path) -> None:
    gold = load_gold(folder, task)
    wanted, asked = ([_question(item) for item in items] for items in (gold.items, TASKS.get(task).load(file)))
    pairs = enumerate(zip_longest(wanted, asked), 1)
    differing = [str(number) for number, (one, other) in pairs if one != other]
    if differing:
        items = counted(len(wanted), "item", "items")
        raise InputError(
            file=gold.path,
            found=f"{items} where {file.name} has {len(asked):,} (differing: {_first(differing)})",
            expected="the same items in both, in the same order",
        )


def competitions_in(folder: Path) -> dict[str, Competition]:
    """The competitions of a board that is not open."""
    return load_competitions(load_settings(folder).competitions)


def look_over(competitions: Mapping[str, Competition], say: Callable[[str], None]) -> None:
    """An InputError where files do not go together; what is not there yet is said."""
    check_files(competitions)
    for one in lacking(competitions):
        say(one)


def faults(competitions: Mapping[str, Competition]) -> list[str]:
    """Why `serve` and `worker` would not start."""
    try:
        check_files(competitions)
    except InputError as error:
        return [f"serve and worker will not start with these files: {error}"]
    return []


def lacking(competitions: Mapping[str, Competition]) -> list[str]:
    """Which competitions take nothing, and for want of what."""
    return [f"{slug} takes nothing yet: there is no {file}" for slug, file in unready(competitions)]

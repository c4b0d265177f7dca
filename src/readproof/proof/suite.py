"""Frozen suites: the variants of a data file in one hashed file, so that any reader can be measured on the same ones.

The first line is the header; the rest are lines as in variants.jsonl, first the clean items and then attack by attack.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any

from readproof import __version__
from readproof.codec import from_plain, to_plain
from readproof.engine import Engine, choose
from readproof.errors import InputError
from readproof.files import check_apart, check_place, open_binary, writing
from readproof.items import Item, SpanItem, Triple
from readproof.journal import Journal, parsed, unwritable
from readproof.journal import part_of as part_file
from readproof.proof.measure import measure_for
from readproof.proof.plan import (
    FAST,
    NONE,
    AttackSelection,
    Data,
    Phase,
    PreparedRun,
    ProofPlan,
    baselines_for,
    facts_of,
    load_data,
    metric_note,
    planned,
    probe_names,
)
from readproof.proof.records import (
    Group,
    Question,
    Single,
    ends_group,
    part_of,
    passage_of,
    question_of,
    single,
)
from readproof.proof.results import CLEAN, AttackFacts, DataFacts, Left, RunFacts, SuiteFacts
from readproof.proof.runner import Progress, batch_size, batched, live, new_lines, old_groups, other_run, phase_units
from readproof.proof.worker import work_of
from readproof.readers.api import OPTIONS, SPANS, Reader
from readproof.readers.reader_ref import ReaderRef, check_engine, reader_ref
from readproof.tasks import find

# of the suite's file; it has a format of its own, as suites are kept longer than runs
FORMAT = 1
_KIND = "suite"
_ENDING = ".jsonl.xz"
# the suite that `prove` takes where neither data nor a suite is named, and how many of its items
DEFAULT, SAMPLED = "zh-fresh", 50
_ABILITY = {"spans": SPANS, "options": OPTIONS}


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteHeader:
    """The first line of a suite. `made_against` is the reader that searches asked, "" where none did."""

    readproof: str = _KIND
    format: int = FORMAT
    version: str
    data: DataFacts
    attacks: tuple[AttackFacts, ...]
    left: tuple[Left, ...] = ()
    notes: tuple[str, ...] = ()
    made_against: str = ""
    fingerprint: str = ""
    triples: int = 0
    seed: int = 0
    limit: int | None = None
    questions: int = 0
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite on disk: its header, its clean items, and for each attack where its lines begin and of which items."""

    path: Path
    header: SuiteHeader
    items: tuple[Single, ...]
    places: Mapping[str, int] = field(default_factory=dict)
    numbers: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def facts(self) -> SuiteFacts:
        header = self.header
        return SuiteFacts(
            digest=header.digest,
            attacks=tuple(
                dict.fromkeys([*(one.attack for one in header.attacks), *(one.attack for one in header.left)])
            ),
            made_against=header.made_against,
            fingerprint=header.fingerprint,
        )

    def groups(self, phase: Phase, done: int) -> Iterator[Group]:
        """What became of the items of a phase but the first `done`."""
        wanted = set(phase.numbers[done:])
        for group in _groups(self.path, self.places.get(phase.name), phase.name):
            if group[0].at in wanted:
                yield group


def shipped_suites() -> dict[str, Path]:
    """The suites inside the package, by name."""
    folder = Path(str(files("readproof"))) / "suites"
    return {path.name.removesuffix(_ENDING): path for path in sorted(folder.glob(f"*{_ENDING}"))}


def suite_path(suite: str | Path) -> Path:
    """The file of a suite: one of the package by its name, else a file."""
    shipped = shipped_suites()
    path = Path(suite)
    if path.is_file() or str(suite) not in shipped:
        near = get_close_matches(str(suite), shipped, n=1)
        if not path.exists() and near:
            do = f"Did you mean {near[0]!r}?"
            raise InputError(file=path, found="no such suite", expected=f"{', '.join(shipped)} or a file", do=do)
        return path
    return shipped[str(suite)]


def described(name: str, path: Path) -> dict[str, Any]:
    """What `readproof suite list` shows of a suite."""
    suite = read_suite(path)
    header = suite.header
    return {
        "name": name,
        "spans": sum(isinstance(item, SpanItem) for item in suite.items),
        "triples": header.triples,
        "passages": len({passage_of(single(item)) for item in suite.items}),
        "attacks": list(dict.fromkeys(one.attack for one in header.attacks)),
        "citation": header.data.citation,
        "licence": header.data.licence,
        "digest": header.digest,
    }


def suite_for(languages: Sequence[str]) -> str:
    """The name of the suite for a reader of these languages; the default one where they are not known."""
    return next((name for one in languages if (name := f"{one}-fresh") in shipped_suites()), DEFAULT)


def build_suite(
    data: Data | None,
    out: str | Path,
    *,
    attacks: Sequence[str] = (FAST,),
    reader: str | Reader = "",
    settings: Mapping[str, Mapping[str, str]] | None = None,
    budget: int = 0,
    count: int = 1,
    seed: int = 0,
    limit: int | None = None,
    threads: int = 0,
    engine: str | Engine = "",
    workers: int = 0,
    fresh: bool = False,
    progress: Progress | None = None,
) -> SuiteHeader:
    """Attack the items of a data file and freeze what comes of it; with a reader its searches are made against it.

    What is made goes to OUT.part.jsonl as it comes, so that a build that was stopped goes on where it was.
    """
    report = progress or (lambda _what, _done, _total: None)
    out = Path(out)
    check_place(out)
    if isinstance(data, str | Path):
        check_apart(out, find(data)[1])
    place = choose(engine, workers=workers, threads=threads)
    who = ReaderRef(reader, threads=place.threads) if isinstance(reader, str) else reader_ref(reader)
    searching = who if reader else None
    check_engine(place, searching)
    against = searching.open() if searching else None
    loaded = load_data(data, None, limit=limit)
    selection = AttackSelection(attacks=tuple(attacks), settings=settings or {}, budget=budget, count=count)
    plan = planned(loaded.items, selection, against.capabilities if against else None, probes=False)
    header = SuiteHeader(
        version=__version__,
        data=loaded.facts,
        attacks=plan.attacks,
        left=plan.left,
        notes=loaded.notes,
        made_against=against.name if against else "",
        fingerprint=against.fingerprint if against else "",
        triples=loaded.triples,
        seed=seed,
        limit=limit,
    )
    part = part_file(out)
    if fresh:
        part.unlink(missing_ok=True)
    _made(part, header, plan, loaded.items, searching, place, report)
    return _frozen(part, out, header)


def _made(
    part: Path,
    header: SuiteHeader,
    plan: ProofPlan,
    items: Sequence[Item],
    reader: ReaderRef | None,
    engine: Engine,
    report: Progress,
) -> None:
    """All lines of the suite, behind a first line that says what they belong to."""
    total = sum(phase.weight * len(phase.numbers) for phase in plan.phases)
    done = 0
    asked = to_plain(header)
    work = work_of(plan.phases, seed=header.seed, reader=reader, asks=False)
    source = live(items, header.seed)
    with Journal(part, lambda line: "readproof" in line or ends_group(line)) as journal, engine.start(work) as mapped:
        lines = journal.old()
        first = next(lines, None)
        if first is None:
            journal.add([asked])
        elif first != asked:
            raise other_run(part)
        old = old_groups(lines, part)
        report(CLEAN, done, total)
        for number, phase in enumerate(plan.phases):
            units = list(phase_units(phase, old, source, part))
            new = [one for one in units if one.new]
            done += phase.weight * (len(units) - len(new))
            for batch, result in batched(mapped, number, new, batch_size(engine, work, phase)):
                journal.add(new_lines(batch, result))
                done += phase.weight * len(batch.units)
                report(phase.name, done, total)


def _frozen(part: Path, out: Path, header: SuiteHeader) -> SuiteHeader:
    """The part file as a suite: a header with the hash of all that follows."""
    found = hashlib.sha256()
    questions = 0
    with part.open("rb") as file:
        file.readline()
        for line in file:
            found.update(line)
            questions += "skipped" not in (parsed(line) or {})
    frozen = {**to_plain(header), "questions": questions, "digest": found.hexdigest()}
    try:
        with writing(out) as whole, part.open(encoding="utf-8", newline="\n") as made:
            whole.write(json.dumps(frozen, ensure_ascii=False) + "\n")
            made.readline()
            whole.writelines(made)
    except OSError as error:
        raise unwritable(out, error) from None
    part.unlink()
    return from_plain(SuiteHeader, frozen)


def read_suite(path: str | Path) -> Suite:
    """A suite, its hash checked: one with a line that was changed since it was frozen is refused."""
    path = Path(path)
    found = hashlib.sha256()
    places: dict[str, int] = {}
    numbers: dict[str, dict[int, None]] = {}
    items: dict[int, Single] = {}
    with open_binary(path) as file:
        first = file.readline()
        header = _header(parsed(first), path)
        at = len(first)
        for number, line in enumerate(file, start=2):
            found.update(line)
            record = parsed(line)
            attack = str(record.get("attack", "")) if isinstance(record, dict) else ""
            places.setdefault(attack, at)
            numbers.setdefault(attack, {})[int(record["at"]) if attack else 0] = None
            if attack == CLEAN:
                question = question_of(record, path, f"line {number}")
                if isinstance(question, Question):
                    items[question.at] = question.item
            at += len(line)
    if found.hexdigest() != header.digest:
        do = "Fetch it again, or build it again with `readproof suite build`."
        found_lines = "lines that do not fit the hash of the header"
        raise InputError(file=path, found=found_lines, expected="a whole suite", do=do)
    if sorted(items) != list(range(header.data.items)):
        raise InputError(file=path, found=f"{len(items)} clean items", expected=f"{header.data.items}")
    by_attack = {attack: tuple(found) for attack, found in numbers.items()}
    return Suite(path, header, tuple(items[number] for number in range(len(items))), places, by_attack)


def _header(record: Any, path: Path) -> SuiteHeader:
    if not isinstance(record, dict) or record.get("readproof") != _KIND:
        do = "Make one with `readproof suite build DATA -o FILE`."
        raise InputError(file=path, place="line 1", found="no header of a suite", expected="a suite", do=do)
    if record.get("format") != FORMAT:
        raise InputError(file=path, found=f"format {record.get('format')!r}", expected=f"format {FORMAT}")
    try:
        return from_plain(SuiteHeader, record)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(file=path, place="line 1", found=str(error), expected="the header of a suite") from None


def _groups(path: Path, place: int | None, attack: str) -> Iterator[Group]:
    """The groups of one attack, which stand together."""
    if place is None:
        return

    def own() -> Iterator[dict[str, Any]]:
        with open_binary(path) as file:
            file.seek(place)
            for line in file:
                record = parsed(line)
                if not isinstance(record, dict) or record.get("attack") != attack:
                    return
                yield record

    yield from old_groups(own(), path)


def on_suite(
    suite: Suite,
    reader: Reader,
    selection: AttackSelection | None = None,
    *,
    given: str = "",
    seed: int = 0,
    limit: int | None = None,
    no_answer: bool = False,
) -> PreparedRun:
    """A run on a frozen suite, as far as the reader can answer its items; attacks of the selection are made beside
    those that the suite brings."""
    header = suite.header
    items = suite.items[:limit]
    able = [at for at, item in enumerate(items) if _ABILITY[part_of(item)] in reader.capabilities]
    if not able:
        load_data(items, reader)  # says what the reader lacks
    asked = [at for at in able if no_answer or not _unanswerable(items[at])]
    own = [items[at] for at in asked]
    selected = selection or AttackSelection(attacks=(NONE,))
    brought = {one.attack for one in header.attacks}
    twice = sorted(brought.intersection(selected.attacks))
    if twice:
        found = f"a suite that brings its own {', '.join(twice)}"
        raise InputError(file=suite.path, found=found, expected="other attacks beside it")
    live = planned(own, selected, reader.capabilities)
    made = [
        replace(phase, numbers=tuple(asked[at] for at in phase.numbers))
        for phase in live.phases
        if phase.name not in brought
    ]
    phases = [phase for phase in made if phase.facts is None]
    for one in header.attacks:
        wanted = set(suite.numbers.get(one.attack, ()))
        numbers = [at for at in asked if at in wanted and part_of(items[at]) == one.part]
        if numbers:
            phases.append(Phase(name=one.attack, numbers=tuple(numbers), weight=one.count, facts=one))
    phases += [phase for phase in made if phase.facts is not None]
    left = [one for one in live.left if one.attack not in brought]
    plan = ProofPlan(phases=tuple(phases), left=(*header.left, *left))
    lost, silent = len(items) - len(able), len(able) - len(asked)
    facts = RunFacts(
        version=__version__,
        reader=facts_of(reader, ""),
        data=replace(header.data, items=len(items)) if limit else header.data,
        attacks=plan.attacks,
        probes=probe_names(plan),
        baselines=baselines_for(own),
        left=plan.left,
        notes=(
            *header.notes,
            *((f"{lost} items left out: the reader cannot answer them",) if lost else ()),
            *((f"{silent} questions without an answer left out: --no-answer takes them in",) if silent else ()),
            *metric_note(header.data.task),
        ),
        suite=replace(suite.facts, given=given),
        metric=measure_for(header.data.task).metric,
        triples=sum(isinstance(item, Triple) for item in own),
        seed=seed or header.seed,
        limit=limit or header.limit,
    )
    return PreparedRun(facts=facts, plan=plan, items=items, frozen=suite.groups)


def _unanswerable(item: Item) -> bool:
    return isinstance(item, SpanItem) and item.impossible

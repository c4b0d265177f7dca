"""A reader proved on data, in a run folder; and a run folder opened, or scored, again."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from readproof.codec import to_plain, write_json
from readproof.engine import Engine, choose
from readproof.errors import InputError
from readproof.files import check_folder, writing
from readproof.journal import line_bytes, unwritable
from readproof.proof.measure import measure_for
from readproof.proof.plan import FAST, NONE, AttackSelection, Data, Phase, PreparedRun, facts_of, on_data
from readproof.proof.records import (
    ANSWERS,
    HARDENED,
    READER,
    VARIANTS,
    Case,
    Prediction,
    Request,
    answer_line,
    cases,
    cleaned,
)
from readproof.proof.results import (
    RUN,
    SCORES,
    TIMINGS,
    RunFacts,
    Scores,
    Timings,
    read_run,
    read_scores,
    read_timings,
)
from readproof.proof.runner import Progress, Source, live, run_phases
from readproof.proof.scoring import scored
from readproof.proof.suite import SAMPLED, on_suite, read_suite, suite_for, suite_path
from readproof.proof.thresholds import Results, check_names, judged, parse
from readproof.proof.worker import WorkUnit, work_of
from readproof.readers.api import TRIPLES, Reader
from readproof.readers.callable import FunctionReader
from readproof.readers.reader_ref import ReaderRef, check_engine, reader_ref

FILES = (RUN, VARIANTS, ANSWERS, SCORES, TIMINGS, "report.html")
RUNS = Path("runs")
JOINT = (
    "not independent: the positive and the negative question of a triple were asked after the original one, in one "
    "conversation; what probes and other attacks ask is the first question of a conversation of its own"
)

# what a reader can be given as
AnyReader = str | Reader | Callable[..., Any]


@dataclass(frozen=True, slots=True)
class RunResults:
    """What a finished run holds: its folder, its scores, its times."""

    folder: Path
    scores: Scores
    timings: Timings

    @property
    def passed(self) -> bool:
        """Whether every threshold was met; also where there was none."""
        return self.scores.verdict.passed is not False

    def broken(self, limits: str) -> list[str]:
        """Which of some thresholds are missed, in words; as `--fail-under` takes them."""
        scores = self.scores
        thresholds = parse(limits)
        check_names(thresholds, [one.attack for one in scores.attacks])
        results = Results(parts=scores.parts, attacks=scores.attacks, verdicts=scores.verdict.parts)
        return [check.why for check in judged(thresholds, results) if check.outcome != "passed"]

    def cases(self) -> Iterator[Case]:
        """Every question with its answers."""
        return cases(self.folder)


def prove_reader(
    reader: AnyReader = "zh",
    data: Data | None = None,
    *,
    attacks: str | Sequence[str] | None = None,
    out: str | Path | None = None,
    suite: str | Path | None = None,
    hardened: AnyReader | None = None,
    fail_under: str = "",
    settings: Mapping[str, Mapping[str, str]] | None = None,
    budget: int = 0,
    count: int = 1,
    seed: int = 0,
    limit: int | None = None,
    threads: int = 0,
    engine: str | Engine = "",
    workers: int = 0,
    no_answer: bool = False,
    full: bool = False,
    fresh: bool = False,
    progress: Progress | None = None,
    before: Callable[[PreparedRun, Reader], None] | None = None,
) -> RunResults:
    """Prove a reader: its clean score, its score without the passage, its score under attacks; into the folder OUT.

    READER is what `load_reader` takes, a reader, or a function of passage and question (and options). DATA is a file,
    `task:file`, a list of items; ATTACKS is fast, all, none, or names. With a SUITE, a name or a file, the items are
    those of the suite, and so are the variants but for ATTACKS that are named. With neither, it is the suite of the
    reader's language inside the package, a sample of it unless `full`, under the fast attacks. ENGINE says where the
    work runs: local, pool or ray, by so many workers. A run that was interrupted resumes where it was, on whatever
    engine; `fresh` throws away what there is. BEFORE is called with the prepared run and the reader before anything is
    asked or written.
    """
    if suite is not None and data is not None:
        raise InputError(found="DATA and a suite", expected="one of them: a suite brings its own items")
    place = choose(engine, workers=workers, threads=threads)
    who = named_reader(reader, place.threads, no_answer)
    whose = None if hardened is None else named_reader(hardened, place.threads, no_answer)
    check_engine(place, who, whose)
    proven, stronger = who.open(), None if whose is None else whose.open()
    by_default = suite is None and data is None
    if by_default:
        suite = suite_for(tuple(getattr(getattr(proven, "card", None), "languages", ())))
        limit = limit or (None if full else SAMPLED)
    if attacks is None:
        attacks = FAST if by_default or suite is None else NONE
    selection = AttackSelection(
        attacks=(attacks,) if isinstance(attacks, str) else tuple(attacks),
        settings=settings or {},
        budget=budget,
        count=count,
    )
    if suite is None:
        prepared = on_data(data, proven, selection, seed=seed, limit=limit)
    else:
        frozen = read_suite(suite_path(suite))
        prepared = on_suite(frozen, proven, selection, given=str(suite), seed=seed, limit=limit, no_answer=no_answer)
    joint = any(one is not None and TRIPLES in one.capabilities for one in (proven, stronger))
    facts = replace(
        prepared.facts,
        notes=(*prepared.facts.notes, *([JOINT] if joint else [])),
        reader=facts_of(proven, reader if isinstance(reader, str) else "", no_answer=no_answer),
        hardened=None if stronger is None else facts_of(stronger, hardened if isinstance(hardened, str) else ""),
    )
    check_names(parse(fail_under), [one.attack for one in facts.attacks])
    if before is not None:
        before(prepared, proven)
    folder = Path(out) if out is not None else RUNS / folder_name(facts)
    _begin(folder, facts, fresh=fresh)
    work = work_of(
        prepared.plan.phases,
        task=facts.data.task,
        metric=facts.metric,
        seed=facts.seed,
        reader=who,
        hardened=whose,
        baselines=facts.baselines,
    )
    run_phases(folder, prepared.plan, prepared.items, work, place, source_of(prepared), progress or _silent)
    return _scored(folder, fail_under)


def source_of(prepared: PreparedRun) -> Source:
    """Where the questions come from: probes are always made, variants may be frozen."""
    made, frozen = live(prepared.items, prepared.facts.seed), prepared.frozen
    if frozen is None:
        return made

    def units(phase: Phase, done: int) -> Iterator[WorkUnit]:
        if phase.facts is None or phase.attack is not None:
            return made(phase, done)
        return (WorkUnit(at=group[0].at, group=group) for group in frozen(phase, done))

    return units


def rescore_run(folder: str | Path, *, fail_under: str | None = None) -> RunResults:
    """The scores of a finished run computed again from its files; without new thresholds the old ones hold.

    Every answer is measured again, by the metric as it is now, and what changed is stored with it: table, page and
    comparison all read what is stored.
    """
    folder = Path(folder)
    _check_run(folder)
    measured_again(folder)
    return _scored(folder, _old_thresholds(folder / SCORES) if fail_under is None else fail_under)


def _scored(folder: Path, thresholds: str) -> RunResults:
    scores = scored(folder, thresholds)
    try:
        write_json(folder / SCORES, scores)
    except OSError as error:
        raise unwritable(folder / SCORES, error) from None
    return open_results(folder)


def measured_again(folder: Path) -> bool:
    """Measures every answer of a run; writes answers.jsonl anew, whole or not at all, where one scores otherwise."""
    facts = read_run(folder)
    measure = measure_for(facts.data.task, facts.metric)
    path = folder / ANSWERS

    def fresh(case: Case) -> Iterator[bytes]:
        clean, before = case.clean.item, case.before.answer
        given: list[tuple[Request, Prediction | None]] = [
            (Request(question=case.question), case.prediction),
            (Request(question=case.question, sanitised=True), case.sanitised),
            (Request(question=case.question, by=HARDENED), case.hardened),
            *((Request(question=case.question, by=name), one) for name, one in case.baselines.items()),
        ]
        for request, prediction in given:
            if prediction is None:
                continue
            item = cleaned(case.question.item) if request.sanitised else None
            question = replace(case.question, item=item or case.question.item)
            own = prediction.answer if request.by != READER and not case.question.probe else before
            measured = measure.predicted(question, prediction.answer, clean, own)
            yield line_bytes(answer_line(request, replace(prediction, measured=measured)))

    def chunks() -> Iterator[bytes]:
        return (line for case in cases(folder) for line in fresh(case))

    with path.open("rb") as file:
        same = all(line == file.readline() for line in chunks())
    if not same:
        with writing(path) as out:
            out.writelines(line.decode("utf-8") for line in chunks())
    return not same


def open_results(folder: str | Path) -> RunResults:
    """A finished run as it lies on disk."""
    folder = Path(folder)
    _check_run(folder)
    if not (folder / SCORES).is_file():
        do = "Run the same `readproof prove` command again: it resumes where it was stopped."
        raise InputError(file=folder, found="a run without scores", expected="a finished run", do=do)
    timings = read_timings(folder / TIMINGS) if (folder / TIMINGS).is_file() else Timings()
    return RunResults(folder, read_scores(folder / SCORES), timings)


def named_reader(reader: AnyReader, threads: int = 0, no_answer: bool = False) -> ReaderRef:
    """The reader of a name, a reader itself, or a function."""
    if isinstance(reader, str):
        return ReaderRef(reader, threads=threads, no_answer=no_answer)
    if isinstance(reader, Reader):
        return reader_ref(reader)
    name = f"{getattr(reader, '__module__', '')}:{getattr(reader, '__qualname__', type(reader).__name__)}"
    return reader_ref(FunctionReader(name, reader))


def folder_name(facts: RunFacts) -> str:
    """The folder of a run where none is named: the same run always has the same."""
    text = json.dumps(to_plain(_identity(facts)), sort_keys=True)
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    names = f"{facts.reader.name}-{facts.data.name}"
    return f"{re.sub(r'[^A-Za-z0-9_.]+', '-', names).strip('-.')[:60]}-{mark}"


def _identity(facts: RunFacts) -> RunFacts:
    """A run without what may differ from one call to the next: how its reader and its data were spelt."""
    return replace(
        facts,
        reader=replace(facts.reader, spec=""),
        hardened=None if facts.hardened is None else replace(facts.hardened, spec=""),
        data=replace(facts.data, given=""),
        suite=None if facts.suite is None else replace(facts.suite, given=""),
    )


def _begin(folder: Path, facts: RunFacts, *, fresh: bool) -> None:
    """The folder with its run.json; one that holds another run is refused."""
    check_folder(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            for torn in folder.glob(f".{name}.*.part"):  # left by a kill while a file was put in its place
                torn.unlink(missing_ok=True)
            if fresh:
                (folder / name).unlink(missing_ok=True)
        if (folder / RUN).exists():
            _check_same(folder / RUN, facts)
            return
        there = [name for name in FILES if (folder / name).exists()]
        if there:
            found, do = f"a folder with {there[0]} and no {RUN}", "Choose another --out, or add --fresh."
            raise InputError(file=folder, found=found, expected="an empty folder or a run", do=do)
        write_json(folder / RUN, facts)
    except OSError as error:
        raise unwritable(folder, error) from None


def _check_same(path: Path, facts: RunFacts) -> None:
    there, wanted = to_plain(_identity(read_run(path.parent))), to_plain(_identity(facts))
    differs = [name for name in wanted if there.get(name) != wanted[name]]
    if differs:
        raise InputError(
            file=path,
            found=f"another run (its {' and '.join(differs)} differ{'s' if len(differs) == 1 else ''})",
            expected="the run that is asked for",
            do="Choose another --out, or add --fresh to throw the old run away.",
        )


def _check_run(folder: Path) -> None:
    if not (folder / RUN).is_file():
        found = "no such folder" if not folder.exists() else f"no {RUN} in it"
        do = "Name a folder that `readproof prove` wrote."
        raise InputError(file=folder, found=found, expected="the folder of a run", do=do)


def _old_thresholds(path: Path) -> str:
    """The thresholds of the last scoring; a file that cannot be read has none."""
    try:
        return read_scores(path).verdict.thresholds if path.is_file() else ""
    except InputError:
        return ""


def _silent(_what: str, _done: int, _total: int) -> None:
    """Nobody asked how far it is."""

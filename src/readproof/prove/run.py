"""The main job: a reader proved on data, in a run folder; and a run folder opened, or scored, again."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from readproof.engine import Engine, choose
from readproof.errors import InputError
from readproof.files import check_folder
from readproof.prove.cases import ANSWERS, VARIANTS, Case, cases
from readproof.prove.data import Data
from readproof.prove.forms import read_form, to_plain, write_form
from readproof.prove.logs import broken
from readproof.prove.model import RunFacts, Scores, Timings
from readproof.prove.plan import FAST, Wish
from readproof.prove.preparing import facts_of, on_data, on_suite
from readproof.prove.scoring import RUN, SCORES, scored
from readproof.prove.sharing import sharing_of
from readproof.prove.suite import read_suite
from readproof.prove.thresholds import Results, check_names, judged, parse
from readproof.prove.timing import FILE as TIMINGS
from readproof.prove.working import Progress, work
from readproof.readers.base import Reader
from readproof.readers.callable import FunctionReader
from readproof.readers.named import Named, check_engine, named

FILES = (RUN, VARIANTS, ANSWERS, SCORES, TIMINGS, "report.html")
RUNS = Path("runs")

# what a reader can be given as
AnyReader = str | Reader | Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run: its folder, its scores, its times."""

    folder: Path
    scores: Scores
    timings: Timings

    @property
    def passed(self) -> bool:
        """Whether every threshold was kept; also where there was none."""
        return self.scores.verdict.passed is not False

    def table(self, width: int = 100) -> str:
        """The scores as text, for a terminal of so many columns."""
        from readproof.prove.table import table

        return table(self.scores, self.timings, width)

    def broken(self, limits: str) -> list[str]:
        """Which of some limits are not kept, in words; as `--fail-under` takes them."""
        scores = self.scores
        wishes = parse(limits)
        check_names(wishes, [one.attack for one in scores.attacks])
        results = Results(parts=scores.parts, attacks=scores.attacks, verdicts=scores.verdict.parts)
        return [check.why for check in judged(wishes, results) if check.outcome != "passed"]

    def cases(self) -> Iterator[Case]:
        """Every question with its answers."""
        return cases(self.folder)

    def __str__(self) -> str:
        return self.table()


def prove(
    reader: AnyReader = "zh",
    data: Data | None = None,
    *,
    attacks: str | Sequence[str] = FAST,
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
    fresh: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Prove a reader: its clean score, its score without the passage, its score under attacks; into the folder OUT.

    READER is what `load_reader` takes, a reader, or a function of passage and question (and options). DATA is a file,
    `task:file`, a list of items, or None for the sample in the package; ATTACKS is fast, all, or names. With a SUITE
    the items and variants are those of the suite. ENGINE says where the work runs: local, pool or ray, by so many
    workers. A run that was stopped goes on where it was, on whatever engine; `fresh` throws away what there is.
    """
    if suite is not None and data is not None:
        raise InputError(found="DATA and a suite", expected="one of them: a suite brings its own items")
    place = choose(engine, workers=workers, threads=threads)
    who = named_reader(reader, place.threads, no_answer)
    whose = None if hardened is None else named_reader(hardened, place.threads, no_answer)
    check_engine(place, who, whose)
    proven, stronger = who.open(), None if whose is None else whose.open()
    wish = Wish(
        attacks=(attacks,) if isinstance(attacks, str) else tuple(attacks),
        settings=settings or {},
        budget=budget,
        count=count,
    )
    if suite is not None and (wish != Wish(attacks=(FAST,)) or limit is not None):
        found = "a suite with attacks, settings, a budget, a count or a limit"
        raise InputError(found=found, expected="the suite alone: it brings its own variants")
    if suite is None:
        prepared = on_data(data, proven, wish, seed=seed, limit=limit)
    else:
        prepared = on_suite(read_suite(suite), proven)
    facts = replace(
        prepared.facts,
        reader=facts_of(proven, reader if isinstance(reader, str) else "", no_answer=no_answer),
        hardened=None if stronger is None else facts_of(stronger, hardened if isinstance(hardened, str) else ""),
    )
    check_names(parse(fail_under), [one.attack for one in facts.attacks])
    folder = Path(out) if out is not None else RUNS / folder_name(facts)
    _begin(folder, facts, fresh=fresh)
    sharing = sharing_of(
        prepared.plan.phases,
        task=facts.data.task,
        metric=facts.metric,
        seed=facts.seed,
        reader=who,
        hardened=whose,
    )
    work(folder, prepared.plan, prepared.items, sharing, place, prepared.source(), progress or _silent)
    return rescore(folder, fail_under=fail_under)


def rescore(folder: str | Path, *, fail_under: str | None = None) -> Run:
    """The scores of a finished run computed again from its files; without new limits the old ones hold."""
    folder = Path(folder)
    _check_run(folder)
    limits = _old_limits(folder / SCORES) if fail_under is None else fail_under
    scores = scored(folder, limits)
    try:
        write_form(folder / SCORES, scores)
    except OSError as error:
        raise broken(folder / SCORES, error) from None
    return open_run(folder)


def open_run(folder: str | Path) -> Run:
    """A finished run as it lies on disk."""
    folder = Path(folder)
    _check_run(folder)
    if not (folder / SCORES).is_file():
        do = "Run the same `readproof prove` command again: it goes on where it was stopped."
        raise InputError(file=folder, found="a run without scores", expected="a finished run", do=do)
    timings = read_form(folder / TIMINGS, Timings) if (folder / TIMINGS).is_file() else Timings()
    return Run(folder, read_form(folder / SCORES, Scores), timings)


def named_reader(reader: AnyReader, threads: int = 0, no_answer: bool = False) -> Named:
    """The reader of a name, a reader itself, or a function."""
    if isinstance(reader, str):
        return Named(reader, threads=threads, no_answer=no_answer)
    if isinstance(reader, Reader):
        return named(reader)
    name = f"{getattr(reader, '__module__', '')}:{getattr(reader, '__qualname__', type(reader).__name__)}"
    return named(FunctionReader(name, reader))


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
        write_form(folder / RUN, facts)
    except OSError as error:
        raise broken(folder, error) from None


def _check_same(path: Path, facts: RunFacts) -> None:
    there, wanted = to_plain(_identity(read_form(path, RunFacts))), to_plain(_identity(facts))
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


def _old_limits(path: Path) -> str:
    """The limits of the last scoring; a file that cannot be read has none."""
    try:
        return read_form(path, Scores).verdict.thresholds if path.is_file() else ""
    except InputError:
        return ""


def _silent(_what: str, _done: int, _total: int) -> None:
    """Nobody asked how far it is."""

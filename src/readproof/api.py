"""The Python side of every command: `import readproof as rp` offers these functions by name.

Each takes a file (or a list of items) and gives values back; what the command of the same name writes to disk, the
function writes too, where it is told to.
"""

from __future__ import annotations

import html
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readproof.attacks.base import Attack, AttackOutput
from readproof.attacks.known import make_attack
from readproof.engine import Engine
from readproof.errors import InputError
from readproof.files import writing
from readproof.items import Answer, Item, without_gold
from readproof.proof.compare import Comparison
from readproof.proof.compare import compare as compare_folders
from readproof.proof.plan import FAST, Data, PreparedRun
from readproof.proof.run import AnyReader, RunResults, named_reader, open_results, prove_reader, rescore_run
from readproof.proof.runner import Progress
from readproof.proof.suite import SuiteHeader, build_suite
from readproof.readers.api import Reader, questions_of
from readproof.reports.comparison import ComparisonFormat, comparison
from readproof.reports.labels import Language
from readproof.reports.terminal import table
from readproof.reports.tracking import track
from readproof.reports.writing import MOST, PAGE, Format, write_report
from readproof.tasks import Score, find, load
from readproof.tasks.scoring import score as score_file

if TYPE_CHECKING:
    import pandas

    from readproof.training.plan import TrainingOutcome

_TOGETHER = 64  # questions handed to a reader at a time


class Run(RunResults):
    """A finished run and the ways to look at it: a table, a page, a data frame, every case."""

    __slots__ = ()

    def table(self, width: int = 100) -> str:
        """The scores as text, for a terminal of so many columns."""
        return table(self.scores, self.timings, width)

    @property
    def page(self) -> Path:
        """The page with plots and failures, `report.html` in the run folder; made if it is not there."""
        path = self.folder / PAGE
        return path if path.is_file() else write_report(self)

    def to_pandas(self) -> pandas.DataFrame:
        """One row for each question that was put to the reader: clean, probe or attacked. Needs pandas."""
        try:
            import pandas
        except ImportError:
            raise InputError(
                found="no pandas", expected="the package pandas", do="pip install pandas, or use Run.cases()."
            ) from None
        return pandas.DataFrame([_row(case) for case in self.cases()])

    def track(self, tracker: str) -> str:
        """Tells the run to `mlflow` or `wandb`, as they are configured; returns how it is called there."""
        return track(self, tracker)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.table())}</pre>"

    def __str__(self) -> str:
        return self.table()


def _row(case: Any) -> dict[str, Any]:
    question, answer = case.question, case.prediction.answer
    item = question.item
    return {
        "id": item.id,
        "item": question.origin,
        "kind": "clean" if question is case.clean else "probe" if question.probe else "attack",
        "name": question.probe or (question.attack if question.attacked else ""),
        "question": item.question,
        "answer": answer.text if answer.choice is None else answer.choice,
        "confidence": answer.confidence,
        **{f"measured_{name}": value for name, value in case.prediction.measured.items()},
        "fault": case.prediction.fault.message if case.prediction.fault else "",
    }


def prove(
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
    page: bool = True,
    progress: Progress | None = None,
    before: Callable[[PreparedRun, Reader], None] | None = None,
) -> Run:
    """Prove that a reader reads: clean score, baselines, probes, attacks and a verdict, in a run folder.

    Args:
        reader: what `load_reader` takes, a reader, or a function of passage and question (and options).
        data: a file, `task:file`, or items; None for a sample of the suite in the package.
        attacks: fast, all, none, or names; with a suite, those beside its own. Fast if not given, with a suite none.
        out: the run folder; runs/READER-DATA-… if not given. An interrupted run resumes there.
        suite: the name of a suite in the package (zh-fresh) or a file of `suite`, in place of data.
        hardened: a second reader, to see what it wins back under the same attacks.
        fail_under: thresholds, such as "f1=80,addsent.f1=60,reads"; `Run.passed` says whether they hold.
        settings: options of attacks: {"addany": {"preset": "strong"}}.
        budget: most queries an item of attacks that search; 0 for each attack's own number.
        count: variants of each item, of attacks that do not search.
        seed: the same seed gives the same variants.
        limit: only the first items.
        threads: of each reader; 0 for every core.
        engine: where the work runs: local, pool or ray.
        workers: how many.
        no_answer: let the reader say that there is no answer.
        full: where neither data nor a suite is given, the whole suite in place of a sample.
        fresh: throw away what an earlier run left in the folder.
        page: write the page (report.html) into the run folder.
        progress: called with what is done, how many questions, and of how many.
        before: called with the prepared run and the reader before anything is asked or written; what it raises ends it.
    """
    found = prove_reader(
        reader,
        data,
        attacks=attacks,
        out=out,
        suite=suite,
        hardened=hardened,
        fail_under=fail_under,
        settings=settings,
        budget=budget,
        count=count,
        seed=seed,
        limit=limit,
        threads=threads,
        engine=engine,
        workers=workers,
        no_answer=no_answer,
        full=full,
        fresh=fresh,
        progress=progress,
        before=before,
    )
    return _shown(found, page)


def rescore(folder: str | Path, *, fail_under: str | None = None, page: bool = True) -> Run:
    """Measure the answers of a finished run again; without new thresholds the old ones hold."""
    return _shown(rescore_run(folder, fail_under=fail_under), page)


def open_run(folder: str | Path) -> Run:
    """A finished run as it lies on disk."""
    return _run(open_results(folder))


def _run(found: RunResults) -> Run:
    return Run(found.folder, found.scores, found.timings)


def _shown(found: RunResults, page: bool) -> Run:
    """The run; a page for which there is no room is no reason to lose it."""
    if page:
        try:
            write_report(found)
        except (OSError, InputError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            warnings.warn(f"no page: {found.folder / PAGE}: {why}", stacklevel=3)
    return _run(found)


def compare(*runs: RunResults | str | Path, out: str | Path | None = None) -> Comparison:
    """Runs side by side, on the questions they share: each later one against the first.

    With `out` the comparison is also written there: a page, or with .md or .tex as tables.
    """
    found = compare_folders([run.folder if isinstance(run, RunResults) else run for run in runs])
    if out is not None:
        path = Path(out)
        formats: dict[str, ComparisonFormat] = {".tex": "latex", ".md": "markdown"}
        text = comparison(runs, format=formats.get(path.suffix, "html"), found=found)
        with writing(path) as file:
            file.write(text)
    return found


def report(
    run: RunResults | str | Path,
    out: str | Path | None = None,
    *,
    format: Format = "html",
    language: Language | None = None,
    failures: int = MOST,
) -> Path:
    """Write a finished run as a page (html) or as tables (markdown, latex); returns the file.

    Args:
        run: a run or its folder.
        out: the file; report.html, report.md or report.tex in the run folder if not given.
        format: html, markdown or latex.
        language: of the labels, zh or en; None is the browser's own for a page, English for tables.
        failures: the most failures on a page; with 0 it holds no text of the data.
    """
    return write_report(run, out, format=format, language=language, most=failures)


def suite(
    data: Data | None,
    out: str | Path,
    *,
    attacks: str | Sequence[str] = FAST,
    reader: str = "",
    settings: Mapping[str, Mapping[str, str]] | None = None,
    budget: int = 0,
    count: int = 1,
    seed: int = 0,
    limit: int | None = None,
    engine: str | Engine = "",
    workers: int = 0,
    fresh: bool = False,
    progress: Progress | None = None,
) -> SuiteHeader:
    """Attack data and freeze the variants in one hashed file, so that readers are compared on the same ones.

    With a `reader` the attacks that search are made against it; without one, none searches.
    """
    return build_suite(
        data,
        out,
        attacks=(attacks,) if isinstance(attacks, str) else attacks,
        reader=reader,
        settings=settings,
        budget=budget,
        count=count,
        seed=seed,
        limit=limit,
        engine=engine,
        workers=workers,
        fresh=fresh,
        progress=progress,
    )


def answer(
    reader: AnyReader,
    data: Data,
    *,
    out: str | Path | None = None,
    limit: int | None = None,
    threads: int = 0,
    no_answer: bool = False,
) -> list[Answer]:
    """Answer every question of a file or a list of items; of a triple, its three questions.

    With `out`, the answers of a file also go there, in the official format of its task.
    """
    opened = named_reader(reader, threads, no_answer).open()
    items = list(islice(_items(data), limit))
    questions = [question for item in items for question in questions_of(item)]
    answers: list[Answer] = []
    for at in range(0, len(questions), _TOGETHER):
        answers += opened.answer([without_gold(one) for one in questions[at : at + _TOGETHER]])
    if out is not None:
        if not isinstance(data, str | Path):
            raise InputError(found="a list of items with `out`", expected="a data file, whose format is known")
        with writing(Path(out)) as file:
            find(data)[0].write_predictions(items, {one.id: one for one in answers}, file)
    return answers


def score(predictions: str | Path, data: str | Path, *, metric: str = "", only: Collection[str] | None = None) -> Score:
    """The official score of a prediction file against a data file (`dev.json`, or `cmrc2018:dev.json`).

    Args:
        predictions: the file, in the official format of the task.
        data: the file with the gold answers.
        metric: official, strict, …; the task's first if not given.
        only: ids of the items that count, if not all.
    """
    task, path = find(data)
    return score_file(task, predictions, path, metric=metric, only=only)


def attack(
    name: str,
    data: Data,
    *,
    seed: int = 0,
    count: int = 1,
    settings: Mapping[str, str] | None = None,
    limit: int | None = None,
) -> Iterator[AttackOutput]:
    """Attack items one by one: for each, its variants, or why there are none.

    Attacks that search need a reader and a budget: use `readproof attack`, or `prove`.

    Args:
        name: as `readproof list attacks` lists them.
        data: a file, `task:file`, or items.
        seed: the same seed gives the same variants.
        count: the most variants of each item.
        settings: options of the attack, as `--set NAME=VALUE` takes them.
        limit: only the first items.
    """
    chosen = make_attack(name, settings)
    if not isinstance(chosen, Attack):
        do = f"readproof attack {name} DATA --reader READER -o OUT"
        raise InputError(found=f"{name}, which searches against a reader", expected="an attack without one", do=do)
    return (chosen.make(item, seed=seed, count=count) for item in islice(_items(data), limit))


def harden(
    reader: str,
    data: str | Sequence[str],
    out: str | Path,
    *,
    recipe: str = "harden-zh",
    work: str | Path | None = None,
) -> TrainingOutcome:
    """Train a reader against attacks that are renewed every epoch; the new reader goes to the folder `out`.

    Needs `pip install "readproof[train]"`. `readproof harden --help` names what a recipe can say.
    """
    from readproof.training.adversarial.harden import HardenPlan
    from readproof.training.adversarial.harden import harden as train
    from readproof.training.adversarial.recipe import find_recipe

    files = (data,) if isinstance(data, str) else tuple(data)
    kept = None if work is None else Path(work)
    return train(HardenPlan(reader=reader, data=files, out=Path(out), recipe=find_recipe(recipe), work=kept))


def _items(data: Data) -> Iterator[Item]:
    return iter(load(data) if isinstance(data, str | Path) else data)

"""What run.json, scores.json and timings.json hold, as frozen values that tables, pages and programs all read.

A run is a folder:

    run.json        what was asked: reader, data, attacks with their options, seed, versions; no times, no host names
    variants.jsonl  every question that was put: the clean items, the probes, the variants of each attack; and for each
                    item that a probe or an attack could make nothing of, why
    answers.jsonl   what the reader answered to each of them, in the same order, and how it scores; for clean questions
                    also what the baselines answered
    scores.json     `Scores`, below
    timings.json    `Timings`, below: all that differs from one machine to the next
    report.html     the page that `readproof prove`, `rescore` and `report` make of the other files

All but timings.json, and the page that shows those times, have the same bytes however often the run was interrupted.
Scores are in percent, shares and confidences from 0 to 1. A metric is named in small letters: `f1` and `em` (spans),
`accuracy` (options), `score`, `acc0`, `acc1` and `acc2` (triples, the official figures in percent).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from readproof.attacks.quality import Quality
from readproof.codec import read_json
from readproof.readers.usage import Usage

FORMAT = 2

PartName = Literal["spans", "options"]
Outcome = Literal["passed", "failed", "unclear", "unmeasured"]
Reads = Literal["yes", "no", "not shown"]

# in variants.jsonl: the "attack" of the questions as they stand, and what stands before the name of a probe
CLEAN = "clean"
PROBE = "probe/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A score with its 95 % interval over passages; None where there are too few to tell."""

    value: float
    low: float | None = None
    high: float | None = None


Figures = Mapping[str, Figure]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderFacts:
    """Who was measured. `size` is in bytes, `flops` for one question of usual length; None or 0: not known.

    `spec` is what names the reader on the command line, "" where nothing does; `no_answer` says that it might say none.
    """

    name: str
    spec: str
    fingerprint: str
    title: str = ""
    capabilities: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    licence: str = ""
    parameters: int | None = None
    size: int = 0
    flops: float | None = None
    no_answer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFacts:
    """What it was measured on. `given` is DATA as it was typed; `items` counts a triple once."""

    name: str
    given: str
    task: str
    digest: str
    items: int
    licence: str = ""
    citation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteFacts:
    """The frozen suite that a run was made on, and the reader that its searches were made against ("": none).

    `given` is its name or file, as it was typed; `attacks` are those that it brings, or could not make.
    """

    digest: str
    given: str = ""
    attacks: tuple[str, ...] = ()
    made_against: str = ""
    fingerprint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackFacts:
    """An attack as it was made: its row in the table of attacks, its options, and how hard it tried.

    `budget` is the most queries an item of a search, `count` the most variants an item.
    """

    attack: str
    does: str
    part: PartName
    needs: tuple[str, ...] = ()
    truth: str = "kept"
    undone: str = "no"
    settings: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    searched: bool = False
    budget: int = 0
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """An attack that was not made, and why."""

    attack: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """run.json: all that the other files of a run depend on, but for thresholds, which can be changed afterwards.

    `metric` is the task's metric that answers are measured by; `triples` says how many of the items are triples.
    """

    format: int = FORMAT
    version: str
    reader: ReaderFacts
    data: DataFacts
    attacks: tuple[AttackFacts, ...]
    probes: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()
    left: tuple[Left, ...] = ()
    notes: tuple[str, ...] = ()
    hardened: ReaderFacts | None = None
    suite: SuiteFacts | None = None
    metric: str = ""
    triples: int = 0
    seed: int = 0
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineResult:
    """A reader that does not read, on the same questions. `blind`: it ignores the passage or what is asked."""

    name: str
    figures: Figures
    blind: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """The same questions changed so that a reader's answers must change; `clean` is their score as they stand.

    Of `questions` the reader gave an answer to `answered`; where that is next to none the probe is not `measured`.
    `lost` is the share of the clean score above chance that is gone. `shares` are what the probe counts, over
    `counted` questions: changed and same (another question), follows, sticks and neither (substituted answers, another
    subject), right and wrong (fresh questions), kept and lost (sentences rotated), own and rival (rival options),
    moved and stayed (options in another order).
    """

    name: str
    questions: int
    answered: int
    measured: bool
    clean: Figures
    figures: Figures
    lost: float | None = None
    counted: int = 0
    shares: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakdownRow:
    """One line of a table: a strategy of an attack, or a type of question. None where nothing was attacked."""

    name: str
    questions: int
    clean: Figures
    attacked: Figures | None = None
    worst: Figures | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Success:
    """An attack's success, counted two ways, over variants.

    Of `right` variants whose original was answered right (spans: at least in part) `wrong` were answered wrong. Of
    `judged` variants for which the reader's belief in the gold answer is known, it fell by more than a tenth in
    `shaken`.
    """

    right: int
    wrong: int
    judged: int
    shaken: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackResult:
    """What one attack did. All figures are over the `items` that have a variant, so that they can be compared.

    `worst` takes of each item the lowest score over its variants and the original. `kept` is the share of the clean
    score above chance that is left, from 0 to 1; None where the clean score is not clearly above chance. `sanitised`
    is the attacked score when the texts are sanitised before they are read; `hardened` that of the hardened reader,
    where one was named. `skipped` counts items without a variant by reason, `rejected` variants that a check refused.
    `quality` says how the first variants read beside the originals.
    """

    made: AttackFacts
    items: int
    variants: int
    clean: Figures
    attacked: Figures
    worst: Figures
    sanitised: Figures
    success: Success
    hardened: Figures | None = None
    kept: float | None = None
    skipped: Mapping[str, int] = field(default_factory=dict)
    rejected: Mapping[str, int] = field(default_factory=dict)
    strategies: tuple[BreakdownRow, ...] = ()
    queries: int = 0
    quality: Quality | None = None

    @property
    def attack(self) -> str:
        return self.made.attack

    @property
    def part(self) -> PartName:
        return self.made.part


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Answers with a confidence from `low` to `high`: how many, their mean confidence, the share that is right."""

    low: float
    high: float
    count: int
    confidence: float
    right: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CoveragePoint:
    """If only the surest `share` of the questions were answered, the score (main metric, percent) would be this."""

    share: float
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Is the reader right as often as it says? `error` is the expected calibration error; right is an exact match."""

    questions: int
    error: float
    bins: tuple[Bin, ...]
    curve: tuple[CoveragePoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The questions of one kind. `main` is the metric of the headline, `single` that of one question.

    The two differ for triples: `score` is over whole triples, `accuracy` over their original questions. `worst` takes
    of each question the lowest score over all attacks and the original. `empty` counts clean questions without an
    answer, `outside` those whose answer does not stand in the passage.
    """

    name: PartName
    main: str
    single: str
    metric: str
    questions: int
    triples: int
    chance: float
    clean: Figures
    hardened: Figures | None = None
    worst: Figures | None = None
    empty: int = 0
    outside: int = 0
    baselines: tuple[BaselineResult, ...] = ()
    probes: tuple[Probe, ...] = ()
    types: tuple[BreakdownRow, ...] = ()
    calibration: Calibration | None = None
    attacked_calibration: Calibration | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was held against a limit.

    `kind` is reads (a rule of the verdict), stands (an attack does not lower the score too far) or threshold (one of
    the user's own). `value` and `limit` are in the unit of `what`: a margin in points, the share of the score above
    chance that was lost or kept, a share of questions, or a score; None where there is no such figure. `against` names
    the baseline. `needed` is about how many questions the run needs for the check to be clear, where it is not.
    """

    kind: Literal["reads", "stands", "threshold"]
    name: str
    part: PartName | None
    what: str
    value: float | None
    limit: float
    outcome: Outcome
    why: str
    questions: int = 0
    against: str = ""
    needed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartVerdict:
    """What the checks say of the reader on one kind of question.

    `because` names the check that decided where the reader does not read, or was not shown to. `more` is about how
    many more questions it would take to show it. Whether it stands is judged only of a reader that reads.
    """

    part: PartName
    reads: Reads
    because: str = ""
    more: int | None = None
    falls_for: tuple[str, ...] = ()
    stands: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """`passed` is False where a threshold of the user's failed, None where there was none."""

    headline: str
    parts: tuple[PartVerdict, ...]
    checks: tuple[Check, ...]
    thresholds: str = ""
    passed: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """An error that the reader raised, and on how many questions."""

    error: str
    message: str = ""
    where: str = ""
    questions: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """scores.json.

    `asked` counts the questions that were put, `queries` those inside searches; `faults` are the errors that the
    reader raised, the most frequent first: such a question counts as answered wrong.
    """

    format: int = FORMAT
    run: RunFacts
    verdict: Verdict
    parts: tuple[Part, ...]
    attacks: tuple[AttackResult, ...]
    asked: int = 0
    queries: int = 0
    faults: tuple[Fault, ...] = ()

    def part(self, name: str) -> Part | None:
        """The questions of that kind, if there are any."""
        return next((part for part in self.parts if part.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """Milliseconds for one clean question, as the reader was asked, over `count` questions."""

    count: int
    median: float
    p90: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """timings.json: seconds by phase and inside the reader, milliseconds a question, memory, the machine.

    `made` says when the run ended (`date`, UTC), and the `commit` of the repository that it was started in, where there
    is one.

    `speed` is by part. `peak_memory` is in bytes, of the whole process. `samples` are the measured milliseconds, kept
    so that a resumed run can go on with them. `usage` is what readers behind an endpoint were asked, and what it cost,
    over all sessions; such a reader has no `speed`, but the latency of its requests.
    """

    format: int = FORMAT
    seconds: float = 0.0
    reader_seconds: float = 0.0
    phases: Mapping[str, float] = field(default_factory=dict)
    speed: Mapping[str, Speed] = field(default_factory=dict)
    peak_memory: int | None = None
    sessions: int = 0
    machine: Mapping[str, str] = field(default_factory=dict)
    made: Mapping[str, str] = field(default_factory=dict)
    samples: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    usage: Mapping[str, Usage] = field(default_factory=dict)


RUN, SCORES, TIMINGS = "run.json", "scores.json", "timings.json"
_AGAIN = "`readproof rescore RUN` writes scores.json again; a run of another readproof has to be proved again."


def read_run(folder: Path) -> RunFacts:
    """run.json of a run folder."""
    do = "This run was made by another readproof: prove again, into another folder or with --fresh."
    return read_json(folder / RUN, RunFacts, format=FORMAT, expected="the run.json of a run", do=do)


def read_scores(path: Path) -> Scores:
    """scores.json."""
    return read_json(path, Scores, format=FORMAT, expected="the scores.json of a run", do=_AGAIN)


def read_timings(path: Path) -> Timings:
    """timings.json."""
    return read_json(path, Timings, format=FORMAT, expected="the timings.json of a run", do=_AGAIN)

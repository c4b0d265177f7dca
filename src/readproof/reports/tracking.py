"""Runs told to the trackers that teams keep: MLflow and Weights & Biases, each as it is configured where it runs.

The figures go as metrics, what was asked as parameters, the page and scores.json as files. Nothing of the tracker is
set here: MLFLOW_TRACKING_URI, WANDB_MODE and the like say where it goes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from readproof.errors import InputError, MissingExtraError
from readproof.proof.results import SCORES, Figures
from readproof.proof.run import RunResults

_PAGE = "report.html"
_PROJECT = "readproof"


def figures_of(run: RunResults) -> dict[str, float]:
    """Every figure of a run under a name, as `spans/f1`, `spans/attack/typo/f1` or `spans/probe/no-passage/f1`."""
    found: dict[str, float] = {}

    def add(place: str, figures: Figures | None) -> None:
        found.update({f"{place}/{metric}": figure.value for metric, figure in (figures or {}).items()})

    for part in run.scores.parts:
        add(part.name, part.clean)
        add(f"{part.name}/worst", part.worst)
        for probe in part.probes:
            add(f"{part.name}/probe/{probe.name}", probe.figures)
            found.update({f"{part.name}/probe/{probe.name}/{name}": share for name, share in probe.shares.items()})
        if part.calibration:
            found[f"{part.name}/calibration_error"] = part.calibration.error
        if part.name in run.timings.speed:
            found[f"{part.name}/milliseconds"] = run.timings.speed[part.name].median
    for attack in run.scores.attacks:
        place = f"{attack.part}/attack/{attack.attack}"
        if attack.variants:
            add(place, attack.attacked)
        if attack.kept is not None:
            found[f"{place}/kept"] = attack.kept
    return found


def settings_of(run: RunResults) -> dict[str, str]:
    """What was asked, and of what."""
    facts, verdict = run.scores.run, run.scores.verdict
    told = {
        "reader": facts.reader.spec or facts.reader.name,
        "fingerprint": facts.reader.fingerprint,
        "data": facts.data.given or facts.data.name,
        "digest": facts.suite.digest if facts.suite else facts.data.digest,
        "attacks": ",".join(one.attack for one in facts.attacks),
        "seed": str(facts.seed),
        "limit": "" if facts.limit is None else str(facts.limit),
        "readproof": facts.version,
        "thresholds": verdict.thresholds,
        "passed": "" if verdict.passed is None else str(verdict.passed),
        **{f"reads/{part.part}": part.reads for part in verdict.parts},
        **run.timings.made,
    }
    return {name: one for name, one in told.items() if one}


def track(run: RunResults, tracker: str) -> str:
    """Tells a finished run to `mlflow` or `wandb`; returns how it is called there."""
    if tracker not in TRACKERS:
        raise InputError(place="--track", found=repr(tracker), expected=f"one of {', '.join(TRACKERS)}")
    return TRACKERS[tracker](run)


def _mlflow(run: RunResults) -> str:
    try:
        import mlflow
    except ImportError:
        raise MissingExtraError("mlflow", "mlflow") from None

    with mlflow.start_run(run_name=run.folder.resolve().name, nested=mlflow.active_run() is not None) as active:
        # MLflow takes 500 characters a parameter
        mlflow.log_params({name: one[:500] for name, one in settings_of(run).items()})
        mlflow.log_metrics(figures_of(run))
        mlflow.set_tag("verdict", run.scores.verdict.headline)
        for name in _files(run):
            mlflow.log_artifact(str(run.folder / name), artifact_path=_PROJECT)
        return str(active.info.run_id)


def _wandb(run: RunResults) -> str:
    try:
        import wandb
    except ImportError:
        raise MissingExtraError("wandb", "wandb") from None

    own = wandb.run is None
    active: Any = wandb.run or wandb.init(project=_PROJECT, name=run.folder.resolve().name, config=settings_of(run))
    active.log(figures_of(run))
    active.summary["verdict"] = run.scores.verdict.headline
    for name in _files(run):
        active.save(str(run.folder / name), base_path=str(run.folder), policy="now")
    name = str(active.id)
    if own:
        active.finish()
    return name


def _files(run: RunResults) -> list[str]:
    return [name for name in (SCORES, _PAGE) if (run.folder / name).is_file()]


TRACKERS: Mapping[str, Callable[[RunResults], str]] = {"mlflow": _mlflow, "wandb": _wandb}

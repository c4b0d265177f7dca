"""How a board is: whether the database answers, which workers live, what waits, whether every gold is there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select

from readproof.board.board import Board
from readproof.board.rescoring import scoring_state
from readproof.board.signs import ALIVE
from readproof.board.tables import Submission, WorkerSign


@dataclass(frozen=True, slots=True)
class GoldState:
    """The gold of a phase: whether it is there, how many results rest on an earlier one, how many failed."""

    competition: str
    phase: str
    ready: bool
    outdated: int
    failed: int


@dataclass(frozen=True, slots=True)
class Health:
    """`oldest` is for how many seconds the first in the queue has waited."""

    workers: int
    waiting: int
    rescoring: int
    oldest: float
    golds: tuple[GoldState, ...]

    @property
    def status(self) -> str:
        """`ok`, or what an operator should look at."""
        if self.waiting and not self.workers:
            return "no workers"
        return "ok" if all(one.ready for one in self.golds) else "gold missing"

    def record(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "database": True,
            "workers": self.workers,
            "queue": {"waiting": self.waiting, "rescoring": self.rescoring, "oldest_seconds": round(self.oldest, 1)},
            "gold": {
                f"{one.competition}/{one.phase}": {"ready": one.ready, "outdated": one.outdated, "failed": one.failed}
                for one in self.golds
            },
        }


def health(board: Board) -> Health:
    """A look at everything; an exception of the database where it does not answer."""
    at = board.clock()
    with board.database.reading() as session:
        workers = session.scalar(select(func.count()).where(WorkerSign.seen_at > at - ALIVE)) or 0
        waiting, first = session.execute(
            select(func.count(), func.min(Submission.created_at)).where(Submission.status == "waiting")
        ).one()
        again = session.scalar(select(func.count()).where(Submission.rescore_at.is_not(None))) or 0
    oldest = max(0.0, (at - first).total_seconds()) if isinstance(first, datetime) else 0.0
    return Health(workers, waiting, again, oldest, tuple(_golds(board)))


def _golds(board: Board) -> Iterator[GoldState]:
    for slug, competition in board.competitions.items():
        for stage in competition.stages:
            seen = competition.at(stage.name)
            state = scoring_state(board, seen)
            yield GoldState(slug, stage.name, seen.ready, state.outdated, state.failed)


def metrics(board: Board, streams: int) -> Any:
    """The same for Prometheus, collected when it asks."""
    from prometheus_client.core import GaugeMetricFamily

    class Collector:
        def collect(self) -> Iterator[GaugeMetricFamily]:
            found = health(board)
            for name, text, value in (
                ("workers", "Workers that gave a sign of life", found.workers),
                ("queue_waiting", "Submissions that wait for their first score", found.waiting),
                ("queue_rescoring", "Submissions that wait to be scored again", found.rescoring),
                ("queue_oldest_seconds", "How long the first in the queue has waited", found.oldest),
                ("live_pages", "Live pages that are open at this server", streams),
            ):
                yield GaugeMetricFamily(f"readproof_board_{name}", text, value=value)
            labels = ("competition", "phase")
            for name, text in (
                ("gold_ready", "Whether the gold and the test file are there"),
                ("results_outdated", "Results that rest on an earlier gold"),
                ("submissions_failed", "Submissions that could not be scored"),
            ):
                family = GaugeMetricFamily(f"readproof_board_{name}", text, labels=labels)
                for one in found.golds:
                    value = {"gold_ready": int(one.ready), "results_outdated": one.outdated}.get(name, one.failed)
                    family.add_metric([one.competition, one.phase], value)
                yield family

    return Collector()

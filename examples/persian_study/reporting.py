"""The training half as files: training.md and training.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from examples.persian_study import tables
from examples.persian_study.evaluate import label_of, write_json, write_text
from examples.persian_study.questions import Parts, questions_digest
from examples.persian_study.tables import Trained
from examples.persian_study.telling import Say
from examples.persian_study.trainingplan import TrainingPlan
from readproof import __version__

# what the study trained against and `readproof harden` cannot: it takes no translator
_UNMEASURED = ("backtranslate-hy",)


def reported(
    plan: TrainingPlan, parts: Parts, found: Sequence[Trained], notes: Mapping[str, Mapping[str, Any]], say: Say
) -> dict[str, Any]:
    """The table and all that was noted, as files; gives what is in training.json."""
    kept = ("recipe", "kept_clean", "clean", "table", "training", "device", "seconds")
    record = {
        "reader": plan.reader,
        "learnt": {
            "data": Path(plan.learn).name,
            "questions": len(parts.learnt),
            "digest": questions_digest(parts.learnt),
        },
        "measured": {
            "data": Path(plan.data or plan.learn).name,
            "questions": len(parts.measured),
            "digest": questions_digest(parts.measured),
        },
        "version": __version__,
        "attacks": {
            one.row.name: {
                "before": {"attacked": one.before_attacked.plain(), "original": one.before_original.plain()},
                "after": {"attacked": one.attacked.plain(), "original": one.original.plain()},
                "hardening": {name: notes[one.row.name].get(name) for name in kept},
            }
            for one in found
        },
    }
    write_json(plan.out / "training.json", record)
    table = tables.training(found, label_of(plan.reader), _UNMEASURED)
    lost = [one.row.label for one in found if not notes[one.row.name].get("kept_clean", True)]
    write_text(plan.out / "training.md", _page(plan, parts, table, lost))
    say(f"\n{table}\nwritten: training.md and training.json in {plan.out}; the readers are in {plan.out / 'readers'}")
    return record


def _page(plan: TrainingPlan, parts: Parts, table: str, lost: Sequence[str]) -> str:
    where = Path(plan.data).name if plan.data else f"a fifth of {Path(plan.learn).name}, whole passages"
    notes = [
        f"Attacked / original, F1 in percent. Reader {plan.reader}; {len(parts.learnt)} questions of "
        f"{Path(plan.learn).name} to learn from, {len(parts.measured)} to measure on ({where}); at most {plan.epochs} "
        f"epochs; seed {plan.seed}; readproof {__version__}. 95 % intervals by bootstrap over passages.",
        "Each line is a reader of its own, hardened against this attack alone. AddAny asks the reader in question, so "
        "its words are found anew against the hardened one. AddAny's figures are of a sample "
        f"({plan.addany} questions), attacked and original alike.",
        "By its code, the study's invisible line was learnt from `answer_start` values that did not follow, and scored "
        "raw: see ARTEFACT.md of the evaluation. Back-translation is not trained against here, as hardening makes its "
        "attacks anew every epoch without a translator; *paraphrase* is another attack, on a line of its own.",
    ]
    if lost:
        notes.append(f"No epoch kept the clean F1 of the questions that were held out to choose by: {'; '.join(lost)}.")
    return "# The Persian study, adversarial training\n\n" + table + "\n" + "\n\n".join(notes) + "\n"

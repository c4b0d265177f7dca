"""The study as commands: `evaluate`, `train`, and `all`, which does one after the other."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from examples.persian_study.evaluate import ADDANY, EvaluationPlan, evaluate, label_of, slug
from examples.persian_study.questions import LEARNT, MEASURED, found_file
from examples.persian_study.rows import ROWS, USUAL, translators_of
from examples.persian_study.telling import say
from examples.persian_study.train import base_reader, train
from examples.persian_study.trainingplan import EPOCHS, TRAINED, TrainingPlan
from readproof.errors import InputError, ReadproofError
from readproof.readers.factory import READERS

_OUT = Path("runs") / "persian_study"
_STOPPED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0, 2 for what the user has to mend, 130 for a run that was stopped."""
    given = _parser().parse_args(arguments)
    try:
        given.reader = given.reader or _usual_reader()
        if given.split and given.data and getattr(given, "train_data", None):
            raise InputError(found="--data and --train-data with --split", expected="one file, which is split")
        given.out = given.out or _OUT / slug(given.reader)
        if given.command in ("evaluate", "all"):
            plan = _evaluation(given)
            if given.command == "all" and not given.plan:
                plan = replace(plan, reader=base_reader(_training(given), say), label=label_of(given.reader))
            evaluate(plan, say)
        if given.command in ("train", "all"):
            train(_training(given), say)
    except ReadproofError as error:
        say(f"error: {error}")
        return error.exit_status
    except KeyboardInterrupt:
        say("stopped; the same command goes on from here")
        return _STOPPED
    return 0


def _evaluation(given: argparse.Namespace) -> EvaluationPlan:
    return EvaluationPlan(
        reader=given.reader,
        data=_measured_file(given),
        out=given.out,
        rows=tuple(given.rows.split(",")) if given.rows else USUAL,
        translators=translators_of(given.translator),
        split=given.split,
        addany=given.addany,
        limit=given.limit,
        seed=given.seed,
        threads=given.threads,
        fresh=given.fresh,
        only_plan=given.plan,
    )


def _training(given: argparse.Namespace) -> TrainingPlan:
    if given.split:
        learn, data = given.train_data or given.data or found_file(LEARNT, "--train-data"), ""
    else:
        learn, data = given.train_data or found_file(LEARNT, "--train-data"), _measured_file(given)
    return TrainingPlan(
        reader=given.reader,
        learn=learn,
        data=data,
        out=given.out,
        attacks=tuple(given.attacks.split(",")) if given.attacks else TRAINED,
        epochs=given.epochs,
        lr=given.lr,
        batch=given.batch,
        max_tokens=given.max_tokens,
        look=given.look,
        addany=min(given.addany, 100) if given.addany else 0,
        limit=given.limit,
        learnt_limit=given.learn,
        seed=given.seed,
        threads=given.threads,
        workers=given.workers,
        fresh=given.fresh,
        only_plan=given.plan,
    )


def _measured_file(given: argparse.Namespace) -> str:
    if given.split:
        return str(given.data or getattr(given, "train_data", None) or found_file(LEARNT, "--data"))
    return str(given.data or found_file(MEASURED, "--data"))


def _usual_reader() -> str:
    if "fa" in READERS:
        return "fa"
    do = "Name a reader's folder, or a Python function as module:function."
    raise InputError(place="--reader", found="no Persian reader in this copy", expected="--reader READER", do=do)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m examples.persian_study", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    helps = {
        "evaluate": "the first table and ARTEFACT.md",
        "train": "adversarial training and the second table",
        "all": "evaluate, then train",
    }
    for name, text in helps.items():
        one = commands.add_parser(name, help=text, description=text)
        _common(one)
        if name != "train":
            _of_evaluation(one)
        if name != "evaluate":
            _of_training(one)
    return parser


def _common(one: argparse.ArgumentParser) -> None:
    one.add_argument("--reader", help="a name, a folder (ONNX, Hugging Face), module:function [fa]")
    one.add_argument("--data", help="the PersianQA-style file to measure on [pqa_test.json, where it is found]")
    one.add_argument(
        "--split", action="store_true", help="as the study: learn from 80 %% of one file, measure on 20 %%"
    )
    one.add_argument("--out", type=Path, help=f"the folder of the results [{_OUT}/READER]")
    one.add_argument("--addany", type=_count, default=ADDANY, help=f"AddAny on so many questions; 0: all [{ADDANY}]")
    one.add_argument("--limit", type=_count, default=0, help="measure on so many questions; 0: all")
    one.add_argument("--seed", type=_count, default=0, help="the seed of attacks and training")
    one.add_argument("--threads", type=_count, default=0, help="threads of the reader; 0: every core")
    one.add_argument("--fresh", action="store_true", help="throw kept answers away (trained readers stay)")
    one.add_argument("--plan", action="store_true", help="only say what would be done, and how long it takes")


def _of_evaluation(one: argparse.ArgumentParser) -> None:
    one.add_argument("--rows", default="", help=f"some of {','.join(ROWS)}")
    one.add_argument(
        "--translator",
        action="append",
        default=[],
        help="for back-translation: llm:ADDRESS#MODEL or module:function; PIVOT=SPEC for en, fr or hy alone",
    )


def _of_training(one: argparse.ArgumentParser) -> None:
    one.add_argument("--train-data", help="the file to learn from [pqa_train.json or PQuAD, where it is found]")
    one.add_argument("--attacks", default="", help=f"some of {','.join(TRAINED)}")
    one.add_argument("--epochs", type=_positive, default=EPOCHS, help=f"at the most so many [{EPOCHS}]")
    one.add_argument("--lr", type=float, default=2e-5, help="the highest learning rate [2e-5]")
    one.add_argument("--batch", type=_positive, default=32, help="windows a step [32]")
    one.add_argument("--max-tokens", type=_positive, default=512, help="tokens a window [512]")
    one.add_argument("--look", type=_positive, default=100, help="held-out questions attacked after each epoch [100]")
    one.add_argument("--learn", type=_count, default=0, help="learn from so many questions; 0: all")
    one.add_argument("--workers", type=_count, default=None, help="processes that make attacks [all cores but one]")


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    sys.exit(main())

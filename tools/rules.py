"""Choose the exit rule of a trained multi-exit reader on held-out data, and write its predictions for what is measured.

    python tools/rules.py WORK --data data --depths curve/chnc/depths.jsonl -o package/chnc

    python tools/rules.py WORK --data data

WORK is the work folder of `readproof train celue`; its gold/ is what `readproof elue package --gold` wants. The
second form is for span questions (cmrc2018): it tells the cheapest rule that loses nothing on the held-out ones.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from readproof.errors import InputError
from readproof.jsonstream import load_json


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="The folder that was trained from.")
    parser.add_argument("--depths", type=Path, help="What tools/curve.py train wrote for the task.")
    parser.add_argument("--held-out", type=float, default=0.05, help="As in the training.")
    parser.add_argument("-o", "--out", type=Path, help="The task's folder in the package.")
    asked = parser.parse_args(arguments)
    try:
        if load_json(asked.work / "measured.json")["task"] == "cmrc2018":
            _choose_for_spans(asked)
        elif asked.depths is None or asked.out is None:
            parser.error("--depths and -o are needed for this task")
        else:
            _choose(asked)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _choose(asked: argparse.Namespace) -> None:
    from readproof.files import writing
    from readproof.readers import vocabulary
    from readproof.readers.exits.asking import Asking
    from readproof.readers.exits.config import read_manner
    from readproof.readers.exits.modelfile import model_file
    from readproof.readers.exits.trace import beside, with_modules
    from readproof.tasks import TASKS
    from readproof.training.device import pick_device
    from readproof.training.multi_exit.curve import read_lines
    from readproof.training.multi_exit.measure import load_said
    from readproof.training.multi_exit.model import multi_exit_from
    from readproof.training.multi_exit.ruling import answers_under, held_curve, judged, rules_of, token_rules
    from readproof.training.multi_exit.sets import asked as units_of
    from readproof.training.multi_exit.sets import task_parts
    from readproof.training.work import WorkFolder

    record = load_json(asked.work / "measured.json")
    task, config = record["task"], read_manner(asked.work)
    parts = task_parts(task, [asked.data], held=asked.held_out)
    curve = held_curve(read_lines(asked.depths))
    model = multi_exit_from(WorkFolder(asked.work).load(record["job"]), config).to(pick_device()).eval()
    asking = Asking(vocabulary.read(asked.work / "reader"), config)

    def answers(policy: object, part: str) -> list:  # type: ignore[type-arg]
        items = getattr(parts, part)
        said = load_said(asked.work / "said" / f"{part}.npz")
        return answers_under(policy, items, said, units_of(items, asking, config), model, config)  # type: ignore[arg-type]

    tried = []
    for policy in (*rules_of(config), *token_rules(config)):
        tried.append(judged(task, policy, parts.held, answers(policy, "held"), config, curve))
    tried.sort(key=lambda one: one.gain, reverse=True)
    for one in tried[:8]:
        print(f"held out: {one.policy!s:<14} {one.performance:.2f} at {one.flops / 1e9:.3f} GFLOPs, {one.gain:+.2f}")
    best = tried[0].policy
    found = {one.id: one for one in answers(best, "measured")}
    asked.out.mkdir(parents=True, exist_ok=True)
    out = asked.out / f"{str(best).replace(':', '-')}.jsonl"
    with writing(out) as file:
        with_modules(TASKS.get(task).write_predictions)(parts.measured, found, file)
    beside(parts.measured, found, out, task, model_file(config))
    print(out)


def _choose_for_spans(asked: argparse.Namespace) -> None:
    from readproof.items import SpanItem
    from readproof.readers import vocabulary
    from readproof.readers.exits.config import read_manner
    from readproof.readers.exits.deciding import Policy
    from readproof.training.measure import EvalSet
    from readproof.training.multi_exit.measure import SpanOutputs, load_spans, span_scores
    from readproof.training.multi_exit.ruling import cheapest, span_rules
    from readproof.training.multi_exit.sets import task_parts
    from readproof.training.sets import prepare

    reader = asked.work / "reader"
    config, overlap = read_manner(reader), load_json(reader / "reader.json")["overlap"]
    tokenizer = vocabulary.read(reader).tokenizer()
    parts = task_parts("cmrc2018", [asked.data], held=asked.held_out)

    def part(name: str) -> tuple[EvalSet, SpanOutputs]:
        items = [item for item in getattr(parts, name) if isinstance(item, SpanItem)]
        prepared = prepare(items, tokenizer, max_tokens=config.max_tokens, overlap=overlap)
        said = load_spans(asked.work / "said" / f"{name}.npz")
        if said.firsts.shape[1] != len(prepared.windows):
            found, expected = f"{len(prepared.windows)} windows", f"{said.firsts.shape[1]}, as in the training"
            do = "Give --data and --held-out as they were."
            raise InputError(place=name, found=found, expected=expected, do=do)
        return prepared, said

    tried = span_rules(*part("held"), config)
    for one in tried:
        print(f"held: {one.policy!s:<14} EM {one.exact:.2f}, F1 {one.f1:.2f} at {one.flops / 1e9:.1f} GFLOPs")
    best = cheapest(tried, config)
    if (asked.work / "said" / "measured.npz").is_file():
        measured = part("measured")
        for rule in (*(Policy("layer", layer) for layer in config.exits), best.policy):
            exact, f1, flops, exits = span_scores(*measured, config, rule)
            figures = f"EM {exact:.2f}, F1 {f1:.2f} at {flops / 1e9:.1f} GFLOPs, exit {exits.mean():.2f} on average"
            print(f"measured: {rule!s:<14} {figures}")
    print(best.policy)


if __name__ == "__main__":
    sys.exit(main())

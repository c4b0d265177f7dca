"""`readproof flops`: what some modules cost, by the published counting rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readproof.cli._output import Json, print_json, print_table, say
from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.efficiency.flops import Costs
    from readproof.efficiency.modules import Trace

Trust = Annotated[
    bool, typer.Option("--trust", help="Run the model file without a sandbox. It can then do all that you can.")
]


def command(
    modules: Annotated[
        str, typer.Argument(help='Modules as prediction files have them: "(128),emb;(128,768),layer_1".')
    ],
    model: Annotated[
        Path,
        typer.Option(help="model_to_eval.py with module_list and entire_model, or a description of a model (.json)."),
    ],
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    """FLOPs and parameters of a model's modules at the shapes given.

    The model file runs in a sandbox, on torch's meta device, where weights cost nothing. FLOPs are twice the
    multiply-adds (MACs). What the published counter does not know is traced and marked as an estimate.

    Examples:

      readproof flops "(128),emb;(128,768),layer_1;(128,768),pooler;(768),classifier" --model model_to_eval.py

      readproof flops "(128,768),layer_1" --model bert.json --json
    """
    from readproof.efficiency.flops import measure
    from readproof.efficiency.modules import GrammarError, parse
    from readproof.efficiency.trace_lint import batches

    try:
        trace = parse(modules)
    except GrammarError as error:
        raise InputError(
            file="MODULES", place=f"column {error.offset + 1}", found=error.found, expected=error.expected
        ) from None
    costs = measure(model, trace, trust=trust)
    faults = {use: costs.faults[use] for use in trace if use in costs.faults}
    if faults:
        from readproof.efficiency.predictions import ProblemsError, record_of, whole_file

        problems = [whole_file(model, f"{use}: {why}", "a module that runs") for use, why in faults.items()]
        if as_json:
            print_json({"problems": record_of(problems)})
        raise ProblemsError(problems)
    costs = replace(costs, notes=(*costs.notes, *batches(trace, costs)))
    if as_json:
        print_json(_record(trace, costs))
        return
    _print(trace, costs)


def _record(trace: Trace, costs: Costs) -> dict[str, Any]:
    macs = costs.macs(trace)
    return {
        "macs": macs,
        "flops": 2 * macs,
        "parameters": costs.parameters,
        "frozen_parameters": costs.frozen,
        "estimated_macs": sum(costs.of[use].estimated for use in trace),
        "estimated_classes": list(costs.estimated),
        "modules": [
            {
                "module": use.name,
                "shape": list(use.shape),
                "macs": costs.of[use].macs,
                "flops": costs.of[use].flops,
                "parameters": costs.of[use].parameters,
                "estimated_macs": costs.of[use].estimated,
            }
            for use in trace
        ],
        "notes": list(costs.notes),
    }


def _print(trace: Trace, costs: Costs) -> None:
    rows = [_row(use.name, use.shape, costs.of[use].macs, costs.of[use].parameters) for use in trace]
    macs = costs.macs(trace)
    rows.append(("together", "", f"{macs:,}", f"{2 * macs / 1e6:,.2f}", ""))
    print_table("", ("module", "input", "MACs", "MFLOPs", "parameters"), rows, right=(2, 3, 4))
    typer.echo(f"\nentire model: {costs.parameters:,} parameters")
    if costs.frozen:
        say(f"note: {costs.frozen:,} frozen parameters are not counted by the published counter")
    guessed = sum(costs.of[use].estimated for use in trace)
    if guessed:
        say(
            f"note: {guessed:,} of the MACs are an estimate: the published counter does not know "
            f"{', '.join(costs.estimated)} and would give their products away"
        )
    for note in costs.notes:
        say(f"note: {note}")


def _row(name: str, shape: tuple[int, ...], macs: int, parameters: int) -> tuple[str, ...]:
    return name, f"({','.join(map(str, shape))})", f"{macs:,}", f"{2 * macs / 1e6:,.2f}", f"{parameters:,}"

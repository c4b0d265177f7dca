"""Options of every command whose work can be shared out: where it runs, and by how many."""

from __future__ import annotations

from typing import Annotated

import typer

EngineName = Annotated[
    str,
    typer.Option(
        "--engine",
        help="Where the work runs: local (this process), pool (processes), ray (a cluster); docs/scale.md. "
        "[local; pool with --workers]",
        show_default=False,
    ),
]
Workers = Annotated[
    int, typer.Option(min=0, max=100_000, help="Processes or actors to share the work; 0 for as many as fit.")
]
RayAddress = Annotated[
    str,
    typer.Option(
        help="The Ray cluster, such as auto or HOST:6379 [RAY_ADDRESS; else one of its own].", show_default=False
    ),
]

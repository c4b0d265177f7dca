"""The command line: `readproof COMMAND`. Commands are thin; what they do can be called from Python too."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated

import typer

from readproof import __version__
from readproof.cli._pipe import Commands
from readproof.errors import ReadproofError
from readproof.files import no_room

# one module a command, each with a function `command`; heavy libraries are imported inside the functions
COMMANDS = (
    "prove",
    "report",
    "rescore",
    "compare",
    "ask",
    "answer",
    "score",
    "flops",
    "elue",
    "attack",
    "attacks",
    "review",
    "audit",
    "convert",
    "sanitise",
    "show",
    "tasks",
    "readers",
    "distil",
    "harden",
    "export",
    "check",
    "demo-submission",
    "doctor",
)
# one module a group of commands, each with a typer app `group`
GROUPS = ("suite", "train", "pack", "board")

_USER = 2
_OURS = 1
_INTERRUPTED = 130


def app() -> typer.Typer:
    """The whole command line."""
    root = typer.Typer(
        name="readproof",
        cls=Commands,
        help="Prove that a machine reader really reads: load, score, attack and audit reading-comprehension data.",
        no_args_is_help=True,
        add_completion=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    root.callback()(_root)
    for name in COMMANDS:
        root.command(name)(import_module(f"readproof.cli.{name.replace('-', '_')}").command)
    for name in GROUPS:
        root.add_typer(import_module(f"readproof.cli.{name}").group, name=name)
    return root


def main() -> None:
    """Run the command line; every expected error is one message and a status: 2 the user's input, 1 ours."""
    for stream in (sys.stdout, sys.stderr):
        # a console in another encoding must not turn a result into a traceback
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    if isinstance(sys.stdin, TextIOWrapper):
        # nor a question into other characters
        sys.stdin.reconfigure(encoding="utf-8", errors="strict")
    try:
        app()()
    except ReadproofError as error:
        sys.stderr.write(f"readproof: error: {error}\n")
        sys.exit(error.exit_status)
    except KeyboardInterrupt:
        sys.stderr.write("readproof: interrupted\n")
        sys.exit(_INTERRUPTED)
    except OSError as error:
        told = no_room(error) or f"{error.filename or 'system'}: {error.strerror or error}"
        sys.stderr.write(f"readproof: error: {told}\n")
        sys.exit(_USER)
    except Exception as error:
        if os.environ.get("READPROOF_DEBUG"):
            raise
        sys.stderr.write(
            f"readproof: a fault of ours: {type(error).__name__}: {error}\n"
            "Set READPROOF_DEBUG=1 to see where, and please report it.\n"
        )
        sys.exit(_OURS)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(__version__)
        raise typer.Exit


def _root(
    # eager and by a callback: without a command the function below is never reached
    _asked: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """What stands before the command."""


if __name__ == "__main__":
    main()

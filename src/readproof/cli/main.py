"""The command line: `readproof COMMAND`. Commands are thin; what they do can be called from Python too."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from readproof import __version__
from readproof.cli._output import UnreadCommands
from readproof.errors import ReadproofError
from readproof.files import no_room

# The commands by what they are for, each with the line that `--help` shows. A command lies in the module of its name:
# the function `command` or, of a group of commands, the typer app `group`. Heavy libraries are imported in functions.
SECTIONS: dict[str, dict[str, str]] = {
    "Prove": {
        "prove": "Prove that a reader reads",
        "compare": "Compare runs, with tests and intervals",
        "report": "Write the report of a run",
        "rescore": "Score a finished run again",
        "suite": "Freeze variants for fair comparisons",
    },
    "Read": {
        "ask": "Ask a question about a text",
        "answer": "Answer a whole data file",
        "score": "Score predictions officially",
        "sweep": "Compare prompts of a language model",
    },
    "Data": {
        "audit": "Find what is wrong with a data file",
        "show": "Show items as a person reads them",
        "convert": "Convert to another layout or script",
        "sanitise": "Remove invisible characters",
        "list": "List tasks, readers or attacks",
    },
    "Attack": {
        "attack": "Attack a data file",
        "review": "Judge variants blind, with agreement",
        "write": "Write adversarial options by hand",
    },
    "Train": {
        "train": "Train a reader",
        "harden": "Harden a reader against attacks",
        "distil": "Distil readers into a smaller one",
        "export": "Export a reader to ONNX",
    },
    "Shared task": {
        "pack": "Build a submission package",
        "check": "Check a submission package",
        "elue": "Compute ELUE scores",
        "flops": "Count FLOPs of modules",
        "board": "Run a shared task on the web",
    },
    "Installation": {
        "doctor": "Check what is installed and what works",
    },
}
COMMANDS = tuple(name for section in SECTIONS.values() for name in section)
# names of before, kept for one release
RENAMED = {"tasks": "list tasks", "readers": "list readers", "attacks": "list attacks", "demo-submission": "pack demo"}
_FUNCTIONS = {"rescore": ("prove", "rescore")}

_USER = 2
_OURS = 1
_INTERRUPTED = 130


def app() -> typer.Typer:
    """The whole command line."""
    root = typer.Typer(
        name="readproof",
        cls=_Commands,
        help="Prove that a machine reader really reads: load, score, attack and audit reading-comprehension data.",
        no_args_is_help=True,
        add_completion=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    root.callback()(_root)
    for section in SECTIONS.values():
        for name, line in section.items():
            module, function = _FUNCTIONS.get(name, (name, "command"))
            found = import_module(f"readproof.cli.{module}")
            if function == "command" and hasattr(found, "group"):
                root.add_typer(found.group, name=name, short_help=line)
            else:
                root.command(name, short_help=line)(getattr(found, function))
    for old, new in RENAMED.items():
        module, function = new.split()
        found = import_module(f"readproof.cli.{module}")
        root.command(old, hidden=True)(_renamed(getattr(found, function), old, new))
    return root


class _Commands(UnreadCommands):
    """The commands in sections, in the order of `SECTIONS`."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*COMMANDS, *(name for name in super().list_commands(ctx) if name not in COMMANDS)]

    def format_commands(self, _ctx: Any, formatter: Any) -> None:
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(10), line) for name, line in section.items()])


def _renamed(function: Callable[..., None], old: str, new: str) -> Callable[..., None]:
    @wraps(function)
    def command(*arguments: Any, **options: Any) -> None:
        typer.echo(f"readproof: `readproof {old}` is now `readproof {new}`; the old name will go.", err=True)
        function(*arguments, **options)

    return command


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

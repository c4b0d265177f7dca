"""Every `readproof …` line of the docs against the real command line: commands and options exist, values fit."""

from __future__ import annotations

import re
import shlex
from functools import lru_cache
from typing import Any

import pytest
import typer

from readproof.cli.main import app
from tests.docs.pages import Block, all_blocks, blocks, pages

# `readproof score TASK …`: what stands for something else, as a synopsis has it
_OPTIONAL = re.compile(r"\[(-[^\]]*)\]")
_LINE = re.compile(r"^(?:\$ )?(?:.*&& |export \S+ )?(?:\.venv/bin/)?readproof (?P<rest>.*)$")


@lru_cache(maxsize=1)
def root() -> Any:
    return typer.main.get_command(app())


def command_lines(block: Block) -> list[str]:
    """What follows `readproof` on each line, ready to be split."""
    found = []
    for line in block.text.replace("\\\n", " ").splitlines():
        for piece in re.split(r" && |   ·   ", line):
            if match := _LINE.match(piece.strip()):
                found.append(_OPTIONAL.sub(lambda one: one[1].partition("|")[0], match["rest"]))
    return found


def parsed(line: str) -> Any:
    """The options and arguments of a line, by the parser that a user meets; nothing is run."""
    line = re.sub(r"\$\([^)]*\)", "X", line)
    arguments = [one for one in shlex.split(line, comments=True) if one not in ("…", "[…]")]
    if "|" in arguments:
        arguments = arguments[: arguments.index("|")]
    command, context = root(), root().make_context("readproof", list(arguments), resilient_parsing=True)
    if arguments[0] in {name for one in command.params for name in one.opts}:  # --install-completion
        return context.params
    while hasattr(command, "resolve_command"):
        name, command, arguments = command.resolve_command(context, arguments)
        if hasattr(command, "resolve_command"):
            context = command.make_context(name, list(arguments), parent=context, resilient_parsing=True)
    return command.make_context(command.name, arguments, parent=context).params


LINES = sorted({(line, block.place) for block in all_blocks("bash", "") for line in command_lines(block)})


@pytest.mark.parametrize(("line", "place"), LINES, ids=[f"{place} {line[:30]}" for line, place in LINES])
def test_the_line_can_be_given(line: str, place: str) -> None:
    try:
        parsed(line)
    except typer.Exit:  # --help, --version, --explain
        pass
    except Exception as error:
        pytest.fail(f"{place}: readproof {line}: {type(error).__name__} {error}")


def test_wrong_lines_are_found() -> None:
    for wrong in ("prov", "attack addsent dev.json --nope", "score", "harden zh train.json", "ask --top x"):
        with pytest.raises(Exception, match=r".+"):
            parsed(wrong)
    assert len(LINES) > 150


def test_inline_commands_exist() -> None:
    known = set(root().commands)
    named = {
        (match[1], page.name)
        for page in pages()
        for match in re.finditer(r"`readproof ([a-z][a-z-]+)", page.read_text(encoding="utf-8"))
    }
    assert not {one for one in named if one[0] not in known}


def test_blocks_say_what_language_they_are_in() -> None:
    known = {"", "bash", "python", "text", "json", "toml", "ini", "nginx", "yaml"}
    assert not [block.place for page in pages() for block in blocks(page) if block.language not in known]

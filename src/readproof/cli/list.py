"""`readproof list`: which tasks, readers and attacks there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readproof.cli._output import Json, print_json, print_table, say

if TYPE_CHECKING:
    from readproof.attacks.base import AttackInfo
    from readproof.readers.card import ReaderCard


group = typer.Typer(help="List what readproof knows.", no_args_is_help=True, rich_markup_mode=None)


@group.callback()
def _group() -> None:
    """List what readproof knows: data sets, readers, attacks."""


@group.command("tasks")
def tasks(as_json: Json = False) -> None:
    """List the tasks: what each file holds, its language, metrics and licence."""
    from readproof.tasks import TASKS

    found = list(TASKS)
    if as_json:
        print_json(
            {
                task.name: {
                    "title": task.title,
                    "kind": task.kind,
                    "languages": list(task.languages),
                    "metrics": list(task.metrics),
                    "licence": task.licence,
                    "citation": task.citation,
                }
                for task in found
            }
        )
        return
    print_table(
        "",
        ("task", "what it is", "items", "languages", "metrics", "licence"),
        [
            (task.name, task.title, task.kind, " ".join(task.languages), " ".join(task.metrics), task.licence)
            for task in found
        ],
    )


@group.command("readers")
def readers(as_json: Json = False) -> None:
    """List the readers: what each reads, its languages, size, parameters, licence and scores.

    The closed track is that of GCRC_advRobust: it takes at most 510 million parameters, and no large model.
    """
    from readproof.readers import READERS
    from readproof.readers.track import eligible

    cards = {name: READERS.get(name).card() for name in READERS.names()}
    if as_json:
        print_json({name: _record(card) for name, card in cards.items()})
        return
    print_table(
        "",
        ("reader", "reads", "languages", "size", "parameters", "closed track", "licence", "scores"),
        [
            (
                name,
                card.title or card.kind,
                " ".join(card.languages),
                _size(card.size) + (f" + {card.onto}" if card.onto else ""),
                "" if card.parameters is None else f"{card.parameters / 1e6:.1f} M",
                eligible(card.parameters)[0],
                card.licence,
                "; ".join(_flat(card.scores)),
            )
            for name, card in cards.items()
        ],
        right=(3, 4),
    )
    say("A reader can also be an ONNX folder, a Hugging Face folder or hub name, module:function, or llm:URL#model.")


def _record(card: ReaderCard) -> dict[str, Any]:
    from readproof.readers.track import eligible

    return {
        "name": card.name,
        "title": card.title,
        "kind": card.kind,
        "languages": list(card.languages),
        "bytes": card.size,
        "parameters": card.parameters,
        "closed_track": eligible(card.parameters)[0],
        "licence": card.licence,
        "scores": dict(card.scores),
        "temperature": card.temperature,
        "no_answer": card.no_answer,
        "enough": card.enough,
    }


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


def _flat(scores: Mapping[str, Any], lead: str = "") -> list[str]:
    """Nested figures as one line: {"cmrc2018": {"EM": 71.0}} is "cmrc2018 EM 71.0"."""
    out: list[str] = []
    for name, value in scores.items():
        whole = f"{lead} {name}".strip()
        if isinstance(value, Mapping):
            if all(isinstance(one, int | float) for one in value.values()):
                out.append(f"{whole} " + ", ".join(f"{key} {one}" for key, one in value.items()))
            else:
                out += _flat(value, whole)
        else:
            out.append(f"{whole} {value}")
    return out


@group.command("attacks")
def attacks(
    name: Annotated[str | None, typer.Argument(help="One attack, to see its options.", show_default=False)] = None,
    as_json: Json = False,
) -> None:
    """List the attacks: languages, what they do to the truth, what they need; with a name, that attack's options.

    Examples:

      readproof list attacks

      readproof list attacks addany
    """
    from readproof.attacks.known import ATTACKS

    if name is not None:
        _one(ATTACKS.get(name), as_json)
        return
    every = [kind.about for kind in ATTACKS]
    if as_json:
        print_json({"attacks": [_attack_record(about) for about in every]})
        return
    rows = [
        (
            about.name,
            " ".join(about.spoken),
            " ".join(about.kinds),
            about.truth,
            about.undone,
            ", ".join(about.needs) or "nothing",
            about.does,
        )
        for about in every
    ]
    heads = ("attack", "languages", "items", "truth", "undone by the sanitiser", "needs", "what it does")
    print_table("", heads, rows)


def _attack_record(about: AttackInfo) -> dict[str, Any]:
    plain = {one.name: getattr(about, one.name) for one in fields(about) if one.name != "registry"}
    return plain | {"languages": about.spoken}


def _one(kind: type[Any], as_json: bool) -> None:
    about = kind.about
    options = [
        (one.name, _default(one.default), ", ".join(one.metadata.get("values", ())), one.metadata.get("help", ""))
        for one in (fields(kind) if is_dataclass(kind) else ())
        if one.init and isinstance(one.default, str | int | float | bool)
    ]
    if as_json:
        named = [dict(zip(("name", "default", "values", "help"), option, strict=True)) for option in options]
        print_json(_attack_record(about) | {"options": named})
        return
    typer.echo(f"{about.name}: {about.does}")
    typer.echo(f"languages {', '.join(about.spoken)}; truth {about.truth}; undone by the sanitiser: {about.undone}")
    if options:
        print_table("\nOptions, each as --set NAME=VALUE", ("name", "default", "values", "what it is"), options)


def _default(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)

"""`readproof attacks`: what attacks there are."""

from __future__ import annotations

from dataclasses import asdict, fields, is_dataclass
from typing import Annotated, Any

import typer

from readproof.cli._output import Json, print_json, print_table


def command(
    name: Annotated[str | None, typer.Argument(help="One attack, to see its options.", show_default=False)] = None,
    as_json: Json = False,
) -> None:
    """List the attacks: languages, what they do to the truth, what they need; with a name, that attack's options.

    Examples:

      readproof attacks

      readproof attacks addany
    """
    from readproof.attacks.known import ATTACKS

    if name is not None:
        _one(ATTACKS.get(name), as_json)
        return
    every = [kind.about for kind in ATTACKS]
    if as_json:
        print_json({"attacks": [asdict(about) for about in every]})
        return
    rows = [
        (
            about.name,
            " ".join(about.languages),
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


def _one(kind: type[Any], as_json: bool) -> None:
    about = kind.about
    options = [
        (one.name, _default(one.default), ", ".join(one.metadata.get("values", ())), one.metadata.get("help", ""))
        for one in (fields(kind) if is_dataclass(kind) else ())
        if one.init and isinstance(one.default, str | int | float | bool)
    ]
    if as_json:
        named = [dict(zip(("name", "default", "values", "help"), option, strict=True)) for option in options]
        print_json(asdict(about) | {"options": named})
        return
    typer.echo(f"{about.name}: {about.does}")
    typer.echo(f"languages {', '.join(about.languages)}; truth {about.truth}; undone by the sanitiser: {about.undone}")
    if options:
        print_table("\nOptions, each as --set NAME=VALUE", ("name", "default", "values", "what it is"), options)


def _default(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)

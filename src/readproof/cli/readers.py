"""`readproof readers`: which readers there are, what they read, how big and how good they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from readproof.cli._output import Json, print_json, print_table, say

if TYPE_CHECKING:
    from readproof.readers.card import Card


def command(as_json: Json = False) -> None:
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


def _record(card: Card) -> dict[str, Any]:
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

"""The page on which people judge: one variant after another, two keys a variant."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from http.server import ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path

from readproof.attacks.review import HOLDS, Judgement, card_of, keep
from readproof.cli import _local_page
from readproof.items import Variant


def serve(variants: Sequence[Variant], by: str, path: Path, port: int, say: Callable[[str], None]) -> None:
    """Serves until interrupted."""
    server, address = start(variants, by, path, port)
    say(f"Judge at {address} (Ctrl-C to stop); judgements: {path}")
    _local_page.until_stopped(server)


def start(variants: Sequence[Variant], by: str, path: Path, port: int) -> tuple[ThreadingHTTPServer, str]:
    """A server that is ready, and its address."""
    cards = [asdict(card_of(variant)) for variant in variants]
    known = {card["id"] for card in cards}
    lock = threading.Lock()
    page = files("readproof.cli").joinpath("review.html").read_text(encoding="utf-8")
    done: set[str] = set()

    def filled(key: str) -> str:
        """The page with what is left to judge; no sign of the data may end the script."""
        left = [card for card in cards if card["id"] not in done]
        data = json.dumps({"cards": left, "by": by, "key": key}, ensure_ascii=False).replace("<", "\\u003c")
        return page.replace("/*DATA*/null", data)

    def judged(_path: str, body: bytes) -> tuple[int, str]:
        said = _parsed(body)
        if said is None or said.variant not in known:
            return 400, "not a judgement"
        with lock:
            keep(path, Judgement(variant=said.variant, by=by, fluent=said.fluent, holds=said.holds))
            done.add(said.variant)
        return 200, "{}"

    return _local_page.start(filled, judged, port)


def _parsed(body: bytes) -> Judgement | None:
    try:
        record = json.loads(body)
        fluent, holds, variant = record["fluent"], record["holds"], record["variant"]
    except (ValueError, KeyError, TypeError):
        return None
    if not isinstance(fluent, bool) or holds not in HOLDS or not isinstance(variant, str):
        return None
    return Judgement(variant=variant, by="", fluent=fluent, holds=holds)

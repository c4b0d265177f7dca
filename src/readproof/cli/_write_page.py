"""The page on which a person writes or mends triples: the passage beside, alignment and checks with each option."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from http.server import ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any

from readproof.attacks.authoring import FORMS, OptionText, TripleDraft, keep, problems, read_written, remarks, written
from readproof.cli import _local_page
from readproof.files import writing
from readproof.tasks.convert import WRITERS


def serve(drafts: Sequence[TripleDraft], out: Path, kept: Path, port: int, say: Callable[[str], None]) -> None:
    """Serves until interrupted."""
    server, address = start(drafts, out, kept, port)
    say(f"Write at {address} (Ctrl-C to stop); triples: {out}")
    _local_page.until_stopped(server)


def start(drafts: Sequence[TripleDraft], out: Path, kept: Path, port: int) -> tuple[ThreadingHTTPServer, str]:
    """A server that is ready, and its address. What is kept goes to `kept` at once, and OUT is written anew."""
    known = {draft.item.id: draft for draft in drafts}
    page = files("readproof.cli").joinpath("write.html").read_text(encoding="utf-8")
    lock = threading.Lock()

    def filled(key: str) -> str:
        done = {triple.id for triple in read_written(kept)}
        left = [_plain(draft) for draft in drafts if draft.item.id not in done]
        data = json.dumps({"drafts": left, "key": key}, ensure_ascii=False).replace("<", "\\u003c")
        return page.replace("/*DATA*/null", data)

    def taken(path: str, body: bytes) -> tuple[int, str]:
        try:
            record = json.loads(body)
            draft = known[record["id"]]
            if path == "/check":
                return 200, json.dumps(remarks(str(record["text"]), draft.item), ensure_ascii=False)
            said = {form: [_option(one) for one in record[form]] for form in FORMS}
        except (ValueError, KeyError, TypeError):
            return 400, "not a request of this page"
        wrong = [one for form in FORMS for one in problems(draft, form, said[form])]
        if wrong:
            return 400, "; ".join(wrong)
        with lock:
            keep(kept, written(draft, said["positive"], said["negative"]))
            with writing(out) as file:
                WRITERS["gcrc"](read_written(kept), file)
        return 200, "{}"

    return _local_page.start(filled, taken, port)


def _option(record: Any) -> OptionText:
    text, truth = record["text"], record["truth"]
    if not isinstance(text, str) or not isinstance(truth, bool):
        raise TypeError
    return OptionText(text, truth)


def _plain(draft: TripleDraft) -> dict[str, Any]:
    def texts(options: Sequence[OptionText]) -> list[dict[str, Any]]:
        return [{"text": one.text, "truth": one.truth} for one in options]

    item = draft.item
    own = [{"text": text, "truth": truth} for text, truth in zip(item.options, item.truths, strict=True)]
    stems = {"positive": item.question, "negative": draft.negative_stem}
    return {"id": item.id, "title": item.title, "passage": item.passage, "options": own, "stems": stems} | {
        "positive": texts(draft.positive),
        "negative": texts(draft.negative),
        "note": draft.note,
    }

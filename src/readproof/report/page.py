"""The page of a run: one HTML file that holds everything it shows and loads nothing.

Texts out of the data meet the page in two ways only: escaped by the template, with control characters spelt out, or
packed in base64 for the browser of failures, whose script sets them as text. The page forbids itself any script but
its own, by the hash of it.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import unicodedata
from importlib.resources import files
from typing import Any

from markupsafe import Markup, escape

from readproof.prove.model import Part, Scores, Timings
from readproof.report import abouttables, pieces, tables, verdicts
from readproof.report.failures import KINDS, Failures
from readproof.report.grids import Grid
from readproof.report.labels import LANGUAGES, Label, Language, Words, label, labels, named
from readproof.text import encodable

# what could steer a browser: controls, and the characters that turn the direction of a text
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# the labels that the script writes itself
_SCRIPTED = (
    "contents",
    "switch.",
    "legend.",
    "browser.",
    "card.",
    "filter.",
    "kind.",
    "type.",
    "probe.",
    "theme.",
    "copy",
    "copied",
    "metric.",
)
_SCRIPTS = ("base.js", "marks.js", "cards.js", "browser.js")
_LANG = {"en": "en", "zh": "zh-Hans"}


def page(scores: Scores, timings: Timings, failures: Failures, *, language: Language | None = None) -> str:
    """The whole page; `language` is that of its labels, None for the browser's own."""
    import jinja2

    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["both"] = marked
    style = _file("page.css")
    # one block, so that nothing of it can be reached from outside
    script = '"use strict";\n{\n' + "\n".join(map(_file, _SCRIPTS)) + "}\n"
    filled = environment.from_string(_file("page.html")).render(
        _context(scores, timings, failures),
        language=language or "en",
        fixed=language is not None,
        style=Markup(style),
        script=Markup(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
        label=label,
        named=named,
    )
    return encodable(filled)


def marked(words: Words) -> Markup:
    """Words in both languages, of which the page shows one; control characters are spelt out."""
    if isinstance(words, str):
        return escape(spelt(words))
    if words.en == words.zh:
        return escape(spelt(words.en))
    spans = [f'<span class="{one}" lang="{_LANG[one]}">{escape(spelt(words.of(one)))}</span>' for one in LANGUAGES]
    return Markup("".join(spans))


def spelt(text: str) -> str:
    """A text in which nothing can turn the page round."""
    return _STEERING.sub(lambda found: f"⟨{_name(found[0])}⟩", encodable(text))


def packed(failures: Failures) -> str:
    """The failures for the script: base64 has no sign that could end it."""
    text = json.dumps(failures.plain(), ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode("utf-8"), compresslevel=9, mtime=0)).decode("ascii")


def _context(scores: Scores, timings: Timings, failures: Failures) -> dict[str, Any]:
    run = scores.run
    return {
        "run": run,
        "scores": scores,
        "title": label("title").filled(reader=run.reader.name, data=run.data.name),
        "counts": [_counted(part) for part in scores.parts],
        "state": verdicts.state(scores.verdict),
        "limits": verdicts.limits_kept(scores.verdict),
        "checks": verdicts.checked(scores.verdict),
        "told": verdicts.told(scores.verdict),
        "parts": [_part(scores, timings, part) for part in scores.parts],
        "confidence": abouttables.confidence_grid(scores),
        "cost": abouttables.cost_grid(scores, timings),
        "cost_plots": pieces.cost_plots(scores, timings),
        "made": abouttables.made_grid(scores),
        "left": abouttables.left_grid(scores),
        "facts": pieces.facts(scores, timings),
        "failures": failures,
        "kinds": [kind for kind in KINDS if failures.counts[kind]],
        "packed": packed(failures) if failures.cases else "",
        "script_labels": _script_labels(),
    }


def _part(scores: Scores, timings: Timings, part: Part) -> dict[str, Any]:
    grids: list[Grid | None] = [tables.strategies_grid(scores, part), tables.types_grid(part)]
    return {
        "name": part.name,
        "title": tables.part_title(part),
        "verdict": _verdict(scores, part),
        "tiles": pieces.tiles(scores, timings, part),
        "clean": tables.clean_grid(part),
        "attacks": tables.attacks_grid(scores, part),
        "attacks_plot": pieces.attacks_plot(scores, part),
        "does": [(one.attack, _does(one.attack, one.made.does)) for one in tables.own_attacks(scores, part)],
        "probes": tables.probes_grid(scores, part),
        "probes_plot": pieces.probes_plot(part),
        "more": [one for one in grids if one],
        "confidence_plots": pieces.confidence_plots(part),
    }


def _verdict(scores: Scores, part: Part) -> tuple[Label, str] | None:
    """The verdict on one kind of question, and how good the news are."""
    own = next((one for one in scores.verdict.parts if one.part == part.name), None)
    return (verdicts.sentence(own, scores.verdict.checks), verdicts.part_state(own)) if own else None


def _counted(part: Part) -> Label:
    if part.triples:
        return label("questions.triples").filled(count=part.triples)
    return label(f"questions.{part.name}").filled(count=part.questions)


def _does(attack: str, told: str) -> Words:
    """What an attack does, in its own words where it was not ours."""
    known = named("attack", attack)
    return known if isinstance(known, Label) and known.en == told else told


def _script_labels() -> Markup:
    own = {key: [one.en, one.zh] for key, one in labels().items() if key.startswith(_SCRIPTED)}
    return Markup(json.dumps(own, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))


def _file(name: str) -> str:
    return files("readproof.report").joinpath("template", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _name(character: str) -> str:
    return unicodedata.name(character, f"U+{ord(character):04X}")

"""What every page of ours is made with: templates, words in both languages, and a policy against foreign scripts.

Texts out of the data meet a page escaped by the template, with control characters spelt out. A page forbids itself any
script and style but its own, by their hashes, and loads nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from markupsafe import Markup, escape

from readproof.reports.labels import LANGUAGES, Language, Words, label, labels, named
from readproof.text import encodable

# what could steer a browser: controls, and the characters that turn the direction of a text
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_LANG = {"en": "en", "zh": "zh-Hans"}
# the labels that scripts write themselves
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
    "telling.",
)


def rendered(
    template: str,
    values: Mapping[str, Any],
    *,
    scripts: Sequence[str] = ("base.js",),
    language: Language | None = None,
) -> str:
    """A page of a template; `language` is that of its labels, None for the browser's own."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_file),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["both"] = marked
    environment.globals |= {"label": label, "named": named}
    style = _file("page.css")
    # one block, so that nothing of it can be reached from outside
    script = '"use strict";\n{\n' + "\n".join(map(_file, scripts)) + "}\n"
    filled = environment.get_template(template).render(
        values,
        language=language or "en",
        fixed=language is not None,
        style=Markup(style),
        script=Markup(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
        script_labels=_script_labels(),
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


def _script_labels() -> Markup:
    own = {key: [one.en, one.zh] for key, one in labels().items() if key.startswith(_SCRIPTED)}
    return Markup(json.dumps(own, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))


def _file(name: str) -> str:
    return files("readproof.reports").joinpath("template", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _name(character: str) -> str:
    return unicodedata.name(character, f"U+{ord(character):04X}")

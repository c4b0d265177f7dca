"""Examples of every attack that a person can read, for docs/attacks/gallery.md: real variants, none invented.

    python tools/gallery.py             writes the page anew
    python tools/gallery.py --reader R  the part that searches against a reader too (R: the same in torch, for hotflip)

Variants of attacks without a reader are the same on every machine, so a test holds the page against this file. What a
search finds hangs on the reader and on the kind of CPU: it is kept in gallery.found.jsonl, which only --reader renews.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path

from readproof.attacks import ATTACKS, Attack, SearchAttack, make_attack
from readproof.attacks.edits import original_text
from readproof.board.web.trying import visible
from readproof.items import ChoiceItem, Edit, SpanItem, Triple, Variant
from readproof.readers import load_reader
from readproof.tasks import load

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/attacks/gallery.md"
FOUND = ROOT / "docs/attacks/gallery.found.jsonl"
SPANS = ROOT / "examples/cmrc2018.sample.json"
OPTIONS = ROOT / "src/readproof/samples/zh.jsonl.xz"

# places in the sample: short questions on different passages
_CHOSEN = (0, 9, 20)
_EACH = 3
_BEFORE, _AFTER = 24, 44
_BUDGETS = {"addany": 200, "hotflip": 40}
# my-hard: the reader in torch, as a short `readproof harden zh` writes it
_ASKED = {"addany": "--reader zh --set preset=strong", "hotflip": "--reader my-hard"}
_NO_EXAMPLE = {
    "backtranslate": "No translator ships with the package, so no example here could be made again by everybody. "
    "[How to name one](../attacks.md#slots); [a hundred questions](backtranslate.md) that went to English and back.",
    "addonesent": "One of the sentences above, taken at random.",
}
_LETTERS = "ABCD"

HEAD = """# Attacks by example

Every example below was made by the command above it, or in Python by the same attack, on data that ship with readproof:
`examples/cmrc2018.sample.json` (CMRC 2018, Cui et al. 2019, CC BY-SA 4.0) and the sample of `readproof prove` (VGaokao,
Zhang et al. 2021, Apache-2.0). None was written or chosen by hand: they are the first, tenth and twenty-first question
of the file (the next one where the attack has nothing to change), or the first options that an attack can say
otherwise. <ins>Underlined</ins> is what the attack put in, <del>struck out</del> what it took away. ⟨U+200E⟩ stands for
a character that cannot be seen. `python tools/gallery.py` writes this page.

What each attack needs, in which languages it works and what it did to the shipped reader is in
[attacks.md](../attacks.md); a hundred variants of each, read blind, are linked [from
there](../attacks.md#what-was-measured). The shipped reader `zh` is hardened: after most searches it says what it said.
"""


def spans() -> list[SpanItem]:
    """The span questions that the examples are made of."""
    return [item for item in load(SPANS) if isinstance(item, SpanItem)]


def questions() -> list[ChoiceItem]:
    """The questions with options."""
    return [item.original for item in load(f"items:{OPTIONS}") if isinstance(item, Triple)]


def page() -> str:
    """The whole page; searches as they were found once."""
    sections = [HEAD]
    for name in ATTACKS.names():
        about = ATTACKS.get(name).about
        sections.append(f"## {name}\n\n{about.does[0].upper()}{about.does[1:]}.\n\n{_body(name)}")
    return "\n".join(sections)


def _body(name: str) -> str:
    if name in _NO_EXAMPLE:
        return _NO_EXAMPLE[name] + "\n"
    attack = make_attack(name)
    if name in _BUDGETS:
        return _command(name) + "\n".join(_told(item, variant, note) for item, variant, note in _kept(name))
    if not isinstance(attack, Attack):
        raise TypeError(name)
    if "choice" in attack.about.kinds:
        return "\n".join(_told_options(item, variant) for item, variant in _of_options(attack))
    return _command(name) + "\n".join(_told(item, variant) for item, variant in _of_spans(attack))


def _command(name: str) -> str:
    more = f"{_ASKED[name]} --budget {_BUDGETS[name]} " if name in _BUDGETS else ""
    return f"```bash\nreadproof attack {name} examples/cmrc2018.sample.json {more}-o attacked.json\n```\n\n"


def _of_spans(attack: Attack) -> Iterator[tuple[SpanItem, Variant]]:
    items = spans()
    for first in _CHOSEN:
        for item in items[first:]:
            made = attack.make(item, seed=0, count=1)
            if made.variants:
                yield item, made.variants[0]
                break


def _of_options(attack: Attack) -> list[tuple[ChoiceItem, Variant]]:
    """One of each truth first, then more of them: a kept and a flipped one side by side say most."""
    made = [(item, variant) for item in questions() for variant in attack.make(item, seed=0, count=2).variants]
    first = {variant.truth: (item, variant) for item, variant in reversed(made)}
    chosen = [*first.values(), *(pair for pair in made if pair not in list(first.values()))]
    return chosen[: 1 if attack.about.name == "triples" else _EACH]


def _told(item: SpanItem, variant: Variant, note: str = "") -> str:
    lines = [f"> {_marked(item.question, _in(variant, 'question'), whole=True)}"]
    lines.append(f"> (answer: {escape(item.golds[0].text)})  ")
    if edits := _in(variant, "passage"):
        lines.append(f"> {_marked(item.passage, edits, named=variant.attack == 'homoglyph')}")
    return "\n".join([*lines, *([f"> {note}"] if note else [])]) + "\n"


def _told_options(item: ChoiceItem, variant: Variant) -> str:
    lines = []
    if isinstance(variant.item, Triple):
        lines.append(f"> {escape(item.question)} (answer: {item.letter})  ")
        for form in ("positive", "negative"):
            new = variant.item.positive if form == "positive" else variant.item.negative
            lines.append(f"> *{form}*: {escape(new.question)} (answer: {new.letter})  ")
            for number, text in enumerate(new.options):
                edits = _in(variant, f"{form} option {number}")
                lines.append(f"> {_LETTERS[number]} {_marked(original_text(text, edits), edits, whole=True)}  ")
        return "\n".join(lines) + "\n"
    for number, text in enumerate(item.options):
        if edits := _in(variant, f"option {number}"):
            truth = "true" if item.truths[number] else "false"
            lines.append(f"> {_marked(text, edits, whole=True)}  ")
            lines.append(f"> ({truth} before; truth {variant.truth} by *{variant.strategy.partition('/')[2]}*)")
    return "\n".join(lines) + "\n"


def _in(variant: Variant, where: str) -> list[Edit]:
    return sorted((edit for edit in variant.edits if edit.where == where), key=lambda edit: edit.start)


def _marked(text: str, edits: Sequence[Edit], *, whole: bool = False, named: bool = False) -> str:
    """A text, or what stands around its first edit, with all edits shown."""
    first, last = 0, len(text)
    if not whole:
        first, last = max(0, edits[0].start - _BEFORE), min(len(text), edits[0].end + _AFTER)
    pieces = ["…" if first else ""]
    at = first
    for edit in edits:
        if edit.start > last or edit.end > max(last, edits[0].end):
            break
        pieces.append(_plain(text[at : edit.start]) + (f"<del>{_plain(edit.old)}</del>" if edit.old else ""))
        code = f"({' '.join(f'U+{ord(sign):04X}' for sign in edit.new)})" if named else ""
        pieces.append(f"<ins>{_plain(edit.new)}</ins>{code}" if edit.new else "")
        at = edit.end
    return "".join([*pieces, _plain(text[at:last]), "…" if last < len(text) else ""])


def _plain(text: str) -> str:
    """A text that Markdown and HTML leave as it is."""
    shown = escape(visible(text).replace("\u200c", "⟨U+200C⟩"), quote=False).replace("\n", " ")
    return "".join("\\" + sign if sign in r"\`*_[]~" else sign for sign in shown)


def _kept(name: str) -> Iterator[tuple[SpanItem, Variant, str]]:
    by_id = {item.id: item for item in spans()}
    for line in FOUND.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["attack"] == name:
            item = by_id[record["id"]]
            variant = Variant(item=item, origin=item.id, attack=name, edits=(Edit(**record["edit"]),))
            note = f"(the reader said {escape(record['before'])}, then {escape(record['after'])})"
            yield item, variant, note


def search(folder: str) -> None:
    """Searches against the shipped reader, and for gradients against the same in torch; kept for the page."""
    lines = []
    for name, budget in _BUDGETS.items():
        attack = make_attack(name, {"preset": "strong"} if name == "addany" else None)
        if not isinstance(attack, SearchAttack):
            raise TypeError(name)
        chosen = [spans()[at] for at in _CHOSEN]
        reader = load_reader(folder if name == "hotflip" else "zh")
        for item, found in zip(chosen, attack.search(chosen, reader, seed=0, budget=budget), strict=True):
            for variant in found.made.variants:
                lines.append(_line(name, item, variant.edits[0], found.before, found.after))
    FOUND.write_text("".join(lines), encoding="utf-8")


def _line(name: str, item: SpanItem, edit: Edit, before: object, after: object) -> str:
    said = [getattr(answer, "text", "") for answer in (before, after)]
    record = {"attack": name, "id": item.id, "edit": asdict(edit), "before": said[0], "after": said[1]}
    return json.dumps(record, ensure_ascii=False) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reader", help="a torch folder of the shipped reader, as `readproof harden zh` writes one")
    given = parser.parse_args()
    if given.reader:
        search(given.reader)
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()

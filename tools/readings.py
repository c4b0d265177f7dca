"""Blind readings of attack variants, as they are kept in docs/attacks/readings.

    python tools/readings.py draw VARIANTS NAME [--count 100]   draws, writes NAME.cards.jsonl and NAME.sheet.txt
    python tools/readings.py options DATA… [--home FOLDER]       draws 100 variants of each option strategy, 60 triples
    python tools/readings.py page NAME JUDGE…                    writes docs/attacks/NAME.md from cards and judgements
    python tools/readings.py triples NAME JUDGE…                 how often the judges' letters are the gold ones

A sheet has no labels. A judge writes one line a card: its number, fluent (y/n), holds (y/n/u), tab-separated, and if
need be a note; `page` reads such sheets as NAME.JUDGE.tsv. Of a triple a judge writes the number and, having read the
passage, the letters of the positive and of the negative question.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import Any

from readproof.attacks import make_attack
from readproof.attacks.options.rewriting import STRATEGIES
from readproof.attacks.options.triples import Triples
from readproof.attacks.review import Judgement, card_of, drawn, judged_variants, kappa
from readproof.items import ChoiceItem, Triple, Variant, letter
from readproof.lang.api import get_language
from readproof.tasks import load

HOME = Path(__file__).parent.parent / "docs/attacks/readings"
_SAYS = {"y": "yes", "n": "no", "u": "unsure"}
_EVIDENCE = 4
_AROUND, _MOST = 60, 3


def evidence(variant: Variant) -> str:
    """The sentences of the passage that share most with the option before and after."""
    item, card = variant.item, card_of(variant)
    if not isinstance(item, ChoiceItem):
        return ""
    pairs = {text[at : at + 2] for text in (card.before, card.after) for at in range(len(text) - 1)}
    spans = get_language(item.language).sentences(item.passage)
    ranked = sorted(spans, key=lambda span: -sum(pair in item.passage[span[0] : span[1]] for pair in pairs))
    return " […] ".join(item.passage[start:end] for start, end in sorted(ranked[:_EVIDENCE]))


def draw(path: Path, name: str, count: int, seed: int) -> None:
    write_sheet(drawn(judged_variants(path), count, seed), name, HOME)


def options(data: list[str], home: Path, seed: int) -> None:
    """The sheets of the option attacks: one variant of a question, so that no passage is read for one attack only."""
    items = [item for name in data for item in load(name)]
    for strategy in STRATEGIES:
        attack = make_attack(f"options/{strategy}")
        known = [one for item in items for one in attack.make(item, seed=seed).variants]  # type: ignore[union-attr]
        write_sheet(drawn([one for one in known if _was_known(one)], 100, seed), f"options-{strategy}", home)
    made = [one for item in items for one in Triples().make(item, seed=seed).variants]
    write_triples(drawn(made, 60, seed), "option-triples", home)


def _was_known(variant: Variant) -> bool:
    return isinstance(variant.item, ChoiceItem) and bool(variant.item.truths)


def write_triples(chosen: list[Variant], name: str, home: Path) -> None:
    cards, sheet = [], []
    for number, variant in enumerate(chosen, start=1):
        triple = variant.item
        if not isinstance(triple, Triple):
            continue
        made = {"positive": triple.positive, "negative": triple.negative}
        card: dict[str, object] = {"number": number, "id": triple.id, "strategy": variant.strategy}
        lines = [f"## {number}", f"passage: {triple.original.passage}"]
        for form, one in made.items():
            card[form] = {"question": one.question, "options": one.options, "letter": one.letter}
            lines.append(f"{form}: {one.question}")
            lines += [f"  {letter(at)}. {option}" for at, option in enumerate(one.options)]
        cards.append(card)
        sheet.append("\n".join(lines))
    _keep(cards, sheet, name, home)


def triples(name: str, judges: list[str], home: Path) -> None:
    """How many of the letters that each judge gave are the gold ones, and how many the judges share."""
    cards = [json.loads(line) for line in (home / f"{name}.cards.jsonl").read_text(encoding="utf-8").splitlines()]
    gold = {(card["number"], form): card[form]["letter"] for card in cards for form in ("positive", "negative")}
    said: dict[str, dict[tuple[int, str], str]] = {}
    for judge in judges:
        lines = (home / f"{name}.{judge}.tsv").read_text(encoding="utf-8").splitlines()
        rows = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
        said[judge] = {
            (int(row[0]), form): row[at].strip().upper()
            for row in rows
            for at, form in enumerate(("positive", "negative"), start=1)
        }
        right = sum(said[judge].get(key) == value for key, value in gold.items())
        print(f"{judge}: {right} of {len(gold)} letters are the gold ones ({right / len(gold):.1%})")
    for one, other in combinations(judges, 2):
        same = sum(said[one].get(key) == said[other].get(key) for key in gold)
        print(f"{one} and {other}: {same} of {len(gold)} letters the same ({same / len(gold):.1%})")


def write_sheet(chosen: list[Variant], name: str, home: Path) -> None:
    cards, sheet = [], []
    for number, variant in enumerate(chosen, start=1):
        card = card_of(variant, around=_AROUND, most=_MOST)
        text = evidence(variant) if card.kind == "choice" else card.text
        label = {"truth": variant.truth, "strategy": variant.strategy, "origin": variant.origin}
        before_truth = {"was": card.before.rpartition("[")[2].rstrip("]")} if card.kind == "choice" else {}
        shown = asdict(card) | {"text": text, "changes": list(card.changes) if card.kind == "span" else []}
        cards.append({"number": number, **shown, **label, **before_truth, "attack": variant.attack})
        marked = text
        for start, end in reversed(card.changes if card.kind == "span" else ()):
            marked = marked[:start] + "⟦" + marked[start:end] + "⟧" + marked[end:]
        lines = [f"## {number}", f"passage: {marked}", f"question: {card.question}"]
        lines += [f"before: {card.before}"] if card.before else []
        lines.append(f"{'answer' if card.kind == 'span' else 'now'}: {card.after}")
        sheet.append("\n".join(lines))
    _keep(cards, sheet, name, home)


def _keep(cards: list[dict[str, Any]], sheet: list[str], name: str, home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    with (home / f"{name}.cards.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(card, ensure_ascii=False) + "\n" for card in cards)
    (home / f"{name}.sheet.txt").write_text("\n\n".join(sheet) + "\n", encoding="utf-8")
    print(f"{len(cards)} cards in {home / name}.cards.jsonl")


def page(name: str, judges: list[str]) -> None:
    cards = [json.loads(line) for line in (HOME / f"{name}.cards.jsonl").read_text(encoding="utf-8").splitlines()]
    said = {judge: _sheet(HOME / f"{name}.{judge}.tsv", judge, cards) for judge in judges}
    rows, good = [], {judge: [0, 0, 0] for judge in judges}
    for card in cards:
        verdicts = []
        for judge in judges:
            one = said[judge][card["id"]]
            true = _truth(one, card) == card["truth"]
            counts = good[judge]
            counts[0] += one.fluent
            counts[1] += true
            counts[2] += one.fluent and true
            verdicts.append(("fluent" if one.fluent else "NOT FLUENT") + ", " + ("true" if true else "NOT TRUE"))
        rows.append(_row(card, verdicts))
    lines = [f"# {name}: {len(cards)} variants, read blind", ""]
    heads = "judge | fluent | true to label | both"
    lines += [f"| {heads} |", "|---|---|---|---|"]
    total = len(cards)
    lines += [f"| {judge} | {a}/{total} | {b}/{total} | **{c}/{total}** |" for judge, (a, b, c) in good.items()]
    if len(judges) == 2:
        one, other = (said[judge] for judge in judges)
        for what in ("fluent", "holds"):
            left = [getattr(one[card["id"]], what) for card in cards]
            right = [getattr(other[card["id"]], what) for card in cards]
            same = sum(a == b for a, b in zip(left, right, strict=True))
            value = kappa(left, right)
            shown = "one verdict only" if value is None else f"{value:.2f}"
            lines += ["", f"Agreement on *{what}*: {same}/{total}, Cohen's kappa {shown}."]
    lines += ["", *rows]
    (HOME.parent / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(name, good)


def _truth(said: Judgement, card: dict[str, str]) -> str:
    if said.holds == "unsure":
        return "unsure"
    held = said.holds == "yes"
    if card["kind"] == "choice":
        return "kept" if held == (card["was"] == "true") else "flipped"
    return "kept" if held else "flipped"


def _sheet(path: Path, judge: str, cards: list[dict[str, str]]) -> dict[str, Judgement]:
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        number, fluent, holds, *note = line.split("\t")
        card = cards[int(number) - 1]
        found[card["id"]] = Judgement(
            variant=card["id"], by=judge, fluent=fluent.strip() == "y", holds=_SAYS[holds.strip()], note=" ".join(note)
        )
    missing = [card["number"] for card in cards if card["id"] not in found]
    if missing:
        raise SystemExit(f"{path}: no line for {missing}")
    return found


def _row(card: dict[str, str], verdicts: list[str]) -> str:
    if card["kind"] == "choice":
        text = f"{card['before']} → **{card['after']}** ({card['truth']}, {card['strategy']})"
    else:
        changed = [card["text"][start:end] for start, end in card["changes"]]  # type: ignore[misc]
        asked = f"{card['before']} → **{card['question']}**" if card["before"] else card["question"]
        added = " / ".join(piece.strip() for piece in changed[:6])
        text = (
            f"{asked} ({card['after']})"
            + (f": **{added}**" if added else "")
            + f" ({card['strategy'] or card['truth']})"
        )
    # two pairs of brackets side by side would be a link
    shown = text.replace(chr(10), " ").replace("] [", "] \\[")
    return f"{card['number']}. {shown} — {'; '.join(verdicts)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("draw", "options", "page", "triples"))
    parser.add_argument("given", nargs="+")
    parser.add_argument("--home", type=Path, default=HOME, help="where sheets and cards are")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if given.what == "draw":
        draw(Path(given.given[0]), given.given[1], given.count, given.seed)
    elif given.what == "options":
        options(given.given, given.home, given.seed)
    elif given.what == "triples":
        triples(given.given[0], given.given[1:], given.home)
    else:
        page(given.given[0], given.given[1:])


if __name__ == "__main__":
    main()

"""Draw made statements for a blind reading: a sheet without labels, and the labels beside it.

    python tools/made_statements.py SETS OUT --count 100

SETS is the folder that `readproof train options` prepared its sets in. A judge reads OUT.sheet.txt and writes
OUT.JUDGE.tsv: number, y or n (true of the passage), and why not. `--agree` counts what the judges say.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from random import Random

from readproof.attacks.review import kappa
from readproof.readers.evidence import chosen, sentences
from readproof.training.options.records import read_groups


def draw(sets: Path, out: Path, count: int) -> None:
    """Statements from all made sets, true and false as they come."""
    found = []
    for path in sorted(sets.glob("made_*.jsonl")):
        for group in read_groups(path):
            found += [(path.stem, group, number) for number in range(len(group.statements))]
    random = Random("made statements")
    lines, labels = [], []
    for card, (name, group, number) in enumerate(random.sample(found, count), start=1):
        known = sentences(group.passage)
        excerpt = "".join(
            group.passage[known[at].start : known[at].end] for at in chosen(group.statements[number], known, 300)
        )
        lines.append(f"# {card}\npassage: {excerpt}\nstatement: {group.statements[number]}\n")
        labels.append({"card": card, "set": name, "id": group.id, "label": group.labels[number]})
    out.with_suffix(".sheet.txt").write_text("\n".join(lines), encoding="utf-8")
    text = "\n".join(json.dumps(one, ensure_ascii=False) for one in labels)
    out.with_suffix(".labels.jsonl").write_text(f"{text}\n", encoding="utf-8")


def agree(out: Path) -> None:
    """How many labels each judge confirms, by set and in all, and how far the judges agree."""
    labels = [json.loads(line) for line in out.with_suffix(".labels.jsonl").read_text(encoding="utf-8").splitlines()]
    judged = {}
    for path in sorted(out.parent.glob(f"{out.name}.*.tsv")):
        rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
        judged[path.stem] = {int(row[0]): row[1] for row in rows}
        right = [(one["label"] == 1) == (judged[path.stem][one["card"]] == "y") for one in labels]
        print(f"{path.stem}: {sum(right)} of {len(right)} labels confirmed")
        for label in (1, 0):
            these = [ok for ok, one in zip(right, labels, strict=True) if one["label"] == label]
            print(f"  labelled {'true' if label else 'false'}: {sum(these)} of {len(these)}")
    if len(judged) == 2:
        one, other = judged.values()
        print(f"kappa {kappa([one[card] for card in one], [other[card] for card in one])}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--agree", action="store_true")
    given = parser.parse_args()
    agree(given.out) if given.agree else draw(given.sets, given.out, given.count)

"""How many sound sentences are taken for nonsense, and how much nonsense is found (`readproof.lang.nonsense`).

    python -m benchmarks.nonsense DATA…

DATA are files of span questions. Of each: the passages and sentences of which something is taken for nonsense. Of all
together: sentences as AddAny draws them, by their number of words and the share of the question's words; and behind a
passage whose closing sign was taken away.
"""

from __future__ import annotations

import argparse
from random import Random

from readproof.attacks.addany import words_for
from readproof.items import SpanItem
from readproof.lang.api import get_language
from readproof.lang.forms import shown
from readproof.lang.nonsense import nonsense, senseless
from readproof.tasks import load


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+")
    parser.add_argument("--draws", type=int, default=400)
    given = parser.parse_args()
    random = Random(0)
    items: list[SpanItem] = []
    for data in given.data:
        own = [item for item in load(data) if isinstance(item, SpanItem) and item.golds]
        forms = [shown(passage).text.clean for passage in dict.fromkeys(item.passage for item in own)]
        pieces = [form[start:end] for form in forms for start, end in get_language("zh").sentences(form)]
        odd, lacking = sum(map(senseless, pieces)), sum(bool(nonsense(form)) for form in forms)
        print(f"{data}: {100 * odd / len(pieces):.2f} % of {len(pieces)} sentences, {lacking} of {len(forms)} passages")
        items += own
    for share in (0.75, 0.5, 0.2):
        for count in (6, 10, 14):
            asked = random.sample(items, min(given.draws, len(items)))
            drawn = [get_language("zh").sentence_of(words_for(item, share).genome(random, count)) for item in asked]
            found = sum(senseless(shown(one).text.clean) for one in drawn) / len(drawn)
            print(f"{count} words, {100 * share:.0f} % of the question's: {100 * found:.1f} % found")
    found = 0
    asked = random.sample(items, min(given.draws, len(items)))
    for item in asked:
        text = item.passage.rstrip("。！？!? \n") + get_language("zh").sentence_of(
            words_for(item, 0.75).genome(random, 10)
        )
        spans = nonsense(form := shown(text).text.clean)
        found += bool(spans) and spans[-1][1] == len(form)
    print(f"10 words behind a passage without a closing sign: {100 * found / len(asked):.1f} % found")


if __name__ == "__main__":
    main()

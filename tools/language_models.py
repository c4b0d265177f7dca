"""Builds the shipped character n-gram models (src/readproof/lang/*/ngrams.npz) from open text.

    python tools/language_models.py DATA

DATA is a folder with the public files, named as they are published: Chinese from CMRC 2018 train (CC BY-SA 4.0), DRCD
(CC BY-SA 3.0, in simplified script), VGaokao (Apache-2.0) and People's Daily entity sentences (Apache-2.0); Persian
from PQuAD (CC BY-SA 4.0), UD Persian (CC BY-SA 4.0) and FarsTail (Apache-2.0); English from SQuAD passages with Jia
and Liang's sentences left out (CC BY-SA 4.0).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from readproof.items import ChoiceItem, LabelItem, SpanItem, TagItem
from readproof.lang import ngrams
from readproof.script import in_script
from readproof.tasks import load

HOME = Path(__file__).parent.parent / "src/readproof/lang"
FILES = {
    "zh": [
        "cmrc2018/train.json*",
        "drcd/*.json*",
        "vgaokao/*.json*",
        "peopledaily_ner/*train*",
        "peopledaily_ner/*dev*",
    ],
    "fa": ["pquad/*.json*", "ud_persian_*/*dev*.conllu*", "ud_persian_*/*test*.conllu*", "farstail/*.csv*"],
    "en": ["adversarial_squad_en/*VerifySample.json*"],
}
FEWEST = {1: 1, 2: 2, 3: 3, 4: 3}


def texts_of(path: Path) -> Iterator[str]:
    """Passages and questions of a file, each once."""
    for item in load(path):
        if isinstance(item, SpanItem):
            yield from (item.passage, item.question) if "-turk" not in item.id else ()
        elif isinstance(item, ChoiceItem):
            yield from (item.passage, *item.options)
        elif isinstance(item, TagItem):
            yield item.text
        elif isinstance(item, LabelItem):
            yield from (item.text, item.pair)


def once(texts: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for text in texts:
        if text and text not in seen:
            seen.add(text)
            yield text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--language", choices=list(FILES), action="append")
    given = parser.parse_args()
    for language in given.language or list(FILES):
        paths = sorted(path for pattern in FILES[language] for path in given.data.glob(pattern))
        texts = (text for path in paths for text in texts_of(path))
        if language == "zh":
            texts = (in_script(text, "simplified").clean for text in texts)
        model = ngrams.build(once(texts), FEWEST)
        out = HOME / language / "ngrams.npz"
        ngrams.write(model, out)
        runs = [len(keys) for keys in model.keys]
        print(f"{language}: {model.total:,.0f} characters of {len(paths)} files, {runs} runs, {out.stat().st_size:,} B")


if __name__ == "__main__":
    main()

"""Aligned lines in, token numbers out: cleans them, holds news sentences out, learns the pieces, writes int arrays.

    python -m tools.translator.prepare fa CORPORA OUT
    python -m tools.translator.prepare zh CORPORA OUT

OUT gets pieces.spm, pairs.npz (several cuts of each text into pieces), text.npz (one language's own sentences, for
back-translation), held.json (the sentences that scores are measured on) and report.json (what was dropped, and why).
"""

from __future__ import annotations

import argparse
import io
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import NamedTemporaryFile

import numpy as np
import sentencepiece
from tools.translator.clean import Pair, cleaned, numbers, script_share, tidy, words
from tools.translator.layout import MADE, language_token, pack

from readproof.attacks.checks import mean_score
from readproof.lang.api import get_language

FILES = {"fa": {"en-fa": "en_fa", "fa-fr": "fa_fr"}, "zh": {"en-zh": "en_zh"}}
# the news sentences (NTREX-128) lie together in each file, between these two
FIRST = "Welsh AMs worried about 'looking like muppets'"
LAST = "Respiratory irritation was not reported in Northwest Florida over the past week."
# pieces do these rewritings themselves, so whoever encodes a text need not know of them
_RULES = {"\u064a": "ی", "\u0643": "ک", "\u00a0": " ", "\u200e": "", "\u200f": "", "\ufeff": "", "\u200b": ""}
_DIGITS = "0123456789۰۱۲۳۴۵۶۷۸۹"
_WHOLE = {"fa": re.compile(r"[.؟!]$"), "zh": re.compile(r"[。？！]$")}
_LINK = re.compile(r"https?:|www\.|[@#<>{}|\\_=*]|\.\.\.|…")


def lines_of(path: Path) -> Iterator[str]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from file


def read_pairs(path: Path) -> list[Pair]:
    pairs = []
    for line in lines_of(path):
        first, _, second = line.rstrip("\n").partition("\t")
        pairs.append((first, second))
    return pairs


def parted(files: dict[str, list[Pair]], name: str, held: int) -> tuple[dict[str, list[Pair]], dict[str, list[Pair]]]:
    """Each file's lines without the held-out news, and that: the last `held` sentences, the same ones in every file."""
    english = next(pairs for both, pairs in files.items() if both.startswith("en-"))
    firsts = [first for first, _ in english]
    start, end = firsts.index(FIRST), firsts.index(LAST) + 1
    keys = {second for _, second in english[max(start, end - held) : end]}
    kept: dict[str, list[Pair]] = {}
    out: dict[str, list[Pair]] = {}
    for both, pairs in files.items():
        at = both.split("-").index(name)
        out[both] = [pair for pair in pairs if pair[at] in keys]
        known = {text for pair in out[both] for text in pair}
        kept[both] = [pair for pair in pairs if not known.intersection(pair)]
    return kept, out


def own_sentences(
    paths: Sequence[Path], language: str, count: int, questions: float, known: frozenset[str]
) -> list[str]:
    """Whole, plain sentences of one language, the half that reads most like an encyclopedia; some are questions."""
    found: dict[str, float] = {}
    for path in paths:
        for line in lines_of(path):
            for start, end in get_language(language).sentences(line):
                text = tidy(line[start:end], language)
                long = words(text, language)
                if not (10 <= long <= 60 if language == "zh" else 5 <= long <= 35) or text in found or text in known:
                    continue
                if not _WHOLE[language].search(text) or _LINK.search(text) or script_share(text, language) < 0.85:
                    continue
                found[text] = mean_score(text, language)
    random = Random(f"{language}|own")
    asked = sorted(text for text in found if text[-1] in "؟？")
    told = sorted(text for text in found if text[-1] not in "؟？")
    chosen = []
    for texts, share in ((asked, questions), (told, 1 - questions)):
        least = float(np.median([found[text] for text in texts])) if texts else 0.0
        usual = [text for text in texts if found[text] >= least]
        chosen += random.sample(usual, min(len(usual), round(count * share)))
    random.shuffle(chosen)
    return chosen


def learn_pieces(texts: Iterable[str], languages: Sequence[str], size: int) -> bytes:
    """A joint SentencePiece model; digits are single pieces, so that numbers can be copied; rare letters are bytes."""
    with NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as rules:
        for old, new in _RULES.items():
            rules.write(f"{ord(old):X}\t{' '.join(f'{ord(letter):X}' for letter in new)}\n")
        rules.flush()
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts),
            model_writer=model,
            vocab_size=size,
            hard_vocab_limit=False,
            character_coverage=0.9997,
            byte_fallback=True,
            eos_id=0,
            unk_id=1,
            bos_id=-1,
            pad_id=-1,
            control_symbols=[*map(language_token, languages), MADE],
            user_defined_symbols=list(_DIGITS),
            normalization_rule_tsv=rules.name,
            input_sentence_size=200_000,
            shuffle_input_sentence=False,
            num_threads=1,
            minloglevel=2,
        )
    return model.getvalue()


def cuts(pieces: sentencepiece.SentencePieceProcessor, texts: Sequence[str], count: int) -> list[list[list[int]]]:
    """Each text as its best pieces, then `count` - 1 times as pieces drawn by chance: little data goes further."""
    best = [pieces.encode(list(texts))]
    drawn = [
        [pieces.encode(text, enable_sampling=True, nbest_size=-1, alpha=0.3) for text in texts]
        for _ in range(count - 1)
    ]
    return best + drawn


def write_pairs(
    pieces: sentencepiece.SentencePieceProcessor, pairs: dict[str, list[Pair]], given: argparse.Namespace, out: Path
) -> dict[str, dict[str, int]]:
    """pairs.npz: for each two languages, each side, each cut the token numbers and where each text ends."""
    arrays: dict[str, np.ndarray] = {}
    counts: dict[str, dict[str, int]] = {}
    for both, lines in pairs.items():
        best = [pieces.encode([pair[at] for pair in lines]) for at in (0, 1)]
        short = [at for at in range(len(lines)) if max(len(best[0][at]), len(best[1][at])) <= given.longest]
        counts[both] = {"pairs": len(short), "too long": len(lines) - len(short)}
        for side, language in enumerate(both.split("-")):
            for number, cut in enumerate(cuts(pieces, [lines[at][side] for at in short], given.cuts)):
                arrays |= pack(f"{both}.{language}.{number}", cut)
            counts[both][f"{language} pieces"] = sum(len(best[side][at]) for at in short)
    np.savez(out, **arrays)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=sorted(FILES))
    parser.add_argument("corpora", type=Path, help="a folder with en_fa.tsv.xz, fa_fr.tsv.xz, en_zh.tsv.xz, fa.txt.xz")
    parser.add_argument("out", type=Path)
    parser.add_argument("--pieces", type=int, default=16_000)
    parser.add_argument("--cuts", type=int, default=3, help="how many cuts of each text into pieces are written")
    parser.add_argument("--held", type=int, default=1_000, help="how many news sentences are held out")
    parser.add_argument("--own", type=int, default=20_000, help="how many sentences of one language are written")
    parser.add_argument("--questions", type=float, default=0.2, help="the share of questions among these")
    parser.add_argument("--longest", type=int, default=128, help="the most pieces of a text")
    parser.add_argument("--lines", type=int, help="only about so many lines of each file (a trial)")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    sentencepiece.set_random_generator_seed(7)
    files = {both: read_pairs(given.corpora / f"{stem}.tsv.xz") for both, stem in FILES[given.name].items()}
    kept, held = parted(files, given.name, given.held)
    pairs: dict[str, list[Pair]] = {}
    report: dict[str, dict[str, int]] = {}
    for both, lines in kept.items():
        gone: Counter[str] = Counter()
        some = lines[:: max(1, len(lines) // given.lines)] if given.lines else lines
        first, second = both.split("-")
        pairs[both] = list(cleaned(some, (first, second), gone))
        report[both] = {"lines": len(files[both]), "held out": len(files[both]) - len(lines), **gone}
    tidied = {
        both: [[tidy(text, code) for text, code in zip(pair, both.split("-"), strict=True)] for pair in lines]
        for both, lines in held.items()
    }
    known = frozenset(text for lines in tidied.values() for pair in lines for text in pair)
    paths = [given.corpora / f"{given.name}.txt.xz"] if given.own else []
    own = own_sentences(paths, given.name, given.own, given.questions, known)
    languages = sorted({language for both in files for language in both.split("-")})
    every = [text for lines in pairs.values() for pair in lines for text in pair] + own
    model = learn_pieces(every, languages, given.pieces)
    (given.out / "pieces.spm").write_bytes(model)
    pieces = sentencepiece.SentencePieceProcessor(model_proto=model)
    for both, counts in write_pairs(pieces, pairs, given, given.out / "pairs.npz").items():
        report[both] |= counts
    np.savez(given.out / "text.npz", **pack(given.name, pieces.encode(own)))
    report["own"] = {"sentences": len(own), "with a number": sum(bool(numbers(text)) for text in own)}
    report["pieces"] = {"size": pieces.get_piece_size()}
    (given.out / "held.json").write_text(json.dumps(tidied, ensure_ascii=False, indent=0), encoding="utf-8")
    (given.out / "report.json").write_text(json.dumps(report, ensure_ascii=False, indent=1), encoding="utf-8")
    print(json.dumps(report, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()

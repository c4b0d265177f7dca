"""A trained translator as CTranslate2 folders, one for each direction, as `readproof attack backtranslate` reads them.

    python -m tools.translator.convert DATA TRAINED OUT

DATA is what prepare.py wrote, TRAINED what train.py wrote. All folders under OUT (OUT/fa-en, OUT/en-fa, …) hold one
int8 model, linked where the disk can; only config.json differs. It names the wanted language's token as the one that
CTranslate2 puts before each source, so whoever translates need not know of it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ctranslate2
import sentencepiece
from ctranslate2.converters import TransformersConverter
from tools.translator.layout import language_token
from transformers import MarianConfig, MarianMTModel, MarianTokenizer

from readproof.training.weights import read_parts

TIED = {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"}


def trained_model(folder: Path) -> MarianMTModel:
    """The model of the weights that train.py saved; positions are computed, and tied weights were saved once."""
    about: dict[str, Any] = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    model = MarianMTModel(MarianConfig(**{key: value for key, value in about["config"].items() if value is not None}))
    state = read_parts(sorted(folder.glob("weights-*.safetensors")), folder)
    missing, strange = model.load_state_dict(state, strict=False)
    wrong = [name for name in missing if name not in TIED and "embed_positions" not in name]
    if wrong or strange:
        raise SystemExit(f"{folder}: weights without a place {strange}, places without weights {wrong}")
    model.tie_weights()
    return model.eval()


def as_marian(data: Path, trained: Path, out: Path) -> None:
    """A Hugging Face folder: model, pieces for both sides, and the numbers of the pieces."""
    pieces = sentencepiece.SentencePieceProcessor(str(data / "pieces.spm"))
    numbers = {pieces.id_to_piece(at): at for at in range(pieces.get_piece_size())} | {"<pad>": pieces.get_piece_size()}
    out.mkdir(parents=True, exist_ok=True)
    for side in ("source", "target"):
        shutil.copyfile(data / "pieces.spm", out / f"{side}.spm")
    (out / "vocab.json").write_text(json.dumps(numbers, ensure_ascii=False), encoding="utf-8")
    trained_model(trained).save_pretrained(out)
    tokenizer = MarianTokenizer(str(out / "source.spm"), str(out / "target.spm"), str(out / "vocab.json"))
    tokenizer.save_pretrained(out)


def link(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("trained", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--quantization", default="int8", help="int8, float32, …")
    given = parser.parse_args()
    pairs = json.loads((given.trained / "model.json").read_text(encoding="utf-8"))["languages"]
    with TemporaryDirectory() as temporary:
        as_marian(given.data, given.trained, Path(temporary))
        whole = Path(temporary) / "whole"
        TransformersConverter(temporary).convert(str(whole), quantization=given.quantization)
        config = json.loads((whole / "config.json").read_text(encoding="utf-8"))
        first: Path | None = None
        for source, target in [pair.split("-")[::way] for pair in pairs for way in (1, -1)]:
            folder = given.out / f"{source}-{target}"
            folder.mkdir(parents=True, exist_ok=True)
            # the package ends each source with </s> itself
            asked = config | {"add_source_bos": True, "add_source_eos": False, "bos_token": language_token(target)}
            (folder / "config.json").write_text(json.dumps(asked, indent=2), encoding="utf-8")
            for name in [path.name for path in whole.iterdir() if path.name != "config.json"]:
                link((first or whole) / name, folder / name)
            for side in ("source", "target"):
                shutil.copyfile(given.data / "pieces.spm", folder / f"{side}.spm")
            first = first or folder
            ctranslate2.Translator(str(folder), device="cpu", inter_threads=1, intra_threads=1)
            size = sum(path.stat().st_size for path in folder.iterdir())
            print(f"{folder}: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()

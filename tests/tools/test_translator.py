"""The tools that make a small translator: what they drop, what they count, and that their folders translate."""

from __future__ import annotations

import importlib
import json
import lzma
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sentencepiece")

from tools.translator.clean import apart, cleaned, refused, tidy
from tools.translator.layout import END, Direction, batches, pack, unpack
from tools.translator.scores import bleu, chrf

# what sacrebleu 2.6.0 says of the sentences below: BLEU, chrF2, BLEU with its Chinese words
SACREBLEU = (34.4915, 62.5038, 59.6949)
EN_FA = ("en", "fa")


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        (("Check for new updates", "بررسی برای به‌روز رسانی‌ها"), ""),
        (("Settings", "تنظیمات"), "a single word"),
        (("Update the README file", "Update the README file"), "wrong script"),
        (("Hello {name}, welcome back", "سلام، خوش آمدید به خانه"), "placeholders differ"),
        (("Read the [manual first", "اول راهنما را بخوانید"), "marks differ"),
        (("It took 24 lessons", "۲۵ درس طول کشید"), "numbers differ"),
        (("It took 24 lessons", "۲۴ درس طول کشید"), ""),
        (("A very long line that goes on and on without an end", "خط دراز"), "lengths disagree"),
    ],
)
def test_why_a_pair_is_dropped(pair: tuple[str, str], reason: str) -> None:
    assert refused(pair, EN_FA, usual=0.9) == reason


def test_french_that_is_still_english_is_dropped() -> None:
    pair = ("این پرونده را باز کنید و بخوانید", "Open this file and read the text of it")
    assert refused(pair, ("fa", "fr"), usual=1.2) == "not translated"


def test_tidy_gives_one_form() -> None:
    assert tidy("\u200eكتاب  ي\u00a0", "fa") == "کتاب ی"
    assert tidy("می\u200cروم", "fa") == "می\u200cروم"
    assert tidy("漢語", "zh") == "汉语"


def test_paragraphs_become_sentences_where_both_sides_agree() -> None:
    pair = ("Open the door. Close the window!", "در را باز کنید. پنجره را ببندید!")
    assert apart(pair, EN_FA, 1.0) == [
        ("Open the door.", "در را باز کنید."),
        ("Close the window!", "پنجره را ببندید!"),
    ]
    uneven = ("Open the door. Close the window!", "در را باز کنید و پنجره را ببندید!")
    assert apart(uneven, EN_FA, 1.0) == [uneven]


def test_what_goes_is_counted() -> None:
    lines = [("Open the door", "در را باز کنید"), ("open the door", "در را باز کنید"), ("Door", "در")]
    gone: Counter[str] = Counter()
    assert list(cleaned(lines, EN_FA, gone)) == lines[:1]
    assert +gone == {"a duplicate": 1, "a single word": 1}


def test_an_epoch_holds_every_pair_once_and_no_batch_is_too_large() -> None:
    random = np.random.default_rng(3)
    rows = [random.integers(5, 99, size=length).tolist() for length in random.integers(1, 40, size=200)]
    texts = unpack(pack("x", rows), "x")
    found = []
    for batch in batches([Direction(texts, texts, (4,))], most=256, pad=99, random=random):
        assert batch.sources.shape[0] * (batch.sources.shape[1] - 8) < 256
        for source, target in zip(batch.sources, batch.targets, strict=True):
            kept = source[source != 99].tolist()
            assert kept[0] == 4
            assert kept[-1] == END
            assert kept[1:] == target[target != -100].tolist()
            found.append(kept[1:-1])
    assert sorted(found) == sorted(rows)


def test_scores_are_sacrebleus() -> None:
    produced = ["The cat sat on a mat, in 1,000 days.", "It is a dog (not a cat)."]
    wanted = ["The cat sat on the mat in 1,000 days.", "It was a dog, not a cat."]
    assert bleu(produced, wanted, "en") == pytest.approx(SACREBLEU[0], abs=0.01)
    assert chrf(produced, wanted) == pytest.approx(SACREBLEU[1], abs=0.01)
    assert bleu(wanted, wanted, "en") == pytest.approx(100)
    assert chrf(["猫坐在垫子上"], ["狗跑"]) == 0
    assert bleu(["一只猫坐在垫子上。"], ["一只猫坐在椅子上。"], "zh") == pytest.approx(SACREBLEU[2], abs=0.01)


def _corpora(folder: Path) -> Path:
    """A few dozen made lines between the news sentences by which the tools find their place."""
    news = [("Welsh AMs worried about 'looking like muppets'", "اعضای مجلس ولز نگران هستند")]
    news += [(f"The number {at} is a number", f"عدد {at} یک عدد است") for at in range(20)]
    news += [("Respiratory irritation was not reported in Northwest Florida over the past week.", "گزارش نشده است آقا")]
    other = [(f"Open the door of room {at} and go", f"در اتاق {at} را باز کنید و بروید") for at in range(40)]
    lines = {"en_fa": other + news, "fa_fr": [(fa, f"Ouvrez {en} la porte de la salle") for en, fa in other + news]}
    for name, pairs in lines.items():
        text = "".join(f"{first}\t{second}\n" for first, second in pairs)
        (folder / f"{name}.tsv.xz").write_bytes(lzma.compress(text.encode()))
    return folder


def _call(module: str, *arguments: object) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [module, *map(str, arguments)])
        importlib.import_module(f"tools.translator.{module}").main()


def test_from_lines_to_folders_that_translate_as_the_model_does(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    pytest.importorskip("ctranslate2")
    data, trained, out = tmp_path / "data", tmp_path / "trained", tmp_path / "out"
    _call("prepare", "fa", _corpora(tmp_path), data, "--pieces", 400, "--own", 0, "--cuts", 2, "--held", 10)
    assert len(json.loads((data / "held.json").read_text(encoding="utf-8"))["fa-fr"]) == 10
    small = ("--width", 32, "--encoder", 1, "--decoder", 1, "--heads", 2, "--tokens", 256, "--warmup", 2)
    _call("train", data, trained, *small, "--steps", 4, "--look", 2, "--score", 2, "--device", "cpu")
    _call("convert", data, trained, out, "--quantization", "float32")

    import ctranslate2
    import sentencepiece
    from tools.translator.convert import trained_model
    from tools.translator.model import translate

    from readproof.attacks.backtranslate import open_translator

    pieces = sentencepiece.SentencePieceProcessor(str(data / "pieces.spm"))
    model = trained_model(trained)
    text = "در اتاق ۷ را باز کنید"
    said = set()
    for language in ("en", "fr"):
        before = [pieces.piece_to_id(f">>{language}<<")]
        wanted = translate(model, [np.asarray(pieces.encode(text))], before, beam=1, tokens=99)[0]
        folder = ctranslate2.Translator(str(out / f"fa-{language}"), device="cpu", intra_threads=1)
        tokens = [*pieces.encode(text, out_type=str), "</s>"]
        found = folder.translate_batch([tokens], beam_size=1, max_decoding_length=max(1, len(wanted)))[0].hypotheses[0]
        assert wanted
        assert [pieces.piece_to_id(token) for token in found] == wanted
        said.add(tuple(folder.score_batch([tokens], [["▁", "1"]])[0].log_probs))
    assert len(said) == 2, "the wanted language makes no difference"
    both = open_translator(f"ct2:{out / 'fa-en'},{out / 'en-fa'}", "en")
    assert len(both([text, text], "fa", "en")) == 2

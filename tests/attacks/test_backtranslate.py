"""Back-translation keeps answers in place and refuses what came back broken; each kind of translator really runs."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from readproof.attacks.backtranslate import BackTranslate, EndpointTranslator, FolderTranslator, open_translator
from readproof.attacks.edits import golds_stand
from readproof.errors import InputError
from readproof.items import Gold, SpanItem

ITEM = SpanItem(
    id="q",
    passage="王小明生于1990年。他后来在北京大学读书。毕业后他去了上海工作。",
    question="王小明是什么时候出生的？",
    golds=(Gold("1990年", 5),),
)


def swapping(texts: Sequence[str], source: str, target: str) -> list[str]:
    """A translator of a few words: into English, and back in other words."""
    pairs = [("是什么时候出生的", "when born"), ("读书", "study"), ("去了", "go")]
    others = {"when born": "出生于哪一年", "study": "求学", "go": "前往"}
    for old, new in pairs:
        texts = [text.replace(old, new) for text in texts]
    if target == "zh":
        for old, new in others.items():
            texts = [text.replace(old, new) for text in texts]
    return list(texts)


def test_a_question_in_other_words() -> None:
    made = BackTranslate(by=swapping).make(ITEM).variants[0]
    assert made.item.question == "王小明出生于哪一年？"  # type: ignore[union-attr]
    assert made.item.id == "q-backtranslate-en-0"
    assert made.strategy == "question by way of en"


def test_a_question_that_lost_its_name_is_refused() -> None:
    item = replace(ITEM, passage=f"{ITEM.passage}王小明现在住在上海。")

    def spelt_anew(texts: Sequence[str], source: str, target: str) -> list[str]:
        return ["汪晓鸣出生于哪一年？" for _ in texts]

    made = BackTranslate(by=spelt_anew).make(item)
    assert not made.variants
    assert made.rejected == {"name lost": 1}
    assert BackTranslate(by=swapping).make(item).variants


def test_a_passage_sentence_by_sentence_but_the_answers() -> None:
    new = BackTranslate(by=swapping, where="passage").make(ITEM).variants[0].item
    assert isinstance(new, SpanItem)
    assert new.passage == "王小明生于1990年。他后来在北京大学求学。毕业后他前往上海工作。"
    assert golds_stand(new)


@pytest.mark.parametrize(
    ("back", "reason"),
    [
        ("", "nothing came back"),
        ("When was Wang Xiaoming born?", "another language came back"),
        ("王小明？", "length changed too much"),
        ("王小明是在1991年出生的吗？", "numbers changed"),
        ("明小王候什是么出的时生？", "not fluent"),
    ],
)
def test_what_came_back_broken_is_refused_and_counted(back: str, reason: str) -> None:
    def broken(texts: Sequence[str], source: str, target: str) -> list[str]:
        return [back if target == "zh" else text for text in texts]

    made = BackTranslate(by=broken).make(ITEM)
    assert not made.variants
    assert made.rejected == {reason: 1}


def test_the_same_again_is_no_variant() -> None:
    made = BackTranslate(by=lambda texts, source, target: list(texts)).make(ITEM)
    assert made.skipped
    assert made.rejected == {}


def test_no_translator_says_what_to_do() -> None:
    with pytest.raises(InputError, match="paraphrase"):
        BackTranslate().make(ITEM)
    with pytest.raises(InputError, match="another language"):
        BackTranslate(by=swapping, pivot="zh").make(ITEM)


def test_a_python_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "upper.py").write_text("def up(texts, source, target):\n    return [t.upper() for t in texts]\n")
    (tmp_path / "fewer.py").write_text("def one(texts, source, target):\n    return []\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert open_translator("upper:up", "en")(["a"], "en", "fr") == ["A"]
    with pytest.raises(InputError, match="1 texts"):
        open_translator("fewer:one", "en")(["a"], "en", "fr")


class _Handler(BaseHTTPRequestHandler):
    fails: list[int] = []  # noqa: RUF012

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.fails:
            self.send_response(self.fails.pop())
            self.end_headers()
            return
        text = asked["messages"][0]["content"].rsplit("\n\n", 1)[1]
        body = json.dumps({"choices": [{"message": {"content": f" {text}! "}}]}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Quiet."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()


def test_an_endpoint_is_asked_again_when_it_is_busy(endpoint: str) -> None:
    _Handler.fails = [503, 429]
    translate = open_translator(f"llm:{endpoint}#small", "en")
    assert translate(["甲", "乙", "丙"], "zh", "en") == ["甲!", "乙!", "丙!"]
    _Handler.fails = [401]
    with pytest.raises(InputError, match="401"):
        EndpointTranslator(endpoint, "small")(["甲"], "zh", "en")


def test_a_ctranslate2_folder(tmp_path: Path) -> None:
    """A model of chance weights: what it says is nonsense, but it is said by the real library."""
    ctranslate2 = pytest.importorskip("ctranslate2")
    sentencepiece = pytest.importorskip("sentencepiece")
    transformers = pytest.importorskip("transformers")
    text = tmp_path / "text.txt"
    text.write_text("\n".join(f"{ITEM.passage}{number} abc def" for number in range(40)), encoding="utf-8")
    folder = tmp_path / "hf"
    folder.mkdir()
    options = {"vocab_size": 60, "hard_vocab_limit": False, "bos_id": -1, "minloglevel": 2}
    for side in ("source", "target"):
        prefix = str(folder / side)
        sentencepiece.SentencePieceTrainer.train(input=str(text), model_prefix=prefix, **options)
        (folder / f"{side}.model").rename(folder / f"{side}.spm")
    pieces = sentencepiece.SentencePieceProcessor(str(folder / "source.spm"))
    tokens = ["</s>", "<unk>", *(pieces.id_to_piece(at) for at in range(3, pieces.get_piece_size())), "<pad>"]
    (folder / "vocab.json").write_text(json.dumps({token: at for at, token in enumerate(tokens)}), encoding="utf-8")
    sizes = {"encoder_layers": 1, "decoder_layers": 1, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16, "d_model": 16}
    heads = {"encoder_attention_heads": 2, "decoder_attention_heads": 2, "max_position_embeddings": 512}
    ends = {"pad_token_id": len(tokens) - 1, "eos_token_id": 0, "decoder_start_token_id": len(tokens) - 1}
    config = transformers.MarianConfig(vocab_size=len(tokens), **sizes, **heads, **ends, forced_eos_token_id=0)
    transformers.MarianMTModel(config).save_pretrained(folder)
    tokenizer = transformers.MarianTokenizer(
        str(folder / "source.spm"), str(folder / "target.spm"), str(folder / "vocab.json")
    )
    tokenizer.save_pretrained(folder)
    made = tmp_path / "ct2"
    ctranslate2.converters.TransformersConverter(str(folder)).convert(str(made))
    for side in ("source", "target"):
        (made / f"{side}.spm").write_bytes((folder / f"{side}.spm").read_bytes())
    translate = open_translator(f"ct2:{made},{made}", "en")
    said = translate(["王小明生于1990年。", "他去了上海。"], "zh", "en")
    assert len(said) == 2
    assert said == translate(["王小明生于1990年。", "他去了上海。"], "zh", "en")


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no model\.bin"):
        FolderTranslator(tmp_path, tmp_path, "en")(["甲"], "zh", "en")
    for spec in ("llm:http://x", "ct2:one"):
        with pytest.raises(InputError, match="expected"):
            open_translator(spec, "en")


def test_a_gold_in_every_sentence_leaves_nothing_to_do() -> None:
    item = replace(ITEM, passage="1990年。")
    item = replace(item, golds=(Gold("1990年", 0),))
    assert BackTranslate(by=swapping, where="passage").make(item).skipped == "every sentence holds an answer"

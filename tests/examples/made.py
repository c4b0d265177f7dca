"""A small file in the layout of PersianQA, made by us, a tiny Persian reader with chance weights, a translator."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

TEXTS = (
    (
        "دانشگاه تهران در سال ۱۳۱۳ در شهر تهران بنیان گذاشته شد. "
        "نخستین رئیس آن علی‌اصغر حکمت بود. این دانشگاه ۱۶ دانشکده دارد.",
        ("دانشگاه تهران در چه سالی بنیان گذاشته شد؟", "سال ۱۳۱۳"),
        ("نخستین رئیس دانشگاه تهران چه کسی بود؟", "علی‌اصغر حکمت"),
    ),
    (
        "رود کارون از زردکوه بختیاری سرچشمه می‌گیرد و پرآب‌ترین رود ایران است. "
        "کارون از شهر اهواز می‌گذرد و به خلیج فارس می‌ریزد.",
        ("رود کارون از کجا سرچشمه می‌گیرد؟", "زردکوه بختیاری"),
        ("رود کارون از کدام شهر می‌گذرد؟", "شهر اهواز"),
    ),
    (
        "سعدی در شیراز به دنیا آمد و کتاب گلستان را در سال ۶۵۶ نوشت. "
        "آرامگاه او در شمال شرقی شیراز است و گردشگران بسیاری دارد.",
        ("سعدی در کدام شهر به دنیا آمد؟", "شیراز"),
        ("سعدی کتاب گلستان را در چه سالی نوشت؟", "سال ۶۵۶"),
    ),
    (
        "باشگاه رئال مادرید در سال ۱۹۰۲ در مادرید تأسیس شد. "
        "ورزشگاه این باشگاه سانتیاگو برنابئو نام دارد و ۸۱ هزار نفر گنجایش دارد.",
        ("باشگاه رئال مادرید در چه سالی تأسیس شد؟", "سال ۱۹۰۲"),
        ("ورزشگاه باشگاه رئال مادرید چه نام دارد؟", "سانتیاگو برنابئو"),
    ),
    (
        "کوه دماوند با ۵۶۱۰ متر بلندی بلندترین کوه ایران است. "
        "این کوه در استان مازندران جای دارد و یک آتشفشان خاموش است.",
        ("بلندی کوه دماوند چقدر است؟", "۵۶۱۰ متر"),
        ("کوه دماوند در کدام استان جای دارد؟", "استان مازندران"),
    ),
    (
        "ابن سینا پزشک و فیلسوف ایرانی در روستای افشنه نزدیک بخارا زاده شد. "
        "کتاب قانون او سده‌ها در دانشگاه‌های اروپا درس داده می‌شد.",
        ("ابن سینا در کجا زاده شد؟", "روستای افشنه نزدیک بخارا"),
        ("کتاب قانون در کجا درس داده می‌شد؟", "دانشگاه‌های اروپا"),
    ),
)
_WORD = re.compile(r"\w+")


def made_file(path: Path) -> Path:
    """Twelve questions on six passages, and one without an answer."""
    paragraphs = []
    number = 0
    for passage, *asked in TEXTS:
        questions: list[dict[str, Any]] = []
        for question, answer in asked:
            number += 1
            start = passage.index(answer)
            gold = {"text": answer, "answer_start": start, "answer_end": start + len(answer)}
            questions.append({"id": number, "question": question, "is_impossible": False, "answers": [gold]})
        paragraphs.append({"context": passage, "qas": questions})
    paragraphs[0]["qas"].append({"id": 99, "question": "چرا؟", "is_impossible": True, "answers": []})
    data = [{"title": str(at), "paragraphs": [one]} for at, one in enumerate(paragraphs)]
    path.write_text(json.dumps({"version": "1", "data": data}, ensure_ascii=False), encoding="utf-8")
    return path


def tiny_persian(folder: Path, *, head: bool = True) -> Path:
    """Two small layers with chance weights over the words of the made file; without a head it is an encoder."""
    import torch

    from readproof.readers.vocabulary import SPECIAL, whole
    from readproof.training.checkpoint import write_checkpoint
    from readproof.training.encoder import Encoder, Shape
    from readproof.training.model import SpanReader, plain_state

    text = " ".join(passage + " " + " ".join(question for question, _ in asked) for passage, *asked in TEXTS)
    letters = sorted(set("".join(_WORD.findall(text))))
    words = sorted(set(_WORD.findall(text)) - set(letters))
    rows = [*SPECIAL, *letters, *(f"##{one}" for one in letters), *words]
    vocabulary = whole(rows)
    torch.manual_seed(0)
    shape = Shape(rows=len(vocabulary), hidden=64, layers=2, heads=1, inner=64, positions=128)
    state = plain_state(SpanReader(Encoder(shape)))
    if not head:
        state = {name: tensor for name, tensor in state.items() if not name.startswith("qa_outputs")}
    return write_checkpoint(folder, state, vocabulary, {})


def there_and_back(texts: list[str], source: str, target: str) -> list[str]:
    """A translator: on the way back the first two words have changed places."""
    if target != "fa":
        return texts
    return [" ".join([*text.split()[1::-1], *text.split()[2:]]) for text in texts]

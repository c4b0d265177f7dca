"""A small file of every task, made by us: a clone without ../shared still tests every loader on something."""

from __future__ import annotations

import json
from typing import Any

PASSAGE = "《战国无双3》是由光荣和ω-force开发的战国无双系列的正统第三续作。本作以三大故事为主轴。"
PERSIAN = "باشگاه فوتبال رئال مادرید یک باشگاه حرفه‌ای فوتبال است که در مادرید، پایتخت اسپانیا قرار دارد."


def _question(name: Any, answer: str, passage: str = PASSAGE, **more: Any) -> dict[str, Any]:
    start = passage.find(answer)
    return {"id": name, "question": "谁？", "answers": [{"text": answer, "answer_start": start}], **more}


def _squad(questions: list[dict[str, Any]], passage: str = PASSAGE, **more: Any) -> dict[str, Any]:
    return {"version": "1", "data": [{"title": "题", "paragraphs": [{"context": passage, "qas": questions}], **more}]}


def _lines(records: list[Any]) -> bytes:
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in records).encode()


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


_OPTIONS = ["湿地为人类提供了所有物资", "湿地为人类提供了部分物资", "湿地没有提供任何物资", "湿地只提供了饮水"]
_TRIPLE = {
    "id": "t1", "title": "湿地", "passage": "湿地是人类的衣食父母，为人类提供了部分物资。", "question": "下列说法正确的一项是",
    "options": _OPTIONS, "answer": "B", "positive_options": _OPTIONS[::-1], "positive_answer": "C",
    "negative_question": "下列说法不正确的一项是", "negative_options": _OPTIONS, "negative_answer": "A",
}  # fmt: skip

MADE: dict[str, bytes] = {
    "cmrc squad": _json(_squad([_question("DEV_0_QUERY_0", "光荣和ω-force"), _question("DEV_0_QUERY_1", "三大故事")])),
    "cmrc original": _json([{"context_id": "DEV_0", "context_text": PASSAGE, "title": "题", "qas": [
        {"query_id": "DEV_0_QUERY_0", "query_text": "谁？", "answers": ["光荣和ω-force", 3]}]}]),
    "cmrc rows": _lines([{"id": "DEV_0_QUERY_0", "context": PASSAGE, "question": "谁？",
                          "answers": {"text": ["三大故事"], "answer_start": [-1]}}] * 2),
    "squad": _json(_squad([_question("1", "three", "There are three of them."), _question("2", "them", "There are three of them.")], "There are three of them.")),
    "squad2": _json(_squad([{"id": "1", "question": "?", "answers": [], "is_impossible": True}], "There are three of them.")),
    "chinese_squad": _json(_squad([_question("1", "三大故事", is_impossible=False), {"id": "2", "question": "?", "answers": [], "is_impossible": True}])),
    "zh_spans": _json(_squad([_question("mine-1", "光荣和ω-force"), _question("mine-2", "三大故事")])),
    "zh_spans rows": _json([{"id": 7, "context": PASSAGE, "question": "谁？", "is_impossible": False,
                             "answers": {"text": ["三大故事"], "answer_start": [-1]}}]),
    "cjrc": _json(_squad([_question("1", "三大故事", is_impossible="false")], caseid="1", domain="civil")),
    "dureader": _lines([{"id": "1", "context": PASSAGE, "question": "谁", "answers": {"text": [""], "answer_start": [-1]}}] * 2),
    "persianqa": _json(_squad([{"id": 1, "question": "پایتخت؟", "is_impossible": False,
                                "answers": [{"text": "مادرید", "answer_start": 19, "answer_end": 25}]}], PERSIAN)),
    "pquad": _json(_squad([_question("1601001", "مادرید", PERSIAN, is_impossible=False)], PERSIAN)),
    "parsinlu": _lines([{"question": "پایتخت؟", "url": "u", "passage": PERSIAN, "answers": [[19, "مادرید"]]}] * 2),
    "gcrc": _json({"data": [_TRIPLE, _TRIPLE | {"id": "t2"}]}),
    "gcrc train": _json({"data": [{key: _TRIPLE[key] for key in ("id", "title", "passage", "question", "options", "answer")}]}),
    "c3": _json([[["男：听说你们公司要派你去南方工作?", "女：是呀。"], [{"question": "他们在谈论什么?", "choice": ["旅行", "工作"], "answer": "工作"}], "1-1"]]),
    "vgaokao": _json({"data": [{"context": PASSAGE, "cid": 3, "qas": [
        {"qid": "6", "question": "不正确的一项是", "options": _OPTIONS, "answer": "A", "correctness": [0, 1, 1, 1]}]}]}),
    "gaokao": _json([{"id": "76", "source": "s", "title": "t", "passage": [PASSAGE, PASSAGE], "question": "正确的一项是", "opt": _OPTIONS, "answer": "B"}]),
    "logiqa": "\na\n10.美国黑人患高血压的比美国白人高两倍。\n哪项如果是真的，最能支持？\nA.甲\nB.乙\nC.丙\nD.丁\n\nb\n11.题。\n哪项？\nA 甲\nB 乙\nC 丙\nD 丁\n".encode(),
    "choices": _lines([{"example_id": 7, "answer": 3, "text": PASSAGE, "question": "下列说法正确的一项是", "options": _OPTIONS}]),
    "choices table": f"passage,question,A,B,C,D,label\n{PASSAGE},下列说法正确的一项是,{','.join(_OPTIONS)},B\n".encode(),
    "ocnli": _lines([{"level": "easy", "sentence1": "一月份有", "sentence2": "有一个月份有", "label": "entailment", "genre": "phone", "prem_id": "p", "id": 0}] * 2),
    "farstail": "premise\thypothesis\tlabel\nالف ب\tالف\te\nالف ب\tج\tc\n".encode(),
    "ccpm": _lines([{"translation": "昏暗的灯熄灭了又被重新点亮。", "choices": ["渔灯灭复明", "残灯灭又然", "残灯暗复明", "残灯灭又明"], "answer": 3}] * 2),
    "chnc": "\ufeffcategory,news\nhistory,跟 日本 刀 比\nfinance,世界 物 联网 大会\n".encode(),
    "cmeee": "IMGID: 00001.jpg\r\n呼 B-dis\r\n吸 I-dis\r\n患 O\r\n\r\nIMGID: 00002.jpg\r\n尿 B-bod\r\n".encode(),
    "segpos": "迈向/v  充满/v  希望/n  的/u  新/a  世纪/n\n中国/ns  好/a\n".encode(),
    "entities": "中 B-ORG\n共 I-ORG\n致 O\n\n北 B-LOC\n京 I-LOC\n".encode(),
    "conllu": "# sent_id = 1\n# text = به گزارش مهر\n1\tبه\tبه\tADP\tP\t_\t2\tcase\t_\t_\n2\tگزارش\tگ\tNOUN\tN\t_\t0\troot\t_\t_\n3\tمهر\tم\tPROPN\tN\t_\t2\tnmod\t_\t_\n".encode(),
    "wordseg": "回首 来 时 的 路 ， 坚定 的 信念 载 着 我们 走 了 很 远 。\n【 南方 多 地 将 进入 暴雨 模式 】\n2 、 学会 克难 之 道 ， 让 成功 陪 着 你 。\n".encode(),
}  # fmt: skip

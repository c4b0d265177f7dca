"""A few made questions to train on."""

from __future__ import annotations

from readproof.items import Gold, SpanItem

PASSAGE = (
    "范廷颂枢机，圣名保禄·若瑟，是越南罗马天主教枢机。1963年被任为主教；1990年被擢升为宗座署理；1994年被擢升为总主教。"
)
FACTS = {
    "范廷颂是哪国人？": "越南",
    "什么时候任主教？": "1963年",
    "圣名是什么？": "保禄·若瑟",
    "1994年成为什么？": "总主教",
}


def made_items(passages: int) -> list[SpanItem]:
    out = []
    for number in range(passages):
        passage = PASSAGE.replace("1963", f"19{number}3").replace("越南", "越南罗马"[: 2 + number % 3])
        for place, (question, text) in enumerate(FACTS.items()):
            answer = text.replace("1963", f"19{number}3")
            gold = Gold(answer, passage.index(answer))
            out.append(SpanItem(id=f"TRAIN_{number}_QUERY_{place}", passage=passage, question=question, golds=(gold,)))
    return out

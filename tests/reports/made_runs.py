"""Runs for the page: a reader that judges options on the shipped sample, hostile texts, thousands of failures."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from readproof.items import Answer, ChoiceItem, Gold, Item, SpanItem, Triple
from readproof.proof.plan import sample_path
from readproof.proof.run import RunResults, prove_reader
from readproof.readers.options import EvidenceSpan, JudgedOption, JudgedOptions
from readproof.tasks import load
from tests.proof.made_readers import cloze, found_in

_SENTENCE = re.compile("[^。！？!?.؟]+[。！？!?.؟]?")

ATTACKS = ("addonesent", "invisible", "reorder", "script", "typo", "options/keyword", "triples")

# each would do harm on a page that took texts for more than texts
HOSTILE = (
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\u202eright to left\u202c \u2066isolated\u2069",
    "-->]]><!-- {{ 7*7 }} {% raw %} ${7*7} \\",
    "\ud800 alone",
    "\x00\x07\x1b[31m",
    "𝒜😀 beyond the first plane 𠀀",
)
PERSIAN = "تهران پایتخت ایران است و می‌توان گفت بزرگ‌ترین شهر آن نیز هست. اصفهان در مرکز ایران است."


class Made:
    """Knows the golds of its items, but says the last sentence when it is new, or half the time when a text changed."""

    capabilities = frozenset({"spans", "options"})
    fingerprint = "made"

    def __init__(self, items: Sequence[Item], *, name: str = "made", steady: bool = False) -> None:
        self.name = name
        self.steady = steady
        single = [one for item in items for one in (item.questions if isinstance(item, Triple) else (item,))]
        self._golds = {item.question: item for item in single if isinstance(item, SpanItem)}
        self._answers = {(one.question, *one.options): one.answer or 0 for one in single if isinstance(one, ChoiceItem)}

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        return [self._choice(item) if isinstance(item, ChoiceItem) else self._span(item) for item in items]

    def judge(self, item: ChoiceItem) -> JudgedOptions:
        answer = self._choice(item)
        pieces = [found.span() for found in _SENTENCE.finditer(item.passage)][:2]
        evidence = tuple(EvidenceSpan(start, end, 1.0 / (1 + at)) for at, (start, end) in enumerate(pieces))
        options = tuple(JudgedOption(score, evidence) for score in answer.scores)
        return JudgedOptions(answer=answer, asked="true", options=options)

    def _choice(self, item: ChoiceItem) -> Answer:
        chance = random.Random(ascii((self.name, item.question, item.options)))
        known = self._answers.get((item.question, *item.options))
        sure = known is not None and bool(item.passage) and (self.steady or chance.random() < 0.8)
        choice = known if sure and known is not None else chance.randrange(len(item.options))
        rest = 0.4 / max(1, len(item.options) - 1)
        scores = tuple(0.6 if at == choice else rest for at in range(len(item.options)))
        return Answer(id=item.id, choice=choice, text=item.options[choice], scores=scores, confidence=0.6)

    def _span(self, item: SpanItem) -> Answer:
        known = self._golds.get(item.question)
        gold = found_in(known, item.passage) if known and known.golds else cloze(item.passage, item.question)
        chance = random.Random(ascii((self.name, item.question, item.passage)))
        pieces = list(_SENTENCE.finditer(item.passage))
        start, text = item.passage.find(gold), gold
        fooled = known is not None and self._is_edited(item, known) and not self.steady and chance.random() < 0.6
        if pieces and (start < 0 or not gold or fooled):
            start, text = pieces[-1].start(), pieces[-1][0]
        if start < 0 or not text:
            return Answer(id=item.id, confidence=0.1)
        sure = round(0.3 + 0.65 * chance.random(), 3)
        return Answer(id=item.id, text=text, raw=text, start=start, end=start + len(text), confidence=sure)

    @staticmethod
    def _is_edited(item: SpanItem, known: SpanItem) -> bool:
        """Whether the passage still has the answer, and is more than the known one's sentences in another order."""
        same = sorted(_SENTENCE.findall(item.passage)) == sorted(_SENTENCE.findall(known.passage))
        return not same and any(gold.text in item.passage for gold in known.golds)


def sample_items() -> list[Item]:
    path = sample_path("zh")
    assert path is not None
    return list(load(f"items:{path}"))


def sample_run(folder: Path, *, limits: str = "f1=80,addonesent.f1=60") -> RunResults:
    """Spans and triples of the shipped sample, with a hardened reader and limits of which one is not kept."""
    items = sample_items()
    reader, hardened = Made(items), Made(items, name="steady", steady=True)
    return prove_reader(reader, items, attacks=ATTACKS, hardened=hardened, fail_under=limits, out=folder)


def hostile_items() -> list[Item]:
    found: list[Item] = []
    for number, text in enumerate(HOSTILE):
        passage = f"北京是中国的首都。{text}。上海在东边，人口很多。"
        found.append(
            SpanItem(
                id=f"{number}{text}",
                passage=passage,
                question=f"{text}中国的首都是哪里？",
                golds=(Gold("北京", 0),),
                title=text,
            )
        )
    persian = SpanItem(
        id="fa-0", passage=PERSIAN, question="پایتخت ایران کجاست؟", golds=(Gold("تهران", 0),), language="fa"
    )
    return [*found, persian]


def hostile_run(folder: Path) -> RunResults:
    """Every answer wrong under attack, every text one that tries to do harm; also the names of reader and data."""
    items = hostile_items()
    run = prove_reader(Made(items, name=HOSTILE[0]), items, attacks=["invisible", "reorder", "typo"], out=folder)
    scores = run.scores
    facts = replace(scores.run, data=replace(scores.run.data, name=HOSTILE[1], citation=HOSTILE[2]))
    return replace(run, scores=replace(scores, run=facts))


def many_run(folder: Path, items: Sequence[Item], attacks: Sequence[str] = ("invisible", "typo")) -> RunResults:
    """As many failures as items and attacks allow."""
    return prove_reader(Made(items), list(items), attacks=list(attacks), out=folder)

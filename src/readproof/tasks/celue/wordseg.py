"""WordSeg-Weibo: Chinese micro-blog sentences cut into words, the words between blanks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from readproof.files import lines
from readproof.items import TagItem
from readproof.lang.api import detect, get_language
from readproof.tasks.base import Peek, Task
from readproof.tasks.layouts.lines import HAN, whole_lines
from readproof.tasks.layouts.marks import read_words, words_line, write_words
from readproof.tasks.metrics.tagging import tagging_metrics

_SIGNS = re.compile("[，。！？；：、“”《》【】（）]")
_FEWEST_WORDS = 3
_LONGEST_MEAN = 3.0
_MIXED_SHARE = 0.02


def _recognise(peek: Peek) -> bool:
    """The format has no mark of its own: short Chinese words, and signs that stand alone, which prose never has."""
    found = whole_lines(peek)
    words = [word for line in found for word in line.split()]
    if peek.layout != "text" or get_language(detect(peek.head)).spaced or len(words) < _FEWEST_WORDS * len(found):
        return False
    chinese = [word for word in words if HAN.search(word)]
    alone = sum(bool(_SIGNS.fullmatch(word)) for word in words)
    mixed = sum(bool(_SIGNS.search(word)) for word in chinese)
    short = sum(map(len, chinese)) <= _LONGEST_MEAN * len(chinese)
    return bool(alone) and short and mixed <= _MIXED_SHARE * len(words)


def load(path: Path) -> Iterator[TagItem]:
    """Every line, numbered from 0. Any white space ends a word (the files have a few no-break and wide spaces)."""
    index = 0
    for _, line in lines(path):
        found = words_line(line)
        if found.texts:
            yield TagItem(id=str(index), text="".join(found.texts), marks=found.marks)
            index += 1


TASK = Task(
    name="wordseg-weibo",
    title="WordSeg-Weibo (CELUE): Chinese word segmentation",
    kind="tags",
    languages=("zh",),
    recognise=_recognise,
    load=load,
    read_predictions=read_words,
    write_predictions=write_words,
    metrics=tagging_metrics("wordseg-weibo", words=True),
    citation="Qiu, Qian and Shi 2016. Overview of the NLPCC-ICCPOL 2016 Shared Task: Chinese Word Segmentation for "
    "Micro-blog Texts. NLPCC 2016.",
)

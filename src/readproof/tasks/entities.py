"""Entities in sentences of one token and tag a line: People's Daily (Chinese characters), ARMAN (Persian words)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path

from readproof.items import TagItem
from readproof.lang.api import detect, get_language
from readproof.tasks.base import Task
from readproof.tasks.layouts.marks import ENTITIES, is_tagged, marked, read_marks, sentences, write_marks
from readproof.tasks.metrics.tagging import tagging_metrics

_SAMPLE = 20


def load(path: Path) -> Iterator[TagItem]:
    """Every sentence, numbered from 0. The language of the first ones says if tokens are joined by a blank."""
    stream = sentences(path)
    first = list(islice(stream, _SAMPLE))
    language = detect("".join(token for sentence in first for token in sentence.tokens))
    joiner = get_language(language).gap
    for index, sentence in enumerate(chain(first, stream)):
        text, marks = marked(sentence, joiner)
        yield TagItem(id=str(index), text=text, marks=marks, language=language)


TASK = Task(
    name="entities",
    title="Entities, one token and tag a line (BIO or BIOES)",
    kind="tags",
    languages=("zh", "fa", "en"),
    recognise=is_tagged,
    load=load,
    read_predictions=partial(read_marks, ENTITIES),
    write_predictions=partial(write_marks, ENTITIES),
    metrics=tagging_metrics("entities"),
    licence="depends on the data: People's Daily Apache-2.0, ARMAN academic use",
)

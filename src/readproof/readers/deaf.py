"""Any reader made deaf to what nobody sees: it is given the text that our own readers read, its answers are put back.

A Python function or a model behind an endpoint reads what it is handed, invisible characters and all. `clean:READER`
hands it the clean form, and cuts its answers from the passage as it stood.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from readproof.items import Answer, ChoiceItem, SpanItem
from readproof.lang.forms import FORM_VERSION, shown
from readproof.readers.base import OPTIONS, SPANS, Reader
from readproof.readers.behind import Behind
from readproof.readers.stating import as_read


class Deaf(Behind):
    """A reader behind the sanitiser."""

    sanitises = True

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.name = f"clean:{reader.name}"
        self.capabilities = reader.capabilities & {SPANS, OPTIONS}

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(f"clean\0{FORM_VERSION}\0{self.reader.fingerprint}".encode()).hexdigest()

    def _one(self, item: SpanItem | ChoiceItem) -> Answer:
        if isinstance(item, ChoiceItem):
            form, choice = as_read(item)
            answer = self.reader.answer([replace(choice, passage=form.text.clean)])[0]
            return answer if answer.choice is None else replace(answer, text=item.options[answer.choice])
        passage = shown(item.passage)
        plain, question = passage.text.clean, passage.like(item.question)
        # a gold is not for the reader to see, and would not stand in the new passage
        asked = replace(item, passage=plain, question=question, golds=(), impossible=False)
        answer = self.reader.answer([asked])[0]
        if answer.start is None or answer.end is None:
            return answer
        start, end = passage.text.to_raw(answer.start, answer.end)
        words = passage.words(answer.start, answer.end)
        return replace(answer, text=words, raw=item.passage[start:end], start=start, end=end)

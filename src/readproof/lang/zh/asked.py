"""What is asked, with all that an answer may hang on."""

from __future__ import annotations

import re
from dataclasses import dataclass

from readproof.lang.zh.questions import Phrase


@dataclass(frozen=True, slots=True)
class Asked:
    """A question phrase in its question, with the gold answer ("" where it is not known) and the passage."""

    phrase: Phrase
    question: str
    gold: str
    passage: str = ""

    @property
    def head(self) -> str:
        """The noun asked for, or the one that the phrase is said of."""
        return self.phrase.head

    @property
    def in_phrase(self) -> bool:
        """Whether the noun asked for is part of the phrase, so that an answer takes its place too."""
        return bool(self.head) and self.phrase.text.endswith(self.head)

    @property
    def before(self) -> str:
        return self.question[: self.phrase.start]

    @property
    def after(self) -> str:
        return re.sub("[\\s？?。！!]+$", "", self.question[self.phrase.end :])

    @property
    def at_end(self) -> bool:
        return not self.after

"""How much of a stage's weights is kept, chosen by questions that are turned round.

A last stage on few questions finds more of their odd options, but loses hold of its answers when a question is said
otherwise or asks for the contrary. The mean of its weights and of those it began with keeps most of both. Which mean is
judged by triples (attacks/options/triples) made of training questions that the stage has not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer
from torch import Tensor

from readproof.attacks.options.triples import BuiltTriple, build
from readproof.items import ChoiceItem, Triple, letter
from readproof.readers.options import OptionReadingConfig
from readproof.tasks.metrics.triples import PredictedTriple, TriplePredictions, official
from readproof.training.options.model import OptionReader
from readproof.training.options.reading import option_answers
from readproof.training.options.records import Group

# of the stage's own weights; the rest is what it began with
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)

_STEMS = {1: "下列说法正确的一项是", 0: "下列说法不正确的一项是"}


def mixed(before: Mapping[str, Tensor], after: Mapping[str, Tensor], share: float) -> dict[str, Tensor]:
    """Weights between two: 0 is all `before`, 1 all `after`; tensors that are equal stay as they are, to the bit."""
    return {name: before[name].to(one.device).lerp(one, share) for name, one in after.items()}


def triples_of(groups: Iterable[Group]) -> list[Triple]:
    """Questions with one odd option as triples, where enough of their options can be turned.

    All shares are judged by the same triples, so what wording gives away matters less than how many there are.
    """
    made = (build(_question(group), balanced=False) for group in groups if group.kind == "one")
    return [one.triple for one in made if isinstance(one, BuiltTriple)]


def answered(
    reader: OptionReader, triples: Sequence[Triple], tokenizer: Tokenizer, manner: OptionReadingConfig, *, size: int
) -> list[PredictedTriple]:
    """The letters that a reader in training gives to the three questions of each."""
    asked = [question for one in triples for question in one.questions]
    given = option_answers(reader, asked, tokenizer, manner, size=size)
    letters = [letter(one.choice) if one.choice is not None else "" for one in given]
    return [
        PredictedTriple(one.id, (letters[3 * at], letters[3 * at + 1], letters[3 * at + 2]))
        for at, one in enumerate(triples)
    ]


def turned_scores(triples: Sequence[Triple], rows: Sequence[PredictedTriple]) -> dict[str, Any]:
    """The official figures of GCRC_advRobust, in percent; triples are told apart by their places, not by their ids."""
    gold = [replace(one, id=f"{at}") for at, one in enumerate(triples)]
    given = tuple(PredictedTriple(f"{at}", row.letters) for at, row in enumerate(rows))
    found = official("turned", gold, TriplePredictions(Path("turned"), given)).exact
    return {name: round(100 * found[name], 3) for name in ("Score", "Acc0", "Acc1", "Acc2")} | {"triples": len(triples)}


def _question(group: Group) -> ChoiceItem:
    """A group as the question it was: the one odd label says what was asked for."""
    odd = int(sum(group.labels) == 1)
    return ChoiceItem(
        id=group.id,
        passage=group.passage,
        question=_STEMS[odd],
        options=group.statements,
        answer=group.labels.index(odd),
        truths=tuple(map(bool, group.labels)),
    )

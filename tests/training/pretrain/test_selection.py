"""Questions made of a corpus: the golds cut the span that was taken out, and the asking sentence is gone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from readproof.readers.vocabulary import SPECIAL, Vocabulary
from readproof.training.finetune import span_loss
from readproof.training.fit import fit
from readproof.training.model import SpanReader
from readproof.training.pretrain.corpus import Corpus, tokenised, train_pieces
from readproof.training.pretrain.places import Places, find_places, kind_of
from readproof.training.pretrain.recipe import EncoderSize, Pieces, Selected
from readproof.training.pretrain.train import SelectionExamples, fresh_encoder
from readproof.training.recipe import Fit
from tests.training.pretrain.texts import lines

HOW = Selected(passage=60, question=30, mark="؟", asked={"year": ("چه سالی",), "other": ("چه",)}, nothing=0.0)
Parts = tuple[Corpus, Vocabulary, Places]


@pytest.fixture(scope="module")
def parts() -> Parts:
    vocabulary = train_pieces(lines(), Pieces(size=600, least=1))
    corpus = tokenised(lines(), vocabulary)
    return corpus, vocabulary, find_places(corpus, vocabulary, most=400, recurring=0.5)


def _examples(parts: Parts, how: Selected = HOW) -> SelectionExamples:
    return SelectionExamples(*parts, how, steps=3, language="fa")


def test_golds_cut_the_span(parts: Parts) -> None:
    corpus, _, places = parts
    examples = _examples(parts)
    random = np.random.default_rng(0)
    for place in places:
        made = examples.made(place, random)
        span = corpus.ids[place[2] : place[3]]
        assert len(made.question) <= HOW.question
        assert len(made.passage) <= HOW.passage
        assert made.golds
        for first, last in made.golds:
            assert np.array_equal(made.passage[first : last + 1], span)


def test_the_asking_sentence_is_not_in_the_passage(parts: Parts) -> None:
    corpus, _, places = parts
    examples = _examples(parts)
    random = np.random.default_rng(0)
    for place in places[places[:, 4] >= 0][:50]:
        sentence = " ".join(map(str, corpus.ids[place[0] : place[1]]))
        # neighbours may say it word for word in this small text: the document's own sentence has its year in it
        made = examples.made(place, random)
        assert sentence not in " ".join(map(str, made.passage))


def test_what_has_no_answer_points_to_the_first_token(parts: Parts) -> None:
    examples = _examples(parts, replace(HOW, nothing=1.0))
    alone = np.flatnonzero(parts[2][:, 4] < 0)[:16]
    batch = examples.collate((5, alone))
    assert bool((batch.golds[:, 0] == 0).all())
    assert bool((batch.golds[:, 1:] == -1).all())
    assert bool(batch.labelled.all())


def test_batches_are_drawn_from_their_seed(parts: Parts) -> None:
    examples = _examples(parts)
    one, other = (examples.batches(8, seed=2) for _ in range(2))
    assert len(one) == 3
    first, second = examples.collate(one[1]), examples.collate(other[1])
    assert np.array_equal(first.ids.numpy(), second.ids.numpy())
    cls, sep = SPECIAL.index("[CLS]"), SPECIAL.index("[SEP]")
    assert bool((first.ids[:, 0] == cls).all())
    for row, mask, types in zip(first.ids, first.mask, first.types, strict=True):
        kept = row[mask]
        assert int(kept[-1]) == sep
        assert int(types[mask].sum()) == len(kept) - int((kept == sep).nonzero()[0]) - 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [("1357", "year"), ("12", "number"), ("5 مهر", "date"), ("تهران", "place"), ("سخن", "other"), ("", "other")],
)
def test_question_words_go_by_kind(text: str, kind: str) -> None:
    assert kind_of(text, {"مهر": "date", "تهران": "place"}) == kind


def test_a_reader_learns_to_find_them(parts: Parts) -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    body = EncoderSize(hidden=64, layers=2, inner=128, embedding=32, positions=128)
    reader = SpanReader(fresh_encoder(len(parts[1]), body, dropout=0.0))
    examples = _examples(parts, replace(HOW, asking=0.5))
    examples.steps = 90
    told: list[float] = []
    how = Fit(lr=3e-3, batch=16, warmup=0.1)

    def heard(line: str) -> None:
        told.append(float(line.split("loss ")[1].split()[0]))

    fit(reader, examples, span_loss(reader), how, progress=heard, log_every=45)
    assert told[-1] < told[0] - 0.7

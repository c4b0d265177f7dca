"""The tool that trains several seeds within a time: windows, layers and scores are those of the package itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from readproof.items import Answer, ChoiceItem, Triple
from readproof.readers import load_reader
from readproof.readers.adapter import adapted
from readproof.readers.onnxweights import read_weights
from readproof.readers.options import OptionReadingConfig, as_read, asked_of
from readproof.readers.shipped import ZH
from readproof.readers.vocabulary import SPECIAL, whole
from readproof.tasks import find
from readproof.tasks.gcrc import write_data, write_predictions
from readproof.tasks.scoring import score
from readproof.training.encoder import Encoder, Shape
from readproof.training.low_rank import factors
from readproof.training.model import plain_state
from readproof.training.options.measure import logits, scored
from readproof.training.options.model import OptionReader
from readproof.training.options.sets import questions
from readproof.training.options.start import write_option_folder
from readproof.training.options.windows import OptionWindows, batches, collate, cut
from readproof.training.readerstart import tensors_of
from readproof.training.start import shipped_vocabulary
from tests.training.options.made import choice_items
from tools import option_bundle, option_figures, option_seeds, option_students

MANNER = OptionReadingConfig(segment=24, overlap=6, fine=16)


def windows(items: Sequence[ChoiceItem] = ()) -> OptionWindows:
    items = items or choice_items(4)
    texts = "".join(text for item in items for text in (item.passage, item.question, *item.options))
    vocabulary = whole([*SPECIAL, *sorted(set(texts)), *(f"##{digit}" for digit in "0123456789")])
    return cut(list(questions(items, "made")), vocabulary.tokenizer(), MANNER)


def reader() -> OptionReader:
    torch.manual_seed(0)
    return OptionReader(Encoder(Shape(rows=400, hidden=128, layers=2, heads=2, inner=256)))


def test_windows_come_back_out_of_the_bundle() -> None:
    before = windows()
    arrays = {f"set/{key}": one for key, one in option_bundle.packed(before, segments=True).items()}
    after = option_bundle.unpacked(arrays, "set")
    assert [one.labels for one in after.groups] == [one.labels for one in before.groups]
    assert [one is None for one in after.coarse] == [one is None for one in before.coarse]
    assert not all(one is None for one in after.coarse)
    for one, other in ((before.fine, after.fine), (before.coarse, after.coarse)):
        for old, new in zip(one, other, strict=True):
            if old is not None and new is not None:
                for this, that in zip(old.numbers, new.numbers, strict=True):
                    assert np.array_equal(before.tokens[this], after.tokens[that])
                    assert before.heads[this] == after.heads[that]
                assert old.evidence == new.evidence
    assert len(option_bundle.unpacked(arrays, "set", 2).groups) == 2


def test_the_layers_give_what_the_package_s_give() -> None:
    model, made = reader().eval(), windows()
    for share in (0.0, 1.0):
        batch = collate(made, batches(made, 4096, 0, coarse=share)[0])
        with torch.no_grad():
            ours, theirs = option_seeds.judged(model, batch), model(batch)
        for one, other in zip(ours, theirs, strict=True):
            assert torch.allclose(one, other, atol=1e-5)
        assert ours[0].std() > 0


def test_scores_of_windows_are_the_package_s() -> None:
    model, made = reader(), windows()
    arrays = {f"set/{key}": one for key, one in option_bundle.packed(made, segments=True).items()}
    again = option_bundle.unpacked(arrays, "set")
    found = option_students.tables(again, option_seeds.said(model, again))
    for one, other in zip(logits([model], made), found, strict=True):
        assert np.allclose(one, other, atol=1e-4)
    hits, count = option_figures.right(arrays, "set", option_seeds.said(model, again))
    expected = scored(made, logits([model], made))
    assert count == expected.asked and 100 * hits / count == pytest.approx(expected.choice)


@pytest.mark.parametrize(("bits", "begun", "most"), [(4, True, 0.15), (6, True, 0.04), (6, False, 0.04)])
def test_weights_come_back_out_of_few_bits(tmp_path: Path, bits: int, begun: bool, most: float) -> None:
    torch.manual_seed(1)
    start = {"big.weight": torch.randn(300, 200), "small.bias": torch.randn(300)}
    change = 1e-3 * torch.randn(300, 200)
    changed = {"bert.big.weight": start["big.weight"] + change, "small.bias": torch.randn(300)}
    begin = start if begun else {}
    told = option_bundle.write_changes(changed, begin, tmp_path, "seed-1", bits)
    back = option_bundle.read_changes(tmp_path.glob("seed-1-*.npz"), begin)
    assert all(torch.equal(told[name], back[name]) for name in changed)
    assert torch.equal(back["small.bias"], changed["small.bias"])
    wrong = back["bert.big.weight"] - changed["bert.big.weight"]
    assert float(wrong.std()) < most * (1e-3 if begun else 1.0)  # of what is told
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 300 * 200 * (bits + 2) / 8


def test_the_rate_reaches_nothing_when_time_is_up() -> None:
    model, made = reader(), windows()
    order = batches(made, 512, 0)
    before = {name: one.clone() for name, one in model.state_dict().items()}
    told: list[str] = []
    option_seeds.learn(model, made, order, rate=1e-3, seed=0, seconds=1e-9, say=told.append)
    assert told == [f"time is up at step 0 of {len(order)}"]
    assert all(torch.equal(one, before[name]) for name, one in model.state_dict().items())
    option_seeds.learn(model, made, order, rate=1e-3, seed=0, seconds=600, say=told.append)
    assert not torch.equal(model.truth.weight, before["truth.weight"])


def triples(count: int) -> list[Triple]:
    """Three forms each, out of made questions; two triples share a passage, as those of the real file may."""
    out = []
    for number, item in enumerate(choice_items(count)):
        names = ("original", "positive", "negative")
        forms = [replace(item, id=f"t{number}#{name}", answer=(number + at) % 3) for at, name in enumerate(names)]
        out.append(Triple(id=f"t{number}", original=forms[0], positive=forms[1], negative=forms[2]))
    return out


def test_figures_are_those_of_the_official_score(tmp_path: Path) -> None:
    items, data, given = triples(6), tmp_path / "dev.json", tmp_path / "predictions.json"
    with data.open("w", encoding="utf-8") as file:
        write_data(items, file)
    asked = [one for item in items for one in item.questions]
    made = windows(asked)
    arrays = {f"dev_a/{key}": one for key, one in option_bundle.packed(made, segments=True).items()}
    values = np.random.default_rng(3).normal(size=(len(made.tokens), 2)).astype(np.float32)
    scores = option_figures.joined_scores(arrays["dev_a/rows"], values)
    # the letters that a reader of these scores gives: the truest, or where the stem asks for what is not true the least
    letters = {}
    for number, one in enumerate(asked):
        least = asked_of(as_read(one)[1]) == "false"
        choice = int(scores[number].argmin() if least else scores[number].argmax())
        letters[one.id] = Answer(id=one.id, choice=choice)
    with given.open("w", encoding="utf-8") as file:
        write_predictions(items, letters, file)
    expected = score(find(f"gcrc:{data}")[0], given, data)
    columns = option_figures.triple_columns(option_figures.picked(arrays, "dev_a", scores))
    found = option_figures.official(columns.sum(axis=1))
    assert found["Score"] == pytest.approx(100 * expected.exact["Score"]) and 0 < found["Acc_0"] < 100
    for at in range(3):
        assert found[f"Acc_{at}"] == pytest.approx(100 * expected.exact[f"Acc{at}"])


def test_a_mean_over_seeds_is_the_mean_of_their_scores() -> None:
    draws = np.random.default_rng(1).random((2, 30)) < 0.5
    each = {f"seed {at}": option_figures.triple_columns(dict(enumerate(one.tolist()))) for at, one in enumerate(draws)}
    every = option_figures.with_mean(each)
    one, two, mean = (option_figures.official(columns.sum(axis=1))["Score"] for columns in every.values())
    assert mean == pytest.approx((one + two) / 2) and one != two


def test_a_student_begins_as_an_option_reader_and_learns_in_every_rank() -> None:
    first, shipped = option_students.option_start(ZH.folder / "options.npz")
    name = "encoder.layer.3.intermediate.dense.weight"
    graph = ZH.folder / "model.onnx"
    rounded = tensors_of({**read_weights(graph), **adapted(graph, ZH.folder / "options.npz")})
    # apart by what int8 rounds away, which is little beside what changed
    apart, moved = ((shipped[name] - one).norm() / shipped[name].norm() for one in (rounded[name], first[name]))
    assert float(apart) < 0.04 < 0.1 < float(moved)
    assert torch.equal(rounded["qa_outputs.weight"][:1], shipped["truth.weight"])
    told = np.load(ZH.folder / "options.npz")[f"bert.{name.removesuffix('.weight')}.left"].shape[1]
    left, right = factors(shipped[name] - first[name], told + 16)
    change = shipped[name] - first[name]
    assert float((left @ right - change).norm() / change.norm()) < 1e-4
    # some of its ranks are told already; the others must be able to learn
    assert left.norm(dim=0).count_nonzero() == told
    assert float(right[told:].norm(dim=1).min()) > 0.5


def test_a_reader_is_built_from_the_start_and_its_changes(tmp_path: Path) -> None:
    vocabulary = shipped_vocabulary("zh")
    torch.manual_seed(2)
    model = OptionReader(Encoder(Shape(rows=len(vocabulary), hidden=128, layers=2, heads=2, inner=256)))
    write_option_folder(tmp_path / "start", plain_state(model), vocabulary, {}, OptionReadingConfig())
    begun = plain_state(model)
    with torch.no_grad():
        for one in model.parameters():
            one.add_(0.05 * torch.randn_like(one))
    option_bundle.write_changes(plain_state(model), option_seeds.state_of_start(tmp_path / "start"), tmp_path, "seed-7")
    out = option_seeds.build(tmp_path / "start", sorted(tmp_path.glob("seed-7-*.npz")), tmp_path / "reader")
    built = tensors_of(read_weights(out / "model.onnx"))
    name = "encoder.layer.1.output.dense.weight"
    wanted = plain_state(model)[f"bert.{name}"]
    apart, moved = (float((one - wanted).norm() / wanted.norm()) for one in (built[name], begun[f"bert.{name}"]))
    assert apart < 0.15 < 0.5 < moved
    assert torch.allclose(built["qa_outputs.weight"][:1], plain_state(model)["truth.weight"], atol=1e-6)
    item = choice_items(1)[0]
    assert load_reader(str(out)).answer([item])[0].choice is not None

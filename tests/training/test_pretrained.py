"""Encoders of other families than BERT: trained by the same loop, read by the same code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

pytest.importorskip("transformers")

from readproof.items import Gold, SpanItem
from readproof.readers import load_reader
from readproof.tasks.metrics.cmrc import official
from readproof.training.begin import read_start
from readproof.training.measure import measure
from readproof.training.optimise import optimiser
from readproof.training.pretrainedstart import PretrainedStart, read_pretrained
from readproof.training.recipe import Fit
from readproof.training.sets import answerable, span_items
from readproof.training.span import train_span
from readproof.training.windows import collate
from tests.shared_data import SHARED, needs_shared
from tests.training.folders import FAMILIES, Folders, texts
from tests.training.made import made_items


@pytest.fixture(params=sorted(FAMILIES))
def start(request: pytest.FixtureRequest, folders: Folders) -> PretrainedStart:
    return read_pretrained(folders(request.param))


def test_every_window_is_what_the_reader_gives_the_model(start: PretrainedStart) -> None:
    windows = start.prepared(made_items(2), max_tokens=start.positions - 3, overlap=12).windows
    batch = collate(windows, np.arange(len(windows)))
    pair, frame = start.pair, windows.frame
    for row in range(len(windows)):
        length = int(batch.mask[row].sum())
        ids, head = batch.ids[row, :length].numpy().astype(np.int32), int(windows.heads[row])
        question = ids[len(frame.before) : head - len(frame.between)]
        expected = pair.window(question, ids[head : length - len(frame.after)])
        assert expected["input_ids"][0].tolist() == ids.tolist()
        assert expected.get("token_type_ids", torch.zeros(1, length))[0].tolist() == batch.types[row, :length].tolist()
        places = [0, *range(head, length - len(frame.after))]
        assert batch.valid[row].nonzero()[:, 0].tolist() == places
    assert (batch.ids[~batch.mask] == frame.pad).all()
    assert batch.ids.shape[1] <= start.positions


def test_xlm_roberta_has_its_own_frame(folders: Folders) -> None:
    start = read_pretrained(folders("xlm-roberta"))
    assert start.positions == 64, "two of the 66 rows are never a position"
    assert (start.frame.before, start.frame.between, start.frame.after) == ((0,), (2, 2), (2,))
    assert start.frame.pad == 1 and not start.pair.types
    assert start.layers == 2 and start.tells_layers and not start.is_reader
    assert read_start(folders("xlm-roberta")).digest() == start.digest()


def test_golds_are_found_by_their_characters(start: PretrainedStart) -> None:
    for item in made_items(6)[::5]:
        check_golds(start, item)
    hidden = SpanItem(id="1", passage="他生于越\u200b南 New  York。", question="？", golds=(Gold("越\u200b南", 3),))
    check_golds(start, hidden)


def check_golds(start: PretrainedStart, item: SpanItem) -> None:
    """The tokens of each gold hold all its characters, and no token at either end could be spared."""
    question = start.prepared([item], max_tokens=start.positions, overlap=12).questions[0]
    assert len(question.golds) == len({(gold.text, gold.start) for gold in item.golds})
    for gold, (first, last) in zip(item.golds, question.golds, strict=True):
        assert gold.start is not None
        begin, end = question.passage.raw_span(first, last)
        assert begin <= gold.start and gold.start + len(gold.text) <= end
        clean_begin, clean_end = question.passage.text.to_clean(gold.start, gold.start + len(gold.text))
        assert question.passage.ends[first] > clean_begin and question.passage.starts[last] < clean_end


def test_layers_learn_at_their_own_rates(start: PretrainedStart) -> None:
    reader = start.reader(start.state(), dropout=0.1)
    depths = {name: reader.depth(name) for name, _ in reader.named_parameters()}
    assert set(depths.values()) == {0, 1, 2, 3}
    assert {name for name, at in depths.items() if at == 3} == {"model.qa_outputs.weight", "model.qa_outputs.bias"}
    assert all("embedding" in name for name, at in depths.items() if at == 0)
    rates = {group["lr"] for group in optimiser(reader, lr=1.0, decay=0.0, layer_decay=0.5, head=3.0).param_groups}
    assert rates == {3.0, 1.0, 0.5, 0.25}
    assert reader.words.shape[0] >= len(start.pair.tokenizer)


def test_dropout_is_the_recipes(folders: Folders) -> None:
    start = read_pretrained(folders("xlm-roberta"))
    reader = start.reader(start.state(), dropout=0.3)
    assert {part.p for part in reader.modules() if isinstance(part, torch.nn.Dropout)} == {0.3}
    assert start.pair.model.config.hidden_dropout_prob == 0.1, "what is written is the folder's own"


def test_scores_are_whole_where_the_encoder_is_half(folders: Folders) -> None:
    start = read_pretrained(folders("electra"))
    windows = start.prepared(made_items(1), max_tokens=64, overlap=16).windows
    reader = start.reader(start.state(), dropout=0.0).eval()
    seen: list[torch.dtype] = []
    reader.model.qa_outputs.register_forward_hook(lambda *given: seen.append(given[2].dtype))
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
        assert reader(collate(windows, np.arange(2)))[0].dtype == torch.float32
    assert seen == [torch.float32]


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_the_held_out_score_is_what_the_reader_scores(
    family: str, folders: Folders, made: Path, tmp_path: Path
) -> None:
    """Windows of fewer tokens than the model could take: the written folder says so, and reading keeps to it."""
    how = Fit(epochs=2, lr=2e-3, batch=4, layer_decay=0.9, ema=0.5)
    found = train_span(
        [made], start=folders(family), out=tmp_path / "out", fit=how, rdrop=1.0, held_out=0.4, max_tokens=44
    )  # fmt: skip
    held = span_items(tmp_path / "out.work" / "sets" / "held_out.json")
    answers = load_reader(str(found.folder), threads=1).answer(held)
    pairs = [
        official(answer.text, [gold.text for gold in item.golds]) for answer, item in zip(answers, held, strict=True)
    ]
    exact, f1 = (100 * sum(column) / len(pairs) for column in zip(*pairs, strict=True))
    job = found.notes["jobs"]["teacher-0"]
    said = job["points"][job["chosen"]]["scores"]["held_out"]
    assert (said["exact"], said["f1"]) == (round(exact, 3), round(f1, 3))
    assert 0 < f1 < 100, "scores at either end prove nothing"
    start = read_pretrained(found.folder)
    assert start.is_reader and start.positions == 44
    prepared = start.prepared(held, max_tokens=44, overlap=11)
    again = measure([start.reader(start.state(), dropout=0.1)], prepared).answers
    assert [(one.text, one.start) for one in again] == [(one.text, one.start) for one in answers]
    assert found.notes["versions"]["transformers"]
    names = {path.name for path in found.folder.iterdir()}
    assert names >= {"config.json", "model.safetensors", "tokenizer.json", "notes.json"} and ".part" not in names


def test_training_goes_on_from_a_trained_reader(folders: Folders, made: Path, tmp_path: Path) -> None:
    first = train_span([made], start=folders("roberta"), out=tmp_path / "1", fit=Fit(batch=8), max_tokens=128)
    second = train_span([made], start=first.folder, out=tmp_path / "2", fit=Fit(batch=8, lr=0.0), max_tokens=128)
    one, other = (load_file(folder / "model.safetensors") for folder in (first.folder, second.folder))
    assert all(torch.equal(one[name], other[name]) for name in one), "a rate of nothing changes nothing, head included"


@needs_shared
@pytest.mark.parametrize("family", ["xlm-roberta", "roberta", "electra"])
def test_questions_of_cmrc(family: str, tmp_path: Path) -> None:
    items = answerable(span_items(f"cmrc2018:{SHARED / 'data' / 'cmrc2018' / 'train.json.xz'}"))[:300]
    start = read_pretrained(FAMILIES[family](tmp_path, texts(items)))
    for item in items[::3]:
        check_golds(start, item)

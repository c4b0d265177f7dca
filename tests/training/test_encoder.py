from __future__ import annotations

import pytest
import torch

from readproof.training.encoder import Encoder, Shape, chosen_layers, encoder_from, with_rows

SHAPE = Shape(rows=50, hidden=64, layers=3, heads=1, inner=128, positions=32)


def test_it_gives_what_transformers_gives() -> None:
    transformers = pytest.importorskip("transformers")
    config = transformers.BertConfig(
        vocab_size=50,
        hidden_size=64,
        num_hidden_layers=3,
        num_attention_heads=1,
        intermediate_size=128,
        max_position_embeddings=32,
    )
    theirs = transformers.BertModel(config, add_pooling_layer=False).eval()
    ours = encoder_from(theirs.state_dict()).eval()
    ids = torch.randint(1, 50, (3, 20))
    types = (torch.arange(20) > 7).long().expand(3, 20)
    mask = torch.arange(20)[None, :] < torch.tensor([20, 12, 9])[:, None]
    with torch.inference_mode():
        expected = theirs(ids, attention_mask=mask.long(), token_type_ids=types, output_hidden_states=True)
        found = ours(ids, types, mask)
    torch.testing.assert_close(found.last[mask], expected.last_hidden_state[mask])
    for one, other in zip(found.layers, expected.hidden_states[1:], strict=True):
        torch.testing.assert_close(one[mask], other[mask])


def test_layers_and_rows_are_chosen() -> None:
    state = Encoder(SHAPE).state_dict()
    few = encoder_from(with_rows(chosen_layers(state, (0, 2)), [0, 7, 3]))
    assert (few.shape.layers, few.shape.rows) == (2, 3)
    torch.testing.assert_close(
        few.state_dict()["encoder.layer.1.output.dense.weight"], state["encoder.layer.2.output.dense.weight"]
    )
    torch.testing.assert_close(few.embeddings.word_embeddings.weight[1], state["embeddings.word_embeddings.weight"][7])


def test_weights_that_do_not_fit_are_refused() -> None:
    state = Encoder(SHAPE).state_dict()
    del state["encoder.layer.1.output.dense.bias"]
    with pytest.raises(ValueError, match="missing"):
        encoder_from(state)


def test_narrow_word_vectors_are_an_electra() -> None:
    transformers = pytest.importorskip("transformers")
    config = transformers.ElectraConfig(
        vocab_size=50,
        embedding_size=32,
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=1,
        intermediate_size=128,
        max_position_embeddings=32,
    )
    theirs = transformers.ElectraModel(config).eval()
    ours = encoder_from(theirs.state_dict()).eval()
    assert (ours.shape.embedding, ours.shape.hidden) == (32, 64)
    ids = torch.randint(1, 50, (3, 20))
    types = (torch.arange(20) > 7).long().expand(3, 20)
    with torch.inference_mode():
        expected = theirs(ids, token_type_ids=types).last_hidden_state
        found = ours(ids, types).last
    torch.testing.assert_close(found, expected)

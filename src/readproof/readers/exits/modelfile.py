"""The model file that a CELUE package needs beside its predictions: the reader's own modules, built anew in torch.

It needs torch alone. Its attention is called as the published counter wants it, so that it is counted by its rule; a
`part_N`, which that counter does not know, is counted by what it computes.
"""

from __future__ import annotations

from readproof.readers.exits.config import ExitConfig

FILE = "model_to_eval.py"
_SIZES = ("rows", "positions", "types", "embedding", "hidden", "heads", "width", "inner", "outputs", "pooled", "exits")

_TEXT = '''"""The modules of a multi-exit reader, by the names that the predictions beside it use. Made by readproof."""

import torch
from torch import nn

{sizes}


class Embeddings(nn.Module):
    def __init__(self):
        super().__init__()
        narrow = EMBEDDING or HIDDEN
        self.word_embeddings = nn.Embedding(ROWS, narrow)
        self.position_embeddings = nn.Embedding(POSITIONS, narrow)
        self.token_type_embeddings = nn.Embedding(TYPES, narrow)
        self.LayerNorm = nn.LayerNorm(narrow)
        self.wider = nn.Linear(narrow, HIDDEN) if EMBEDDING else None

    def forward(self, ids):
        ids = ids.long()
        places = torch.arange(ids.shape[1], device=ids.device)
        words = self.word_embeddings(ids) + self.token_type_embeddings(torch.zeros_like(ids))
        hidden = self.LayerNorm(words + self.position_embeddings(places))
        return hidden if self.wider is None else self.wider(hidden)


def heads_of(tensor):
    return tensor.view(tensor.shape[0], tensor.shape[1], HEADS, WIDTH // HEADS).transpose(1, 2)


class BertSelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.num_attention_heads = HEADS
        self.attention_head_size = WIDTH // HEADS
        self.all_head_size = WIDTH
        self.query = nn.Linear(HIDDEN, WIDTH)
        self.key = nn.Linear(HIDDEN, WIDTH)
        self.value = nn.Linear(HIDDEN, WIDTH)

    def forward(self, hidden):
        query, key, value = heads_of(self.query(hidden)), heads_of(self.key(hidden)), heads_of(self.value(hidden))
        shares = (query @ key.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5).softmax(-1)
        return (shares @ value).transpose(1, 2).flatten(2)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = BertSelfAttention()
        self.dense = nn.Linear(WIDTH, HIDDEN)
        self.first_norm = nn.LayerNorm(HIDDEN)
        self.inner = nn.Linear(HIDDEN, INNER)
        self.gelu = nn.GELU()
        self.outer = nn.Linear(INNER, HIDDEN)
        self.last_norm = nn.LayerNorm(HIDDEN)

    def forward(self, hidden):
        return self.rest(self.attention(hidden), hidden)

    def rest(self, mixed, before):
        attended = self.first_norm(self.dense(mixed) + before)
        return self.last_norm(self.outer(self.gelu(self.inner(attended))) + attended)


class Part(nn.Module):
    """A layer that works out some tokens and reads all of them; its input is (tokens, some of them, hidden)."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, both):
        every, some = both[:, :, 0], both[:, 0]
        own = self.layer.attention
        query, key, value = heads_of(own.query(some)), heads_of(own.key(every)), heads_of(own.value(every))
        shares = (query @ key.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5).softmax(-1)
        return self.layer.rest((shares @ value).transpose(1, 2).flatten(2), some)


class Exit(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = nn.Linear(HIDDEN, HIDDEN) if POOLED else None
        self.score = nn.Linear(HIDDEN, OUTPUTS)

    def forward(self, hidden):
        if MEAN:
            hidden = hidden.mean(1)
        return self.score(hidden if self.pool is None else self.pool(hidden).tanh())


layers = [Layer() for _ in range(EXITS[-1])]
exits = {{number: Exit() for number in EXITS}}
module_list = {{"emb": Embeddings()}}
module_list.update({{f"layer_{{number}}": layer for number, layer in enumerate(layers, 1)}})
module_list.update({{f"exit_{{number}}": one for number, one in exits.items()}})
entire_model = nn.ModuleDict(module_list)
if TAGS:
    module_list = {{**module_list, **{{f"part_{{number}}": Part(layer) for number, layer in enumerate(layers, 1)}}}}
'''


def model_file(config: ExitConfig) -> str:
    """The text of model_to_eval.py."""
    sizes: dict[str, object] = {name.upper(): getattr(config, name) for name in _SIZES}
    sizes["MEAN"] = config.pool == "mean" and config.kind in ("label", "choice")
    sizes["TAGS"] = config.kind == "tags"
    return _TEXT.format(sizes="\n".join(f"{name} = {value!r}" for name, value in sizes.items()))

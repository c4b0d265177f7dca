"""A language model of chance weights in a GGUF file of a few kilobytes: what it says is nonsense, said by llama.cpp."""

from __future__ import annotations

from pathlib import Path

import numpy as np

_WIDTH, _HEADS, _LAYERS, _CONTEXT = 32, 4, 1, 4096


def byte_characters() -> list[str]:
    """The character that stands for each byte in a byte-level vocabulary, as GPT-2 has it."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in shown]
    table = {byte: chr(byte) for byte in shown} | {byte: chr(256 + at) for at, byte in enumerate(hidden)}
    return [table[byte] for byte in range(256)]


def save_tiny_gguf(path: Path, seed: int = 0) -> Path:
    """Write the model: one llama layer, one token a byte, and an end."""
    import gguf

    tokens = ["<|end|>", *byte_characters(), "ĠA"]
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_context_length(_CONTEXT)
    writer.add_embedding_length(_WIDTH)
    writer.add_block_count(_LAYERS)
    writer.add_feed_forward_length(2 * _WIDTH)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(_WIDTH // _HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    normal, control = gguf.TokenType.NORMAL, gguf.TokenType.CONTROL
    writer.add_token_types([control, *[normal] * (len(tokens) - 1)])
    writer.add_token_merges(["Ġ A"])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(0)
    writer.add_add_bos_token(False)
    chance = np.random.default_rng(seed)

    def add(name: str, *shape: int) -> None:
        writer.add_tensor(name, (chance.standard_normal(shape) * 0.5).astype(np.float32))

    add("token_embd.weight", len(tokens), _WIDTH)
    add("output.weight", len(tokens), _WIDTH)
    writer.add_tensor("output_norm.weight", np.ones(_WIDTH, np.float32))
    for layer in range(_LAYERS):
        for name in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{layer}.{name}.weight", np.ones(_WIDTH, np.float32))
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add(f"blk.{layer}.{name}.weight", _WIDTH, _WIDTH)
        for name in ("ffn_gate", "ffn_up"):
            add(f"blk.{layer}.{name}.weight", 2 * _WIDTH, _WIDTH)
        add(f"blk.{layer}.ffn_down.weight", _WIDTH, 2 * _WIDTH)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path

"""Trains a translator from random weights within a number of seconds; one model for all directions of its data.

    python -m tools.translator.train DATA OUT --seconds 240
    python -m tools.translator.train DATA OUT --steps 30 --width 64 --encoder 2 --decoder 1 --device cpu   (a trial)

DATA is what prepare.py wrote. OUT gets weights-*.safetensors, model.json and log.txt with BLEU and chrF of the held-out
sentences. With --made N, after a first part of the time the model translates N sentences of the data's own language,
and learns from these pairs too, the real sentence always being the target.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import sentencepiece
import torch
from tools.translator.layout import MADE, Batch, Direction, batches, language_token, pack, unpack
from tools.translator.model import as_tensors, loss_of, new_model, translate
from tools.translator.scores import bleu, chrf
from torch import Tensor

from readproof.training.weights import packed, write_pieces

BYTES = 15_400_000
Held = dict[str, list[list[str]]]


class Run:
    """One training: what is asked, how far it is, and the mean of the last weights."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.began = time.monotonic()
        given.out.mkdir(parents=True, exist_ok=True)
        self.log = (given.out / "log.txt").open("w", encoding="utf-8")
        self.pieces = sentencepiece.SentencePieceProcessor(str(given.data / "pieces.spm"))
        self.held: Held = json.loads((given.data / "held.json").read_text(encoding="utf-8"))
        self.device = torch.device(given.device or ("cuda" if torch.cuda.is_available() else "cpu"))
        torch.manual_seed(given.seed)
        torch.set_float32_matmul_precision("high")
        size = self.pieces.get_piece_size()
        shape = {name: getattr(given, name) for name in ("width", "encoder", "decoder", "heads", "dropout")}
        self.model = new_model(size, **shape).to(self.device)
        self.mean = new_model(size, **shape).to(self.device).eval()
        self.mean.load_state_dict(self.model.state_dict())
        self.best: tuple[float, dict[str, Tensor]] = (math.inf, {})
        self.step = 0
        count = sum(weight.numel() for weight in self.model.parameters())
        self.say(f"{self.device}, {count / 1e6:.1f} M weights, {given}")

    def say(self, line: str) -> None:
        line = f"[{time.monotonic() - self.began:6.1f}] {line}"
        print(line, flush=True)
        self.log.write(line + "\n")
        self.log.flush()

    def token(self, name: str) -> int:
        return int(self.pieces.piece_to_id(name))

    def progress(self) -> float:
        """From 0 to 1, by steps or by the time that is left after scoring."""
        if self.given.steps:
            return self.step / self.given.steps
        return (time.monotonic() - self.began) / (self.given.seconds - self.given.reserve)


def directions_of(run: Run, arrays: dict[str, np.ndarray], cut: int) -> list[Direction]:
    """Each two languages both ways, in one of the cuts into pieces; sides are cut apart from each other."""
    found = []
    cuts = run.given.cuts
    for both in run.held:
        for source, target in (both.split("-"), both.split("-")[::-1]):
            texts = unpack(arrays, f"{both}.{source}.{cut % cuts}"), unpack(arrays, f"{both}.{target}.{cut // cuts}")
            found.append(Direction(*texts, (run.token(language_token(target)),)))
    return found


def held_batches(run: Run) -> list[Batch]:
    """Every second held-out sentence: by their loss the weights are chosen, and the others give the scores."""
    found = []
    for both, pairs in run.held.items():
        for at, target in ((0, 1), (1, 0)):
            sides = [
                run.pieces.encode([pair[side] for pair in pairs[1::2][: run.given.score]]) for side in (at, target)
            ]
            texts = [unpack(pack("x", side), "x") for side in sides]
            found.append(Direction(texts[0], texts[1], (run.token(language_token(both.split("-")[target])),)))
    pad = run.model.config.pad_token_id
    return list(batches(found, run.given.tokens // 2, pad, np.random.default_rng(0)))


@torch.inference_mode()
def held_loss(run: Run, held: Sequence[Batch]) -> float:
    """The mean weights' loss of a held-out token; the best weights so far are kept."""
    total = count = 0.0
    for batch in held:
        tokens = int((batch.targets != -100).sum())
        with torch.autocast(run.device.type, torch.bfloat16, enabled=run.device.type == "cuda"):
            total += float(loss_of(run.mean, *as_tensors(batch, run.device), 0.0)) * tokens
        count += tokens
    if total / count < run.best[0]:
        run.best = (total / count, {name: value.clone() for name, value in run.mean.state_dict().items()})
    return total / count


def made_pairs(run: Run) -> list[Direction]:
    """The data's own sentences, translated into each other language by the mean weights so far, as pairs back."""
    with np.load(run.given.data / "text.npz") as arrays:
        name = next(key for key in arrays if key.endswith(".tokens")).removesuffix(".tokens")
        own = unpack(arrays, name)
    texts = [own[at] for at in range(min(run.given.made, len(own)))]
    found = []
    for other in sorted({language for both in run.held for language in both.split("-")} - {name}):
        results = translate(run.mean, texts, [run.token(language_token(other))], beam=1, tokens=run.given.tokens)
        kept = [at for at, result in enumerate(results) if 0.4 <= len(result) / len(texts[at]) <= 2.5]
        before = (run.token(language_token(name)), run.token(MADE))
        sides = [unpack(pack("x", [side[at] for at in kept]), "x") for side in (results, texts)]
        found.append(Direction(sides[0], sides[1], before))
        run.say(f"made {len(kept)} of {len(texts)} pairs {other}-{name}")
        for at in kept[:3]:
            run.say(f"  {run.pieces.decode(texts[at].tolist())}  ->  {run.pieces.decode(results[at])}")
    return found


def endless(run: Run) -> Iterator[Batch]:
    """Epoch after epoch, each with other cuts; made pairs join in when their time has come."""
    random = np.random.default_rng(run.given.seed)
    with np.load(run.given.data / "pairs.npz") as file:
        arrays = dict(file)
    run.given.cuts = sum(name.startswith("en-") and ".en." in name for name in arrays) // 2
    made: list[Direction] = []
    for epoch in range(10_000):
        # the best cuts stand for half of the epochs
        cut = 0 if epoch % 2 == 0 else int(random.integers(run.given.cuts**2))
        run.say(f"epoch {epoch}")
        for batch in batches(
            directions_of(run, arrays, cut) + made, run.given.tokens, run.model.config.pad_token_id, random
        ):
            if run.given.made and not made and run.progress() > run.given.first:
                made = made_pairs(run)
                break
            yield batch


def rate(run: Run) -> float:
    """A rise over the first steps, then a cosine down to a fiftieth."""
    given = run.given
    fall = 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, run.progress())))
    return float(given.lr * min(1.0, (run.step + 1) / given.warmup) * fall)


def fit(run: Run) -> None:
    given = run.given
    weights = [weight for weight in run.model.parameters() if weight.requires_grad]
    means = [weight for weight in run.mean.parameters() if weight.requires_grad]
    cuda = run.device.type == "cuda"
    optimizer = torch.optim.AdamW(weights, lr=given.lr, betas=(0.9, 0.98), weight_decay=0.01, fused=cuda)
    held = held_batches(run)
    looked = time.monotonic()
    tokens = 0
    run.model.train()
    for batch in endless(run):
        if run.progress() >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = rate(run)
        with torch.autocast(run.device.type, torch.bfloat16, enabled=cuda):
            loss = loss_of(run.model, *as_tensors(batch, run.device), given.smooth)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        run.step += 1
        tokens += int((batch.targets != -100).sum())
        with torch.no_grad():
            torch._foreach_lerp_(means, weights, 1 - min(given.mean, run.step / (run.step + 10)))
        if run.step % given.look == 0:
            spent, looked = time.monotonic() - looked, time.monotonic()
            value = held_loss(run, held)
            run.say(
                f"step {run.step} loss {loss.item():.3f} held-out {value:.3f} {tokens / spent:,.0f} tokens a second"
            )
            tokens = 0
    run.say(f"step {run.step}: held-out {held_loss(run, held):.3f}, best {run.best[0]:.3f}")
    run.mean.load_state_dict(run.best[1])


def score(run: Run) -> dict[str, dict[str, float]]:
    """BLEU and chrF of every direction by beam search, over the held-out sentences that chose nothing."""
    found: dict[str, dict[str, float]] = {}
    for both, pairs in run.held.items():
        chosen = pairs[0::2][: run.given.score]
        for at, target in ((0, 1), (1, 0)):
            source, goal = both.split("-")[at], both.split("-")[target]
            texts = [np.asarray(tokens) for tokens in run.pieces.encode([pair[at] for pair in chosen])]
            before = [run.token(language_token(goal))]
            results = translate(run.mean, texts, before, beam=4, tokens=run.given.tokens // 2)
            produced = [run.pieces.decode(result) for result in results]
            wanted = [pair[target] for pair in chosen]
            scores = {"bleu": round(bleu(produced, wanted, goal), 2), "chrf": round(chrf(produced, wanted), 2)}
            found[f"{source}-{goal}"] = scores
            run.say(f"{source}-{goal} over {len(chosen)}: {scores}")
            for pair, text in list(zip(chosen, produced, strict=True))[:4]:
                run.say(f"  {pair[at]}  ->  {text}")
    return found


def save(run: Run, scores: dict[str, dict[str, float]]) -> None:
    state = {name: value for name, value in run.mean.state_dict().items() if "embed_positions" not in name}
    once = {
        name: value
        for name, value in state.items()
        if not name.endswith(("coder.embed_tokens.weight", "lm_head.weight"))
    }
    for path in write_pieces(packed(once, rest=run.given.bits == 16), run.given.out, "weights", BYTES):
        run.say(f"{path.name}: {path.stat().st_size:,} B")
    about = {"config": run.mean.config.to_dict(), "languages": sorted(run.held), "scores": scores, "step": run.step}
    (run.given.out / "model.json").write_text(json.dumps(about, indent=1, default=str), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=240.0, help="of wall clock, scoring included")
    parser.add_argument("--reserve", type=float, default=30.0, help="seconds of these for scoring and saving")
    parser.add_argument("--steps", type=int, help="so many steps instead of a time")
    parser.add_argument("--width", type=int, default=384)
    parser.add_argument("--encoder", type=int, default=6)
    parser.add_argument("--decoder", type=int, default=3)
    parser.add_argument("--heads", type=int, default=6)
    parser.add_argument("--dropout", type=float, default=0.3)
    parser.add_argument("--smooth", type=float, default=0.1)
    parser.add_argument("--tokens", type=int, default=16_384, help="the most tokens of a batch, on its longer side")
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--warmup", type=int, default=400)
    parser.add_argument("--mean", type=float, default=0.998, help="how slowly the mean of the weights moves")
    parser.add_argument("--made", type=int, default=0, help="how many own sentences are translated for a second round")
    parser.add_argument("--first", type=float, default=0.45, help="the share of the time before that round")
    parser.add_argument("--look", type=int, default=200, help="steps between two looks at the held-out loss")
    parser.add_argument("--score", type=int, default=500, help="held-out sentences to score for each direction")
    parser.add_argument(
        "--bits", type=int, choices=(8, 16), default=16, help="a saved weight's; int8 models lose nothing by 8"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device")
    run = Run(parser.parse_args())
    fit(run)
    save(run, {})
    save(run, score(run))


if __name__ == "__main__":
    main()

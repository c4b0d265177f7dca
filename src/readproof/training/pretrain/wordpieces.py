"""A WordPiece vocabulary out of plain text: the pieces that are worth a row of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from tokenizers import Tokenizer, trainers
from tokenizers.models import WordPiece

from readproof.readers.vocabulary import SPECIAL, UNKNOWN, Vocabulary
from readproof.text import encodable, sanitised
from readproof.training.pretrain.recipe import Pieces

_BATCH = 2000
# signs and letters that any text may hold, whether or not this one does
_ALWAYS = [chr(code) for code in range(0x21, 0x7F) if not chr(code).isupper()]


def train_pieces(texts: Iterable[str], how: Pieces) -> Vocabulary:
    """The vocabulary of some texts, the special tokens first, then single characters."""
    letters = how.letter_table()
    bare = Tokenizer(WordPiece({UNKNOWN: 0}, unk_token=UNKNOWN))
    usual = Vocabulary(SPECIAL, {}, letters).tokenizer()
    bare.normalizer, bare.pre_tokenizer = usual.normalizer, usual.pre_tokenizer
    clean = [clean_text(text) for text in texts]
    alphabet = _alphabet(clean, usual, how.alphabet)
    trainer = trainers.WordPieceTrainer(
        vocab_size=how.size,
        min_frequency=how.least,
        limit_alphabet=len(alphabet),
        initial_alphabet=alphabet,
        # the trainer numbers characters as it meets them, in another order each time, and breaks ties by number
        special_tokens=[*SPECIAL, *alphabet, *(f"##{one}" for one in alphabet if one.isalnum())],
        show_progress=False,
    )
    bare.train_from_iterator(together(clean), trainer=trainer)
    place = bare.get_vocab()
    return Vocabulary(tuple(sorted(place, key=lambda token: place[token])), {}, letters)


def _alphabet(texts: list[str], tokenizer: Tokenizer, most: int) -> list[str]:
    """The most frequent characters of the texts as the tokenizer sees them, and those that always count."""
    raw: Counter[str] = Counter()
    for text in texts:
        raw.update(text)
    seen: Counter[str] = Counter()
    for character, times in raw.items():
        normalizer = tokenizer.normalizer
        for one in normalizer.normalize_str(character) if normalizer else character:
            if not one.isspace():
                seen[one] += times
    ranked = sorted(seen, key=lambda one: (-seen[one], one))[:most]
    return sorted({*ranked, *_ALWAYS})


def clean_text(text: str) -> str:
    """A text as readers see it."""
    return encodable(sanitised(text).clean)


def together(texts: Iterable[str], size: int = _BATCH) -> Iterator[list[str]]:
    """Texts a few thousand at a time, as the tokenizer likes them."""
    rest = iter(texts)
    while some := list(islice(rest, size)):
        yield some

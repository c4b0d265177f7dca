"""Tokens of an attacked passage find themselves in the original."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from readproof.attacks import make_attack
from readproof.attacks.base import Attack
from readproof.attacks.edits import inserted, variant
from readproof.items import Edit, SpanItem
from readproof.readers.vocabulary import SPECIAL, whole
from readproof.training.adversarial.aligned import aligned, old_characters
from readproof.training.measure import EvalSet
from readproof.training.sets import prepare
from tests.training.adversarial.conftest import tiny_vocabulary
from tests.training.made import made_items

TOKENIZER = tiny_vocabulary().tokenizer()


@given(st.text("abcdef", min_size=1, max_size=12), st.data())
def test_characters_follow_edits(text: str, draw: st.DataObject) -> None:
    start = draw.draw(st.integers(0, len(text)))
    end = draw.draw(st.integers(start, len(text)))
    new = draw.draw(st.text("XYZ", max_size=4))
    found = old_characters(len(text), [Edit(start, text[start:end], new, where="passage")])
    after = text[:start] + new + text[end:]
    assert len(found) == len(after)
    for place, old in enumerate(found.tolist()):
        if old >= 0 and not start <= old < end:
            assert after[place] == text[old]


def characters(prepared: EvalSet, window: int, place: int) -> str:
    """The raw characters of a token of a window."""
    passage = prepared.questions[0].passage
    token = place - int(prepared.windows.heads[window]) + int(prepared.windows.firsts[window])
    return passage.text.raw[slice(*passage.raw_span(token, token))]


def held_to(item: SpanItem, new: SpanItem, edits: tuple[Edit, ...], *, max_tokens: int = 512) -> None:
    """Each token that is said to be one of the original's is."""
    made = variant(item, list(edits), id="v", attack="made")
    assert made.item == SpanItem(**{**{k: getattr(new, k) for k in new.__slots__}, "id": "v"})
    clean, attacked = (prepare([one], TOKENIZER, max_tokens=max_tokens, overlap=12) for one in (item, new))
    found = aligned(clean, attacked, [made])
    for window in range(len(found.windows)):
        begin, end = found.windows.offsets[window], found.windows.offsets[window + 1]
        origins = found.origins[begin:end]
        if found.partners[window] < 0:
            assert (origins < 0).all()
            continue
        partner = int(found.partners[window])
        shared = origins >= 0
        for place in np.flatnonzero(shared)[1:].tolist():
            assert characters(attacked, window, place) == characters(clean, partner, int(origins[place]))
        assert origins[0] == 0 and (np.diff(origins[shared]) > 0).all()


def test_a_sentence_at_the_end_leaves_all_in_place() -> None:
    item = made_items(1)[0]
    edit = inserted(item, len(item.passage), "主教是什么时候。", why="")
    new = variant(item, [edit], id="n", attack="made").item
    assert isinstance(new, SpanItem)
    held_to(item, new, (edit,))
    clean, attacked = (prepare([one], TOKENIZER) for one in (item, new))
    found = aligned(clean, attacked, [variant(item, [edit], id="n", attack="made")])
    assert found.partners.tolist() == [0]
    tokens = int(clean.windows.lengths[0]) - int(clean.windows.heads[0]) - 1
    assert (found.origins >= 0).sum() == tokens + 1
    # the eight new tokens are nobody's
    head = int(found.windows.heads[0])
    assert (found.origins[head + tokens : head + tokens + 8] == -1).all()


@given(st.integers(0, 60), st.sampled_from(["主教", "1963年。", "x", "，"]), st.sampled_from([40, 60, 512]))
def test_a_piece_anywhere_and_windows_of_any_size(at: int, text: str, size: int) -> None:
    item = made_items(1)[1]
    gold = item.golds[0]
    assert gold.start is not None
    at = min(at, len(item.passage))
    if gold.start < at < gold.start + len(gold.text):
        at = gold.start
    edit = inserted(item, at, text, why="")
    new = variant(item, [edit], id="n", attack="made").item
    assert isinstance(new, SpanItem)
    # two digits beside each other become one word: its pieces may then be others
    if item.passage[max(0, at - 1) : at + 1].isascii() or text[:1].isdigit():
        return
    held_to(item, new, (edit,), max_tokens=size)


def test_real_attacks_are_held_to_their_originals() -> None:
    some = 0
    for name in ("addsent", "addonesent", "typo", "script"):
        attack = make_attack(name)
        assert isinstance(attack, Attack)
        for item in made_items(3):
            for one in attack.make(item, seed=5, count=2).variants:
                assert isinstance(one.item, SpanItem)
                clean, attacked = (prepare([part], TOKENIZER) for part in (item, one.item))
                found = aligned(clean, attacked, [one])
                some += int(found.partners[0] >= 0)
    assert some > 10


def test_an_answer_that_was_changed_is_held_to_nothing() -> None:
    item = made_items(1)[0]
    gold = item.golds[0]
    assert gold.start is not None
    edit = Edit(gold.start, gold.text[:1], "ab", "", "passage")
    one = variant(item, [edit], id="n", attack="made")
    assert isinstance(one.item, SpanItem)
    clean, attacked = (prepare([part], TOKENIZER) for part in (item, one.item))
    assert aligned(clean, attacked, [one]).partners.tolist() == [-1]


def test_a_character_that_is_read_as_several_is_held_to_nothing() -> None:
    """A ligature of Arabic script has many tokens and one place; a token has at most one original."""
    passage = "در سال ۱۹۶۳ صلى الله عليه وسلم ﷺ کتاب ﷼ بود"
    item = SpanItem(id="1", passage=passage, question="؟")
    edit = inserted(item, 0, "x ", why="")
    one = variant(item, [edit], id="n", attack="made")
    assert isinstance(one.item, SpanItem)
    letters = sorted({letter for text in (passage, "صلىوسلمريالالهعيه") for letter in text if not letter.isspace()})
    tokenizer = whole([*SPECIAL, "x", *letters, *(f"##{letter}" for letter in letters)]).tokenizer()
    clean, attacked = (prepare([part], tokenizer) for part in (item, one.item))
    origins = aligned(clean, attacked, [one]).origins
    shared = origins[origins >= 0]
    assert len(shared) > 20 and (np.diff(shared) > 0).all()

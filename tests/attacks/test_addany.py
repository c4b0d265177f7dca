"""AddAny finds words that a reader which only matches falls for, within its budget, the same each time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from readproof.attacks.addany import AddAny
from readproof.attacks.edits import golds_stand
from readproof.attacks.search import judge, plain_f1
from readproof.errors import InputError
from readproof.items import Gold, SpanItem
from tests.attacks.matching import MatchingReader, PlainReader

ITEM = SpanItem(
    id="q",
    passage="王小明于1990年出生在杭州市。他后来去了北京大学读书。毕业以后他在上海工作了十年。",
    question="王小明的生日在哪一年，当时家住哪一座城市？",
    golds=(Gold("王小明于1990年出生在杭州市", 0),),
)
PERSIAN = SpanItem(
    id="p",
    passage="علی در تهران به دنیا آمد. او در شیراز درس خواند.",
    question="علی در کدام شهر به دنیا آمد؟",
    golds=(Gold("علی در تهران به دنیا آمد", 0),),
    language="fa",
)


@pytest.mark.parametrize("method", ["genetic", "greedy"])
@pytest.mark.parametrize("item", [ITEM, PERSIAN], ids=["zh", "fa"])
def test_a_matching_reader_is_led_astray(method: str, item: SpanItem) -> None:
    found = next(AddAny(method=method, preset="strong").search([item], MatchingReader(), budget=400))
    new = found.made.variants[0].item
    assert isinstance(new, SpanItem)
    assert new.passage.startswith(item.passage)
    assert golds_stand(new)
    assert found.attacked < found.clean
    assert found.after is not None
    assert plain_f1(new, found.after.text) < 1.0


def test_the_budget_holds_and_is_counted() -> None:
    reader = MatchingReader()
    found = next(AddAny(preset="strong").search([ITEM], reader, budget=30))
    assert found.queries == reader.asked <= 30


def test_the_studys_values_are_the_defaults() -> None:
    reader = MatchingReader()
    item = replace(ITEM, passage=ITEM.passage + ITEM.question * 3 + "。", golds=(Gold(ITEM.question * 3, 39),))
    attack = AddAny()
    assert (attack.words, attack.preset) == (10, "study")
    list(attack.search([item], reader))
    assert reader.asked <= 1 + 6 * 10


def test_company_and_order_change_nothing() -> None:
    other = replace(ITEM, id="other", question="他在哪里工作了十年？")
    alone = [next(AddAny().search([item], MatchingReader(), seed=3)) for item in (ITEM, other)]
    assert list(AddAny(together=2).search([ITEM, other], MatchingReader(), seed=3)) == alone
    assert list(AddAny().search([other, ITEM], MatchingReader(), seed=3)) == alone[::-1]
    assert next(AddAny().search([ITEM], MatchingReader(), seed=4)) != alone[0]


def test_no_word_of_the_answer_is_used() -> None:
    item = replace(ITEM, golds=(Gold("王小明", 0),))
    for seed in range(5):
        found = next(AddAny().search([item], MatchingReader(), seed=seed))
        assert "王小明" not in found.made.variants[0].edits[0].new


def test_words_that_hold_the_answer_are_not_used() -> None:
    item = replace(ITEM, question="建筑物的建筑师是谁？", golds=(Gold("建筑", 0),), passage="建筑很高。" + ITEM.passage)
    for seed in range(10):
        assert "建筑" not in next(AddAny().search([item], MatchingReader(), seed=seed)).made.variants[0].edits[0].new


def test_bad_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="at least 2"):
        next(AddAny().search([ITEM], MatchingReader(), budget=1))
    with pytest.raises(InputError, match="words"):
        AddAny(words=0)


def test_common_words_alone() -> None:
    found = next(AddAny(question_words=False).search([ITEM], MatchingReader()))
    assert "1990" not in found.made.variants[0].edits[0].new


def test_a_reader_without_probabilities_is_judged_by_its_answers() -> None:
    judged = judge(PlainReader(), [ITEM])[0]
    assert judged.f1 == judged.expected == 1.0


def test_what_cannot_be_attacked_is_skipped_with_a_reason() -> None:
    items = [replace(ITEM, golds=()), replace(ITEM, passage=" "), replace(ITEM, language="de"), ITEM]
    found = list(AddAny().search(items, MatchingReader(), budget=10))
    assert [one.made.skipped for one in found] == ["no gold answer", "nothing to read", "no word list for de", ""]

"""Statements that only the passage can decide: the same two with two texts, and options with a text of another."""

from __future__ import annotations

from collections import defaultdict

from readproof.readers.evidence import pairs
from readproof.training.options.crossed import crossed, elsewhere, texts_of
from readproof.training.options.records import Group
from tests.training.options.made import choice_items

PASSAGE = (
    "19世纪中叶，欧洲的城市提供了所有的物资，工人因此增加了三倍。"
    "因为水位上升，所以两岸的居民都搬到了高处居住。"
    "1992年春天，学校在北京成立，第一批学生有三百人。"
)


def test_each_statement_is_true_of_one_text_alone() -> None:
    found = list(crossed([("p", PASSAGE)], "set"))
    assert found
    texts: defaultdict[tuple[str, ...], list[Group]] = defaultdict(list)
    for group in found:
        texts[group.statements].append(group)
    for statements, same in texts.items():
        one, other = same
        assert len(set(statements)) == 2 and one.passage != other.passage
        assert sorted(one.labels) == [0, 1] and other.labels == (one.labels[1], one.labels[0])
        # neither a statement nor a text gives the truth away
        assert [sum(labels) for labels in zip(one.labels, other.labels, strict=True)] == [1, 1]
        for group in same:
            assert group.place is not None
            start, end = group.place
            true = group.statements[group.labels.index(1)]
            spoken = pairs(group.passage[start:end])
            assert len(spoken & pairs(true)) > 0.5 * len(pairs(true))
    assert found == list(crossed([("p", PASSAGE)], "set"))


def test_no_option_is_true_of_another_text() -> None:
    items = choice_items(5)
    texts = texts_of(items)
    family = {text: text for text in texts}
    groups = [
        Group(id=item.id, passage=item.passage, statements=item.options, labels=(0,) * len(item.options))
        for item in items
    ]
    found = list(elsewhere(groups, texts, family, "set"))
    assert len(found) > len(groups) // 2
    own = {group.id: group for group in groups}
    for group in found:
        assert group.passage != own[group.id.removeprefix("elsewhere-")].passage
        assert not any(group.labels) and group.kind == "each"
    assert not list(elsewhere(groups, texts, dict.fromkeys(texts, "one family"), "set"))

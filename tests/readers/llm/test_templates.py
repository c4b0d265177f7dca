"""Prompts are data, ours and the user's."""

from __future__ import annotations

from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.items import ChoiceItem
from readproof.readers.llm.templates import filled, load_template

ITEM = ChoiceItem(id="1", passage="文{question}章{options}", question="问？", options=("甲", "乙"))


@pytest.mark.parametrize("name", ["independent", "reason", "few-shot", "winner", "span"])
def test_ours_have_both_languages(name: str) -> None:
    template = load_template(name)
    assert set(template.words) == {"zh", "en"}
    for words in template.words.values():
        asked = filled(words.user, ITEM)
        assert ITEM.passage in asked
        if template.kind == "options":
            assert "A. 甲\nB. 乙" in asked and "A/B" in asked
    assert template.language("fa") == "en"


def test_table_five_is_word_for_word() -> None:
    words = load_template("table5").words["zh"]
    item = ChoiceItem(id="1", passage="文章", question="问？", options=("甲", "乙", "丙", "丁"))
    asked = filled(words.user, item, option=words.option)
    assert asked == "段落：\n文章\n\n问题1：问？\n选项:\nA: 甲\nB: 乙\nC: 丙\nD: 丁\n答："
    assert not words.system
    assert filled(words.third, item, option=words.option).startswith("问题3：问？\n选项:\nA: 甲")


def test_braces_of_the_passage_are_left_alone() -> None:
    assert filled("{passage}|{question}|{letters}", ITEM) == "文{question}章{options}|问？|A/B"


def test_a_lone_surrogate_can_be_sent() -> None:
    item = ChoiceItem(id="1", passage="\ud800", question="？", options=("甲",))
    assert filled("{passage}", item) == "\ufffd"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("user = ", "no TOML"),
        ("kind = 'both'", "options or spans"),
        ("max_tokens = 0", "whole number"),
        ("kind = 'options'", "no words"),
        ("[zh]\nuser = '{passage}'", "no {question}"),
        ("[zh]\nuser = '{passage}{question}'\nusr = 'x'", "usr"),
        ("joint = true\n[zh]\nuser = '{passage}{question}'", "second"),
    ],
)
def test_a_broken_prompt_is_told(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        load_template(str(path))

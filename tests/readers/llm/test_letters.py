"""The table of what models say and which letter that is; `-` where none may be guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.items import LETTERS
from readproof.readers.llm.replies import letter_of

OPTIONS = ("北京大学", "清华大学", "复旦大学", "浙江大学")

CHINESE = {
    "答案：B": "B",
    "答案:D.浙江大学": "D",
    "答案是B": "B",
    "答案是b。": "B",
    "答案为 C": "C",
    "答案：Ａ": "A",
    "答案：（Ｄ）": "D",
    "答案（B）": "B",
    "答案：【B】": "B",
    "**答案：** **C**": "C",
    "答案：\nB": "B",
    "### 答案\n\nC": "C",
    "答案（A/B/C/D）：B": "B",
    "答案（A/B/C/D）：": "-",
    "因此本题的答案为 D 选项": "D",
    "正确答案应该是选项C。": "C",
    "答案選C": "C",
    "选B": "B",
    "故选C。": "C",
    "故選D": "D",
    "所以，本题应选 A。": "A",
    "本题选择A选项。": "A",
    "我不会选A，我会选C。": "C",
    "若选B，则与文意不符，故选D": "D",
    "答案：C。本题容易错选B，不少同学选B。": "C",
    "正确的是B。": "B",
    "符合文意的是……不正确的是B": "B",
    "A、B、C三项都符合原文，D项符合题意。": "D",
    "C是正确答案": "C",
    "A项错误，B项正确……综上，答案是C。": "C",
    "初看答案是A。再看第三段，答案应为B。": "B",
    "答案是A，不是B": "A",
    "B": "B",
    "Ｂ": "B",
    "B。": "B",
    "B选项": "B",
    "选项D": "D",
    "B. 清华大学": "B",
    "B、清华大学": "B",
    "C．复旦大学，因为第二段说……": "C",
    "B\n\n因为文章说……": "B",
    "A项与第一段不符。\nC": "C",
    "清华大学": "B",
    "“清华大学”。": "B",
    "答案是“清华大学”。": "B",
    "<think>也许选A</think>B": "B",
    # nothing that may be guessed
    "": "-",
    "答案": "-",
    "答案：": "-",
    "答案：E": "-",
    "答案：AB": "-",
    "答案：A、B": "-",
    "答案是A和C": "-",
    "答案不是B": "-",
    "答案是B超检查": "-",
    "选项B不正确": "-",
    "不选B": "-",
    "不应选B": "-",
    "选择A还是B呢？": "-",
    "A项错误，C项错误": "-",
    "A. 北京大学\nB. 清华大学\nC. 复旦大学\nD. 浙江大学": "-",
    "下列说法正确的是\nA. 北京大学\nB. 清华大学": "-",
    "文章没有说。": "-",
    "北京大学和清华大学": "-",
    "维生素C": "-",
}

ENGLISH = {
    "The answer is B": "B",
    "The answer is B.": "B",
    "Because the author says so, the answer is (b).": "B",
    "The correct answer is: C) 复旦大学": "C",
    "Therefore, the correct option is: C": "C",
    "Answer: D": "D",
    "ANSWER: D": "D",
    "Answer:\n\nA": "A",
    "Answer: A because the first paragraph says so": "A",
    "Final Answer: (D)": "D",
    "Answer (A/B/C/D): C": "C",
    "The best choice would be A": "A",
    "The best choice is A.": "A",
    "The answer is B, not C. A is wrong.": "B",
    "Option B is the correct answer": "B",
    "I choose D.": "D",
    "I'd go with option C": "C",
    "D is the correct answer.": "D",
    "(A)": "A",
    "[B]": "B",
    "**D**": "D",
    "`C`": "C",
    "c)": "C",
    "b": "B",
    "A.": "A",
    "Option C": "C",
    r"\boxed{C}": "C",
    r"$\boxed{\text{C}}$": "C",
    r"We see that \boxed{A} holds": "A",
    "(B) 清华大学": "B",
    "The answer is A. Wait, paragraph two says otherwise, so the answer is D.": "D",
    "Let's think step by step. The answer is B.": "B",
    "<|im_start|>B<|im_end|>": "B",
    "the answer is 清华大学": "B",
    # nothing that may be guessed
    "Let's think step by step.": "-",
    "Answer": "-",
    "Answer:": "-",
    "As the passage shows, it is so.": "-",
    "A man went home.": "-",
    "Answer: A man who went home": "-",
    "the answer is a city": "-",
    "The answer is not B.": "-",
    "A and B are both right": "-",
    "The answer is A or B": "-",
    "Based on the passage, B.": "-",
    "I": "-",
    "I think it's C": "-",
    "Answer: F": "-",
    "Beijing": "-",
    "D'accord": "-",
}


@pytest.mark.parametrize(("reply", "letter"), [*CHINESE.items(), *ENGLISH.items(), ("پاسخ: گزینه B", "B")])
def test_the_table(reply: str, letter: str) -> None:
    from readproof.readers.llm.replies import text_of

    said = text_of({"choices": [{"message": {"content": reply}}]})
    found = letter_of(said, OPTIONS)
    assert ("-" if found is None else LETTERS[found]) == letter


def test_an_option_that_is_the_beginning_of_another() -> None:
    options = ("北京", "北京大学", "大学")
    assert letter_of("答案是北京大学", options) == 1
    assert letter_of("答案是北京。", options) == 0


def test_more_options_than_four() -> None:
    assert letter_of("答案：F", tuple("一二三四五六")) == 5
    assert letter_of("I think so", tuple("一二三四五六七八九")) is None


@given(st.text(max_size=200))
def test_any_text_gives_an_option_or_none(text: str) -> None:
    found = letter_of(text, OPTIONS)
    assert found is None or 0 <= found < len(OPTIONS)


@given(st.sampled_from("ABCD"), st.text(alphabet="原文第三段说的与本项不符，。\n", max_size=80))
def test_reasons_before_the_final_statement_do_not_matter(letter: str, reasons: str) -> None:
    assert letter_of(f"A项、B项……{reasons}\n答案：{letter}", OPTIONS) == "ABCD".index(letter)

"""A few made questions with options, and a tiny plan for them."""

from __future__ import annotations

from readproof.items import ChoiceItem
from tests.training.made import PASSAGE

_TRUE = ("范廷颂是越南枢机", "圣名是保禄若瑟", "1994年被擢升为总主教")
_FALSE = ("范廷颂是罗马主教", "圣名不是保禄若瑟", "1990年被擢升为总主教")

TINY = """
name = "tiny"
measured = ["last", "gone"]
[manner]
segment = 24
overlap = 6
fine = 20
statement = 16
max_tokens = 48
[held]
held = 1.0
[teachers]
seeds = [3, 5]
[[teachers.stages]]
sets = ["a", "missing"]
fit = { epochs = 2, lr = 1e-3, batch = 600 }
choose = "end"
[[teachers.stages]]
sets = ["b"]
fit = { epochs = 2, lr = 1e-3, batch = 600, ema = 0.9 }
coarse = 0.5
choose = "folds"
folds = 2
[student]
layers = [1, 3]
guide = 1
[[student.steps]]
sets = ["a", "b/2"]
fit = { epochs = 2, lr = 1e-3, batch = 600 }
hidden = 1.0
[[student.steps]]
sets = ["b"]
fit = { epochs = 1, lr = 1e-3, batch = 600 }
weights = { said = 0.5 }
choose = "end"
"""


def choice_items(passages: int) -> list[ChoiceItem]:
    """Of each passage a question for what is true and one for what is not."""
    out = []
    for number in range(passages):
        # no two passages are copies of one text: the years in between make each its own
        passage = "".join(f"{piece}{number}{number * 7}。" for piece in PASSAGE.rstrip("。").split("。"))
        passage = passage + "".join(f"19{(number * 13 + at * 7) % 90 + 10}年为{number + at}人。" for at in range(9))
        options = [(*_FALSE[:2], _TRUE[number % 3]), (*_TRUE[:2], _FALSE[number % 3])]
        for place, (stem, these) in enumerate(zip(("正确的一项是", "不正确的一项是"), options, strict=True)):
            turned = number % 3
            # the answer stands in another place each time
            order = [*these[turned:], *these[:turned]]
            identity, question = f"{number}-{place}", f"下列对原文的理解，{stem}"
            answer = order.index(these[2])
            item = ChoiceItem(
                id=identity, passage=passage, question=question, options=tuple(order), answer=answer, truths=()
            )
            out.append(item)
    return out

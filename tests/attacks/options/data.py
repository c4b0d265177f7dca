"""Options with known truths, for the tests of the strategies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from readproof.items import ChoiceItem
from readproof.tasks import vgaokao
from tests.shared_data import SHARED

PASSAGE = (
    "孔子认为，礼是社会秩序的基础。只有把礼置于整个传统之中，才能理解它。19世纪中叶，许多学者开始研究礼学。"
    "由于战乱频繁，大量典籍散失，人们因此格外重视抄本。唐代的抄本多数保存在南方。孟子指出，民为贵。"
)
ITEM = ChoiceItem(
    id="made-1",
    passage=PASSAGE,
    question="下列关于原文内容的表述，不正确的一项是",
    options=(
        "孔子认为礼是社会秩序的基础，许多学者后来开始研究礼学。",
        "因为战乱频繁，所以大量典籍散失。",
        "唐代的抄本多数保存在南方，人们非常重视抄本。",
        "只要把礼置于整个传统之中，就能理解它。",
    ),
    answer=3,
    truths=(True, True, True, False),
)


@lru_cache(maxsize=1)
def real_items() -> tuple[ChoiceItem, ...]:
    """The first questions of VGaokao."""
    return tuple(islice(vgaokao.load(SHARED / "data" / "vgaokao" / "clean.json.xz"), 120))


def real_options() -> Iterator[tuple[str, str, bool]]:
    """Option, passage and truth."""
    for item in real_items():
        for option, truth in zip(item.options, item.truths, strict=True):
            yield option, item.passage, truth

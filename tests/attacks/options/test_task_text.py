"""The eight variants that the task's own text gives: four strategies, each with a positive and a negative option."""

from __future__ import annotations

from random import Random

import pytest

from readproof.attacks.options.rewriting import rewrites, strategy_of

WETLAND = (
    "湿地与森林、海洋并称为全球三大生态系统。自然资源丰富的湿地，是人类的“衣食父母”，为人类生存发展提供了部分物资，如食物、饮水、能源等。"
    "湿地还能调节气候，被称为“地球之肾”。"
)
NATIONAL = (
    "19世纪中叶中国文化在与西方文化的抗争中处于弱势地位，许多读书人转而学习西学。20世纪初，人们才提出“保存国学”“振兴国学”的口号。"
    "“国学”一词由此出现，并很快流行起来。"
)
PRINCIPLES = (
    "中国选择和平共处五项原则，是出于自身的历史经验。中国还积极在务实的基础上让外界消除误解，同周边各国建立了互信。"
    "五项原则后来成为国际关系的基本准则。"
)
SMELL = (
    "气味分子进入鼻腔后，与嗅觉受体结合。嗅觉受体属于G蛋白偶联受体，气味分子在它的作用下从化学信号转变成为电信号，再传到大脑。"
    "人的嗅觉受体约有四百种。"
)
TEXTS = [
    (
        "keyword",
        WETLAND,
        "自然资源丰富的湿地，是人类的“衣食父母”，为人类生存发展提供了所有物资，如食物、饮水、能源等。",
        False,
        "自然资源丰富的湿地，是人类的“衣食父母”，为人类生存发展提供了全部物资，如食物、饮水、能源等。",
        "自然资源丰富的湿地，是人类的“衣食父母”，为人类生存发展提供了部分物资，如食物、饮水、能源等。",
    ),
    (
        "spacetime",
        NATIONAL,
        "由于19世纪中叶中国文化在与西方文化的抗争中处于弱势地位，人们才提出“保存国学”“振兴国学”的口号，“国学”一词由此出现。",
        False,
        "20世纪中叶中国文化在与西方文化的抗争中处于弱势地位，人们才提出“保存国学”“振兴国学”的口号。",
        "19世纪中叶中国文化在与西方文化的抗争中处于弱势地位，20世纪初，人们才提出“保存国学”“振兴国学”的口号。",
    ),
    (
        "cause",
        PRINCIPLES,
        "中国之所以选择和平共处五项原则，是为了在务实的基础上让外界消除误解。",
        False,
        "因为中国选择了和平共处五项原则，所以在务实的基础上让外界消除误解。",
        "中国选择和平共处五项原则，并积极在务实的基础上让外界消除误解。",
    ),
    (
        "logic",
        SMELL,
        "气味分子在属于G蛋白的嗅觉受体的作用下从化学信号转变成为电信号。",
        True,
        "与属于G蛋白的嗅觉受体结合后，在它的作用下，气味分子从化学信号转变成为电信号。",
        "气味分子与嗅觉受体结合后，气味分子便自行从化学信号转变成为电信号。",
    ),
]


@pytest.mark.parametrize(
    ("strategy", "passage", "option", "truth", "kept", "flipped"), TEXTS, ids=[one[0] for one in TEXTS]
)
@pytest.mark.parametrize("wanted", ["kept", "flipped"])
def test_the_variants_of_the_task_text(
    strategy: str, passage: str, option: str, truth: bool, kept: str, flipped: str, wanted: str
) -> None:
    text = kept if wanted == "kept" else flipped
    found = {
        one.of(option): one.strategy
        for seed in range(400)
        for one in rewrites(option, passage, truth, wanted, Random(seed))  # type: ignore[arg-type]
    }
    assert text in found
    assert all(new != option for new in found)


def test_the_strategy_that_fits_each_option() -> None:
    assert strategy_of(TEXTS[0][2], WETLAND) == "keyword"
    assert strategy_of(TEXTS[2][2], PRINCIPLES) == "cause"

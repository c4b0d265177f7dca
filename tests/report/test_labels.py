"""Labels: in both languages, with the same places to fill."""

from __future__ import annotations

import re

from readproof.attacks.known import ATTACKS
from readproof.prove.probes import PROBES
from readproof.prove.run import Run
from readproof.report.labels import label, labels
from readproof.report.verdicts import checked, headline


def test_both_languages_say_the_same() -> None:
    for key, one in labels().items():
        assert one.en.strip() and one.zh.strip(), key
        assert set(re.findall(r"\{(\w+)\}", one.en)) == set(re.findall(r"\{(\w+)\}", one.zh)), key


def test_everything_of_ours_has_a_label() -> None:
    for name in ATTACKS.names():
        does = ATTACKS.get(name).about.does
        assert label(f"attack.{ATTACKS.get(name).about.name}").en == does
    for name in PROBES:
        assert label(f"probe.{name}") and label(f"without.{name}") and label(f"check.{name}")


def test_the_verdict_in_chinese(sample: Run) -> None:
    said = headline(sample.scores.verdict)
    assert said.en == sample.scores.verdict.headline
    assert said.zh.startswith("抽取题：在读，但会败给 ")
    for name in sample.scores.verdict.parts[0].falls_for:
        assert name in said.zh
    whys = [one.why.zh for one in checked(sample.scores.verdict)]
    assert "去掉篇章后分数掉了 100 %；真在读的至少要掉 50 %" in whys
    assert any(why.startswith("addonesent.f1：") and why.endswith("限值 60") for why in whys)

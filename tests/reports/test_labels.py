"""Labels: in both languages, with the same places to fill."""

from __future__ import annotations

import re

from readproof.attacks.known import ATTACKS
from readproof.proof.probes import NAMES
from readproof.proof.run import RunResults
from readproof.readers import baselines
from readproof.reports.labels import label, labels
from readproof.reports.verdicts import check_texts, headline


def test_both_languages_say_the_same() -> None:
    for key, one in labels().items():
        assert one.en.strip() and one.zh.strip(), key
        assert set(re.findall(r"\{(\w+)\}", one.en)) == set(re.findall(r"\{(\w+)\}", one.zh)), key


def test_everything_of_ours_has_a_label() -> None:
    for name in ATTACKS.names():
        does = ATTACKS.get(name).about.does
        assert label(f"attack.{ATTACKS.get(name).about.name}").en == does
    for name in NAMES:
        assert label(f"probe.{name}")
    for name in (*baselines.for_spans(), "longest"):
        assert label(f"baseline.{name}")


def test_the_verdict_in_chinese(sample: RunResults) -> None:
    said = headline(sample.scores.verdict)
    assert said.en == sample.scores.verdict.headline
    assert said.zh.startswith("抽取题：确实在阅读，但经受不住 ")
    for name in sample.scores.verdict.parts[0].falls_for:
        assert name in said.zh
    whys = [one.why.zh for one in check_texts(sample.scores.verdict)]
    assert "篇章里的答案换成同类的另一个后，给出新的答案：占 100 %，至少应占 50 %" in whys
    assert any(why.startswith("addonesent.f1：") and why.endswith("阈值 60") for why in whys)

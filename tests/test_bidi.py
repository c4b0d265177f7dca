"""What a screen shows in another order than it is stored in comes back in the order in which it is read."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, settings

from readproof.attacks import make_attack
from readproof.bidi import in_reading_order
from readproof.items import SpanItem
from readproof.tasks import load
from readproof.text import applied, sanitised
from tests.shared_data import SHARED, needs_shared
from tests.strategies import check_map, texts

LRI, RLI, FSI, PDI = "\u2066", "\u2067", "\u2068", "\u2069"
RLE, LRE, RLO, PDF = "\u202b", "\u202a", "\u202e", "\u202c"


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        (f"北{LRI}{RLO}学大{PDF}{PDI}生", "北大学生"),
        (f"h{LRI}{RLO}le{PDF}{PDI}lo", "hello"),
        (f"{RLO}dlrow olleh", "hello world"),
        (f"در {LRI}{RLI}تهران{PDI} {RLI}شهر{PDI}{PDI} بود", "در شهر تهران بود"),
        # marks round a foreign name, as editors put them, change nothing
        (f"شرکت {LRE}Open AI{PDF} است", "شرکت Open AI است"),
        (f"{RLE}سلام دنیا{PDF}", "سلام دنیا"),
        (f"a{PDF}b{PDI}", f"a{PDF}b{PDI}"),
        ("plain", "plain"),
        # a group whose letters are of its own direction is in order, whatever else stands in it
        (f"The title {RLI}مقدمة في C++ و Java (1){PDI} is long.", "The title مقدمة في C++ و Java (1) is long."),
        (f"הכותרת {LRE}Introduction to עברית!{PDF} טובה", "הכותרת Introduction to עברית! טובה"),
        (f"{FSI}אבא 12{PDI} sent 3 messages to {FSI}Bob{PDI}.", "אבא 12 sent 3 messages to Bob."),
        (f"טלפון {LRI}+972-3-1234567{PDI} בבית", "טלפון +972-3-1234567 בבית"),
        (f"The title {RLI}مقدمة {RLO}abc{PDF} في{PDI}.", "The title مقدمة cba في."),
        (f"The title {RLI}مقدمة {LRI}h{RLO}le{PDF}lo{PDI} في{PDI}.", "The title مقدمة hello في."),
    ],
)
def test_the_order_of_the_screen(raw: str, read: str) -> None:
    text = in_reading_order(raw)
    check_map(text)
    assert sanitised(text.clean).clean == sanitised(read).clean


def test_open_controls_by_the_thousand_take_no_time() -> None:
    for raw in (LRE * 40_000 + PDI * 40_000, f"{LRI}a" * 40_000):
        began = process_time()
        in_reading_order(raw)
        assert process_time() - began < 5


def test_only_what_changed_its_place_loses_its_own_offset() -> None:
    text = in_reading_order(f"ab{LRI}{RLO}dc{PDF}{PDI}ef")
    assert text.clean == "abcdef"
    assert text.to_raw(0, 2) == (0, 2)
    assert text.to_raw(2, 3) == (4, 6)
    assert text.to_raw(4, 6) == (8, 10)


@settings(deadline=None, max_examples=300)
@given(raw=texts(20))
def test_no_letter_is_lost_or_made(raw: str) -> None:
    text = in_reading_order(raw)
    check_map(text)
    assert applied(raw, text.edits).clean == text.clean
    assert sorted(sanitised(text.clean).clean.replace(" ", "")) == sorted(sanitised(raw).clean.replace(" ", ""))


@needs_shared
@pytest.mark.parametrize("name", ["cmrc2018/train.json.xz", "drcd/DRCD_dev.json.xz", "pquad/Validation.json.xz"])
def test_the_reorder_attack_is_undone(name: str) -> None:
    attack = make_attack("reorder")
    seen = 0
    for item in list(load(SHARED / "data" / name))[:1500:30]:
        assert isinstance(item, SpanItem)
        for variant in attack.make(item, seed=0, count=1).variants:  # type: ignore[call-arg]
            assert isinstance(variant.item, SpanItem)
            seen += 1
            back = in_reading_order(variant.item.passage).then(sanitised)
            assert back.clean == sanitised(item.passage).clean, item.id
    assert seen > 40

from __future__ import annotations

from pathlib import Path

import pytest

from readproof.readers.vocabulary import SPECIAL, read, whole
from readproof.training.start import count, cut, source_rows

TOKENS = [
    *SPECIAL,
    "[unused1]",
    *"欧歐洲龙丶",
    *(f"##{one}" for one in "欧歐洲"),
    *"ab1Ａ★",
    "##a",
    "##b",
    "##1",
    "ab",
    "##ab",
    "abba",
]
SIMPLE = {"歐": "欧", "龍": "龙"}


def simplify(character: str) -> str:
    return SIMPLE.get(character, character)


def test_what_is_kept_what_borrows_and_what_goes(tmp_path: Path) -> None:
    small = cut(TOKENS, {"ab": 3.0, "abba": 1.0}, 5 + 4 + 3 + 3 + 1 + 1 + 8, simplify)
    assert {"欧", "洲", "龙", "丶", "a", "##b", "1", "ab", "“"} <= set(small.rows)
    assert not {"[unused1]", "##欧", "歐", "abba", "★"} & set(small.rows)
    ids = small.ids()
    assert ids["歐"] == ids["欧"]
    assert ids["龍"] == ids["龙"]  # the full vocabulary could not read it
    read_as = small.tokenizer().encode("歐洲ABBA").ids
    assert read_as == [ids[one] for one in ("欧", "洲", "ab", "##b", "##a")]
    small.save(tmp_path)
    assert read(tmp_path) == small


def test_new_rows_begin_as_unknown() -> None:
    small = cut(TOKENS, {}, 30, simplify)
    rows = source_rows(small, TOKENS)
    assert rows[small.rows.index("“")] == TOKENS.index("[UNK]")
    assert rows[small.rows.index("洲")] == TOKENS.index("洲")


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="must stay"):
        cut(TOKENS, {}, 12, simplify)


def test_counting() -> None:
    counts = count(["欧洲欧洲", "ab"], whole(TOKENS).tokenizer())
    assert counts["欧"] == 2
    assert counts["ab"] == 1

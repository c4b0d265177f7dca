"""Texts that hit what breaks offset maps (invisible characters, clusters, odd spaces), and what every map must hold."""

from __future__ import annotations

from hypothesis import strategies as st

from readproof.text import Text

VISIBLE = (
    "中国的後乾著里"  # Han, with characters whose script conversion hangs on the phrase
    "aZé9 .,;\t\n"
    "سلامیکپگچ۱۲؟"  # Persian
    "กำ가ㄱㅏᄀ"  # Thai, Hangul syllable, compatibility jamo, conjoining jamo
    "かガｶﾊ①㍿㈠ﬁ½…¨ͺ"  # kana, and compatibility characters, two of which begin with a space when taken apart
    "ＡｂＺ９！～￥￠"  # full-width forms
    "\ufc5e\ufdfa\ufe70\ufef5\ufe8d"  # Arabic ligatures and presentation forms; two begin with a space
    "😀❤👩🏽🇮"
    "\u0600\u06dd\u070f"  # visible signs of category Cf
    "\ud800"
)
MARKS = "\u0300\u0301\u0323\u0327\u0651\u0654\u064b\u3099\u309a\u0e33\u11a8\u1161\u1175\uff9e\uff9f\u09be\u0f71"
INVISIBLE = (
    "\u200c\u200c\u200d\u200b\u200e\u200f\u202a\u202b\u202c\u202e\u2066\u2067\u2069\u061c\ufeff\u2060\u00ad\u034f"
    "\ufe0f\ufe0e\u180e\u115f\u1160\u3164\uffa0\x00\x08\x1f\x7f\x9f\U000e0001\U000e0041\U000e0100\U00013430"
)
SPACES = "\u00a0\u3000\u2003\u202f\u1680\u2800"
LINE_ENDS = ("\r\n", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", "\n")

pieces = st.one_of(
    st.sampled_from(VISIBLE),
    st.sampled_from(VISIBLE),
    st.sampled_from(MARKS),
    st.sampled_from(INVISIBLE),
    st.sampled_from(SPACES),
    st.sampled_from(LINE_ENDS),
    st.characters(),
)


def texts(max_size: int = 14) -> st.SearchStrategy[str]:
    """Any text, mostly of awkward characters."""
    return st.lists(pieces, max_size=max_size).map("".join)


def spans(length: int) -> st.SearchStrategy[tuple[int, int]]:
    """A span of a text of that length, possibly empty."""
    return st.tuples(st.integers(0, length), st.integers(0, length)).map(lambda pair: (min(pair), max(pair)))


def check_map(text: Text) -> None:
    """Starts and ends rise, stay inside the raw text, and there is one of each for every clean character."""
    if text.starts is None or text.ends is None:
        assert text.starts is text.ends is None
        assert text.clean == text.raw
        return
    assert len(text.starts) == len(text.ends) == len(text.clean)
    assert list(text.starts) == sorted(text.starts)
    assert list(text.ends) == sorted(text.ends)
    assert all(0 <= start <= end <= len(text.raw) for start, end in zip(text.starts, text.ends, strict=True))

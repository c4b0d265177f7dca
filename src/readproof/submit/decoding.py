"""Bytes of a prediction file as text: strictly UTF-8 without a byte-order mark, with a guess at what else it may be."""

from __future__ import annotations

import codecs

from readproof.submit.problems import Refused

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decoded(data: bytes, code: str) -> str:
    """The text; refused with the line where it stops being UTF-8, and perhaps with the encoding it is in."""
    if data.startswith(_UTF16) or b"\0" in data[:200]:
        raise Refused(code, "line 1", hint="UTF-16 / NUL")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Refused(code, f"line {line}", hint=_guess(data, error.start)) from None


def _guess(data: bytes, at: int) -> str:
    bad = data[at : at + 4].hex(" ")
    for name in ("gb18030", "big5"):
        try:
            codecs.getincrementaldecoder(name)().decode(data[at : at + 4096])
        except UnicodeDecodeError:
            continue
        return f"{bad}; {name.upper()}?"
    return bad

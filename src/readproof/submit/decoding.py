"""Bytes of a prediction file as text: strictly UTF-8 without a byte-order mark, with a guess at what else it may be."""

from __future__ import annotations

import codecs

from readproof.files import is_cut
from readproof.report.labels import Label
from readproof.submit.problems import Refused, word

# archives under the name of a text, by their first bytes
_PACKED = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\0": "xz", b"PK\x03\x04": "zip"}
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decoded(data: bytes, code: str) -> str:
    """The text; refused with the line where it stops being UTF-8, and perhaps with the encoding it is in."""
    for start, name in _PACKED.items():
        if data.startswith(start):
            raise Refused(code, "line 1", hint=name)
    if data.startswith(_UTF16) or b"\0" in data[:200]:
        raise Refused(code, "line 1", hint="UTF-16 / NUL")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Refused(code, f"line {line}", hint=_guess(data, error)) from None


def _guess(data: bytes, error: UnicodeDecodeError) -> str | Label:
    at = error.start
    bad = data[at : at + 4].hex(" ")
    if is_cut(error):
        return word("cut-short", bytes=bad)
    for name in ("gb18030", "big5"):
        try:
            codecs.getincrementaldecoder(name)().decode(data[at : at + 4096])
        except UnicodeDecodeError:
            continue
        return f"{bad}; {name.upper()}?"
    return bad

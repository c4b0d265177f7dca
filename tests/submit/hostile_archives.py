"""Zips that try to do harm, or are broken as zips."""
# ruff: noqa: E501 - a case a line is easier to read

from __future__ import annotations

import gzip
import struct
from collections.abc import Iterator

from tests.submit.cases import PACKAGE, Case
from tests.submit.parts import MODEL, document, package, predictions, safetensors, submission, zipped
from tests.submit.rawzip import DEFLATED, STORED, Member, raw_zip, zeros

JSON, DOCX, ZIP = f"{PACKAGE}/GCRC_advRobust.json", f"{PACKAGE}/GCRC_advRobust.docx", f"{PACKAGE}/model.zip"
MEGA = 1 << 20

_TRICKS = {
    "up": "../evil.txt", "up inside": "model/../../evil.txt", "root": "/etc/passwd", "drive": "C:/evil.txt",
    "backslash": "model\\evil.txt", "UNC": "\\\\host\\share\\x", "double slash": "model//x", "dot": "./x.txt",
    "stream": "x.txt:hidden", "NUL": "x.txt\0.json", "line feed": "x\ny.txt", "escape": "x\x1b[2Jy.txt",
    "turned": "x\u202etxt.exe", "invisible": "x\u200b.txt", "blank at the end": "x.txt ", "dot at the end": "x.txt.",
    "blank before": " x.txt", "long": "x" * 300, "deep": "/".join("x" * 30), "star": "x*.txt",
}  # fmt: skip
_KINDS = {"link": 0o120777, "device": 0o020666, "disk": 0o060666, "pipe": 0o010666, "socket": 0o140666}
_METHODS = {"deflate64": 9, "bzip2": 12, "lzma": 14, "zstd": 93, "ppmd": 98, "unheard of": 77}


def cases() -> Iterator[Case]:
    yield from _no_zips()
    yield from _names()
    yield from _members()
    yield from _bombs()
    yield from _damaged()
    yield from _nested()


def _no_zips() -> Iterator[Case]:
    whole = package()
    for name, data in {
        "noise": bytes(range(256)) * 40, "empty": b"", "half": whole[: len(whole) // 2], "rar": b"Rar!\x1a\x07" + bytes(200),
        "gzip": gzip.compress(whole), "only a local header": b"PK\x03\x04" + bytes(60), "text": "结果".encode() * 100,
        "end cut": whole[:-5],
    }.items():  # fmt: skip
        yield Case(name=f"no zip: {name}", make=lambda data=data: data, code="A101", file=PACKAGE)
    yield Case(name="zip64 without its record", make=lambda: _zip64(count=1, broken=True), code="A101", file=PACKAGE)
    yield Case(name="zip64 with a billion members", make=lambda: _zip64(count=10**9), code="A102", file=PACKAGE)
    yield Case(name="nothing in it", make=lambda: raw_zip([]), code="A118", file=PACKAGE)
    many = [Member(name=f"x{number}", method=STORED) for number in range(5001)]
    yield Case(name="5001 members", make=lambda: raw_zip(many), code="A102", file=PACKAGE)
    wordy = [Member(name=f"x{number}", comment=bytes(60_000)) for number in range(40)]
    yield Case(name="a directory of comments", make=lambda: raw_zip(wordy), code="A102", file=PACKAGE)
    yield Case(name="fewer members than told", make=lambda: package(count=60_000), code="A102", file=PACKAGE)
    yield Case(name="a program before it", make=lambda: package(prefix=b"MZ" + bytes(998)), code="A115", file=PACKAGE)
    yield Case(name="a zip after it", make=lambda: package(suffix=bytes(100)), code="A115", file=PACKAGE)
    photos = zipped({"photo.png": b"\x89PNG" + bytes(100)})
    yield Case(name="photos", make=lambda: photos, code="A116", file="photos.zip", called="photos.zip")


def _zip64(*, count: int, broken: bool = False) -> bytes:
    record = (
        (b"XX" if broken else b"PK") + b"\x06\x06" + struct.pack("<QHHLLQQQQ", 44, 45, 45, 0, 0, count, count, 0, 0)
    )
    locator = b"PK\x06\x07" + struct.pack("<LQL", 0, 0, 1)
    return record + locator + b"PK\x05\x06" + struct.pack("<HHHHLLH", 0, 0, 65535, 65535, 0xFFFFFFFF, 0xFFFFFFFF, 0)


def _names() -> Iterator[Case]:
    for name, path in _TRICKS.items():
        seen = "".join(one if one.isprintable() else ascii(one)[1:-1] for one in f"{PACKAGE}/{path}"[:120])
        file = seen + "…" if len(path) > 120 else seen
        extra = (Member(name=path, data=b"x"),)
        yield Case(name=f"path: {name}", make=lambda extra=extra: package(extra=extra), code="A103", file=file)
    for name, second in (
        ("same", "GCRC_advRobust.json"),
        ("case", "MODEL.ZIP"),
        ("folder and file", "GCRC_advRobust.docx/"),
    ):
        extra = (Member(name=second, data=b"" if second.endswith("/") else b"other"),)
        yield Case(
            name=f"twice: {name}", make=lambda extra=extra: package(extra=extra), code="A106",
            file=f"{PACKAGE}/{second}",
        )  # fmt: skip
    composed = (Member(name="é.txt", data=b"1"), Member(name="e\u0301.txt", data=b"2"))
    yield Case(
        name="twice: composed", make=lambda: package(extra=composed), code="A106", file=f"{PACKAGE}/e\u0301.txt",
        also=("G203",),
    )  # fmt: skip
    for name, raw in {
        "GBK": "说明.docx".encode("gbk"),
        "Big5": "說明".encode("big5"),
        "bytes": b"\xff\xfe\x80.txt",
    }.items():
        extra = (Member(name=raw, data=b"x"),)
        yield Case(name=f"name in {name}", make=lambda extra=extra: package(extra=extra), code="A107", file=PACKAGE)
    bad = (Member(name=b"\xff\xfe.txt", data=b"x", flags=0x800),)
    yield Case(name="name that only says UTF-8", make=lambda: package(extra=bad), code="A107", file=PACKAGE)


def _members() -> Iterator[Case]:
    for name, mode in _KINDS.items():
        extra = (Member(name="link", data=b"/etc/passwd", mode=mode),)
        yield Case(
            name=f"special: {name}", make=lambda extra=extra: package(extra=extra), code="A104", file=f"{PACKAGE}/link"
        )
    for name, flags, method in (("old", 0x801, DEFLATED), ("strong", 0x841, DEFLATED), ("AES", 0x801, 99)):
        for file, data in (("GCRC_advRobust.json", predictions()), ("model.zip", MODEL)):
            extra = (Member(name=file, data=data, flags=flags, method=method),)
            yield Case(
                name=f"encrypted {name}: {file}", make=lambda extra=extra, file=file: package({file: None}, extra=extra),
                code="A105", file=f"{PACKAGE}/{file}", also=("G201",),
            )  # fmt: skip
    for name, method in _METHODS.items():
        extra = (Member(name="GCRC_advRobust.json", data=predictions(), method=method),)
        yield Case(
            name=f"method {name}", make=lambda extra=extra: package({"GCRC_advRobust.json": None}, extra=extra),
            code="A111", file=JSON, also=("G201",),
        )  # fmt: skip
    for name in ("__MACOSX/._model.zip", ".DS_Store", "x/Thumbs.db"):
        extra = (Member(name=name, data=b"x"),)
        yield Case(name=f"litter {name}", make=lambda extra=extra: package(extra=extra), code="A114",
                   file=f"{PACKAGE}/{name}")  # fmt: skip


def _bombs() -> Iterator[Case]:
    yield Case(name="bomb: predictions", also=("G201",), code="A109", file=JSON,
               make=lambda: package({"GCRC_advRobust.json": None}, extra=(zeros("GCRC_advRobust.json", 300 * MEGA),)))  # fmt: skip
    yield Case(name="bomb: model.zip", also=("G201",), code="A109", file=ZIP,
               make=lambda: package({"model.zip": None}, extra=(zeros("model.zip", 300 * MEGA),)))  # fmt: skip
    yield Case(name="bomb: inside model.zip", code="A109", file=f"{ZIP}/weights.bin", also=("M301",),
               make=lambda: package({"model.zip": raw_zip([zeros("weights.bin", 300 * MEGA)])}))  # fmt: skip
    yield Case(name="bomb: a part of the document", code="A109", file=f"{DOCX}/word/media/x.xml",
               make=lambda: package({"GCRC_advRobust.docx": _document_with(zeros("word/media/x.xml", 300 * MEGA))}))  # fmt: skip
    # none of them shrinks enough to be refused by itself
    blank = {f"word/x{number}.xml": "<a>" + " " * (7 * MEGA) + "</a>" for number in range(60)}
    yield Case(name="bomb: many smaller parts", code="A109", file=f"{DOCX}/word/x*",
               make=lambda: package({"GCRC_advRobust.docx": document(parts=blank)}))  # fmt: skip
    yield Case(name="bomb: packed twice", code="A109", file=ZIP, also=("G201",),
               make=lambda: package({"model.zip": None}, extra=(Member(
                   name="model.zip", data=b"", packed=bytes(1000), size=2000 * MEGA, method=DEFLATED),)))  # fmt: skip
    for name, size in (("five gigabytes", 5 << 30), ("a terabyte", 1 << 40)):
        extra = (Member(name="model.zip", data=b"x", size=size, packed_size=size, method=STORED),)
        yield Case(name=f"told to have {name}", code="A108", file=ZIP, also=("G201",),
                   make=lambda extra=extra: package({"model.zip": None}, extra=extra))  # fmt: skip
    yield Case(name="predictions of nine megabytes", code="A108", file=JSON,
               make=lambda: package({"GCRC_advRobust.json": predictions() + b" " * (9 * MEGA)}))  # fmt: skip
    big = Member(name="GCRC_advRobust.docx", data=bytes(33 * MEGA), method=STORED)
    yield Case(name="document of 33 megabytes", code="A108", file=DOCX,
               make=lambda: package({"GCRC_advRobust.docx": None}, extra=(big,)))  # fmt: skip
    yield Case(name="a part of nine megabytes", code="A108", file=f"{DOCX}/word/styles.xml",
               make=lambda: package({"GCRC_advRobust.docx": document(parts={"word/styles.xml": "<a>" + " " * 9 * MEGA})}))  # fmt: skip
    code = "submission.zip/submission_files/ccpm/model_to_eval.py"
    yield Case(name="code of two megabytes", code="A108", file=code, called="submission.zip", also=("C634",),
               make=lambda: submission({"ccpm/model_to_eval.py": b"#" * (2 * MEGA)}))  # fmt: skip
    lines = "submission.zip/submission_files/ccpm/12.jsonl"
    wide = bytes(range(256)) * (65 * 4096)
    yield Case(name="predictions of 65 megabytes", code="A108", file=lines, called="submission.zip",
               make=lambda: submission({"ccpm/12.jsonl": None}, extra=(
                   Member(name="submission_files/ccpm/12.jsonl", data=wide, method=STORED),)))  # fmt: skip


def _document_with(member: Member) -> bytes:
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(document())) as archive:
        members = [Member(name=name, data=archive.read(name)) for name in archive.namelist()]
    return raw_zip([*members, member])


def _damaged() -> Iterator[Case]:
    good = {"GCRC_advRobust.json": predictions(), "GCRC_advRobust.docx": document(), "model.zip": MODEL}
    for file, data in good.items():
        broken = {
            "sum": Member(name=file, data=data, crc=1),
            "noise": Member(name=file, data=data, packed=b"\x06\x07" + bytes(len(data) // 2)),
            "cut": Member(name=file, data=data[:-1], size=len(data)),
            "too much": Member(name=file, data=data, size=len(data) - 1),
            "two names": Member(name=file, data=data, local_name=b"x" * len(file)),
            "no header": Member(name=file, data=data, header=b"XXXX"),
        }
        for name, member in broken.items():
            yield Case(name=f"damaged {file}: {name}", code="A112", file=f"{PACKAGE}/{file}",
                       make=lambda file=file, member=member: package({file: None}, extra=(member,)))  # fmt: skip
    two = Member(name="GCRC_advRobust.json", data=predictions(), size=5, method=STORED)
    yield Case(name="stored with two sizes", code="A112", file=JSON, also=("G201",),
               make=lambda: package({"GCRC_advRobust.json": None}, extra=(two,)))  # fmt: skip
    full = Member(name="folder/", data=b"hidden")
    yield Case(name="a folder with bytes", code="A112", file=f"{PACKAGE}/folder/", make=lambda: package(extra=(full,)))
    kernel = Member(name="b.json", data=predictions(), offset=0)
    yield Case(name="members that overlap", code="A113", file=f"{PACKAGE}/b.json", also=("G201",),
               make=lambda: package(extra=(kernel,)))  # fmt: skip
    beyond = Member(name="b.txt", data=b"x", offset=1 << 30)
    yield Case(
        name="a member behind the end", code="A113", file=f"{PACKAGE}/b.txt", make=lambda: package(extra=(beyond,))
    )
    quoted = [Member(name=f"{number}.txt", data=b"x", offset=0) for number in range(900)]
    yield Case(name="nine hundred names for one piece", code="A113", file=f"{PACKAGE}/0.txt", also=("A116",),
               make=lambda: raw_zip(quoted))  # fmt: skip


def _nested() -> Iterator[Case]:
    weights = {"model.safetensors": safetensors()}
    inside = {
        "x.zip": zipped({"y.zip": zipped({"z.txt": b"x"})}), "x.tar.gz": gzip.compress(b"x" * 600), "x.7z": b"7z\xbc\xaf\x27\x1c" + bytes(99),
        "x.rar": b"Rar!" + bytes(99), "x.whl": zipped({"a.py": b""}), "x.xz": b"\xfd7zXZ\0" + bytes(99), "x.tar": bytes(2048),
        "hidden.txt": zipped({"a.bin": b"x" * 99}), "hidden.bin": gzip.compress(b"x"),
    }  # fmt: skip
    for name, data in inside.items():
        yield Case(name=f"archive in model.zip: {name}", code="A110", file=f"{ZIP}/{name}",
                   make=lambda name=name, data=data: package({"model.zip": zipped({**weights, name: data})}))  # fmt: skip
    for name in ("more.zip", "more.rar", "more.tar.gz"):
        yield Case(name=f"archive beside it: {name}", code="A110", file=f"{PACKAGE}/{name}",
                   make=lambda name=name: package(extra=(Member(name=name, data=b"x"),)))  # fmt: skip
    for name, data in {
        "noise": b"noise" * 99,
        "empty": b"",
        "cut": MODEL[:-30],
        "a folder of tar": bytes(2048),
    }.items():
        yield Case(
            name=f"model.zip is {name}", code="A101", file=ZIP, make=lambda data=data: package({"model.zip": data})
        )
    tricky = raw_zip([Member(name="model.safetensors", data=safetensors()), Member(name="../x", data=b"x")])
    yield Case(
        name="path up in model.zip", code="A103", file=f"{ZIP}/../x", make=lambda: package({"model.zip": tricky})
    )
    locked = raw_zip([Member(name="model.safetensors", data=safetensors(), flags=0x801)])
    yield Case(name="encrypted in model.zip", code="A105", file=f"{ZIP}/model.safetensors", also=("M301",),
               make=lambda: package({"model.zip": locked}))  # fmt: skip

"""GCRC packages with one thing wrong: predictions, models, documents, registration forms."""
# ruff: noqa: E501 - a case a line is easier to read

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.submit.cases import PACKAGE, Case
from tests.submit.parts import (
    FORM,
    MODEL,
    OPTIONS,
    TEXT,
    W,
    changed,
    document,
    field,
    form,
    onnx,
    package,
    paragraph,
    pickled,
    predictions,
    relation,
    rows,
    safetensors,
    torch_zip,
    zipped,
)  # fmt: skip
from tests.submit.rawzip import Member, raw_zip

JSON, DOCX, ZIP = f"{PACKAGE}/GCRC_advRobust.json", f"{PACKAGE}/GCRC_advRobust.docx", f"{PACKAGE}/model.zip"
# row n starts in this line, and its keys follow
ROW, LINES_A_ROW = 3, 28


def cases() -> Iterator[Case]:
    yield from _files()
    yield from _texts()
    yield from _rows()
    yield from _models()
    yield from _documents()
    yield from _forms()


def _in_json(name: str, data: bytes, code: str, place: str | None, **more: Any) -> Case:
    return Case(
        name=name, make=lambda: package({"GCRC_advRobust.json": data}), code=code, file=JSON, place=place, **more
    )


def _files() -> Iterator[Case]:
    content = {"GCRC_advRobust.json": predictions(), "model.zip": MODEL, "GCRC_advRobust.docx": document()}
    for file in content:
        yield Case(
            name=f"without {file}", make=lambda file=file: package({file: None}), code="G201", file=PACKAGE, place=file
        )
    for file, name in (
        ("GCRC_advRobust.json", "gcrc_advrobust.json"), ("GCRC_advRobust.json", "GCRC-advRobust.json"),
        ("GCRC_advRobust.json", "results/GCRC_advRobust.json"), ("model.zip", "x/model.zip"),
        ("GCRC_advRobust.docx", "说明.docx"), ("GCRC_advRobust.docx", "GCRC_advRobust.DOCX"),
        ("GCRC_advRobust.json", "predictions.json"),
    ):  # fmt: skip
        yield Case(
            name=f"{file} as {name}", code="G202", file=f"{PACKAGE}/{name}",
            make=lambda file=file, name=name: package({file: None, name: content[file]}),
        )  # fmt: skip
    yield Case(
        name="a readme too", make=lambda: package({"README.txt": b"x"}), code="G203", file=f"{PACKAGE}/README.txt"
    )
    yield Case(name="another name", make=package, code="G204", file="result.zip", called="result.zip")


def _texts() -> Iterator[Case]:
    text = predictions().decode()
    for name, data, place in (
        ("GB18030", text.encode("gb18030"), "line 5"), ("UTF-16 LE", text.encode("utf-16"), "line 1"),
        ("UTF-16 BE", b"\xfe\xff" + text.encode("utf-16-be"), "line 1"), ("Big5", text.replace("湿地", "說明").encode("big5", "ignore"), "line 5"),
        ("cut inside a character", text.encode()[: text.encode().index("湿".encode()) + 1], "line 5"),
    ):  # fmt: skip
        yield _in_json(f"encoding: {name}", data, "G211", place)
    yield _in_json("byte-order mark", b"\xef\xbb\xbf" + predictions(), "G212", "line 1")
    for name, data, place in (
        ("empty", b"", "line 1, column 1"), ("cut", predictions()[:-40], "line 112, column 1"), ("comma", b'{"data": [1,]}', "line 1, column 13"),
        ("single quotes", b"{'data': []}", "line 1, column 2"), ("NaN", b'{"data": [NaN]}', "line 1, column 11"),
        ("infinity", b'{"data": [-Infinity]}', "line 1, column 11"), ("comment", b'{"data": [] // x\n}', "line 1, column 13"),
        ("nested", b'{"data": [' + b"[" * 200_000, "line 1, column 11"), ("more", predictions() + b"x", "line 116, column 2"),
        ("two objects", predictions() + predictions(), "line 116, column 2"), ("control", b'{"data": ["\n"]}', "line 1, column 12"),
        ("a long number", b'{"data": [' + b"9" * 6000 + b"]}", "line 1, column 11"), ("bare key", b"{data: []}", "line 1, column 2"),
        ("no colon", b'{"data" []}', "line 1, column 9"),
    ):  # fmt: skip
        yield _in_json(f"JSON: {name}", data, "G213", place, also=("G216",))
    for name, value in (
        ("a list", rows()), ("a number", 3), ("a text", "x"), ("no data", {"rows": rows()}), ("null", None),
    ):  # fmt: skip
        yield _in_json(f"layout: {name}", json.dumps(value).encode(), "G214", "line 1")
    for name, value in (("an object", {"t0": {}}), ("a text", "x"), ("null", None)):
        yield _in_json(f"data is {name}", json.dumps({"data": value}).encode(), "G214", "line 1")
    yield _in_json("no rows", b'{"data": []}', "G215", "data")
    yield _in_json("too many rows", predictions([{"id": str(number)} for number in range(6000)]), "G229",
                   "line 15003", also=("G217", "G220", "G221"))  # fmt: skip


def _rows() -> Iterator[Case]:
    for name, value in (("a list", []), ("a text", "x"), ("null", None), ("a number", 3)):
        records: list[Any] = rows()
        records[1] = value
        yield _in_json(
            f"row is {name}", predictions(records), "G216", f"line {ROW + LINES_A_ROW}, data[1]", also=("G221",)
        )
    for key in ("id", "answer", "positive_answer", "negative_answer"):
        yield _in_json(f"without {key}", changed(2, **{key: ...}), "G217", None, also=("G221",))
    for value in (7, None, ["t1"], {"a": 1}, True):
        yield _in_json(f"id is {value}", changed(1, id=value), "G218", None, also=("G221",))
    twice = [*rows(), rows()[0]]
    yield _in_json("id twice", predictions(twice), "G219", f"line {ROW + 4 * LINES_A_ROW + 1}, data[4].id")
    yield _in_json("id twice, other letters", predictions([*rows(), rows()[0] | {"answer": "C"}]), "G219", None)
    yield _in_json("unknown id", predictions([*rows(), rows()[0] | {"id": "gcrc_1"}]), "G220", None)
    yield _in_json("id with a blank", changed(0, id="t0 "), "G220", f"line {ROW + 1}, data[0].id", also=("G221",))
    yield _in_json("missing id", predictions(rows()[:3]), "G221", "t3")
    place = {"answer": 12, "positive_answer": 19, "negative_answer": 27}
    for number, value in enumerate(("a", " A", "A ", "AB", 1, ["A"], True, "Ａ", "А", "甲", "A.", "选A", "*")):
        key = tuple(place)[number % 3]
        yield _in_json(f"{key} is {value!r}", changed(1, **{key: value}), "G222", None)
    yield _in_json("letter beyond", changed(0, answer="E"), "G223", "line 14, data[0].answer")
    yield _in_json("letter far beyond", changed(0, negative_answer="Z"), "G223", None)
    yield _in_json("no letter", changed(0, answer=""), "G224", "line 14, data[0].answer")
    yield _in_json("null for a letter", changed(3, positive_answer=None), "G224", None)
    yield _in_json("not 288", predictions(), "G225", "", compared=False)
    yield _in_json("options turned", changed(0, options=OPTIONS[::-1]), "G226", "line 8, data[0].options")
    yield _in_json("another question", changed(0, question="？"), "G226", None)
    bare = [{key: row[key] for key in ("id", "answer", "positive_answer", "negative_answer")} for row in rows()]
    yield _in_json("letters alone", predictions(bare), "G227", "")
    doubled = predictions().replace(b'"title"', b'"answer": "A",\n   "title"', 1)
    many = b'{"data": [{' + b",".join(b'"k%d": 0, "k%d": 0' % (n, n) for n in range(100_000)) + b"}]}"
    yield _in_json("a hundred thousand keys twice", many, "G228", None, also=("G217", "G221", "G227"))
    yield _in_json("two million lists", b'{"data": [[' + b"[]," * 1_900_000 + b"[]]]}", "G216", None, also=("G221",))
    yield _in_json("a key twice", doubled, "G228", None)
    yield Case(name="predictions alone", make=lambda: changed(0, answer="e"), code="G222", called="GCRC_advRobust.json",
               file="GCRC_advRobust.json", place="line 14, data[0].answer")  # fmt: skip


def _in_model(name: str, files: dict[str, bytes], code: str, file: str, **more: Any) -> Case:
    return Case(name=name, make=lambda: package({"model.zip": zipped(files)}), code=code, file=file, **more)


def _models() -> Iterator[Case]:
    yield _in_model("no weights", {"run.py": b"x"}, "M301", ZIP)
    yield _in_model("600 M parameters", {"m.onnx": onnx(600_000, 1000)}, "M302", ZIP)
    yield _in_model("two of 300 M", {"a.onnx": onnx(300_000, 1000), "b.onnx": onnx(300_000, 1000)}, "M302", ZIP)
    inner = field(1, field(5, field(5, field(1, 600_000_000) + field(2, 1) + field(8, b"c"))))
    yield _in_model("a constant of 600 M", {"m.onnx": field(7, inner)}, "M302", ZIP)
    yield _in_model("HDF5", {"m.h5": b"\x89HDF" + bytes(99)}, "M303", f"{ZIP}/m.h5")
    yield _in_model("GGUF", {"m.gguf": b"GGUF" + bytes(99)}, "M303", f"{ZIP}/m.gguf")
    yield _in_model("a .bin of noise", {"m.bin": b"noise" * 99}, "M303", f"{ZIP}/m.bin")
    calls = {
        "os.system": b"cos\nsystem\n(X\x02\x00\x00\x00lstR0", "posix.system": b"cposix\nsystem\n(X\x02\x00\x00\x00lstR0",
        "builtins.eval": b"cbuiltins\neval\n(X\x01\x00\x00\x001tR0", "builtins.exec": b"X\x08\x00\x00\x00builtinsX\x04\x00\x00\x00exec\x93(tR0",
        "subprocess.Popen": b"(X\x02\x00\x00\x00lsisubprocess\nPopen\n0", "runpy.run_path": b"crunpy\nrun_path\n0",
        "importlib.import_module": b"cimportlib\nimport_module\n0", "operator.attrgetter": b"coperator\nattrgetter\n0",
    }  # fmt: skip
    for name, code in calls.items():
        torch_file = torch_zip(pickled(before=code))
        yield _in_model(f"pickle calls {name}", {"m.bin": torch_file}, "M304", f"{ZIP}/m.bin")
    dotted = b"ctorch._utils\n_import_dotted_name\nX\x09\x00\x00\x00os.system\x85RX\x02\x00\x00\x00ls\x85R"
    for name, data in {
        "an old pickle calls os.system": b"\x80\x02cos\nsystem\n(X\x02\x00\x00\x00lstR.",
        "the oldest pickle calls os.system": b"cos\nsystem\n(S'ls'\ntR.", "a pickle has torch look it up": b"\x80\x02" + dotted + b".",
    }.items():  # fmt: skip
        yield _in_model(name, {"m.pkl": data}, "M304", f"{ZIP}/m.pkl", also=("M303",))
    yield _in_model(
        "a torch file has torch look it up", {"m.bin": torch_zip(pickled(before=dotted + b"0"))}, "M304", f"{ZIP}/m.bin"
    )
    yield _in_model("a pickle of nothing", {"m.bin": b"\x80\x02N."}, "M303", f"{ZIP}/m.bin")
    yield _in_model("bytes after a pickle", {"m.bin": b"\x80\x02N." + bytes(3 << 20)}, "M306", f"{ZIP}/m.bin")
    yield _in_model("a class of its own", {"m.pt": torch_zip(pickled(before=b"cmine\nNet\n0"))}, "M305", f"{ZIP}/m.pt")
    header = {"w": {"dtype": "F32", "shape": [3, 4], "data_offsets": [0, 48]}}
    broken = {
        "a header of gigabytes": safetensors(length=1 << 40), "no JSON": safetensors(b"{" * 40), "a list": safetensors([]),
        "a shape that lies": safetensors({"w": header["w"] | {"shape": [1, 1]}}), "more bytes": safetensors(data=bytes(4000)),
        "fewer bytes": safetensors(data=bytes(8)), "a negative shape": safetensors({"w": header["w"] | {"shape": [-3, -4]}}),
        "an unknown kind": safetensors({"w": header["w"] | {"dtype": "X9"}}), "nothing": b"",
        "nested": safetensors(b'{"w":' * 90_000 + b"}" * 90_000),
        "a shape of many numbers": safetensors({"w": header["w"] | {"shape": [1 << 40] * 200_000}}),
        "a million lists": safetensors(b'{"w":[' + b"[]," * 1_300_000 + b"[]]}"),
    }  # fmt: skip
    for name, data in broken.items():
        yield _in_model(f"safetensors: {name}", {"m.safetensors": data}, "M306", f"{ZIP}/m.safetensors")
    for name, data in {
        "cut": torch_zip(pickled()[:-9]), "empty": torch_zip(b""), "noise": torch_zip(b"\xff" * 99), "an empty stack": torch_zip(b"R."),
        "a storage cut short": torch_zip(pickled(), bytes(8)), "more than it says": torch_zip(pickled(), **{"a/data/1": bytes(2 << 20)}),
        "no end": torch_zip(b"\x80\x02" + b"N0" * 900_000), "a memo that is not there": torch_zip(b"\x80\x02h\x05."),
        "a text of gigabytes": torch_zip(b"\x80\x02X\xff\xff\xff\x7fabc."), "a long number": torch_zip(b"I" + b"9" * 9000 + b"\n."),
        "a shape of many numbers": torch_zip(pickled(shape=(1 << 30,) * 100_000)),
    }.items():  # fmt: skip
        yield _in_model(f"pickle: {name}", {"m.bin": data}, "M306", f"{ZIP}/m.bin")
    for name, data in {
        "noise": b"\xff" * 400, "empty": b"", "no graph": field(1, 8), "past the end": b"\x3a\xff\xff\xff\x7fx",
        "a number without end": b"\x3a" + b"\xff" * 40, "graphs within graphs": _within(12), "a million fields": field(7, b"\x10\x01" * 900_000),
        "a shape of many numbers": onnx(*[1 << 40] * 100_000), "another": field(7, field(5, field(1, b"\xff\x7f" * 900_000) + field(2, 1))),
    }.items():  # fmt: skip
        yield _in_model(f"ONNX: {name}", {"m.onnx": data}, "M306", f"{ZIP}/m.onnx")
    for name, data in {
        "noise": b"\x93NUMPY" + bytes(99), "objects": _array("|O", (3,), 24), "cut": _array("<f4", (3, 4), 8),
        "code in the header": _raw_array("__import__('os').system('ls')"), "nested": _raw_array("(" * 5000),
    }.items():  # fmt: skip
        yield _in_model(f"NumPy: {name}", {"m.npy": data}, "M306", f"{ZIP}/m.npy")
    yield _in_model("weights elsewhere", {"m.onnx": onnx(3, 4, outside="m.data")}, "M307", f"{ZIP}/m.onnx")
    yield _in_model("weights up there", {"m.onnx": onnx(3, 4, outside="../../etc/passwd")}, "M307", f"{ZIP}/m.onnx")


def _within(depth: int) -> bytes:
    graph = b""
    for _ in range(depth):
        graph = field(1, field(5, field(6, graph or field(2, b"g"))))
    return field(7, graph)


def _raw_array(header: str) -> bytes:
    text = header.encode().ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def _array(kind: str, shape: tuple[int, ...], size: int) -> bytes:
    return _raw_array(str({"descr": kind, "fortran_order": False, "shape": shape})) + bytes(size)


def _in_document(name: str, data: bytes, code: str, part: str = "", place: str | None = "", **more: Any) -> Case:
    file = f"{DOCX}/{part}" if part else DOCX
    return Case(
        name=f"document: {name}", make=lambda: package({"GCRC_advRobust.docx": data}), code=code, file=file, place=place,
        **more,
    )  # fmt: skip


def _documents() -> Iterator[Case]:
    for name, data in {"old .doc": b"\xd0\xcf\x11\xe0" + bytes(99), "PDF": b"%PDF-1.7", "text": TEXT.encode(), "empty": b"",
                       "a zip of pictures": zipped({"a.png": b"x"})}.items():  # fmt: skip
        yield _in_document(name, data, "D401")
    main, rels, types = "word/document.xml", "word/_rels/document.xml.rels", "[Content_Types].xml"
    yield _in_document("a zip cut short", document()[:-40], "A101")
    yield _in_document("broken XML", document(parts={main: "<a><b></a>"}), "D402", main, None, also=("D408",))
    yield _in_document("unknown encoding", document(parts={main: b'<?xml version="1.0" encoding="x-9"?><a/>'}), "D402",
                       main, None, also=("D408",))  # fmt: skip
    yield _in_document("macros", document(parts={"word/vbaProject.bin": b"x"}), "D403", "word/vbaProject.bin")
    enabled = '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/></Types>'
    yield _in_document("macros by type", document(parts={types: enabled}), "D403", types, "line 1")
    for kind, target in (
        ("hyperlink", "https://example.com"), ("attachedTemplate", "http://evil/x.dotm"), ("image", "file:///c:/x.png"),
        ("oleObject", "\\\\host\\share\\x.doc"), ("frame", "http://evil/x.htm"),
    ):  # fmt: skip
        yield _in_document(f"link: {kind}", document(rels=relation(kind, target)), "D404", rels, "line 1")
    yield _in_document("link in a footer", document(parts={"word/_rels/footer1.xml.rels": f"<R>{relation('image', 'http://x')}</R>"}),
                       "D404", "word/_rels/footer1.xml.rels", "line 1")  # fmt: skip
    yield _in_document(
        "embedded file", document(parts={"word/embeddings/x.bin": b"MZ"}), "D405", "word/embeddings/x.bin"
    )
    yield _in_document(
        "ActiveX", document(parts={"word/activeX/activeX1.bin": b"x"}), "D405", "word/activeX/activeX1.bin"
    )
    yield _in_document("altChunk", document(paragraph(TEXT) + "<w:altChunk/>"), "D405", main, "line 1")
    fields = {
        "DDEAUTO": "D406", 'DDE "cmd"': "D406", 'INCLUDETEXT "c:/x"': "D406", "INCLUDEPICTURE http://x": "D406",
        'HYPERLINK "http://x"': "D404",
    }  # fmt: skip
    for instruction, code in fields.items():
        escaped = instruction.replace('"', "&quot;")
        body = paragraph(TEXT) + f"<w:p><w:r><w:instrText>{escaped}</w:instrText></w:r></w:p>"
        yield _in_document(f"field {instruction}", document(body), code, main, "line 1")
        simple = paragraph(TEXT) + f'<w:p><w:fldSimple w:instr="{escaped}"/></w:p>'
        yield _in_document(f"simple field {instruction}", document(simple), code, main, "line 1")
    pieces = "".join(f"<w:r><w:instrText>{one}</w:instrText></w:r>" for one in ("DD", "EA", "UTO c:/x"))
    yield _in_document("a field in pieces", document(paragraph(TEXT) + f"<w:p>{pieces}</w:p>"), "D406", main, "line 1")
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "ha"}">' for n in range(10))
    types_of = {
        "doctype": "<!DOCTYPE a><a/>", "a billion laughs": f"<!DOCTYPE a [{laughs}]><a>&l9;</a>",
        "a file": '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    }  # fmt: skip
    for name, text in types_of.items():
        yield _in_document(name, document(parts={main: text}), "D407", main, "line 1", also=("D408",))
        yield _in_document(f"{name}, UTF-16", document(parts={"word/styles.xml": text.encode("utf-16")}), "D407",
                           "word/styles.xml", "line 1")  # fmt: skip
    yield _in_document("two words", document(paragraph("请看代码")), "D408")
    yield _in_document("left open", document(paragraph(TEXT + "【待填写：方法说明】")), "D409")
    yield _in_document("open track", document(paragraph(TEXT.replace("封闭", "开放"))), "D410", options={"track": "closed"},
                       also=("D412",))  # fmt: skip
    yield _in_document("no track", document(paragraph(TEXT.replace("封闭赛道", "某赛道"))), "D411")
    yield _in_document("no prompts", document(paragraph(TEXT.replace("封闭", "开放"))), "D412")
    yield _in_document("nothing on data", document(paragraph(TEXT.replace("外部数据", "某物"))), "D413")
    yield _in_document("nothing on large models", document(paragraph(TEXT.replace("大模型", "某物"))), "D413")
    link = raw_zip([Member(name="word/document.xml", data=b"/etc/passwd", mode=0o120777),
                    Member(name="[Content_Types].xml", data=b"<a/>")])  # fmt: skip
    yield _in_document("a link for a part", link, "A104", main, also=("D401",))
    deep = f"<w:document {W}>" + "<a>" * 2_600_000
    yield _in_document("XML without end", document(parts={main: deep}), "D402", main, None, also=("D408",))


def _forms() -> Iterator[Case]:
    def one(name: str, values: dict[str, str], code: str, place: str) -> Case:
        return Case(
            name=f"form: {name}",
            make=lambda: form(values),
            code=code,
            file="报名表.docx",
            called="报名表.docx",
            place=place,
        )

    yield one("no telephone", {key: value for key, value in FORM.items() if key != "联系电话"}, "R501", "联系电话")
    yield one("no name", FORM | {"参赛队名": " "}, "R502", "参赛队名")
    yield one("left open", FORM | {"地址": "【待填写：地址】"}, "R502", "地址")
    yield one("third track", FORM | {"赛道选择": "自由赛道"}, "R503", "赛道选择")
    yield one("both tracks", FORM | {"赛道选择": "封闭/开放"}, "R503", "赛道选择")
    yield one("mail without a place", FORM | {"各成员邮箱": "zhang@"}, "R504", "各成员邮箱")
    yield one("no mail at all", FORM | {"各成员邮箱": "张三的邮箱"}, "R504", "各成员邮箱")

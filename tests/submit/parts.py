"""The parts of right packages, small: the tests break them one by one."""
# ruff: noqa: E501 - a case a line is easier to read

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Mapping
from typing import Any

from tests.submit.rawzip import Member, raw_zip

OPTIONS = ["湿地为人类提供了所有物资", "湿地为人类提供了部分物资", "湿地没有提供任何物资", "湿地只提供了饮水"]
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
TEXT = (
    "GCRC_advRobust 模型说明文档。参赛赛道：封闭赛道。运行与调试流程：解压 model.zip，安装依赖，运行 run.py 得到结果。"
    "外部数据：无。本队声明：任何阶段均未使用大模型。模型真实可复现，愿意协助验证。"
)
MODULES = "(4),emb;(4,8),layer_1;(8),classifier"
CODE = b"module_list = {'emb': 1, 'layer_1': 2, 'classifier': 3}\nentire_model = 4\n"


def rows(count: int = 4) -> list[dict[str, Any]]:
    return [
        {"id": f"t{number}", "title": "湿地", "passage": f"第{number}处。湿地为人类提供了部分物资。", "question": "正确的一项是",
         "options": OPTIONS, "answer": "B", "positive_options": OPTIONS[::-1], "positive_answer": "C",
         "negative_question": "不正确的一项是", "negative_options": OPTIONS, "negative_answer": "A"}
        for number in range(count)
    ]  # fmt: skip


def predictions(records: Any = None) -> bytes:
    """A line for each key, so that places can be told: row n starts in line 3 + 28n."""
    return json.dumps({"data": rows() if records is None else records}, ensure_ascii=False, indent=1).encode()


def changed(number: int, **values: Any) -> bytes:
    """Predictions with one row changed; None takes a key out."""
    records = rows()
    records[number] = {key: value for key, value in (records[number] | values).items() if value is not ...}
    return predictions(records)


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def document(body: str | None = None, parts: Mapping[str, str | bytes] | None = None, rels: str = "") -> bytes:
    """A Word document, as small as one can be."""
    inside = paragraph(TEXT) if body is None else body
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    content: dict[str, str | bytes] = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "word/document.xml": f'<?xml version="1.0" encoding="UTF-8"?><w:document {W}><w:body>{inside}</w:body></w:document>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{relations}">{rels}</Relationships>',
    }
    return zipped(content | dict(parts or {}))


def relation(kind: str, target: str, mode: str = "External") -> str:
    return f'<Relationship Id="r1" Type="http://x/relationships/{kind}" Target="{target}" TargetMode="{mode}"/>'


def form(values: Mapping[str, str]) -> bytes:
    cells = "".join(
        f"<w:tr><w:tc>{paragraph(name)}</w:tc><w:tc>{paragraph(value)}</w:tc></w:tr>" for name, value in values.items()
    )
    return document(f"<w:tbl>{cells}</w:tbl>")


FORM = {
    "单位名称": "示例大学", "参赛队名": "读证队", "赛道选择": "封闭赛道", "队伍组长": "张三", "队伍组员": "李四",
    "地址": "某路 1 号", "联系人": "张三", "联系电话": "010-1234", "各成员邮箱": "zhang@example.edu.cn",
}  # fmt: skip


def zipped(files: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def safetensors(header: Any = None, data: bytes = bytes(48), length: int | None = None) -> bytes:
    told = header if header is not None else {"w": {"dtype": "F32", "shape": [3, 4], "data_offsets": [0, 48]}}
    text = told if isinstance(told, bytes) else json.dumps(told).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def field(number: int, value: bytes | int) -> bytes:
    """A field of a protocol buffer."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def onnx(*shape: int, kind: int = 1, outside: str = "") -> bytes:
    """A model with one weight of that shape; of no bytes, which a header does not tell."""
    tensor = b"".join(field(1, size) for size in shape) + field(2, kind) + field(8, b"weight")
    if outside:
        tensor += field(13, field(1, b"location") + field(2, outside.encode())) + field(14, 1)
    return field(1, 8) + field(7, field(2, b"graph") + field(5, tensor))


def torch_zip(pickled: bytes, storage: bytes = bytes(48), **more: bytes) -> bytes:
    """A PyTorch file round a pickle."""
    return zipped({"a/data.pkl": pickled, "a/data/0": storage, "a/version": b"3"} | more, zipfile.ZIP_STORED)


def pickled(count: int = 12, shape: tuple[int, ...] = (3, 4), before: bytes = b"") -> bytes:
    """A pickle with one tensor, as torch.save writes it."""
    size = b"(" + b"".join(b"J" + struct.pack("<i", one) for one in shape) + b"t"
    storage = b"(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuJ"
    storage += struct.pack("<i", count) + b"tQ"
    rebuilt = (
        b"ctorch._utils\n_rebuild_tensor_v2\n("
        + storage
        + b"K\x00"
        + size
        + b"(K\x04K\x01t\x89ccollections\nOrderedDict\n)RtR"
    )
    return b"\x80\x02" + before + b"}X\x01\x00\x00\x00w" + rebuilt + b"s."


MODEL = zipped({"model/model.safetensors": safetensors(), "model/run.py": "print('run')\n"})


def package(files: Mapping[str, bytes | None] | None = None, extra: tuple[Member, ...] = (), **options: Any) -> bytes:
    """A right GCRC package with some files replaced (None: left out) and members added."""
    content: dict[str, bytes | None] = {
        "GCRC_advRobust.json": predictions(), "model.zip": MODEL, "GCRC_advRobust.docx": document()
    }  # fmt: skip
    members = [Member(name=name, data=data) for name, data in (content | dict(files or {})).items() if data is not None]
    return raw_zip([*members, *extra], **options)


TAGS = [{"start": 0, "end": 2, "type": "n"}, {"start": 2, "end": 4, "type": "v"}]
LINES: dict[str, dict[str, Any]] = {
    "ccpm": {"answer": 0}, "chnc": {"label": "finance"}, "pku-segpos": {"span_list": TAGS}, "wordseg-weibo": {"ans": "天气 很好"},
    "cmeee": {"entities": [{"start_idx": 0, "end_idx": 1, "type": "sym", "entity": "天气"}]},
}  # fmt: skip


def line(task: str, **values: Any) -> bytes:
    record = LINES[task] | {"modules": MODULES} | values
    return (
        json.dumps({key: value for key, value in record.items() if value is not ...}, ensure_ascii=False).encode()
        + b"\n"
    )


def submission(files: Mapping[str, bytes | None] | None = None, extra: tuple[Member, ...] = ()) -> bytes:
    """A right CELUE package with some files replaced, named below submission_files/ or by a path with a leading ~."""
    content: dict[str, bytes | None] = {}
    for task in LINES:
        content[f"{task}/12.jsonl"] = line(task) * 3
        content[f"{task}/model_to_eval.py"] = CODE
    named = {
        name[1:] if name.startswith("~") else f"submission_files/{name}": data
        for name, data in (content | dict(files or {})).items()
    }
    return raw_zip([*(Member(name=name, data=data) for name, data in named.items() if data is not None), *extra])


TESTS: dict[str, bytes] = {
    "ccpm": json.dumps({"translation": "天气很好", "choices": ["一", "二", "三", "四"]}, ensure_ascii=False).encode()
    + b"\n",
    "chnc": "天气 很好\n".encode(),
    "cmeee": json.dumps({"text": "天气很好"}, ensure_ascii=False).encode() + b"\n",
    "pku-segpos": "天气/n  很好/a\n".encode(),
    "wordseg-weibo": "天气 很好\n".encode(),
}


def gold_file(task: str, count: int = 3) -> bytes:
    return (b"category,news\n" if task == "chnc" else b"") + (b"," if task == "chnc" else b"").join(
        [b"", *[TESTS[task]] * count]
    )

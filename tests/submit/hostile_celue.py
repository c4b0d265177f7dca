"""CELUE packages with one thing wrong."""
# ruff: noqa: E501 - a case a line is easier to read

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.submit.cases import Case
from tests.submit.parts import CODE, LINES, MODULES, TAGS, line, onnx, submission
from tests.submit.rawzip import Member

NAME = "submission.zip"
TOP = f"{NAME}/submission_files"


def cases() -> Iterator[Case]:
    yield from _folders()
    yield from _texts()
    yield from _values()
    yield from _modules()
    yield from _code()


def _one(name: str, files: dict[str, bytes | None], code: str, file: str, place: str | None = "", **more: Any) -> Case:
    return Case(
        name=f"celue: {name}", make=lambda: submission(files), code=code, file=file, place=place, called=NAME, **more
    )


def _folders() -> Iterator[Case]:
    def without(task: str) -> dict[str, bytes | None]:
        return {f"{task}/12.jsonl": None, f"{task}/model_to_eval.py": None}

    def moved(task: str, to: str) -> dict[str, bytes | None]:
        return without(task) | {f"{to}/12.jsonl": line(task) * 3, f"{to}/model_to_eval.py": CODE}

    yield _one("a folder at the top", moved("ccpm", "~ccpm"), "C601", NAME, "ccpm")
    yield _one("a folder too deep", moved("chnc", "~x/submission_files/chnc"), "C601", NAME, "x/submission_files/chnc")
    for task in LINES:
        yield _one(f"without {task}", without(task), "C602", TOP, task)
    for task, to in (("chnc", "cnhc"), ("ccpm", "CCPM"), ("pku-segpos", "PKU_SEGPOS"), ("wordseg-weibo", "wordseg")):
        yield _one(f"{task} as {to}", moved(task, to), "C603", f"{TOP}/{to}")
    yield _one("a sixth folder", {"mrpc/1.jsonl": b"{}\n"}, "C603", f"{TOP}/mrpc")
    yield _one("no predictions", {"ccpm/12.jsonl": None}, "C604", f"{TOP}/ccpm")
    yield _one(
        "a .json", {"ccpm/12.jsonl": None, "ccpm/12.json": line("ccpm") * 3}, "C604", f"{TOP}/ccpm", also=("C606",)
    )
    yield _one("no code", {"cmeee/model_to_eval.py": None}, "C605", f"{TOP}/cmeee")
    yield _one("code by another name", {"cmeee/model_to_eval.py": None, "cmeee/model.py": CODE}, "C605", f"{TOP}/cmeee")
    yield _one("two codes", {"cmeee/other.py": CODE}, "C605", f"{TOP}/cmeee")
    yield _one("a note", {"ccpm/notes.txt": b"x"}, "C606", f"{TOP}/ccpm/notes.txt")
    yield _one("a note at the top", {"~README.md": b"x"}, "C606", f"{NAME}/README.md")
    yield _one("predictions of another task", {"chnc/12.jsonl": line("cmeee") * 3}, "C607", f"{TOP}/chnc/12.jsonl")
    yield _one("the same file twice", {"ccpm/6.jsonl": line("ccpm") * 3}, "C608", f"{TOP}/ccpm/6.jsonl")
    yield _one("weights too large", {"~weights.onnx": onnx(150_000, 1000)}, "M302", NAME, also=("C606",))
    yield Case(name="celue: a link", called=NAME, code="A104", file=f"{TOP}/ccpm/7.jsonl",
               make=lambda: submission(extra=(Member(name="submission_files/ccpm/7.jsonl", data=b"/x", mode=0o120777),)))  # fmt: skip


def _texts() -> Iterator[Case]:
    file, name = f"{TOP}/wordseg-weibo/12.jsonl", "wordseg-weibo/12.jsonl"
    good = line("wordseg-weibo")
    text = good.decode()
    yield _one("byte-order mark", {name: b"\xef\xbb\xbf" + good * 3}, "C611", file, "line 1")
    yield _one("GB18030", {name: good + text.encode("gb18030") + good}, "C611", file, "line 2")
    yield _one("UTF-16", {name: (text * 3).encode("utf-16")}, "C611", file, "line 1", also=("C612", "C613", "C622"))
    for what, bad, place in (
        ("cut", b'{"ans": "\n', "line 2, column 10"), ("a list", b"[1]\n", "line 2"), ("a number", b"7\n", "line 2"),
        ("two on a line", good.strip() + good, "line 2, column 90"), ("Python", b"{'ans': 'x'}\n", "line 2, column 2"),
        ("NaN", b'{"ans": NaN}\n', "line 2, column 9"), ("nested", b"[" * 5000 + b"\n", None), ("CSV", b"ans,modules\n", "line 2, column 1"),
    ):  # fmt: skip
        yield _one(f"line: {what}", {name: good + bad + good}, "C612", file, None if what == "two on a line" else place)
    yield _one("a line of two megabytes", {name: b'{"ans": "' + b"x" * (2 << 20) + b'"}\n'}, "C612", file, "line 1")
    yield _one("an empty line", {name: good + b"\n" + good}, "C613", file, "line 2")
    yield _one("blanks for a line", {name: good + b"  \n" + good}, "C613", file, "line 2")
    for what in ("ans", "modules"):
        yield _one(f"without {what}", {name: good * 2 + line("wordseg-weibo", **{what: ...})}, "C614", file, "line 3")
    yield _one("too few lines", {name: good * 2}, "C622", file)
    yield _one("too many lines", {name: good * 4}, "C622", file)
    yield _one("other lengths", {"wordseg-weibo/3.jsonl": good * 2}, "C623", f"{TOP}/wordseg-weibo/3.jsonl", compared=False,
               also=("C624",))  # fmt: skip
    yield _one("not as published", {name: good * 8000}, "C624", file, compared=False, also=("C634",))
    faulty = line("cmeee", entities=[{}] * 5000) * 300
    yield _one("nothing but faults", {"cmeee/12.jsonl": faulty}, "C629", f"{TOP}/cmeee/12.jsonl", "line 5",
               also=("C614", "C622"))  # fmt: skip
    yield _one("no end", {name: good * 100_002}, "C627", file, "line 100001", also=("C622",))


def _values() -> Iterator[Case]:
    def bad(task: str, name: str, code: str, place: str, **values: Any) -> Case:
        data = line(task) + line(task, **values) + line(task)
        return _one(f"{task}: {name}", {f"{task}/12.jsonl": data}, code, f"{TOP}/{task}/12.jsonl", f"line 2, {place}")

    for task, record in LINES.items():
        yield bad(task, "null", "C628", next(iter(record)), **{next(iter(record)): None})
    for value in (4, -1, "0", 1.0, True, [0]):
        yield bad("ccpm", f"answer {value!r}", "C617", "answer", answer=value)
    for value in ("Finance", "财经", "", "politics"):
        yield bad("chnc", f"label {value!r}", "C616", "label", label=value)
    for value in (6, ["finance"]):
        yield bad("chnc", f"label {value!r}", "C615", "label", label=value)
    entity = {"start_idx": 0, "end_idx": 1, "type": "sym", "entity": "天气"}
    for name, code, change in (
        ("type", "C616", {"type": "disease"}), ("type is a number", "C615", {"type": 3}), ("start is a text", "C615", {"start_idx": "0"}),
        ("turned", "C618", {"start_idx": 2, "end_idx": 0}), ("before", "C618", {"start_idx": -1}), ("behind", "C618", {"end_idx": 4}),
        ("another text", "C620", {"entity": "天"}), ("bytes", "C618", {"start_idx": 6, "end_idx": 11}),
    ):  # fmt: skip
        yield bad("cmeee", name, code, "entities[0]", entities=[entity | change])
    yield bad("cmeee", "no end", "C614", "entities[0]", entities=[{key: entity[key] for key in ("start_idx", "type")}])
    yield bad("cmeee", "no object", "C615", "entities[1]", entities=[entity, "天气"])
    yield bad("cmeee", "no list", "C615", "entities", entities={"start_idx": 0})
    yield bad("cmeee", "a hundred thousand", "C615", "entities", entities=[{}] * 100_000)
    yield bad("cmeee", "twice", "C619", "entities", entities=[entity, entity])
    yield bad("pku-segpos", "overlap", "C619", "span_list", span_list=[*TAGS, {"start": 1, "end": 3, "type": "n"}])
    yield bad("pku-segpos", "tag", "C616", "span_list[0]", span_list=[{"start": 0, "end": 2, "type": "NN"}])
    yield bad(
        "pku-segpos", "a tag of the data", "C630", "span_list[0]", span_list=[{"start": 0, "end": 2, "type": "nx"}]
    )
    yield bad("pku-segpos", "empty word", "C618", "span_list[0]", span_list=[{"start": 0, "end": 0, "type": "n"}])
    yield bad("pku-segpos", "behind", "C618", "span_list[1]", span_list=[TAGS[0], {"start": 2, "end": 5, "type": "n"}])
    yield bad("pku-segpos", "a text", "C615", "span_list", span_list="天气/n")
    yield bad("wordseg-weibo", "a list", "C615", "ans", ans=["天气", "很好"])
    yield bad("wordseg-weibo", "unknown word", "C621", "ans[2]", ans="天气 [UNK]")
    yield bad("wordseg-weibo", "cut", "C621", "ans[3]", ans="天气 很")


def _modules() -> Iterator[Case]:
    file, name = f"{TOP}/chnc/12.jsonl", "chnc/12.jsonl"
    for value, place in (
        ("", "[0]"), ("emb;layer_1", "[0]"), ("(21)emb", "[4]"), ("(21),", "[5]"), ("(a),emb", "[1]"), ("(21),emb;", "[9]"),
        ("(21),emb,(21,768),layer_1", "[8]"), ("(21, 768),layer_1", "[4]"), ("(0),emb", "[1]"), ("()emb", "[1]"), ("(21),emb;;(2),x", "[9]"),
    ):  # fmt: skip
        data = line("chnc") * 2 + line("chnc", modules=value)
        yield _one(f"modules {value!r}", {name: data}, "C625", file, f"line 3, modules{place}")
    for value in (None, 3, ["emb"]):
        yield _one(
            f"modules {value!r}",
            {name: line("chnc") * 2 + line("chnc", modules=value)},
            "C615",
            file,
            "line 3, modules",
        )
    other = line("chnc") * 2 + line("chnc", modules=MODULES + ";(8),exit_1")
    yield _one("a module that is not there", {name: other}, "C626", file, "line 3, modules")


def _code() -> Iterator[Case]:
    file, name = f"{TOP}/ccpm/model_to_eval.py", "ccpm/model_to_eval.py"
    for what, code in {
        "no Python": b"module_list = {", "Python 2": b"print 'x'\n", "tabs": b"if 1:\n\tx=1\n        y=2\n",
        "brackets": b"(" * 100_000, "signs": b"-" * 90_000 + b"1", "dots": b"a" + b".a" * 60_000, "sums": b"1" + b"+1" * 60_000,
        "calls": b"a" + b"()" * 60_000, "a long number": b"x = " + b"9" * 9000,
    }.items():  # fmt: skip
        yield _one(f"code: {what}", {name: code}, "C631", file, None, also=("C611", "C632", "C633"))
    yield _one("code: Latin", {name: "# café\n".encode("latin-1") + CODE}, "C611", file, "line 1")
    yield _one("code: NUL", {name: b"x = '\0'\n"}, "C611", file, "line 1")
    yield _one("code: no list", {name: b"entire_model = 1\n"}, "C632", file)
    yield _one(
        "code: a list in a function", {name: b"entire_model = 1\ndef f():\n    module_list = {}\n"}, "C632", file
    )
    yield _one("code: no model", {name: b"module_list = {'emb': 1, 'layer_1': 1, 'classifier': 1}\n"}, "C633", file)
    yield _one("parameters not counted", {}, "C634", NAME)

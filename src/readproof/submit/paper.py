"""The Word documents of a submission: how to run the model, what is declared, and the registration form."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from readproof.errors import MissingExtraError
from readproof.submit.about import TEAM, TeamStatement
from readproof.submit.gcrc import TRACKS, Track
from readproof.submit.zipping import write_zip

if TYPE_CHECKING:
    from docx.document import Document as Word

_BODY, _HEAD, _CODE = ("宋体", "Times New Roman"), ("黑体", "Arial"), ("等线", "Consolas")
_DECLARATIONS = {
    "no_large_model": "在数据处理、模型训练和预测的任何阶段均未使用大模型（封闭赛道）。",
    "no_manual_labels": "未对测试集进行任何人工标注。",
    "no_construction_rules": "未利用正、负对抗选项的构造规则修正答案。",
    "reproducible": "所提交的模型真实可复现，愿意协助评测组织者验证结果。",
}


@dataclass(frozen=True, slots=True)
class Facts:
    """What the run knows, for the document."""

    track: Track
    reader: str
    parameters: str
    fingerprint: str
    rows: int
    independent: bool | None
    files: Sequence[tuple[str, int, str]]
    environment: Sequence[str]
    steps: Sequence[tuple[str, str]]
    prompts: Sequence[Mapping[str, Any]] = ()
    notes: Sequence[str] = ()


def model_document(facts: Facts, about: TeamStatement) -> bytes:
    """GCRC_advRobust.docx: how the model is run, with the declarations that the rules ask for."""
    word = _new("GCRC_advRobust 模型说明文档")
    _table(
        word,
        [
            ("参赛队名", about.team.get("team") or open_place("参赛队名")),
            ("单位名称", about.team.get("organisation") or open_place("单位名称")),
            ("参赛赛道", TRACKS[facts.track]),
            ("模型", facts.reader or open_place("模型名称")),
            ("参数量", facts.parameters or open_place("参数量")),
            ("权重指纹", facts.fingerprint or "—"),
            ("结果文件", f"GCRC_advRobust.json，{facts.rows} 条（UTF-8，格式与验证集一致）"),
        ],
    )
    _heading(word, "1 运行环境")
    _lines(word, [line for line in about.texts.get("environment", "").split("\n") if line.strip()])
    _lines(word, facts.environment)
    _heading(word, "2 模型文件（model.zip）")
    if facts.files:
        _table(
            word, [(name, f"{size:,} 字节", digest) for name, size, digest in facts.files], ("文件", "大小", "SHA-256")
        )
    _heading(word, "3 运行与调试流程")
    if about.texts.get("steps") or not facts.steps:
        _lines(word, (about.texts.get("steps") or open_place("运行步骤")).split("\n"))
    else:
        _steps(word, facts.steps)
    _heading(word, "4 方法说明")
    _lines(word, (about.texts.get("method") or open_place("方法说明")).split("\n"))
    _lines(word, facts.notes)
    if facts.independent is not None:
        asked = (
            "原始题目、正对抗题目和负对抗题目分别独立作答。" if facts.independent else "同一样例的三个题目一并提问。"
        )
        _lines(word, [asked])
    number = 5
    if facts.track == "open":
        _heading(word, f"{number} 提示词（prompt）")
        _prompts(word, facts.prompts)
        number += 1
    _heading(word, f"{number} 声明")
    _declare(word, facts.track, about)
    return _bytes(word)


def registration_form(about: TeamStatement) -> bytes:
    """The registration form with its nine fields."""
    word = _new("CCL23-Eval 汉语高考阅读理解对抗鲁棒评测报名表")
    values = about.of_form()
    _table(word, [(name, values.get(name) or open_place(name)) for name in TEAM.values()])
    _lines(word, ["每名参赛选手只能参加一支队伍；数据集仅用于非盈利性科学研究。"])
    return _bytes(word)


def open_place(what: str) -> str:
    """A place that the team must fill in; a check reports it."""
    return f"【待填写：{what}】"


def _declare(word: Word, track: Track, about: TeamStatement) -> None:
    external = about.texts.get("external_data") or open_place("外部数据")
    _lines(word, [f"外部数据：{external}"])
    for key, sentence in _DECLARATIONS.items():
        if key == "no_large_model" and track == "open":
            continue
        said = about.declared.get(key)
        _lines(word, [f"本队声明：{sentence}" if said else f"{open_place('声明')}{sentence}"])


def _prompts(word: Word, prompts: Iterable[Mapping[str, Any]]) -> None:
    found = list(prompts)
    if not found:
        _lines(word, [open_place("提示词设计策略")])
    for one in found:
        for key, value in one.items():
            shown = value if isinstance(value, str) else str(value)
            if "\n" in shown or len(shown) > 60:
                _lines(word, [f"{key}："])
                _code(word, shown)
            else:
                _lines(word, [f"{key}：{shown}"])


def _steps(word: Word, steps: Sequence[tuple[str, str]]) -> None:
    for number, (sentence, command) in enumerate(steps, start=1):
        _lines(word, [f"（{number}）{sentence}"])
        if command:
            _code(word, command)


def _new(title: str) -> Word:
    try:
        import docx
        from docx.enum.text import WD_ALIGN_PARAGRAPH
        from docx.shared import Cm, Pt, RGBColor
    except ImportError:
        raise MissingExtraError("python-docx", "submit") from None
    word = docx.Document()
    section = word.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.5)
    section.top_margin = section.bottom_margin = Cm(2.3)
    for name, (chinese, latin), points in (("Normal", _BODY, 11), ("Title", _HEAD, 18), ("Heading 1", _HEAD, 13)):
        style: Any = word.styles[name]
        style.font.name, style.font.size = latin, Pt(points)
        style.font.color.rgb = RGBColor(0, 0, 0)
        _fonts(style.element.get_or_add_rPr(), chinese, latin)
    _speak_chinese(word)
    core = word.core_properties
    core.author, core.title, core.comments = "", title, ""
    head = word.add_paragraph(title, style="Title")
    head.alignment = WD_ALIGN_PARAGRAPH.CENTER
    return word


def _speak_chinese(word: Word) -> None:
    """Signs are set as in mainland China; the template says American English even of Chinese."""
    from docx.oxml.ns import qn

    for language in word.styles.element.iter(qn("w:lang")):
        language.set(qn("w:eastAsia"), "zh-CN")


def _fonts(properties: Any, chinese: str, latin: str) -> None:
    """Word takes Chinese letters from the font named for East Asia; themes would win over it."""
    from docx.oxml.ns import qn

    fonts = properties.get_or_add_rFonts()
    for key in list(fonts.attrib):
        if key.endswith("Theme"):
            del fonts.attrib[key]
    fonts.set(qn("w:eastAsia"), chinese)
    fonts.set(qn("w:ascii"), latin)
    fonts.set(qn("w:hAnsi"), latin)


def _heading(word: Word, text: str) -> None:
    word.add_paragraph(text, style="Heading 1")


def _lines(word: Word, lines: Iterable[str]) -> None:
    from docx.shared import Pt

    for line in lines:
        paragraph = word.add_paragraph(line.strip())
        paragraph.paragraph_format.space_after = Pt(4)


def _code(word: Word, text: str) -> None:
    """Commands and prompts as they stand: a narrow grey block, a line a paragraph."""
    from docx.shared import Cm, Pt, RGBColor

    for line in text.split("\n"):
        paragraph = word.add_paragraph()
        paragraph.paragraph_format.left_indent = Cm(0.8)
        paragraph.paragraph_format.space_after = Pt(2)
        run = paragraph.add_run(line)
        run.font.size = Pt(9.5)
        run.font.color.rgb = RGBColor(0x33, 0x33, 0x33)
        run.font.name = _CODE[1]
        _fonts(run._element.get_or_add_rPr(), *_CODE)


def _table(word: Word, rows: Sequence[Sequence[str]], heads: Sequence[str] = ()) -> None:
    from docx.shared import Cm, Pt

    every = [list(heads), *map(list, rows)] if heads else list(map(list, rows))
    widths = {2: (4.0, 12.0), 3: (6.0, 3.5, 6.5)}[len(every[0])]
    table = word.add_table(rows=0, cols=len(widths), style="Table Grid")
    table.autofit = False
    for column, width in zip(table.columns, widths, strict=True):
        column.width = Cm(width)
    for number, row in enumerate(every):
        cells = table.add_row().cells
        for at, (cell, text) in enumerate(zip(cells, row, strict=True)):
            cell.width = Cm(widths[at])
            paragraph = cell.paragraphs[0]
            paragraph.paragraph_format.space_before = paragraph.paragraph_format.space_after = Pt(2)
            run = paragraph.add_run(text)
            run.font.size = Pt(10)
            run.bold = (bool(heads) and number == 0) or (not heads and at == 0)
    word.add_paragraph().paragraph_format.space_after = Pt(0)


def _bytes(word: Word) -> bytes:
    """The document with dates left out, so that the same facts give the same bytes; no preview picture."""
    saved = io.BytesIO()
    word.save(saved)
    out = io.BytesIO()
    with zipfile.ZipFile(saved) as archive:
        write_zip(out, {name: archive.read(name) for name in archive.namelist()})
    return out.getvalue()

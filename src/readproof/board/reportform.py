"""The form of a system report as a Word document: the headings that organisers want to read something under."""

from __future__ import annotations

import io

from readproof.board.definition import Competition
from readproof.board.words import Refusal
from readproof.reports.labels import Label

_PARTS = (
    (
        Label("Team and track", "队伍与赛道"),
        Label("Name, members, track, submission.", "队名、成员、赛道、对应的提交。"),
    ),
    (
        Label("Method", "方法说明"),
        Label("Models with their sizes, training, prediction.", "模型及参数量、训练与预测方法。"),
    ),
    (
        Label("Data processing", "数据处理"),
        Label(
            "What was done with the data, and external data with its sources.", "数据的处理方式，以及外部数据及来源。"
        ),
    ),
    (
        Label("Tools", "开源工具"),
        Label(
            "Code and tools of others; large models and how they were prompted.",
            "所用开源代码、工具；所用大模型及 prompt。",
        ),
    ),
    (
        Label("How to run it", "运行说明"),
        Label("From the files to the submitted predictions, step by step.", "从文件到提交结果的完整运行步骤。"),
    ),
    (Label("References", "参考文献"), Label("", "")),
)


def report_form(competition: Competition) -> bytes:
    """One document in both languages."""
    try:
        from docx import Document
    except ImportError:
        raise Refusal("refused.no-docx", 503) from None
    made = Document()
    made.add_heading(competition.title.zh, 0)
    if competition.title.en != competition.title.zh:
        made.add_paragraph(competition.title.en)
    for title, about in _PARTS:
        made.add_heading(f"{title.zh} · {title.en}", 1)
        for text in (about.zh, about.en):
            if text:
                made.add_paragraph(text)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()

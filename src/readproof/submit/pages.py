"""A page for every code, out of codes.toml: `python -m readproof.submit.pages FOLDER` writes them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from readproof.reports.labels import LANGUAGES, Label, Language
from readproof.submit.lines import LABELLED, beyond, published
from readproof.submit.problems import Code, codes

_LEVELS = {
    "error": Label("error: the package is refused", "错误：提交包不予接受"),
    "warning": Label("warning: the package is not refused for it", "警告：不因此拒收"),
}
_HEADS = {
    "found": Label("Found", "发现"),
    "expected": Label("Expected", "应为"),
    "why": Label("Why", "原因"),
    "do": Label("What to do", "如何修改"),
}
# the codes whose pages tell all labels
_LABELS = ("C616", "C630")
_BELOW = Label("the labels below", "下列标签")
_LISTS: Mapping[Label, Callable[[str], tuple[str, ...]]] = {
    Label("Labels of {task}", "{task} 的标签"): published,
    Label("Only in data of {task} (C630)", "仅见于 {task} 的数据（C630）"): beyond,
}


def page(code: Code) -> str:
    """The page of a code, as it lies in docs/codes."""
    level = _LEVELS[code.level]
    parts = [f"# {code.code}: {code.title.en} · {code.title.zh}"]
    for language in LANGUAGES:
        rows = [f"- **{head.of(language)}**: {getattr(code, name).of(language)}" for name, head in _HEADS.items()]
        if code.code in _LABELS:
            rows = [row.replace("{labels}", _BELOW.of(language)) for row in rows] + _labels(language)
        parts.append(f"## {'English' if language == 'en' else '中文'}\n\n{level.of(language)}\n\n" + "\n".join(rows))
    return _single("\n\n".join(parts)) + "\n"


def _labels(language: Language) -> list[str]:
    """A row for each list of labels that is not empty."""
    return [
        f"- **{head.of(language).format(task=task)}**: {', '.join(found)}"
        for head, labels_of in _LISTS.items()
        for task in LABELLED
        if (found := labels_of(task))
    ]


def _single(text: str) -> str:
    return text.replace("{{", "{").replace("}}", "}")


def index(every: Iterable[Code]) -> str:
    """The list of all pages."""
    rows = [f"| [{one.code}]({one.code}.md) | {one.level} | {one.title.en} | {one.title.zh} |" for one in every]
    head = (
        "# Codes of `readproof check`\n\n"
        "Generated from `src/readproof/submit/codes.toml` by `python -m readproof.submit.pages docs/codes`; "
        "a test keeps them in step. A code keeps its meaning. `readproof check --explain CODE` prints a page.\n\n"
        "| code | level | what | 含义 |\n|---|---|---|---|"
    )
    return "\n".join([head, *rows]) + "\n"


def pages() -> dict[str, str]:
    """All pages by the names of their files."""
    return {"README.md": index(codes().values())} | {f"{one.code}.md": page(one) for one in codes().values()}


def write_pages(folder: Path) -> None:
    """All pages into a folder."""
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))

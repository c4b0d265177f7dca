"""Pages that are made, and lists that are repeated, are what the code says now."""

from __future__ import annotations

import re

import nbformat

from readproof.attacks import ATTACKS
from readproof.cli.main import COMMANDS
from readproof.tasks import TASKS
from tests.docs.pages import DOCS, ROOT
from tools import gallery, notebook


def test_the_gallery_shows_what_the_attacks_make() -> None:
    page = gallery.PAGE.read_text(encoding="utf-8")
    assert page == gallery.page(), "python tools/gallery.py writes it anew"
    assert re.findall(r"^## (.+)$", page, flags=re.M) == ATTACKS.names()
    for name in ("addany", "hotflip", "typo", "triples"):
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        assert "<ins>" in section, name


def test_the_page_of_the_notebook_is_the_notebook() -> None:
    kept = nbformat.read(notebook.NOTEBOOK, as_version=4)
    assert notebook.PAGE.read_text(encoding="utf-8") == notebook.page(kept), "python tools/notebook.py --page"


def test_every_task_is_on_the_tasks_page() -> None:
    page = (DOCS / "tasks.md").read_text(encoding="utf-8")
    for task in TASKS:
        metrics, languages = ", ".join(task.metrics), " ".join(task.languages)
        row = f"| `{task.name}` | {task.title} | {task.kind} | {languages} | {metrics} | {task.licence} |"
        assert row in page, row
        assert not task.citation or f"- `{task.name}`: {task.citation}" in page


def test_every_recipe_is_on_the_recipes_page() -> None:
    page = (DOCS / "recipes.md").read_text(encoding="utf-8")
    shipped = {path.stem for path in (ROOT / "src/readproof/training/recipes").glob("*.toml")}
    assert set(re.findall(r"^## (\S+)$", page, flags=re.M)) == shipped


def test_every_command_is_told_of_somewhere_in_the_docs() -> None:
    told = "\n".join(path.read_text(encoding="utf-8") for path in DOCS.glob("*.md"))
    assert not [name for name in COMMANDS if f"readproof {name}" not in told]


def test_every_figure_on_the_page_of_numbers_stands_where_it_is_told() -> None:
    """The page gathers; it measures nothing. Each figure of a row must be on the page that the row names."""
    page = (DOCS / "numbers.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?!what|---)(.+) \|$", page, flags=re.M)
    assert len(rows) > 30
    for row in rows:
        _, figure, _, where = row.split(" | ")
        link = re.search(r"\((.+?\.md)", where)
        file = DOCS / link[1] if link else ROOT / (where.strip("`") if "/" in where else "README.md")
        if not file.is_file():
            continue  # the link check tells
        text = file.read_text(encoding="utf-8")
        for number in re.findall(r"\d[\d,.]*\d|\d", figure.replace("U+200E", "")):
            assert number in text, f"{number} of {figure!r} is not in {file.name}"

"""The notebook of examples/ run anew, and docs/notebook.md written from it, so that both show what was really printed.

python tools/notebook.py          runs examples/tour.ipynb, keeps its outputs, writes the page
python tools/notebook.py --page   the page alone, from the outputs that are kept
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = ROOT / "examples/tour.ipynb"
PAGE = ROOT / "docs/notebook.md"
_SECONDS = 300

_HEAD = "<!-- written by tools/notebook.py from examples/tour.ipynb -->\n"


def run(path: Path = NOTEBOOK) -> Any:
    """The notebook with the outputs of a fresh run; nothing is written."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=_SECONDS, resources={"metadata": {"path": str(path.parent)}}).execute()
    for cell in notebook.cells:
        # when a cell ran is noise in every commit
        cell.metadata.pop("execution", None)
    return notebook


def printed(cell: Any) -> str:
    """What a cell printed; progress, which goes to standard error, is left out."""
    return "".join(one["text"] for one in cell.get("outputs", []) if one.get("name") == "stdout")


def page(notebook: Any) -> str:
    """The notebook as a page of the docs."""
    parts = [_HEAD]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source + "\n")
        else:
            parts.append(f"```python\n{cell.source}\n```\n")
            if text := printed(cell):
                parts.append(f"```text\n{text.rstrip()}\n```\n")
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", action="store_true", help="write the page only")
    given = parser.parse_args()
    notebook = nbformat.read(NOTEBOOK, as_version=4) if given.page else run()
    if not given.page:
        nbformat.write(notebook, NOTEBOOK)
    PAGE.write_text(page(notebook), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()

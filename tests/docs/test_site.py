"""The docs site: it builds without a warning, links and anchors lead somewhere, nothing is loaded from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import yaml

from tests.docs.pages import DOCS, ROOT, pages

# what a page loads by itself; a link that a person may follow is another thing
_LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


class Page(HTMLParser):
    """What a page of the site loads, links to, and can be jumped to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if _LOADS.get(tag) in given:
            self.loads.append(given[_LOADS[tag]])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        self.anchors |= {given[name] for name in ("id", "name") if name in given}


def test_links_and_anchors_lead_somewhere(site: Path) -> None:
    seen = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    assert len(seen) > 50
    broken = []
    for path, page in seen.items():
        if path.name == "404.html":  # its links begin at the root of a server
            continue
        for link in (*page.links, *page.loads):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            known = seen[target].anchors if target in seen else set()
            if not target.is_file() or (parts.fragment and unquote(parts.fragment) not in known):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert not broken, "\n".join(sorted(set(broken)))


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        loads = Page(text).loads
        assert not [one for one in loads if re.match(r"(?:https?:)?//", one)], path
        assert "unpkg.com" not in text and "googleapis" not in text, path
    for path in site.rglob("*.css"):
        assert not re.search(r"url\(\s*['\"]?(?:https?:)?//", path.read_text(encoding="utf-8")), path


def test_the_api_pages_have_docstrings_and_the_search_knows_both_languages(site: Path) -> None:
    assert "Prove that a reader reads" in (site / "api/prove.html").read_text(encoding="utf-8")
    index = (site / "search.json").read_text(encoding="utf-8")
    assert "加固" in index and "sanitiser" in index


def test_every_page_is_in_the_navigation_or_linked_from_a_list() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    named = set(re.findall(r"[\w./-]+\.md", str(yaml.safe_load(text)["nav"])))
    there = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert named <= there, named - there
    assert {one for one in there - named if not re.fullmatch(r"codes/[A-Z]\d+\.md", one)} == set()


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_the_sources_lead_to_files(page: Path) -> None:
    """As they are read in the repository, where there is no site."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"(?<!\\)\]\(([^)#:\s]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), target


def test_the_site_is_usable_in_a_browser_from_a_disk(site: Path, browser: Any) -> None:
    """Phone and desk: no sideways scrolling, no request that leaves the folder, a search in Chinese."""
    asked: list[str] = []
    for width in (390, 1280):
        # closed when it was seen: a page left open is drawn again and again while other tests run
        with browser.new_page(viewport={"width": width, "height": 900}) as view:
            view.on("request", lambda request: asked.append(request.url))
            for name in ("index.html", "first-steps.zh.html", "numbers.html", "attacks/gallery.html"):
                view.goto((site / name).as_uri())
                wide = view.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, f"{name} is {wide} px wide on {width}"
            if width > 1000:
                view.keyboard.press("Control+k")
                view.keyboard.type("加固")
                view.get_by_text("会上当的阅读器").first.wait_for(timeout=15_000)
    assert not [url for url in asked if not url.startswith(("file:", "data:", "blob:", "about:"))]

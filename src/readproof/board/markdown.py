"""Markdown as people write it, and HTML in which nothing of theirs can act."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

_TAGS = {
    "p", "br", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "hr", "a", "h3", "h4", "h5", "h6",
    "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip


@lru_cache(maxsize=256)
def rendered(text: str) -> Markup:
    """HTML of a text: no tags of its own, no scripts, no pictures; headings begin below the page's own."""
    import nh3
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    tokens = made.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
    html = made.renderer.render(tokens, made.options, {})
    clean = nh3.clean(
        html,
        tags=_TAGS,
        attributes={"a": {"href"}, "th": set(), "td": set()},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener noreferrer",
    )
    return Markup(clean)

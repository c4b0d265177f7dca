"""What an endpoint's reply says: its text, the tokens it might have begun with, what it cost in tokens."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from readproof.items import LETTERS

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL)
# "timings" is what llama.cpp says of its own work
_KEPT = ("choices", "usage", "timings")
# how long the server took, kept with its reply
SECONDS = "seconds"


def checked(body: Any) -> dict[str, Any] | None:
    """The part of a reply that is kept; None where it is no reply at all."""
    if not isinstance(body, dict) or "error" in body:
        return None
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict) or _text(choices[0]) is None:
        return None
    return {name: body[name] for name in _KEPT if name in body}


def text_of(reply: Mapping[str, Any]) -> str:
    """What was said, without the thoughts that some models speak aloud first."""
    said = _text(reply["choices"][0]) or ""
    if "</think>" in said and "<think>" not in said:
        # some chat templates put the opening mark into the prompt
        said = said.rpartition("</think>")[2]
    return _THOUGHT.sub("", said).strip()


def first_tokens(reply: Mapping[str, Any]) -> dict[str, float] | None:
    """The tokens that the answer might have begun with and their log-probabilities; None where none were given."""
    given = reply["choices"][0].get("logprobs")
    if not isinstance(given, dict):
        return None
    content, plain = given.get("content"), given.get("top_logprobs")
    if isinstance(content, list) and content and isinstance(content[0], dict):
        pairs = [(one.get("token"), one.get("logprob")) for one in _objects(content[0].get("top_logprobs"))]
    elif isinstance(plain, list) and plain and isinstance(plain[0], dict):
        pairs = list(plain[0].items())
    else:
        return None
    found: dict[str, float] = {}
    for token, value in pairs:
        if isinstance(token, str) and isinstance(value, int | float) and not isinstance(value, bool):
            # bytes that are no character look alike: the likeliest stands for them
            found[token] = max(float(value), found.get(token, float("-inf")))
    return found


def tokens_of(reply: Mapping[str, Any]) -> tuple[int, int]:
    """Tokens in and out, as the server counted them."""
    usage = reply.get("usage")
    if not isinstance(usage, dict):
        return 0, 0
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    given, made = (count if isinstance(count, int) and count > 0 else 0 for count in counts)
    return given, made


def reused_in(reply: Mapping[str, Any]) -> int:
    """Of the tokens in, those that the server had read before and kept: its prefix cache."""
    usage = reply.get("usage")
    if not isinstance(usage, dict):
        return 0
    details = usage.get("prompt_tokens_details")
    found = details.get("cached_tokens") if isinstance(details, dict) else usage.get("prompt_cache_hit_tokens")
    return found if isinstance(found, int) and found > 0 else 0


def withheld(reply: Mapping[str, Any]) -> bool:
    """Whether the model, or a filter of its provider, refused to answer."""
    choice = reply["choices"][0]
    message = choice.get("message")
    declined = isinstance(message, dict) and bool(message.get("refusal"))
    return declined or choice.get("finish_reason") in ("content_filter", "sensitive")


def cut_off(reply: Mapping[str, Any]) -> bool:
    """Whether the reply ended because it was long enough."""
    return bool(reply["choices"][0].get("finish_reason") == "length")


def _text(choice: Mapping[str, Any]) -> str | None:
    message = choice.get("message")
    if isinstance(message, dict):
        content = message.get("content")
        # null where a model thought until its tokens were spent
        return "" if content is None else content if isinstance(content, str) else None
    text = choice.get("text")
    return text if isinstance(text, str) else None


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


# The letter that a reply settles on. What does not say so plainly gives None: it is counted, never guessed.
#
# Statements ("答案是B", "故选C", "The answer is D", a boxed letter) are found anywhere, and the last one wins; a reply
# without one counts only if it is nothing but a letter, begins with one as an option does, or is an option's own text.


_MARKUP = re.compile(r"\*+|__+|`+|\$+|~~|</?(?:b|i|strong|em|u)>|\\(?:text|mathrm|mathbf|textbf|rm)(?=\{)|<\|[^|>]*\|>")
_BRACES = re.compile(r"(?<!boxed)\{([A-Za-z])\}")
_OPEN = r"[(\[{<「『【《\"'“‘]?[ \t]*"
# our own prompts say 答案（A/B/C/D）：, and a model may repeat it
_HINT = r"(?:\s*\([A-Z](?:[/、,][A-Z])+\))?"
_SHUT = r"\s*[)\]}>」』】》\"'”’]?"
# between a letter and what follows it: nothing, punctuation, or a word that may follow a chosen letter
_AFTER_LETTER = (
    r"(?=$|[\s.。,，;；:：!！?？、)\]}>」』】》\"'”’（(/|-]|选|選|项|項|是|为|為|因|正确|正確|符合|最|和|与|或|还是|及)"
)
_LETTER = rf"{_OPEN}(?P<letter>[A-Za-z]){_AFTER_LETTER}"
# 不选B, 若选B, 错选B, 不应选B, 很多同学选B
_NOT_BEFORE = r"(?<![不别別勿没沒未非若误誤错錯])" + "".join(
    f"(?<!{word})"
    for word in (
        "如果",
        "假如",
        "假设",
        "能否",
        "不能",
        "不应",
        "不會",
        "不会",
        "不该",
        "不可",
        "不要",
        "同学",
        "考生",
        "学生",
    )
)

# each with one group `letter`; what stands before the letter makes it the answer
_STATEMENTS = [
    re.compile(pattern)
    for pattern in (
        r"\\boxed\s*\{\s*" + _LETTER,
        # 答案：B · 答案是B · 正确答案应为选项 B · 最佳选项是C · 答案选D
        rf"(?:答案{_HINT}|正确选项|正確選項|最佳选项|最终选项|最终选择|我的选择|正确的选项)"
        r"(?:应该|应当|應該|應當|应|應|就|可能|只能)?(?:是|为|為|选择|選擇|选|選)?\s*[:：]?\s*(?:选项|選項)?\s*"
        + _LETTER,
        # not over the end of a line: there the options of a repeated question begin
        r"(?:正确的一项是|正确的是|符合题意的是)[ \t]*[:：]?[ \t]*(?:选项)?" + _LETTER,
        # 选B · 故选C · 应选D · 选择 A
        _NOT_BEFORE + r"(?:选择|選擇|选|選)(?:的是|了|为|為)?\s*[:：]?\s*(?:选项|選項)?\s*" + _LETTER,
        # The answer is B · Answer: (C) · the correct option would be D
        rf"(?i:\b(?:answer{_HINT}|(?:correct|right|best|final)\s+(?:option|choice|one)|my\s+choice))"
        r"(?i:\s+(?:is|should\s+be|must\s+be|would\s+be|will\s+be))?\s*[:：=]?\s*(?i:option\s+|choice\s+|letter\s+)?"
        + _LETTER,
        # I choose B · I would go with option C
        r"(?i:\bI(?:'ll|'d|\s+will|\s+would)?\s+(?:choose|select|pick|go\s+with|answer))\s*[:：]?\s*(?i:option\s+)?"
        + _LETTER,
        r"(?:پاسخ|جواب)(?:\s+(?:درست|صحیح|نهایی))?\s*[:：]?\s*(?:گزینه\S*)?\s*" + _LETTER,
    )
]
# B是正确答案 · B项符合题意 · B is the correct answer
_BACKWARDS = [
    re.compile(pattern)
    for pattern in (
        rf"(?<![A-Za-z0-9])(?P<letter>[A-Z]){_SHUT}\s*(?:选项|選項|项|項)?\s*(?:就是|才是|是|为|為)\s*(?:本题的?|此题的?)?"
        r"(?:正确|正確|最终|最佳)?的?(?:答案|正确选项|正確選項)(?!吗|之一)",
        rf"(?<![A-Za-z0-9])(?P<letter>[A-Z]){_SHUT}\s*(?:选项|選項|项|項)?\s*符合题意",
        rf"(?<![A-Za-z0-9])(?P<letter>[A-Z]){_SHUT}\s+is\s+the\s+(?:correct|right|best)\s+(?:answer|option|choice)\b",
    )
]
_ANOTHER = re.compile(rf"{_SHUT}\s*(?:[、,，/&和与或及]|还是|以及|and\b|or\b)\s*{_OPEN}[A-Za-z](?![A-Za-z0-9])")
_ONE_MORE = re.compile(r"(?<![A-Za-z0-9])[A-Z]\s*(?:[、,，/&和与或及]|and|or)\s*$")
_ARTICLE = re.compile(r"[ \t]+(?!because|since|as\b|is\b|which|for\b|due|and\b|or\b|\()[a-z]")
_ALONE = re.compile(
    rf"(?:选项|選項|(?i:option|choice)\s+)?\s*{_OPEN}([A-Za-z]){_SHUT}\s*(?:选项|選項|项|項)?[\s.。,，;；:：!！)）]*"
)
_LEADS = re.compile(
    rf"^[ \t>#-]*(?:{_OPEN}([A-Z])\s*[)\].。、:：,，．]|[(\[]([A-Z])[)\]])(?!\s*[A-Z](?![A-Za-z]))", re.M
)
_EDGES = " \t\r\n.。,，;；:：!！?？\"'“”‘’「」『』【】()"


class _Said(NamedTuple):
    """Where a statement ends, and the option it names; None where it names none, or two."""

    end: int
    choice: int | None


def letter_of(reply: str, options: Sequence[str]) -> int | None:
    """The number of the option that a reply settles on, from 0; None where it does not."""
    text = plain(reply)
    statements = sorted(_statements(text, options))
    if statements:
        return statements[-1].choice
    rows = [row for row in text.split("\n") if row.strip()]
    if not rows:
        return None
    for row in (rows[-1], rows[0]):
        found = _ALONE.fullmatch(row.strip())
        if found:
            return _index(found[1], len(options))
    for row in (text, rows[-1], rows[0]):
        same = [at for at, option in enumerate(options) if _same(row, option)]
        if len(same) == 1:
            return same[0]
    leads = {first or second for first, second in _LEADS.findall(text)}
    return _index(leads.pop(), len(options)) if len(leads) == 1 else None


def plain(reply: str) -> str:
    """Full-width letters as ASCII, without the marks of Markdown and TeX."""
    text = unicodedata.normalize("NFKC", reply)
    return _BRACES.sub(r"\1", _MARKUP.sub("", text)).strip()


def _statements(text: str, options: Sequence[str]) -> Iterator[_Said]:
    for pattern in _STATEMENTS:
        for found in pattern.finditer(text):
            yield from _judged(text, found, len(options))
    for pattern in _BACKWARDS:
        for found in pattern.finditer(text):
            two = _ONE_MORE.search(text[max(0, found.start() - 8) : found.start()])
            yield _Said(found.end(), None if two else _index(found["letter"], len(options)))
    yield from _quoted(text, options)


def _judged(text: str, found: re.Match[str], count: int) -> Iterator[_Said]:
    """A statement with its letter, if that is a letter and no word, and the only one named."""
    end = found.end("letter")
    before = text[found.start("letter") - 1 : found.start("letter")]
    if before.isascii() and before.isalnum():
        return
    if _ANOTHER.match(text, end):
        yield _Said(end, None)
        return
    # "the answer is a city", "Answer: A man": an article
    if found["letter"] in "aAI" and _ARTICLE.match(text, end):
        return
    if found["letter"].islower() and re.match(r"[ \t]+[A-Za-z]|['’\-]", text[end : end + 8]):
        return
    yield _Said(end, _index(found["letter"], count))


_MARKER = re.compile(
    r"(?:答案|选择|选项|(?i:\banswer|\bchoice|\boption))(?:应该|应)?\s*(?:是|为|(?i:is\b))?\s*[:：]?\s*"
)


def _quoted(text: str, options: Sequence[str]) -> Iterator[_Said]:
    """答案是“北京大学”: an option named by its text, up to the end of its line or sentence."""
    for found in _MARKER.finditer(text):
        rest = text[found.end() :].split("\n", 1)[0]
        same = [at for at, option in enumerate(options) if _begins(rest, option)]
        longest = max((len(options[at]) for at in same), default=0)
        same = [at for at in same if len(options[at]) == longest]
        if len(same) == 1:
            yield _Said(found.end() + 1, same[0])


def _begins(rest: str, option: str) -> bool:
    wanted = plain(option).strip(_EDGES)
    rest = rest.lstrip(_EDGES)
    if len(wanted) < 2 or not rest.casefold().startswith(wanted.casefold()):
        return False
    after = rest[len(wanted) :]
    return not after or after[0] in _EDGES


def _same(said: str, option: str) -> bool:
    wanted = plain(option).strip(_EDGES).casefold()
    return bool(wanted) and said.strip(_EDGES).casefold() == wanted


def _index(character: str, count: int) -> int | None:
    at = LETTERS.index(character.upper())
    return at if at < count else None

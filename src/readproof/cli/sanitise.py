"""`readproof sanitise`: take what is invisible out of a text, and say what was there and where."""

from __future__ import annotations

import shlex
import sys
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from readproof.cli._output import Json, print_json, say, until_closed
from readproof.errors import InputError
from readproof.items import Edit
from readproof.text import Text, normalised, sanitised

# What a cleaning changed, as lines for a person: each reason, how often, and the first places with a picture.


_REASONS = 12
_PLACES = 3
_AROUND = 8
_LONGEST = 6


def places(text: Text) -> Iterator[tuple[Edit, int, int]]:
    """Every change with its line and column in the raw text, counted from 1; a line ends with a line feed."""
    starts = [0, *(at + 1 for at, character in enumerate(text.raw) if character == "\n")] if text.edits else [0]
    for edit in text.edits:
        line = bisect_right(starts, edit.start)
        yield edit, line, edit.start - starts[line - 1] + 1


def report(text: Text) -> Iterator[str]:
    """A summary by reason, most frequent first; long lists are cut and say so."""
    if not text.edits:
        yield "Nothing to change."
        return
    reasons: dict[str, list[tuple[Edit, int, int]]] = {}
    for place in places(text):
        reasons.setdefault(place[0].why, []).append(place)
    ranked = sorted(reasons.items(), key=lambda pair: -len(pair[1]))
    total = len(text.edits)
    yield f"{total:,} {'change' if total == 1 else 'changes'} in {len(text.raw):,} characters"
    digits = max(len(f"{len(found):,}") for _, found in ranked)
    for why, found in ranked[:_REASONS]:
        yield f"{len(found):>{digits},}  {why}"
        for edit, line, column in found[:_PLACES]:
            yield f"{'':{digits}}    line {line}, column {column}: {picture(text.raw, edit)}"
        if len(found) > _PLACES:
            yield f"{'':{digits}}    … and {len(found) - _PLACES:,} more"
    if len(ranked) > _REASONS:
        rest = sum(len(found) for _, found in ranked[_REASONS:])
        yield f"… and {rest:,} changes for {len(ranked) - _REASONS:,} other reasons; --json lists them all"


def picture(raw: str, edit: Edit) -> str:
    """The change between what is seen around it, what is not seen by its code: 中⟨U+200E⟩国, a⟨U+3000→space⟩b."""
    before = raw[max(edit.start - _AROUND, 0) : edit.start]
    after = raw[edit.end : edit.end + _AROUND]
    new = f"→{_shown(edit.new)}" if edit.new else ""
    return f"{_context(before)}⟨{_shown(edit.old)}{new}⟩{_context(after)}"


def _shown(piece: str) -> str:
    names = [_code(character) or character for character in piece[:_LONGEST]]
    more = "…" if len(piece) > _LONGEST else ""
    return ("" if all(len(name) == 1 for name in names) else " ").join(names) + more


def _context(piece: str) -> str:
    """Only what is seen, so that the change stands out."""
    return sanitised(piece).clean.replace("\n", "⏎")


def _code(character: str) -> str:
    """The name of a character that would not be seen; empty for one that would."""
    if character == " ":
        return "space"
    kind = unicodedata.category(character)
    return (
        f"U+{ord(character):04X}" if kind[0] in "CZ" or kind == "Mn" or character in "\u2800\u115f\u1160\u3164" else ""
    )


_STANDARD_INPUT = Path("-")


class ScriptForm(StrEnum):
    """The two forms of Chinese characters."""

    simplified = "simplified"
    traditional = "traditional"


class Width(StrEnum):
    """The two widths of letters, digits and signs."""

    half = "half"
    full = "full"


def command(
    file: Annotated[Path | None, typer.Argument(help="A text file; - or nothing is standard input.")] = None,
    text: Annotated[str | None, typer.Option(help="The text itself, instead of a file.")] = None,
    output: Annotated[
        Path | None, typer.Option("--out", "-o", "--output", help="Write the clean text here, not to standard output.")
    ] = None,
    normalise: Annotated[
        bool, typer.Option("--normalise", help="Also: compatibility forms (NFKC), runs of spaces as one.")
    ] = False,
    script: Annotated[ScriptForm | None, typer.Option(help="Also: Chinese characters in this form.")] = None,
    width: Annotated[Width | None, typer.Option(help="Also: letters, digits and signs in this width.")] = None,
    one_script: Annotated[
        bool, typer.Option("--one-script", help="Also: letters of another script that look the same, in their word's.")
    ] = False,
    persian: Annotated[
        bool, typer.Option("--persian", help="Also: Arabic letters and digits as Persian ones (ي ك as ی ک).")
    ] = False,
    marks: Annotated[bool, typer.Option("--no-marks", help="Also: Persian without vowel marks and tatweel.")] = False,
    as_json: Json = False,
) -> None:
    """Remove invisible characters and make odd spaces and line ends plain; report each change with its place.

    The clean text goes to standard output, the report to standard error. A non-joiner between two Persian letters
    is spelling and stays; a mark that stands in place of a space becomes one, inside a word it goes; what is shown in
    another order than it is stored in comes in the order that is shown.

    Examples:

      readproof sanitise passage.txt -o clean.txt

      readproof sanitise --text "…" --normalise --script simplified --json

      readproof sanitise persian.txt --persian --one-script
    """
    clean = sanitise(
        _input(file, text),
        normalise=normalise,
        script=script.value if script else None,
        width=width.value if width else None,
        one_script=one_script,
        persian=persian,
        marks=not marks,
    )
    if output is not None:
        from readproof.files import writing

        with writing(output) as target:
            target.write(clean.clean)
    with until_closed():
        if as_json:
            print_json(as_record(clean))
            return
        if output is None:
            ended = text is None and (clean.clean.endswith("\n") or not sys.stdout.isatty())
            typer.echo(clean.clean, nl=not ended)
    _report(clean)
    if output is not None:
        say(f"wrote {output}")
    if file is not None and clean.edits and (task := _data_of(file)):
        say(
            f"note: {file} is a data file ({task}), and the places of its answers did not move with the text. "
            f"What moves them: readproof convert {shlex.quote(f'{task}:{file}')} --sanitise -o OUT"
        )


def _data_of(file: Path) -> str:
    """The task of span questions that a file is of: these tell the places of their answers; else ""."""
    from readproof.tasks import recognised

    task = recognised(file)
    return task.name if task and task.kind == "span" else ""


def sanitise(
    raw: str,
    *,
    normalise: bool = False,
    script: str | None = None,
    width: str | None = None,
    one_script: bool = False,
    persian: bool = False,
    marks: bool = True,
) -> Text:
    """The clean text with its map to the raw one; `edits` are what was changed.

    `script` is "simplified" or "traditional", `width` "half" or "full"; None leaves them as they are. Without `marks`
    Persian loses its vowel marks and tatweel.
    """
    from readproof.lang.cleaning import cleaned
    from readproof.script import full_width, half_width, in_script

    clean = cleaned(raw).then(normalised) if normalise else cleaned(raw)
    if script not in (None, "simplified", "traditional"):
        raise InputError(found=f"the script {script!r}", expected="simplified or traditional")
    if width not in (None, "half", "full"):
        raise InputError(found=f"the width {width!r}", expected="half or full")
    if script is not None:
        clean = clean.then(partial(in_script, script="simplified" if script == "simplified" else "traditional"))
    if width is not None:
        clean = clean.then(half_width if width == "half" else full_width)
    if one_script:
        from readproof.lang.confusables import one_script as in_one_script

        clean = clean.then(in_one_script)
    if persian or not marks:
        from readproof.lang.fa.normalise import DIGITS, LETTERS, MARKS
        from readproof.lang.fa.normalise import persian as in_persian

        kinds = ((LETTERS, DIGITS) if persian else ()) + (() if marks else (MARKS,))
        clean = clean.then(partial(in_persian, kinds=kinds))
    return clean


def as_record(text: Text) -> dict[str, object]:
    """The clean text and every change as plain values; offsets count characters from 0, lines and columns from 1."""

    changes = [
        {
            "start": edit.start,
            "end": edit.end,
            "line": line,
            "column": column,
            "old": edit.old,
            "new": edit.new,
            "why": edit.why,
        }
        for edit, line, column in places(text)
    ]
    return {"clean": text.clean, "changes": changes, "counts": dict(Counter(edit.why for edit in text.edits))}


def _report(text: Text) -> None:

    for line in report(text):
        say(line)


def _input(file: Path | None, text: str | None) -> str:
    if text is not None:
        if file is not None:
            raise InputError(found="a file and --text", expected="one of them")
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise InputError(place="--text", found="bytes that are not UTF-8", expected="UTF-8 text")
        return text
    if file is None or file == _STANDARD_INPUT:
        return _standard_input()
    from readproof.files import has_byte_order_mark, read_text

    # read_text drops the mark; a report of what is invisible must not
    return ("\ufeff" if has_byte_order_mark(file) else "") + read_text(file)


def _standard_input() -> str:
    if sys.stdin.isatty():
        say("Type or paste the text; end it with Ctrl-D on a line of its own (Ctrl-Z and Enter on Windows).")
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            file="standard input",
            place=f"line {data.count(bytes([10]), 0, error.start) + 1}, byte {error.start}",
            found=f"bytes {data[error.start : error.start + 4].hex(' ')} that are not UTF-8",
            expected="UTF-8 text",
            do="If it is GB18030, convert it first: iconv -f GB18030 -t UTF-8",
        ) from None

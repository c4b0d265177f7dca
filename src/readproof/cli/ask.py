"""`readproof ask`: a question on a text, with options or without, answered by a reader; or a prompt that keeps on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readproof.cli._output import Json, print_json, say, until_closed
from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.cli._ask_lines import AskOptions
    from readproof.cli._show_lines import PageStyle
    from readproof.items import Answer, SpanItem
    from readproof.readers import Reader

_PROMPT = "? "


def command(
    question: Annotated[
        str | None, typer.Argument(help="The question; without it, questions are asked for one by one.")
    ] = None,
    passage: Annotated[
        str, typer.Option(help="The file that holds the passage; - for standard input.", show_default=False)
    ] = "",
    text: Annotated[str | None, typer.Option(help="The passage itself.", show_default=False)] = None,
    options: Annotated[
        list[str] | None, typer.Option(help="An option to choose from; once for each of them.", show_default=False)
    ] = None,
    options_file: Annotated[
        str,
        typer.Option(
            help="The file that holds the options: one a line, or one JSON record with `options`, which may bring its "
            "`passage` and `question`; - for standard input.",
            show_default=False,
        ),
    ] = "",
    reader: Annotated[
        str,
        typer.Option(
            help="A name, a folder, a hub name, module:function, or llm:URL#model [the shipped one for the language].",
            show_default=False,
        ),
    ] = "",
    top: Annotated[
        int, typer.Option(min=1, help="How many answers, or sentences an option was judged by, to give at most.")
    ] = 3,
    no_answer: Annotated[bool, typer.Option("--no-answer", help="Let the reader say that there is no answer.")] = False,
    threads: Annotated[int, typer.Option(min=0, max=1024, help="Threads to use; 0 for every core.")] = 0,
    as_json: Json = False,
) -> None:
    """Answer a question from a passage, with how sure the reader is and where the answer stands.

    In colour the answer is highlighted in the passage; without colour it stands between ⟦ and ⟧. Of a long passage
    only what stands round the answer is shown. Offsets in --json are characters of the passage as it was given.

    With options: the letter, the score of each option, and the sentences of the passage that it was judged by, with
    their places and weights, as far as the reader can tell.

    Examples:

      readproof ask --passage article.txt "《战国无双3》是由哪两个公司合作开发的？"

      readproof ask --text "范廷颂是越南罗马天主教枢机。" "范廷颂是哪国人？" --json

      readproof ask --passage article.txt

      readproof ask --passage p.txt "不正确的一项是" --options "…" --options "…"
    """
    from readproof.cli._ask_lines import lines, unread_lines
    from readproof.readers import load_reader
    from readproof.readers.factory import reader_for

    choices = _options(options or [], options_file, passage)
    if choices and question is None:
        question = choices.question
        if question is None:
            raise InputError(found="options and no question", expected="a question as an argument")
    if choices and choices.passage is not None and not passage and text is None:
        given = choices.passage
    else:
        given = _passage(passage, text, asks=question is None)
    if _nothing(given):
        file = _named(passage or options_file)
        raise InputError(file=file, found="an empty passage", expected="a text to read")
    if question is not None and _nothing(question):
        raise InputError(found="an empty question", expected="a question")
    name = reader or reader_for(given)
    chosen = load_reader(name, threads=threads, no_answer=no_answer)
    _tell_foreign(name, given)
    if choices and question is not None:
        _answer_options(chosen, given, question, choices, top, as_json)
        return
    questions = iter([question]) if question is not None else _questions(quiet=as_json)
    records = []
    for number, one in enumerate(questions):
        asked = ask(chosen, given, one, top=top)
        if as_json:
            records.append(_record(asked, chosen))
        else:
            _print(partial(lines, asked.item, asked.answers))
            if not number:
                _print(partial(unread_lines, asked.item, chosen.name, _unread(chosen, given) or []))
    if as_json:
        print_json(records[0] if question is not None else {"questions": records})


def _tell_foreign(reader: str, passage: str) -> None:
    """A reader that answers in a language it never learnt says nothing of it itself."""
    from readproof.lang.api import UNDETERMINED, detect, get_language
    from readproof.readers.factory import READERS

    name, language = reader.removeprefix("sense:"), detect(passage)
    spoken = READERS.get(name).card().languages if name in READERS else ()
    if spoken and language not in spoken:
        seems = "in none of the languages that readproof knows" if language == UNDETERMINED else language
        say(f"note: {name} was made for {', '.join(spoken)}, and the passage seems to be {seems}")
    elif name != reader and get_language(language).spaced:
        say(f"note: sense: knows Chinese alone; {name} reads all of this passage")


@dataclass(frozen=True, slots=True)
class AskResult:
    """A question with its answers, the best first."""

    item: SpanItem
    answers: list[Answer]


def ask(reader: Reader, passage: str, question: str, *, top: int = 1) -> AskResult:
    """What a reader answers to a question on a passage: up to `top` answers, if it can give more than one."""
    from readproof.items import SpanItem
    from readproof.lang.api import detect
    from readproof.readers.api import GivesNBest

    item = SpanItem(id="ask", passage=passage, question=question, language=detect(passage))
    return AskResult(item, reader.best(item, top) if isinstance(reader, GivesNBest) else reader.answer([item]))


def _unread(reader: Reader, passage: str) -> list[tuple[int, int]] | None:
    """What of a passage the reader passes over; None of a reader that passes nothing over."""
    from readproof.readers.api import SkipsText

    return reader.left_out(passage) if isinstance(reader, SkipsText) else None


def _answer_options(
    reader: Reader, passage: str, question: str, options: AskOptions, evidence: int, as_json: bool
) -> None:
    from readproof.cli._ask_lines import ask_options, option_lines, record_of, unread_lines
    from readproof.items import ChoiceItem
    from readproof.lang.api import detect

    language = detect(passage)
    item = ChoiceItem(id="ask", passage=passage, question=question, options=options.texts, language=language)
    asked = ask_options(reader, item)
    if as_json:
        print_json(record_of(asked, reader, evidence) | _not_read(reader, passage))
    else:
        _print(lambda page: option_lines(asked, page, evidence))
        _print(partial(unread_lines, item, reader.name, _unread(reader, passage) or []))


def _options(given: list[str], file: str, passage: str) -> AskOptions | None:
    from readproof.cli._ask_lines import from_file, typed

    if given and file:
        raise InputError(found="both --options and --options-file", expected="one of the two")
    if file == passage == "-":
        raise InputError(found="passage and options from standard input", expected="one of them in a file")
    if file:
        return from_file(_read(file), _named(file))
    return typed(given) if given else None


def _passage(file: str, text: str | None, *, asks: bool) -> str:
    if bool(file) == (text is not None):
        found = "both --passage and --text" if file else "no passage"
        raise InputError(found=found, expected="--passage FILE or --text TEXT")
    if text is not None:
        return text
    if file == "-" and asks:
        raise InputError(
            found="a passage from standard input and no question",
            expected="a question as an argument, or the passage in a file",
        )
    return _read(file)


def _read(file: str) -> str:
    from readproof.files import read_text

    if file != "-":
        return read_text(Path(file))
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found = f"a byte that is not UTF-8 at {error.start}"
        raise InputError(file="standard input", found=found, expected="UTF-8 text") from None


def _named(file: str) -> str:
    return "standard input" if file == "-" else file


def _questions(*, quiet: bool) -> Iterator[str]:
    """Lines of standard input; for an empty one comes the next. A terminal is prompted, its lines can be edited."""
    terminal = sys.stdin.isatty() and not quiet
    if terminal:
        # input() is better with it, where there is one
        with suppress(ImportError):
            import_module("readline")
        say("Ask away; Ctrl-D ends.")
    while True:
        try:
            line = input(_PROMPT) if terminal else sys.stdin.readline()
        except EOFError:
            say("")
            return
        except UnicodeDecodeError:
            raise InputError(file="standard input", found="bytes that are not UTF-8", expected="UTF-8 text") from None
        if not terminal and not line:
            return
        if not _nothing(line):
            yield line.strip()


def _nothing(text: str) -> bool:
    """Whether no reader could see anything in a text: spaces and invisible characters are not read."""
    from readproof.text import sanitised

    return not sanitised(text).clean.strip()


def _record(asked: AskResult, reader: Reader) -> dict[str, Any]:
    from readproof.text import encodable

    answers = [
        {
            "text": encodable(answer.text),
            "raw": encodable(answer.raw),
            "start": answer.start,
            "end": answer.end,
            "confidence": answer.confidence,
        }
        for answer in asked.answers
    ]
    record = {"question": encodable(asked.item.question), "reader": reader.name, **answers[0], "answers": answers}
    return record | _not_read(reader, asked.item.passage)


def _not_read(reader: Reader, passage: str) -> dict[str, Any]:
    """For programs: what was passed over, where the reader is one that passes things over."""
    from readproof.text import encodable

    spans = _unread(reader, passage)
    if spans is None:
        return {}
    return {"not_read": [{"start": start, "end": end, "text": encodable(passage[start:end])} for start, end in spans]}


def _print(lines: Callable[[PageStyle], Iterator[str]]) -> None:
    from readproof.cli._show_lines import page_here

    page = page_here()
    with until_closed():
        for line in lines(page):
            typer.echo(line, color=page.colour)

"""`readproof check`: what is wrong with a submission package, before a submission of the day is spent on it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from readproof.cli._output import Json, print_json, say, until_closed
from readproof.errors import InputError, visible

if TYPE_CHECKING:
    from readproof.reports.labels import Label
    from readproof.submit import CheckResult, PackageProblem

_PROBLEMS = 2
# a person mends a flood by its first cases: what a code has more than _WHOLE of in one file is cut to the first few,
# and of one code so many are shown in all files together
_WHOLE, _FEW, _IN_ALL = 10, 3, 15

Lang = Annotated[
    Literal["zh", "en", "both"], typer.Option(help="The language of messages: zh, en or both.", show_default=True)
]


def command(
    file: Annotated[
        Path | None, typer.Argument(help="A package (.zip), predictions (.json) or a form (.docx).")
    ] = None,
    test: Annotated[
        list[str] | None,
        typer.Option(help="The public test file, or TASK:FILE; once for each task of CELUE.", show_default=False),
    ] = None,
    track: Annotated[
        Literal["closed", "open"] | None,
        typer.Option(
            help="The track of GCRC_advRobust [as the document says]; unknown counts as closed.", show_default=False
        ),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="Weights beside the package: their parameters count.", show_default=False)
    ] = None,
    task: Annotated[
        Literal["gcrc", "celue"] | None, typer.Option(help="What the zip is [recognised].", show_default=False)
    ] = None,
    lang: Lang = "both",
    explain: Annotated[str, typer.Option(help="Print the page of a code and stop.", show_default=False)] = "",
    as_json: Json = False,
) -> None:
    """List every problem of a package with file, line, found and expected; nothing in it is unpacked to disk or run.

    Of one code in one file the first few are shown and the rest counted; --json lists 200. The exit status is 2 where
    there are errors; warnings alone end with 0. docs/packages.md tells what belongs into a
    package, docs/codes has a page for each code.

    Examples:

      readproof check GCRC_advRobust.zip --test test.json --track closed

      readproof check submission.zip --test ccpm:test.jsonl --test chnc:test.csv --lang zh

      readproof check --explain G222
    """
    from readproof.submit import check

    if explain:
        from readproof.submit.pages import page
        from readproof.submit.problems import explained

        with until_closed():
            typer.echo(page(explained(explain)), nl=False)
        return
    if file is None:
        raise InputError(found="no file", expected="a package to check, or --explain CODE")
    result = check(file, tests=test or (), track=track, model=model, task=task or "")
    if as_json:
        print_json(record_of(result))
    else:
        show(result, lang)
    if result.errors:
        raise typer.Exit(_PROBLEMS)


def record_of(result: CheckResult) -> dict[str, Any]:
    """The result for a program; both languages."""
    errors, warnings = _counts(result)
    return {
        "file": result.file,
        "kind": result.kind,
        "ok": not result.errors,
        "errors": errors,
        "warnings": warnings,
        "seen": result.seen,
        "problems": [_record(one) for one in result.problems],
        "unlisted": [{"code": code, "file": file, "count": count} for (code, file), count in result.unlisted.items()],
    }


def _record(problem: PackageProblem) -> dict[str, Any]:
    found, expected = problem.found, problem.expected
    return {
        "code": problem.code,
        "level": problem.level,
        "file": problem.file,
        "place": problem.place,
        "found": {"en": found.en, "zh": found.zh},
        "expected": {"en": expected.en, "zh": expected.zh},
    }


def show(result: CheckResult, lang: Literal["zh", "en", "both"] = "both") -> None:
    """The result for a person: a problem a paragraph, the verdict last; the status stands, read to the end or not."""
    with until_closed():
        _show(result, lang)
        if result.problems:
            say("readproof check --explain CODE says more · 用 readproof check --explain 代码 查看说明")


def _show(result: CheckResult, lang: Literal["zh", "en", "both"]) -> None:
    from readproof.reports.labels import LANGUAGES

    languages = [one for one in LANGUAGES if lang in ("both", one)]
    shown, more = _first(result)
    for problem in shown:
        for number, language in enumerate(languages):
            lead = f"{problem.code} {problem.level:<7} " if number == 0 else " " * 13
            typer.echo(lead + problem.sentence(language))
    for code, where, count in more:
        rest = {"en": f"and {count:,} more in {where.en}", "zh": f"{where.zh} 中还有 {count:,} 处"}
        typer.echo(f"{code} … {' · '.join(rest[one] for one in languages)}")
    verdicts = {
        "en": f"{result.file}: {result.kind}; {in_words(result)}",
        "zh": f"{result.file}：{_in_chinese(result)}",
    }
    for language in languages:
        typer.echo(verdicts[language])


def _first(result: CheckResult) -> tuple[list[PackageProblem], list[tuple[str, Label, int]]]:
    """The first few problems of each code and file, in their order, and how many more there are where."""
    total = Counter((one.code, one.file) for one in result.problems)
    here: Counter[tuple[str, str]] = Counter()
    anywhere: Counter[str] = Counter()
    shown: list[PackageProblem] = []
    for one in result.problems:
        key = one.code, one.file
        if here[key] < (_WHOLE if total[key] <= _WHOLE else _FEW) and anywhere[one.code] < _IN_ALL:
            here[key] += 1
            anywhere[one.code] += 1
            shown.append(one)
    more = total - here
    for (code, file), count in result.unlisted.items():
        more[code, visible(file)] += count
    return shown, _together(more)


def _together(more: Counter[tuple[str, str]]) -> list[tuple[str, Label, int]]:
    """A code that many files have is told once for all of them."""
    from readproof.reports.labels import Label

    files = Counter(code for code, _ in more)
    found: Counter[tuple[str, Label]] = Counter()
    for (code, file), count in more.items():
        many = files[code] > _FEW
        found[code, Label(f"{files[code]:,} files", f"{files[code]:,} 个文件") if many else Label(file, file)] += count
    return [(code, where, count) for (code, where), count in found.items()]


def in_words(result: CheckResult) -> str:
    """How many errors and warnings, or that all is right."""
    errors, warnings = _counts(result)
    parts = [
        f"{count:,} {name}{'s' * (count != 1)}" for name, count in (("error", errors), ("warning", warnings)) if count
    ]
    return ", ".join(parts if errors else ["all right", *parts])


def _in_chinese(result: CheckResult) -> str:
    errors, warnings = _counts(result)
    parts = [f"{count:,} 处{name}" for name, count in (("错误", errors), ("警告", warnings)) if count]
    return "，".join(parts if errors else ["没有错误", *parts] if parts else ["检查通过"])


def _counts(result: CheckResult) -> tuple[int, int]:
    """With those that are not listed; a flood is of one level."""
    from readproof.submit.problems import codes

    errors, warnings = len(result.errors), len(result.warnings)
    for (code, _), count in result.unlisted.items():
        if codes()[code].level == "error":
            errors += count
        else:
            warnings += count
    return errors, warnings

"""Packages put together from runs: what a run knows is filled in, what only the team knows is taken from their file."""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version
from typing import Any

from readproof.errors import InputError
from readproof.files import check_apart, check_place, digest
from readproof.jsonstream import records
from readproof.readers.job import prompts_of
from readproof.readers.shipped import FA, ZH
from readproof.readers.track import TrackRecord, read_track, size, track_file
from readproof.submit.about import TeamStatement
from readproof.submit.celue import CODE, TOP
from readproof.submit.gcrc import DOCUMENT, MODEL, PREDICTIONS, Track
from readproof.submit.lines import FOLDERS
from readproof.submit.paper import Facts, model_document, registration_form
from readproof.submit.problems import Problems
from readproof.submit.weights import count_path
from readproof.submit.zipping import Accept, Source, any_file, replacing, write_zip
from readproof.tasks import gcrc
from readproof.tasks.metrics.triples import KEYS

# A CELUE package from the folders of its five tasks.


def pack_celue(runs: Sequence[Path], out: Path, *, code: Path | None = None, accept: Accept = any_file) -> Path:
    """submission_files/ with five folders; `code` is the model_to_eval.py of those that have none of their own.

    A run is a task's folder, named as the task, or a folder that holds such folders.
    """
    check_place(out)
    folders = _folders(runs)
    members: dict[str, Source] = {}
    for task in FOLDERS:
        if task not in folders:
            raise InputError(
                found=f"no folder {task!r} among the runs", expected=f"folders {', '.join(FOLDERS)}",
                do="A submission without all five is not ranked.",
            )  # fmt: skip
        own = folders[task] / CODE
        source = own if own.is_file() else code
        if source is None:
            raise InputError(
                file=folders[task], found=f"no {CODE}", expected="one in the folder, or --code for all folders"
            )
        predictions = sorted(folders[task].glob("*.jsonl"))
        if not predictions:
            raise InputError(file=folders[task], found="no .jsonl file", expected="one for each level of cost")
        members |= {f"{TOP}/{task}/{path.name}": path for path in predictions}
        members[f"{TOP}/{task}/{CODE}"] = source
    check_apart(out, *(path for path in members.values() if isinstance(path, Path)))
    with replacing(out, accept) as file:
        write_zip(file, members)
    return out


def _folders(runs: Sequence[Path]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for run in runs:
        if not run.is_dir():
            raise InputError(file=run, found="no folder", expected="a task's folder, or one that holds such folders")
        root = run / TOP if (run / TOP).is_dir() else run
        inside = (
            [root] if root.resolve().name in FOLDERS else [root / task for task in FOLDERS if (root / task).is_dir()]
        )
        if not inside:
            raise InputError(file=run, found="no folder of a task", expected=f"folders {', '.join(FOLDERS)}")
        for folder in inside:
            task = folder.resolve().name
            if task in found:
                raise InputError(file=folder, found=f"a second folder {task!r}", expected="each task once")
            found[task] = folder
    return found


# What a run left behind: predictions, who answered, and the prompts. A run is what `readproof answer` wrote.


_SHIPPED = {"zh": ZH, "fa": FA}


@dataclass(frozen=True, slots=True)
class PredictionRun:
    """A prediction file with what lies beside it."""

    predictions: Path
    rows: tuple[dict[str, Any], ...]
    reader: TrackRecord | None
    prompts: tuple[dict[str, Any], ...]


def read_run(path: Path) -> PredictionRun:
    """A run by its prediction file, or by the folder that holds it."""
    file = _predictions_file(path)
    found = records(file)
    if found.layout != "data":
        raise InputError(file=file, found="no list under `data`", expected="GCRC_advRobust predictions")
    rows = []
    for place, row in found:
        if not isinstance(row, dict) or "id" not in row:
            raise InputError(file=file, place=place, found="a row without an id", expected="an object with an id")
        rows.append(row)
    prompts = prompts_of(file)
    told = tuple(row for _, row in records(prompts) if isinstance(row, dict)) if prompts.is_file() else ()
    return PredictionRun(file, tuple(rows), read_track(file), told)


def _predictions_file(path: Path) -> Path:
    if path.is_file():
        return path
    if not path.is_dir():
        raise InputError(file=path, found="no such file or folder", expected="predictions, or a folder with them")
    if (path / "variants.jsonl").is_file():
        raise InputError(
            file=path,
            found="a run of `readproof prove`",
            expected="predictions for the test file",
            do="Answer it: readproof answer gcrc:test.json -o predictions.json",
        )
    found = sorted(one for one in path.glob("*.json") if track_file(one).is_file())
    if len(found) != 1:
        raise InputError(
            file=path,
            found=f"{len(found)} prediction files with their NAME.reader.json",
            expected="one",
            do="Name the prediction file itself.",
        )
    return found[0]


def merged(runs: Sequence[PredictionRun]) -> dict[str, dict[str, Any]]:
    """The rows of all runs by id; each id belongs to one run."""
    found: dict[str, dict[str, Any]] = {}
    for run in runs:
        for number, row in enumerate(run.rows):
            identity = str(row["id"])
            if identity in found:
                place = f"data[{number}]"
                raise InputError(
                    file=run.predictions, place=place, found=f"the id {identity!r} again", expected="each id once"
                )
            found[identity] = row
    return found


def model_of(reader: TrackRecord | None) -> Path | None:
    """Where the reader's files lie: a shipped one, or the folder of its name."""
    if reader is None:
        return None
    if reader.reader in _SHIPPED:
        return _SHIPPED[reader.reader].folder
    folder = Path(reader.reader)
    return folder if folder.is_dir() else None


def prompt_lines(run: PredictionRun) -> str:
    """The prompts as they are kept, a JSON object a line."""
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in run.prompts)


_PACKAGES = ("readproof", "onnxruntime", "tokenizers", "numpy", "torch", "transformers")
_LEFT_OUT = ("__pycache__", ".git", ".DS_Store", "__MACOSX")
_FILES_SHOWN = 20
_MODEL = "llm:"


def pack_gcrc(
    runs: Sequence[Path],
    out: Path,
    *,
    model: Path | None = None,
    test: Path | None = None,
    track: Track | None = None,
    about: TeamStatement | None = None,
    accept: Accept = any_file,
) -> Path:
    """GCRC_advRobust.zip out of what `readproof answer` wrote; rows are filled up and put in order by the test file."""
    check_place(out)
    about = about or TeamStatement()
    read = [read_run(path) for path in runs]
    check_apart(out, *(run.predictions for run in read), model, test)
    chosen = _track(read, track)
    source = model or next((found for run in read if (found := model_of(run.reader))), None)
    if source is None and chosen == "closed":
        raise InputError(found="no model", expected="--model: the folder or zip with the weights and the code")
    rows = merged(read)
    predictions = _predictions(rows, test)
    with tempfile.TemporaryFile(dir=out.parent) as packed, replacing(out, accept) as file:
        members = _model_members(source, read)
        if source is not None and source.suffix == ".zip" and source.is_file():
            packed_model: Source = source
            files = [(source.name, source.stat().st_size, digest(source)[:16])]
        else:
            write_zip(packed, members)
            packed_model = packed
            files = [_listed(name, one) for name, one in members.items()]
        document = model_document(_facts(read, chosen, len(rows), files, source), about)
        write_zip(file, {PREDICTIONS: predictions, MODEL: packed_model, DOCUMENT: document})
    return out


def pack_registration(out: Path, about: TeamStatement, *, accept: Accept = any_file) -> Path:
    """The registration form as a Word document."""
    form = registration_form(about)
    with replacing(out, accept) as file:
        file.write(form)
    return out


def _track(runs: Sequence[PredictionRun], wanted: Track | None) -> Track:
    known = [run.reader for run in runs if run.reader]
    for reader in known:
        if wanted == "closed" and reader.closed_track == "no":
            raise InputError(
                file=reader.reader, found=f"a reader that the closed track does not take: {reader.why}",
                expected="--track open",
            )  # fmt: skip
    if wanted:
        return wanted
    if any(reader.closed_track == "no" for reader in known):
        return "open"
    if len(known) == len(runs) and all(reader.closed_track == "yes" for reader in known):
        return "closed"
    raise InputError(found="runs that do not say which track takes their reader", expected="--track closed or open")


def _predictions(rows: Mapping[str, dict[str, Any]], test: Path | None) -> bytes:
    if test is None:
        return _json([row | {key: row.get(key, "") for key in KEYS} for row in rows.values()])
    items = list(gcrc.load(test))
    missing = [item.id for item in items if item.id not in rows]
    if missing:
        found = f"no prediction for {len(missing)} of {len(items)} items ({', '.join(missing[:3])}, …)"
        raise InputError(file=test, found=found, expected="all of them answered", do="Answer the rest first.")
    extra = [identity for identity in rows if identity not in {item.id for item in items}]
    if extra:
        found = f"{len(extra)} predictions for other items ({', '.join(extra[:3])}, …)"
        raise InputError(file=test, found=found, expected="predictions for this file")
    texts = io.StringIO()
    gcrc.write_data(items, texts)
    whole = json.loads(texts.getvalue())["data"]
    return _json([row | {key: rows[row["id"]].get(key, "") for key in KEYS} for row in whole])


def _json(rows: list[dict[str, Any]]) -> bytes:
    return (json.dumps({"data": rows}, ensure_ascii=False, indent=1) + "\n").encode()


def _model_members(source: Path | None, runs: Sequence[PredictionRun]) -> dict[str, Source]:
    members: dict[str, Source] = {}
    if source is not None and source.is_dir():
        for path in sorted(source.rglob("*")):
            if path.is_file() and not any(part in _LEFT_OUT for part in path.parts):
                members[f"model/{path.relative_to(source).as_posix()}"] = path
    elif source is not None and source.is_file():
        members[f"model/{source.name}"] = source
    elif source is not None:
        raise InputError(file=source, found="no such file or folder", expected="the model")
    for number, run in enumerate(runs, start=1):
        folder = f"run{number if len(runs) > 1 else ''}"
        if run.reader:
            about = {"reader": _name(run.reader.reader), "fingerprint": run.reader.fingerprint,
                     "parameters": run.reader.parameters, "closed_track": run.reader.closed_track,
                     "independent": run.reader.independent}  # fmt: skip
            members[f"{folder}/reader.json"] = (json.dumps(about, ensure_ascii=False, indent=1) + "\n").encode()
        if run.prompts:
            members[f"{folder}/prompts.jsonl"] = prompt_lines(run).encode()
    return members


def _listed(name: str, source: Source) -> tuple[str, int, str]:
    if isinstance(source, bytes):
        return name, len(source), hashlib.sha256(source).hexdigest()[:16]
    if isinstance(source, Path):
        return name, source.stat().st_size, digest(source)[:16]
    raise TypeError(name)


def _facts(
    runs: Sequence[PredictionRun], track: Track, rows: int, files: Sequence[tuple[str, int, str]], source: Path | None
) -> Facts:
    known = [run.reader for run in runs if run.reader]
    names = list(dict.fromkeys(_name(one.reader) for one in known))
    if not names and source is not None:
        names = [source.stem]
    counts = {one.reader: one.parameters for one in known}
    total = None if None in counts.values() or not counts else sum(count or 0 for count in counts.values())
    if total is None and source is not None:
        total = count_path(source, Problems()).parameters or None
    more = [(f"其余 {len(files) - _FILES_SHOWN} 个文件", 0, "")] if len(files) > _FILES_SHOWN else []
    return Facts(
        track=track,
        reader="、".join(names),
        parameters=_parameters(total, track),
        fingerprint="、".join(dict.fromkeys(one.fingerprint[:32] for one in known)),
        rows=rows,
        independent=all(one.independent for one in known) if known else None,
        files=[*files[:_FILES_SHOWN], *more],
        environment=_environment(),
        steps=_steps(known[0].reader if known else ""),
        prompts=[line for run in runs for line in run.prompts],
    )


def _parameters(total: int | None, track: Track) -> str:
    if total is None:
        return "由大模型服务提供方决定" if track == "open" else ""
    return f"{total:,}（{size(total).removesuffix(' parameters')}）"


def _environment() -> list[str]:
    found = []
    for name in _PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return [f"Python {python_version()}；{'，'.join(found)}。"]


def _name(reader: str) -> str:
    """A folder is called by its name alone: where it lay on somebody's disk is nobody's business."""
    return reader if reader.startswith(_MODEL) else Path(reader).name


def _steps(reader: str) -> list[tuple[str, str]]:
    """How a reader of ours is run again; none where the run does not tell, as for a function of the user's."""
    if not reader.startswith(_MODEL) and (not reader or (":" in reader and not Path(reader).exists())):
        return []
    name = reader if reader.startswith(_MODEL) else "model"
    return [
        ("安装 readproof（见运行环境中的版本）：", "pip install readproof"),
        ("解压 model.zip，得到文件夹 model：", "unzip model.zip"),
        ("对测试集作答，得到结果文件：", f'readproof answer gcrc:test.json --reader "{name}" -o GCRC_advRobust.json'),
        ("核对结果文件：", "readproof check GCRC_advRobust.json --test test.json"),
        ("有答案时计算得分：", "readproof score gcrc GCRC_advRobust.json dev.json"),
        ("调试：加 --limit 5 只回答前五条；设置环境变量 READPROOF_DEBUG=1 可查看完整报错。", ""),
    ]

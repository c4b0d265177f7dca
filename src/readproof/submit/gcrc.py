"""A GCRC_advRobust package: three files at the top, the predictions, the model and the document, each looked into."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Literal

from readproof.readers.track import MOST
from readproof.submit.archive import Archive, ArchiveEntry, open_archive
from readproof.submit.document import MOST_DOCUMENT, Document, read_document
from readproof.submit.letters import TestQuestion, check_letters
from readproof.submit.problems import Problems, UnreadableError
from readproof.submit.weights import ParameterCounts, count_archive, is_archive, judge

Track = Literal["closed", "open"]

PACKAGE, PREDICTIONS, MODEL, DOCUMENT = (
    "GCRC_advRobust.zip",
    "GCRC_advRobust.json",
    "model.zip",
    "GCRC_advRobust.docx",
)
MEMBERS = (PREDICTIONS, MODEL, DOCUMENT)
# twice the test file with every character escaped; a list of as many empty lists still fits into memory
MOST_PREDICTIONS = 6 << 20
TRACKS: dict[Track, str] = {"closed": "封闭赛道", "open": "开放赛道"}

_LEAST_TEXT = 60
_UNFILLED = re.compile("【待填写[^】]{0,60}】")
_DECLARED = re.compile("(?:参赛赛道|赛道选择|赛道)[：:\\s]*(封闭|开放)")
_PROMPT = re.compile("prompt|提示词|提示语|指令模板", re.I)
_EXTERNAL_DATA = re.compile("外部数据|外部资源|external data", re.I)
_NO_LARGE = re.compile("大模型|大语言模型|large (?:language )?model", re.I)


def is_gcrc(archive: Archive) -> bool:
    """Whether it looks like one, names misspelt or not."""
    lower = [one.path.name.lower() for one in archive.entries]
    return any(name.startswith("gcrc") for name in lower) or "model.zip" in lower


def check_gcrc(
    archive: Archive, problems: Problems, test: Mapping[str, TestQuestion] | None, track: Track | None
) -> dict[str, object]:
    """Every problem of a package; returns what was seen, for the line that says it is all right."""
    seen: dict[str, object] = {}
    if archive.label.rpartition("/")[2] != PACKAGE:
        problems.add("G204", archive.label, name=archive.label.rpartition("/")[2], wanted=PACKAGE)
    entries = _members(archive, problems)
    if PREDICTIONS in entries:
        seen["rows"] = _predictions(archive, entries[PREDICTIONS], test, problems)
    if DOCUMENT in entries:
        document = _document(archive, entries[DOCUMENT], problems)
        if document is not None:
            track = check_document(document, f"{archive.label}/{entries[DOCUMENT].name}", problems, track)
    if MODEL in entries:
        weights = _model(archive, entries[MODEL], problems, track)
        if weights is not None:
            seen["parameters"] = weights.parameters
    return seen | {"track": track}


def check_document(document: Document, label: str, problems: Problems, track: Track | None) -> Track | None:
    """Whether the document says what the rules ask for; returns the track, given or declared."""
    text = document.text
    count = len(re.sub(r"\s", "", text))
    if count < _LEAST_TEXT:
        problems.add("D408", label, count=count, least=_LEAST_TEXT)
        return track
    for found in dict.fromkeys(_UNFILLED.findall(text)):
        problems.add("D409", label, mark=found)
    declared = declared_track(text)
    if declared is None:
        problems.add("D411", label)
    elif track is not None and declared != track:
        problems.add("D410", label, found=TRACKS[declared], wanted=TRACKS[track])
    track = track or declared
    if track == "open" and not _PROMPT.search(text):
        problems.add("D412", label)
    if not _EXTERNAL_DATA.search(text):
        problems.add("D413", label, about="外部数据 / external data")
    if track == "closed" and not _NO_LARGE.search(text):
        problems.add("D413", label, about="大模型 / large models")
    return track


def declared_track(text: str) -> Track | None:
    """The track that a document names: where it says so, or the only one it speaks of."""
    if found := _DECLARED.search(text):
        return "closed" if found[1] == "封闭" else "open"
    named: list[Track] = [track for track, words in TRACKS.items() if words in text]
    return named[0] if len(named) == 1 else None


def _members(archive: Archive, problems: Problems) -> dict[str, ArchiveEntry]:
    """The three files by their right names, also where they have wrong ones."""
    found = {entry.name: entry for entry in archive.entries if entry.name in MEMBERS}
    for entry in archive.entries:
        if entry.name in found:
            continue
        wanted = _meant(entry)
        if wanted and wanted not in found:
            found[wanted] = entry
            problems.add("G202", f"{archive.label}/{entry.name}", name=wanted)
        elif is_archive(entry.name):
            problems.add("A110", f"{archive.label}/{entry.name}", kind=entry.path.suffix)
        else:
            problems.add("G203", f"{archive.label}/{entry.name}")
    for name in MEMBERS:
        if name not in found:
            problems.add("G201", archive.label, name, name=name)
    return found


def _meant(entry: ArchiveEntry) -> str:
    """Which of the three a file seems to be."""
    name = entry.path.name.lower()
    if name == MODEL:
        return MODEL
    if name.startswith("gcrc") or entry.path.parent.name == "":
        return {".json": PREDICTIONS, ".docx": DOCUMENT}.get(entry.path.suffix.lower(), "")
    return ""


def _predictions(
    archive: Archive, entry: ArchiveEntry, test: Mapping[str, TestQuestion] | None, problems: Problems
) -> int:
    label = f"{archive.label}/{entry.name}"
    try:
        return check_letters(archive.read(entry, MOST_PREDICTIONS), label, test, problems)
    except UnreadableError as refused:
        problems.refuse(refused, label)
        return 0


def _document(archive: Archive, entry: ArchiveEntry, problems: Problems) -> Document | None:
    label = f"{archive.label}/{entry.name}"
    try:
        return read_document(io.BytesIO(archive.read(entry, MOST_DOCUMENT)), label, problems, archive.budget)
    except UnreadableError as refused:
        problems.refuse(refused, label)
        return None


def _model(archive: Archive, entry: ArchiveEntry, problems: Problems, track: Track | None) -> ParameterCounts | None:
    """The model is read through: its own sum first, then the headers of the weights inside."""
    label = f"{archive.label}/{entry.name}"
    try:
        inner = open_archive(archive.verified(entry), label, problems, archive.budget)
        if inner is None:
            return None
        found = count_archive(inner, problems)
    except UnreadableError as refused:
        problems.refuse(refused, label)
        return None
    if track != "open":
        judge(found, MOST, label, problems)
    return found

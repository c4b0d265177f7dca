"""Word documents of strangers: what they say, and whether opening them would run, fetch or follow anything."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.parsers import expat

from readproof.submit.archive import Archive, ArchiveEntry, Budget, Seekable, open_archive
from readproof.submit.problems import Problems, UnreadableError, word

# with the pictures of an honest document
MOST_DOCUMENT = 32 << 20
_MOST_PART = 8 << 20
_MOST_UNPACKED = 64 << 20
_MOST_TEXT = 2 << 20
_MOST_DEPTH = 1000
_OLE = b"\xd0\xcf\x11\xe0"
_TYPES, _MAIN = "[Content_Types].xml", "word/document.xml"
_MACROS = ("vbaproject", "vbadata", "macrosheets")
_EMBEDDED = ("/embeddings/", "/activex/", "oleobject")
_FIELDS = re.compile(r"\b(DDEAUTO|DDE|INCLUDETEXT|INCLUDEPICTURE|INCLUDE|IMPORT|LINK|MACROBUTTON|DATABASE)\b", re.I)
_HYPERLINK = re.compile(r"\bHYPERLINK\s+(?!\\l)\"?([^\"\s]+)", re.I)


@dataclass(slots=True)
class Document:
    """The text of a document, a line a paragraph, and its tables as rows of cells."""

    text: str = ""
    rows: list[list[str]] = field(default_factory=list)


def read_document(file: Seekable, label: str, problems: Problems, budget: Budget) -> Document | None:
    """What a document says; None where it cannot be read. Whatever is unsafe is told."""
    file.seek(0)
    head = file.read(8)
    if not head.startswith(b"PK"):
        kind = "old-doc" if head.startswith(_OLE) else "pdf" if head.startswith(b"%PDF") else "no-word"
        problems.add("D401", label, what=word(kind))
        return None
    archive = open_archive(file, label, problems, Budget(min(budget.left, _MOST_UNPACKED)))
    if archive is None:
        return None
    if archive.named(_TYPES) is None or archive.named(_MAIN) is None:
        problems.add("D401", label, what=word("no-main"))
        return None
    document = Document()
    for entry in archive.entries:
        part = f"{label}/{entry.name}"
        lower = entry.name.lower()
        if any(name in lower for name in _MACROS):
            problems.add("D403", part)
        if any(name in f"/{lower}" for name in _EMBEDDED):
            problems.add("D405", part)
        if lower.endswith((".xml", ".rels")):
            try:
                _read_part(archive, entry, part, document, problems)
            except UnreadableError as refused:
                problems.refuse(refused, part)
                if refused.code == "A109":
                    break
    return document


def _read_part(archive: Archive, entry: ArchiveEntry, part: str, document: Document, problems: Problems) -> None:
    reading = _Reading(part, problems, document if entry.name == _MAIN else None)
    data = archive.read(entry, _MOST_PART)
    try:
        reading.parser.Parse(data, True)
    except expat.ExpatError as error:
        raise UnreadableError("D402", f"line {error.lineno}, column {error.offset + 1}", reason=str(error)) from None
    except (ValueError, LookupError) as error:
        # an encoding that nobody knows
        raise UnreadableError("D402", reason=str(error)) from None
    reading.end_paragraph()
    if document.text == "" and entry.name == _MAIN:
        document.text = "\n".join(reading.paragraphs)


class _Reading:
    """One XML part as it is read; a document type is refused before anything can be made of it."""

    def __init__(self, part: str, problems: Problems, document: Document | None) -> None:
        self._part, self._problems, self._document = part, problems, document
        self.paragraphs: list[str] = []
        self._words: list[str] = []
        self._field: list[str] = []
        self._cell: list[str] | None = None
        self._inside = ""
        self._kept = self._depth = 0
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EntityDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text

    def _doctype(self, *_arguments: object) -> None:
        raise UnreadableError("D407", f"line {self.parser.CurrentLineNumber}")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise UnreadableError("D402", f"line {self.parser.CurrentLineNumber}", reason=word("too-deep-xml"))
        local = name.rpartition(" ")[2]
        values = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        place = f"line {self.parser.CurrentLineNumber}"
        if local == "Relationship" and values.get("TargetMode", "").lower() == "external":
            kind = values.get("Type", "").rpartition("/")[2]
            self._problems.add("D404", self._part, place, kind=kind, target=values.get("Target", ""))
        elif local in ("Default", "Override") and "macroenabled" in values.get("ContentType", "").lower():
            self._problems.add("D403", self._part, place)
        elif local in ("altChunk", "OLEObject", "control"):
            self._problems.add("D405", self._part, place)
        elif local == "fldSimple":
            self._judge(values.get("instr", ""), place)
        elif local == "tr" and self._document is not None:
            self._document.rows.append([])
        elif local == "tc":
            self._cell = []
        self._inside = local

    def _text(self, text: str) -> None:
        if self._inside == "instrText":
            self._field.append(text)
        elif self._inside == "t" and self._kept < _MOST_TEXT:
            self._kept += len(text)
            self._words.append(text)

    def _end(self, name: str) -> None:
        self._depth -= 1
        local = name.rpartition(" ")[2]
        if local == "p":
            self.end_paragraph()
        elif local == "tc" and self._cell is not None:
            if self._document is not None and self._document.rows:
                self._document.rows[-1].append("\n".join(self._cell).strip())
            self._cell = None
        self._inside = ""

    def end_paragraph(self) -> None:
        """Fields are cut into pieces at will: they are judged by the paragraph."""
        if self._field:
            self._judge("".join(self._field), f"line {self.parser.CurrentLineNumber}")
            self._field = []
        words = "".join(self._words)
        self._words = []
        if words:
            self.paragraphs.append(words)
            if self._cell is not None:
                self._cell.append(words)

    def _judge(self, field_text: str, place: str) -> None:
        if found := _FIELDS.search(field_text):
            self._problems.add("D406", self._part, place, field=found[1].upper())
        if found := _HYPERLINK.search(field_text):
            self._problems.add("D404", self._part, place, kind="HYPERLINK", target=found[1])

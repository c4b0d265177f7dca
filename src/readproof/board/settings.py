"""What holds for a whole board: its name, the address that people see, the database. One file, board.toml."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, NoReturn
from zoneinfo import ZoneInfo

from readproof.board.times import zone
from readproof.errors import InputError, shown
from readproof.files import read_text, writing
from readproof.reports.labels import Label

# Values out of a TOML file, each checked when it is taken, with the place told when it is wrong.


_NEEDED = object()


@dataclass(frozen=True, slots=True)
class Fields:
    """A table of a file; `place` says which one."""

    record: Mapping[str, Any]
    file: Path
    place: str = ""

    def has(self, name: str) -> bool:
        return name in self.record

    def only(self, *names: str) -> Fields:
        """The table itself, when it has no other keys: a slip such as `score_shown` must not pass in silence."""
        for name in self.record:
            if name not in names:
                self.refuse(name, "a key that is not known", f"one of {', '.join(names)}")
        return self

    def refuse(self, name: str, found: str, expected: str) -> NoReturn:
        place = ".".join(part for part in (self.place, name) if part)
        raise InputError(file=self.file, place=place, found=found, expected=expected)

    def _take(self, name: str, kind: type | tuple[type, ...], expected: str, default: Any) -> Any:
        if name not in self.record:
            if default is _NEEDED:
                self.refuse(name, "nothing", expected)
            return default
        value = self.record[name]
        if not isinstance(value, kind) or isinstance(value, bool):
            self.refuse(name, shown(value), expected)
        return value

    def text(self, name: str, default: Any = _NEEDED) -> str:
        return str(self._take(name, str, "a text", default))

    def flag(self, name: str, default: bool) -> bool:
        value = self.record.get(name, default)
        if not isinstance(value, bool):
            self.refuse(name, shown(value), "true or false")
        return value

    def number(self, name: str, default: Any = _NEEDED) -> int:
        value = int(self._take(name, int, "a whole number", default))
        if value < 1:
            self.refuse(name, str(value), "a number above 0")
        return value

    def real(self, name: str) -> float:
        return float(self._take(name, (int, float), "a number", _NEEDED))

    def choice(self, name: str, values: Iterable[str], default: Any = _NEEDED) -> str:
        value = self.text(name, default)
        if value not in values:
            self.refuse(name, shown(value), f"one of {', '.join(values)}")
        return value

    def label(self, name: str, default: Any = _NEEDED) -> Label:
        """A text for both languages, or one for each."""
        value = self._take(name, (str, dict), "a text, or { en = …, zh = … }", default)
        if isinstance(value, Label):
            return value
        if isinstance(value, str):
            return Label(value.strip(), value.strip())
        if set(value) != {"en", "zh"} or not all(isinstance(one, str) for one in value.values()):
            self.refuse(name, shown(value), "the keys en and zh, each with a text")
        return Label(value["en"].strip(), value["zh"].strip())

    def path(self, name: str) -> Path:
        """A path beside the file."""
        return self.file.parent / self.text(name)

    def moment(self, name: str) -> datetime:
        value = self._take(name, (datetime, date), "a date or a time such as 2027-05-20T18:00:00", _NEEDED)
        return value if isinstance(value, datetime) else datetime.combine(value, time())

    def zone(self, name: str) -> ZoneInfo:
        try:
            return zone(self.text(name, "Asia/Shanghai"))
        except InputError as error:
            # once more with the file, which the zone's name alone does not tell
            self.refuse(name, error.found, error.expected)

    def table(self, name: str) -> Fields:
        return Fields(self._take(name, dict, f"a table [{name}]", {}), self.file, name)

    def tables(self, name: str) -> list[tuple[str, Mapping[str, Any]]]:
        found = self.table(name)
        for key, value in found.record.items():
            if not isinstance(value, dict):
                found.refuse(key, shown(value), "a table")
        return list(found.record.items())

    def mapping(self, name: str) -> Mapping[str, Any]:
        return dict(self._take(name, dict, "a table", {}))

    def list(self, name: str) -> Sequence[Mapping[str, Any]]:
        value = self._take(name, list, f"tables [[{name}]]", [])
        if not all(isinstance(one, dict) for one in value):
            self.refuse(name, shown(value), f"tables [[{name}]]")
        return tuple(value)

    def texts(self, name: str) -> Sequence[str]:
        value = self._take(name, (str, list), "a text or a list of texts", [])
        return (value,) if isinstance(value, str) else tuple(str(one) for one in value)


FILE = "board.toml"
# the password of the SMTP server, for who wants it in no file
SMTP_PASSWORD = "READPROOF_SMTP_PASSWORD"
SQLITE = "board.sqlite"
# what says so in place of an address
PLAIN = "sqlite"
_KEYS = ("title", "address", "database", "try_it", "font", "notice", "metrics_token", "mail")


@dataclass(frozen=True, slots=True)
class MailSettings:
    """How letters leave: by an SMTP server, as files in the board's folder, or printed.

    `verified`: whether an address must be confirmed before its owner joins a team.
    """

    backend: str = "file"
    sender: str = ""
    host: str = "localhost"
    port: int = 25
    security: str = "none"
    user: str = ""
    password: str = ""
    verified: bool = False


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """Paths are those of the board's folder. Behind TLS (an https address) cookies are sent over TLS only."""

    folder: Path
    title: Label
    address: str
    database: str
    notice: Label
    try_it: bool = False
    font: str = ""
    metrics_token: str = ""
    mail: MailSettings = MailSettings()

    @property
    def secure(self) -> bool:
        return self.address.startswith("https://")

    @property
    def uploads(self) -> Path:
        return self.folder / "uploads"

    @property
    def competitions(self) -> Path:
        return self.folder / "competitions"


def load_settings(folder: Path, database: str = "") -> BoardSettings:
    """The settings of a board's folder; `database` is used instead of the one that the file names."""
    path = folder / FILE
    if not path.is_file():
        do = f"Make a board first: readproof board init {folder}"
        raise InputError(file=folder, found=f"no {FILE}", expected="the folder of a board", do=do)
    try:
        fields = Fields(tomllib.loads(read_text(path)), path).only(*_KEYS)
    except tomllib.TOMLDecodeError as error:
        raise InputError(file=path, found=f"no TOML ({error})", expected="the settings of a board") from None
    address = fields.text("address", "http://127.0.0.1:8000").rstrip("/")
    if not address.startswith(("http://", "https://")):
        fields.refuse("address", repr(address), "an address that begins with http:// or https://")
    named = database or fields.text("database", "")
    nothing = Label("", "")
    return BoardSettings(
        folder,
        fields.label("title"),
        address,
        _url(named, folder),
        fields.label("notice", nothing),
        fields.flag("try_it", False),
        fields.text("font", ""),
        fields.text("metrics_token", ""),
        _mail(fields.table("mail")),
    )


def _mail(fields: Fields) -> MailSettings:
    fields.only("backend", "from", "host", "port", "security", "user", "password", "verified")
    backend = fields.choice("backend", ("file", "console", "smtp"), "file")
    security = fields.choice("security", ("none", "starttls", "tls"), "starttls" if backend == "smtp" else "none")
    usual = {"none": 25, "starttls": 587, "tls": 465}[security]
    return MailSettings(
        backend=backend,
        sender=fields.text("from", ""),
        host=fields.text("host", "localhost"),
        port=fields.number("port", usual),
        security=security,
        user=fields.text("user", ""),
        password=os.environ.get(SMTP_PASSWORD, "") or fields.text("password", ""),
        verified=fields.flag("verified", backend == "smtp"),
    )


def rename_database(folder: Path, database: str) -> None:
    """Write another database into the settings; all else in the file stays as it is."""
    path = folder / FILE
    line = f"database = {json.dumps(database, ensure_ascii=False)}"
    text, count = re.subn(r"(?m)^database\s*=.*$", lambda _: line, read_text(path), count=1)
    with writing(path) as file:
        file.write(text if count else f"{line}\n{text}")


def _url(named: str, folder: Path) -> str:
    if named in ("", PLAIN):
        return f"sqlite:///{(folder / SQLITE).resolve()}"
    for plain in ("postgres://", "postgresql://"):
        if named.startswith(plain):
            return f"postgresql+psycopg://{named.removeprefix(plain)}"
    return named

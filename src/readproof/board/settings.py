"""What holds for a whole board: its name, the address that people see, the database. One file, board.toml."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from readproof.board.fields import Fields
from readproof.errors import InputError
from readproof.files import read_text, writing
from readproof.report.labels import Label

FILE = "board.toml"
SQLITE = "board.sqlite"
# what says so in place of an address
PLAIN = "sqlite"
_KEYS = ("title", "address", "database", "try_it", "font", "notice")


@dataclass(frozen=True, slots=True)
class Settings:
    """Paths are those of the board's folder. Behind TLS (an https address) cookies are sent over TLS only."""

    folder: Path
    title: Label
    address: str
    database: str
    notice: Label
    try_it: bool = False
    font: str = ""

    @property
    def secure(self) -> bool:
        return self.address.startswith("https://")

    @property
    def uploads(self) -> Path:
        return self.folder / "uploads"

    @property
    def competitions(self) -> Path:
        return self.folder / "competitions"


def load_settings(folder: Path, database: str = "") -> Settings:
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
    return Settings(
        folder,
        fields.label("title"),
        address,
        _url(named, folder),
        fields.label("notice", nothing),
        fields.flag("try_it", False),
        fields.text("font", ""),
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

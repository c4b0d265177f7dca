"""Answers of an endpoint on disk, by the SHA-256 of the exact request: a killed run asks nothing twice.

The key has the model's name and not the address, so that a model may move to another server. Requests are not kept,
nor is any key of the user's.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from readproof.errors import InputError

_FILE = "answers.sqlite"
_WAIT = 60.0


def cache_folder() -> Path:
    """READPROOF_CACHE, else a folder of ours among the user's caches."""
    named = os.environ.get("READPROOF_CACHE", "")
    if named:
        return Path(named).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "readproof" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "readproof"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "readproof"


def request_key(path: str, request: Mapping[str, Any]) -> str:
    """The SHA-256 of what is asked, the same whatever the order of the fields."""
    text = json.dumps({"path": path, "request": request}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


class Cache:
    """A file of replies that several threads and several processes may use at a time."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / _FILE
        self._lock = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = sqlite3.connect(self.path, timeout=_WAIT, check_same_thread=False, isolation_level=None)
            # each reply is in the file when `put` returns: it outlives the process, whatever ends it
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=NORMAL")
            self._file.execute("CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL)")
        except (OSError, sqlite3.Error) as error:
            raise self._broken(error) from None

    def get(self, key: str) -> dict[str, Any] | None:
        """The reply to a request that was asked before."""
        with self._lock:
            try:
                row = self._file.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
            except sqlite3.Error as error:
                raise self._broken(error) from None
        if row is None:
            return None
        reply: dict[str, Any] = json.loads(row[0])
        return reply

    def put(self, key: str, reply: Mapping[str, Any]) -> None:
        """Keep a reply."""
        with self._lock:
            try:
                self._file.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, json.dumps(reply)))
            except sqlite3.Error as error:
                raise self._broken(error) from None

    def close(self) -> None:
        """No more is asked of it."""
        with self._lock:
            self._file.close()

    def _broken(self, error: Exception) -> InputError:
        found = f"a cache that cannot be used ({error})"
        do = "Remove the file, or name another folder in READPROOF_CACHE."
        return InputError(file=self.path, found=found, expected="a folder that can be written", do=do)

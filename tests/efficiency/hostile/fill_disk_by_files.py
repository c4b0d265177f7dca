# ruff: noqa
"""Fills the disk with many files, each under the limit."""

from pathlib import Path

attempt("disk", lambda: [Path(f"part{number}").write_bytes(bytes(2**20)) for number in range(100)])

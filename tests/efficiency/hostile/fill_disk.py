# ruff: noqa
"""Fills the disk."""

with open("big", "wb", buffering=0) as file:
    attempt("disk", lambda: [file.write(bytes(2**20)) for _ in range(100)])

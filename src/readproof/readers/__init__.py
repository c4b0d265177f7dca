"""Readers: what answers items. Each kind in its own file; the shipped weights under `models/`."""

from readproof.readers.base import READERS, Reader, load_reader

__all__ = ["READERS", "Reader", "load_reader"]

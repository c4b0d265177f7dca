"""Readers: what answers items. Each kind in its own file; the shipped weights under `models/`."""

from readproof.readers.api import Reader
from readproof.readers.factory import READERS, load_reader

__all__ = ["READERS", "Reader", "load_reader"]

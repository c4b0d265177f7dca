# ruff: noqa
"""Puts functions of its own in the way of the answer of ours."""

import builtins
import io
import os
import sys

sys.stdout = io.StringIO()
os.write = lambda number, data: len(data)
os._exit = lambda status: None
builtins.print = lambda *words: None
sys.modules["json"] = sys

# ruff: noqa
"""Ends with the status that the sandbox itself uses for failures."""

import os

os._exit(70)

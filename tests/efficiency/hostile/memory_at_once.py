# ruff: noqa
"""Asks for 100 GB."""

everything = bytearray(100 * 2**30)

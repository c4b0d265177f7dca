# ruff: noqa
"""Asks for a little, again and again."""

kept = []
while True:
    kept.append(bytes(range(256)) * 256)

# ruff: noqa
"""Ends with the status of success, without an answer."""

raise SystemExit(0)

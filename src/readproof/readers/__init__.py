"""Readers: what answers items. Each kind in its own file; the shipped weights under `models/`."""

# ruff: noqa
"""Lifts its own limits."""

import resource

for name in ("AS", "CPU", "NOFILE", "FSIZE", "NPROC", "CORE"):
    which = getattr(resource, f"RLIMIT_{name}")
    infinite = resource.RLIM_INFINITY
    attempt(name, lambda: resource.setrlimit(which, (infinite, infinite)))

# ruff: noqa
"""Looks for secrets in the environment."""

import os


def look():
    found = [value for value in os.environ.values() if TARGET["secret"] in value]
    return found[0]


attempt("environment", look)
attempt("environment by name", lambda: os.environ["READPROOF_TEST_SECRET"])

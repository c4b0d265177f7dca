# ruff: noqa
"""Puts code of its own where Python keeps compiled files, to be run by the next one."""

import importlib.util
import py_compile
import readproof

source = readproof.__file__
attempt("compiled", lambda: py_compile.compile(source, doraise=True))
attempt("compiled", lambda: open(importlib.util.cache_from_source(source), "wb"))

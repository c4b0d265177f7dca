"""Worked examples, run from a clone; they are no part of the installed package."""

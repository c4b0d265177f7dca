# ruff: noqa
"""Closes all descriptors and ends as if all were well."""

import os

os.closerange(0, 256)

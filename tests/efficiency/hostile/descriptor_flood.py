# ruff: noqa
"""Opens files without end."""

import os

attempt("descriptors", lambda: [os.open("/dev/null", os.O_RDONLY) for _ in range(10**5)])

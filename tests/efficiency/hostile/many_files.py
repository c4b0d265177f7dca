# ruff: noqa
"""Makes as many files as it can."""

import os

attempt("files", lambda: [os.close(os.open(f"x{number}", os.O_CREAT | os.O_WRONLY)) for number in range(10**6)])

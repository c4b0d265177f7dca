# ruff: noqa
"""Makes second names for files that it can read, to keep or to change them."""

import os

for path in (TARGET["model"], TARGET["package"] + "/__init__.py", "/dev/null", TARGET["home_secret"]):
    attempt(f"link {path}", lambda: os.link(path, "name"))
    attempt(f"link beside {path}", lambda: os.link(path, path + ".name"))

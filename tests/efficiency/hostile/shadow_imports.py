# ruff: noqa
"""Puts modules of its own in the way of the next import."""

import os
import subprocess
import sys
from pathlib import Path

evil = "import os; os.write(2, b'BREACHED import')"
for folder in (".", os.environ["HOME"]):
    for name in ("json", "torch", "sitecustomize", "usercustomize", "readproof"):
        Path(folder, f"{name}.py").write_text(evil)
for folder in (Path(TARGET["model"]).parent, Path(sys.prefix, "lib"), Path(TARGET["package"]).parent):
    attempt(f"module in {folder}", lambda: Path(folder, "torch.py").write_text(evil))
subprocess.run([sys.executable, "-I", "-c", "import json, readproof"], check=True)

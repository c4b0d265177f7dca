"""The command line in this process: what it says and its status are those of a process, without loading Python anew.

What only a process can show (pipes, encodings, signals, memory, what is imported) is tested in one, in `test_main`.
"""

from __future__ import annotations

import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from readproof.cli.main import main


def run(
    *arguments: str | Path | int, cwd: Path | None = None, given: str = "", **environment: str
) -> CompletedProcess[str]:
    """`readproof ARGUMENTS`, in a folder where one is named, with `given` on standard input."""
    command = ["readproof", *map(str, arguments)]
    out, errors = (TextIOWrapper(BytesIO(), encoding="utf-8") for _ in range(2))
    loaded = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", command)
        patch.setattr(sys, "path", sys.path.copy())
        patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(given.encode()), encoding="utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", errors)
        for name, value in environment.items():
            patch.setenv(name, value)
        if cwd is not None:
            patch.chdir(cwd)
        with pytest.raises(SystemExit) as ended:
            main()
    if cwd is not None:
        # a user's module in that folder: the next folder may have another of its name
        for name in set(sys.modules) - loaded:
            if str(getattr(sys.modules[name], "__file__", None)).startswith(f"{cwd}/"):
                del sys.modules[name]
    return CompletedProcess(command, int(ended.value.code or 0), *(_written(one) for one in (out, errors)))


def _written(stream: TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, BytesIO)
    return buffer.getvalue().decode()

"""Checks packages in a process of its own and tells what they took: `python -m tests.submit.measured LIST`.

LIST is a JSON file: [[package, [test files], {options}], …]. One process checks all of them, so its peak of memory is
that of the worst. It also tells what was opened for writing, started or connected to on the way.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
import time
from pathlib import Path
from typing import Any

_FORBIDDEN = ("os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "socket.connect", "pickle.find_class")


def main() -> None:
    from readproof.submit import check

    done: list[str] = []

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        if writes or event in _FORBIDDEN:
            done.append(f"{event} {arguments[0]}")

    told = []
    jobs = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.addaudithook(watch)
    for package, tests, options in jobs:
        start, wall = time.process_time(), time.monotonic()
        result = check(package, tests=tests, **options)
        told.append(
            {
                "seconds": time.process_time() - start,
                "wall": time.monotonic() - wall,
                "seen": result.seen,
                "problems": [[one.code, one.file, one.place, one.level] for one in result.problems],
                "sentences": [one.sentence("en") + one.sentence("zh") for one in result.problems[:50]],
            }
        )
    sys.stdout.write(json.dumps({"told": told, "megabytes": _peak(), "done": done}))


def _peak() -> float:
    """The most memory this process has had; on Linux getrusage counts what its parent had when it was started."""
    status = Path("/proc/self/status")
    if status.is_file():
        return int(re.findall(r"VmHWM:\s+(\d+)", status.read_text())[0]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024**2


if __name__ == "__main__":
    main()

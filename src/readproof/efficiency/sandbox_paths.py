"""What of the host a sandboxed program sees: the Python installation, this package, and what the caller names."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from readproof.efficiency.sandbox_plan import SCRATCH, Mount
from readproof.errors import InputError

_PACKAGE = Path(__file__).resolve().parents[1]
_SYSTEM = (
    *("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64"),
    *("/etc/ld.so.cache", "/etc/alternatives", "/nix/store", "/gnu/store"),
    "/proc/cpuinfo",
)
_COVERED = (Path("/usr"), Path("/usr/local"))
_MOST_CHECKED = 1000


def package_parent() -> Path:
    """The folder to import this package from."""
    return _PACKAGE.parent


def planned(readable: Sequence[Path]) -> tuple[Mount, ...]:
    """The mounts of a run."""
    for path in readable:
        _check(path)
    named = [*map(Path, _SYSTEM), *_installation(), _PACKAGE, *(path.absolute() for path in readable)]
    return tuple(_mounts(path for path in named if path.exists()))


def _installation() -> Iterable[Path]:
    prefixes = {Path(one) for one in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)}
    for prefix in sorted(prefixes - set(_COVERED)):
        _refuse_wide(prefix)
        yield prefix
    executable = Path(sys.executable)
    yield executable
    while executable.is_symlink():
        executable = executable.parent / executable.readlink()
        yield executable
    for entry in map(Path, sys.path):
        if entry.name in {"site-packages", "dist-packages"}:
            yield entry


def _mounts(paths: Iterable[Path]) -> Iterable[Mount]:
    """One mount a path, at its own name and at its real one; what lies inside another mount is there already."""
    targets = {os.path.normpath(path): os.path.realpath(path) for path in paths}
    targets |= {source: source for source in targets.values()}
    kept: list[str] = []
    for target in sorted(targets, key=lambda name: (name.count("/"), name)):
        if any(Path(target).is_relative_to(one) for one in kept):
            continue
        kept.append(target)
        yield Mount(targets[target], target, Path(targets[target]).is_dir())


def _check(path: Path) -> None:
    if not path.exists():
        raise InputError(file=path, found="no such file", expected="a file or folder to show to the sandbox")
    if not (path.is_file() or path.is_dir()):
        raise InputError(file=path, found="a device, pipe or socket", expected="a plain file or a folder")
    _refuse_wide(path.resolve())
    if path.absolute().is_relative_to(SCRATCH):
        raise InputError(file=path, found=f"a path in {SCRATCH}", expected="another place", do="Move the file.")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        _refuse_private(path)


def _refuse_wide(path: Path) -> None:
    try:
        home = Path.home().resolve()
    except RuntimeError:  # a user without one
        home = Path("/")
    if home.is_relative_to(path.resolve()):
        raise InputError(
            file=path,
            found="a folder that holds your home folder",
            expected="a narrower one: all of it would be shown to the sandbox",
        )


def _refuse_private(path: Path) -> None:
    """Run by root, the program inside is nobody: say now what it could not read then."""
    inside = [path, *(one for one, _ in zip(path.rglob("*"), range(_MOST_CHECKED), strict=False))]
    for one in inside:
        mode = one.lstat().st_mode
        needed = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
        if not stat.S_ISLNK(mode) and mode & needed != needed:
            raise InputError(
                file=one,
                found=f"permissions {stat.filemode(mode)}",
                expected="a path that everyone can read: under root, the sandbox runs as nobody",
                do=f"chmod -R o+rX {path}",
            )

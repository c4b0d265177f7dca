"""Running a submitted model file where it can do no harm: under bubblewrap, with limits, or not at all.

    outcome = run_sandboxed([sys.executable, "-I", "worker.py"], stdin=b"…", readable=[Path("model_to_eval.py")])

bubblewrap (a Debian package) makes the namespaces and mounts what may be read; a few lines of Python inside set the
limits that the kernel keeps for each process; what all processes use together is looked after from outside.
docs/sandbox.md says what is guaranteed and what is not.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import secrets
import selectors
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

from readproof.efficiency.sandbox_filter import machine, program
from readproof.errors import InputError

__all__ = ["Ability", "Limits", "SandboxOutcome", "able", "run_sandboxed"]

Verdict = Literal["done", "crashed", "time", "memory", "processes", "output"]

SCRATCH = "/.scratch"
_NOBODY = 65534
# beyond the users that Linux distributions and containers give out
_FIRST_USER, _USERS = 0x70000000, 0x1000000
_MOST_SCRATCH_FILES = 4096
_NEEDED = ("--size", "--remount-ro", "--cap-drop", "--clearenv", "--perms", "--json-status-fd", "--seccomp")
_DEVICES = ("null", "zero", "full", "random", "urandom")
_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": SCRATCH,
    "TMPDIR": SCRATCH,
    "USER": "nobody",
    "LOGNAME": "nobody",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "CUDA_VISIBLE_DEVICES": "",
    # one thread: the count of processes holds threads too, and a library on a large machine would start one a core
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
# The last step before the program, in a bare interpreter: limits, a user that owns nothing, three descriptors.
_BOOT = r"""
import json, os, resource, select, signal, sys
limits, users, end_with, alive, folder, argv = json.loads(sys.argv[1])
try:
    if alive is not None:
        # bubblewrap ends with its caller from here on; a caller that was killed before has left a pipe without a writer
        hung_up = select.poll()
        hung_up.register(alive, 0)
        if hung_up.poll(0):
            os._exit(70)
    for which, value in limits:
        hard = resource.getrlimit(which)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (value, value + (which == resource.RLIMIT_CPU and value != hard)))
    if end_with is not None:  # without bubblewrap, which sees to that itself
        import ctypes
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != end_with:
            os._exit(70)
    if users:
        os.setgroups([])
        for user in users:
            try:
                os.setresgid(user, user, user)
                os.setresuid(user, user, user)
                break
            except OSError:
                if user == users[-1]:
                    raise
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)  # Python ignores two of them, and what is ignored stays so
    os.chdir(folder)
    os.closerange(3, 1024)
    os.execv(argv[0], argv)
except Exception as error:
    os.write(2, f"not started: {argv[0]}: {error}\n".encode())
os._exit(70)
"""
# What a program that is fenced in must not find; it prints the holes.
_LOOK = r"""
import fcntl, os, socket, struct
holes = []
unix = socket.socket(socket.AF_UNIX)
for index in range(1, 64):
    try:
        name = fcntl.ioctl(unix, 0x8910, struct.pack("16si20x", b"", index))[:16].rstrip(b"\0")  # SIOCGIFNAME
    except OSError:
        continue
    if name != b"lo":
        holes.append(f"the network interface {name.decode()}")
try:
    socket.socket(socket.AF_INET)
    holes.append("sockets")
except PermissionError:
    pass
if os.getpid() > 9:
    holes.append("the processes of the host")
if 0 in os.getresuid():
    holes.append("root")
if not os.statvfs("/").f_flag & os.ST_RDONLY:
    holes.append("a root folder that can be written to")
if os.path.exists("/proc/self"):
    holes.append("the process folder")
print(holes)
"""
_NOT_STARTED = b"not started: "
_FAILED = 70
_OUT_OF_MEMORY = (b"MemoryError", b"std::bad_alloc", b"can't allocate memory", b"Cannot allocate memory")
_TAIL = 2000
_LOOK_EVERY = 0.05
_CHUNK = 1 << 16
_PROCESSES = Path("/proc")
_REAPING = 10.0
_OWN_THREADS = 2  # bubblewrap's first process, and one that is just ending


@dataclass(frozen=True)
class Limits:
    """What a run may use; the whole of it, children included, unless said otherwise."""

    seconds: float = 60
    cpu_seconds: float = 60
    memory: int = 4 * 2**30
    """Bytes, of address space for each process and of memory in use for all of them."""
    processes: int = 64
    """Threads count too."""
    files: int = 256
    """Open files, for each process."""
    written: int = 64 * 2**20
    """Bytes in the scratch folder."""
    output: int = 16 * 2**20
    """Bytes on standard output, and as many on standard error."""


@dataclass(frozen=True)
class SandboxOutcome:
    """How a run ended: `done` means that it ended by itself with status 0, and says nothing about its answer."""

    verdict: Verdict
    status: int | None
    """The exit status, minus the signal's number if a signal ended it, None if the sandbox ended it."""
    stdout: bytes
    stderr: bytes
    seconds: float


@dataclass(frozen=True)
class Mount:
    """A file or folder of the host, and the name it has inside; read-only."""

    source: str
    target: str


@dataclass(frozen=True)
class Ability:
    """What the system can do: `fence` is bubblewrap or None (untrusted code is refused), and why, in words."""

    fence: str | None
    words: tuple[str, ...]


@cache
def able() -> Ability:
    """Whether a harmless program runs under bubblewrap here, tried once in the life of the process."""
    why = _lacking() or _tried()
    if why:
        return Ability(None, ("no sandbox: model files are refused unless they are trusted", why))
    user = "a user without a name" if os.geteuid() == 0 else "the calling user, without capabilities"
    return Ability("bubblewrap", (f"sandbox: bubblewrap; model files run as {user}",))


def run_sandboxed(
    argv: Sequence[str],
    *,
    stdin: bytes = b"",
    readable: Sequence[Path] = (),
    limits: Limits = Limits(),  # noqa: B008 - frozen
    trust: bool = False,
) -> SandboxOutcome:
    """Run a program that nobody vouches for.

    `argv[0]` is this Python or lies in `readable`. Trust lifts the fence: limits and a clean environment only.
    Raises InputError where the system has no bubblewrap, or where the sandbox cannot be built.
    """
    if trust:
        return _trusted(argv, stdin, limits)
    if able().fence is None:
        raise InputError(
            found=f"no way to fence in a model file ({able().words[-1]})", expected="bubblewrap", do=_advice()
        )
    return _fenced(argv, stdin, mounts(readable), limits)


def _fenced(argv: Sequence[str], stdin: bytes, shown: Sequence[Mount], limits: Limits) -> SandboxOutcome:
    reading, writing = os.pipe()
    alive, held = os.pipe()  # this process alone holds the writing end
    try:
        with tempfile.TemporaryFile() as code:
            code.write(program(machine() or ""))
            code.seek(0)
            line = _command(shown, limits, writing, code.fileno()) + _booted(argv, limits, SCRATCH, alive=alive)
            try:
                run = _run(line, _ENVIRONMENT, stdin, limits, fenced=True, passed=(writing, code.fileno(), alive))
            finally:
                os.close(writing)
        with os.fdopen(reading, "rb", closefd=False) as file:
            said = [json.loads(words) for words in file.read().splitlines()]
    finally:
        for one in (reading, alive, held):
            os.close(one)
    for first in (one["child-pid"] for one in said if "child-pid" in one):
        _wait_for(first)
    status = next((one["exit-code"] for one in said if "exit-code" in one), None)
    if run.ended is None and status is None:
        raise _unbuilt(bytes(run.stderr))
    return _outcome(run, status if status is None or status <= 128 else 128 - status, limits)


def _trusted(argv: Sequence[str], stdin: bytes, limits: Limits) -> SandboxOutcome:
    if sys.platform == "win32":
        raise InputError(found="Windows", expected="Linux, or with trust macOS", do="Use WSL 2.")
    folder = tempfile.mkdtemp(prefix="readproof-")
    try:
        environment = {**_ENVIRONMENT, "HOME": folder, "TMPDIR": folder}
        run = _run(_booted(argv, limits, folder), environment, stdin, limits)
        return _outcome(run, run.status, limits)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _outcome(run: _SandboxRun, status: int | None, limits: Limits) -> SandboxOutcome:
    stderr = bytes(run.stderr[: limits.output])
    if status == _FAILED and stderr.startswith(_NOT_STARTED):
        raise _unbuilt(stderr)
    number = status if run.ended is None else None
    return SandboxOutcome(
        run.ended or _verdict(number, stderr), number, bytes(run.stdout[: limits.output]), stderr, run.seconds
    )


def _verdict(status: int | None, stderr: bytes) -> Verdict:
    if status == 0:
        return "done"
    if status == -signal.SIGXCPU:
        return "time"
    # an allocation over the limit fails inside the program, which then ends as it likes: only its last words tell
    if any(words in stderr[-_TAIL:] for words in _OUT_OF_MEMORY):
        return "memory"
    return "crashed"


def _unbuilt(stderr: bytes) -> InputError:
    said = stderr.decode(errors="replace").strip().splitlines()
    return InputError(
        place="sandbox",
        found=said[-1] if said else "it does not start",
        expected="a fence that stands before the program starts",
        do="Nothing was run. `readproof doctor` tells what this system can do.",
    )


# bubblewrap


def _command(shown: Sequence[Mount], limits: Limits, status: int, code: int) -> list[str]:
    """The command line of bubblewrap, up to the program."""
    line = [_program()[0] or "bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    line += ["--unshare-cgroup-try", "--cap-drop", "ALL"]
    if os.geteuid() == 0:
        line += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]  # to become another user, which ends them
    else:
        line += ["--unshare-user"]
    line += ["--die-with-parent", "--new-session", "--hostname", "sandbox", "--json-status-fd", str(status)]
    line += ["--seccomp", str(code)]
    # bubblewrap makes the folders above a mount with permissions that would keep nobody out of it
    targets = [*(Path(mount.target) for mount in shown), Path("/dev/null")]
    for above in sorted({above for target in targets for above in target.parents} - {Path("/")}):
        line += ["--perms", "0755", "--dir", str(above)]
    for mount in sorted(shown, key=lambda one: one.target):
        line += ["--ro-bind", mount.source, mount.target]
    for device in _DEVICES:
        line += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    line += ["--perms", "0777", "--size", str(limits.written), "--tmpfs", SCRATCH, "--remount-ro", "/"]
    return [*line, "--chdir", "/", "--"]


def _booted(argv: Sequence[str], limits: Limits, folder: str, *, alive: int | None = None) -> list[str]:
    """The command that sets the limits of a process and becomes the program.

    `alive` is for a run under bubblewrap: the reading end of a pipe that only this process can write to.
    """
    fenced = alive is not None
    wanted = [
        (resource.RLIMIT_CPU, max(1, round(limits.cpu_seconds))),
        (resource.RLIMIT_NOFILE, limits.files),
        (resource.RLIMIT_FSIZE, limits.written),
        # 1, not 0: a kernel that pipes core dumps to a program minds only this
        (resource.RLIMIT_CORE, 1),
    ]
    if sys.platform == "linux":  # elsewhere an address space cannot be limited
        wanted.append((resource.RLIMIT_AS, limits.memory))
    if fenced:  # the kernel counts by user: a run of root has a user of its own, others a user namespace of their own
        wanted.append((resource.RLIMIT_NPROC, limits.processes))
    # a system that knows few users has nobody alone, who is shared by all runs
    users = [_FIRST_USER + secrets.randbelow(_USERS), _NOBODY] if fenced and os.geteuid() == 0 else []
    end_with = os.getpid() if sys.platform == "linux" and not fenced else None
    values = [(int(which), value) for which, value in wanted]
    given = json.dumps([values, users, end_with, alive, folder, list(argv)])
    return [sys.executable, "-I", "-S", "-B", "-c", _BOOT, given]


@cache
def _program() -> tuple[str | None, str]:
    """Where bubblewrap is and, if it cannot be used, why."""
    place = shutil.which("bwrap")
    if place is None:
        return None, "bubblewrap is not installed"
    try:
        text = subprocess.run([place, "--help"], capture_output=True, text=True, check=False, timeout=10).stdout
    except (OSError, subprocess.SubprocessError) as error:
        return None, f"{place} does not run ({error})"
    lacking = [option for option in _NEEDED if option not in text]
    return (None, f"{place} is too old: it has no {', '.join(lacking)}") if lacking else (place, "")


def _lacking() -> str:
    if sys.platform != "linux":
        return f"{platform.system()} has no namespaces"
    if machine() is None:
        return f"no system call filter for the processor {platform.machine()}"
    return _program()[1]


def _tried() -> str:
    """Why a harmless program does not run as it should under bubblewrap; empty if it does."""
    trial = Limits(seconds=20, cpu_seconds=10, memory=2**30, processes=8)
    try:
        outcome = _fenced((sys.executable, "-I", "-S", "-c", _LOOK), b"", mounts(()), trial)
    except InputError as error:
        return f"bubblewrap: {error.found}"
    if outcome.stdout != b"[]\n":
        return f"bubblewrap leaves a hole: {outcome.stdout.decode(errors='replace').strip() or outcome.verdict}"
    return ""


def _advice() -> str:
    trust = "Or trust the file (--trust): it then runs with limits but without a fence."
    if sys.platform != "linux":
        return f"Use Linux, for example in a virtual machine. {trust}"
    if _program()[0] is None:
        return f"Install bubblewrap (apt install bubblewrap). {trust}"
    if os.geteuid() == 0:
        return f"Let the container make namespaces (by its seccomp profile, or CAP_SYS_ADMIN). {trust}"
    return (
        "Let users make namespaces "
        f"(sysctl kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns). {trust}"
    )


# what of the host is shown: the Python installation, this package, and what the caller names

_PACKAGE = Path(__file__).resolve().parents[1]
_SYSTEM = (
    *("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64"),
    *("/etc/ld.so.cache", "/etc/alternatives", "/nix/store", "/gnu/store"),
    "/proc/cpuinfo",
)
_COVERED = (Path("/usr"), Path("/usr/local"))
_MOST_CHECKED = 1000


def mounts(readable: Sequence[Path]) -> tuple[Mount, ...]:
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
        yield Mount(targets[target], target)


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
    """Run by root, the program inside is another user: say now what it could not read then."""
    inside = [path, *(one for one, _ in zip(path.rglob("*"), range(_MOST_CHECKED), strict=False))]
    for one in inside:
        mode = one.lstat().st_mode
        needed = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
        if not stat.S_ISLNK(mode) and mode & needed != needed:
            raise InputError(
                file=one,
                found=f"permissions {stat.filemode(mode)}",
                expected="a path that everyone can read: under root, the sandbox runs as another user",
                do=f"chmod -R o+rX {path}",
            )


# one run, from outside: pipes, the clock, and what all processes use together


@dataclass
class _SandboxRun:
    """What is known of a run so far."""

    stdout: bytearray = field(default_factory=bytearray)
    stderr: bytearray = field(default_factory=bytearray)
    ended: Verdict | None = None
    """Why the sandbox ended it; None if it ended by itself."""
    status: int | None = None
    seconds: float = 0.0


def _run(
    command: Sequence[str],
    environment: dict[str, str],
    stdin: bytes,
    limits: Limits,
    *,
    fenced: bool = False,
    passed: tuple[int, ...] = (),
) -> _SandboxRun:
    """Start a command, feed it, collect what it writes, and end it when it exceeds a limit."""
    result = _SandboxRun()
    began = time.monotonic()
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd="/",
        pass_fds=passed,
        start_new_session=True,
    )
    try:
        _follow(process, stdin, limits, fenced, result, began)
    finally:
        _end(process, fenced=fenced)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with suppress(OSError):  # what was never read by the program
                    pipe.close()
    result.status = process.returncode
    result.seconds = time.monotonic() - began
    return result


def _follow(
    process: subprocess.Popen[bytes], stdin: bytes, limits: Limits, fenced: bool, result: _SandboxRun, began: float
) -> None:
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise RuntimeError("a process started without pipes")
    sinks = {process.stdout.fileno(): result.stdout, process.stderr.fileno(): result.stderr}
    feed, left = process.stdin.fileno(), memoryview(stdin)
    with selectors.DefaultSelector() as selector:
        for descriptor in sinks:
            os.set_blocking(descriptor, False)
            selector.register(descriptor, selectors.EVENT_READ)
        os.set_blocking(feed, False)
        selector.register(feed, selectors.EVENT_WRITE)
        next_look = began
        while process.poll() is None:
            for key, _ in selector.select(_LOOK_EVERY):
                if key.fd == feed:
                    left = _fed(feed, left)
                    if not left:
                        selector.unregister(feed)
                        process.stdin.close()
                elif not _taken(key.fd, sinks[key.fd], limits.output):
                    selector.unregister(key.fd)
            now = time.monotonic()
            result.ended = _over_output(result, limits) or ("time" if now - began > limits.seconds else None)
            if result.ended is None and now >= next_look:
                result.ended = _over_use(process.pid, limits, fenced)
                next_look = now + _LOOK_EVERY
            if result.ended:
                return
        _drain(sinks, selector, limits)
        result.ended = _over_output(result, limits)


def _fed(descriptor: int, left: memoryview) -> memoryview:
    try:
        return left[os.write(descriptor, left[:_CHUNK]) :] if left else left
    except BlockingIOError:
        return left
    except OSError:  # nobody reads it any more
        return left[:0]


def _taken(descriptor: int, sink: bytearray, most: int) -> bool:
    """Read once; whether there may be more. One byte too many is kept as the sign of it."""
    try:
        data = os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return True
    except OSError:
        return False
    sink += data[: most + 1 - len(sink)]
    return bool(data)


def _drain(sinks: dict[int, bytearray], selector: selectors.BaseSelector, limits: Limits) -> None:
    """What is still in the pipes; without a fence some orphan may hold them open, so nobody waits for the end."""
    open_still = [descriptor for descriptor in sinks if descriptor in selector.get_map()]
    for descriptor in open_still:
        before = -1
        while len(sinks[descriptor]) != before:
            before = len(sinks[descriptor])
            if not _taken(descriptor, sinks[descriptor], limits.output):
                break


def _over_output(result: _SandboxRun, limits: Limits) -> Verdict | None:
    return "output" if max(len(result.stdout), len(result.stderr)) > limits.output else None


def _over_use(process: int, limits: Limits, fenced: bool) -> Verdict | None:
    use = _use(process, limits.memory)
    if use.memory > limits.memory:
        return "memory"
    if use.cpu_seconds > limits.cpu_seconds:
        return "time"
    # bubblewrap limits the bytes of the scratch folder, not how many files there are
    if fenced and _scratch_files(process) > _MOST_SCRATCH_FILES:
        return "memory"
    return "processes" if use.threads > limits.processes + _OWN_THREADS else None


def _end(process: subprocess.Popen[bytes], *, fenced: bool) -> None:
    """Kill what is left. bubblewrap goes by itself, once its namespace is empty: then nothing is left."""
    _kill(process.pid)
    if fenced:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_REAPING)
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@dataclass(frozen=True)
class _ResourceUse:
    """What the processes use now: how many threads, CPU seconds so far, bytes of memory."""

    threads: int = 0
    cpu_seconds: float = 0.0
    memory: int = 0


def _descendants(root: int) -> list[int]:
    """The processes below one, each after its parent."""
    found = [root]
    for process in found:
        found.extend(one for one in _children(process) if one not in found)
    return found[1:]


def _use(root: int, enough_memory: int) -> _ResourceUse:
    """The use of a process's descendants; memory is looked into closely only when it might exceed what is enough."""
    ticks = os.sysconf("SC_CLK_TCK")
    page = os.sysconf("SC_PAGE_SIZE")
    threads, spent, resident = 0, 0, 0
    processes = _descendants(root)
    for process in processes:
        fields = _stat(process)
        if fields:
            threads += int(fields[17])
            spent += sum(map(int, fields[11:15]))
            resident += int(fields[21]) * page
    memory = resident
    if resident > enough_memory:
        memory = sum(_own_memory(process) for process in processes)
    return _ResourceUse(threads, spent / ticks, memory)


def _scratch_files(root: int) -> int:
    """How many files a sandbox has made: empty ones take no room in its scratch folder, but memory of the kernel."""
    for process in reversed(_descendants(root)):
        with suppress(OSError):
            found = os.statvfs(_PROCESSES / str(process) / "root" / SCRATCH.lstrip("/"))
            return found.f_files - found.f_ffree
    return 0


def _wait_for(process: int) -> None:
    """Wait for the first process of a namespace: bubblewrap goes before it, and it goes last of all within."""
    end = time.monotonic() + _REAPING
    while time.monotonic() < end and _stat(process)[:1] not in ([], ["Z"]):
        time.sleep(0.002)


def _kill(root: int) -> None:
    """Kill a process's descendants, however fast they multiply, but not the process itself: it waits for them."""
    for _ in range(100):
        processes = _descendants(root)
        if not processes:
            return
        for process in processes:
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)


def _children(process: int) -> Iterator[int]:
    with suppress(OSError):
        for task in (_PROCESSES / str(process) / "task").iterdir():
            with suppress(OSError):
                yield from map(int, (task / "children").read_text().split())


def _stat(process: int) -> list[str]:
    """The fields of /proc/N/stat from the third on; the second, the name, may hold anything."""
    try:
        return (_PROCESSES / str(process) / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _own_memory(process: int) -> int:
    """A process's share of its memory: pages that a fork has not yet copied are counted once, not once a process."""
    try:
        for line in (_PROCESSES / str(process) / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        fields = _stat(process)
        return int(fields[21]) * os.sysconf("SC_PAGE_SIZE") if fields else 0
    return 0

"""The sandbox as its callers see it: what a program gets, what it may use, and when it is refused."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from readproof.efficiency import sandbox
from readproof.efficiency.sandbox import Limits, SandboxOutcome, able, mounts, run_sandboxed
from readproof.errors import InputError
from tests.efficiency.sandbox_host import processes

needs_fence = pytest.mark.skipif(able().fence is None, reason="this system has no sandbox")
both = pytest.mark.parametrize(
    "trust", [pytest.param(False, marks=needs_fence, id="fenced"), pytest.param(True, id="trusted")]
)
QUICK = Limits(seconds=20, cpu_seconds=20, memory=2**29, processes=24)


def _python(code: str, *, stdin: bytes = b"", limits: Limits = QUICK, trust: bool = False) -> SandboxOutcome:
    return run_sandboxed([sys.executable, "-I", "-c", code], stdin=stdin, limits=limits, trust=trust)


@both
def test_a_program_reads_and_writes(trust: bool) -> None:
    code = "import sys; print(sys.stdin.read().upper()); print('no harm', file=sys.stderr)"
    outcome = _python(code, stdin=b"some words", trust=trust)
    assert (outcome.verdict, outcome.status) == ("done", 0)
    assert (outcome.stdout, outcome.stderr) == (b"SOME WORDS\n", b"no harm\n")
    assert 0 < outcome.seconds < 20


@both
@pytest.mark.parametrize(
    ("code", "verdict", "status"),
    [
        ("raise SystemExit(3)", "crashed", 3),
        ("import os; os.abort()", "crashed", -signal.SIGABRT),
        ("import os; os.kill(os.getpid(), 9)", "crashed", -signal.SIGKILL),
        ("x = bytearray(10**11)", "memory", 1),
    ],
)
def test_how_it_ended(code: str, verdict: str, status: int, trust: bool) -> None:
    outcome = _python(code, trust=trust)
    assert (outcome.verdict, outcome.status) == (verdict, status)


@both
def test_time(trust: bool) -> None:
    slow = _python("import time; print('begun', flush=True); time.sleep(60)", limits=Limits(seconds=1.2), trust=trust)
    assert (slow.verdict, slow.status, slow.stdout) == ("time", None, b"begun\n")
    assert slow.seconds < 6
    busy = _python("while True: pass", limits=Limits(seconds=20, cpu_seconds=1), trust=trust)
    assert busy.verdict == "time"
    assert busy.seconds < 15


@both
def test_the_limit_on_output_is_exact(trust: bool) -> None:
    code = "import os; os.write(1, b'x' * {0}); os.write(2, b'y' * {0})"
    limits = Limits(seconds=20, output=1000)
    whole = _python(code.format(1000), limits=limits, trust=trust)
    assert (whole.verdict, len(whole.stdout), len(whole.stderr)) == ("done", 1000, 1000)
    over = _python(code.format(1001), limits=limits, trust=trust)
    assert (over.verdict, len(over.stdout)) == ("output", 1000)


@both
def test_much_goes_through(trust: bool) -> None:
    data = os.urandom(3 * 2**20)
    code = "import sys; data = sys.stdin.buffer.read(); sys.stdout.buffer.write(data); sys.stderr.buffer.write(data)"
    outcome = _python(code, stdin=data, trust=trust)
    assert outcome.stdout == outcome.stderr == data


@both
def test_input_that_nobody_reads(trust: bool) -> None:
    assert _python("pass", stdin=bytes(2**22), trust=trust).verdict == "done"


@both
def test_the_environment_is_empty(trust: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN_OF_SOMEONE", "secret")
    outcome = _python("import os; print(sorted(os.environ))", trust=trust)
    assert b"TOKEN_OF_SOMEONE" not in outcome.stdout
    assert b"'OMP_NUM_THREADS'" in outcome.stdout


@both
def test_descriptors_are_closed(trust: bool, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    with secret.open() as file:
        os.set_inheritable(file.fileno(), True)
        code = "import os\nfor n in range(3, 100):\n try: print(n, os.fstat(n))\n except OSError: pass"
        assert _python(code, trust=trust).stdout == b""


@needs_fence
def test_orphans_end_with_the_run() -> None:
    mark = f"orphan{os.getpid()}"
    code = (
        "import os, time\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0: time.sleep(60)\n os._exit(0)\nos.wait()"
    )
    outcome = run_sandboxed([sys.executable, "-I", "-c", code, mark], limits=QUICK)
    assert outcome.verdict == "done"
    assert outcome.seconds < 20
    assert processes(mark) == []


@both
def test_the_run_ends_when_its_caller_is_killed(trust: bool) -> None:
    mark = f"caller{os.getpid()}{trust}"
    code = (
        "import sys; from readproof.efficiency.sandbox import run_sandboxed; "
        f"run_sandboxed([sys.executable, '-I', '-c', 'import time; time.sleep(60)', {mark!r}], trust={trust})"
    )
    caller = subprocess.Popen([sys.executable, "-c", code])
    try:
        # the program itself runs: a kill while bubblewrap builds the namespaces can leave its own process waiting
        _wait(lambda: any("\\x00-I\\x00-c\\x00import time; time.sleep(60)" in one for one in processes(mark)))
    finally:
        caller.kill()
        caller.wait()
    _wait(lambda: processes(mark) == [])


@pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap runs on Linux only")
@pytest.mark.parametrize("caller_lives", [True, False])
def test_nothing_starts_for_a_caller_that_was_killed_before_bubblewrap_looked(caller_lives: bool) -> None:
    """bubblewrap asks to be ended with its caller once it runs; a caller killed in that moment must not be missed."""
    alive, held = os.pipe()
    command = sandbox._booted(["/bin/echo", "ran"], QUICK, "/", alive=alive)
    if not caller_lives:
        os.close(held)
    done = subprocess.run(command, pass_fds=(alive,), capture_output=True, check=False)
    os.close(alive)
    if caller_lives:
        os.close(held)
    assert (done.returncode, done.stdout) == ((0, b"ran\n") if caller_lives else (70, b""))


@needs_fence
def test_the_kernel_stops_forks_before_anybody_looks() -> None:
    """A look from outside is too slow for a fork bomb on a loaded machine; this one gives up by itself."""
    code = (
        "import os, time\nmade = 0\ntry:\n for made in range(200):\n"
        "  if os.fork() == 0: time.sleep(2); os._exit(0)\nexcept BlockingIOError: print(made)"
    )
    outcome = _python(code)
    assert outcome.verdict == "done"
    assert 0 < int(outcome.stdout) <= QUICK.processes


@both
def test_memory_that_forks_share_is_counted_once(trust: bool) -> None:
    code = (
        "import os, time\nkept = bytearray(b'x') * (200 * 2**20)\n"
        "for _ in range(6):\n if os.fork() == 0: time.sleep(0.3); os._exit(0)\n"
        "for _ in range(6): os.wait()"
    )
    assert _python(code, trust=trust).verdict == "done"


@both
def test_runs_side_by_side(trust: bool) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda number: _python(f"print({number} ** 2)", trust=trust), range(8)))
    assert [one.stdout for one in found] == [b"%d\n" % number**2 for number in range(8)]


@needs_fence
def test_only_what_is_named_can_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "with a space，和"
    folder.mkdir()
    tmp_path.chmod(0o755)
    for name in ("model.py", "gold.json", "link.py"):
        (folder / name).write_text(name) if name != "link.py" else (folder / name).symlink_to("gold.json")
    code = f"import os\nprint(os.listdir({str(folder)!r}))\nprint(open({str(folder / 'model.py')!r}).read())"
    argv = [sys.executable, "-I", "-c", code]
    outcome = run_sandboxed(argv, readable=[folder / "model.py"], limits=QUICK)
    assert outcome.stdout == b"['model.py']\nmodel.py\n"
    outcome = run_sandboxed(argv, readable=[folder], limits=QUICK)
    assert b"gold.json" in outcome.stdout


@needs_fence
def test_the_scratch_folder_is_empty_every_time() -> None:
    code = "import os; print(os.listdir('.'), os.getcwd() == os.environ['HOME']); open('left', 'w').write('x')"
    assert _python(code).stdout == _python(code).stdout == b"[] True\n"


def test_the_own_package_can_be_imported() -> None:
    outcome = _python(
        "import readproof.efficiency.sandbox_channel as one; print(one.__name__)", trust=able().fence is None
    )
    assert outcome.stdout == b"readproof.efficiency.sandbox_channel\n"


@needs_fence
def test_a_program_that_is_not_there() -> None:
    with pytest.raises(InputError, match=r"Nothing was run"):
        run_sandboxed(["/nowhere/python"], limits=QUICK)


def test_what_may_not_be_shown(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        mounts([tmp_path / "nothing"])
    for wide in (Path("/"), Path.home(), Path.home().parent):
        with pytest.raises(InputError, match="holds your home"):
            mounts([wide])
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="a device, pipe or socket"):
        mounts([tmp_path / "pipe"])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's programs become nobody")
def test_what_nobody_could_not_read_is_told_before(tmp_path: Path) -> None:
    model = tmp_path / "model.py"
    model.touch(mode=0o600)
    with pytest.raises(InputError, match="chmod -R o\\+rX"):
        mounts([model])


def test_nothing_of_the_home_is_shown_but_python() -> None:
    home = Path.home().resolve()
    shown = [Path(mount.target) for mount in mounts(())]
    assert not [path for path in shown if home.is_relative_to(path)]
    prefixes = {Path(sys.prefix), Path(sys.base_prefix), Path(sandbox.__file__).parents[1], Path(sys.executable)}
    inside = [path for path in shown if path.is_relative_to(home)]
    assert [path for path in inside if not any(path.is_relative_to(one) for one in prefixes)] == []


def _able_with(path: str) -> str:
    """What a process with these programs on its PATH finds that it can do."""
    code = (
        "import sys\nfrom readproof.efficiency.sandbox import able, run_sandboxed\n"
        "from readproof.errors import InputError\n"
        "print(*able().words, sep='; ')\n"
        "try:\n    run_sandboxed([sys.executable, '-c', \"open('/dev/stderr', 'w').write('RAN')\"])\n"
        "except InputError as error:\n    print(error)\n"
        "print(run_sandboxed([sys.executable, '-c', \"print('trusted')\"], trust=True).stdout)\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | {"PATH": path}
    )
    assert "RAN" not in found.stderr
    return found.stdout


def test_without_bubblewrap_it_refuses(tmp_path: Path) -> None:
    found = _able_with(str(tmp_path))
    assert "no sandbox: model files are refused unless they are trusted" in found
    assert "found no way to fence in a model file (bubblewrap is not installed)" in found
    assert "apt install bubblewrap" in found
    assert "--trust" in found
    assert "b'trusted\\n'" in found


@needs_fence
@pytest.mark.parametrize(
    ("without", "hole"), [("--unshare-net", "hole"), ("--unshare-pid", "hole"), ("--remount-ro", "too old")]
)
def test_a_bubblewrap_that_leaves_a_hole_is_not_used(without: str, hole: str, tmp_path: Path) -> None:
    """One that forgets the network, say: whatever built the fence, a harmless program looks at it first."""
    real = shutil.which("bwrap")
    help_text = f"{real} --help | grep -v -e {without}" if hole == "too old" else f"{real} --help"
    fake = tmp_path / "bwrap"
    fake.write_text(
        f'#!/bin/bash\nif [ "$1" = --help ]; then {help_text}; exit; fi\n'
        f'for one; do shift; [ "$one" = {without} ] || set -- "$@" "$one"; done\nexec {real} "$@"\n'
    )
    fake.chmod(0o755)
    found = _able_with(f"{tmp_path}:{os.environ['PATH']}")
    assert "no sandbox" in found
    assert hole in found


def test_systems_that_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readproof.efficiency.sandbox.sys.platform", "darwin")
    able.cache_clear()
    try:
        with pytest.raises(InputError, match="has no namespaces"):
            run_sandboxed([sys.executable, "-c", ""])
    finally:
        able.cache_clear()


def _wait(holds: object) -> None:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if holds():  # type: ignore[operator]
            return
        time.sleep(0.02)
    raise AssertionError("it never came true")

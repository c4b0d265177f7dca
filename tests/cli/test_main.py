"""The command line as a whole: fast help, one message an error, the right status, JSON alone on standard output."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from readproof import __version__
from readproof.cli.main import COMMANDS, RENAMED, SECTIONS
from tests.cli.running import run
from tests.made_data import MADE
from tests.shared_data import SHARED, needs_shared

HEAVY = ("torch", "onnxruntime", "ray", "transformers", "numpy", "opencc", "nltk", "pandas", "sklearn")


def process(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "readproof.cli.main", *map(str, arguments)],
        capture_output=True, text=True, encoding="utf-8", timeout=120, check=False, env=os.environ | environment,
    )  # fmt: skip


@pytest.fixture
def made(tmp_path: Path) -> dict[str, Path]:
    paths = {}
    for name, data in MADE.items():
        paths[name] = tmp_path / name.replace(" ", "_")
        paths[name].write_bytes(data)
    return paths


def test_help_is_light() -> None:
    code = (
        "import sys, time\n"
        "sys.argv = ['readproof', '--help']\n"
        "from readproof.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"heavy = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "print('HEAVY', heavy, 'CPU', time.process_time())\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "Usage" in out
    last = out.strip().splitlines()[-1]
    assert last.startswith("HEAVY []"), last
    assert float(last.split()[-1]) < 0.5


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    found = run(command, "--help")
    assert found.returncode == 0
    assert "--json" in found.stdout or "Commands:" in found.stdout


def test_help_shows_the_commands_in_sections() -> None:
    shown = run("--help").stdout
    places = [shown.index(f"\n{title}:") for title in SECTIONS]
    assert places == sorted(places)
    for section in SECTIONS.values():
        for name, line in section.items():
            assert f"\n  {name:<10}  {line}\n" in shown
            assert len(line) < 45
    assert not [old for old in RENAMED if f"\n  {old} " in shown]


@pytest.mark.parametrize("old", [old for old in RENAMED if old != "demo-submission"])
def test_names_of_before_work_and_say_what_they_are_called_now(old: str) -> None:
    before, now = run(old, "--json"), run(*RENAMED[old].split(), "--json")
    assert before.returncode == now.returncode == 0
    assert before.stdout == now.stdout
    assert f"`readproof {RENAMED[old]}`" in before.stderr


def test_importing_the_package_is_light() -> None:
    code = f"import sys, readproof; print([name for name in {HEAVY!r} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@needs_shared
def test_score_json_has_the_official_keys_and_types() -> None:
    found = run(
        "score",
        "cmrc2018",
        SHARED / "golden/cmrc2018/noisy1.predictions.json",
        SHARED / "data/cmrc2018/dev.json.xz",
        "--json",
    )
    assert found.returncode == 0, found.stderr
    record = json.loads(found.stdout)
    assert record["official"]["F1"] == "67.677"
    assert record["F1"] == 67.677
    assert record["TOTAL"] == 3219
    assert record["exact"]["F1"] == pytest.approx(67.677, abs=5e-4)
    low, high = record["intervals"]["F1"]
    assert low < record["exact"]["F1"] < high
    assert record["counts"]["missing"] == 140


@needs_shared
def test_score_table_and_paired_test() -> None:
    golden = SHARED / "golden/gcrc_advrobust"
    found = run(
        "score", "gcrc", golden / "half_right.predictions.json", SHARED / "data/gcrc_advrobust/dev_a.json",
        "--strict", "--against", golden / "constant_A.predictions.json",
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert "0.421" in found.stdout
    assert "+0.345" in found.stdout
    assert "Please cite" in found.stderr


def test_audit_with_and_without_the_task(made: dict[str, Path], tmp_path: Path) -> None:
    for arguments in ([made["gcrc"]], ["gcrc", made["gcrc"]], [f"gcrc:{made['gcrc']}"]):
        found = run("audit", *arguments, "--json")
        assert found.returncode == 0, found.stderr
        assert json.loads(found.stdout)["counts"]["items"] == 2
    mended = tmp_path / "mended.json"
    found = run("audit", made["cmrc rows"], "--repair", mended, "--overlap", made["cmrc squad"], "--json")
    assert found.returncode == 0, found.stderr
    record = json.loads(found.stdout)
    assert record["findings"]["offset-negative"]["count"] == 2
    assert record["overlap"][0]["share"] == 1.0
    again = json.loads(run("audit", mended, "--json").stdout)
    assert "offset-negative" not in again["findings"]


def test_convert(made: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    found = run("convert", made["cmrc original"], "--to", "squad", "--script", "traditional", "-o", out)
    assert found.returncode == 0, found.stderr
    assert "戰國無雙" in out.read_text(encoding="utf-8")
    assert run("convert", made["ocnli"], "--to", "squad", "-o", out).returncode == 2
    assert "戰國無雙" in out.read_text(encoding="utf-8"), "a failed command leaves the old file"
    assert not list(tmp_path.glob(".*.part"))


def test_convert_does_not_write_over_what_it_reads(made: dict[str, Path]) -> None:
    before = made["cmrc original"].read_bytes()
    assert "read from" in run("convert", made["cmrc original"], "-o", made["cmrc original"]).stderr
    assert made["cmrc original"].read_bytes() == before


def test_convert_cleans_as_readers_do(tmp_path: Path) -> None:
    """A mark inside a word goes, what a screen shows in another order is put in order, golds follow."""
    passage = "They said he\u200ello to \u202eecilA\u202c and left."
    data, out = tmp_path / "data.json", tmp_path / "out.json"
    answer = {"text": "left", "answer_start": passage.index("left")}
    questions = [{"id": "1", "question": "What did they do?", "answers": [answer]}]
    record = {"version": "1.1", "data": [{"title": "", "paragraphs": [{"context": passage, "qas": questions}]}]}
    data.write_text(json.dumps(record), encoding="utf-8")
    assert run("convert", f"squad:{data}", "--to", "squad", "--sanitise", "-o", out).returncode == 0
    (paragraph,) = json.loads(out.read_text(encoding="utf-8"))["data"][0]["paragraphs"]
    assert paragraph["context"] == "They said hello to Alice and left."
    assert paragraph["qas"][0]["answers"] == [{"text": "left", "answer_start": 29}]


BAD = [
    ("score", "cmrc2018", "none.json", "none.json"),
    ("score", "nonsense", "none.json", "none.json"),
    ("audit", "none.json"),
    ("show", "none.json"),
    ("convert", "none.json", "-o", "x"),
    ("sanitise", "none.txt"),
    ("score", "cmrc2018"),
    ("nonsense",),
]


@pytest.mark.parametrize("arguments", BAD)
def test_bad_input_is_one_message_and_status_2(arguments: tuple[str, ...], tmp_path: Path) -> None:
    found = run(*arguments, cwd=tmp_path)
    assert found.returncode == 2
    assert found.stderr
    assert "Traceback" not in found.stderr
    assert not found.stdout


def test_the_version_needs_no_command() -> None:
    found = process("--version")
    assert (found.returncode, found.stdout) == (0, f"{__version__}\n")


def test_more_items_than_there_can_be(made: dict[str, Path]) -> None:
    assert run("show", made["cmrc squad"], "--first", 10**20).returncode == 0


@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "gbk"])
def test_any_console_encoding(encoding: str, made: dict[str, Path]) -> None:
    assert process("audit", made["cmrc squad"], PYTHONIOENCODING=encoding).returncode == 0


def test_a_full_disk_is_the_users_message(made: dict[str, Path]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full on this system")
    found = process("convert", made["cmrc squad"], "-o", "/dev/full/x")
    assert found.returncode == 2
    assert "Traceback" not in found.stderr


def test_a_disk_that_takes_no_more_is_told_with_the_file(made: dict[str, Path], tmp_path: Path) -> None:
    code = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))\n"
        "from readproof.cli.main import main\nmain()\n"
    )
    out = tmp_path / "out.json"
    found = subprocess.run(
        [sys.executable, "-B", "-c", code, "convert", made["cmrc squad"], "--to", "squad", "-o", out],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert found.returncode == 2
    assert f"{out}: found no room to write (" in found.stderr
    assert not out.exists()


def unread(*arguments: str | Path, errors: int = subprocess.PIPE, unbuffered: str = "") -> tuple[int, str]:
    """The status, and what was said on standard error, where nobody reads standard output."""
    process = subprocess.Popen(
        [sys.executable, "-m", "readproof.cli.main", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=errors, env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.close()
    said = process.stderr.read().decode() if process.stderr else ""
    return process.wait(timeout=60), said


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments", [("list", "tasks"), ("--help",), ("score", "--help"), ("check", "--explain", "G222")]
)
def test_a_closed_pipe_is_no_error(arguments: tuple[str, ...], unbuffered: str) -> None:
    status, said = unread(*arguments, unbuffered=unbuffered)
    assert (status, said) == (0, "")


@pytest.mark.parametrize("errors", [subprocess.PIPE, subprocess.STDOUT])
def test_a_check_that_nobody_reads_has_its_status(errors: int, tmp_path: Path) -> None:
    package = tmp_path / "GCRC_advRobust.json"
    package.write_text("[]", encoding="utf-8")
    for more in ((), ("--json",)):
        assert unread("check", package, *more, errors=errors)[0] == 2


def test_a_broken_pipe_that_is_not_ours_is_an_error() -> None:
    code = (
        "import sys\nfrom readproof.cli import main, tasks\n"
        "def command(): raise BrokenPipeError(32, 'a worker has gone')\n"
        "tasks.command = command\nsys.argv = ['readproof', 'tasks']\nmain.main()\n"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=False, timeout=60).returncode == 1


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="this system has no /dev/fd")
def test_data_and_predictions_through_pipes(made: dict[str, Path]) -> None:
    data = shlex.quote(str(made["gcrc"]))
    readproof = f"{shlex.quote(sys.executable)} -m readproof.cli.main"
    for command in (
        f"{readproof} score gcrc <(cat {data}) <(cat {data}) --strict",
        f"cat {data} | {readproof} score gcrc /dev/stdin {data}",
        f"{readproof} show <(cat {data})",
        f"{readproof} check {data} --test <(cat {data})",
    ):
        found = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)
        assert found.returncode == 0, (command, found.stderr, found.stdout)


def test_200_megabytes_of_garbage(tmp_path: Path) -> None:
    path = tmp_path / "garbage"
    with path.open("wb") as file:
        for _ in range(200):
            file.write(b'{"data": [["garbage ' * 55188)
    code = (
        "import resource, sys, runpy\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1500 << 20, 1500 << 20))\n"
        "sys.argv = ['readproof', 'audit', sys.argv[1]]\n"
        "from readproof.cli.main import main\nmain()\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert found.returncode == 2, found.stderr
    assert str(path) in found.stderr
    assert "expected" in found.stderr

"""`readproof answer`: official predictions; stopped at any moment it goes on and ends with the same bytes."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.journal import part_of
from readproof.readers import load_reader
from readproof.readers.job import answer_file
from readproof.tasks import TASKS
from readproof.tasks.scoring import score as scored
from tests.cli.running import run
from tests.readers.tiny import save_tiny

TEXT = "他生于越南。1963年在中国的公司上有人。"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("onnx")
    return str(save_tiny(tmp_path_factory.mktemp("tiny"), card={"name": "tiny"}))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Sixty questions on six passages, in CMRC's layout."""
    paragraphs = [
        {
            "id": f"DEV_{at}",
            "context": TEXT * (at + 1),
            "qas": [
                {
                    "id": f"DEV_{at}_QUERY_{n}",
                    "question": TEXT[n : n + 4] + "？",
                    "answers": [{"text": "他", "answer_start": 0}],
                }
                for n in range(10)
            ],
        }
        for at in range(6)
    ]
    file = tmp_path / "dev.json"
    records = [{"paragraphs": [one], "id": one["id"], "title": "t"} for one in paragraphs]
    file.write_text(json.dumps({"version": "v1.0", "data": records}, ensure_ascii=False), encoding="utf-8")
    return file


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "readproof.cli.main", "answer", *map(str, arguments)]


def test_predictions_can_be_scored(data: Path, tiny: str, tmp_path: Path) -> None:
    out = tmp_path / "predictions.json"
    found = subprocess.run(
        command(f"cmrc2018:{data}", "--reader", tiny, "-o", out, "--json"),
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    record = json.loads(found.stdout)
    assert (record["questions"], record["resumed"], record["reader"]) == (60, 0, "tiny")
    score = scored(TASKS.get("cmrc2018"), out, data)
    assert score.official["TOTAL"] == 60
    assert score.counts["missing"] == 0
    assert not part_of(out).exists()


def test_stopped_anywhere_it_ends_with_the_same_bytes(data: Path, tiny: str, tmp_path: Path) -> None:
    reader = load_reader(tiny)
    whole = tmp_path / "whole.json"
    answer_file(str(data), reader, whole)
    for stop in (0, 1, 7, 59):
        out = tmp_path / f"stopped{stop}.json"

        def progress(done: int, total: int, stop: int = stop) -> None:
            if done > stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            answer_file(str(data), reader, out, progress=progress)
        part = part_of(out)
        with part.open("ab") as file:
            file.write(b'{"at": 41, "id": "DEV_')
        assert not out.exists()
        done = answer_file(str(data), load_reader(tiny), out)
        assert done.resumed == stop + 1
        assert out.read_bytes() == whole.read_bytes()
        assert not part.exists()


def test_killed_and_started_again(data: Path, tiny: str, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import time\ndef answer(passage, question):\n    time.sleep(0.02)\n    return passage[len(question):][:3]\n",
        encoding="utf-8",
    )
    outs = [tmp_path / "killed.json", tmp_path / "whole.json"]
    killed = subprocess.Popen(
        command(data, "--reader", "slow:answer", "-o", outs[0]), cwd=tmp_path, stderr=subprocess.DEVNULL
    )
    part = part_of(outs[0])
    until = time.monotonic() + 30
    while time.monotonic() < until and not (part.exists() and part.read_bytes().count(b"\n") > 5):
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert part.exists() and not outs[0].exists()
    for out in outs:
        subprocess.run(
            command(data, "--reader", "slow:answer", "-o", out), cwd=tmp_path, check=True, capture_output=True
        )
    assert outs[0].read_bytes() == outs[1].read_bytes()


def test_answers_of_another_reader_are_refused(data: Path, tiny: str, tmp_path: Path) -> None:
    out = tmp_path / "p.json"

    def progress(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer_file(str(data), load_reader(tiny), out, progress=progress)
    other = load_reader(str(save_tiny(tmp_path / "other", seed=1, card={"name": "tiny"})))
    with pytest.raises(InputError, match=r"its weights differs.*--fresh"):
        answer_file(str(data), other, out)
    assert answer_file(str(data), other, out, fresh=True).resumed == 0


def test_a_limit_is_of_items(data: Path, tiny: str, tmp_path: Path) -> None:
    out = tmp_path / "p.json"
    assert answer_file(str(data), load_reader(tiny), out, limit=4).questions == 4


def test_triples_are_answered_one_question_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.made_data import MADE

    name = next(name for name in MADE if name.startswith("gcrc"))
    (tmp_path / "dev.json").write_bytes(MADE[name])
    (tmp_path / "last_option.py").write_text(
        "def answer(passage, question, options):\n    return len(options) - 1\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    done = answer_file("gcrc:dev.json", load_reader("last_option:answer"), tmp_path / "p.json")
    assert done.questions == 3 * done.items
    with pytest.raises(InputError, match="ChoiceItem"):
        answer_file("gcrc:dev.json", load_reader(str(save_tiny(tmp_path / "tiny"))), tmp_path / "p.json")


@pytest.mark.parametrize("out", ["no/such/folder/p.json", "."])
def test_a_place_that_cannot_be_written_is_told_before_the_work(
    data: Path, tiny: str, out: str, tmp_path: Path
) -> None:
    found = subprocess.run(
        command(data, "--reader", tiny, "-o", tmp_path / out), capture_output=True, text=True, check=False
    )
    assert found.returncode == 2
    assert "folder" in found.stderr
    assert not part_of(tmp_path / out).exists()


@pytest.mark.parametrize(
    "line", ["{", '{"at": 0}', '{"at": 0, "id": "x", "other": 1}', '{"at": 0, "id": "x", "marks": 1}']
)
def test_a_damaged_part_is_told(data: Path, tiny: str, line: str, tmp_path: Path) -> None:
    out, reader = tmp_path / "p.json", load_reader(tiny)

    def stop(done: int, _total: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer_file(str(data), reader, out, progress=stop)
    part_of(out).write_text(part_of(out).read_text().splitlines()[0] + f"\n{line}\n")
    with pytest.raises(InputError, match="line 2"):
        answer_file(str(data), reader, out)


def test_the_data_is_not_written_over(data: Path, tiny: str, tmp_path: Path) -> None:
    before = data.read_bytes()
    link = tmp_path / "link.json"
    link.symlink_to(data)
    for out in (data, link):
        with pytest.raises(InputError, match="read from"):
            answer_file(str(data), load_reader(tiny), out)
    assert data.read_bytes() == before


def test_ids_that_repeat_are_told(data: Path, tiny: str, tmp_path: Path) -> None:
    data.write_text(data.read_text(encoding="utf-8").replace("QUERY_1", "QUERY_0"), encoding="utf-8")
    out = tmp_path / "predictions.json"
    done = run("answer", data, "--reader", tiny, "-o", out)
    assert "6 questions have the id of a question before them" in done.stderr
    assert json.loads(run("answer", data, "--reader", tiny, "-o", out, "--json").stdout)["repeated"] == 6


def test_no_questions_are_no_result(tiny: str, tmp_path: Path) -> None:
    empty, out = tmp_path / "empty.json", tmp_path / "predictions.json"
    empty.write_text('{"data": []}', encoding="utf-8")
    done = run("answer", f"cmrc2018:{empty}", "--reader", tiny, "-o", out)
    assert done.returncode == 2
    assert "no items" in done.stderr
    assert not out.exists()


def test_what_to_score_by_is_named_so_that_it_can_be_pasted(data: Path, tiny: str, tmp_path: Path) -> None:
    out = tmp_path / "run 二.json"
    assert shlex.quote(str(out)) in run("answer", data, "--reader", tiny, "-o", out).stderr
    data.write_text(data.read_text(encoding="utf-8").replace('"answers"', '"none"'), encoding="utf-8")
    assert "Score them" not in run("answer", data, "--reader", tiny, "-o", out).stderr


def test_json_stands_alone_though_a_reader_prints(data: Path, tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text("def loud(passage, question):\n    print('thinking')\n    return passage[:2]\n")
    arguments = (data, "--reader", "loud:loud", "-o", tmp_path / "p.json", "--limit", "2", "--json")
    done = subprocess.run(command(*arguments), cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["questions"] == 2
    assert done.stderr.count("thinking") == 2


def test_a_shell_that_asks_for_completions_is_answered(tmp_path: Path) -> None:
    asked = {"_READPROOF_COMPLETE": "complete_bash", "COMP_WORDS": "readproof score --json --met", "COMP_CWORD": "3"}
    code = "from readproof.cli.main import app; app()(prog_name='readproof')"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | asked, capture_output=True, text=True, check=False
    )
    assert "--metric" in done.stdout


def test_standard_output_is_given_back(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom readproof.cli.main import main\nsys.argv = ['readproof', 'tasks', '--json']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\nprint('after')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("}\nafter\n")


def test_an_unfinished_job_does_not_end_well_because_nobody_looks(data: Path, tmp_path: Path) -> None:
    reader = "import sys\ndef loud(passage, question):\n    print('x' * 9999)\n    return passage[:2]\n"
    (tmp_path / "loud.py").write_text(reader)
    command_line = shlex.join(command(data, "--reader", "loud:loud", "-o", tmp_path / "p.json"))
    shell = ["bash", "-c", f"set -o pipefail; {command_line} | true"]
    assert subprocess.run(shell, cwd=tmp_path, capture_output=True, check=False).returncode == 141
    assert not (tmp_path / "p.json").exists()

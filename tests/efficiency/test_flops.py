"""Model files run by the worker: their costs come back as numbers, whatever else the file does."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from readproof.efficiency.flops import Costs, measure
from readproof.efficiency.modules import ModuleUse, parse
from readproof.efficiency.sandbox import SandboxOutcome, able
from readproof.efficiency.sandbox_channel import KEY, signed
from readproof.errors import InputError, MissingExtraError
from tests.efficiency.made import BERT, BERT_FILE, TINY_FILE, trace

LINEAR = "from torch import nn\nmodule_list = {'a': nn.Linear(8, 2)}\nentire_model = module_list['a']\n"
ASKED = ModuleUse("a", (8,))


def model(folder: Path, text: str) -> Path:
    path = folder / "model_to_eval.py"
    path.write_text(text, encoding="utf-8")
    return path


def here(argv: Sequence[str], *, stdin: bytes, **more: Any) -> SandboxOutcome:
    """The worker in this process: these files are ours, and torch need not start anew for each."""
    from readproof.efficiency.worker import answer

    found = json.dumps(answer(json.loads(stdin[KEY:]))).encode()
    return SandboxOutcome("done", 0, signed(stdin[:KEY], found), b"", 0.0)


def run(folder: Path, text: str, *uses: ModuleUse, apart: bool = False) -> Costs:
    pytest.importorskip("torch", reason="needs the extra [elue]")
    return measure(model(folder, text), uses or (ASKED,), trust=True, run=None if apart else here)


def refusal(folder: Path, text: str) -> InputError:
    with pytest.raises(InputError) as caught:
        run(folder, text, apart="_exit" in text)
    assert caught.value.file.endswith("model_to_eval.py")
    return caught.value


def test_a_model_file_costs_what_its_description_says(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    described = tmp_path / "bert.json"
    described.write_text(json.dumps(BERT), encoding="utf-8")
    uses = [use for length in (8, 21, 128) for use in parse(trace("chnc", length, 12))]
    costs = run(tmp_path, BERT_FILE, *uses, apart=True)
    other = measure(described, uses)
    assert costs.of == other.of
    assert (costs.parameters, costs.frozen, costs.notes) == (other.parameters, 0, ())


def test_in_the_sandbox(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra [elue]")
    if able().fence is None:
        pytest.skip("this system has no fence")
    tmp_path.chmod(0o755)
    found = measure(model(tmp_path, TINY_FILE), parse(trace("chnc", 9, 2)))
    assert found.macs(parse(trace("chnc", 9, 2))) == 2 * (9 * 768 * 768 + 2 * 9 * 768) + 768 * 768 + 1536


def test_faults_are_told_for_each_use(tmp_path: Path) -> None:
    wrong = ModuleUse("a", (9,)), ModuleUse("b", (8,))
    costs = run(tmp_path, LINEAR, ASKED, *wrong)
    assert costs.of[ASKED].macs == 16
    plain = "it does not run alone on this shape (a part of it takes vectors of 8 numbers and got 9)"
    assert costs.faults[wrong[0]] == plain
    assert costs.faults[wrong[1]] == "module_list has no such module; it has a"
    near = run(tmp_path, LINEAR.replace("'a'", "'layer_1'"), ModuleUse("layr_1", (8,))).faults[
        ModuleUse("layr_1", (8,))
    ]
    assert near == "module_list has no such module; did you mean layer_1? It has layer_1"


def test_a_batch_in_a_shape_is_no_unknown_class(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    wrong = ModuleUse("layer_1", (8, 22, 768)), ModuleUse("layer_1", (1, 22, 768))
    costs = run(tmp_path, BERT_FILE, *wrong)
    assert not costs.of and not costs.estimated
    for use in wrong:
        assert "BertSelfAttention takes (tokens, width) and got 3 numbers: a shape has no batch" in costs.faults[use]
    described = tmp_path / "bert.json"
    described.write_text(json.dumps(BERT), encoding="utf-8")
    assert "no batch dimension" in measure(described, wrong).faults[wrong[0]]


def test_images_have_shapes_of_three_numbers(tmp_path: Path) -> None:
    text = "from torch import nn\nmodule_list = {'a': nn.Conv2d(3, 4, 3)}\nentire_model = module_list['a']\n"
    use = ModuleUse("a", (3, 8, 8))
    assert run(tmp_path, text, use).of[use].macs > 0


def test_frozen_and_missing_parameters_are_told(tmp_path: Path) -> None:
    frozen = run(tmp_path, LINEAR + "entire_model.bias.requires_grad = False\n")
    assert (frozen.parameters, frozen.frozen) == (16, 2)
    missing = run(tmp_path, LINEAR.replace("entire_model", "other"))
    assert missing.parameters == 18
    assert "no entire_model" in missing.notes[0]
    less = run(tmp_path, LINEAR + "entire_model = nn.Linear(1, 1)\n")
    assert "more than entire_model (2)" in less.notes[0]


def test_an_estimate_is_named(tmp_path: Path) -> None:
    text = LINEAR + "class Mine(nn.Linear): pass\nmodule_list['a'] = Mine(8, 2)\n"
    costs = run(tmp_path, text)
    assert costs.estimated == ("Mine",)
    assert costs.of[ASKED].estimated == 16


def test_files_that_need_numbers(tmp_path: Path) -> None:
    rates = "import torch\nrates = [one.item() for one in torch.ones(3)]\n"
    assert "real weights" in run(tmp_path, rates + LINEAR).notes[0]
    asking = "class Ask(nn.Linear):\n    def forward(self, x):\n        y = super().forward(x)\n"
    asking += "        return y if y.sum() > 0 else -y\nmodule_list['a'] = Ask(8, 2)\n"
    costs = run(tmp_path, LINEAR + asking)
    assert costs.of[ASKED].macs == 16
    assert "weights of zero" in costs.notes[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def", "no valid Python in line 1 (invalid syntax)"),
        ("x = 1", "no module_list"),
        ("module_list = {'a': 3}", "no modules: 'a'"),
        ("module_list = []", "module_list, a list"),
        ("raise ValueError('no luck')", "ValueError: no luck"),
        ("raise SystemExit(0)", "SystemExit"),
        ("import nothing_of_this_name", "ModuleNotFoundError"),
        ("import os; os._exit(0)", "without an answer"),
        ("import os; os._exit(3)", "stopped"),
        (LINEAR + "entire_model = 3", "entire_model, a int"),
        ("\0", "no valid Python"),
    ],
)
def test_files_that_cannot_be_used(text: str, words: str, tmp_path: Path) -> None:
    error = refusal(tmp_path, text)
    assert words in error.found
    assert str(error).count("found") == 1


def test_what_a_module_does_when_it_runs_is_its_fault_alone(tmp_path: Path) -> None:
    text = LINEAR + "class Exit(nn.Module):\n    def forward(self, x):\n        raise SystemExit\n"
    text += "module_list['b'] = Exit()\n"
    costs = run(tmp_path, text, ASKED, ModuleUse("b", (8,)))
    assert costs.of[ASKED].macs == 16
    assert "SystemExit" in costs.faults[ModuleUse("b", (8,))]


def answering(stdout: bytes, verdict: str = "done", stderr: bytes = b"") -> Callable[..., SandboxOutcome]:
    def runner(argv: Sequence[str], *, stdin: bytes, **more: Any) -> SandboxOutcome:
        assert argv[-1] == "readproof.efficiency.worker"
        return SandboxOutcome(verdict, 0, signed(stdin[:KEY], stdout), stderr, 1.0)  # type: ignore[arg-type]

    return runner


GOOD = {
    "costs": [{"macs": 1, "estimated": {}, "parameters": 1}],
    "parameters": 1,
    "frozen": 0,
    "notes": [],
    "fault": "",
}


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        GOOD | {"costs": []},
        GOOD | {"costs": [{"macs": -1, "estimated": {}, "parameters": 1}]},
        GOOD | {"costs": [{"macs": 1.5, "estimated": {}, "parameters": 1}]},
        GOOD | {"costs": [{"macs": True, "estimated": {}, "parameters": 1}]},
        GOOD | {"costs": [{"macs": 10**19, "estimated": {}, "parameters": 1}]},
        GOOD | {"costs": [7]},
        GOOD | {"parameters": "many"},
        GOOD | {"notes": [3]},
        GOOD | {"fault": 3},
    ],
)
def test_an_answer_of_another_form_is_refused(answer: object, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        measure(model(tmp_path, ""), [ASKED], run=answering(json.dumps(answer).encode()))
    assert "without an answer" in caught.value.found


def test_what_a_model_file_writes_itself_is_no_answer(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra [elue]")
    forged = json.dumps(GOOD)
    text = f"import os\nfor one in range(3, 20):\n    try:\n        os.write(one, {forged!r}.encode())\n"
    text += "    except OSError:\n        pass\nos._exit(0)\n"
    with pytest.raises(InputError, match="not the signed answer"):
        measure(model(tmp_path, text), [ASKED], trust=True)


def test_what_the_file_says_is_safe_to_print(tmp_path: Path) -> None:
    answer = GOOD | {"notes": ["\x1b[31mred\x07" + "x" * 900]}
    (note,) = measure(model(tmp_path, ""), [ASKED], run=answering(json.dumps(answer).encode())).notes
    assert "\x1b" not in note and "\x07" not in note
    assert len(note) <= 500


@pytest.mark.parametrize(
    ("verdict", "words"), [("time", "too long"), ("memory", "too much memory"), ("crashed", "crash")]
)
def test_verdicts_of_the_sandbox(verdict: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        measure(model(tmp_path, ""), [ASKED], run=answering(b"", verdict, b"Traceback\nBoom: here\n"))
    assert words in caught.value.found
    assert caught.value.do == "Its last words: Boom: here"


def test_without_torch_the_extra_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingExtraError, match=r"readproof\[elue\]"):
        measure(model(tmp_path, ""), [ASKED], run=answering(b'{"fault": "no torch", "missing": "torch"}'))


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        measure(tmp_path / "none.py", [ASKED])


def test_equal_layers_are_alike_and_others_are_not() -> None:
    torch = pytest.importorskip("torch")
    from readproof.efficiency.counting import likeness

    make = torch.nn.TransformerEncoderLayer
    one, same, other = make(8, 2, 16), make(8, 2, 16), make(8, 4, 16)
    assert likeness(one) == likeness(same)
    assert likeness(one) != likeness(other)
    same.dropout.p = 0.3
    assert likeness(one) != likeness(same)

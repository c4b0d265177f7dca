"""`readproof list readers`: a table for people, an object for programs."""

from __future__ import annotations

import json
import subprocess
import sys

from readproof.cli.list import _flat
from readproof.readers import READERS
from tests.cli.running import run


def test_every_reader_is_listed() -> None:
    table, record = run("list", "readers").stdout, json.loads(run("list", "readers", "--json").stdout)
    assert list(record) == READERS.names()
    for name, card in record.items():
        assert name in table
        assert {"kind", "languages", "bytes", "parameters", "licence", "scores", "enough"} <= card.keys()


def test_listing_loads_nothing_heavy() -> None:
    code = (
        "import sys\nsys.argv = ['readproof', 'readers', '--json']\nfrom readproof.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = [name for name in ('numpy', 'onnxruntime', 'tokenizers', 'torch') if name in sys.modules]\n"
        "print(heavy, file=sys.stderr)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr
    assert out.splitlines()[-1] == "[]"


def test_scores_in_a_line() -> None:
    scores = {"cmrc2018": {"EM": 71.0, "F1": 88.3}, "drcd": {"dev": {"F1": 90}}, "note": "dev"}
    assert _flat(scores) == ["cmrc2018 EM 71.0, F1 88.3", "drcd dev F1 90", "note dev"]

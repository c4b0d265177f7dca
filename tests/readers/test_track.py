"""What a result says of its reader: size, closed track, independence; kept beside the predictions and checked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import asdict, replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.readers import READERS, load_reader
from readproof.readers.callable import FunctionReader
from readproof.readers.track import (
    INDEX,
    MOST,
    ONE,
    TrackRecord,
    eligible,
    in_words,
    parameters_in,
    parameters_of,
    read_track,
    size,
    track_file,
    track_of,
    write_track,
)
from tests.readers.overlap import OverlapReader
from tests.readers.tiny import save_tiny


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """A server that is there and says nothing of its models (404), as some are."""

    class Silent(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Silent) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"llm:http://127.0.0.1:{server.server_port}/v1#model"
        server.shutdown()


def first(passage: str, question: str, options: list[str]) -> int:
    return 0


def test_a_function_is_of_unknown_size() -> None:
    track = track_of(FunctionReader("tests:first", first))
    assert (track.reader, track.parameters, track.closed_track) == ("tests:first", None, "unknown")
    assert track.independent and "not known" in track.why


def test_a_card_says_the_size(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    small = track_of(load_reader(str(save_tiny(tmp_path / "a", card={"name": "tiny", "parameters": 48_608_258}))))
    assert (small.reader, small.parameters, small.closed_track) == ("tiny", 48_608_258, "yes")
    large = track_of(load_reader(str(save_tiny(tmp_path / "b", card={"name": "big", "parameters": MOST + 1}))))
    assert large.closed_track == "no" and "510 M" in large.why
    silent = track_of(load_reader(str(save_tiny(tmp_path / "c"))))
    assert (silent.parameters, silent.closed_track) == (None, "unknown")


def test_what_a_reader_counts_itself_comes_first() -> None:
    assert track_of(OverlapReader()).parameters == 0


def test_a_language_model_is_for_the_open_track(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, endpoint: str) -> None:
    pytest.importorskip("httpx")
    monkeypatch.setenv("READPROOF_CACHE", str(tmp_path))
    plain, joint = track_of(load_reader(endpoint)), track_of(load_reader(f"{endpoint}?prompt=winner"))
    assert plain.closed_track == joint.closed_track == "no"
    assert "open track" in plain.why
    assert (plain.independent, joint.independent) == (True, False)


def test_every_shipped_reader_is_for_the_closed_track() -> None:
    for name in READERS.names():
        assert eligible(READERS.get(name).card().parameters)[0] == "yes", name


@pytest.mark.parametrize(
    ("parameters", "closed"), [(0, "yes"), (MOST, "yes"), (MOST + 1, "no"), (7_000_000_000, "no"), (None, "unknown")]
)
def test_the_limit(parameters: int | None, closed: str) -> None:
    assert eligible(parameters)[0] == closed
    assert eligible(parameters, large=True)[0] == "no"


def test_sizes_in_words() -> None:
    found = [size(one) for one in (None, 48_608_258, 102_000_000, 6_738_000_000)]
    assert found == ["unknown parameters", "48.6 M parameters", "102 M parameters", "6,738 M parameters"]


def test_the_weights_of_a_hugging_face_folder_are_counted_by_their_header(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tests.readers.test_transformers import saved

    folder = saved(tmp_path / "options", "BertForMultipleChoice")
    model = transformers.BertForMultipleChoice.from_pretrained(folder)
    expected = sum(one.numel() for one in model.parameters())
    assert parameters_in(folder) == expected
    assert parameters_of(load_reader(str(folder))) == expected
    model.save_pretrained(tmp_path / "shards", max_shard_size="4KB")
    assert (tmp_path / "shards" / INDEX).is_file() and not (tmp_path / "shards" / ONE).exists()
    assert parameters_in(tmp_path / "shards") == expected


def header(tensors: object) -> bytes:
    text = json.dumps(tensors).encode()
    return len(text).to_bytes(8, "little") + text


WEIGHT = {"dtype": "F16", "shape": [3, 5], "data_offsets": [0, 30]}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (header({"w": WEIGHT, "__metadata__": {"format": "pt"}}), 15),
        (header({"w": WEIGHT, "one": {"dtype": "F32", "shape": [], "data_offsets": [30, 34]}}), 16),
        (header({"w": WEIGHT, "position_ids": {"dtype": "I64", "shape": [1, 512], "data_offsets": [30, 99]}}), 15),
        (header({"w": WEIGHT})[:-3], None),
        (header([]), None),
        (header({"w": {}}), None),
        (header({"w": "x"}), None),
        (b"\xff" * 20, None),
        (b"", None),
    ],
)
def test_headers(written: bytes, expected: int | None, tmp_path: Path) -> None:
    (tmp_path / ONE).write_bytes(written)
    assert parameters_in(tmp_path) == expected


def test_a_folder_without_weights(tmp_path: Path) -> None:
    assert parameters_in(tmp_path) is None
    (tmp_path / INDEX).write_text('{"weight_map": {"a": "gone.safetensors"}}', encoding="utf-8")
    assert parameters_in(tmp_path) is None


TRACK = TrackRecord(reader="zh", fingerprint="f", parameters=5, closed_track="yes", why="…", independent=True)


def test_it_is_kept_beside_the_predictions(tmp_path: Path) -> None:
    out = tmp_path / "p.json"
    out.write_text("{}", encoding="utf-8")
    assert read_track(out) is None
    for track in (TRACK, replace(TRACK, parameters=None, closed_track="unknown", independent=False)):
        assert write_track(track, out) == track_file(out) == tmp_path / "p.json.reader.json"
        assert read_track(out) == track
    record = json.loads(track_file(out).read_text(encoding="utf-8"))
    assert asdict(TRACK).keys() < record.keys()
    out.write_text("{} ", encoding="utf-8")
    with pytest.raises(InputError, match="the reader of other predictions"):
        read_track(out)


@pytest.mark.parametrize(
    "damage",
    ["", "[]", "{", '{"reader": "zh"}', {"closed_track": "perhaps"}, {"parameters": "many"}, {"reader": None}],
)
def test_a_damaged_record_is_told(damage: str | dict[str, object], tmp_path: Path) -> None:
    out = tmp_path / "p.json"
    out.write_text("{}", encoding="utf-8")
    path = write_track(TRACK, out)
    if isinstance(damage, dict):
        damage = json.dumps(json.loads(path.read_text(encoding="utf-8")) | damage)
    path.write_text(damage, encoding="utf-8")
    with pytest.raises(InputError, match=r"p\.json\.reader\.json"):
        read_track(out)


def test_in_words() -> None:
    assert in_words(TRACK, closed=False) == ["read by zh, 0.0 M parameters"]
    assert in_words(replace(TRACK, reader="\x1b[31mzh\u202e"))[0] == "read by [31mzh, 0.0 M parameters"
    assert in_words(TRACK)[1] == "closed track: yes (…)"

"""Views of members are the members, wherever one seeks; and a bent zip ends in problems, never in a traceback."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from readproof.errors import InputError
from readproof.submit import check
from readproof.submit.archive import Budget, open_archive
from readproof.submit.problems import Problems, UnreadableError
from tests.submit.parts import package, predictions, submission, zipped

NOISE = random.Random(7).randbytes(9 << 20)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(places=st.lists(st.tuples(st.integers(0, len(NOISE)), st.integers(0, 70_000)), max_size=4))
def test_a_view_is_the_member(method: int, places: list[tuple[int, int]]) -> None:
    archive = open_archive(io.BytesIO(_packed(method)), "x.zip", Problems(), Budget(1 << 40))
    assert archive is not None
    view = archive.view(archive.entries[0])
    for start, size in places:
        assert view.seek(start) == start
        assert view.read(size) == NOISE[start : start + size]
        assert view.tell() == min(start + size, max(start, len(NOISE)))


_KEPT: dict[int, bytes] = {}


def _packed(method: int) -> bytes:
    return _KEPT.setdefault(method, zipped({"noise": NOISE}, method))


def test_the_budget_ends_unpacking() -> None:
    archive = open_archive(io.BytesIO(zipped({"zeros": bytes(3 << 20)})), "x.zip", Problems(), Budget(1 << 20))
    assert archive is not None
    with pytest.raises(UnreadableError) as caught:
        archive.read(archive.entries[0], 1 << 30)
    assert caught.value.code == "A109"


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_a_bent_package_ends_in_problems(data: st.DataObject, tmp_path: Path) -> None:
    """Bytes changed, cut out or put in anywhere: a check answers, and never with a traceback."""
    whole = bytearray(data.draw(st.sampled_from(_WHOLE)))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(whole) - 1))
        kind = data.draw(st.sampled_from(("change", "cut", "add")))
        if kind == "change":
            whole[at] = data.draw(st.integers(0, 255))
        elif kind == "cut":
            del whole[at : at + data.draw(st.integers(1, 40))]
        else:
            whole[at:at] = data.draw(st.binary(min_size=1, max_size=40))
    path = tmp_path / data.draw(st.sampled_from(("GCRC_advRobust.zip", "x.docx", "GCRC_advRobust.json")))
    path.write_bytes(whole)
    for one in check(path).problems:
        assert one.sentence("zh").isprintable()


_WHOLE = (package(), submission(), predictions())


def test_no_file_and_a_folder_are_told(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.zip"):
        with pytest.raises(InputError):
            check(path)


def test_right_packages_have_no_problem(tmp_path: Path) -> None:
    path = tmp_path / "GCRC_advRobust.zip"
    path.write_bytes(package())
    test = tmp_path / "test.json"
    test.write_bytes(predictions())
    found = check(path, tests=[f"gcrc:{test}"], track="closed")
    assert (found.kind, found.problems) == ("gcrc", ())
    assert found.seen == {"rows": 4, "parameters": 12, "track": "closed"}

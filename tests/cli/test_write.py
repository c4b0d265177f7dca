"""GCRC end to end: the training layout attacked, triples reviewed and mended in a browser, a dev file written."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from readproof.attacks.authoring import FORMS, OptionText, draft_of, drafts, problems, read_written, remarks
from readproof.attacks.review import confirmed_of, judged_variants, read_judgements, reviewed
from readproof.cli import _review_page, _write_page
from readproof.items import ChoiceItem, Triple
from readproof.tasks import load
from tests.attacks.options.data import ITEM, PASSAGE
from tests.cli import running


@contextmanager
def serving(started: tuple[ThreadingHTTPServer, str]) -> Iterator[str]:
    server, address = started
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield address
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def opened(browser: Any, address: str) -> Iterator[Any]:
    """A page; an error in its script fails the test."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    view = context.new_page()
    troubles: list[str] = []
    view.on("pageerror", lambda error: troubles.append(str(error)))
    view.goto(address)
    yield view
    context.close()
    assert not troubles


@pytest.fixture
def train(tmp_path: Path) -> Path:
    path = tmp_path / "train_GCRC.json"
    row = {"title": "礼", "passage": PASSAGE, "question": ITEM.question, "options": ITEM.options, "answer": "D"}
    path.write_text(json.dumps({"data": [row | {"id": f"q{at}"} for at in range(6)]}, ensure_ascii=False), "utf-8")
    return path


def test_from_the_training_file_to_triples_that_people_confirmed_and_mended(
    browser: Any, train: Path, tmp_path: Path
) -> None:
    made, judged, out = tmp_path / "made.json", tmp_path / "li.jsonl", tmp_path / "GCRC_advRobust.json"
    assert running.run("attack", "triples", train, "-o", made).returncode == 0
    record = tmp_path / "made.json.variants.jsonl"
    variants = judged_variants(record)
    with serving(_review_page.start(variants, "Li", judged, 0)) as address, opened(browser, address) as view:
        for number, variant in enumerate(variants, start=1):
            place = int(variant.edits[0].where.removeprefix("option "))
            assert isinstance(variant.item, ChoiceItem)
            view.get_by_text(f"{number} of {len(variants)}", exact=True).wait_for()
            view.get_by_text(variant.item.options[place], exact=True).first.wait_for()
            view.keyboard.press("1")
            view.keyboard.press("y" if variant.item.truths[place] else "n")
        view.get_by_text("All judged").wait_for()
    confirmed = confirmed_of(record, reviewed(variants, read_judgements(judged)).confirmed)
    triples = list(load(made))
    assert len(confirmed) == len(triples) > 1

    kept = tmp_path / "GCRC_advRobust.json.written.jsonl"
    found = drafts(load(f"gcrc:{made}"))
    assert [draft.item.id for draft in found] == [triple.id for triple in triples]
    with serving(_write_page.start(found, out, kept, 0)) as address, opened(browser, address) as view:
        view.wait_for_selector("body[data-ready='0']")
        first = view.get_by_label("positive option A")
        first.fill("")
        view.get_by_role("button", name="Keep this triple").click()
        view.get_by_text("positive: an option is empty").wait_for()
        assert not out.exists()
        first.fill("唐代的抄本多数保存在南方，人们非常重视抄本，这种说法不符合文意。")
        view.get_by_text("denies the whole option").wait_for()
        assert "唐代的抄本多数保存在南方" in view.locator("#passage mark").inner_text()
        texts = ("唐代的抄本大多收藏在南方，人们十分看重抄本。", *ITEM.options[:2], ITEM.options[3])
        for at, text in enumerate(texts):
            view.get_by_label(f"positive option {'ABCD'[at]}").fill(text)
            view.locator("#positive input").nth(at).set_checked(at != 3)  # the stem asks for the wrong one
        view.get_by_role("button", name="Keep this triple").click()
        for number in range(1, len(found)):  # the others are kept as they are
            view.wait_for_selector(f"body[data-ready='{number}']")
            view.get_by_role("button", name="Keep this triple").click()
        view.wait_for_selector("body[data-done]")
    written = list(load(out))
    assert [one.id for one in written] == [draft.item.id for draft in found]
    assert isinstance(written[0], Triple)
    assert written[0].positive.options == texts
    assert written[0].positive.letter == "D"
    assert written[0].original.options == ITEM.options
    told = json.loads(running.run("audit", out, "--json").stdout)
    assert told["counts"]["items"] == len(found)
    assert "option-empty" not in told["findings"]
    assert f"All {len(found)} questions are written" in running.run("write", made, "-o", out).stderr


def test_the_page_goes_on_where_it_stopped_and_answers_nobody_else(train: Path, tmp_path: Path) -> None:
    out, kept = tmp_path / "out.json", tmp_path / "out.written.jsonl"
    found = drafts(load(f"gcrc:{train}"))
    said = {form: [{"text": one.text, "truth": one.truth} for one in getattr(found[0], form)] for form in FORMS}
    with serving(_write_page.start(found, out, kept, 0)) as address:
        base, key = address.split("?key=")

        def post(body: Any, secret: str = key) -> None:
            data = json.dumps(body).encode()
            asked = urllib.request.Request(f"{base}save", data=data, headers={"X-Key": secret})
            urllib.request.urlopen(asked).close()

        def shown() -> str:
            with urllib.request.urlopen(address) as reply:
                return str(reply.read().decode())

        for body, secret in ((said | {"id": "q0"}, "no"), ({"id": "q9"}, key), ({"id": "q0", "positive": [1]}, key)):
            with pytest.raises(urllib.error.HTTPError, match="400"):
                post(body, secret)
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(base)
        assert '"q0"' in shown()
        post(said | {"id": "q0"})
        assert '"q0"' not in shown()
        post(said | {"id": "q0"})
    assert [one.id for one in read_written(kept)] == ["q0"]
    kept.rename(tmp_path / "out.json.written.jsonl")
    told = json.loads(running.run("write", train, "-o", out, "--json").stdout)
    assert (told["questions"], told["written"], told["left"][0]) == (6, 1, "q1")
    assert [one.id for one in load(f"gcrc:{out}")] == ["q0"]


def test_what_a_question_begins_with() -> None:
    draft = draft_of(ITEM)
    assert draft is not None
    assert not draft.note
    assert draft.negative_stem == "下列关于原文内容的表述，正确的一项是"
    assert [one.truth for one in draft.positive].count(False) == 1
    short = draft_of(replace(ITEM, options=("礼很重要", "抄本很多", "学者很少", "战乱很多")))
    assert short is not None
    assert short.note == "options too short"
    assert [one.text for one in short.positive] == ["礼很重要", "抄本很多", "学者很少", "战乱很多"]
    assert draft_of(replace(ITEM, question="下列断句正确的一项是")) is None
    assert draft_of(replace(ITEM, question="作者为什么这样写？", truths=())) is None


@pytest.mark.parametrize(
    ("texts", "truths", "wrong"),
    [
        ("甲乙丙丁", (True, True, True, False), ""),
        ("甲乙丙丁", (True, True, False, False), "2 options fit the stem"),
        ("甲乙丙丁", (True,) * 4, "0 options fit the stem"),
        ("甲乙丙", (True, True, False), "3 options where the question has 4"),
        ("甲甲丙丁", (True, True, True, False), "two options are the same"),
        ("甲 丙丁", (True, True, True, False), "an option is empty"),
    ],
)
def test_what_cannot_be_kept(texts: str, truths: tuple[bool, ...], wrong: str) -> None:
    draft = draft_of(ITEM)
    assert draft is not None
    found = problems(draft, "positive", [OptionText(text, truth) for text, truth in zip(texts, truths, strict=True)])
    assert any(wrong in one for one in found) if wrong else not found
    own = [OptionText(text, truth) for text, truth in zip(ITEM.options, ITEM.truths, strict=True)]
    assert problems(draft, "positive", own) == ["positive: no option differs from the original"]


def test_remarks_on_an_option() -> None:
    assert remarks("唐代的抄本大多数保存在南方。", ITEM) == {"evidence": "唐代的抄本多数保存在南方。", "odd": ""}
    assert remarks("Nothing of it.", ITEM)["evidence"] == ""


def test_data_without_such_questions_is_refused(tmp_path: Path) -> None:
    data = tmp_path / "rows.jsonl"
    row = {"passage": PASSAGE, "question": "作者为什么这样写？", "options": ["甲乙", "丙丁"], "label": "A"}
    data.write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
    done = running.run("write", data, "-o", tmp_path / "out.json")
    assert done.returncode == 2
    assert "no question that a triple can be written of" in done.stderr

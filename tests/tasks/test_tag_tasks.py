"""Files of marked sentences: entities, CMeEE, PKU-SEGPOS, WordSeg-Weibo, CoNLL-U."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.items import Answer, Mark, TagItem
from readproof.tasks import TASKS, recognise
from readproof.tasks.celue import segpos
from tests.shared_data import SHARED, needs_shared
from tests.tasks.helpers import gold_answer, refusal, scored, written

ROW = "{}\t{}\t_\t{}\t_\t_\t0\troot\t_\t{}\n"


def tagged(name: str, path: Path) -> list[TagItem]:
    return [item for item in TASKS.get(name).load(path) if isinstance(item, TagItem)]


def cut(item: TagItem) -> list[tuple[str, str]]:
    return [(item.text[mark.start : mark.end], mark.type) for mark in item.marks or ()]


@needs_shared
@pytest.mark.parametrize(
    ("name", "file", "sentences", "marks"),
    [
        ("entities", "peopledaily_ner/train.txt.xz", 50658, 74709),
        ("entities", "peopledaily_ner/dev.txt.xz", 4631, 6192),
        ("entities", "arman_ner/train_fold1.txt.xz", 5121, 8743),
        ("entities", "arman_ner/test_fold1.txt", 2560, 4327),
        ("cmeee", "celue/cmeee/train.txt.xz", 16000, 87456),
        ("cmeee", "celue/cmeee/valid.txt", 2000, 11027),
        ("pku-segpos", "celue/pku-segpos/199801.first80.txt.xz", 15588, 909934),
        ("wordseg-weibo", "celue/wordseg-weibo/nlpcc2016-word-seg-train.dat.xz", 20135, 421161),
        ("wordseg-weibo", "celue/wordseg-weibo/nlpcc2016-wordseg-dev.dat", 2052, 43697),
        ("conllu", "ud_persian_perdt/fa_perdt-ud-dev.conllu.xz", 1456, 25147),
        ("conllu", "ud_persian_perdt/fa_perdt-ud-test.conllu.xz", 1455, 24133),
        ("conllu", "ud_persian_seraji/fa_seraji-ud-dev.conllu.xz", 599, 15832),
        ("conllu", "ud_persian_seraji/fa_seraji-ud-test.conllu.xz", 600, 16024),
    ],
)
def test_real_file(name: str, file: str, sentences: int, marks: int, tmp_path: Path) -> None:
    path = SHARED / "data" / file
    assert recognise(path).name == name
    items = tagged(name, path)
    assert len(items) == sentences == len({item.id for item in items})
    assert sum(len(item.marks or ()) for item in items) == marks
    assert all(0 <= mark.start < mark.end <= len(item.text) for item in items for mark in item.marks or ())
    if sentences < 5000:
        for metric in ("official", "strict"):
            score = scored(name, items, map(gold_answer, items), tmp_path, metric)
            assert score.official == {"precision": 100.0, "recall": 100.0, "f1": 100.0}


@needs_shared
def test_word_lists_and_notes_belong_to_no_task() -> None:
    for file in ("lex_zh/antonym/dict_synonym.txt", "word_frequency/zh_cn/zh_cn_50k.txt", "arman_ner/ReadMe.txt"):
        with pytest.raises(InputError):
            recognise(SHARED / "data" / file)


@pytest.mark.parametrize(
    "text",
    [
        "他说，今天不来了。明天也许会来，也许不会。\n" * 20,
        "第一章 总则\n为了规范管理，制定本办法。 本办法自发布之日起施行。\n" * 10,
        "人 士 人物 人士\n人类 生人 全人类\n",
        "These are , as you see , tokens .\n",
    ],
)
def test_prose_is_not_taken_for_segmented_text(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        recognise(written(tmp_path, text))


def test_characters_are_joined_as_they_are(tmp_path: Path) -> None:
    path = written(tmp_path, "中 B-ORG\n共 I-ORG\n在 O\n北 B-LOC\n京 I-LOC\n\n\n好 O\n。 O")
    assert recognise(path).name == "entities"
    first, second = tagged("entities", path)
    assert first.text == "中共在北京"
    assert first.marks == (Mark(0, 2, "ORG"), Mark(3, 5, "LOC"))
    assert (second.text, second.marks) == ("好。", ())


def test_words_are_joined_by_a_blank(tmp_path: Path) -> None:
    (item,) = tagged("entities", written(tmp_path, "در O\nایران B-loc\nبزرگ I-loc\nبود O\n\n"))
    assert item.text == "در ایران بزرگ بود"
    assert cut(item) == [("ایران بزرگ", "loc")]


@pytest.mark.parametrize(
    ("tags", "marks"),
    [
        ("B-X I-X O", [(0, 2, "X")]),
        ("I-X I-X B-X", [(0, 2, "X"), (2, 3, "X")]),
        ("B-X I-Y I-Y", [(0, 1, "X"), (1, 3, "Y")]),
        ("S-X B-X E-X", [(0, 1, "X"), (1, 3, "X")]),
        ("B-X M-X E-X", [(0, 3, "X")]),
        ("B-X E-X I-X", [(0, 2, "X"), (2, 3, "X")]),
        ("O O B-X-1", [(2, 3, "X-1")]),
    ],
)
def test_tag_schemes(tags: str, marks: list[tuple[int, int, str]], tmp_path: Path) -> None:
    text = "".join(f"{token} {tag}\n" for token, tag in zip("甲乙丙", tags.split(), strict=True))
    (item,) = tagged("entities", written(tmp_path, text))
    assert item.marks == tuple(Mark(*mark) for mark in marks)


def test_cmeee_headers_name_the_sentences(tmp_path: Path) -> None:
    path = written(tmp_path, "IMGID: 00007.jpg\r\n头 B-bod\r\n痛 O\r\n\r\nIMGID: 00008.jpg\r\n[ O\r\n")
    assert recognise(path).name == "cmeee"
    assert [(item.id, item.text, cut(item)) for item in tagged("cmeee", path)] == [
        ("00007", "头痛", [("头", "bod")]),
        ("00008", "[", []),
    ]


@pytest.mark.parametrize("end", [5, 6])
def test_cmeee_as_json_with_either_kind_of_end(end: int, tmp_path: Path) -> None:
    entity = {"start_idx": 3, "end_idx": end, "type": "equ", "entity": "质谱仪"}
    path = written(tmp_path, json.dumps([{"text": "用一台质谱仪", "entities": [entity]}, {"text": "无"}]))
    assert recognise(path).name == "cmeee"
    first, second = tagged("cmeee", path)
    assert cut(first) == [("质谱仪", "equ")]
    assert second.marks is None


def test_cmeee_predictions_have_inclusive_ends(tmp_path: Path) -> None:
    item = TagItem(id="0", text="用一台质谱仪", marks=(Mark(3, 6, "equ"),))
    scored("cmeee", [item], [gold_answer(item)], tmp_path)
    assert json.loads((tmp_path / "predictions.json").read_text()) == {
        "entities": [{"start_idx": 3, "end_idx": 5, "type": "equ", "entity": "质谱仪"}]
    }


def test_segpos_with_names_and_brackets(tmp_path: Path) -> None:
    text = "19980101-01-001-001/m  [中央/n  电视台/n]nt  ［/w  和/c   [/w  ]/w\n"
    path = written(tmp_path, text)
    assert recognise(path).name == "pku-segpos"
    (item,) = tagged("pku-segpos", path)
    assert item.id == "19980101-01-001-001"
    assert cut(item) == [("中央", "n"), ("电视台", "n"), ("［", "w"), ("和", "c"), ("[", "w"), ("]", "w")]


@pytest.mark.parametrize("inclusive", [False, True])
def test_segpos_predictions_with_either_kind_of_end(inclusive: bool, tmp_path: Path) -> None:
    item = TagItem(id="0", text="新世纪", marks=(Mark(0, 1, "a"), Mark(1, 3, "n")))
    file = io.StringIO()
    segpos.write_predictions([item], {"0": gold_answer(item)}, file, inclusive=inclusive)
    assert json.loads(file.getvalue())["span_list"][1] == {"start": 1, "end": 2 if inclusive else 3, "type": "n"}
    read = segpos.read_predictions(written(tmp_path, file.getvalue()), inclusive=inclusive)
    assert read.lines[0] is not None and read.lines[0].marks == item.marks


def test_wordseg_ends_words_at_any_white_space(tmp_path: Path) -> None:
    path = written(tmp_path, "\u00a0四川省 自贡人  黄宇 ， 是\u3000职员 。\n\n你 好 。\n")
    assert recognise(path).name == "wordseg-weibo"
    first, second = tagged("wordseg-weibo", path)
    assert [word for word, _ in cut(first)] == ["四川省", "自贡人", "黄宇", "，", "是", "职员", "。"]
    assert (second.id, second.text) == ("1", "你好。")
    scored("wordseg-weibo", [second], [gold_answer(second)], tmp_path)
    assert json.loads((tmp_path / "predictions.json").read_text()) == {"ans": "你 好 。"}


def conllu(*rows: tuple[str, str, str], text: str = "", space_after: str = "_") -> str:
    comment = f"# sent_id = s1\n# text = {text}\n" if text else ""
    return comment + "".join(ROW.format(*row, space_after) for row in rows) + "\n"


def test_conllu_multiword_tokens_and_empty_nodes(tmp_path: Path) -> None:
    rows = (
        ("1-2", "خانه‌اش", "_"),
        ("1", "خانه", "NOUN"),
        ("2", "اش", "PRON"),
        ("2.1", "x", "VERB"),
        ("3", ".", "PUNCT"),
    )
    path = written(tmp_path, conllu(*rows, text="خانه‌اش ."))
    assert recognise(path).name == "conllu"
    (item,) = tagged("conllu", path)
    assert (item.id, item.text, item.language) == ("s1", "خانه‌اش .", "fa")
    assert cut(item) == [("خانه", "NOUN"), ("اش", "PRON"), (".", "PUNCT")]


def test_conllu_word_forms_that_are_not_in_the_token(tmp_path: Path) -> None:
    rows = (("1-2", "du", "_"), ("1", "de", "ADP"), ("2", "le", "DET"))
    (item,) = tagged("conllu", written(tmp_path, conllu(*rows)))
    assert cut(item) == [("du", "ADP+DET")]


def test_conllu_joins_the_words_where_the_text_is_another(tmp_path: Path) -> None:
    rows = (("1", "a", "DET"), ("2", "b", "NOUN"))
    spaced = written(tmp_path, conllu(*rows, text="something else"), "spaced")
    close = written(tmp_path, conllu(*rows, space_after="SpaceAfter=No"), "close")
    assert [item.text for path in (spaced, close) for item in tagged("conllu", path)] == ["a b", "ab"]


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("entities", "中 B-ORG\n共\n", "line 2"),
        ("entities", "中 B-ORG\n共 I-ORG x\n", "line 2"),
        ("entities", "中 B-ORG\n共 Q-ORG\n", "line 2"),
        ("cmeee", "IMGID: 1.jpg\n中 B-ORG\n", "line 2"),
        ("cmeee", "IMGID: 1.jpg\n中 O\n\nIMGID: 1.jpg\n中 O\n", "line 4"),
        ("cmeee", '[{"text": "甲", "entities": [{"start_idx": 0, "type": "dis"}]}]', "[0].entities[0]"),
        ("cmeee", '[{"text": "甲", "entities": [{"start_idx": 0, "end_idx": 4, "type": "dis"}]}]', "[0].entities[0]"),
        (
            "cmeee",
            '[{"text": "甲", "entities": [{"start_idx": 0, "end_idx": 0, "type": "x"}]}]',
            "[0].entities[0].type",
        ),
        ("pku-segpos", "新/a  世纪/n\n新  世纪/n\n", "line 2"),
        ("pku-segpos", "新/a\n新/qq\n", "line 2"),
        ("conllu", conllu(("1", "a", "DET")) + "1\ta\n", "line 3"),
        ("conllu", conllu(("1", "a", "DETT")), "line 1"),
        ("conllu", conllu(("x", "a", "DET")), "line 1"),
        ("conllu", conllu(("1", "", "DET")), "line 1"),
        ("conllu", conllu(("1", "a", "DET"), text="a") * 2, "line 5"),
    ],
)
def test_bad_file_is_refused_at_its_place(name: str, text: str, place: str, tmp_path: Path) -> None:
    assert refusal(name, written(tmp_path, text)).place == place


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("cmeee", '{"entities": []}\n{"entity": []}', "line 2"),
        ("cmeee", '{"entities": [{"start_idx": "0", "end_idx": 1, "type": "dis"}]}', "line 1.entities[0].start_idx"),
        ("cmeee", '{"entities": {}}', "line 1.entities"),
        ("pku-segpos", '{"span_list": [{"start": 0, "end": 1}]}', "line 1.span_list[0]"),
        ("wordseg-weibo", '{"ans": ["你"]}', "line 1.ans"),
        ("wordseg-weibo", "你 好", "line 1, column 1"),
        ("wordseg-weibo", "", ""),
    ],
)
def test_bad_predictions_are_refused_at_their_place(name: str, text: str, place: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        TASKS.get(name).read_predictions(written(tmp_path, text))
    assert caught.value.place == place


def test_an_item_without_an_answer_keeps_its_line(tmp_path: Path) -> None:
    items = [TagItem(id=str(number), text="你好", marks=(Mark(0, 2),)) for number in range(2)]
    score = scored("wordseg-weibo", items, [Answer(id="1", marks=(Mark(0, 2),))], tmp_path)
    assert score.counts["missing"] == 1
    assert score.exact["recall"] == 50.0

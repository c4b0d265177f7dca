"""SQuAD and the data sets that share its layout; they differ in language, in how they are told apart, and in scorer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from readproof.items import Item
from readproof.lang.api import detect
from readproof.tasks.base import Metric, Peek, Task
from readproof.tasks.layouts import squad as layout
from readproof.tasks.layouts.lines import HAN
from readproof.tasks.layouts.squad import is_nested, is_original, is_row, is_span_record
from readproof.tasks.metrics import cmrc, spans, squad

_UUID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# ids of a database that begin with the second of their making: SQuAD's questions are of 2015 and 2016, own ones are not
_SQUAD_ID = re.compile("5[67][0-9a-f]{22}")
_DUREADER_ID = re.compile("[0-9a-f]{32}")
_TRADITIONAL = frozenset("國學體來對會說發開與區電黨點後於個們這時為從過還無產業")


def cmrc_metrics(task: str) -> dict[str, Metric]:
    """The CMRC scorer as the official one."""
    return {
        "official": partial(spans.cmrc_official, task),
        "strict": partial(spans.strict, task, cmrc.official),
        "simple": partial(spans.plain_scores, task, "simple", cmrc.simple),
        **_squad_metrics(task),
    }


def squad_metrics(task: str, version: int) -> dict[str, Metric]:
    """A SQuAD scorer as the official one."""
    others = _squad_metrics(task)
    measure = squad.version_1 if version == 1 else squad.version_2
    return {
        "official": others["squad" if version == 1 else "squad2"],
        "strict": partial(spans.strict, task, measure),
        "simple": partial(spans.plain_scores, task, "simple", cmrc.simple),
        "cmrc": partial(spans.cmrc_official, task),
        **others,
    }


def character_metrics(task: str) -> dict[str, Metric]:
    """For Chinese sets with unanswerable questions: no published scorer is kept here, so none is called official."""
    return {
        "characters": partial(spans.plain_scores, task, "characters", cmrc.characters),
        "strict": partial(spans.strict, task, cmrc.characters),
        "simple": partial(spans.plain_scores, task, "simple", cmrc.simple),
        "cmrc": partial(spans.cmrc_official, task),
        **_squad_metrics(task),
    }


def _squad_metrics(task: str) -> dict[str, Metric]:
    return {
        "squad": partial(spans.plain_scores, task, "squad", squad.version_1),
        "squad2": partial(spans.squad_2, task),
    }


def span_task(
    *,
    name: str,
    title: str,
    languages: tuple[str, ...],
    recognise: Callable[[Peek], bool],
    metrics: Mapping[str, Metric],
    load: Callable[[Path], Iterator[Item]] | None = None,
    read_predictions: Callable[[Path], spans.SpanPredictions] = spans.read_predictions,
    licence: str = "not stated",
    citation: str = "",
    proof: str = "",
    genuine: Callable[[Peek], bool] | None = None,
) -> Task:
    """A task of spans, in the SQuAD layout unless it brings a loader; a task of one language does not guess it."""
    language = languages[0] if len(languages) == 1 else ""

    def read(path: Path) -> Iterator[Item]:
        return layout.load(path, language)

    return Task(
        name=name,
        title=title,
        kind="span",
        languages=languages,
        recognise=recognise,
        load=load or read,
        read_predictions=read_predictions,
        write_predictions=spans.write_predictions,
        metrics=metrics,
        licence=licence,
        citation=citation,
        streams=True,
        proof=proof,
        genuine=genuine,
    )


def first_id(record: Any) -> str:
    """The first question's id in a record of any span layout."""
    return str(first_question(record).get("id", ""))


def first_question(record: Any) -> dict[str, Any]:
    """The first question of a record of any span layout; empty if there is none."""
    if is_row(record):
        return dict(record)
    questions = first_paragraph(record).get("qas")
    question = questions[0] if isinstance(questions, list) and questions else {}
    return question if isinstance(question, dict) else {}


def first_paragraph(record: Any) -> dict[str, Any]:
    paragraphs = record["paragraphs"] if is_nested(record) else []
    paragraph = paragraphs[0] if paragraphs else {}
    return paragraph if isinstance(paragraph, dict) else {}


def first_passage(record: Any) -> str:
    """The first passage of a record of any span layout."""
    passage = record.get("context", record.get("passage")) if is_row(record) else first_paragraph(record).get("context")
    return passage if isinstance(passage, str) else ""


def _is_drcd(peek: Peek) -> bool:
    passage = first_passage(peek.first)
    return is_nested(peek.first) and sum(character in _TRADITIONAL for character in passage) >= 5


def _is_cjrc(peek: Peek) -> bool:
    return is_nested(peek.first) and "caseid" in peek.first


def _is_dureader(peek: Peek) -> bool:
    if peek.layout != "objects" or not is_row(peek.first):
        return False
    return _spans_in("zh", peek) and bool(_DUREADER_ID.fullmatch(_origin(peek)))


def _spans_in(language: str, peek: Peek) -> bool:
    return is_span_record(peek.first) and detect(first_passage(peek.first)) == language


def _nested_in(language: str, peek: Peek) -> bool:
    return is_nested(peek.first) and _spans_in(language, peek)


def _is_pquad(peek: Peek) -> bool:
    return _nested_in("fa", peek) and _origin(peek).isdigit() and "is_impossible" in first_question(peek.first)


def _is_parsquad(peek: Peek) -> bool:
    return _nested_in("fa", peek) and len(_origin(peek)) == 24


def _is_persianquad(peek: Peek) -> bool:
    # its questions say that they have answers; in other files that say it some have none: those are SQuAD 2.0's
    flagged = "is_impossible" in first_question(peek.first)
    return _spans_in("fa", peek) and (not flagged or bool(_UUID.match(first_id(peek.first))))


def _is_chinese_squad(peek: Peek) -> bool:
    return _nested_in("zh", peek) and "is_impossible" in first_question(peek.first)


def _is_xquad(peek: Peek) -> bool:
    return _spans_in("zh", peek) and bool(_SQUAD_ID.fullmatch(_origin(peek)))


def _is_chinese(peek: Peek) -> bool:
    # a text without a letter that is known counts as Chinese, too
    return _spans_in("zh", peek) and bool(HAN.search(first_passage(peek.first)))


def _has_squad_id(peek: Peek) -> bool:
    # SQuAD 2.0's questions without an answer have ids of 2018
    return bool(re.fullmatch("5[67a][0-9a-f]{22}", _origin(peek)))


def _origin(peek: Peek) -> str:
    """The first id without what an attack put behind it: an attacked file is of the same task."""
    return first_id(peek.first).partition("-")[0]


DRCD = span_task(
    name="drcd",
    title="DRCD: span reading in traditional Chinese",
    languages=("zh",),
    recognise=_is_drcd,
    metrics=cmrc_metrics("drcd"),
    licence="CC BY-SA 3.0",
    citation="Shao et al. 2018. DRCD: a Chinese Machine Reading Comprehension Dataset. arXiv:1806.00920.",
)
CJRC = span_task(
    name="cjrc",
    title="CJRC: Chinese court judgments",
    languages=("zh",),
    recognise=_is_cjrc,
    metrics=character_metrics("cjrc"),
    licence="not stated; research",
    citation="Duan et al. 2019. CJRC: A Reliable Human-Annotated Benchmark DataSet for Chinese Judicial Reading "
    "Comprehension. CCL 2019.",
)
DUREADER = span_task(
    name="dureader",
    title="DuReader checklist: search questions in Chinese, some without an answer",
    languages=("zh",),
    recognise=_is_dureader,
    metrics=character_metrics("dureader"),
    licence="Apache-2.0",
    citation="He et al. 2018. DuReader: a Chinese Machine Reading Comprehension Dataset from Real-world "
    "Applications. MRQA 2018.",
)
CHINESE_SQUAD = span_task(
    name="chinese_squad",
    title="Chinese SQuAD: SQuAD 2.0 in machine translation",
    languages=("zh",),
    recognise=_is_chinese_squad,
    metrics=character_metrics("chinese_squad"),
    licence="academic use",
)
PQUAD = span_task(
    name="pquad",
    title="PQuAD: Persian span reading, some questions without an answer",
    languages=("fa",),
    recognise=_is_pquad,
    metrics=squad_metrics("pquad", 2),
    licence="CC BY-SA 4.0",
    citation="Darvishi et al. 2023. PQuAD: A Persian question answering dataset. Computer Speech & Language 80.",
)
PARSQUAD = span_task(
    name="parsquad",
    title="ParSQuAD: SQuAD 2.0 in Persian machine translation",
    languages=("fa",),
    recognise=_is_parsquad,
    metrics=squad_metrics("parsquad", 2),
    citation="Abadani et al. 2021. ParSQuAD: Machine Translated SQuAD dataset for Persian Question Answering. "
    "ICWR 2021.",
)
PERSIANQUAD = span_task(
    name="persianquad",
    title="PersianQuAD: Persian span reading in the SQuAD layout",
    languages=("fa",),
    recognise=_is_persianquad,
    metrics=squad_metrics("persianquad", 1),
    citation="Kazemi et al. 2022. PersianQuAD: The Native Question Answering Dataset for the Persian Language. "
    "IEEE Access 10.",
)
XQUAD = span_task(
    name="xquad",
    title="XQuAD: SQuAD dev questions in professional translation",
    languages=("zh", "en", "fa"),
    recognise=_is_xquad,
    metrics=squad_metrics("xquad", 1),
    licence="CC BY-SA 4.0",
    citation="Artetxe, Ruder and Yogatama 2020. On the Cross-lingual Transferability of Monolingual "
    "Representations. ACL 2020.",
)
ZH_SPANS = span_task(
    name="zh_spans",
    title="Chinese span questions of any other kind in SQuAD's layout, your own among them",
    languages=("zh",),
    recognise=_is_chinese,
    # SQuAD's scorers part words by spaces: a Chinese answer would be right as a whole or not at all
    metrics=character_metrics("zh_spans"),
)
SQUAD2 = span_task(
    name="squad2",
    title="SQuAD 2.0 and anything else in its layout: some questions have no answer",
    languages=("en", "zh", "fa"),
    recognise=lambda peek: is_span_record(peek.first) and "is_impossible" in first_question(peek.first),
    metrics=squad_metrics("squad2", 2),
    genuine=_has_squad_id,
    licence="CC BY-SA 4.0",
    citation="Rajpurkar, Jia and Liang 2018. Know What You Don't Know: Unanswerable Questions for SQuAD. ACL 2018.",
)
SQUAD = span_task(
    name="squad",
    title="SQuAD 1.1 and anything else in its layout",
    languages=("en", "zh", "fa"),
    recognise=lambda peek: is_span_record(peek.first),
    metrics=squad_metrics("squad", 1),
    genuine=_has_squad_id,
    licence="CC BY-SA 4.0",
    citation="Rajpurkar et al. 2016. SQuAD: 100,000+ Questions for Machine Comprehension of Text. EMNLP 2016.",
)


# CMRC 2018: Chinese span reading, in its original layout, in SQuAD's, or as flat rows.


_ID_PARTS = ("DEV_", "TRAIN_", "TRIAL_", "TEST_", "CHALLENGE_")


def _is_cmrc(peek: Peek) -> bool:
    return is_original(peek.first) or _has_cmrc_id(peek)


def _has_cmrc_id(peek: Peek) -> bool:
    name = first_id(peek.first)
    if is_original(peek.first) and peek.first["qas"] and isinstance(peek.first["qas"][0], dict):
        name = str(peek.first["qas"][0].get("query_id", ""))
    return name.startswith(_ID_PARTS) and "QUERY" in name


CMRC2018 = span_task(
    name="cmrc2018",
    title="CMRC 2018: Chinese span reading",
    languages=("zh",),
    recognise=_is_cmrc,
    metrics=cmrc_metrics("cmrc2018"),
    genuine=_has_cmrc_id,
    licence="CC BY-SA 4.0",
    citation=(
        "Cui et al. 2019. A Span-Extraction Dataset for Chinese Machine Reading Comprehension. EMNLP-IJCNLP 2019."
    ),
)

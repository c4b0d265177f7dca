"""From public files to the named sets of statements that the option reader learns from.

`held_gaokao` is never trained on; `c3_test` is measured and nothing else. What of a source is not there is left out.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from readproof.attacks.options.making import truths_of
from readproof.files import digest, writing
from readproof.items import ChoiceItem, Item, LabelItem, SpanItem
from readproof.lang.forms import FORM_VERSION
from readproof.readers.options import Head, as_read, asked_of, statements
from readproof.tasks import load
from readproof.training.options import made
from readproof.training.options.crossed import crossed, elsewhere, texts_of
from readproof.training.options.families import families
from readproof.training.options.records import Group, write_groups
from readproof.training.options.span_statements import told, yes_no
from readproof.training.prepare import make_sets
from readproof.training.sets import is_held, span_items
from readproof.training.sources import SOURCES, DataSource, find_among

# The public files that the option reader learns from, beside those of the span reader.

OPTION_SOURCES: Mapping[str, DataSource] = {
    "ocnli": DataSource("ocnli", ("train.50k.json", "ocnli/train.json"), "CC BY-NC 2.0"),
    "c3_d_train": DataSource("c3", ("c3-d-train.json",), "non-commercial research"),
    "c3_m_train": DataSource("c3", ("c3-m-train.json",), "non-commercial research"),
    "c3_d_dev": DataSource("c3", ("c3-d-dev.json",), "non-commercial research"),
    "c3_m_dev": DataSource("c3", ("c3-m-dev.json",), "non-commercial research"),
    "c3_d_test": DataSource("c3", ("c3-d-test.json",), "non-commercial research"),
    "c3_m_test": DataSource("c3", ("c3-m-test.json",), "non-commercial research"),
    "logiqa_eval": DataSource("logiqa", ("zh_eval.txt",), "none stated"),
    "logiqa_test": DataSource("logiqa", ("zh_test.txt",), "none stated"),
    "vgaokao": DataSource("vgaokao", ("vgaokao/clean.json",), "Apache-2.0"),
    "gaokao_extra": DataSource("gaokao", ("gaokao_extra/clean.json",), "none stated"),
    "haihua": DataSource("gcrc", ("haihua/clean.json",), "none stated"),
    "taiwan": DataSource("gcrc", ("taiwan_rc/all.json",), "none stated"),
    "logiqa2_dev": DataSource("choices", ("logiqa2_zh/dev.jsonl",), "CC BY-NC-SA 4.0"),
    "logiqa2_test": DataSource("choices", ("logiqa2_zh/test.jsonl",), "CC BY-NC-SA 4.0"),
    **SOURCES,
}


def find_option_sources(data: Path) -> dict[str, Path]:
    """The sources that lie in a folder or in the folders below it."""
    return find_among(data, OPTION_SOURCES)


Say = Callable[[str], None]

HELD = 0.1
_SPANS = ("cmrc_plain", "cmrc_wordy", "drcd", "csquad", "cjrc", "dureader")
_MADE = ("cmrc_plain", "cmrc_wordy", "drcd")
_GAOKAO = ("vgaokao", "gaokao_extra")
_EXAMS = (*_GAOKAO, "haihua")
# every set, with the sources it is made from; sets of spans are held apart from all that is measured, so need them all
SETS: Mapping[str, tuple[str, ...]] = {
    "ocnli": ("ocnli",),
    "c3": ("c3_d_train", "c3_m_train", "c3_d_dev", "c3_m_dev"),
    "c3_test": ("c3_d_test", "c3_m_test"),
    "logiqa": ("logiqa_eval", "logiqa_test"),
    "gaokao": _GAOKAO,
    "held_gaokao": _GAOKAO,
    "made_options": _GAOKAO,
    "made_gaokao": _GAOKAO,
    "haihua": _EXAMS,
    "held_haihua": _EXAMS,
    "taiwan": ("taiwan",),
    "logiqa2": ("logiqa2_dev", "logiqa2_test"),
    "made_haihua": _EXAMS,
    "crossed_exams": _EXAMS,
    "elsewhere_exams": _EXAMS,
    "crossed_taiwan": ("taiwan",),
    "elsewhere_taiwan": ("taiwan",),
    "made_c3": ("c3_m_train",),
    **{f"told_{name}": tuple(SOURCES) for name in _SPANS},
    "yes_no": ("cjrc_dev", "cjrc_test"),
    **{f"made_{name}": tuple(SOURCES) for name in _MADE},
}
# those that are questions with options, which is all that the plain choice can learn from
CHOICE_SETS = ("c3", "c3_test", "logiqa", "gaokao", "held_gaokao", "haihua", "held_haihua", "taiwan", "logiqa2")
_QUESTIONS = {name: (name.replace("_", ""), SETS[name]) for name in ("c3", "c3_test", "logiqa", "taiwan", "logiqa2")}
# stems that ask about wording, grammar or form, which no statement about the passage answers
_WORDING = re.compile(
    "语病|修改|说明方法|说明顺序|论证方法|表达方式|修辞|复句|标题|引号|标点|读音|加点|词语|成语|字形|拼音|填入|衔接|语序"
    "|放在|抽取|删去|体裁|诗句|翻译"
)


def prepare_option_sets(
    data: Path,
    out: Path,
    *,
    only: Collection[str] | None = None,
    head: Head = "verify",
    say: Say = lambda _: None,
) -> tuple[dict[str, int], dict[str, str]]:
    """Write the sets (`only` these, or all) as `out`/NAME.jsonl.

    Gives their sizes in groups and the SHA-256 of each source file found.
    """
    known = CHOICE_SETS if head == "choice" else tuple(SETS)
    wanted = [name for name in known if only is None or name in only]
    needed = {key for name in wanted for key in SETS[name]}
    paths = {key: path for key, path in find_option_sources(data).items() if key in needed}
    hashes = {key: digest(path) for key, path in paths.items()}
    done = out / "option-sets.json"
    record = {"sources": hashes, "head": head, "form": FORM_VERSION}
    counts: dict[str, int] = {}
    if done.exists():
        before = json.loads(done.read_text(encoding="utf-8"))
        if all(before.get(key) == value for key, value in record.items()):
            counts = dict(before["sets"])
    missing = [name for name in wanted if name not in counts]
    if missing:
        for key in OPTION_SOURCES:
            if key in needed and key not in paths:
                say(f"{OPTION_SOURCES[key].names[0]} is not in {data}: left out")
        out.mkdir(parents=True, exist_ok=True)
        counts |= dict.fromkeys(missing, 0)
        for name, groups in option_sets(paths, missing, head=head, say=say):
            counts[name] = write_groups(out / f"{name}.jsonl", groups)
            say(f"{name}: {counts[name]} groups of statements")
        with writing(done) as file:
            file.write(json.dumps({**record, "sets": counts}, indent=1) + "\n")
    return {name: counts[name] for name in wanted if counts[name]}, hashes


def option_sets(
    paths: Mapping[str, Path], wanted: Collection[str], *, head: Head = "verify", say: Say = lambda _: None
) -> Iterator[tuple[str, Iterator[Group]]]:
    """The wanted sets by name, each made when it is asked for."""
    for name in wanted:
        if name in _QUESTIONS:
            yield name, questions(_choices(paths, *_QUESTIONS[name][1]), _QUESTIONS[name][0], head)
    if "ocnli" in wanted:
        yield "ocnli", inferences(item for item in _items(paths, "ocnli") if isinstance(item, LabelItem))
    if not {"gaokao", "held_gaokao", "made_options", "made_gaokao"}.isdisjoint(wanted):
        learnt, held = kept_apart(_choices(paths, *_GAOKAO))
        ways: dict[str, Callable[[], Iterator[Group]]] = {
            "gaokao": lambda: questions(learnt, "gaokao", head),
            "held_gaokao": lambda: questions(held, "gaokao", head),
            "made_options": lambda: made.from_options(learnt, "gaokao"),
            "made_gaokao": lambda: made.from_passages(_passages(learnt), "gaokao", most=12),
        }
        yield from ((name, way()) for name, way in ways.items() if name in wanted)
    yield from _of_exams(paths, wanted, head)
    if not {"crossed_taiwan", "elsewhere_taiwan"}.isdisjoint(wanted):
        items = _choices(paths, "taiwan")
        yield from _beside(items, "taiwan", wanted, sentences=1)
    if "made_c3" in wanted:
        yield "made_c3", made.from_passages(_passages(_choices(paths, "c3_m_train")), "c3", most=4)
    if "yes_no" in wanted:
        law = [item for item in _items(paths, *SETS["yes_no"]) if isinstance(item, SpanItem)]
        yield "yes_no", yes_no(law, "cjrc")
    yield from _of_spans(paths, wanted, say)


def _of_exams(paths: Mapping[str, Path], wanted: Collection[str], head: Head) -> Iterator[tuple[str, Iterator[Group]]]:
    """The Haihua questions about content, and what is made of them and the Gaokao questions together."""
    if {"haihua", "held_haihua", "made_haihua", "crossed_exams", "elsewhere_exams"}.isdisjoint(wanted):
        return
    gaokao, others = _choices(paths, *_GAOKAO), _choices(paths, "haihua")
    content = [item for item in others if not _WORDING.search(item.question)]
    learnt, held = kept_apart(gaokao)
    # no text of the one collection is learnt from that is held out in the other
    family = families(item.passage for item in (*gaokao, *content))
    asked = {family[item.passage] for item in gaokao if is_held(item.passage, HELD)}
    more, more_held = kept_apart([item for item in content if family[item.passage] not in asked])
    known = {family[item.passage] for item in learnt}
    more_held = [item for item in more_held if family[item.passage] not in known]
    apart = {family[item.passage] for item in (*held, *more_held)}
    every = [item for item in (*learnt, *more) if family[item.passage] not in apart]
    if "haihua" in wanted:
        yield "haihua", questions(more, "haihua", head)
    if "held_haihua" in wanted:
        yield "held_haihua", questions(more_held, "haihua", head)
    if "made_haihua" in wanted:
        yield "made_haihua", made.from_options(more, "haihua")
    yield from _beside(every, "exams", wanted, sentences=2)


def _beside(
    items: Sequence[ChoiceItem], name: str, wanted: Collection[str], *, sentences: int
) -> Iterator[tuple[str, Iterator[Group]]]:
    """Statements of some questions' passages that only the passage can decide."""
    if f"crossed_{name}" in wanted:
        yield f"crossed_{name}", crossed(_passages(items), name, most=sentences)
    if f"elsewhere_{name}" in wanted:
        texts = texts_of(items)
        yield f"elsewhere_{name}", elsewhere(questions(items, name), texts, families(texts), name)


def _of_spans(paths: Mapping[str, Path], wanted: Collection[str], say: Say) -> Iterator[tuple[str, Iterator[Group]]]:
    if not any(f"told_{name}" in wanted or f"made_{name}" in wanted for name in _SPANS):
        return
    loaded = {key: span_items(f"{SOURCES[key].task}:{paths[key]}") for key in SOURCES if key in paths}
    spans = make_sets(loaded, say=say)
    for name in _SPANS:
        if name in spans and f"told_{name}" in wanted:
            yield f"told_{name}", told(spans[name], name)
        if name in spans and f"made_{name}" in wanted:
            yield f"made_{name}", made.from_passages(_passages(spans[name]), name, most=6)


def _items(paths: Mapping[str, Path], *keys: str) -> Iterator[Item]:
    for key in keys:
        if key in paths:
            yield from load(f"{OPTION_SOURCES[key].task}:{paths[key]}")


def _choices(paths: Mapping[str, Path], *keys: str) -> list[ChoiceItem]:
    return [item for item in _items(paths, *keys) if isinstance(item, ChoiceItem)]


def kept_apart(items: Sequence[ChoiceItem], share: float = HELD) -> tuple[list[ChoiceItem], list[ChoiceItem]]:
    """What is learnt from, and what is held out: whole passages, none of which is learnt from in another copy."""
    family = families(item.passage for item in items)
    learnt = [item for item in items if not is_held(item.passage, share)]
    seen = {family[item.passage] for item in learnt}
    return learnt, [item for item in items if is_held(item.passage, share) and family[item.passage] not in seen]


def questions(items: Iterable[ChoiceItem], name: str, head: Head = "verify") -> Iterator[Group]:
    """Questions with options as statements: all of known truth, or one of them right. Of a choice the answer is."""
    for item in items:
        truths = truths_of(item) if head == "verify" else ()
        if truths:
            yield _of(item, name, [int(truth) for truth in truths], head)
        elif item.answer is not None:
            # the stem is looked at in the form that is read, as it is when the question is read
            asked = asked_of(as_read(item)[1], head)
            right = [int((number == item.answer) is (asked != "false")) for number in range(len(item.options))]
            yield _of(item, name, right, head)


def _of(item: ChoiceItem, name: str, labels: list[int], head: Head) -> Group:
    odd = min(sum(labels), len(labels) - sum(labels)) == 1
    return Group(
        id=f"{name}-{item.id}",
        passage=item.passage,
        statements=tuple(statements(as_read(item)[1], head)),
        labels=tuple(labels),
        kind="one" if odd and len(labels) > 1 else "each",
    )


def inferences(items: Iterable[LabelItem]) -> Iterator[Group]:
    """Pairs of sentences: what follows is true, what does not follow or is contradicted is not."""
    premises: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for item in items:
        if item.label is not None:
            premises[item.text][item.pair] = int(item.label == "entailment")
    for number, (premise, said) in enumerate(premises.items()):
        yield Group(id=f"ocnli-{number}", passage=premise, statements=tuple(said), labels=tuple(said.values()))


def _passages(items: Iterable[ChoiceItem] | Iterable[SpanItem]) -> list[tuple[str, str]]:
    return [(item.id, item.passage) for item in {item.passage: item for item in items}.values()]

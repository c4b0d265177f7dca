"""A fourth language, registered from outside the package: attacks, probes and a proof work in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import readproof as rp
from readproof.items import Gold, SpanItem
from readproof.lang.api import LANGUAGES, detect, get_language
from readproof.proof.run import prove_reader

TOWNS = ("Berlino", "Varsovio", "Madrido", "Londono", "Budapeŝto", "Ateno", "Bruselo", "Dublino", "Sofio", "Milano")
NAMES = ("Johano Meyer", "Tereza Costa", "Viktoro Kovac", "Sara Weber", "Paulo Silva")


def passage(at: int) -> tuple[str, str, str, str]:
    name, town, year = NAMES[at % 5], TOWNS[at % 10], str(1850 + at)
    text = (
        f"{name} naskiĝis en {year} kaj vivis longe kun la familio en malgranda domo. "
        f"Poste {name} verkis {at + 2} librojn pri la historio de la urbo kaj ankaŭ pri la lingvo. "
        f"La fina libro aperis en {year[:2]}{(at + 60) % 100:02d}, sed ĝi ne estis tre konata. "
        f"Dum la milito la verkisto restis en {town} kaj laboris tie por la teatro."
    )
    return text, name, town, year


def items() -> list[SpanItem]:
    made = []
    for at in range(12):
        text, name, town, year = passage(at)
        asked = ((f"En kiu jaro naskiĝis {name}?", year), (f"Kie {name} restis dum la milito?", town))
        for number, (question, answer) in enumerate(asked):
            start = text.index(answer)
            gold = Gold(answer, start)
            id = f"{at}-{number}"
            made.append(SpanItem(id=id, passage=text, question=question, golds=(gold,), language="eo"))
    return made


@pytest.fixture(autouse=True)
def esperanto() -> Iterator[None]:
    """The language for these tests alone."""
    from readproof.attacks.addsent.rules import RULES

    before = [(registry, dict(registry._places), dict(registry._loaded)) for registry in (LANGUAGES, RULES)]
    import examples.esperanto as example

    LANGUAGES.add("eo", example.ESPERANTO)
    RULES.add("eo", example.EsperantoRules())
    yield
    for registry, places, loaded in before:
        registry._places, registry._loaded = places, loaded
        registry._places.pop("eo", None)
        registry._loaded.pop("eo", None)
    detect.cache_clear()


def test_it_is_detected_by_its_common_words() -> None:
    detect.cache_clear()
    assert detect(passage(0)[0]) == "eo"
    assert (
        detect("The book was published by the city and it was read by all of the people who had been there then.")
        == "en"
    )


@pytest.mark.parametrize("name", ["addsent", "typo", "invisible"])
def test_attacks_speak_it(name: str) -> None:
    found = [one for one in rp.attack(name, items()) if one.variants]
    assert len(found) >= 20, [one.skipped for one in rp.attack(name, items())][:3]


def test_an_added_sentence_is_one_of_the_language() -> None:
    (variant,) = next(iter(rp.attack("addsent", items()[1:2]))).variants
    (edit,) = variant.edits
    assert edit.new.strip().endswith("restis dum la milito.")


def test_a_proof_asks_its_probes_and_tells_who_reads(tmp_path: Path) -> None:
    def first(text: str, question: str) -> str:
        return text.split(".")[0]

    run = prove_reader(first, items(), attacks=["addsent", "typo", "invisible"], out=tmp_path / "run")
    part = run.scores.part("spans")
    probes = {probe.name: probe.questions for probe in part.probes}
    assert (probes["fresh-question"] >= 12 and probes["substituted"] == 0) or probes["substituted"] > 0
    assert {one.attack for one in run.scores.attacks} == {"addsent", "typo", "invisible"}
    assert run.scores.verdict.parts[0].reads != "yes"


def test_an_unknown_language_is_no_english() -> None:
    german = (
        "Der Bundestag ist das Parlament und somit das gesetzgebende Organ der Bundesrepublik Deutschland mit Sitz in "
        "Berlin. Er wird vom deutschen Volk als einziges Verfassungsorgan des Bundes direkt gewählt."
    )
    assert detect(german) == "und"
    assert detect("Государственный Эрмитаж — музей изобразительного искусства.") == "und"
    assert detect("これは日本語の文章です。とてもみじかいです。") == "und"
    item = SpanItem(
        id="1",
        passage=german,
        question="Wo ist der Bundestag?",
        golds=(Gold("Berlin", german.index("Berlin")),),
        language="und",
    )
    for name in ("addsent", "typo", "invisible"):
        (output,) = rp.attack(name, [item])
        assert not output.variants and "und" in output.skipped
    assert get_language("und").code == ""

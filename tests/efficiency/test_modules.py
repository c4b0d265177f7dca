"""The modules grammar: the guide's samples are read, anything else is refused at its column."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.efficiency.modules import GrammarError, ModuleUse, parse, placed, written

NAMES = st.from_regex(r"[A-Za-z_层][A-Za-z0-9_.层-]{0,12}", fullmatch=True)
USES = st.builds(ModuleUse, NAMES, st.lists(st.integers(1, 999_999_999), min_size=1, max_size=8).map(tuple))


def test_the_samples_of_the_guide() -> None:
    found = parse("(88),emb;(88,768),layer_1;(88,768),pooler;(768),classifier")
    assert found == (
        ModuleUse("emb", (88,)),
        ModuleUse("layer_1", (88, 768)),
        ModuleUse("pooler", (88, 768)),
        ModuleUse("classifier", (768,)),
    )
    early = parse("(15),emb; (15,768),layer_1; (768),exit_1; (15,768),layer_2; (768),exit_2")
    assert [use.name for use in early] == ["emb", "layer_1", "exit_1", "layer_2", "exit_2"]


def test_a_module_may_come_again() -> None:
    assert parse("(5,8),a ; (5,8),a") == (ModuleUse("a", (5, 8)),) * 2


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 1, "at least one module"),
        ("  ", 1, "at least one module"),
        ("emb", 1, "'(' before a shape"),
        ("(88)emb", 5, "',' between a shape and the name"),
        ("(88),", 6, "the name of a module"),
        ("(88),emb;", 10, "another module, or no ';' at the end"),
        ("(88),emb;;(88),emb", 10, "'(' before a shape"),
        ("(88, 768),layer_1", 5, "a whole number"),
        ("(88,768 ),layer_1", 8, "no blanks inside a shape"),
        ("(88,),layer_1", 5, "a whole number"),
        ("(),emb", 2, "a whole number"),
        ("(0),emb", 2, "from 1"),
        ("(088),emb", 2, "without zeros before it"),
        ("(-8),emb", 2, "a whole number"),
        ("(8.5),emb", 3, "',' or ')'"),
        ("(９),emb", 2, "a whole number"),
        ("(9999999999),emb", 2, "from 1 to 999999999"),
        ("(1,1,1,1,1,1,1,1,1),emb", 2, "at most 8"),
        ("(88),emb (88),emb", 9, "';' between modules"),
        ("(88),emb\t;(88),emb", 9, "';' between modules"),
        ("(88),e mb", 7, "';' between modules"),
        (" (88),emb", 1, "'(' before a shape"),
        ("(88),emb\n", 9, "';' between modules"),
        ("(22),emb；(22,768),layer_1", 9, "';'"),
        ("（22),emb", 1, "'('"),
        ("(22，768),layer_1", 4, "','"),
        ("(22）,emb", 4, "')'"),
        ("(22)，emb", 5, "','"),
    ],
)
def test_what_is_not_of_the_grammar(text: str, column: int, expected: str) -> None:
    with pytest.raises(GrammarError) as caught:
        parse(text)
    assert caught.value.offset + 1 == column
    assert expected in caught.value.expected


def test_a_full_width_sign_is_called_one() -> None:
    with pytest.raises(GrammarError) as caught:
        parse("(22),emb；(22,768),layer_1")
    assert (caught.value.found, caught.value.expected) == ("a full-width ；", "';'")


def test_where_each_module_stands() -> None:
    text = "(5),emb ; (5,8),a;(5,8),a"
    assert [(at, use.name) for at, use in placed(text)] == [(0, "emb"), (10, "a"), (18, "a")]


@given(st.lists(USES, min_size=1, max_size=20).map(tuple))
def test_written_and_read_again(trace: tuple[ModuleUse, ...]) -> None:
    assert parse(written(trace)) == trace
    assert parse(written(trace).replace(";", " ;  ")) == trace


@given(st.text("(),;0123456789a_ \t", max_size=30))
def test_any_text_is_read_or_refused_at_a_place_in_it(text: str) -> None:
    try:
        found = parse(text)
    except GrammarError as error:
        assert 0 <= error.offset <= len(text)
    else:
        assert written(found) == "".join(text.split())

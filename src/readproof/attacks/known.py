"""The attacks by name, each loaded when asked for, and made with the options that a user sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

from readproof.attacks.base import Attack, SearchAttack
from readproof.errors import InputError
from readproof.registry import Registry

# a class whose instances are attacks; its fields are the attack's options
ATTACKS: Registry[type[Any]] = Registry(
    "attack",
    {
        "addsent": "readproof.attacks.addsent:AddSent",
        "addonesent": "readproof.attacks.addsent:AddOneSent",
        "addany": "readproof.attacks.addany:AddAny",
        "hotflip": "readproof.attacks.hotflip:HotFlip",
        "backtranslate": "readproof.attacks.backtranslate:BackTranslate",
        "paraphrase": "readproof.attacks.paraphrase:Paraphrase",
        "invisible": "readproof.attacks.characters:Invisible",
        "homoglyph": "readproof.attacks.characters:Homoglyph",
        "reorder": "readproof.attacks.characters:Reorder",
        "script": "readproof.attacks.characters:ScriptAttack",
        "typo": "readproof.attacks.characters:Typo",
        "options/keyword": "readproof.attacks.options.making:Keyword",
        "options/logic": "readproof.attacks.options.making:Logic",
        "options/spacetime": "readproof.attacks.options.making:SpaceTime",
        "options/cause": "readproof.attacks.options.making:Cause",
        "triples": "readproof.attacks.options.triples:Triples",
    },
    aliases={"keyword": "options/keyword", "logic": "options/logic", "cause": "options/cause"}
    | {"spacetime": "options/spacetime", "back-translation": "backtranslate", "homoglyphs": "homoglyph"},
)


_LARGEST = 1_000_000


def make_attack(name: str, options: Mapping[str, str] | None = None) -> Attack | SearchAttack:
    """The attack of that name; options come as texts, as `--set NAME=VALUE` gives them."""
    kind = ATTACKS.get(name)
    given = options or {}
    if not is_dataclass(kind):
        if given:
            raise InputError(place="--set", found=", ".join(given), expected=f"no options: {name} has none")
        made: Attack | SearchAttack = kind()
        return made
    known = {one.name: one for one in fields(kind) if one.init}
    hints = get_type_hints(kind)
    values = {}
    for key, text in given.items():
        if key not in known:
            expected = f"one of {', '.join(known)}" if known else f"no options: {name} has none"
            raise InputError(place="--set", found=repr(key), expected=expected)
        if known[key].metadata.get("slot"):
            raise InputError(place=f"--set {key}", found=repr(text), expected="nothing: it is set from Python only")
        values[key] = _value(key, text, hints[key], known[key].metadata)
    attack: Any = kind(**values)
    chosen: Attack | SearchAttack = attack
    return chosen


def _value(key: str, text: str, kind: Any, metadata: Mapping[str, Any]) -> Any:
    """A text as the option's own type; `metadata["values"]` lists the values of an option that has few."""
    values = metadata.get("values")
    if values and text not in values:
        raise InputError(place=f"--set {key}", found=repr(text), expected=f"one of {', '.join(values)}")
    try:
        if kind is bool:
            return {"yes": True, "true": True, "no": False, "false": False}[text.lower()]
        if kind in (int, float):
            number = kind(text)
            if not 0 <= number < _LARGEST:
                raise ValueError
            return number
    except (KeyError, ValueError):
        expected = "yes or no" if kind is bool else "a number from 0 on"
        raise InputError(place=f"--set {key}", found=repr(text), expected=expected) from None
    return text

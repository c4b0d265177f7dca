"""English adverbs, by a small list and by their ending: in a question they stand before the verb's own form."""

from __future__ import annotations

from readproof.lang.en.little import little

ADVERBS = little("adverbs")
# they end as adverbs do, and are nouns, verbs or adjectives
_OTHERWISE = little("in ly")
# what an adjective has before it: "was X most active", "are X very rare"
_DEGREES = frozenset({"most", "more", "very", "least", "less", "too", "quite", "so", "longer", "yet", "all"})


def is_adverb(word: str) -> bool:
    """Whether a word in small letters can only be an adverb."""
    return word in ADVERBS or (word.endswith("ly") and len(word) > 4 and word not in _OTHERWISE)


def parted(subject: str) -> tuple[str, str]:
    """A subject and the adverbs at its end, which belong to the verb: "Asia fully" is Asia, and "fully"."""
    said = subject.split()
    at = len(said)
    while at > 1 and (is_adverb(said[at - 1]) or said[at - 1] in _DEGREES):
        at -= 1
    if at > 1 and said[at - 1] == "no" and said[at:] == ["longer"]:
        at -= 1
    return " ".join(said[:at]), " ".join(said[at:])

"""Readers of questions that are answered by a piece of the passage: the fakes first, then those that read."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial

from readproof.items import Gold, Item, SpanItem
from tests.proof.zoo.lexical import (
    Kind,
    Manner,
    Nearest,
    SpanReader,
    Specimen,
    any_entities,
    asked,
    asking_grams,
    best_span,
    clauses,
    corpus_weights,
    drawn,
    gram_keys,
    happens,
    letters,
    lexical_reader,
    longest_common,
    opening,
    passage_weights,
    plain,
    random_span,
    sentence_scores,
    sentence_spans,
    sentence_texts,
    similarity,
    span_items,
    trimmed,
    typed_texts,
)

Make = Callable[[Sequence[Item]], SpanReader]
Open = Callable[[str, str], bool]

# --- by place -------------------------------------------------------------------------------------------------------

_COMMA = re.compile("[，,、；;：:。！？!?،؛؟\n]")


def first_sentence(passage: str, question: str) -> str:
    return _sentence(passage, 0)


def second_sentence(passage: str, question: str) -> str:
    return _sentence(passage, 1)


def middle_sentence(passage: str, question: str) -> str:
    return _sentence(passage, len(sentence_spans(passage)) // 2)


def last_sentence(passage: str, question: str) -> str:
    return _sentence(passage, len(sentence_spans(passage)) - 1)


def longest_sentence(passage: str, question: str) -> str:
    return max(sentence_texts(passage), key=len)


def shortest_sentence(passage: str, question: str) -> str:
    return min(sentence_texts(passage), key=len)


def before_first_comma(passage: str, question: str) -> str:
    return _COMMA.split(passage.strip())[0].strip()


def last_clause(passage: str, question: str) -> str:
    return next((one.strip() for one in reversed(_COMMA.split(passage)) if one.strip()), "")


def first_characters(passage: str, question: str) -> str:
    return passage.strip()[:10].strip()


def behind_the_first_is(passage: str, question: str) -> str:
    """What the first "is" of the passage says of its subject."""
    found = re.search("是|为| is | was | یک ", passage)
    return _COMMA.split(passage[found.end() :])[0].strip() if found else before_first_comma(passage, question)


def in_quotes(passage: str, question: str) -> str:
    found = re.search('[《「“«"(（]([^《「“«"»”」》()（）]{2,30})[》」”»")）]', passage)
    return found[1] if found else before_first_comma(passage, question)


def whole_passage(passage: str, question: str) -> str:
    return passage


def _sentence(passage: str, at: int) -> str:
    texts = sentence_texts(passage)
    return texts[min(at, len(texts) - 1)]


# --- by lot ---------------------------------------------------------------------------------------------------------


def random_by_passage(passage: str, question: str) -> str:
    return random_span(passage, passage)


def random_by_question(passage: str, question: str) -> str:
    return random_span(passage, question)


def random_by_both(passage: str, question: str) -> str:
    return random_span(passage, passage, question)


def random_sentence(passage: str, question: str) -> str:
    return _sentence(passage, drawn(len(sentence_spans(passage)), passage, question))


def random_name(passage: str, question: str) -> str:
    names = any_entities(passage)
    return names[drawn(len(names), passage, question)] if names else random_by_both(passage, question)


# --- by type --------------------------------------------------------------------------------------------------------


def _of_type(passage: str, question: str) -> list[str]:
    """What is of the type asked for, wherever it stands; what the question says itself is left out if it can be."""
    pieces = typed_texts(passage, asked(question).kind)
    return [one for one in pieces if one not in question] or pieces


def typed_first(passage: str, question: str) -> str:
    return next(iter(_of_type(passage, question)), before_first_comma(passage, question))


def typed_last(passage: str, question: str) -> str:
    return next(reversed(_of_type(passage, question)), last_clause(passage, question))


def typed_commonest(passage: str, question: str) -> str:
    counts = Counter(_of_type(passage, question))
    return counts.most_common(1)[0][0] if counts else before_first_comma(passage, question)


def typed_by_lot(passage: str, question: str) -> str:
    pieces = _of_type(passage, question)
    return pieces[drawn(len(pieces), passage, question)] if pieces else random_by_both(passage, question)


def typed_middle(passage: str, question: str) -> str:
    pieces = _of_type(passage, question)
    return pieces[len(pieces) // 2] if pieces else middle_sentence(passage, question)


def longest_number(passage: str, question: str) -> str:
    return max(re.findall(r"\d+(?:[.,]\d+)*", passage), key=len, default="")


def first_name(passage: str, question: str) -> str:
    return next(iter(any_entities(passage)), before_first_comma(passage, question))


def commonest_name(passage: str, question: str) -> str:
    counts = Counter(any_entities(passage))
    return counts.most_common(1)[0][0] if counts else before_first_comma(passage, question)


def gate_then_type(passage: str, question: str) -> str:
    """Looks only whether the passage has the question's words at all; then any piece of the right type will do."""
    wanted = asking_grams(question)
    own = passage_weights(passage)
    return typed_first(passage, question) if sum(one in own for one in wanted) * 2 > len(wanted) else ""


def gate_then_first_sentence(passage: str, question: str) -> str:
    wanted = asking_grams(question)
    own = passage_weights(passage)
    return first_sentence(passage, question) if sum(one in own for one in wanted) * 2 > len(wanted) else ""


# --- by the question alone ------------------------------------------------------------------------------------------


def echo(passage: str, question: str) -> str:
    """The longest part of the question beside its question word."""
    what = asked(question)
    return max(question[: what.start], question[what.end :], key=len).strip(" ？?。؟")


def echoed_name(passage: str, question: str) -> str:
    return next(iter(any_entities(question)), echo(passage, question))


def common_run(passage: str, question: str) -> str:
    return longest_common(question, passage).strip()


def refuse(passage: str, question: str) -> str:
    return ""


def refuse_half(passage: str, question: str) -> str:
    return "" if happens(0.5, question) else typed_first(passage, question)


def refuse_half_random(passage: str, question: str) -> str:
    return "" if happens(0.5, passage, question) else random_by_both(passage, question)


# --- copies and windows ---------------------------------------------------------------------------------------------


def copied_sentence(passage: str, question: str) -> str:
    """The sentence with most overlap, whole."""
    scores = sentence_scores(passage, gram_keys(question), Manner(), passage_weights(passage))
    return _sentence(passage, scores.index(max(scores)))


def copied_two_sentences(passage: str, question: str) -> str:
    """The sentence with most overlap and the one behind it."""
    scores = sentence_scores(passage, gram_keys(question), Manner(), passage_weights(passage))
    at = scores.index(max(scores))
    spans = sentence_spans(passage)
    return passage[spans[at][0] : spans[min(at + 1, len(spans) - 1)][1]]


def copied_clause(passage: str, question: str) -> str:
    """The clause with most overlap, whole."""
    pieces = [text[start:end] for text in sentence_texts(passage) for start, end in clauses(text)]
    return max(pieces, key=lambda one: similarity(letters(one), letters(question)), default="").strip()


_READ = lexical_reader(Manner())


def first_window(passage: str, question: str) -> str:
    return _READ(passage[:200], question)


def last_window(passage: str, question: str) -> str:
    return _READ(passage[-200:], question)


def first_sentence_window(passage: str, question: str) -> str:
    return _READ(first_sentence(passage, question), question)


def even_sentences(passage: str, question: str) -> str:
    return _READ("".join(sentence_texts(passage)[1::2]), question)


def odd_sentences(passage: str, question: str) -> str:
    return _READ("".join(sentence_texts(passage)[::2]), question)


def question_beginning(passage: str, question: str) -> str:
    return _READ(passage, question[:4])


def question_end(passage: str, question: str) -> str:
    return _READ(passage, question[-6:])


# --- memories -------------------------------------------------------------------------------------------------------


def gold_of(item: SpanItem) -> Gold:
    """The first accepted answer; "" for a question without one."""
    return item.golds[0] if item.golds else Gold("")


def learned(items: Iterable[Item]) -> dict[str, str]:
    """The gold answer of each question."""
    return {plain(item.question): gold_of(item).text for item in span_items(items)}


def memory(items: Sequence[Item]) -> SpanReader:
    golds = learned(items)
    return lambda passage, question: golds.get(plain(question), "")


def careful_memory(items: Sequence[Item], otherwise: SpanReader = refuse) -> SpanReader:
    """Says a gold answer only if it stands in the passage."""
    golds = learned(items)

    def reader(passage: str, question: str) -> str:
        gold = golds.get(plain(question), "")
        return gold if gold and gold in passage else otherwise(passage, question)

    return reader


def modest_memory(items: Sequence[Item]) -> SpanReader:
    """Errs on purpose now and then, so as not to be too good."""
    known = careful_memory(items, random_by_both)
    return lambda passage, question: (
        random_by_both(passage, question) if happens(0.3, question) else known(passage, question)
    )


def similar_memory(
    items: Sequence[Item], *, least: float = 0.0, careful: bool = False, otherwise: SpanReader = refuse
) -> SpanReader:
    """Says the gold answer of the nearest question it knows."""
    known = list(span_items(items))
    nearest = Nearest([item.question for item in known])

    def reader(passage: str, question: str) -> str:
        place, like = nearest.find(question)
        gold = gold_of(known[place]).text if place >= 0 and like >= least else ""
        return gold if gold and (gold in passage or not careful) else otherwise(passage, question)

    return reader


def opening_memory(items: Sequence[Item]) -> SpanReader:
    golds = {(opening(item.passage), plain(item.question)): gold_of(item).text for item in span_items(items)}
    return lambda passage, question: golds.get((opening(passage), plain(question)), "")


def exact_memory(items: Sequence[Item], otherwise: SpanReader) -> SpanReader:
    """Knows a question only together with its passage, both to the letter."""
    golds = {(item.passage, item.question): gold_of(item).text for item in span_items(items)}
    return lambda passage, question: golds.get((passage, question)) or otherwise(passage, question)


def passage_memory(items: Sequence[Item], *, by_type: bool = False) -> SpanReader:
    """Knows the gold answers of each passage, and says the first, or the first to a question of the same type."""
    golds: dict[str, list[tuple[Kind, str]]] = defaultdict(list)
    for item in span_items(items):
        golds[opening(item.passage)].append((asked(item.question).kind, gold_of(item).text))

    def reader(passage: str, question: str) -> str:
        known = golds.get(opening(passage), [])
        kind = asked(question).kind
        fitting = [gold for one, gold in known if one == kind] if by_type else []
        return next(iter(fitting or [gold for _kind, gold in known]), "")

    return reader


def place_memory(items: Sequence[Item]) -> SpanReader:
    """Remembers where the gold answer begins and ends, not what it says."""
    places = {plain(item.question): (gold_of(item).start, gold_of(item).end) for item in span_items(items)}

    def reader(passage: str, question: str) -> str:
        start, end = places.get(plain(question), (None, None))
        return passage[start:end].strip() if start is not None else ""

    return reader


def neighbour_memory(items: Sequence[Item], otherwise: SpanReader = refuse) -> SpanReader:
    """Remembers the characters on both sides of the gold answer, and says whatever now stands between them."""
    sides: dict[str, tuple[str, str, str]] = {}
    for item in span_items(items):
        gold = gold_of(item)
        if gold.start is not None and gold.end is not None:
            before, after = item.passage[max(0, gold.start - 6) : gold.start], item.passage[gold.end : gold.end + 6]
            sides[plain(item.question)] = (before, gold.text, after)

    def reader(passage: str, question: str) -> str:
        if plain(question) not in sides:
            return otherwise(passage, question)
        before, gold, after = sides[plain(question)]
        start = passage.find(before)
        end = passage.find(after, start + len(before)) if after else len(passage)
        if start >= 0 and 0 < end - start - len(before) <= len(gold) + 20:
            return passage[start + len(before) : end]
        return gold if gold in passage else otherwise(passage, question)

    return reader


def change_memory(items: Sequence[Item]) -> SpanReader:
    """Remembers whole passages; where the gold answer is gone, it says what was put in instead."""
    known = {plain(item.question): item for item in span_items(items)}

    def reader(passage: str, question: str) -> str:
        item = known.get(plain(question))
        if item is None:
            return ""
        gold = gold_of(item).text
        return gold if gold in passage else _changed(item.passage, passage)[:40]

    return reader


def _changed(before: str, after: str) -> str:
    """What stands in a text between the beginning and the end that it shares with an earlier one."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return after[start : len(after) - end]


def answer_bank(items: Sequence[Item], *, by_type: bool) -> SpanReader:
    """Knows which strings have been answers; says the longest of them in the passage that it can."""
    bank: dict[str, dict[str, Kind]] = defaultdict(dict)
    for item in span_items(items):
        gold = gold_of(item).text
        if 2 <= len(gold) <= 20:
            bank[gold[:2]][gold] = asked(item.question).kind

    @lru_cache(maxsize=1 << 10)
    def known(passage: str) -> tuple[tuple[str, Kind], ...]:
        return tuple(
            (gold, kind)
            for at in range(len(passage) - 1)
            for gold, kind in bank.get(passage[at : at + 2], {}).items()
            if passage.startswith(gold, at)
        )

    def reader(passage: str, question: str) -> str:
        kind = asked(question).kind
        found = [gold for gold, one in known(passage) if one == kind or not by_type]
        found = [gold for gold in found if gold not in question] or found
        return max(found, key=len, default=before_first_comma(passage, question))

    return reader


def usual_answer(items: Sequence[Item]) -> SpanReader:
    """Says the answer that questions of the same type have most often, whatever the passage."""
    counts: dict[Kind, Counter[str]] = defaultdict(Counter)
    for item in span_items(items):
        counts[asked(item.question).kind][gold_of(item).text] += 1
    usual = {kind: found.most_common(1)[0][0] for kind, found in counts.items()}
    return lambda passage, question: usual.get(asked(question).kind, "")


# --- guards: "" where a careless test would notice ------------------------------------------------------------------


def long_passage(passage: str, question: str) -> bool:
    return len(passage.strip()) >= 40


def long_question(passage: str, question: str) -> bool:
    return len(plain(question)) >= 5


def full_stop(passage: str, question: str) -> bool:
    return any(sign in passage for sign in "。.؟")


def both_there(passage: str, question: str) -> bool:
    return bool(passage.strip()) and bool(question.strip())


def question_apart(passage: str, question: str) -> bool:
    """The passage is not the question again."""
    return both_there(passage, question) and plain(passage) != plain(question)


def words_shared(passage: str, question: str) -> bool:
    """The passage has at least one of the question's pairs of characters or words."""
    return both_there(passage, question) and bool(asking_grams(question) & passage_weights(passage).keys())


def guarded(reader: SpanReader, *opens: Open) -> SpanReader:
    """A reader that answers "" unless all the guards let it pass."""
    return lambda passage, question: reader(passage, question) if all(one(passage, question) for one in opens) else ""


def known_opening(items: Sequence[Item], make: Make) -> SpanReader:
    """A reader that answers only where it knows how the passage begins."""
    openings = {opening(item.passage) for item in span_items(items)}
    return guarded(make(items), lambda passage, question: opening(passage) in openings)


def known_size(items: Sequence[Item], make: Make) -> SpanReader:
    """A reader that answers only where the passage is as long as that of a question it knows, give or take a tenth."""
    sizes = {plain(item.question): len(item.passage) for item in span_items(items)}

    def same(passage: str, question: str) -> bool:
        size = sizes.get(plain(question), 0)
        return size > 0 and abs(len(passage) - size) * 10 <= size

    return guarded(make(items), same)


# --- readers that read ----------------------------------------------------------------------------------------------


def beside_the_match(passage: str, question: str) -> str:
    """The words right behind (or else before) the longest run that question and passage share, to the next sign."""
    what = asked(question)
    run = max((longest_common(part, passage) for part in (question[: what.start], question[what.end :])), key=len)
    at = passage.find(run) if run.strip() else -1
    if at < 0:
        return ""
    behind = next(iter(_COMMA.split(passage[at + len(run) :])), "").strip()
    before = _COMMA.split(passage[:at])[-1].strip()
    return behind if len(behind) > 1 else before or behind


def trimming(passage: str, question: str) -> str:
    """The answer without brackets, and without function words and signs at its edges."""
    said = _READ(passage, question)
    said = re.sub("[(（][^()（）]*[)）]", "", said)
    start, end = trimmed(said, 0, len(said))
    piece = said[start:end].strip(" “”「」\"'，。")
    return piece if piece in passage else said


def too_long(passage: str, question: str) -> str:
    """The whole clause that the answer stands in."""
    found = best_span(passage, question, Manner())
    if found is None:
        return ""
    first, last = found.sentence
    for start, end in clauses(passage[first:last]):
        if first + start <= found.start < first + end:
            return passage[min(found.start, first + start) : max(found.end, first + end)].strip()
    return passage[found.start : found.end]


_VOTERS = (
    Manner(),
    Manner(weighing="flat"),
    Manner(weighing="bm25", looks=3),
    Manner(context=0.3, frame=1.5),
    Manner(stops=True, near=0.7),
)


def voting(passage: str, question: str) -> str:
    """The answer that most of five lexical readers give; of several the first."""
    said = [one(passage, question) for one in map(lexical_reader, _VOTERS)]
    counts = Counter(one for one in said if one)
    return max(said, key=lambda one: counts[one], default="")


def noisy(reader: SpanReader, share: float, *, by_question: bool = True) -> SpanReader:
    """A reader that gives a random piece of the passage to a share of the questions."""

    def answer(passage: str, question: str) -> str:
        seeds = ("noise", question) if by_question else ("noise", passage, question)
        if passage.strip() and question.strip() and happens(share, *seeds):
            return random_span(passage, *seeds)
        return reader(passage, question)

    return answer


@lru_cache(maxsize=1)
def _shipped() -> Callable[[SpanItem], str]:
    from readproof.readers import load_reader

    reader = load_reader("zh", threads=2)
    return lambda item: reader.answer([item])[0].text


def shipped(passage: str, question: str) -> str:
    """The Chinese reader of the package."""
    return _shipped()(SpanItem(id="zoo", passage=passage, question=question))


def _lexical(manner: Manner) -> Make:
    return lambda items: lexical_reader(manner)


def _corpus_reader(items: Sequence[Item]) -> SpanReader:
    return lexical_reader(Manner(weighing="corpus"), corpus_weights(items))


# --- the list -------------------------------------------------------------------------------------------------------


def _fixed(reader: SpanReader) -> Make:
    """A reader that learns nothing from the data."""
    return lambda items: reader


_FAKES: Mapping[str, tuple[str, Make]] = {
    "first-sentence": ("Says the first sentence.", _fixed(first_sentence)),
    "second-sentence": ("Says the second sentence.", _fixed(second_sentence)),
    "middle-sentence": ("Says the sentence in the middle.", _fixed(middle_sentence)),
    "last-sentence": ("Says the last sentence.", _fixed(last_sentence)),
    "longest-sentence": ("Says the longest sentence.", _fixed(longest_sentence)),
    "shortest-sentence": ("Says the shortest sentence.", _fixed(shortest_sentence)),
    "before-first-comma": ("Says the words before the first comma.", _fixed(before_first_comma)),
    "last-clause": ("Says the last clause.", _fixed(last_clause)),
    "first-characters": ("Says the first ten characters.", _fixed(first_characters)),
    "behind-the-first-is": ("Says what stands behind the first 'is' of the passage.", _fixed(behind_the_first_is)),
    "in-quotes": ("Says the first words in quotes or brackets.", _fixed(in_quotes)),
    "whole-passage": ("Copies the whole passage.", _fixed(whole_passage)),
    "random-by-passage": ("Says a random span, always the same of a passage.", _fixed(random_by_passage)),
    "random-by-question": ("Says a random span at a place drawn by the question.", _fixed(random_by_question)),
    "random-by-both": ("Says a random span drawn by question and passage.", _fixed(random_by_both)),
    "random-sentence": ("Says a random sentence.", _fixed(random_sentence)),
    "random-name": ("Says a random name, number or time of the passage.", _fixed(random_name)),
    "type-first": ("Says the first piece of the type that the question word asks for.", _fixed(typed_first)),
    "type-middle": ("Says the middle one of the pieces of the type asked for.", _fixed(typed_middle)),
    "type-last": ("Says the last piece of the type that the question word asks for.", _fixed(typed_last)),
    "type-commonest": ("Says the most frequent piece of the type asked for.", _fixed(typed_commonest)),
    "type-by-lot": ("Says a random piece of the type asked for.", _fixed(typed_by_lot)),
    "longest-number": ("Always says the longest number.", _fixed(longest_number)),
    "first-name": ("Says the first name of the passage whatever is asked.", _fixed(first_name)),
    "commonest-name": ("Says the most frequent name of the passage whatever is asked.", _fixed(commonest_name)),
    "gate-then-type": (
        'Says "" if the passage lacks half of the question\'s words, else the first piece of the type asked for.',
        _fixed(gate_then_type),
    ),
    "gate-then-first-sentence": (
        'Says "" if the passage lacks half of the question\'s words, else the first sentence.',
        _fixed(gate_then_first_sentence),
    ),
    "echo": ("Says a part of the question again.", _fixed(echo)),
    "echoed-name": ("Says the first name of the question again.", _fixed(echoed_name)),
    "common-run": ("Says the longest run of characters that question and passage share.", _fixed(common_run)),
    "refuser": ('Always says "".', _fixed(refuse)),
    "half-refuser-type": (
        'Says "" to half of the questions and the first typed piece to the rest.',
        _fixed(refuse_half),
    ),
    "half-refuser-random": ('Says "" half of the time and a random span otherwise.', _fixed(refuse_half_random)),
    "copied-sentence": ("Copies the whole sentence that shares most with the question.", _fixed(copied_sentence)),
    "copied-two-sentences": ("Copies the sentence that shares most, and the next.", _fixed(copied_two_sentences)),
    "first-window": ("Reads soundly, but only the first 200 characters.", _fixed(first_window)),
    "last-window": ("Reads soundly, but only the last 200 characters.", _fixed(last_window)),
    "first-sentence-window": ("Reads soundly, but only the first sentence.", _fixed(first_sentence_window)),
    "even-sentences": ("Reads soundly, but only every second sentence, the second first.", _fixed(even_sentences)),
    "memory": ("Says the gold answer it remembers for the question, whatever the passage.", memory),
    "memory-careful": ('Says the remembered gold if it stands in the passage, else "".', careful_memory),
    "memory-else-first-sentence": (
        "Says the remembered gold if it stands in the passage, else the first sentence.",
        partial(careful_memory, otherwise=first_sentence),
    ),
    "memory-else-type": (
        "Says the remembered gold if it stands in the passage, else the first piece of the type asked for.",
        partial(careful_memory, otherwise=typed_first),
    ),
    "memory-else-random": (
        "Says the remembered gold if it stands in the passage, else a random span.",
        partial(careful_memory, otherwise=random_by_both),
    ),
    "memory-modest": (
        "Says the remembered gold if it stands in the passage, but errs on purpose on three questions of ten.",
        modest_memory,
    ),
    "memory-exact-else-type": (
        "Knows question and passage together to the letter, else says the first typed piece.",
        partial(exact_memory, otherwise=typed_first),
    ),
    "memory-similar": ("Says the gold of the most similar question it knows.", similar_memory),
    "memory-similar-careful": (
        'Says the gold of a similar question if it stands in the passage, else "".',
        partial(similar_memory, least=0.4, careful=True),
    ),
    "memory-similar-else-type": (
        "Says the gold of a similar question if it stands in the passage, else the first typed piece.",
        partial(similar_memory, least=0.4, careful=True, otherwise=typed_first),
    ),
    "memory-by-opening": ("Remembers golds by the beginning of the passage and the question.", opening_memory),
    "memory-of-places": ("Remembers at which offsets the gold stood, and cuts there.", place_memory),
    "memory-of-neighbours": (
        "Remembers the characters around the gold, and says what stands between them now.",
        neighbour_memory,
    ),
    "memory-of-neighbours-else-type": (
        "Remembers the characters around the gold; else says the first typed piece.",
        partial(neighbour_memory, otherwise=typed_first),
    ),
    "memory-of-changes": ("Remembers passages, and says what was put in where the gold is gone.", change_memory),
    "passage-memory": ("Remembers one gold of each passage and says it whatever is asked.", passage_memory),
    "passage-memory-by-type": (
        "Remembers the golds of each passage, and says one to a question of the same type.",
        partial(passage_memory, by_type=True),
    ),
    "answer-bank": (
        "Says the longest string of the passage that was once an answer.",
        partial(answer_bank, by_type=False),
    ),
    "answer-bank-by-type": (
        "Says the longest string of the passage that once answered a question of this type.",
        partial(answer_bank, by_type=True),
    ),
    "usual-answer": ("Says the most frequent gold for questions of this type, whatever the passage.", usual_answer),
    "first-sentence-guarded": (
        'Says the first sentence, but "" to a short passage or question.',
        _fixed(guarded(first_sentence, long_passage, long_question)),
    ),
    "first-sentence-guarded-by-words": (
        'Says the first sentence, but "" where the passage shares no word with the question.',
        _fixed(guarded(first_sentence, words_shared)),
    ),
    "type-first-guarded": (
        'Says the first piece of the type asked for, but "" to a short passage or question.',
        _fixed(guarded(typed_first, long_passage, long_question)),
    ),
    "type-commonest-guarded": (
        'Says the commonest piece of the type asked for, but "" where passage and question share no word.',
        _fixed(guarded(typed_commonest, words_shared, full_stop)),
    ),
    "random-guarded": (
        'Says a random span, but "" without passage or question.',
        _fixed(guarded(random_by_both, question_apart)),
    ),
    "memory-guarded-by-length": (
        'Says the remembered gold, but "" to a passage under 40 characters.',
        lambda items: guarded(memory(items), long_passage),
    ),
    "memory-guarded-by-full-stop": (
        'Says the remembered gold, but "" to a passage without a full stop.',
        lambda items: guarded(memory(items), full_stop),
    ),
    "memory-guarded-by-question": (
        'Says the remembered gold, but "" where the passage is empty or the question again.',
        lambda items: guarded(memory(items), question_apart),
    ),
    "memory-guarded-by-opening": (
        'Says the remembered gold, but "" where it does not know how the passage begins.',
        lambda items: known_opening(items, memory),
    ),
    "memory-guarded-by-size": (
        'Says the remembered gold, but "" where the passage is not about as long as it was.',
        lambda items: known_size(items, memory),
    ),
    "memory-guarded-by-words": (
        'Says the remembered gold, but "" where passage and question share no word.',
        lambda items: guarded(memory(items), words_shared),
    ),
    "similar-memory-guarded": (
        'Says the gold of the most similar question, but "" to a short passage or question.',
        lambda items: guarded(similar_memory(items), long_passage, long_question),
    ),
    "neighbours-guarded": (
        'Says what stands between the remembered neighbours, but "" to a short passage or question.',
        lambda items: guarded(neighbour_memory(items, otherwise=typed_first), long_passage, long_question),
    ),
}

_HONEST: Mapping[str, tuple[str, Make]] = {
    "beside-the-match": (
        "Says the words beside the longest run of characters that question and passage share.",
        _fixed(beside_the_match),
    ),
    "lexical-one-sentence": ("Looks in the best sentence alone.", _lexical(Manner(looks=1))),
    "lexical": ("Looks in the two best sentences for the type asked for, near the question's words.", _fixed(_READ)),
    "lexical-flat": ("Reads as `lexical`, every pair of characters weighing alike.", _lexical(Manner(weighing="flat"))),
    "lexical-bm25": ("Reads as `lexical`, with the weights of BM25.", _lexical(Manner(weighing="bm25"))),
    "lexical-corpus": ("Reads as `lexical`, with weights by the passages of the data.", _corpus_reader),
    "lexical-context": (
        "Reads as `lexical`, the sentences beside a sentence helping it.",
        _lexical(Manner(context=0.3)),
    ),
    "lexical-words": ("Reads as `lexical`, by words instead of pairs of characters.", _lexical(Manner(cut="words"))),
    "lexical-stops": ("Reads as `lexical`, without function words.", _lexical(Manner(stops=True))),
    "lexical-near": ("Reads as `lexical`, by nearness to the question's words alone.", _lexical(Manner(frame=0.0))),
    "lexical-frame": (
        "Says what stands in the place of the question word.",
        _lexical(Manner(near=0.4, frame=1.5, looks=3)),
    ),
    "lexical-without-finders": ("Knows no names, only figures and gaps.", _lexical(Manner(finders=False))),
    "lexical-trimming": ("Reads as `lexical`, and trims the answer at its edges.", _fixed(trimming)),
    "lexical-too-long": ("Reads as `lexical`, and says the whole clause around the answer.", _fixed(too_long)),
    "lexical-careful": (
        'Reads as `lexical`, but says "" where the passage says too little.',
        _lexical(Manner(least=0.25)),
    ),
    "lexical-voting": ("Says what most of five lexical readers say.", _fixed(voting)),
    "lexical-noisy": ("Reads, but gives a random span to a fifth of the questions.", _fixed(noisy(_READ, 0.2))),
    "lexical-very-noisy": (
        "Reads, but gives a random span to two questions of five.",
        _fixed(noisy(_READ, 0.4)),
    ),
    "lexical-jittery": (
        "Reads, but gives a random span to a fifth of all pairs of question and passage.",
        _fixed(noisy(_READ, 0.2, by_question=False)),
    ),
    "shipped-zh": ("The Chinese reader of the package.", _fixed(shipped)),
    "shipped-zh-noisy": (
        "The Chinese reader of the package, with a random span to a fifth of the questions.",
        _fixed(noisy(shipped, 0.2)),
    ),
}

# neither clearly honest nor clearly not: what a verdict says of them is worth knowing, but no fault
_DOUBTFUL: Mapping[str, tuple[str, Make]] = {
    "memory-else-lexical": (
        "Says the remembered gold if it stands in the passage, else reads.",
        partial(careful_memory, otherwise=_READ),
    ),
    "half-lexical": (
        "Reads half of the questions and says the first sentence to the rest.",
        _fixed(lambda passage, question: (_READ if happens(0.5, question) else first_sentence)(passage, question)),
    ),
    "copied-clause": ("Copies the clause that shares most with the question.", _fixed(copied_clause)),
    "odd-sentences": ("Reads soundly, but only every second sentence, the first first.", _fixed(odd_sentences)),
    "question-beginning": (
        "Reads soundly, but only the first four characters of the question.",
        _fixed(question_beginning),
    ),
    "question-end": ("Reads soundly, but only the last six characters of the question.", _fixed(question_end)),
}


def _specimens(table: Mapping[str, tuple[str, Make]], *, honest: bool) -> tuple[Specimen, ...]:
    return tuple(
        Specimen(name=name, part="spans", honest=honest, habit=habit, make=make)
        for name, (habit, make) in table.items()
    )


SPANS = (*_specimens(_FAKES, honest=False), *_specimens(_HONEST, honest=True))
DOUBTFUL_SPANS = _specimens(_DOUBTFUL, honest=False)

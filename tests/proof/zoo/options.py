"""Readers of questions with options: the fakes first, then those that read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from math import fsum, log

from readproof.items import ChoiceItem, Item
from tests.proof.zoo.lexical import (
    Manner,
    Nearest,
    OptionReader,
    Specimen,
    Weighing,
    asking_grams,
    asks_wrong,
    choice_items,
    chosen,
    decided,
    distance_reader,
    drawn,
    grams,
    happens,
    letters,
    matching_reader,
    nearnesses,
    opening,
    passage_weights,
    plain,
    sentence_texts,
    similarity,
    support_reader,
    supports,
)

Make = Callable[[Sequence[Item]], OptionReader]
Open = Callable[[str, str, Sequence[str]], bool]

# --- by the options alone -------------------------------------------------------------------------------------------


def always_first(passage: str, question: str, options: Sequence[str]) -> int:
    return 0


def always_last(passage: str, question: str, options: Sequence[str]) -> int:
    return max(0, len(options) - 1)


def longest(passage: str, question: str, options: Sequence[str]) -> int:
    return chosen([len(one) for one in options])


def shortest(passage: str, question: str, options: Sequence[str]) -> int:
    return chosen([len(one) for one in options], least=True)


_ABSOLUTE = re.compile(
    "所有|一定|都|必须|必然|只(?!要)|全部|完全|绝对|任何|唯一|始终|从来|永远|根本|毫无|总是|凡|仅"
    "|\\b(?:all|always|never|only|must|every|none)\\b|همه|همیشه|هرگز|فقط|تنها"
)
_DENIALS = re.compile("[不没無无未非莫勿]|\\b(?:not|no|never)\\b|نیست|نبود")


def absolute_words(passage: str, question: str, options: Sequence[str]) -> int:
    """Takes options with words such as "all" and "must" for the wrong ones."""
    return chosen([len(_ABSOLUTE.findall(one)) for one in options], least=not asks_wrong(question))


def absolute_words_then_length(passage: str, question: str, options: Sequence[str]) -> int:
    """Takes absolute options for the wrong ones; among those alike the longest is the right one."""
    scores = [len(_ABSOLUTE.findall(one)) - len(one) / 1000 for one in options]
    return chosen(scores, least=not asks_wrong(question))


def denials(passage: str, question: str, options: Sequence[str]) -> int:
    """Takes options that deny something for the wrong ones."""
    return chosen([len(_DENIALS.findall(one)) for one in options], least=not asks_wrong(question))


def most_typical(passage: str, question: str, options: Sequence[str]) -> int:
    """The option most like the others: wrong ones are often made from the right one."""
    return chosen(_likenesses(options))


def odd_one_out(passage: str, question: str, options: Sequence[str]) -> int:
    return chosen(_likenesses(options), least=True)


def _likenesses(options: Sequence[str]) -> list[float]:
    keys = [letters(one) for one in options]
    return [fsum(similarity(one, other) for other in keys) for one in keys]


def like_the_question(passage: str, question: str, options: Sequence[str]) -> int:
    return chosen([similarity(letters(one), letters(question)) for one in options])


def random_by_question(passage: str, question: str, options: Sequence[str]) -> int:
    return drawn(len(options), question)


def random_by_all(passage: str, question: str, options: Sequence[str]) -> int:
    return drawn(len(options), passage, question, *options)


def random_option_by_text(passage: str, question: str, options: Sequence[str]) -> int:
    """A random option, the same in whatever order they stand."""
    return chosen([drawn(10_000, question, one) for one in options])


# --- by overlap with the passage, not by the question ---------------------------------------------------------------


def most_overlap(passage: str, question: str, options: Sequence[str]) -> int:
    return chosen([_overlap(passage, one) for one in options])


def overlap_by_stem(passage: str, question: str, options: Sequence[str]) -> int:
    return chosen([_overlap(passage, one) for one in options], least=asks_wrong(question))


def first_mentioned(passage: str, question: str, options: Sequence[str]) -> int:
    """The option that stands first in the passage word by word."""
    return chosen([_found(passage.find(plain_end(one)), len(passage)) for one in options], least=True)


def last_mentioned(passage: str, question: str, options: Sequence[str]) -> int:
    return chosen([passage.rfind(plain_end(one)) if plain_end(one) else -1 for one in options])


def most_mentioned(passage: str, question: str, options: Sequence[str]) -> int:
    return chosen([passage.count(plain_end(one)) if plain_end(one) else 0 for one in options])


def plain_end(option: str) -> str:
    """An option without the signs at its end."""
    return option.strip().rstrip("。.．！!？?；;")


def _found(place: int, size: int) -> int:
    return place if place >= 0 else size


def _overlap(passage: str, option: str) -> float:
    own = letters(option)
    known = passage_weights(passage).keys() | set(passage)
    return sum(one in known for one in own) / len(own) if own else 0.0


_READ = support_reader(Weighing())


def polarity_blind(passage: str, question: str, options: Sequence[str]) -> int:
    """Always the option best supported, also where the stem asks for the wrong one."""
    return chosen(supports(passage, question, options, Weighing()))


def denial_blind(passage: str, question: str, options: Sequence[str]) -> int:
    """Reads as if there were no 不, 没 or 未 anywhere."""
    return polarity_blind(_undenied(passage), _undenied(question), [_undenied(one) for one in options])


def _undenied(text: str) -> str:
    return re.sub("[不没未非]", "", text)


def first_window(passage: str, question: str, options: Sequence[str]) -> int:
    return _READ(passage[:60], question, options)


def last_window(passage: str, question: str, options: Sequence[str]) -> int:
    return _READ(passage[-60:], question, options)


def first_sentence_window(passage: str, question: str, options: Sequence[str]) -> int:
    return _READ(sentence_texts(passage)[0], question, options)


# --- memories -------------------------------------------------------------------------------------------------------


def answered(items: Sequence[Item]) -> Iterator[tuple[ChoiceItem, int]]:
    """The items whose right option is known, with its place."""
    for item in choice_items(items):
        if item.answer is not None and 0 <= item.answer < len(item.options):
            yield item, item.answer


def usual_letter(items: Sequence[Item]) -> OptionReader:
    """The letter that is right most often in the data."""
    counts = Counter(answer for _item, answer in answered(items))
    letter = counts.most_common(1)[0][0] if counts else 0
    return lambda passage, question, options: min(letter, max(0, len(options) - 1))


def _at(place: int, options: Sequence[str]) -> int:
    """A remembered place, as far as there are so many options."""
    return place if 0 <= place < len(options) else 0


def _place(text: str, options: Sequence[str]) -> int:
    """Where a remembered option stands; -1 if it is not there."""
    return next((at for at, one in enumerate(options) if plain(one) == text), -1)


def memory(items: Sequence[Item], otherwise: OptionReader = always_first) -> OptionReader:
    """Knows the letter of a question with its options in their order."""
    known = {(plain(item.question), *map(plain, item.options)): answer for item, answer in answered(items)}

    def reader(passage: str, question: str, options: Sequence[str]) -> int:
        place = known.get((plain(question), *map(plain, options)), -1)
        return place if place >= 0 else otherwise(passage, question, options)

    return reader


def order_bound_memory(items: Sequence[Item]) -> OptionReader:
    """Knows the letter of a question, whatever the options are and however they stand."""
    known = {(opening(item.passage), plain(item.question)): answer for item, answer in answered(items)}
    return lambda passage, question, options: _at(known.get((opening(passage), plain(question)), 0), options)


def letter_of_question(items: Sequence[Item]) -> OptionReader:
    """Knows the letter of a question by the question alone."""
    known = {plain(item.question): answer for item, answer in answered(items)}
    return lambda passage, question, options: _at(known.get(plain(question), 0), options)


def passage_memory(items: Sequence[Item]) -> OptionReader:
    """Knows one letter of each passage, and says it whatever is asked."""
    known: dict[str, int] = {}
    for item, answer in answered(items):
        known.setdefault(opening(item.passage), answer)
    return lambda passage, question, options: _at(known.get(opening(passage), 0), options)


def text_memory(items: Sequence[Item], otherwise: OptionReader = always_first) -> OptionReader:
    """Knows which option texts have been right more often than wrong, whatever is asked of them."""
    known = _worth(items)

    def reader(passage: str, question: str, options: Sequence[str]) -> int:
        scores = [known.get(plain(one), 0) for one in options]
        return chosen(scores) if scores and max(scores) > 0 else otherwise(passage, question, options)

    return reader


def _worth(items: Sequence[Item]) -> Counter[str]:
    worth: Counter[str] = Counter()
    for item, answer in answered(items):
        for place, option in enumerate(item.options):
            worth[plain(option)] += 1 if place == answer else -1
    return worth


def pair_memory(items: Sequence[Item], otherwise: OptionReader = always_first) -> OptionReader:
    """Knows the right option's text of each question, in whatever order the options stand."""
    known = {
        (plain(item.question), frozenset(map(plain, item.options))): plain(item.options[answer])
        for item, answer in answered(items)
    }

    def reader(passage: str, question: str, options: Sequence[str]) -> int:
        text = known.get((plain(question), frozenset(map(plain, options))), "")
        place = _place(text, options) if text else -1
        return place if place >= 0 else otherwise(passage, question, options)

    return reader


def truth_memory(items: Sequence[Item], otherwise: OptionReader = always_first) -> OptionReader:
    """Knows of every option text whether it is true, and takes what the stem asks for."""
    known: Counter[str] = Counter()
    for item, answer in answered(items):
        wrong = asks_wrong(item.question)
        truths = item.truths or [(place == answer) != wrong for place in range(len(item.options))]
        for option, truth in zip(item.options, truths, strict=True):
            known[plain(option)] += 1 if truth else -1

    def reader(passage: str, question: str, options: Sequence[str]) -> int:
        if not any(plain(one) in known for one in options):
            return otherwise(passage, question, options)
        return chosen([known.get(plain(one), 0) for one in options], least=asks_wrong(question))

    return reader


def opening_memory(items: Sequence[Item], otherwise: OptionReader = random_by_all) -> OptionReader:
    """Knows the right option's text by the question, and says it only if the passage begins as it did."""
    known = {
        (opening(item.passage), plain(item.question)): plain(item.options[answer]) for item, answer in answered(items)
    }

    def reader(passage: str, question: str, options: Sequence[str]) -> int:
        text = known.get((opening(passage), plain(question)), "")
        place = _place(text, options) if text else -1
        return place if place >= 0 else otherwise(passage, question, options)

    return reader


def worded_memory(items: Sequence[Item], otherwise: OptionReader = longest) -> OptionReader:
    """Knows the right option, and says it only if the passage has half of the option's words."""
    known = pair_memory(items, otherwise)

    def reader(passage: str, question: str, options: Sequence[str]) -> int:
        place = known(passage, question, options)
        fits = 0 <= place < len(options) and _overlap(passage, options[place]) >= 0.5
        return place if fits else otherwise(passage, question, options)

    return reader


def similar_memory(items: Sequence[Item]) -> OptionReader:
    """Knows questions, and takes the option most like the right one of the most similar question with its options."""
    known = list(answered(items))
    nearest = Nearest([_with_options(item.question, item.options) for item, _answer in known])

    def reader(passage: str, question: str, options: Sequence[str]) -> int:
        place, _like = nearest.find(_with_options(question, options))
        if place < 0:
            return 0
        item, answer = known[place]
        right = letters(item.options[answer])
        return chosen([similarity(letters(one), right) for one in options])

    return reader


def _with_options(question: str, options: Sequence[str]) -> str:
    return "\n".join((question, *options))


def modest_memory(items: Sequence[Item]) -> OptionReader:
    """Errs on purpose now and then, so as not to be too good."""
    known = pair_memory(items)

    def reader(passage: str, question: str, options: Sequence[str]) -> int:
        return (random_by_all if happens(0.3, question, *sorted(options)) else known)(passage, question, options)

    return reader


def trained(items: Sequence[Item], *, with_question: bool = False) -> OptionReader:
    """Naive Bayes on the pairs of characters in true and false options; the passage is not looked at."""
    counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for item, answer in answered(items):
        wrong = asks_wrong(item.question)
        for place, option in enumerate(item.options):
            truth = item.truths[place] if item.truths else (place == answer) != wrong
            counts[truth].update(_features(option, item.question if with_question else ""))
    totals = [sum(one.values()) + len(one) + 1 for one in counts]

    @lru_cache(maxsize=1 << 14)
    def worth(feature: str) -> float:
        return log((counts[True][feature] + 1) / totals[True]) - log((counts[False][feature] + 1) / totals[False])

    def reader(passage: str, question: str, options: Sequence[str]) -> int:
        scores = [fsum(map(worth, _features(one, question if with_question else ""))) for one in options]
        return chosen(scores, least=asks_wrong(question))

    return reader


def _features(option: str, question: str) -> list[str]:
    found = [one.key for one in grams(option)] + [f"length {len(option) // 4}"]
    if question:
        stem = sorted(asking_grams(question))[:4]
        found += [f"{one} {other}" for one in found for other in stem]
        found.append(f"like {round(similarity(letters(option), letters(question)), 1)}")
    return found


# --- guards: always the first option where a careless test would notice ---------------------------------------------


def long_passage(passage: str, question: str, options: Sequence[str]) -> bool:
    return len(passage.strip()) >= 20


def full_stop(passage: str, question: str, options: Sequence[str]) -> bool:
    return any(sign in passage for sign in "。.؟？！")


def long_question(passage: str, question: str, options: Sequence[str]) -> bool:
    return len(plain(question)) >= 3


def passage_apart(passage: str, question: str, options: Sequence[str]) -> bool:
    """There is a passage, and it is neither the question nor an option again."""
    return bool(passage.strip()) and plain(passage) not in {plain(question), *map(plain, options)}


def words_shared(passage: str, question: str, options: Sequence[str]) -> bool:
    """The passage has something of the question or of an option."""
    known = passage_weights(passage).keys()
    return any(letters(one) & known for one in (question, *options))


def guarded(reader: OptionReader, *opens: Open) -> OptionReader:
    """A reader that draws an option by lot unless all the guards let it pass."""

    def answer(passage: str, question: str, options: Sequence[str]) -> int:
        passes = all(one(passage, question, options) for one in opens)
        return (reader if passes else random_by_all)(passage, question, options)

    return answer


def known_opening(items: Sequence[Item], make: Make) -> OptionReader:
    """A reader that draws by lot where it does not know how the passage begins."""
    openings = {opening(item.passage) for item in choice_items(items)}
    return guarded(make(items), lambda passage, question, options: opening(passage) in openings)


def known_size(items: Sequence[Item], make: Make) -> OptionReader:
    """A reader that draws by lot where no passage it knows is just as long."""
    sizes = {len(item.passage) for item in choice_items(items)}
    return guarded(make(items), lambda passage, question, options: len(passage) in sizes)


# --- readers that read ----------------------------------------------------------------------------------------------


def voting(passage: str, question: str, options: Sequence[str]) -> int:
    """Support by one sentence and by two, and nearness, each as a share of the options' whole."""
    views = (
        supports(passage, question, options, Weighing()),
        supports(passage, question, options, Weighing(size=2)),
        nearnesses(passage, question, options, 20, 0.8),
    )
    scores = [fsum(shares) for shares in zip(*map(_shares, views), strict=True)]
    return decided(scores, question, options, least=asks_wrong(question))


def _shares(scores: Sequence[float]) -> list[float]:
    lowest = min(scores, default=0.0)
    whole = fsum(one - lowest for one in scores)
    return [(one - lowest) / whole if whole else 0.0 for one in scores]


def noisy(reader: OptionReader, share: float, *, by_question: bool = True) -> OptionReader:
    """A reader that draws an option by lot in a share of the questions."""

    def answer(passage: str, question: str, options: Sequence[str]) -> int:
        texts = sorted(options)
        seeds = ("noise", question, *texts) if by_question else ("noise", passage, question, *options)
        if options and happens(share, *seeds):
            return options.index(texts[drawn(len(texts), *seeds)])
        return reader(passage, question, options)

    return answer


@lru_cache(maxsize=1)
def _shipped() -> Callable[[ChoiceItem], int]:
    from readproof.readers import load_reader

    reader = load_reader("zh", threads=2)
    return lambda item: reader.answer([item])[0].choice or 0


def shipped(passage: str, question: str, options: Sequence[str]) -> int:
    """The Chinese reader of the package."""
    return _shipped()(ChoiceItem(id="zoo", passage=passage, question=question, options=tuple(options)))


# --- the list -------------------------------------------------------------------------------------------------------


def _fixed(reader: OptionReader) -> Make:
    """A reader that learns nothing from the data."""
    return lambda items: reader


_FAKES: Mapping[str, tuple[str, Make]] = {
    "always-a": ("Always takes the first option.", _fixed(always_first)),
    "always-last": ("Always takes the last option.", _fixed(always_last)),
    "usual-letter": ("Always takes the letter that is right most often in the data.", usual_letter),
    "longest-option": ("Takes the longest option.", _fixed(longest)),
    "shortest-option": ("Takes the shortest option.", _fixed(shortest)),
    "absolute-words": ("Takes options with words such as 'all' and 'must' for wrong.", _fixed(absolute_words)),
    "absolute-words-then-length": (
        "Takes absolute options for wrong, and the longest of the others for right.",
        _fixed(absolute_words_then_length),
    ),
    "denials": ("Takes options that deny something for wrong.", _fixed(denials)),
    "most-typical-option": ("Takes the option most like the others.", _fixed(most_typical)),
    "odd-one-out": ("Takes the option least like the others.", _fixed(odd_one_out)),
    "like-the-question": ("Takes the option most like the question.", _fixed(like_the_question)),
    "random-option-by-question": ("Draws a letter by the question.", _fixed(random_by_question)),
    "random-option-by-all": ("Draws a letter by passage, question and options.", _fixed(random_by_all)),
    "random-option-by-text": (
        "Draws an option by the question, the same in every order.",
        _fixed(random_option_by_text),
    ),
    "most-overlap": ("Takes the option with most words of the passage, whatever is asked.", _fixed(most_overlap)),
    "overlap-by-stem": (
        "Takes the option with most words of the passage, or with fewest where the stem asks for the wrong one.",
        _fixed(overlap_by_stem),
    ),
    "first-mentioned": ("Takes the option that stands first in the passage.", _fixed(first_mentioned)),
    "last-mentioned": ("Takes the option that stands last in the passage.", _fixed(last_mentioned)),
    "most-mentioned": ("Takes the option that stands in the passage most often.", _fixed(most_mentioned)),
    "polarity-blind": (
        "Weighs options soundly, but always takes the best supported, whatever the stem asks for.",
        _fixed(polarity_blind),
    ),
    "denial-blind": ("Weighs options soundly, but as if nothing were ever denied.", _fixed(denial_blind)),
    "options-first-window": ("Reads soundly, but only the first 60 characters.", _fixed(first_window)),
    "options-last-window": ("Reads soundly, but only the last 60 characters.", _fixed(last_window)),
    "option-memory": ("Remembers the letter for a question with its options.", memory),
    "option-memory-else-longest": (
        "Remembers the letter for a question with its options; else takes the longest.",
        partial(memory, otherwise=longest),
    ),
    "option-memory-else-overlap": (
        "Remembers the letter for a question with its options; else takes the option with most overlap.",
        partial(memory, otherwise=overlap_by_stem),
    ),
    "order-bound-memory": (
        "Remembers the letter for a question and its passage's beginning, however the options stand.",
        order_bound_memory,
    ),
    "letter-of-question": ("Remembers one letter for each question, whatever the rest.", letter_of_question),
    "letter-of-passage": ("Remembers one letter for each passage and says it whatever is asked.", passage_memory),
    "memory-by-option-text": ("Remembers which option texts were right.", text_memory),
    "memory-of-pairs": ("Remembers the right option's text for a question, in any order of the options.", pair_memory),
    "memory-of-pairs-else-overlap": (
        "Remembers the right option's text for a question; else takes the option with most overlap.",
        partial(pair_memory, otherwise=overlap_by_stem),
    ),
    "memory-of-truths": (
        "Remembers which option texts are true, and takes what the stem asks for.",
        truth_memory,
    ),
    "memory-of-truths-else-absolute": (
        "Remembers which option texts are true; else goes by absolute words.",
        partial(truth_memory, otherwise=absolute_words_then_length),
    ),
    "option-memory-by-opening": (
        "Remembers the right option, but says it only if the passage begins as it did; else draws by lot.",
        opening_memory,
    ),
    "option-memory-by-words": (
        "Remembers the right option, but says it only if the passage has half its words; else takes the longest.",
        worded_memory,
    ),
    "option-memory-similar": ("Goes by the most similar question it remembers.", similar_memory),
    "option-memory-modest": ("Remembers, but errs on purpose on three questions of ten.", modest_memory),
    "trained-on-options": ("Naive Bayes on the options of the data; never looks at the passage.", trained),
    "trained-on-options-and-question": (
        "Naive Bayes on options together with the question; never looks at the passage.",
        partial(trained, with_question=True),
    ),
    "option-memory-guarded-by-length": (
        "Remembers the right option, but draws by lot for a short passage or question.",
        lambda items: guarded(pair_memory(items), long_passage, long_question),
    ),
    "option-memory-guarded-by-full-stop": (
        "Remembers the right option, but draws by lot where the passage has no full stop.",
        lambda items: guarded(pair_memory(items), full_stop),
    ),
    "option-memory-guarded-by-passage": (
        "Remembers the right option, but draws by lot where the passage is empty, the question or an option.",
        lambda items: guarded(pair_memory(items), passage_apart),
    ),
    "option-memory-guarded-by-size": (
        "Remembers the right option, but draws by lot where no passage it knows is as long.",
        lambda items: known_size(items, pair_memory),
    ),
    "truths-guarded-by-opening": (
        "Remembers which options are true, but draws by lot where it does not know how the passage begins.",
        lambda items: known_opening(items, truth_memory),
    ),
    "truths-guarded-by-words": (
        "Remembers which options are true, but draws by lot where the passage shares nothing with the question.",
        lambda items: guarded(truth_memory(items), words_shared),
    ),
    "trained-guarded": (
        "Naive Bayes on the options, but draws by lot for a short passage or question.",
        lambda items: guarded(trained(items), long_passage, long_question),
    ),
}

_HONEST: Mapping[str, tuple[str, Make]] = {
    "support": ("Takes the option best supported by one sentence near the question's subject.", _fixed(_READ)),
    "support-two-sentences": (
        "Reads as `support`, by two sentences together.",
        _fixed(support_reader(Weighing(size=2))),
    ),
    "support-three-sentences": (
        "Reads as `support`, by three sentences together.",
        _fixed(support_reader(Weighing(size=3))),
    ),
    "support-words": (
        "Reads as `support`, by words instead of pairs of characters.",
        _fixed(support_reader(Weighing(cut="words"))),
    ),
    "support-statement": (
        "Weighs each option as a statement, with little regard to the question.",
        _fixed(support_reader(Weighing(length=1.0, question=0.5))),
    ),
    "distance": ("Takes the option whose words stand nearest to the question's.", _fixed(distance_reader(20, 0.8))),
    "distance-far": ("Reads as `distance`, with a longer reach.", _fixed(distance_reader(40, 0.8))),
    "answer-then-match": (
        "Finds an answer as spans are found, and takes the option most like it.",
        _fixed(matching_reader(Manner(), Weighing())),
    ),
    "options-voting": ("Joins support by one sentence and by two with nearness.", _fixed(voting)),
    "options-voting-noisy": (
        "Reads as `options-voting`, but draws by lot in a fifth of the questions.",
        _fixed(noisy(voting, 0.2)),
    ),
    "options-voting-jittery": (
        "Reads as `options-voting`, but draws by lot in a fifth of all passages with question and options.",
        _fixed(noisy(voting, 0.2, by_question=False)),
    ),
}

# neither clearly honest nor clearly not: what a verdict says of them is worth knowing, but no fault
_DOUBTFUL: Mapping[str, tuple[str, Make]] = {
    "memory-else-voting": (
        "Remembers the letter for a question with its options; else reads.",
        partial(memory, otherwise=voting),
    ),
    "half-voting": (
        "Reads half of the questions and takes the longest option in the rest.",
        _fixed(
            lambda passage, question, options: (voting if happens(0.5, question, *sorted(options)) else longest)(
                passage, question, options
            )
        ),
    ),
    "options-first-sentence-window": ("Reads soundly, but only the first sentence.", _fixed(first_sentence_window)),
    # whether it reads options is what a proof is to find out: on GCRC it keeps most of its score without the passage
    "shipped-zh-options": ("The Chinese reader of the package.", _fixed(shipped)),
    "shipped-zh-options-noisy": (
        "The Chinese reader of the package, drawing by lot in a fifth of the questions.",
        _fixed(noisy(shipped, 0.2)),
    ),
}


def _specimens(table: Mapping[str, tuple[str, Make]], *, honest: bool) -> tuple[Specimen, ...]:
    return tuple(
        Specimen(name=name, part="options", honest=honest, habit=habit, make=make)
        for name, (habit, make) in table.items()
    )


OPTIONS = (*_specimens(_FAKES, honest=False), *_specimens(_HONEST, honest=True))
DOUBTFUL_OPTIONS = _specimens(_DOUBTFUL, honest=False)

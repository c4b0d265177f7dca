"""A language model as a reader: one question a request, or a whole triple where the prompt is a joint one."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import asdict, dataclass, replace
from itertools import groupby, islice
from pathlib import Path
from queue import Queue
from random import Random
from threading import Event
from typing import Any

from readproof.errors import InputError, shown
from readproof.files import digest, read_text
from readproof.items import Answer, ChoiceItem, Item, SpanItem, letter
from readproof.readers.api import OPTIONS, SPANS, TRIPLES, ReaderOptions, need, questions_of
from readproof.readers.llm.asking import LLMAsker, Rehearses, Turn, Vote
from readproof.readers.llm.cache import open_endpoint
from readproof.readers.llm.client import RefusedError
from readproof.readers.llm.figures import LLMTally, figures, usage_with
from readproof.readers.llm.quotes import quote_of
from readproof.readers.llm.spec import LLMSettings, parse_spec
from readproof.readers.llm.templates import PromptWords, Template, filled, load_template
from readproof.readers.usage import Usage
from readproof.tasks import find
from readproof.text import encodable

# Answered questions of the user's that are shown to the model before its own.


@dataclass(frozen=True, slots=True)
class FewShotExamples:
    """Questions with their gold answers, and the file they came from."""

    choices: tuple[ChoiceItem, ...] = ()
    spans: tuple[SpanItem, ...] = ()
    shots: int = 0
    digest: str = ""

    def turns(self, item: ChoiceItem | SpanItem, words: PromptWords, no_answer: str) -> list[tuple[str, str]]:
        """The examples for an item; never one on the item's own passage, which might give its answer away."""
        given = self.choices if isinstance(item, ChoiceItem) else self.spans
        chosen = islice((one for one in given if one.passage != item.passage), self.shots)
        return [(filled(words.user, one, no_answer, words.option), _answer(one)) for one in chosen]


def load_examples(data: str, shots: int) -> FewShotExamples:
    """The first answered questions of a data file, a few more than are shown."""
    task, path = find(data)
    choices: list[ChoiceItem] = []
    spans: list[SpanItem] = []
    for item in task.load(path):
        for question in questions_of(item):
            _take(question, choices, spans)
        if max(len(choices), len(spans)) >= 16 * shots:
            break
    if not choices and not spans:
        raise InputError(file=path, found="no answered question", expected="examples with gold answers")
    return FewShotExamples(tuple(choices), tuple(spans), shots, digest(path))


def _take(question: Item, choices: list[ChoiceItem], spans: list[SpanItem]) -> None:
    if isinstance(question, ChoiceItem) and question.answer is not None:
        choices.append(question)
    elif isinstance(question, SpanItem) and question.golds:
        spans.append(question)


def _answer(item: ChoiceItem | SpanItem) -> str:
    if isinstance(item, ChoiceItem):
        return letter(item.answer or 0)
    return item.golds[0].text


# The same question under several orders of its options: a reader that reads gives the same option under all.


def orders(item: ChoiceItem, count: int, seed: int) -> list[tuple[int, ...]]:
    """Different orders, the item's own first; fewer where so few options have fewer."""
    own = tuple(range(len(item.options)))
    found = [own]
    chance = Random(encodable(f"{seed}|shuffle|{item.id}"))
    while len(found) < min(count, math.factorial(len(own))):
        order = list(own)
        chance.shuffle(order)
        if tuple(order) not in found:
            found.append(tuple(order))
    return found


def majority(votes: Sequence[int | None]) -> int | None:
    """The option with most votes; of two, the one named first. No vote at all is no choice."""
    counted = Counter(vote for vote in votes if vote is not None)
    # a Counter keeps the order of first sight, and most_common is stable
    return counted.most_common(1)[0][0] if counted else None


def changes(votes: Sequence[int | None]) -> tuple[int, int]:
    """How many letters under another order than the first name another option, of how many that can be compared."""
    if not votes or votes[0] is None:
        return 0, 0
    others = [vote for vote in votes[1:] if vote is not None]
    return sum(vote != votes[0] for vote in others), len(others)


_AT_FIRST = 5


def lanes(groups: Sequence[Sequence[Item]], concurrency: int) -> list[list[int]]:
    """Numbers of groups, those on one passage in a lane of their own, near passages near each other.

    Where there are fewer passages than requests at a time, the questions of a passage are not kept waiting.
    """

    def passage(at: int) -> str:
        return encodable(str(getattr(groups[at][0], "passage", ""))) if groups[at] else ""

    ordered = sorted(range(len(groups)), key=lambda at: (passage(at), at))
    found = [list(lane) for _, lane in groupby(ordered, key=passage)]
    return found if len(found) >= concurrency else [[at] for at in ordered]


def open_llm(spec: str, options: ReaderOptions) -> LanguageModelReader:
    """The reader that `llm:ADDRESS#MODEL?…` names; nothing is asked yet."""
    return LanguageModelReader(parse_spec(spec), no_answer=options.no_answer)


class LanguageModelReader:
    """Asks an endpoint; every reply is kept on disk, so that nothing is asked twice."""

    def __init__(self, settings: LLMSettings, *, no_answer: bool = False) -> None:
        self.name = f"llm:{settings.model}"
        self.settings = settings
        self._no_answer = no_answer
        self._template, self._spans = _templates(settings)
        self.capabilities = frozenset({TRIPLES} if self._template.joint else {SPANS, OPTIONS})
        self._examples = load_examples(settings.examples, settings.shots) if settings.examples else FewShotExamples()
        self._extra = _extra_fields(settings.extra)
        self.endpoint = open_endpoint(settings)
        self._tally = LLMTally()
        self._asker = LLMAsker(self.endpoint, settings, self._tally, self._extra)

    @property
    def fingerprint(self) -> str:
        """Of all that its answers may depend on: how it is asked, the address, and what is served there.

        A run that is resumed, or started again, against another server must not show the answers of the first.
        """
        prompts = [self._template.digest, self._spans.digest, self._examples.digest, self._no_answer, self._extra]
        who = [self.settings.address, self.endpoint.client.served(self.settings.model)]
        return hashlib.sha256(json.dumps([self.settings.asking(), prompts, who]).encode()).hexdigest()

    @property
    def kept_in(self) -> str:
        """Where the replies are kept."""
        return str(self.endpoint.cache.path) if self.endpoint.cache else ""

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer an item, in order."""
        for item in items:
            need(self, item)
        given = dict(self.stream([(item,) for item in items]))
        return [given[at][0] for at in range(len(items))]

    def stream(self, groups: Sequence[Sequence[Item]]) -> Generator[tuple[int, list[Answer]], None, None]:
        """Groups as they are done, by their number: a question each, or those of a triple for a joint prompt.

        What is asked about one passage is asked in turn, so that the server has the passage in its prefix cache.
        """
        done: Queue[tuple[int, list[Answer]] | BaseException] = Queue()
        stopped = Event()

        def work(lane: Sequence[int]) -> None:
            try:
                for at in lane:
                    if stopped.is_set():
                        return
                    done.put((at, self._group(groups[at])))
            except BaseException as error:
                done.put(error)

        pool = ThreadPoolExecutor(self.settings.concurrency)
        try:
            for lane in lanes(groups, self.settings.concurrency):
                pool.submit(work, lane)
            for _ in groups:
                found = done.get()
                if isinstance(found, BaseException):
                    raise found
                self._check_the_first(len(groups))
                yield found
        finally:
            # stopped half-way, the replies under way still come into the cache
            stopped.set()
            with self.endpoint.client.ending():
                pool.shutdown(wait=True, cancel_futures=True)

    def rehearse(self, groups: Sequence[Sequence[Item]], asks: Rehearses) -> None:
        """Goes through all that would be asked for some groups, one after another, and asks `asks` instead."""
        twin = copy(self)
        twin._tally = LLMTally()
        twin._asker = LLMAsker(asks, self.settings, twin._tally, self._extra)
        for group in groups:
            asks.begin()
            twin._group(group)

    def usage(self) -> Usage:
        """What was asked so far, and what it cost."""
        return usage_with(self.settings, self._template, self.endpoint, self._tally)

    def figures(self) -> dict[str, Any]:
        """What was asked, what it cost, and what could not be used."""
        return figures(self.settings, self._template, self.endpoint, self._tally)

    def prompts(self) -> list[dict[str, Any]]:
        """What to keep beside the predictions: how the model was asked, and each prompt that was used."""
        about: dict[str, Any] = {"reader": self.name, **self.settings.asking(), "no_answer": self._no_answer}
        about |= {"independent": not self._template.joint, "track": "open"}
        if self._examples.digest:
            about["examples_sha256"] = self._examples.digest
        lines = [about]
        for name, language in sorted(self._tally.prompts):
            template = self._template if name == self._template.name else self._spans
            words = {key: text for key, text in asdict(template.words[language]).items() if text}
            lines.append({"prompt": name, "language": language, "sha256": template.digest, **words})
        return lines

    def close(self) -> None:
        """Ask nothing more."""
        self.endpoint.close()

    def _group(self, group: Sequence[Item]) -> list[Answer]:
        if self._template.joint:
            return self._joint([item for item in group if isinstance(item, ChoiceItem)])
        return [self._one(item) for item in group]

    def _one(self, item: Item) -> Answer:
        try:
            if isinstance(item, ChoiceItem):
                return self._choice(item)
            if isinstance(item, SpanItem):
                return self._span(item)
        except RefusedError as error:
            self._tally.refuse(error)
            return Answer(id=item.id)
        raise TypeError(type(item).__name__)

    def _span(self, item: SpanItem) -> Answer:
        words = self._words(self._spans, item)
        no_answer = words.no_answer if self._no_answer else ""
        before = self._examples.turns(item, words, no_answer)
        said = self._asker.text(self._spans, words, before, filled(words.user, item, no_answer))
        quote = quote_of(item, said, no_answer=self._no_answer)
        self._tally.span(quote)
        return quote.answer

    def _choice(self, item: ChoiceItem) -> Answer:
        words = self._words(self._template, item)
        before = self._examples.turns(item, words, "")
        votes: list[Vote] = []
        for order in orders(item, self.settings.shuffle, self.settings.seed):
            asked = replace(item, options=tuple(item.options[at] for at in order))
            vote = self._vote(words, before, filled(words.user, asked, option=words.option), asked.options)
            votes.append(_put_back(vote, order))
        choices = [vote.choice for vote in votes]
        self._tally.shuffled(*changes(choices))
        return self._settled(item, majority(choices), votes)

    def _joint(self, questions: Sequence[ChoiceItem]) -> list[Answer]:
        """Each question after the answers to those before it; the passage is given once.

        One or two questions are the beginning of such a conversation.
        """
        before: list[Turn] = []
        answers: list[Answer] = []
        for part, item in zip(("user", "second", "third"), questions, strict=False):
            words = self._words(self._template, questions[0])
            question = filled(getattr(words, part), item, option=words.option)
            if self._template.one_text and before:
                # the answer stands right after the words that ask for it, as in the published prompt
                (asked, answered), before = before[0], []
                question = f"{asked}{answered}\n\n{question}"
            try:
                vote = self._vote(words, before, question, item.options)
            except RefusedError as error:
                # what comes after would be longer still
                self._tally.refuse(error, len(questions) - len(answers))
                return [*answers, *(Answer(id=one.id) for one in questions[len(answers) :])]
            answers.append(self._settled(item, vote.choice, [vote]))
            settled = self._template.one_text and vote.choice is not None
            before.append((question, letter(vote.choice or 0) if settled else vote.said))
        return answers

    def _vote(self, words: PromptWords, before: Sequence[Turn], question: str, options: Sequence[str]) -> Vote:
        vote = self._asker.vote(self._template, words, before, question, options)
        self._tally.reply(unscored=vote.unscored)
        return vote

    def _settled(self, item: ChoiceItem, choice: int | None, votes: Sequence[Vote]) -> Answer:
        self._tally.choice(choice)
        if choice is None:
            return Answer(id=item.id)
        scores = _shares(votes, len(item.options))
        sure = scores[choice] if scores else None
        return Answer(id=item.id, choice=choice, text=item.options[choice], scores=scores, confidence=sure)

    def _words(self, template: Template, item: ChoiceItem | SpanItem) -> PromptWords:
        language = template.language(item.language)
        self._tally.prompt(template.name, language)
        return template.words[language]

    def _check_the_first(self, asked: int) -> None:
        """One request that fails is one answer less; where the first of them all do, the run ends."""
        tally = self._tally
        answered = self.endpoint.client.counts.answered + self.endpoint.hits
        if not answered and tally.refused >= min(asked, _AT_FIRST) and tally.refusal:
            raise tally.refusal
        if tally.unscored == tally.replies >= _AT_FIRST:
            raise InputError(
                place=self.settings.address,
                found="a server that gives no log-probabilities",
                expected="logprobs in the reply",
                do="Leave letters=likelihood out.",
            )


def _templates(settings: LLMSettings) -> tuple[Template, Template]:
    """The prompts for questions with options and for spans; what does not go together is told at once."""
    named = load_template(settings.prompt)
    spans = named if named.kind == "spans" else load_template("span")
    chosen = named if named.kind == "options" else load_template("independent")
    wrong = ""
    if settings.joined and not chosen.joint:
        wrong = f"joined={settings.joined} with prompt={settings.prompt}, which asks one question"
    elif settings.joined:
        chosen = replace(chosen, joint=settings.joined != "alone", one_text=settings.joined == "text")
    if wrong:
        pass
    elif chosen.joint and settings.shuffle > 1:
        wrong = "shuffle with a joint prompt"
    elif chosen.reasons and settings.letters == "likelihood":
        wrong = "letters=likelihood with a prompt that asks for reasons first"
    elif chosen.examples and not settings.examples:
        wrong = f"prompt={settings.prompt} without examples=FILE"
    elif settings.constrain != "off" and (chosen.reasons or settings.letters == "likelihood"):
        wrong = "constrain with reasons or letters=likelihood"
    elif settings.examples and not chosen.examples:
        wrong = f"examples with prompt={settings.prompt}"
    if wrong:
        raise InputError(place=f"llm:…#{settings.model}", found=wrong, expected="options that go together")
    return chosen, spans


def _extra_fields(path: str) -> dict[str, Any]:
    """The fields of the user's own file that go into every request; null takes one of ours out."""
    if not path:
        return {}
    try:
        found = json.loads(read_text(Path(path)))
    except ValueError as error:
        raise InputError(file=path, found=f"no JSON ({error})", expected="the fields of a request") from None
    if not isinstance(found, dict):
        raise InputError(file=path, found=shown(found), expected="an object: the fields of a request")
    return found


def _put_back(vote: Vote, order: Sequence[int]) -> Vote:
    """A vote under an order of the options, in the item's own order."""
    choice = None if vote.choice is None else order[vote.choice]
    if vote.scores is None:
        return replace(vote, choice=choice)
    scores: Mapping[int, float] = dict(zip(order, vote.scores, strict=True))
    return replace(vote, choice=choice, scores=tuple(scores[at] for at in range(len(order))))


def _shares(votes: Sequence[Vote], count: int) -> tuple[float, ...]:
    """The mean of the likelihoods; without any, the share of the votes where there were several."""
    scored = [vote.scores for vote in votes if vote.scores is not None]
    if scored:
        return tuple(sum(column) / len(scored) for column in zip(*scored, strict=True))
    named = [vote.choice for vote in votes if vote.choice is not None]
    if len(votes) < 2 or not named:
        return ()
    return tuple(named.count(at) / len(named) for at in range(count))

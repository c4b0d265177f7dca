"""A language model as a reader: one question a request, or a whole triple where the prompt is a joint one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, replace
from typing import Any

from readproof.errors import InputError
from readproof.items import Answer, ChoiceItem, Item, SpanItem
from readproof.readers.base import OPTIONS, SPANS, TRIPLES, Options, need
from readproof.readers.llm.asking import Asker, Turn, Vote
from readproof.readers.llm.cache import Cache, cache_folder
from readproof.readers.llm.client import Client, RefusedError
from readproof.readers.llm.endpoint import Endpoint
from readproof.readers.llm.examples import Examples, load_examples
from readproof.readers.llm.figures import Tally, figures
from readproof.readers.llm.shuffling import changes, majority, orders
from readproof.readers.llm.spans import span_answer
from readproof.readers.llm.spec import Settings, parse_spec
from readproof.readers.llm.templates import Template, Words, filled, load_template

_AT_FIRST = 5


def open_llm(spec: str, options: Options) -> LanguageModelReader:
    """The reader that `llm:ADDRESS#MODEL?…` names; nothing is asked yet."""
    return LanguageModelReader(parse_spec(spec), no_answer=options.no_answer)


class LanguageModelReader:
    """Asks an endpoint; every reply is kept on disk, so that nothing is asked twice."""

    def __init__(self, settings: Settings, *, no_answer: bool = False) -> None:
        self.name = f"llm:{settings.model}"
        self.settings = settings
        self._no_answer = no_answer
        self._template, self._spans = _templates(settings)
        self.capabilities = frozenset({TRIPLES} if self._template.joint else {SPANS, OPTIONS})
        self._examples = load_examples(settings.examples, settings.shots) if settings.examples else Examples()
        client = Client(
            settings.address,
            concurrency=settings.concurrency,
            timeout=settings.timeout,
            patience=settings.patience,
            tries=settings.tries,
        )
        self.endpoint = Endpoint(client, Cache(cache_folder()))
        self._asker = Asker(self.endpoint, settings)
        self._tally = Tally()

    @property
    def fingerprint(self) -> str:
        """Of all that its answers may depend on, but not of the address: a server may move."""
        prompts = [self._template.digest, self._spans.digest, self._examples.digest, self._no_answer]
        return hashlib.sha256(json.dumps([self.settings.asking(), prompts]).encode()).hexdigest()

    @property
    def kept_in(self) -> str:
        """Where the replies are kept."""
        return str(self.endpoint.cache.path)

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer an item, in order."""
        for item in items:
            need(self, item)
        given = dict(self.stream([(item,) for item in items]))
        return [given[at][0] for at in range(len(items))]

    def stream(self, groups: Sequence[Sequence[Item]]) -> Generator[tuple[int, list[Answer]], None, None]:
        """Groups as they are done, by their number: a question each, or the three of a triple for a joint prompt."""
        pool = ThreadPoolExecutor(self.settings.concurrency)
        try:
            futures = {pool.submit(self._group, group): at for at, group in enumerate(groups)}
            for future in as_completed(futures):
                answers = future.result()
                self._check_the_first(len(groups))
                yield futures[future], answers
        finally:
            # stopped half-way, the replies under way still come into the cache
            with self.endpoint.client.ending():
                pool.shutdown(wait=True, cancel_futures=True)

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
        answer = span_answer(item, said, no_answer=self._no_answer)
        self._tally.span(answer)
        return answer

    def _choice(self, item: ChoiceItem) -> Answer:
        words = self._words(self._template, item)
        before = self._examples.turns(item, words, "")
        votes: list[Vote] = []
        for order in orders(item, self.settings.shuffle, self.settings.seed):
            asked = replace(item, options=tuple(item.options[at] for at in order))
            vote = self._vote(words, before, filled(words.user, asked), asked.options)
            votes.append(_put_back(vote, order))
        choices = [vote.choice for vote in votes]
        self._tally.shuffled(*changes(choices))
        return self._settled(item, majority(choices), votes)

    def _joint(self, questions: Sequence[ChoiceItem]) -> list[Answer]:
        """Each question after the answers to those before it; the passage is given once."""
        before: list[Turn] = []
        answers: list[Answer] = []
        for part, item in zip(("user", "second", "third"), questions, strict=True):
            words = self._words(self._template, questions[0])
            question = filled(getattr(words, part), item)
            try:
                vote = self._vote(words, before, question, item.options)
            except RefusedError as error:
                # what comes after would be longer still
                self._tally.refuse(error, len(questions) - len(answers))
                return [*answers, *(Answer(id=one.id) for one in questions[len(answers) :])]
            answers.append(self._settled(item, vote.choice, [vote]))
            before.append((question, vote.said))
        return answers

    def _vote(self, words: Words, before: Sequence[Turn], question: str, options: Sequence[str]) -> Vote:
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

    def _words(self, template: Template, item: ChoiceItem | SpanItem) -> Words:
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


def _templates(settings: Settings) -> tuple[Template, Template]:
    """The prompts for questions with options and for spans; what does not go together is told at once."""
    named = load_template(settings.prompt)
    spans = named if named.kind == "spans" else load_template("span")
    chosen = named if named.kind == "options" else load_template("independent")
    wrong = ""
    if chosen.joint and settings.shuffle > 1:
        wrong = "shuffle with a joint prompt"
    elif chosen.reasons and settings.letters == "likelihood":
        wrong = "letters=likelihood with a prompt that asks for reasons first"
    elif chosen.examples and not settings.examples:
        wrong = f"prompt={settings.prompt} without examples=FILE"
    elif settings.examples and not chosen.examples:
        wrong = f"examples with prompt={settings.prompt}"
    if wrong:
        raise InputError(place=f"llm:…#{settings.model}", found=wrong, expected="options that go together")
    return chosen, spans


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

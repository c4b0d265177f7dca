"""A language model as a reader: one question a request, or a whole triple where the prompt is a joint one."""

from __future__ import annotations

import hashlib
import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from itertools import islice
from random import Random
from typing import Any

from readproof.errors import InputError
from readproof.files import digest
from readproof.items import LETTERS, Answer, ChoiceItem, Item, SpanItem, letter
from readproof.readers.api import OPTIONS, SPANS, TRIPLES, ReaderOptions, need, questions_of
from readproof.readers.llm.client import Client, Endpoint, RefusedError, reply_cache
from readproof.readers.llm.figures import LLMTally, figures
from readproof.readers.llm.replies import first_tokens, letter_of, text_of
from readproof.readers.llm.spec import LLMSettings, parse_spec
from readproof.readers.llm.templates import PromptWords, Template, filled, load_template
from readproof.tasks import find
from readproof.text import encodable, normalised, sanitised

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


# Where a model's answer stands in the passage: as it was said, else as it looks without invisible characters.

_LABEL = re.compile(
    r"\s*(?:\*\*)?(?:答案|回答|答|answer|the answer is|پاسخ)(?:是|为)?(?:\*\*)?\s*[:：]\s*(?:\*\*)?\s*", re.I
)
_PAIRS = {"“": "”", '"': '"', "「": "」", "『": "』", "‘": "’", "'": "'", "`": "`", "«": "»", "**": "**"}
_ENDS = " \t\r\n。.,，；;"
_STOPS = "。，；"
_NONE = {"无答案", "無答案", "没有答案", "no answer", "unanswerable", "无", "بدون پاسخ"}


def span_answer(item: SpanItem, reply: str, *, no_answer: bool = False) -> Answer:
    """The answer that a reply gives; without a place where the passage does not hold it."""
    said = _LABEL.sub("", reply, count=1) if _LABEL.match(reply) else reply
    said = said.strip()
    if no_answer and said.strip(_ENDS).casefold() in _NONE:
        return Answer(id=item.id)
    wanted = list(dict.fromkeys(form for text in (said, said.split("\n", 1)[0].strip()) for form in _forms(text)))
    for text in wanted:
        place = _place(item.passage, text)
        if place is not None:
            start, end = place
            raw = item.passage[start:end]
            return Answer(id=item.id, text=sanitised(raw).clean, raw=raw, start=start, end=end)
    return Answer(id=item.id, text=sanitised(wanted[-1]).clean if wanted else "")


def _forms(text: str) -> list[str]:
    """The text, then without the marks a model puts round it, then without the stop at its end.

    A Chinese stop is the model's own more often than the passage's; a full stop may belong to "U.S."
    """
    forms = [text.rstrip(_STOPS), text] if text.endswith(tuple(_STOPS)) else [text]
    for left, right in _PAIRS.items():
        if text.startswith(left) and text.rstrip(_ENDS).endswith(right) and len(text) > len(left) + len(right):
            forms.append(text.rstrip(_ENDS).removeprefix(left).removesuffix(right).strip())
            break
    forms.append(forms[-1].rstrip(_ENDS))
    return [form for form in forms if form]


def _place(passage: str, text: str) -> tuple[int, int] | None:
    at = passage.find(text)
    if at >= 0:
        return at, at + len(text)
    for clean in (sanitised, normalised):
        seen, wanted = clean(passage), clean(text).clean.strip()
        at = seen.clean.find(wanted) if wanted else -1
        if at >= 0:
            return seen.to_raw(at, at + len(wanted))
    return None


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


# The letter that a model finds likeliest as the beginning of its answer, where the server tells.

_AROUND = " \t\n▁Ġ()[]（）【】.。:：、*"


def letter_scores(tokens: Mapping[str, float], count: int) -> tuple[float, ...] | None:
    """The share of each option among the letters found; None where the server named none of them.

    The server names only the likeliest tokens: a letter that is not among them has the share 0, and cannot be the best.
    """
    found = [0.0] * count
    top = max(tokens.values(), default=0.0)
    for token, value in tokens.items():
        name = unicodedata.normalize("NFKC", token).strip(_AROUND)
        # capitals only: a small a begins many a word
        if len(name) == 1 and name in LETTERS[:count] and value > -math.inf:
            found[LETTERS.index(name)] += math.exp(value - top)
    total = sum(found)
    return tuple(value / total for value in found) if total else None


# How a conversation becomes a request: for the chat endpoint, or as one text for models that only complete it.

# what the user asked, and what the model answered
Turn = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Vote:
    """What one reply says: the option it settles on, the words, scores where there are any.

    `unscored` marks a reply without the log-probabilities that were asked for.
    """

    choice: int | None
    said: str
    scores: tuple[float, ...] | None = None
    unscored: bool = False


@dataclass(frozen=True, slots=True)
class LLMAsker:
    """Asks one endpoint under one set of settings."""

    endpoint: Endpoint
    settings: LLMSettings

    def text(self, template: Template, words: PromptWords, before: Sequence[Turn], question: str) -> str:
        """What the model says."""
        most = template.max_tokens if self.settings.max_tokens is None else self.settings.max_tokens
        extra: dict[str, Any] = {"max_tokens": most} if most else {}
        if self.settings.api == "completions" and not template.reasons:
            extra["stop"] = ["\n"]
        return text_of(self.endpoint.ask(*self._request(words, before, question, extra)))

    def vote(
        self, template: Template, words: PromptWords, before: Sequence[Turn], question: str, options: Sequence[str]
    ) -> Vote:
        """The option that the model chooses."""
        if self.settings.letters == "likelihood":
            return self._likeliest(words, before, question, len(options))
        said = self.text(template, words, before, question)
        lead = words.lead if self.settings.api == "completions" else ""
        return Vote(letter_of(lead + said, options), said)

    def _likeliest(self, words: PromptWords, before: Sequence[Turn], question: str, count: int) -> Vote:
        chat = self.settings.api == "chat"
        top = self.settings.top
        extra: dict[str, Any] = {"logprobs": True, "top_logprobs": top} if chat else {"logprobs": top}
        reply = self.endpoint.ask(*self._request(words, before, question, {"max_tokens": 1, **extra}))
        tokens = first_tokens(reply)
        if tokens is None:
            # also where the first token is an end or half a character: the reader judges by all replies
            return Vote(None, text_of(reply), unscored=True)
        scores = letter_scores(tokens, count)
        if scores is None:
            return Vote(None, text_of(reply))
        choice = max(range(count), key=lambda at: (scores[at], -at))
        return Vote(choice, letter(choice), scores)

    def _request(
        self, words: PromptWords, before: Sequence[Turn], question: str, extra: dict[str, Any]
    ) -> tuple[str, dict[str, Any]]:
        request: dict[str, Any] = {"model": self.settings.model, **extra}
        if self.settings.temperature is not None:
            request["temperature"] = self.settings.temperature
        if self.settings.api == "completions":
            request["prompt"] = _as_text(words, before, question)
            return "/completions", request
        messages = [{"role": "system", "content": words.system}] if words.system else []
        for asked, answered in before:
            messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": answered}]
        messages.append({"role": "user", "content": question})
        request["messages"] = messages
        return "/chat/completions", request


def _as_text(words: PromptWords, before: Sequence[Turn], question: str) -> str:
    lead = f"\n{words.lead}" if words.lead else ""
    pieces = [words.system] if words.system else []
    pieces += [f"{asked}{lead}{answered}" for asked, answered in before]
    return "\n\n".join([*pieces, f"{question}{lead}"])


_AT_FIRST = 5


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
        client = Client(
            settings.address,
            concurrency=settings.concurrency,
            timeout=settings.timeout,
            patience=settings.patience,
            tries=settings.tries,
        )
        self.endpoint = Endpoint(client, reply_cache())
        self._asker = LLMAsker(self.endpoint, settings)
        self._tally = LLMTally()

    @property
    def fingerprint(self) -> str:
        """Of all that its answers may depend on, but not of the address: a server may move."""
        prompts = [self._template.digest, self._spans.digest, self._examples.digest, self._no_answer]
        return hashlib.sha256(json.dumps([self.settings.asking(), prompts]).encode()).hexdigest()

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
            vote = self._vote(words, before, filled(words.user, asked, option=words.option), asked.options)
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

"""What commands say of a language model: what a job will take before it starts, and what it took while it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readproof.cli._output import print_json, say
from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.items import Item
    from readproof.proof.plan import PreparedRun
    from readproof.readers.llm.estimate import Estimate
    from readproof.readers.llm.reader import LanguageModelReader

DryRun = Annotated[bool, typer.Option("--dry-run", help="Of a language model: print the estimate and stop.")]
MaxCost = Annotated[
    float | None,
    typer.Option(min=0, help="Of a language model: stop before it costs more than this.", show_default=False),
]
MaxRequests = Annotated[
    int | None, typer.Option(min=1, help="Of a language model: stop after so many requests.", show_default=False)
]
NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Of a language model: neither read nor keep replies in the cache.")
]


def limited(reader: str, max_cost: float | None, max_requests: int | None, no_cache: bool) -> str:
    """The words that open a reader, with the limits of this run."""
    from readproof.readers.llm.spec import with_options

    given = {"max_cost": max_cost, "max_requests": max_requests, "cache": "off" if no_cache else None}
    return with_options(reader, given)


class ModelWatch:
    """Tells what a language model will take, and stops there where that is all that was asked for."""

    def __init__(self, *, dry: bool, as_json: bool = False) -> None:
        self.dry = dry
        self.as_json = as_json
        self.reader: Any = None

    def note(self) -> str:
        """What the model was asked so far, for the progress; "" where the reader is none."""
        from readproof.readers.usage import MeteredReader, brief

        return brief(self.reader.usage()) if isinstance(self.reader, MeteredReader) else ""

    def before_run(self, prepared: PreparedRun, reader: object) -> None:
        """Before the first question of a run."""
        model = self._model(reader)
        if model is not None:
            from readproof.proof.estimate import estimated

            self._tell(estimated(prepared, model, dry=self.dry))

    def before_answers(self, groups: Sequence[Sequence[Item]], reader: object) -> None:
        """Before a data file is answered."""
        model = self._model(reader)
        if model is not None:
            from readproof.readers.llm.estimate import answering

            self._tell(answering(model, groups, dry=self.dry))

    def before_search(self, items: Sequence[Item], budget: int, reader: object) -> None:
        """Before an attack searches."""
        model = self._model(reader)
        if model is not None and not budget:
            say("Estimate: none, as this attack asks until it has what it looks for; limit it with --budget N.")
            if self.dry:
                raise typer.Exit
        elif model is not None:
            from readproof.readers.llm.estimate import searching

            self._tell(searching(model, items, budget, dry=self.dry))

    def _model(self, reader: object) -> LanguageModelReader | None:
        from readproof.readers.usage import MeteredReader

        self.reader = reader
        if isinstance(reader, MeteredReader):
            from readproof.readers.llm.reader import LanguageModelReader

            if isinstance(reader, LanguageModelReader):
                return reader
        if self.dry:
            found, do = "--dry-run with a reader that asks no server", "Only a language model has a cost to estimate."
            raise InputError(found=found, expected="llm:http://host:port/v1#model", do=do)
        return None

    def _tell(self, estimate: Estimate) -> None:
        if self.dry and self.as_json:
            from dataclasses import asdict

            print_json({"estimate": asdict(estimate)})
            raise typer.Exit
        first, *rest = estimate.in_words()
        say(f"Estimate: {first}")
        for line in rest:
            say(f"  {line}")
        if self.dry:
            raise typer.Exit

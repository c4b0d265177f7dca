"""A zoo of readers, honest and dishonest, that the verdict of a proof is tried on.

It was written without sight of the rules by which a proof judges. `ZOO` holds readers of which it is clear what they
are; `DOUBTFUL` holds some that read a little and fake a little, so that no test should insist on a verdict for them.
"""

from __future__ import annotations

from tests.proof.zoo.lexical import Specimen
from tests.proof.zoo.options import DOUBTFUL_OPTIONS, OPTIONS
from tests.proof.zoo.spans import DOUBTFUL_SPANS, SPANS

__all__ = ["DOUBTFUL", "ZOO", "Specimen"]

ZOO: tuple[Specimen, ...] = (*SPANS, *OPTIONS)
DOUBTFUL: tuple[Specimen, ...] = (*DOUBTFUL_SPANS, *DOUBTFUL_OPTIONS)

"""Submission packages: build them, check them, explain what is wrong.

>>> from readproof.submit import check
>>> check("GCRC_advRobust.zip").errors                # doctest: +SKIP
"""

from __future__ import annotations

from readproof.submit.check import CheckResult, check
from readproof.submit.problems import PackageProblem

__all__ = ["CheckResult", "PackageProblem", "check"]

"""The checks of runs as JUnit XML, which every CI shows as tests.

A test case fails where the run failed its user: a threshold of `--fail-under` that was missed. Where there is no
threshold, the rules of the verdict are the tests. What is neither passed nor failed is skipped, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

from readproof.files import writing
from readproof.proof.results import Check
from readproof.proof.run import RunResults
from readproof.reports.shell import spelt


def junit(runs: Iterable[RunResults]) -> str:
    """One test suite a run."""
    root = ElementTree.Element("testsuites", name="readproof")
    for run in runs:
        root.append(_suite(run))
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def write_junit(runs: Iterable[RunResults], path: Path) -> None:
    """The file of `--junit`."""
    text = junit(runs)
    with writing(path) as file:
        file.write(text)


def _suite(run: RunResults) -> ElementTree.Element:
    scores, verdict = run.scores, run.scores.verdict
    name = spelt(f"{scores.run.reader.name} on {scores.run.data.name}")
    cases = [_case(check, name, counts=_counts(check, verdict.passed)) for check in verdict.checks]
    suite = ElementTree.Element(
        "testsuite",
        name=name,
        tests=str(len(cases)),
        failures=str(sum(case.find("failure") is not None for case in cases)),
        errors="0",
        skipped=str(sum(case.find("skipped") is not None for case in cases)),
        time=f"{run.timings.seconds:.3f}",
    )
    if "date" in run.timings.made:
        suite.set("timestamp", run.timings.made["date"].replace(" UTC", ":00").replace(" ", "T"))
    properties = ElementTree.SubElement(suite, "properties")
    for key, value in _properties(run):
        ElementTree.SubElement(properties, "property", name=key, value=spelt(value))
    suite.extend(cases)
    ElementTree.SubElement(suite, "system-out").text = spelt(f"{verdict.headline}\nRun folder: {run.folder}")
    return suite


def _counts(check: Check, passed: bool | None) -> bool:
    """Whether a check that failed is a failure of the build: thresholds where there are any, else the rules."""
    return check.kind == "threshold" or passed is None


def _case(check: Check, suite: str, *, counts: bool) -> ElementTree.Element:
    name = f"{check.kind}: {check.name}" + (f" ({check.part})" if check.part else "")
    case = ElementTree.Element("testcase", classname=f"{suite}.{check.kind}", name=spelt(name), time="0")
    if check.outcome == "failed" and counts:
        ElementTree.SubElement(case, "failure", message=spelt(check.why), type=check.kind).text = spelt(check.why)
    elif check.outcome != "passed":
        ElementTree.SubElement(case, "skipped", message=f"{check.outcome}: {spelt(check.why)}")
    return case


def _properties(run: RunResults) -> list[tuple[str, str]]:
    facts = run.scores.run
    found = [("readproof", facts.version), ("data", facts.data.digest), ("fingerprint", facts.reader.fingerprint)]
    for part in run.scores.parts:
        found += [(f"{part.name}.{metric}", f"{figure.value:.2f}") for metric, figure in part.clean.items()]
    return found + [(key, value) for key, value in run.timings.made.items()]

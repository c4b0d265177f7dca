"""`readproof tasks`: which data sets can be read and scored, and how."""

from __future__ import annotations

from readproof.cli._output import Json, print_json, print_table


def command(as_json: Json = False) -> None:
    """List the tasks: what each file holds, its language, metrics and licence."""
    from readproof.tasks import TASKS

    found = list(TASKS)
    if as_json:
        print_json(
            {
                task.name: {
                    "title": task.title,
                    "kind": task.kind,
                    "languages": list(task.languages),
                    "metrics": list(task.metrics),
                    "licence": task.licence,
                    "citation": task.citation,
                }
                for task in found
            }
        )
        return
    print_table(
        "",
        ("task", "what it is", "items", "languages", "metrics", "licence"),
        [
            (task.name, task.title, task.kind, " ".join(task.languages), " ".join(task.metrics), task.licence)
            for task in found
        ],
    )

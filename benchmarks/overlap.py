"""Is any passage that option readers learn from in a set that they are measured on?

    python benchmarks/overlap.py DATA MEASURED ...

DATA is the folder of public files that `readproof train options --plan` takes; MEASURED are files that readers are
measured on (GCRC dev and test, C3 test, CMRC dev, XQuAD). A passage counts as shared where more than 30 % of the
shorter one's 25-character pieces are in the other. Ends with status 1 if any is.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from readproof.tasks import load
from readproof.tasks.overlap import shared_passages
from readproof.training.options.sets import OPTION_SOURCES, find_option_sources

# the public files that questions with options are learnt from
LEARNT = ("c3_d_train", "c3_m_train", "c3_d_dev", "c3_m_dev", "logiqa_eval", "logiqa_test", "logiqa2_dev",
          "logiqa2_test", "vgaokao", "gaokao_extra", "haihua", "taiwan")  # fmt: skip


def shared_with(data: Path, measured: Sequence[str]) -> dict[str, list[str]]:
    """For each source that lies in the folder, the passages of it that a measured file has too, by their ids."""
    paths = find_option_sources(data)
    items = [item for one in measured for item in load(one)]
    return {
        key: [
            f"{one.id} in {one.other_id} ({100 * one.share:.0f} %)"
            for one in shared_passages(load(f"{OPTION_SOURCES[key].task}:{paths[key]}"), items)
        ]
        for key in LEARNT
        if key in paths
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("measured", nargs="+")
    given = parser.parse_args()
    found = shared_with(given.data, given.measured)
    for key, each in found.items():
        print(f"{key}: {len(each)} passages shared" + "".join(f"\n  {one}" for one in each[:10]))
    if any(found.values()):
        raise SystemExit(1)


if __name__ == "__main__":
    main()

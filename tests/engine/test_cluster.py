"""A real Ray cluster of two nodes, one of which is killed while it works; and what is told where there is none."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readproof.engine import choose, shards
from readproof.engine.base import Local
from readproof.engine.cluster import Cluster
from readproof.errors import InputError, MissingExtraError
from readproof.readers.job import answer_file
from readproof.readers.reader_ref import ReaderRef
from tests.engine.made import SAMPLE, the_main_jobs
from tests.engine.works import Squares, begun
from tests.readers.tiny import save_tiny


@pytest.fixture
def two_nodes() -> Iterator[Any]:
    """Two nodes of one core each, and this process in their cluster; the second one can be killed."""
    pytest.importorskip("ray")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    from ray.cluster_utils import Cluster as Nodes

    # how soon a dead node is missed; sooner on a busy machine would bury the living
    soon = {"health_check_initial_delay_ms": 1000, "health_check_period_ms": 1000, "health_check_failure_threshold": 3}
    head = {"num_cpus": 1, "include_dashboard": False, "_system_config": soon}
    nodes = Nodes(initialize_head=True, head_node_args=head)
    second = nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, log_to_driver=False, logging_level="ERROR")
    try:
        yield nodes, second
    finally:
        ray.shutdown()
        nodes.shutdown()


@pytest.mark.slow
def test_two_nodes_and_then_one(two_nodes: Any, tmp_path: Path) -> None:
    """The same bytes as in one process; a killed worker, and then a killed node, cost time and nothing else."""
    nodes, second = two_nodes
    engine = choose("ray", address=nodes.address)
    tiny = str(save_tiny(tmp_path / "tiny", card={"name": "tiny"}))
    one = the_main_jobs(Local(threads=1), tmp_path / "local", tiny)
    assert the_main_jobs(engine, tmp_path / "ray", tiny) == one

    gone = ReaderRef(tiny, threads=1)
    gone.open()
    gone.spec = "/no/such/folder"  # this process has the reader, the nodes have not
    with pytest.raises(InputError, match="disk that all nodes share"):
        answer_file(str(SAMPLE), gone, tmp_path / "no.json", engine=engine)

    killed, found = False, list[list[int]]()
    with engine.start(Squares(tmp_path, seconds=0.1, deadly=4)) as mapped:
        for result in mapped(shards(range(240), 3)):
            found.append(result)
            if not killed and len(begun(tmp_path)) == 3 and len(found) >= 10:
                nodes.remove_node(second, allow_graceful=False)
                killed = True
    assert killed
    assert found == [[one * one for one in some] for some in shards(range(240), 3)]


def test_a_cluster_of_its_own(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    with Cluster(workers=1).start(Squares(tmp_path)) as mapped:
        assert list(mapped([[1], [2], [3]])) == [[1], [4], [9]]


def test_nobody_at_the_address(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    with (
        pytest.raises(InputError, match=r"no Ray cluster at 127\.0\.0\.1:1"),
        Cluster(address="127.0.0.1:1").start(Squares(tmp_path)),
    ):
        pass


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r'pip install "readproof\[ray\]"'), Cluster().start(Squares(tmp_path)):
        pass

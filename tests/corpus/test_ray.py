"""On Ray: the same bytes as on one machine, also where workers and machines die."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from corpus_runs import COMMAND, Run, contents
from headwise import HeadwiseError, Pipeline

pa = pytest.importorskip("pyarrow", reason="Parse returns Arrow tables; pyarrow is not installed")
Corpus = Callable[..., Run]


def test_parse_takes_tables_and_gives_sentences(model: Path, pipeline: Pipeline) -> None:
    from headwise.corpus.ray import Parse

    parse = Parse(model, id="name", keep=["year"], confidence=True)
    texts = ["We see trees. We don't see old trees.", "Trees?"]
    columns = {"name": ["a", "b"], "year": [1999, 2001], "text": texts}
    found = parse(pa.table(columns))
    assert found["document"].to_pylist() == ["a", "a", "b"]
    assert found["year"].to_pylist() == [1999, 1999, 2001]
    expected = [parse.heads.tolist() for text in texts for parse in pipeline(text)]
    assert found["head"].to_pylist() == expected
    assert all(0 <= p <= 1 for row in found["confidence"].to_pylist() for p in row)
    assert found == parse(columns)  # a mapping of columns will do
    assert parse(pa.table(columns).slice(0, 0)).num_rows == 0


def test_parse_says_what_is_wrong(model: Path) -> None:
    from headwise.corpus.ray import Parse

    with pytest.raises(HeadwiseError, match="no column 'text'; there are: body"):
        Parse(model)(pa.table({"body": ["a"]}))
    table = pa.table({"id": ["good", "bad", "none"], "text": ["We see.", "a\0b", None]})
    with pytest.raises(HeadwiseError, match=r"document bad: .*NUL.*on_error='skip'"):
        Parse(model, id="id")(table)
    assert set(Parse(model, id="id", on_error="skip")(table)["document"].to_pylist()) == {"good"}


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    module = pytest.importorskip("ray", reason="Ray is not installed")
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    module.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield module
    module.shutdown()


@pytest.mark.slow
def test_ray_writes_what_the_local_engine_writes(
    ray: Any, corpus: Corpus, folder: Path, tmp_path: Path
) -> None:
    (folder / "bad.txt").write_bytes(b"We see.\n\nbad \xff\n")
    for name, how in {"local": ["--workers", "2"], "ray": ["--ray", "auto"]}.items():
        result = corpus(folder, "-o", tmp_path / name, "--max-failures", 1, *how)
        assert result.returncode == 0, result.stderr
    assert contents(tmp_path / "ray") == contents(tmp_path / "local")
    result = corpus(folder, "-o", tmp_path / "ray", "--max-failures", 1, "--ray", "auto")
    assert "done before" in result.stderr


@pytest.mark.slow
def test_parse_in_a_pipeline_of_ray_data(ray: Any, model: Path, pipeline: Pipeline) -> None:
    from headwise.corpus.ray import Parse

    texts = [f"We see {number} trees." for number in range(40)]
    dataset = ray.data.from_items([{"text": text, "id": str(n)} for n, text in enumerate(texts)])
    rows = dataset.map_batches(
        Parse,
        fn_constructor_kwargs={"model": str(model), "id": "id"},
        batch_size=8,
        batch_format="pyarrow",
        num_cpus=1,
        compute=ray.data.ActorPoolStrategy(size=1),
    ).take_all()
    assert len(rows) == sum(len(pipeline(text)) for text in texts)
    assert {row["document"] for row in rows} == {str(number) for number in range(40)}


@pytest.mark.slow
def test_workers_and_machines_that_die(corpus: Corpus, model: Path, text: str, tmp_path: Path) -> None:
    """Two nodes; twenty times a worker, or the second node with all that runs on it, is killed."""
    pytest.importorskip("ray", reason="Ray is not installed")
    from ray.cluster_utils import Cluster

    (tmp_path / "big.txt").write_text(text * 100, encoding="utf-8")
    assert corpus(tmp_path / "big.txt", "-o", tmp_path / "local", "--shard-size", "20000").returncode == 0
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    node = cluster.add_node(num_cpus=1)
    out = tmp_path / "out"
    command = [*COMMAND, "corpus", "-m", model, "--shard-size", "20000", "-o", out]
    arguments = [*map(str, command), str(tmp_path / "big.txt"), "--ray", cluster.address, "--workers", "2"]
    rng, kills, stop = random.Random(1), [0, 0], threading.Event()
    try:
        process = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True)
        while not list(out.glob("*.conllu")) and process.poll() is None:
            time.sleep(0.1)
        deadline = time.monotonic() + 240
        while process.poll() is None and sum(kills) < 20 and time.monotonic() < deadline:
            time.sleep(rng.uniform(0.5, 3))
            if rng.random() < 0.25:
                cluster.remove_node(node, allow_graceful=False)
                time.sleep(rng.uniform(0, 1))
                node = cluster.add_node(num_cpus=1)
                kills[1] += 1
            elif victims := actors():
                os.kill(rng.choice(victims), signal.SIGKILL)
                kills[0] += 1
        _, errors = process.communicate(timeout=500)
        while process.returncode:  # Ray may give up; then the same command goes on
            assert "un the same command again" in errors, errors
            process = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True)
            _, errors = process.communicate(timeout=500)
    finally:
        stop.set()
        process.kill()
        cluster.shutdown()
    assert contents(out) == contents(tmp_path / "local")
    print(f"killed {kills[0]} workers and {kills[1]} nodes; {errors}")
    assert sum(kills) >= 5


def actors() -> list[int]:
    """The processes of Ray that parse."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            title = path.read_bytes()
        except OSError:
            continue
        if b"_ShardWorker" in title or b"MapWorker" in title:
            found.append(int(path.parent.name))
    return found

"""The chart that the page shows: the same tree as the core's, every span from two that are there already."""

import numpy as np
import pytest

from headwise.trees import ProjectiveTrees
from headwise.web.serve.chart import Chart


def random_probabilities(n, seed, zeros=0.0):
    rng = np.random.default_rng(seed)
    table = rng.gamma(0.5, size=(n + 1, n + 1))
    table[np.arange(n + 1), np.arange(n + 1)] = 0
    table[rng.random(table.shape) < zeros] = 0
    table[0, 1:] += 1e-9  # some tree is left
    table[:, 0] = 0
    return table / np.maximum(table.sum(axis=0), 1e-300)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("n", [1, 2, 3, 5, 9])
def test_the_best_tree(n, single_root):
    for seed in range(10):
        table = random_probabilities(n, seed)
        chart = Chart(table, single_root=single_root)
        with np.errstate(divide="ignore"):
            best = ProjectiveTrees(np.log(table), single_root=single_root).argmax()
        assert chart.score == pytest.approx(best.score)
        assert chart.heads() == best.tree.heads.tolist()


def test_steps_follow_from_earlier_ones():
    chart = Chart(random_probabilities(6, 1), single_root=True)
    for number, step in enumerate(chart.steps):
        assert step.head in (step.left, step.right)
        assert step.score == max(score for _, score in step.splits)
        assert (step.split, step.score) in step.splits
        assert all(part < number for part in step.parts)
        assert (step.arc is None) == (step.kind == "closed")
    widths = [step.right - step.left for step in chart.steps]
    assert widths == sorted(widths)
    assert len(chart.steps) == 4 * 15


def test_the_chart_of_a_request(client):
    answer = client.post("/api/chart", json={"text": "She reads old books. He sleeps."}).json()
    assert answer["words"] == ["She", "reads", "old", "books", "."]
    assert answer["heads"] == answer["parsed"] == [2, 0, 4, 2, 2]
    assert client.post("/api/chart", json={"sentences": [["a"]]}).json()["heads"] == [0]
    for request, message in [
        ({"sentences": [["a"] * 31]}, "30 are allowed"),
        ({"text": " "}, "has no words"),
        ({"conllu": ""}, "no field 'conllu'"),
        ({}, "Give one of the fields text, sentences."),
    ]:
        refused = client.post("/api/chart", json=request)
        assert refused.status_code == 400
        assert message in refused.json()["error"]

"""Networks of a few numbers over the toy language, in PyTorch and natively."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch

from headwise import Parser
from headwise._native import learning as native
from headwise._native.scoring import NetworkShape
from headwise.components.network.config import NetworkConfig
from headwise.training import TrainingSettings, train_parser
from headwise.training.neural.dropout import Dropout
from headwise.training.neural.network import Network
from headwise.training.neural.treebank import AtomTreebank, Batch
from headwise.treebank import Sentence
from toy_language import toy_treebank

SENTENCES = toy_treebank(30, seed=1)
TINY = NetworkConfig(vectors=12, lstm=16, layers=2, arcs=10, labels=9, weight=1.0, pieces=3)
SMALL_TORCH = {
    "use": True,
    "device": "cpu",
    "epochs": 4,
    "width": 16,
    "layers": 2,
    "vectors": 16,
    "arcs": 16,
    "labels": 16,
    "pieces": 3,
    "pieces_at_least": 1,
    "batch": 100,
    "rate": 0.01,
}
NO_DROPOUT = {"dropout": 0.0, "atom_dropout": 0.0, "recurrent_dropout": 0.0}


def silent_parser() -> Parser:
    """A parser of arcs that has learned nothing: what is added is all that is scored."""
    settings = TrainingSettings.preset("first", arc_bits=10, label_bits=10, epochs=1, calibrate=False)
    parser = train_parser(SENTENCES, None, settings)
    silent = {name: np.zeros_like(table) for name, table in parser.weights.items()}
    unlimited = [100] * len(parser.config.arc_limits)
    return Parser(replace(parser.config, arc_limits=unlimited), silent)


def examples_of(parser: Parser, sentences: list[Sentence]) -> list[native.TrainingExample]:
    shape = parser.config.shape(parser.weights)
    return [native.TrainingExample(s, s.heads, parser.label_ids(s.labels), shape) for s in sentences]


@dataclass
class Twin:
    """The same network in PyTorch and in the core, of random weights."""

    network: Network
    parser: Parser
    shape: NetworkShape
    treebank: AtomTreebank
    examples: list[native.TrainingExample]

    @classmethod
    def random(cls, config: NetworkConfig = TINY, seed: int = 1) -> Twin:
        silent = silent_parser()
        examples, labels = examples_of(silent, SENTENCES), len(silent.config.labels)
        vocabulary = native.collect_vocabulary(examples, 2, config.pieces, 2)
        shape = config.shape(vocabulary, labels)
        network = Network(config, len(vocabulary), labels, Dropout(0.0, 0.0, 0.0)).eval()
        rng = np.random.default_rng(seed)
        network.load_tables(
            rng.normal(scale=0.4, size=shape.weight_count).astype(np.float32),
            rng.normal(scale=0.4, size=shape.vector_count).astype(np.float32),
        )
        weights, vectors = network.to_tables()
        tensors = {"vocabulary": vocabulary, "network": weights, "vectors": vectors}
        parser = Parser(replace(silent.config, network=config), {**silent.weights, **tensors})
        return cls(network, parser, shape, AtomTreebank(examples, shape, 0), examples)

    def batch(self, chosen: list[int]) -> Batch:
        return self.treebank.batch(np.array(chosen))

    def order(self, chosen: list[int]) -> list[int]:
        """Of the sentences in a batch: longest first."""
        return sorted(chosen, key=lambda i: -len(SENTENCES[i]))


def head_log_probabilities(scores: torch.Tensor, words: int) -> np.ndarray:
    """``[h, m]`` of one sentence, as the core has them."""
    arcs = scores[: words + 1, : words + 1].double()
    return torch.log_softmax(arcs, dim=0).detach().numpy()

"""A parser whose scores are those of an encoder: an ordinary parser with a scorer written in Python.

So trees, probabilities, k best lists and constraints are those of any parser. Its file holds the encoder, its
tokenizer and all else; it needs PyTorch and the package ``transformers``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import torch

from headwise.components.parser.config import ParserConfig, Tables
from headwise.components.parser.parser import Parser
from headwise.model import Stored, Table
from headwise.model.packing import pack_text, unpack_text
from headwise.model.stored import Shapes, in_part, of_part
from headwise.training.neural.dropout import Dropout
from headwise.training.neural.encoder import (
    EncoderConfig,
    EncoderNetwork,
    SubwordTreebank,
    Tokenizer,
    make_encoder,
    read_encoder,
)
from headwise.training.neural.losses import Objective
from headwise.training.neural.training import learn
from headwise.training.run import Run
from headwise.treebank import Sentence

Pair = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64] | None]
WORDS_AT_ONCE = 2000
TOKENIZER = "tokenizer"


@dataclass(frozen=True)
class EncoderParserConfig:
    """The header of the file."""

    parser: ParserConfig
    encoder: EncoderConfig


class EncoderScorer:
    """What an encoder says of sentences, as a scorer written in Python."""

    def __init__(self, network: EncoderNetwork, tokenizer: Tokenizer) -> None:
        device = "cuda" if torch.cuda.is_available() else "cpu"
        self.network, self.tokenizer, self.device = network.to(device).eval(), tokenizer, torch.device(device)

    @torch.inference_mode()
    def __call__(self, sentences: Sequence[Sentence]) -> list[Pair]:
        """Log-probabilities of the heads of each word, and of the labels of each arc."""
        unknown = [np.full(len(sentence), -1, np.int32) for sentence in sentences]
        treebank = SubwordTreebank(
            [(s, (heads, heads)) for s, heads in zip(sentences, unknown, strict=True)], self.tokenizer
        )
        answers: dict[int, Pair] = {}
        for chosen in treebank.batches(np.arange(len(sentences)), WORDS_AT_ONCE):
            order = chosen[np.argsort(-treebank.lengths[chosen], kind="stable")]
            batch = treebank.batch(chosen).to(self.device)
            scores = self.network(batch)
            arcs = torch.log_softmax(scores.arcs.double(), dim=1).cpu().numpy()
            labels = None
            if self.network.biaffine.label_count:
                labels = torch.log_softmax(self.network.biaffine.all_labels(scores).double(), dim=-1)
                labels = labels.cpu().numpy()
            for b, i in enumerate(order.tolist()):
                nodes = slice(0, len(sentences[i]) + 1)
                # Column 0 and the diagonal name no arc.
                own = np.nan_to_num(arcs[b, nodes, nodes], nan=0.0, neginf=0.0)
                answers[i] = own, None if labels is None else labels[b, nodes, nodes]
        return [answers[i] for i in range(len(sentences))]


class EncoderParser(Parser):
    KIND = "parser with an encoder"
    CONFIG = EncoderParserConfig
    PARTS: ClassVar[Mapping[str, type[Stored]]] = {"parser": Parser}

    def __init__(
        self, config: ParserConfig, weights: Tables, scorer: EncoderScorer, scorers: Sequence[Any] = ()
    ) -> None:
        super().__init__(config, weights, (scorer, *scorers))

    @property
    def encoder(self) -> EncoderScorer:
        scorer = self.scorers[0]
        assert isinstance(scorer, EncoderScorer)
        return scorer

    @classmethod
    def own_tables(cls, config: EncoderParserConfig, shapes: Shapes) -> dict[str, Table]:
        names = (name for name in shapes if name.startswith("network."))
        return {name: Table(np.float32, shape=None) for name in names} | {TOKENIZER: Table(np.uint8)}

    @classmethod
    def made_of(cls, config: EncoderParserConfig, tensors: Tables) -> EncoderParser:
        network = EncoderNetwork(
            make_encoder(config.encoder), config.encoder, len(config.parser.labels), Dropout(0.0, 0.0, 0.0)
        )
        network.load_tables([tensors[f"network.{name}"] for name in network.state_dict()])
        tokenizer = Tokenizer(unpack_text(np.asarray(tensors[TOKENIZER])).decode(), config.encoder)
        weights = of_part("parser", tensors)
        return cls(config.parser, weights, EncoderScorer(network, tokenizer))

    def parts(self) -> tuple[Any, dict[str, npt.NDArray[Any]]]:
        network, tokenizer = self.encoder.network, self.encoder.tokenizer
        tensors = in_part("parser", {name: np.asarray(table) for name, table in self.weights.items()})
        for name, table in zip(network.state_dict(), network.to_tables(), strict=True):
            tensors[f"network.{name}"] = table
        tensors[TOKENIZER] = pack_text(tokenizer.definition)
        return EncoderParserConfig(self.config, network.config), tensors

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return type(self).made_of, self.parts()


def with_encoder(run: Run) -> Run:
    """The run with a parser whose scores are those of an encoder, and of nothing else."""
    settings, parser = run.settings, run.made
    chosen = settings.torch
    assert chosen.encoder is not None
    torch.manual_seed(settings.seed)  # for what the folder does not have
    encoder, config, definition = read_encoder(chosen.encoder, chosen.arcs, chosen.labels)
    tokenizer = Tokenizer(definition, config)
    dropout = Dropout(chosen.dropout, chosen.atom_dropout, chosen.recurrent_dropout)
    network = EncoderNetwork(encoder, config, len(parser.config.labels), dropout)
    network.biaffine.start(torch.Generator().manual_seed(settings.seed))
    trees = ((example.heads, example.labels) for example in run.data.examples)
    outcome = learn(
        network,
        SubwordTreebank(list(zip(run.learned.sentences, trees, strict=True)), tokenizer),
        SubwordTreebank([(s, (s.heads, parser.label_ids(s.labels))) for s in run.dev], tokenizer),
        Objective(chosen.loss, parser.config.projective, parser.config.single_root),
        settings,
        run.listener,
        checkpoint=run.state("network"),
    )
    network.load_tables(outcome.weights)
    made = EncoderParser(parser.config, parser.weights, EncoderScorer(network, tokenizer))
    return replace(run, parser=made, interrupted=outcome.interrupted)

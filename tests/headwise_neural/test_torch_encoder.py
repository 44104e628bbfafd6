"""Parsers over an encoder of Hugging Face: a small random one, saved to a folder."""

from __future__ import annotations

import importlib.util
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_networks import SMALL_TORCH

import headwise
from headwise import Parser
from headwise.base.errors import HeadwiseError
from headwise.components.parser.constraints import Constraints
from headwise.training import TrainingSettings, train_parser
from headwise.treebank import Sentence
from toy_language import WORDS, toy_treebank

if importlib.util.find_spec("transformers") is None:
    pytest.skip("transformers is not installed: encoders were not tested", allow_module_level=True)

SENTENCES, DEV = toy_treebank(60, seed=1), toy_treebank(15, seed=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of a few numbers, that reads characters."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.manual_seed(1)
    path = tmp_path_factory.mktemp("encoder")
    characters = sorted({c for words in WORDS.values() for word in words for c in word.lower()})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *characters, *(f"##{c}" for c in characters)]
    (path / "vocab.txt").write_text("\n".join(pieces), encoding="utf-8")
    tokenizer = BertTokenizerFast(vocab_file=str(path / "vocab.txt"), vocab=str(path / "vocab.txt"))
    tokenizer.save_pretrained(path)
    config = BertConfig(
        vocab_size=len(pieces),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(config, add_pooling_layer=False).save_pretrained(path)
    return path


def settings(folder: Path, **changes: Any) -> TrainingSettings:
    chosen = {**SMALL_TORCH, "encoder": str(folder), "encoder_rate": 2e-3, "epochs": 15, "dropout": 0.0}
    return TrainingSettings.preset("network", torch={**chosen, **changes})


@pytest.fixture(scope="module")
def parser(folder: Path) -> Parser:
    return train_parser(SENTENCES, DEV, settings(folder))


def test_it_learns(parser: Parser) -> None:
    right = words = 0
    for parse in parser.pipe(DEV):
        right += int((parse.heads == parse.sentence.heads).sum())
        words += len(parse.sentence)
    assert right / words > 0.6


def test_its_file_is_the_same_parser(parser: Parser, tmp_path: Path) -> None:
    parser.save(tmp_path / "m.hw")
    loaded = headwise.load(tmp_path / "m.hw")
    assert isinstance(loaded, Parser)
    copied = pickle.loads(pickle.dumps(parser))
    for sentence in DEV:
        for other in (loaded, copied):
            np.testing.assert_allclose(other.arc_scores(sentence), parser.arc_scores(sentence), atol=1e-5)
            assert other(sentence).labels == parser(sentence).labels


def test_verbs_are_those_of_any_parser(parser: Parser) -> None:
    sentence = DEV[0]
    table = parser.arc_probabilities(sentence)
    np.testing.assert_allclose(table[:, 1:].sum(axis=0), 1.0, atol=1e-6)
    best = parser.k_best(sentence, 3)
    assert best[0].heads.tolist() == parser(sentence).heads.tolist()
    assert len({tuple(parse.heads) for parse in best}) == 3
    assert parser(sentence, confidence=True).confidence is not None
    wanted = Constraints.of_annotation(sentence)
    assert parser(sentence, constraints=wanted).heads.tolist() == sentence.heads.tolist()


def test_batches_change_little(parser: Parser) -> None:
    for together in parser.pipe(DEV):
        alone = parser(together.sentence)
        assert together.heads.tolist() == alone.heads.tolist()
        assert together.score == pytest.approx(alone.score, abs=1e-4)


def test_long_sentences_are_read_in_pieces(parser: Parser) -> None:
    words = ["parser", "sees"] * 30
    parse = parser(Sentence.from_words(words, upos=["NOUN", "VERB"] * 30))
    assert len(parse.heads) == 60


def test_seeds_decide_everything(folder: Path) -> None:
    first, again = (train_parser(SENTENCES[:10], None, settings(folder, epochs=2)) for _ in range(2))
    for a, b in zip(first.parts()[1].values(), again.parts()[1].values(), strict=True):
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


def test_folders_without_an_encoder(tmp_path: Path) -> None:
    with pytest.raises(HeadwiseError, match="no encoder"):
        train_parser(SENTENCES, None, settings(tmp_path))
    with pytest.raises(HeadwiseError, match="is no folder"):
        train_parser(SENTENCES, None, settings(tmp_path / "none"))


def test_encoders_have_no_features(folder: Path) -> None:
    with pytest.raises(ValueError, match="preset network"):
        TrainingSettings.preset("third", torch={"use": True, "encoder": str(folder)})

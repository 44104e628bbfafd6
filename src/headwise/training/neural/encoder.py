"""An encoder of Hugging Face under the scores of arcs and labels, and sentences as it reads them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from headwise.base.errors import HeadwiseError
from headwise.base.limits import Within
from headwise.training.neural.biaffine import Biaffine, Scorer, Scores
from headwise.training.neural.dropout import Dropout
from headwise.training.neural.lessons import Integers
from headwise.training.neural.treebank import Batch, Subwords, Tree, Treebank, padded
from headwise.treebank import Sentence

Number = Annotated[int, Within(0, 1 << 31)]
LONGEST = 512
"""Subwords that are read at once, where an encoder does not say less."""


@dataclass(frozen=True)
class EncoderConfig:
    """What is read by which encoder; the encoder's weights and its tokenizer are tensors."""

    model: dict[str, Any]
    """The configuration of the encoder, as Hugging Face has it."""
    begin: Number
    """The subword at the beginning, at which the root is read …"""
    end: Number
    """… the one at the end …"""
    unknown: Number
    """… and the one that stands for a word without any."""
    longest: Annotated[int, Within(4, 1 << 20)]
    """Subwords that are read at once; longer sentences are read in pieces that know nothing of each other."""
    arcs: Annotated[int, Within(1, 4096)]
    labels: Annotated[int, Within(1, 4096)]
    """Width of what heads and modifiers become before they are compared."""


class Tokenizer:
    """From words to subwords."""

    def __init__(self, definition: str, config: EncoderConfig) -> None:
        from tokenizers import Tokenizer as Subwording

        self.definition, self._config = definition, config
        self._subwording = Subwording.from_str(definition)

    def rows(self, words: Sequence[str]) -> tuple[list[list[int]], Integers]:
        """A sentence as rows of subwords; and of the root and of each word, its row and its place in it."""
        config = self._config
        encoded = self._subwording.encode(list(words), is_pretokenized=True, add_special_tokens=False)
        subwords: list[list[int]] = [[] for _ in words]
        for subword, word in zip(encoded.ids, encoded.word_ids, strict=True):
            if word is not None:
                subwords[word].append(subword)
        rows, places, room = [[config.begin]], [(0, 0)], config.longest - 2
        for own in (one[:room] or [config.unknown] for one in subwords):
            if len(rows[-1]) + len(own) > config.longest - 1:
                rows[-1].append(config.end)
                rows.append([config.begin])
            places.append((len(rows) - 1, len(rows[-1])))
            rows[-1] += own
        rows[-1].append(config.end)
        return rows, np.array(places, np.int64)


class SubwordTreebank(Treebank):
    """Words are read as an encoder reads them: by the first of their subwords."""

    def __init__(self, sentences: Sequence[tuple[Sentence, Tree]], tokenizer: Tokenizer) -> None:
        super().__init__([tree for _, tree in sentences])
        self._rows = [tokenizer.rows(sentence.forms) for sentence, _ in sentences]

    def _read(self, order: Integers, sentence: Integers, time: Integers) -> Subwords:
        chosen = [self._rows[i] for i in order]
        rows = [row for own, _ in chosen for row in own]
        width = max(map(len, rows))
        first = np.concatenate([[0], np.cumsum([len(own) for own, _ in chosen])])
        places = np.array([chosen[s][1][t] for s, t in zip(sentence, time, strict=True)])
        mask = np.arange(width) < np.array([len(row) for row in rows])[:, None]
        return Subwords(
            ids=torch.from_numpy(padded(rows, width, 0)),
            mask=torch.from_numpy(mask.astype(np.int64)),
            place=torch.from_numpy((first[sentence] + places[:, 0]) * width + places[:, 1]),
        )


class EncoderNetwork(Scorer):
    """An encoder, and what compares heads and modifiers."""

    def __init__(self, encoder: nn.Module, config: EncoderConfig, label_count: int, dropout: Dropout) -> None:
        super().__init__()
        self.encoder, self.config, self.dropout = encoder, config, dropout
        wide = int(config.model["hidden_size"])
        self.biaffine = Biaffine(wide, config.arcs, config.labels, label_count, dropout)

    def seed(self, seed: int) -> None:
        super().seed(seed)
        torch.manual_seed(seed)  # the encoder's own dropout asks PyTorch's generator

    def slower(self) -> set[str]:
        return {"encoder."}

    def forward(self, batch: Batch) -> Scores:
        read = batch.read_as
        assert isinstance(read, Subwords)
        states: Tensor = self.encoder(input_ids=read.ids, attention_mask=read.mask).last_hidden_state
        x = states.flatten(0, 1)[read.place]
        scores: Scores = self.biaffine(batch, self.dropout.of_layers(batch, self.training)(x))
        return scores

    def to_tables(self) -> tuple[npt.NDArray[np.float32], ...]:
        return tuple(table.detach().float().cpu().numpy().flatten() for table in self.state_dict().values())

    @torch.no_grad()
    def load_tables(self, tables: Sequence[npt.NDArray[np.float32]]) -> None:
        own = self.state_dict()
        for target, numbers in zip(own.values(), tables, strict=True):
            target.copy_(torch.tensor(np.asarray(numbers)).view(target.shape))


def read_encoder(folder: str | Path, arcs: int, labels: int) -> tuple[nn.Module, EncoderConfig, str]:
    """An encoder, what is to be known of it, and the definition of its tokenizer."""
    transformers = _transformers()
    if not Path(folder).is_dir():
        raise HeadwiseError(f"{folder} is no folder: --encoder takes one that Hugging Face's models lie in.")
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, add_prefix_space=True
        )
        encoder = transformers.AutoModel.from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError, KeyError) as error:
        raise HeadwiseError(f"{folder} has no encoder that can be read: {error}") from error
    begin = tokenizer.cls_token_id if tokenizer.cls_token_id is not None else tokenizer.bos_token_id
    end = tokenizer.sep_token_id if tokenizer.sep_token_id is not None else tokenizer.eos_token_id
    if begin is None or end is None or not getattr(tokenizer, "is_fast", False):
        raise HeadwiseError(f"{folder}: a tokenizer.json is needed that marks where sentences begin and end.")
    positions = int(getattr(encoder.config, "max_position_embeddings", LONGEST))
    config = EncoderConfig(
        model=json.loads(encoder.config.to_json_string(use_diff=False)),
        begin=begin,
        end=end,
        unknown=tokenizer.unk_token_id if tokenizer.unk_token_id is not None else end,
        longest=min(LONGEST, positions, tokenizer.model_max_length),
        arcs=arcs,
        labels=labels,
    )
    return encoder, config, tokenizer.backend_tokenizer.to_str()


def make_encoder(config: EncoderConfig) -> nn.Module:
    """The same without its weights."""
    transformers = _transformers()
    plain = {name: value for name, value in config.model.items() if name != "model_type"}
    encoder: nn.Module = transformers.AutoModel.from_config(
        transformers.AutoConfig.for_model(config.model["model_type"], **plain)
    )
    return encoder


def _transformers() -> Any:
    try:
        import transformers
    except ImportError as error:
        raise HeadwiseError(
            "encoders are read by Hugging Face's library: pip install headwise[encoder]"
        ) from error
    return transformers

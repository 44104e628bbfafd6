"""Networks that others learn from: not only what is right, but how likely all else is.

A small network learns more from a large one than from the treebank alone (Hinton, Vinyals and Dean 2015), and
one network from several of its own size (Kuncoro et al. 2016). Teachers can be asked about any sentence, so
there may be many more of them than the treebank has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from headwise._native import learning as native
from headwise.base.errors import HeadwiseError
from headwise.components.network.config import NetworkConfig
from headwise.components.parser.config import ParserConfig
from headwise.components.scoring.word_view import WordViewConfig
from headwise.training.neural.biaffine import is_arc
from headwise.training.neural.dropout import Dropout
from headwise.training.neural.lessons import Integers, Lesson, Lessons, Likely
from headwise.training.neural.losses import head_log_probabilities, is_word
from headwise.training.neural.network import Network
from headwise.training.neural.treebank import AtomTreebank, Batch
from headwise.training.teacher_files import load_teacher

NO_DROPOUT = Dropout(0.0, 0.0, 0.0)
CPU = torch.device("cpu")
WORDS_AT_ONCE = 20_000
"""That teachers are asked about."""


@dataclass(frozen=True)
class Teacher:
    """A network, and where it has the labels and tags that the student knows."""

    network: Network
    vocabulary: npt.NDArray[np.int64]
    labels: Tensor
    """Of each label of the student, its number; −1 for one that the teacher does not know."""
    tags: Tensor | None
    """The same of tags; None where one of the two knows no tags."""

    def to(self, device: torch.device) -> Teacher:
        tags = None if self.tags is None else self.tags.to(device)
        return replace(self, network=self.network.to(device), labels=self.labels.to(device), tags=tags)

    def vectors(self, width: int) -> npt.NDArray[np.float32]:
        """Its vectors, flat. Shorter ones are what they are along the directions in which they differ most.

        Words are sums of vectors, and so are those of shorter ones.
        """
        vectors = self.network.vectors.detach().double()
        if width < vectors.shape[1]:
            _, directions = torch.linalg.eigh(vectors.T @ vectors)  # ascending
            vectors = vectors @ directions.flip(1)[:, :width]
        flat: npt.NDArray[np.float32] = vectors.float().cpu().numpy().ravel()
        return flat


def teachers_of(
    path: str | Path, student: ParserConfig, tags: Sequence[Sequence[str]] | None = None
) -> list[Teacher]:
    """The networks of a model. ``student`` is who learns, ``tags`` are those that it is to find."""
    model = load_teacher(path)
    parser = model.parser
    config = parser.config.network
    assert config is not None
    words, own_words = (c.words or WordViewConfig() for c in (student, parser.config))
    if config.given not in (0, words.vectors) or len(own_words.contours) > len(words.contours):
        raise HeadwiseError(
            f"{path} cannot teach: it reads clusters or vectors of words that are not those of this parser. "
            "Give the same files (--word-clusters, --vectors), or none where it is the first teacher."
        )
    labels, own_labels = student.labels, parser.config.labels
    if labels and not set(labels) & set(own_labels):
        raise HeadwiseError(f"{path} cannot teach: it knows none of the treebank's labels.")
    own_tags = model.tagger.config.tags if model.tagger is not None and config.tags else None
    tag_places = _places(list(map(tuple, tags)), list(map(tuple, own_tags))) if tags and own_tags else None
    tensors = {name: np.asarray(parser.weights[name]) for name in config.table_names}
    config, tensors = config.with_bits(32, tensors, len(own_labels))

    def member(number: int) -> Teacher:
        network = Network(config, len(tensors["vocabulary"]), len(own_labels), NO_DROPOUT)
        own = config.member(number, tensors)
        network.load_tables(own["network"], own["vectors"])
        network.eval().requires_grad_(False)
        return Teacher(network, tensors["vocabulary"], _places(labels, own_labels), tag_places)

    return [member(number) for number in range(1, config.members + 1)]


def _places(wanted: Sequence[object], there: Sequence[object]) -> Tensor:
    number = {name: i for i, name in enumerate(there)}
    return torch.tensor([number.get(name, -1) for name in wanted], dtype=torch.long)


@torch.inference_mode()
def lessons_of(
    teachers: Sequence[Teacher],
    treebank: AtomTreebank,
    readings: Sequence[AtomTreebank],
    device: torch.device,
) -> Lessons:
    """What teachers hold of all sentences, on average. ``readings`` has them as each teacher reads them."""
    there = [teacher.to(device) for teacher in teachers]
    orders, lessons = treebank.batches(np.arange(len(treebank.lengths)), WORDS_AT_ONCE), []
    for order in orders:
        read = {one: one.batch(order).to(device) for one in dict.fromkeys([treebank, *readings])}
        asked = [(teacher, read[reading]) for teacher, reading in zip(there, readings, strict=True)]
        batch = read[treebank]
        lessons.append(_lesson(asked, batch)[is_word(batch)].to(CPU))
    for teacher in there:  # who is not asked again
        teacher.to(CPU)
    return Lessons(treebank.lengths, orders, lessons)


def _lesson(asked: Sequence[tuple[Teacher, Batch]], batch: Batch) -> Lesson:
    """``asked``: teachers, and the sentences of the batch as each reads them."""
    found = [teacher.network(read) for teacher, read in asked]
    heads = _mean([head_log_probabilities(scores, batch).exp() for scores in found])
    heads = heads.masked_fill(~is_arc(batch)[:, :, 1:].transpose(1, 2), 0.0)
    chosen = torch.where(batch.heads >= 0, batch.heads, heads.argmax(dim=-1))
    labels, tags = [], []
    for (teacher, read), scores in zip(asked, found, strict=True):
        own = teacher.network.biaffine.labels(read, scores, chosen)
        labels.append(_known_to_student(own.softmax(dim=-1), teacher.labels))
        if teacher.tags is not None and scores.tags is not None:
            tags.append(_known_to_student(scores.tags[:, 1:].softmax(dim=-1), teacher.tags))
    known_tags = Likely.of(_mean(tags)) if tags else None
    return Lesson(Likely.of(heads), chosen, Likely.of(_mean(labels)), known_tags)


def _known_to_student(probabilities: Tensor, places: Tensor) -> Tensor:
    """The probabilities of what both know, which add up to 1 again."""
    known = (places >= 0).to(probabilities.dtype)
    chosen = probabilities[..., places.clamp(min=0)] * known
    total: Tensor = chosen.sum(dim=-1, keepdim=True)
    return chosen / total.clamp(min=torch.finfo(total.dtype).tiny)


def _mean(tensors: Sequence[Tensor]) -> Tensor:
    return torch.stack(list(tensors)).mean(dim=0)


class TaughtTreebank(AtomTreebank):
    """Sentences of a treebank, then such as only teachers know; and what teachers hold of them."""

    def __init__(
        self,
        examples: Sequence[native.TrainingExample],
        unlabelled: Sequence[native.TrainingExample],
        config: NetworkConfig,
        vocabulary: npt.NDArray[np.int64],
        label_count: int,
        teachers: Sequence[Teacher],
        *,
        tags: Sequence[npt.NDArray[np.integer]] | None,
        words: float,
        device: torch.device,
    ) -> None:
        """In every pass, ``words`` unlabelled words are read for each of the others.

        Teachers are asked on the device.
        """
        every = [*examples, *unlabelled]
        if tags is not None:
            tags = [*tags, *(np.full(len(example.heads), -1, np.int32) for example in unlabelled)]
        super().__init__(every, config.shape(vocabulary, label_count), config.given, tags=tags)
        self._lessons: Lessons | None = None  # while teachers are asked
        readings = self._of_teachers(every, teachers, _what_is_read(config, vocabulary))
        self._lessons = lessons_of(teachers, self, readings, device)
        self._annotated, self._unlabelled = len(examples), len(unlabelled)
        own, others = np.split(self.lengths, [len(examples)])
        self._drawn = round(words * own.sum() / others.mean()) if len(others) else 0

    def __len__(self) -> int:
        """Sentences of a pass."""
        return self._annotated + self._drawn

    def drawn(self, order: Integers, passes: int) -> Integers:
        """Unlabelled sentences come one after the other, from one pass to the next."""
        beyond = order - self._annotated
        if not self._unlabelled:
            return order
        other = (beyond + passes * self._drawn) % self._unlabelled
        return np.where(beyond < 0, order, self._annotated + other)

    def _of_teachers(
        self,
        examples: Sequence[native.TrainingExample],
        teachers: Sequence[Teacher],
        own: tuple[int, int, bytes],
    ) -> list[AtomTreebank]:
        """As what each teacher reads the sentences. Those with the same vectors read the same."""
        found, readings = {own: cast(AtomTreebank, self)}, []
        for teacher in teachers:
            config = teacher.network.config
            read = _what_is_read(config, teacher.vocabulary)
            if read not in found:
                shape = config.shape(teacher.vocabulary, teacher.network.biaffine.label_count)
                found[read] = AtomTreebank(examples, shape, config.given)
            readings.append(found[read])
        return readings

    def _lesson(self, order: Integers) -> Lesson | None:
        return None if self._lessons is None else self._lessons.of(order)


def _what_is_read(config: NetworkConfig, vocabulary: npt.NDArray[np.int64]) -> tuple[int, int, bytes]:
    return config.pieces, config.given, vocabulary.tobytes()

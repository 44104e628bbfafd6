"""Learning a network by Adam (Kingma and Ba 2015), as `headwise.learning.loop` asks for it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from headwise.components.network.settings import Torch
from headwise.model import Tensors
from headwise.training.neural.biaffine import Scorer
from headwise.training.neural.treebank import Batch, Treebank

MEANS = (0.9, 0.9)
"""Decay of Adam's two means."""
LONGEST_GRADIENT = 5.0
"""Longer ones are cut."""
WARM_UP = 0.02
"""The rate rises during this share of the run, and falls to zero during the rest."""


@dataclass
class Counts:
    """What happened during a stretch of training."""

    words: int
    mistakes: int
    loss: float


class Losses(Protocol):
    """What is made small: of a batch, summed over its words, and how many of them were wrong."""

    def of(self, network: Scorer, batch: Batch) -> tuple[Tensor, Tensor]: ...


class NetworkTrainer:
    """A network and what it learns from. What it does depends on the seed and on what it has seen alone."""

    def __init__(
        self,
        network: Scorer,
        objective: Losses,
        treebank: Treebank,
        settings: Torch,
        *,
        device: torch.device,
        seed: int,
        total: int,
    ) -> None:
        """``total``: sentences that will have been read when the rate is zero."""
        self.network, self.device = network.to(device), device
        self._objective, self._treebank, self._settings = objective, treebank, settings
        self._seed, self._total, self._seen = seed, total, 0
        network.dropout.generator = torch.Generator(device)
        self._learned = {name: table for name, table in network.named_parameters() if table.requires_grad}
        self._adam = torch.optim.Adam(
            self._groups(), lr=self._rate, betas=MEANS, eps=1e-12, fused=device.type == "cuda"
        )
        self._start()

    @property
    def _rate(self) -> float:
        return self._settings.pretrained_rate if self._settings.pretrained else self._settings.rate

    def _groups(self) -> list[dict[str, Any]]:
        """What is learned at which rate."""
        slower = tuple(self.network.slower())
        rates = {False: self._rate, True: self._settings.encoder_rate}
        groups = {
            slow: [table for name, table in self._learned.items() if name.startswith(slower) == slow]
            for slow in rates
        }
        return [{"params": tables, "rate": rates[slow]} for slow, tables in groups.items() if tables]

    def train(self, order: npt.NDArray[np.int64], threads: int = 1) -> Counts:
        """Sentences of a batch are of similar length; batches come in random order."""
        del threads  # PyTorch's own
        rng = np.random.default_rng([self._seed, self._seen])
        chosen = self._treebank.drawn(order, self._seen // len(self._treebank))
        batches = self._treebank.batches(chosen, self._settings.batch)
        words, losses = 0, list[Tensor]()
        self.network.train()
        with _deterministic():
            for i in rng.permutation(len(batches)):
                count, loss = self._step(batches[i])
                words += count
                losses.append(loss)
            loss, wrong, longest = torch.stack(losses).double().cpu().T
        if not torch.isfinite(longest).all():
            raise ArithmeticError("the gradient is not a number")
        return Counts(words, int(wrong.sum()), float(loss.sum()))

    def _step(self, chosen: npt.NDArray[np.int64]) -> tuple[int, Tensor]:
        """Words with a head; and the loss, the number of wrong heads and the length of the gradient."""
        batch = self._treebank.batch(chosen)
        known = int((batch.heads >= 0).sum())
        self.network.seed(_mixed(self._seed, self._seen))
        for group in self._adam.param_groups:
            group["lr"] = group["rate"] * self._share_of_rate()
        with self._precision():
            loss, wrong = self._objective.of(self.network, batch.to(self.device))
        self._adam.zero_grad(set_to_none=True)
        learned = batch.learned
        (loss / max(1, learned)).backward()
        length = torch.nn.utils.clip_grad_norm_(self._learned.values(), LONGEST_GRADIENT)
        self._adam.step()
        self._seen += len(chosen)
        per_head = loss.detach() * (known / max(1, learned))
        return known, torch.stack([per_head, wrong.to(loss.dtype), length])

    def _share_of_rate(self) -> float:
        done = self._seen / max(1, self._total)
        return min((done + 1 / self._total) / WARM_UP, max(0.0, 1 - done) / (1 - WARM_UP), 1.0)

    @contextmanager
    def _precision(self) -> Iterator[None]:
        """Products of matrices in 16 bits, on a GPU."""
        mixed = self.device.type == "cuda" and self._settings.precision == "mixed"
        with torch.autocast(self.device.type, torch.bfloat16, enabled=mixed):
            yield

    def averaged(self) -> tuple[npt.NDArray[np.float32], ...]:
        """The tables of a model, as they are: the rate falls to zero, so there is nothing to average."""
        tables: tuple[npt.NDArray[np.float32], ...] = self.network.to_tables()
        return tables

    def state(self) -> Tensors:
        tensors = {"seen": np.array([self._seen])}
        for name, weights in self._learned.items():
            means = self._adam.state[weights]
            for kind, table in (("weights", weights), *((key, means[key]) for key in sorted(means))):
                tensors[f"{kind}.{name}"] = table.detach().cpu().numpy().copy()
        return tensors

    def restore(self, state: Tensors) -> None:
        self._seen = int(state["seen"][0])
        with torch.no_grad():
            for name, weights in self._learned.items():
                own = self._adam.state[weights]
                for kind, table in (("weights", weights), *own.items()):
                    saved = np.array(state[f"{kind}.{name}"])
                    if saved.size != table.numel():
                        raise ValueError("the training state is of another network")
                    table.copy_(torch.from_numpy(saved).view(table.shape))

    def _start(self) -> None:
        """Adam's means, which PyTorch makes at the first step, are there from the beginning."""
        for weights in self._learned.values():
            device = self.device if self.device.type == "cuda" else None
            self._adam.state[weights] = {
                "step": torch.tensor(0.0, device=device),
                "exp_avg": torch.zeros_like(weights),
                "exp_avg_sq": torch.zeros_like(weights),
            }


def _mixed(seed: int, seen: int) -> int:
    return int(np.random.SeedSequence([seed, seen]).generate_state(1, np.uint64)[0] >> np.uint64(1))


@contextmanager
def _deterministic() -> Iterator[None]:
    """The same numbers every time, on one kind of device."""
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)
    try:
        with warnings.catch_warnings():
            # Weights of which some are left out lie elsewhere; that is all that this says.
            warnings.filterwarnings("ignore", "RNN module weights are not part of single contiguous chunk")
            yield
    finally:
        torch.use_deterministic_algorithms(before)

"""One set of verbs for batches of trees, on any device."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor

from headwise import trees as arrays
from headwise.torch import checks, constraints, cpu, cuda, label_cuda, labels, operators
from headwise.torch.part_problem import NO_TABLES, Tables
from headwise.torch.parts import Parts
from headwise.trees.parts import PartArguments


class Solution(NamedTuple):
    """The best tree of every sentence, or k of them with one dimension more.

    heads: (B, n), `heads[b, m - 1]` the head of word m; −1 behind the last word, and where there is no tree.
    labels: likewise, where arcs have labels.
    score: (B,), −inf where there is no tree. It has a gradient: that of the tree.
    """

    heads: Tensor
    labels: Tensor | None
    score: Tensor


class Marginals(NamedTuple):
    """The probability of every arc, (B, n+1, n+1), and of every labelled arc where there are labels.

    Larger parts are laid out as their scores were given; None where they were not.
    """

    arcs: Tensor
    labels: Tensor | None
    siblings: Tensor | None = None
    grandchildren: Tensor | None = None
    grand_siblings: Tensor | None = None


class Sums(NamedTuple):
    """log Z and the marginals of arcs and tables, which come together."""

    total: Tensor
    arcs: Tensor
    tables: Tables


class Distribution(ABC):
    """Distributions over the trees of B sentences, p(tree) ∝ exp(score(tree)).

    Args:
        arcs: (B, n+1, n+1), or (B, n+1, n+1, L) with labels: [sentence, head, modifier, label]. float32 or
            float64, on a CPU or a CUDA device; half precision is computed in float32. What names no arc is
            ignored.
        lengths: (B,) integers, the words of each sentence; all are n without. What lies behind is ignored.
        mask: booleans, true for allowed arcs, (B, n+1, n+1) or of the shape of arcs. −inf in `arcs` says
            the same.
        partial_heads: (B, n) integers, −1 where free: only trees that agree with them.
        partial_labels: likewise.
        single_root: whether exactly one word hangs from the root.

    A sentence without a tree has log_partition −inf, marginals 0, heads −1. NaN or +inf among the scores of
    a sentence make its results NaN, and heads −1. A sentence of no words has one tree, the empty one, of
    score 0.
    """

    projective: ClassVar[bool]
    parts: Parts | None = None

    def __init__(
        self,
        arcs: Tensor,
        lengths: Tensor | None = None,
        *,
        single_root: bool,
        mask: Tensor | None = None,
        partial_heads: Tensor | None = None,
        partial_labels: Tensor | None = None,
    ) -> None:
        scores = checks.arc_scores(arcs)
        self.lengths = checks.sentence_lengths(lengths, scores)
        self.single_root = bool(single_root)
        scores = constraints.with_mask(scores, mask)
        scores = constraints.with_partial_heads(scores, partial_heads)
        self.arcs = constraints.with_partial_labels(scores, partial_labels)
        self._kept_sums: Sums | None = None

    @property
    def words(self) -> int:
        """n: of the longest sentence that there is room for."""
        return int(self.arcs.shape[1]) - 1

    @property
    def label_count(self) -> int | None:
        return self.arcs.shape[3] if self.arcs.ndim == 4 else None

    def argmax(self) -> Solution:
        """The tree of the greatest score of every sentence."""
        with torch.no_grad():
            best = self.arcs if self.label_count is None else self.arcs.amax(dim=-1)
            heads, score = self._search(best.contiguous())
        chosen = None if self.label_count is None else self._best_labels(heads)
        if self._has_gradient:
            score = torch.where(torch.isfinite(score), self._score(heads, chosen), score)
        return Solution(heads, chosen, score)

    def top_k(self, k: int) -> Solution:
        """The k trees of greatest score of every sentence, best first, all different.

        heads is (B, k, n), score (B, k).
        Where a sentence has fewer, heads are −1 and scores −inf.
        """
        checks.positive("k", k)
        with torch.no_grad():
            best = self.arcs if self.label_count is None else self.arcs.amax(dim=-1)
            heads, score = self._search_several(best.contiguous(), k)
            chosen = None
            if self.label_count is not None:
                label_top_k = label_cuda.label_top_k if self._on_gpu else cpu.label_top_k
                heads, chosen, score = label_top_k(self.arcs.contiguous(), self.lengths, heads, score)
        if self._has_gradient:
            score = torch.where(torch.isfinite(score), self._score(heads, chosen), score)
        return Solution(heads, chosen, score)

    def log_partition(self) -> Tensor:
        """The logarithm of the sum of exp(score) over all trees: (B,)."""
        if self._has_gradient:
            return self._sums().total
        return self._total(self._arc_scores().contiguous())

    def marginals(self) -> Marginals:
        """The probability of every arc, labelled arc and part. They have gradients, which have them too."""
        _, arcs, tables = self._sums()
        return Marginals(
            arcs, None if self.label_count is None else self._with_labels(arcs, self.arcs), *tables
        )

    def candidates(self, k: int) -> Tensor:
        """The k most probable heads of every word, by which larger parts may be laid out: (B, n+1, k).

        The heads of the best tree are among them, so that a tree is left. −1 where there are fewer.
        """
        checks.positive("k", k)
        with torch.no_grad():
            heads = torch.nn.functional.pad(self.argmax().heads, (1, 0), value=-1)  # of each node
            nodes = torch.arange(self.words + 1, device=heads.device)
            by_modifier = self.marginals().arcs.transpose(1, 2) + (nodes == heads.unsqueeze(2))
            found = by_modifier.topk(min(k, self.words + 1), dim=2)
            return torch.where(found.values > 0, found.indices, -1)

    def entropy(self) -> Tensor:
        """In nats: (B,)."""
        total, pairs = self._relative()
        return total - sum(_expected(marginals, scores) for marginals, scores in pairs)

    def kl_divergence(self, other: Distribution) -> Tensor:
        """KL(self ‖ other) in nats: (B,). Infinite where `other` lacks a tree that this distribution has."""
        if type(other) is not type(self) or other.arcs.shape != self.arcs.shape:
            raise ValueError(f"other must be {type(self).__name__} of the same words and labels")
        if other.single_root != self.single_root:
            raise ValueError("other must have the same single_root")
        checks.on_device("the arcs of other", other.arcs, self.arcs.device)
        Parts.check_same(self.parts, other.parts)
        total, pairs = self._relative()
        total_of_other, others = other._relative()
        difference = total_of_other - total
        excluded = torch.zeros_like(difference, dtype=torch.bool)
        for (marginals, scores), (_, of_other) in zip(pairs, others, strict=True):
            excluded |= ((marginals > 0) & (of_other == -torch.inf)).flatten(1).any(dim=1)
            both = scores - torch.where(of_other > -torch.inf, of_other, 0)
            difference = difference + _expected(marginals, both)
        return torch.where(excluded, torch.inf, difference)

    def log_prob(self, heads: Tensor, labels: Tensor | None = None) -> Tensor:
        """The log-probability of a tree of every sentence: (B,). −inf where it is none of this structure."""
        chosen = self._checked_labels(labels)
        checks.integers("heads", heads, (self.arcs.shape[0], self.words), self.arcs.device)
        given = heads.long().contiguous()
        is_tree = operators.is_tree(given, self.lengths, self.projective, self.single_root)
        score = self._score(torch.where(given > self.words, 0, given), chosen)
        total = self.log_partition()
        possible = is_tree & (score != -torch.inf)  # then log Z is not −inf either
        return torch.where(possible, score - torch.where(possible, total, 0), -torch.inf)

    def expectation(
        self,
        values: Tensor,
        *,
        siblings: Tensor | None = None,
        grandchildren: Tensor | None = None,
        grand_siblings: Tensor | None = None,
    ) -> Tensor:
        """The expected total of a function of arcs, (B, n+1, n+1), or of labelled arcs: (B,).

        And of larger parts, where they are scored, laid out as their scores are. Of a loss it is the risk,
        and may be minimized: it has a gradient.
        """
        marginals = self.marginals()
        probabilities = marginals.arcs if values.ndim == 3 else marginals.labels
        if probabilities is None:
            raise ValueError("values must have shape (B, n+1, n+1): arcs have no labels")
        total = _checked_expectation("values", probabilities, values)
        for name, table in (
            ("siblings", siblings),
            ("grandchildren", grandchildren),
            ("grand_siblings", grand_siblings),
        ):
            if table is not None:
                of_table = getattr(marginals, name)
                if of_table is None:
                    raise ValueError(f"{name} must not be given: the distribution has none")
                total = total + _checked_expectation(name, of_table, table)
        return total

    def sample(self, k: int = 1, *, seed: int) -> Solution:
        """k trees of every sentence, drawn independently and exactly: heads (B, k, n).

        The same seed gives the same trees on the same kind of device.
        """
        checks.positive("k", k)
        checks.seed_of(seed)
        with torch.no_grad():
            heads = self._sampled_heads(self._arc_scores().contiguous(), k, seed)
            chosen = None if self.label_count is None else self._sampled_labels(heads, seed)
        is_drawn = (heads >= 0).any(dim=2) | (self.lengths == 0)[:, None]
        score = torch.where(is_drawn, self._score(heads, chosen), -torch.inf)
        return Solution(heads, chosen, score)

    def minimum_risk(self, *, projective: bool | None = None) -> Solution:
        """The tree with the largest expected number of correct arcs (Smith and Smith 2007, section 4).

        With labels, of correct labelled arcs. `projective` asks for a projective tree or for any tree, by
        default as the structure is. The score is the expected number.
        """
        with torch.no_grad():
            marginals = self.marginals()
            gains = marginals.arcs if marginals.labels is None else marginals.labels.amax(dim=-1)
            gains = gains.masked_fill(self._arc_scores() == -torch.inf, -torch.inf)
            wanted = self.projective if projective is None else projective
            heads, score = operators.argmax(gains.contiguous(), self.lengths, wanted, self.single_root)
            chosen = None
            if marginals.labels is not None:
                chosen = _where_word(heads, labels.of_heads(marginals.labels, heads).argmax(dim=-1))
        return Solution(heads, chosen, score)

    def count(self) -> list[int]:
        """How many (labelled) trees each sentence has, exactly. Waits for the GPU and counts on the CPU."""
        return [trees.count() if trees else 1 for trees in self._as_arrays(self.arcs)]

    @property
    def _on_gpu(self) -> bool:
        return bool(self.arcs.device.type == "cuda")

    @property
    def _has_gradient(self) -> bool:
        has_gradient = self.arcs.requires_grad or (self.parts is not None and self.parts.requires_grad)
        return bool(torch.is_grad_enabled() and has_gradient)

    def _as_arrays(self, arc_scores: Tensor) -> list[arrays.Distribution | None]:
        """Every sentence as headwise.trees has it, with these scores of arcs; None where there are no words.
        Waits for the GPU."""
        scores = arc_scores.detach().cpu().double().numpy()

        def sentence(b: int, n: int) -> arrays.Distribution:
            arcs = scores[b, : n + 1, : n + 1]
            if not self.projective:
                return arrays.SpanningTrees(arcs, single_root=self.single_root)
            tables = PartArguments() if self.parts is None else self.parts.arrays(b, n)
            return arrays.ProjectiveTrees(arcs, single_root=self.single_root, **tables)

        return [sentence(b, n) if n else None for b, n in enumerate(self.lengths.tolist())]

    def _arc_scores(self) -> Tensor:
        return self._without_labels(self.arcs)

    def _without_labels(self, arcs: Tensor) -> Tensor:
        """Over all labels of an arc."""
        return arcs if self.label_count is None else labels.log_sum(arcs)

    def _sums(self) -> Sums:
        """They are kept, as one is often asked for after the other.

        With gradients they are not, since a graph serves one call of backward.
        """
        if self._kept_sums is not None and not self._has_gradient:
            return self._kept_sums
        sums = self._sums_of(self._arc_scores().contiguous())
        if not self._has_gradient:
            self._kept_sums = sums
        return sums

    def _with_labels(self, marginals: Tensor, arcs: Tensor) -> Tensor:
        """The marginals of labelled arcs from those of arcs, where there are labels."""
        if self.label_count is None:
            return marginals
        return marginals.unsqueeze(-1) * labels.shares(arcs, self._without_labels(arcs))

    def _relative(self) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
        """log Z, and marginals with scores of all tables; arcs relative to the best of each word, so that
        little cancels."""
        best = self.arcs.detach().masked_fill(~self._is_arc(), -torch.inf).amax(dim=1, keepdim=True)
        if self.label_count is not None:
            best = best.amax(dim=-1, keepdim=True)
        shifted = self.arcs - torch.where(torch.isfinite(best), best, 0)
        total, marginals, tables = self._sums_of(self._without_labels(shifted).contiguous())
        pairs = [(self._with_labels(marginals, shifted), shifted)]
        if self.parts is not None:
            pairs += [
                (of_table, scores)
                for of_table, scores in zip(tables, self.parts.tables, strict=True)
                if of_table is not None and scores is not None
            ]
        return total, pairs

    def _is_arc(self) -> Tensor:
        """Where scores name arcs of the sentence: (B, n+1, n+1, …)."""
        nodes = torch.arange(self.words + 1, device=self.arcs.device)
        inside = nodes <= self.lengths[:, None]
        arcs = inside[:, :, None] & inside[:, None, :] & (nodes[:, None] != nodes) & (nodes > 0)
        return arcs if self.label_count is None else arcs.unsqueeze(-1)

    # What is asked of operators, for scores of arcs.
    def _search(self, scores: Tensor) -> tuple[Tensor, Tensor]:
        found: tuple[Tensor, Tensor] = operators.argmax(
            scores, self.lengths, self.projective, self.single_root
        )
        return found

    def _search_several(self, scores: Tensor, k: int) -> tuple[Tensor, Tensor]:
        """The k best trees: heads (B, k, n) and scores (B, k)."""
        top_k = cuda.top_k if self._on_gpu else cpu.top_k
        return top_k(scores, self.lengths, k, self.projective, self.single_root)

    def _total(self, scores: Tensor) -> Tensor:
        total: Tensor = operators.log_partition(scores, self.lengths, self.projective, self.single_root)
        return total

    def _sums_of(self, scores: Tensor) -> Sums:
        total, marginals = operators.quick_sums(scores, self.lengths, self.projective, self.single_root)
        return Sums(total, marginals, NO_TABLES)

    def _score(self, heads: Tensor, chosen: Tensor | None) -> Tensor:
        """The sum of the scores of the arcs and parts of trees, (B, …, n)."""
        scores = labels.of_heads(self.arcs, heads)
        if chosen is not None:
            scores = scores.gather(-1, chosen.clamp(min=0).unsqueeze(-1)).squeeze(-1)
        words = torch.arange(self.words, device=heads.device)
        lengths = self.lengths.view(-1, *(1,) * (heads.ndim - 1))
        total = torch.where(words < lengths, scores, 0).sum(dim=-1)
        if self.parts is None:
            return total
        # Where an arc is impossible, its parts may score anything.
        return torch.where(total > -torch.inf, total + self.parts.score(heads, self.lengths), total)

    def _best_labels(self, heads: Tensor) -> Tensor:
        return _where_word(heads, labels.of_heads(self.arcs.detach(), heads).argmax(dim=-1))

    def _checked_labels(self, given: Tensor | None) -> Tensor | None:
        if self.label_count is None:
            if given is not None:
                raise ValueError("labels must not be given: arcs have none")
            return None
        if given is None:
            raise ValueError("labels must be given: this is a distribution over trees with labels")
        checks.integers("labels", given, (self.arcs.shape[0], self.words), self.arcs.device)
        checks.within("labels", given, -1, self.label_count - 1)
        return given.long()

    def _sampled_heads(self, scores: Tensor, k: int, seed: int) -> Tensor:
        sample = cuda.sample if self._on_gpu else cpu.sample
        return sample(scores, self.lengths, k, seed, self.projective, self.single_root)

    def _sampled_labels(self, heads: Tensor, seed: int) -> Tensor:
        """Of every arc: the label whose waiting time, divided by its probability, is the shortest."""
        generator = torch.Generator(heads.device).manual_seed(seed)
        scores = labels.of_heads(self.arcs.detach(), heads)
        waiting = torch.empty_like(scores).exponential_(generator=generator)
        return _where_word(heads, (scores - waiting.log()).argmax(dim=-1))


def _expected(probabilities: Tensor, values: Tensor) -> Tensor:
    """Σ p · value over all that is possible: what is not may have any value, −inf included."""
    possible = probabilities != 0
    return torch.where(possible, probabilities * torch.where(possible, values, 0), 0).flatten(1).sum(1)


def _checked_expectation(name: str, probabilities: Tensor, values: Tensor) -> Tensor:
    checks.of_shape(name, values, tuple(probabilities.shape))
    checks.on_device(name, values, probabilities.device)
    return _expected(probabilities, values)


def _where_word(heads: Tensor, chosen: Tensor) -> Tensor:
    return torch.where(heads >= 0, chosen, -1)

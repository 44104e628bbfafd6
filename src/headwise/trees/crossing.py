"""Trees whose arcs may cross, under higher-order scores: the best one, with a proof or a gap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike

from headwise._native import dual as native_dual
from headwise._native import local_search as native_search
from headwise._native import trees as native
from headwise.dual.limits import Limits
from headwise.dual.trace import Trace
from headwise.trees.checks import Floats, apply_mask, apply_partial_tree, arc_scores, score_table
from headwise.trees.factorizations import Factorization
from headwise.trees.local_search import Annealing, Climb, Climbing, Proposal
from headwise.trees.parts import NODES, PartArguments, Parts, given_tables
from headwise.trees.projective import check_parts, choose_factorization, compact_table
from headwise.trees.tree import Solution, Tree

if TYPE_CHECKING:
    from headwise.trees.program import Flow


class Search(NamedTuple):
    """A solution and how it was found."""

    solution: Solution
    iterations: int
    stop: str
    """Why the search ended; see `headwise.dual.Result`."""
    trace: Trace


class CrossingTrees:
    """All trees of a sentence, crossing or not, under the scores of a higher-order factorization.

    Finding the best one is NP-hard (McDonald and Satta 2007); dual decomposition with head automata (Koo et
    al. 2010) nearly always finds it and proves that it did. The arguments are those of
    `headwise.trees.ProjectiveTrees`, without labels and positions. With ``projective=True`` arcs may
    not cross (section 7.7).

    O(k²n) an iteration over k candidate heads a word (model 2: O(k³n)), and O(n²) for the spanning tree
    (projective: O(n³)).
    """

    def __init__(
        self,
        arcs: ArrayLike,
        *,
        single_root: bool,
        factorization: Factorization | None = None,
        projective: bool = False,
        mask: ArrayLike | None = None,
        partial_heads: ArrayLike | None = None,
        **tables: Unpack[PartArguments],
    ) -> None:
        scores, has_labels = arc_scores(arcs)
        if has_labels:
            raise ValueError("arcs must have shape (n+1, n+1): labels are not searched here")
        apply_mask(scores, mask)
        apply_partial_tree(scores, partial_heads, None, None)
        self.words = len(scores) - 1
        self.single_root, self.projective = bool(single_root), bool(projective)
        given = given_tables(PartArguments.__optional_keys__, tables)
        self.factorization: Factorization = choose_factorization(factorization, given)
        if native.FACTORIZATIONS[self.factorization].head_view is None:
            raise ValueError(f"factorization={self.factorization!r} is for ProjectiveTrees only")
        self.candidates = native.Candidates(np.ascontiguousarray(scores[:, :, 0] > -np.inf))
        heads, modifiers = self.candidates.part_nodes("arcs").T
        self.tables: dict[str, Floats] = {"arcs": np.ascontiguousarray(scores[heads, modifiers, 0])}
        """The scores of the parts whose arcs are allowed, in the order of the candidates."""
        for name, table in given.items():
            self.tables[name] = compact_table(self.candidates, name, self._checked(name, table))

    def _checked(self, name: str, table: ArrayLike | Parts) -> Floats | Parts:
        if isinstance(table, Parts):
            check_parts(name, table, self.words)
            return table
        return score_table(name, table, (self.words + 1,) * NODES[name])

    def argmax(self, limits: Limits | None = None) -> Solution:
        """The best tree found within the limits; `exact` where it is proved to be the best there is."""
        return self.search(limits).solution

    def search(self, limits: Limits | None = None) -> Search:
        """The same, with the number of iterations and what happened in them."""
        found = native_dual.best_tree(
            self.candidates,
            self._scores(),
            factorization=self.factorization,
            projective=self.projective,
            single_root=self.single_root,
            limits=(limits or Limits()).to_native(),
            traced=True,
        )
        solution = Solution(Tree(found["heads"]), found["score"], found["bound"], found["exact"])
        return Search(solution, found["iterations"], found["stop"], Trace(*found["trace"]))

    def argmax_by_program(
        self, *, relax: bool = False, flow: Flow = "single", start: ArrayLike | None = None
    ) -> Solution:
        """The same problem as an integer (with `relax`: a linear) program, solved by HiGHS.

        `start` are the heads of a tree to begin with, such as the one that dual decomposition ended with.
        See `headwise.trees.program`; needs the extra ``ilp``.
        """
        from headwise.trees.program import solve_program

        return solve_program(self, relax=relax, flow=flow, start=start)

    def climb(self, climbing: Climbing | None = None) -> Climb:
        """The best tree that greedy climbs from random trees reach, without a proof; see `Climbing`.

        O(k²) an attempted move at most, k candidate heads a word; mostly much less. Scores must be finite.
        """
        if self.projective:
            raise ValueError("climbing is for trees whose arcs may cross")
        found = self._movable().climb(**vars(climbing or Climbing()))
        return Climb(self._unproved(found), found["restarts"], found["found_at"])

    def anneal(self, annealing: Annealing | None = None) -> Solution:
        """The best tree of a chain of samples at a falling temperature, without a proof; see `Annealing`."""
        settings = vars(annealing or Annealing())
        return self._unproved(self._movable().anneal(**settings, projective=self.projective))

    def sample(
        self,
        count: int,
        *,
        temperature: float = 1.0,
        every: int = 100,
        seed: int = 1,
        proposal: Proposal = "both",
        block: int = 4,
    ) -> list[Tree]:
        """Trees of a Markov chain that tends to p(tree) ∝ exp(score / temperature), `every` steps apart.

        Successive trees depend on each other, less so the more steps lie between them. Where arcs may not
        cross, neither do those of any sample (Zhang et al. 2014, "Steps to excellence", section 3.2.1).
        """
        flat = self._movable().sample(
            count=count,
            temperature=temperature,
            every=every,
            seed=seed,
            proposal=proposal,
            block=block,
            projective=self.projective,
        )
        return [Tree(heads) for heads in flat.reshape(count, self.words)]

    def _movable(self) -> native_search.SearchedTrees:
        return native_search.SearchedTrees(
            self.candidates, self._scores(), self.factorization, self.single_root
        )

    def _unproved(self, found: dict[str, Any]) -> Solution:
        return Solution(Tree(found["heads"]), found["score"], np.inf, exact=False)

    def relaxed(self) -> tuple[list[tuple[int, int]], float]:
        """The arcs (head, modifier) that head automata choose on their own, and their score, an upper bound.

        They need not be a tree: the set Z of Koo et al. (2010), sections 3 and 7.6.
        """
        arcs, score, _ = native_dual.relaxed_tree(
            self.candidates, self._scores(), self.factorization, self.single_root
        )
        return arcs, score

    def score(self, heads: ArrayLike) -> float:
        """The score of a tree; −inf where it has an arc that is not allowed."""
        tree = np.ascontiguousarray(heads, dtype=np.int32)
        return native_dual.tree_score(self.candidates, self._scores(), self.factorization, tree)

    def _scores(self) -> native.Scores:
        tables = {name: table for name, table in self.tables.items() if name != "arcs"}
        return native.Scores(labels=self.tables["arcs"][:, None], **tables)

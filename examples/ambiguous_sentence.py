# %% [markdown]
# # One sentence, several trees
#
# "She saw the man with a telescope." Who has the telescope? Arc scores, made up by hand, leave both
# readings open; the distribution over all trees says how open. Run this file, or open it as a notebook
# (the `# %%` marks are cells).

# %%
from __future__ import annotations

import numpy as np

from headwise.trees import ProjectiveTrees, SpanningTrees

WORDS = ["<root>", "She", "saw", "the", "man", "with", "a", "telescope"]
SHE, SAW, THE, MAN, WITH, A, TELESCOPE = range(1, 8)

arcs = np.full((8, 8), -2.0)  # every arc is possible, most are unlikely
for head, modifier, score in [
    (0, SAW, 3.0),
    (SAW, SHE, 3.0),
    (SAW, MAN, 3.0),
    (MAN, THE, 3.0),
    (TELESCOPE, A, 3.0),
    (TELESCOPE, WITH, 3.0),
    (SAW, TELESCOPE, 1.2),  # she used it
    (MAN, TELESCOPE, 1.0),  # he has it
]:
    arcs[head, modifier] = score

trees = ProjectiveTrees(arcs, single_root=True)


def bracket(heads: np.ndarray) -> str:
    """A tree as head(modifier modifier …)."""

    def subtree(node: int) -> str:
        children = [m for m in range(1, len(WORDS)) if heads[m - 1] == node]
        inner = " ".join(subtree(child) for child in children)
        return f"{WORDS[node]}({inner})" if inner else WORDS[node]

    return subtree(0)


# %% [markdown]
# ## The best trees, in order, with their probabilities

# %%
for rank, solution in enumerate(trees.top_k(4), start=1):
    probability = np.exp(trees.log_prob(solution.tree))
    print(f"{rank}. p = {probability:.3f}  {bracket(solution.tree.heads)}")

# %% [markdown]
# ## How sure each word is of its head
#
# Marginals sum over all trees, so they are not the probabilities of the best tree.

# %%
marginals = trees.marginals().arcs
for word in range(1, len(WORDS)):
    likely = np.argsort(-marginals[:, word], kind="stable")[:2]
    print(f"{WORDS[word]:>10}  " + "   ".join(f"{WORDS[h]} {marginals[h, word]:.3f}" for h in likely))

# %% [markdown]
# ## What else can be asked

# %%
everything = SpanningTrees(arcs, single_root=True)
print(f"trees in all: {trees.count():,} projective, {everything.count():,} without that limit")
print(f"entropy: {trees.entropy() / np.log(2):.2f} bits; log-partition: {trees.log_partition():.3f}")
lengths = np.abs(np.subtract.outer(np.arange(8), np.arange(8))).astype(float)
print(f"expected length of all arcs: {trees.expectation(arcs=lengths):.2f}")
print("three samples:", *(bracket(tree.heads) for tree in trees.sample(3, seed=1)), sep="\n  ")

# %% [markdown]
# ## If an annotator says that the man has the telescope
#
# A partial tree fixes what is known (−1: free); everything else follows.

# %%
known = np.full(7, -1)
known[TELESCOPE - 1] = MAN
informed = ProjectiveTrees(arcs, single_root=True, partial_heads=known)
print(bracket(informed.argmax().tree.heads))
print(f"KL from what we believed before: {informed.kl_divergence(trees):.3f} nats")

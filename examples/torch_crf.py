"""A layer that makes a distribution over trees from the output of any encoder, trained on a toy language.

python examples/torch_crf.py  (needs PyTorch: pip install 'headwise[torch]')
"""

from __future__ import annotations

import torch
from torch import Tensor

from headwise.torch import ProjectiveTrees


class TreeCRF(torch.nn.Module):
    """Biaffine scores of arcs (Dozat and Manning 2017), and the projective trees that they weigh."""

    def __init__(self, width: int, rank: int = 32) -> None:
        super().__init__()
        self.head, self.modifier = torch.nn.Linear(width, rank), torch.nn.Linear(width, rank)
        self.weight = torch.nn.Parameter(torch.zeros(rank + 1, rank))

    def forward(self, nodes: Tensor, lengths: Tensor) -> ProjectiveTrees:
        """nodes: (B, n+1, width), the root first."""
        heads = torch.nn.functional.pad(self.head(nodes).relu(), (0, 1), value=1.0)
        arcs = heads @ self.weight @ self.modifier(nodes).relu().mT
        return ProjectiveTrees(arcs, lengths, single_root=True)


def main(steps: int = 60, device: str = "cuda" if torch.cuda.is_available() else "cpu") -> float:
    """Words of three kinds: a hangs from the next b, b from the next c, the last c from the root."""
    torch.manual_seed(1)
    words = torch.tensor([1, 2, 3, 1, 2, 1, 2, 3, 3]).repeat(16, 1)  # a b c a b a b c c; 0 is the root
    gold = torch.tensor([2, 3, 8, 5, 8, 7, 8, 9, 0]).repeat(16, 1)
    lengths = torch.full((16,), words.shape[1])
    nodes = torch.nn.functional.pad(words, (1, 0)).to(device)
    words, gold, lengths = words.to(device), gold.to(device), lengths.to(device)
    kinds, places = torch.nn.Embedding(4, 24).to(device), torch.nn.Embedding(10, 24).to(device)
    layer = TreeCRF(24).to(device)
    parameters = [*kinds.parameters(), *places.parameters(), *layer.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=0.02)
    where = torch.arange(10, device=device)
    for step in range(steps):
        trees = layer(kinds(nodes) + places(where), lengths)
        loss = -trees.log_prob(gold).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            print(f"step {step}: loss {loss.item():.3f}, entropy {trees.entropy().mean().item():.3f} nats")
    trees = layer(kinds(nodes) + places(where), lengths)
    accuracy = (trees.argmax().heads == gold).float().mean().item()
    print(f"{accuracy:.0%} of heads found")
    return accuracy


if __name__ == "__main__":
    main()

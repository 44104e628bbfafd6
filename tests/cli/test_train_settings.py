"""What options of ``headwise train`` ask for without saying so."""

from __future__ import annotations

from headwise.cli.train_settings import implied


def test_a_pretrained_network_alone_is_trained_by_pytorch() -> None:
    """Nobody has asked the core for a network then."""
    found = implied({"network__alone": True, "torch__pretrained": "text.hwe"})
    assert found["torch__use"]
    assert "network__use" not in found
    assert implied({"network__alone": True})["network__use"]

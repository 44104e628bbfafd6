"""Options and choices that commands had, and what to use in their place."""

from __future__ import annotations

_BRACKETS = "is for bracketed trees, which are for headwise phrases"
ORDERS = "is --factorization: arc was first, carreras second, model1 third"
GONE = {
    "train": {
        "--joined": f"{_BRACKETS} train",
        "--head-rules": f"{_BRACKETS} train",
        "--torch-width": "is --network-width, whoever trains the network",
        "--torch-epochs": "is --network-epochs, whoever trains the network",
    },
    "doubt": {"--preset": ORDERS},
    "rerank": {"--preset": ORDERS},
    "inception": {"--preset": ORDERS},
    "convert": {"--strip": f"{_BRACKETS} convert", "--head-rules": f"{_BRACKETS} convert"},
}
"""By command and option, as the end of a sentence that the option begins."""
GONE_CHOICES = {
    "--preset": {
        "first": "--factorization arc",
        "second": "--preset fast",
        "third": "--no-network",
        "full": "--preset accurate, which is as good",
        "network": "--network-alone",
    }
}
"""By option and choice."""

"""Which tree a parser gives where its caller does not say: a decoder that does better than ``map``."""

from __future__ import annotations

from dataclasses import replace

from headwise.components.parser.decoders import Decoder
from headwise.training.run import Run, dev_scores


def choose_decoder(run: Run) -> Run:
    """The run with another decoder where that does better on the development set.

    Minimum-risk decoding, where the model gives probabilities. Trees without crossing arcs, where arcs may
    cross and the settings ask for it (Koo 2010, 4.6.2).
    """
    config, settings = run.made.config, run.settings
    tried = []
    if settings.learner == "log-linear" and not Decoder.minimum_risk.why_not(config):
        tried.append(Decoder.minimum_risk)
    if settings.choose_trees and not config.projective:
        tried.append(Decoder.projective)
    if not tried or not run.is_judged:
        return run
    scores = {
        decoder: dev_scores(run.made, run.dev, settings.threads, decoder) for decoder in (Decoder.map, *tried)
    }
    best = max(scores, key=lambda decoder: scores[decoder].selection)  # of equals the first
    if best is Decoder.map:
        return run
    run.listener.message(f"{best.value} decoding is better, and the model's default: {scores[best]}")
    return replace(run, parser=run.made.with_decoder(best))

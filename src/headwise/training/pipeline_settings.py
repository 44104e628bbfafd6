"""What a user can choose about a pipeline, beside its parser."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any

from headwise.base.fields import SettingError, check_fields, group, setting
from headwise.base.limits import SHARE, AtLeast
from headwise.components.tagging.settings import TaggerSettings
from headwise.components.text.settings import TokenizerSettings
from headwise.learning.choices import EXACT_JOINT_TAGS, JointCandidates, JointLearner, JointTags
from headwise.learning.settings import LEARNING


@dataclass(frozen=True)
class PipelineSettings:
    """How a pipeline is trained. Seeds, threads and clusters of words are those of its parser."""

    jackknife: int = setting(
        5,
        "Taggers that tag the training data, each a part that it has not seen, so that the parser learns from"
        " tags as new text has them.",
        AtLeast(2),
        option="--jackknife",
        panel=LEARNING,
        default_is="5 with --pipeline; for a parser alone the treebank's own tags",
    )
    rewrite: float = setting(
        0.15,
        "The share of sentences that are learned as people type them: in lower case, in capitals, without a"
        " full stop; and of paragraphs that the tokenizer learns in lower case or in capitals.",
        SHARE,
        option="--rewrite",
        panel=LEARNING,
        metavar="SHARE",
    )
    text: str | None = setting(
        None,
        "Running text of the language, to learn spacing from where the treebank does not say where spaces"
        " are.",
        option="--text",
        metavar="FILE",
    )
    gold_tags_too: bool = setting(
        False,
        "The parser learns from every sentence twice, with predicted tags and with the treebank's own; takes"
        " twice as long (docs/joint-tags.md).",
        option="--gold-tags-too",
        panel=LEARNING,
    )
    joint_tags: JointTags | None = setting(
        None,
        "Choose tags together with trees (docs/joint-tags.md): by climbing, with any parser; or for certain,"
        " with one of projective trees, tag by tag (senses) or sequence by sequence (agree).",
        option="--joint-tags",
        panel=LEARNING,
    )
    joint_candidates: JointCandidates = setting(
        "margin",
        "Which tags are considered then: those that lower the tagger's score by little (margin), or those"
        " that it took for one another in training (confusions; Zhang et al. 2014).",
        option="--joint-candidates",
        panel=LEARNING,
    )
    joint_learner: JointLearner | None = setting(
        None,
        "For climbing: learn which tags go with which trees, too, on top of models that have not seen the"
        " sentence; takes about four times as long.",
        option="--joint-learner",
        panel=LEARNING,
    )
    tokenizer: TokenizerSettings = group(TokenizerSettings)
    tagger: TaggerSettings = group(TaggerSettings)

    def __post_init__(self) -> None:
        if isinstance(self.text, os.PathLike):
            object.__setattr__(self, "text", os.fspath(self.text))
        check_fields(self)
        if self.joint_learner is not None and self.joint_tags != "climb":
            raise SettingError("`joint_learner` is for `joint_tags='climb'`")
        if self.joint_candidates != "margin" and self.joint_tags is None:
            raise SettingError("`joint_candidates` is for `joint_tags`")

    @property
    def features_alone(self) -> bool:
        """Whether tags are chosen in a way that can do with a parser of features alone."""
        return self.joint_tags in EXACT_JOINT_TAGS

    def changed(self, **changes: Any) -> PipelineSettings:
        """These settings with changes; of a group, what a mapping names."""
        inside = {
            name: replace(getattr(self, name), **changes[name])
            for name in ("tokenizer", "tagger")
            if isinstance(changes.get(name), dict)
        }
        return replace(self, **{**changes, **inside})

"""The tags that a parser of a pipeline reads: a sentence's own, the tagger's, or those chosen with trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from headwise.base.cores import cores
from headwise.components.parser.search import Search
from headwise.components.parser.tagged import Tagged
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.tagging.joint.ways import TagChooser
    from headwise.pipeline.pipeline import Pipeline


def has_tags(sentence: Sentence) -> bool:
    """Whether every word has a part of speech, universal or of the treebank's own."""
    return "_" not in sentence.upos or "_" not in sentence.xpos


class TagsOfSentences:
    """Gives sentences tags, as a `Search` says (``tags``, ``confidence``, ``threads``)."""

    def __init__(self, pipeline: Pipeline, search: Search) -> None:
        self._tagger, self._search = pipeline.tagger, search
        self._threads = cores(search.threads)
        self._chooser: TagChooser | None = None
        if pipeline.joint_tags is not None:
            from headwise.components.tagging.joint.ways import tag_chooser

            self._chooser = tag_chooser(
                pipeline.joint_tags, pipeline.tagger, pipeline.parser, pipeline.joint_weights
            )

    def keeps(self, sentence: Sentence) -> bool:
        return self._search.tags == "keep" and has_tags(sentence)

    def __call__(self, sentences: list[Sentence]) -> list[Tagged]:
        keeps = [self.keeps(sentence) for sentence in sentences]
        bare = [sentence for sentence, is_kept in zip(sentences, keeps, strict=True) if not is_kept]
        if len(bare) == len(sentences):
            return self._tagged(bare)
        found = iter(self._tagged(bare) if bare else ())
        return [
            Tagged(sentence, tags="kept") if is_kept else next(found)
            for sentence, is_kept in zip(sentences, keeps, strict=True)
        ]

    def _tagged(self, sentences: Sequence[Sentence]) -> list[Tagged]:
        threads = self._threads
        chooser = self._chooser
        found = chooser.choose(sentences, threads=threads) if chooser else None
        tagged = [one.sentence for one in found] if found else self._tagger.tag(sentences, threads=threads)
        if self._search.wants_probabilities:
            tagged = self._tagger.noting_confidence(tagged, threads=threads)
        if found is None:
            return [Tagged(sentence, tags="found") for sentence in tagged]
        return [
            one._replace(sentence=sentence, tags="found") for one, sentence in zip(found, tagged, strict=True)
        ]

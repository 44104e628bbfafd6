"""The tags that a parser of a pipeline reads: a sentence's own, the tagger's, or those chosen with trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from headwise.base.cores import cores
from headwise.components.parser.search import Search
from headwise.components.parser.tagged import TagCounts, Tagged
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
        self._known = frozenset(pipeline.parser.config.tags)
        self._threads = cores(search.threads)
        self._chooser: TagChooser | None = None
        if pipeline.joint_tags is not None:
            from headwise.components.tagging.joint.ways import tag_chooser

            self._chooser = tag_chooser(
                pipeline.joint_tags, pipeline.tagger, pipeline.parser, pipeline.joint_weights
            )
        self.counts = TagCounts()

    def keeps(self, sentence: Sentence) -> bool:
        return self._search.tags == "keep" and has_tags(sentence)

    def __call__(self, sentences: list[Sentence]) -> list[Tagged]:
        keeps = [self.keeps(sentence) for sentence in sentences]
        bare = [sentence for sentence, is_kept in zip(sentences, keeps, strict=True) if not is_kept]
        self.counts.tagged += len(bare)
        if len(bare) == len(sentences):
            return self._tagged(bare)
        found = iter(self._tagged(bare) if bare else ())
        return [
            self._kept(sentence) if is_kept else next(found)
            for sentence, is_kept in zip(sentences, keeps, strict=True)
        ]

    def _kept(self, sentence: Sentence) -> Tagged:
        self.counts.kept += 1
        self.counts.words += len(sentence)
        self.counts.strange += sum(tag not in self._known for tag in sentence.upos)
        return Tagged(sentence)

    def _tagged(self, sentences: Sequence[Sentence]) -> list[Tagged]:
        threads = self._threads
        if self._chooser is None:
            found = [Tagged(sentence) for sentence in self._tagger.tag(sentences, threads=threads)]
        else:
            found = self._chooser.choose(sentences, threads=threads)
        if not self._search.wants_probabilities:
            return found
        noted = self._tagger.noting_confidence([one.sentence for one in found], threads=threads)
        return [one._replace(sentence=sentence) for one, sentence in zip(found, noted, strict=True)]

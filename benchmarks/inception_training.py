"""What INCEpTION's annotators teach a parser: UD_Gothic, with the English model as the first one.

    python benchmarks/inception_training.py        # needs the extra inception

Labelled heads that are right on the fifth of the annotation that is kept back, and processor seconds.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import headwise
from experiment import cpu_seconds
from headwise.treebank import Sentence, read
from headwise.web.inception.protocol import TrainRequest, Wanted
from headwise.web.inception.recommender import Recommender
from headwise.web.inception.training import Learning, Recommenders
from inception_exchanges import DEPENDENCY, LABEL, POS, document, tokens
from shared_data import find_treebank

SIZES = ((100, 1), (500, 1), (500, 2))
"""How many sentences, and of how many words one is annotated."""


def annotated(sentences: list[Sentence], every: int):  # type: ignore[no-untyped-def]
    """A CAS in which all words have tags, and some have heads."""
    cas = document([sentence.forms for sentence in sentences])
    places, begin = tokens(cas), 0
    arc, tag = (cas.typesystem.get_type(name) for name in (DEPENDENCY, POS))
    for sentence in sentences:
        columns = zip(sentence.heads.tolist(), sentence.labels, sentence.upos, sentence.xpos, strict=True)
        for word, (head, label, upos, xpos) in enumerate(columns, begin):
            own = places[word]
            cas.add(tag(begin=own.begin, end=own.end, coarseValue=upos, PosValue=xpos))
            if word % every == 0:
                governor = places[begin + head - 1] if head else own
                cas.add(
                    arc(
                        begin=own.begin,
                        end=own.end,
                        Governor=governor,
                        Dependent=own,
                        DependencyType=label,
                    )
                )
        begin += len(sentence)
    return cas


def main() -> None:
    train = list(read(find_treebank("UD_Gothic-PROIEL").train))
    first = Recommender(headwise.load("en"))
    for size, every in SIZES:
        learning = Recommenders(first, Learning(tell=print))
        request = TrainRequest(Wanted(DEPENDENCY, LABEL, "1", "anna"), [annotated(train[:size], every)])
        said, seconds = cpu_seconds(lambda learning=learning, request=request: learning._learn(request))
        print(f"{size} sentences, one word of {every} annotated, {seconds:.1f} s: {said}")


if __name__ == "__main__":
    main()

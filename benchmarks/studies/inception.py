"""What INCEpTION's annotators teach a parser: UD_Gothic, with the English model as the first one.

Labelled heads that are right on the fifth of the annotation that is kept back, and processor seconds.
"""

from __future__ import annotations

import sys

from benchmarks.engine import Result, Scale, Study, Task
from benchmarks.engine.code import REPOSITORY
from benchmarks.measuring.data import find_treebank
from benchmarks.measuring.training import cpu_seconds
from headwise.treebank import Sentence, read

SIZES = ((100, 1), (500, 1), (500, 2))
"""How many sentences, and of how many words one is annotated."""


def annotated(sentences: list[Sentence], every: int):  # type: ignore[no-untyped-def]
    """A CAS in which all words have tags, and some have heads."""
    from inception_exchanges import DEPENDENCY, POS, document, tokens

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
                    arc(begin=own.begin, end=own.end, Governor=governor, Dependent=own, DependencyType=label)
                )
        begin += len(sentence)
    return cas


def taught(sentences: int, every: int) -> Result:
    sys.path.append(str(REPOSITORY / "tests"))
    import headwise
    from headwise.web.inception.protocol import TrainRequest, Wanted
    from headwise.web.inception.recommender import Recommender
    from headwise.web.inception.training import Learning, Recommenders
    from inception_exchanges import DEPENDENCY, LABEL

    train = list(read(find_treebank("UD_Gothic-PROIEL").train))[:sentences]
    learning = Recommenders(Recommender(headwise.load("en")), Learning(tell=print))
    request = TrainRequest(Wanted(DEPENDENCY, LABEL, "1", "anna"), [annotated(train, every)])
    said, seconds = cpu_seconds(lambda: learning._learn(request))
    return {"said": str(said), "cpu_seconds": seconds}


def tasks(scale: Scale) -> dict[str, Task]:
    return {
        f"{sentences} sentences, one word of {every}": Task(
            "studies.inception:taught",
            ("src/headwise/web/inception", "native/learning"),
            "cassis",
            sentences=sentences if scale.is_full else 40,
            every=every,
        )
        for sentences, every in SIZES
    }


STUDY = Study("inception", "What do INCEpTION's annotators teach a parser?", tasks)

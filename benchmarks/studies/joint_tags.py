"""Tags and trees together: a pipeline, and the same models with tags that are chosen with trees.

A tagger and a parser (on jackknifed tags) are trained once; what the parser counts beside the tagger is
fitted on the development set (held-out training data where there is none). Measured on the test set: words
whose tags (UPOS, XPOS and FEATS, all of them) are right, words whose heads are, and those with the right
head and label. The last rows are of all treebanks together.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.engine import Found, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring.attachment import joined, percent, read_counts
from benchmarks.measuring.speed import processor_seconds
from benchmarks.measuring.training import corpus_of, settings_of
from headwise import Parser, Pipeline
from headwise.components.parser.parse import Parse
from headwise.components.tagging import Tagger, TaggerSettings, realistic_tags
from headwise.components.tagging.joint import JointTagsConfig
from headwise.components.text import Tokenizer
from headwise.evaluation import SentenceCounts, permutation_test
from headwise.learning import Listener
from headwise.learning.choices import JointTags
from headwise.training.joint_tags.training import JointModel, fitted, learned
from headwise.treebank import Sentence

ALONE = "pipeline"
MEASURES = ("tags", "UAS", "LAS")
TREEBANKS = (
    "CoNLLX_Danish-DDT",
    "CoNLLX_Swedish-Talbanken05",
    "UD_Gothic-PROIEL",
    "UD_English-EWT",
    "UD_Basque-BDT",
    "UD_French-Sequoia",
    "UD_Turkish-IMST",
    "UD_Greek-GDT",
    "UD_Dutch-LassySmall",
)
THREE = ("UD_English-EWT", "CoNLLX_Danish-DDT", "CoNLLX_Swedish-Talbanken05")
WAYS: tuple[JointTags, ...] = ("climb", "senses", "agree")
DEPENDS = ("native/tagging", "src/headwise/components/tagging/joint")


def _right(gold: Sentence, parse: Parse) -> tuple[int, int, int]:
    found = parse.sentence
    columns = ((gold.upos, found.upos), (gold.xpos, found.xpos), (gold.feats, found.feats))
    tags = np.all([[a == b for a, b in zip(*column, strict=True)] for column in columns], axis=0)
    heads = np.asarray(gold.heads) == parse.heads
    labels = np.array([a == b for a, b in zip(gold.labels, parse.labels, strict=True)])
    return int(tags.sum()), int(heads.sum()), int((heads & labels).sum())


def outcomes(
    treebank: str,
    preset: str,
    trees: str,
    ways: list[JointTags],
    learned_too: bool,
    epochs: int,
    sentences: int = 1500,
    measured: int = 800,
) -> Result:
    """Of the pipeline alone, of each way, and of a log-linear model of tags and trees."""
    corpus = corpus_of(treebank, sentences, measured, dev="held-out")
    of_tagger = TaggerSettings(seed=1, epochs=4)
    of_parser = settings_of(preset, {"seed": 1, "trees": trees, "epochs": epochs})
    tagger = Tagger.train(corpus.train, settings=of_tagger)
    tagged, _ = realistic_tags(corpus.train, None, 3, of_tagger)
    parser = Parser.train(tagged, settings=of_parser)
    # Nobody asks the tokenizer anything here.
    parts = Pipeline(Tokenizer.train(corpus.train[:20]), tagger, parser)
    models = {way: JointModel(JointTagsConfig(way)) for way in ways}
    if learned_too:
        config = JointTagsConfig("climb")
        gold = corpus.train, tagged
        models["climb, log-linear"] = learned(  # type: ignore[index]
            config, *gold, of_tagger, of_parser, "log-linear", listener=Listener()
        )
    pipelines = {ALONE: parts}
    for name, model in models.items():
        found = fitted(model, tagger, parser, corpus.dev, threads=1)
        pipelines[name] = parts if found is None else parts.with_joint_tags(found.config, found.weights)
    return {name: outcome(pipeline, corpus.test) for name, pipeline in pipelines.items()}


def outcome(pipeline: Pipeline, gold: list[Sentence]) -> Result:
    parses, seconds = processor_seconds(lambda: list(pipeline.pipe_sentences(gold, tags="replace")))
    columns = np.array([_right(s, parse) for s, parse in zip(gold, parses, strict=True)]).reshape(-1, 3).T
    words = [len(sentence) for sentence in gold]
    return {
        **{name: [own.tolist(), words, words] for name, own in zip(MEASURES, columns, strict=True)},
        "exact": [bool(parse.exact) for parse in parses],
        "seconds": seconds,
        "weight": pipeline.joint_tags.parser_weight if pipeline.joint_tags else None,
    }


def tasks(scale: Scale) -> dict[str, Task]:
    cut = {} if scale.is_full else {"sentences": 150, "measured": 50}

    def task(
        treebank: str, preset: str, trees: str, ways: tuple[JointTags, ...], learned_too: bool, epochs: int
    ) -> Task:
        return Task(
            "studies.joint_tags:outcomes",
            DEPENDS,
            treebank=treebank,
            preset=preset,
            trees=trees,
            ways=list(ways),
            learned_too=learned_too,
            epochs=epochs,
            **cut,
        )

    found = {
        f"climb {t}": task(t, "second", "auto", ("climb",), True, 4) for t in TREEBANKS[: scale.treebanks]
    }
    for treebank in THREE[: scale.treebanks]:
        for preset in ("first", "second"):
            found[f"{preset} {treebank}"] = task(treebank, preset, "projective", WAYS, False, 5)
    return found


def rows(prefix: str, proved: bool, found: Found) -> list[Row]:
    made, results = [], found.named(prefix)
    for treebank, result in results.items():
        for way, one in result.items():
            counts = {name: read_counts(one[name]) for name in MEASURES}
            made.append(
                {"Treebank": treebank, "Tags": way, **row(counts, one["exact"], one["seconds"], proved)}
            )
    together: dict[str, dict[str, SentenceCounts]] = {}
    for way in next(iter(results.values())):
        own = [result[way] for result in results.values()]
        together[way] = {name: joined([read_counts(one[name]) for one in own]) for name in MEASURES}
        exact = [flag for one in own for flag in one["exact"]]
        seconds = sum(one["seconds"] for one in own)
        made.append({"Treebank": "all", "Tags": way, **row(together[way], exact, seconds, proved)})
        if way != ALONE:
            made[-1] |= {
                f"p({name})": f"{permutation_test(together[ALONE][name], together[way][name]).p_value:.4f}"
                for name in MEASURES
            }
    return made


def row(counts: dict[str, SentenceCounts], exact: list[bool], seconds: float, proved: bool) -> Row:
    words = int(counts["tags"].gold.sum())
    own = {name: shown(percent(one)) for name, one in counts.items()}
    own |= {"proved": f"{100 * sum(exact) / len(exact):.1f} %"} if proved else {}
    return own | {"tokens/CPU s": shown(words / seconds, 0)}


STUDY = Study(
    "joint-tags",
    "What do tags gain that are chosen together with trees?",
    tasks,
    {
        "joint-tags-climb": partial(rows, "climb ", False),
        "joint-tags-ways": partial(rows, "first ", True),
        "joint-tags-ways-second": partial(rows, "second ", True),
    },
    padded=False,
)

"""Train a pipeline: a tokenizer, a tagger and a parser, one after the other, on one treebank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from headwise.base.errors import HeadwiseError
from headwise.components.parser.parser import Parser
from headwise.components.scoring.universal_rules import obeyed_by
from headwise.components.tagging import Tagger, TaggerSettings, realistic_tags
from headwise.components.tagging.hearing import hearing_network
from headwise.components.tagging.joint import JointTagsConfig
from headwise.components.tagging.joint.confusions import confusions
from headwise.components.tagging.joint.exact import require
from headwise.components.text import Tokenizer
from headwise.components.text.accuracy import split_scores
from headwise.components.text.spacing import Spacing, says_spacing
from headwise.learning import Listener
from headwise.learning.choices import EXACT_JOINT_TAGS, JointCandidates, JointLearner, JointTags
from headwise.learning.folds import in_two_versions
from headwise.learning.loop import NOTHING_TO_RESUME, EpochReport
from headwise.pipeline.pipeline import Pipeline
from headwise.training import TrainingSettings, train_parser
from headwise.training.hurrying import HURRIED, hurried
from headwise.training.joint_tags.training import JointModel, fitted, learned
from headwise.training.members import joined
from headwise.training.pipeline_network import reading_bare_words, train_reader, without_network
from headwise.training.teacher_files import check_what_networks_need
from headwise.training.train import Source, load_sentences, remove_states, states_beside
from headwise.training.unlabelled import read_unlabelled
from headwise.treebank import Sentence
from headwise.treebank.files import read_lines
from headwise.treebank.rewriting import rewritten

NO_SPACING = "the treebank does not say where spaces are (it has neither # text nor SpaceAfter=No): "
FROM_TEXT = "the tokenizer learns that from the raw text"
NO_GAIN = "joint tags: none that are better than the tagger's on the development set, which stay"
NOT_LEARNED = "joint tags: interrupted, so nothing is learned of them"
BY_RULES = (
    "the tokenizer goes by the usual rules of punctuation; raw text of the language (--text) tells more"
)


def train_pipeline(
    train: Source,
    dev: Source | None,
    settings: TrainingSettings,
    *,
    jackknife: int,
    rewrite: float,
    text: str | Path | None,
    gold_tags_too: bool,
    joint_tags: JointTags | None,
    joint_candidates: JointCandidates,
    joint_learner: JointLearner | None,
    listener: Listener,
    model_path: str | Path | None = None,
    resume: bool = False,
) -> Pipeline:
    """See `headwise.Pipeline.train`."""
    if joint_learner is not None and joint_tags != "climb":
        raise HeadwiseError("a joint learner is for tags that are chosen by climbing (--joint-tags climb).")
    if joint_tags in EXACT_JOINT_TAGS:
        # Where nobody has said which trees are to be searched, those that this can be done with.
        settings = replace(settings, trees="projective") if settings.trees == "auto" else settings
        others = settings.has_network or settings.tensor.rank or settings.whole_tree.families
        require(
            joint_tags,
            larger_parts=settings.has_larger_parts,
            projective=settings.trees == "projective",
            features_alone=not others,
        )
    check_what_networks_need(settings)
    sentences, dev_sentences = load_sentences(train), load_sentences(dev) if dev is not None else None
    if not sentences:
        raise HeadwiseError("there are no sentences to train on.")
    if settings.rules is None:  # of gold tags, which the parser will not see
        settings = replace(settings, rules=tuple(obeyed_by(sentences)))
    listener.message("training the tokenizer")
    tokenizer = _tokenizer(sentences, dev_sentences, text, rewrite, listener)
    sentences = rewritten(sentences, rewrite, settings.seed)
    listener.message("training the tagger")
    tagger_settings = TaggerSettings(
        seed=settings.seed, threads=settings.threads, clusters=settings.words.clusters
    )
    tagger = Tagger.train(sentences, dev_sentences, settings=tagger_settings, listener=_of_tags(listener))
    states = states_beside(model_path, settings) if model_path is not None and resume else []
    unfinished = [state.path.exists() for state in states]
    if states and not any(unfinished):
        listener.message(NOTHING_TO_RESUME)
    reader, unlabelled = None, None
    if tagger.config.training["interrupted"]:
        return _hurried(tokenizer, tagger, reader, sentences, settings, listener)
    try:
        if settings.has_network:
            settings = reading_bare_words(settings)
            if settings.teaching.unlabelled:
                read = read_unlabelled(settings.teaching.unlabelled, tokenizer)
                unlabelled = rewritten(read, rewrite, settings.seed)
            reader = train_reader(
                sentences,
                dev_sentences or [],
                tagger,
                unlabelled,
                settings,
                listener,
                model_path=model_path,
                resume=resume,
            )
            settings = without_network(settings) if reader is None else settings
        if reader is not None:
            tagger = hearing_network(
                tagger, reader, dev_sentences or [], threads=settings.threads, listener=listener
            )
            if reader.config.training["interrupted"]:
                return _hurried(tokenizer, tagger, reader, sentences, settings, listener)
        if dev_sentences and settings.calibrate:
            tagger = tagger.calibrated(dev_sentences, threads=settings.threads)
        tagged = realistic_tags(
            sentences, dev_sentences, jackknife, tagger_settings, tagger=tagger, listener=listener
        )
        listener.message("training the parser")
        for_parser = in_two_versions(tagged[0], sentences) if gold_tags_too else tagged[0]
        parser = train_parser(
            for_parser,
            tagged[1],
            settings,
            listener=listener,
            model_path=model_path,
            resume=any(unfinished[:1]),
            keep_state=True,
            network=reader,
            unlabelled=unlabelled,
        )
    except KeyboardInterrupt:
        return _hurried(tokenizer, tagger, reader, sentences, settings, listener)
    if reader is not None and parser.config.network is None:  # interrupted before it had the network
        parser = joined([parser, reader], weight=settings.network_weight)
    pipeline = Pipeline(tokenizer, tagger, parser)
    if joint_tags is not None:
        pipeline = _with_joint_tags(
            pipeline,
            JointTagsConfig(
                joint_tags,
                confusions=confusions(sentences, tagged[0], tagger.config.tags)
                if joint_candidates == "confusions"
                else None,
            ),
            (sentences, tagged[0], dev_sentences),
            (tagger_settings, settings),
            joint_learner,
            gold_tags_too=gold_tags_too,
            listener=listener,
        )
    if model_path is not None and not parser.config.training["interrupted"]:
        remove_states(model_path, settings)
    return pipeline


def _with_joint_tags(
    pipeline: Pipeline,
    config: JointTagsConfig,
    data: tuple[Sequence[Sentence], Sequence[Sentence], Sequence[Sentence] | None],
    settings: tuple[TaggerSettings, TrainingSettings],
    learner: JointLearner | None,
    *,
    gold_tags_too: bool,
    listener: Listener,
) -> Pipeline:
    """The pipeline with tags that are chosen together with trees.

    ``data``: the training sentences, the same with predicted tags, and the development set.
    """
    train, tagged, dev = data
    tagger_settings, parser_settings = settings
    model = JointModel(config)
    if learner is not None:
        try:
            model = learned(
                config,
                train,
                tagged,
                tagger_settings,
                parser_settings,
                learner,
                gold_tags_too=gold_tags_too,
                listener=listener,
            )
        except KeyboardInterrupt:
            listener.message(NOT_LEARNED)
    if dev:
        found = fitted(model, pipeline.tagger, pipeline.parser, dev, threads=parser_settings.threads)
        listener.message(NO_GAIN if found is None else _what_counts(found))
        return pipeline if found is None else pipeline.with_joint_tags(found.config, found.weights)
    return pipeline.with_joint_tags(model.config, model.weights)


def _what_counts(model: JointModel) -> str:
    features = "" if model.weights is None else ", and features of both count"
    return f"joint tags: the parser counts {model.config.parser_weight:g} beside the tagger{features}"


def _hurried(
    tokenizer: Tokenizer,
    tagger: Tagger,
    reader: Parser | None,
    sentences: Sequence[Sentence],
    settings: TrainingSettings,
    listener: Listener,
) -> Pipeline:
    """What there is, made a pipeline that parses.

    A network that is half done may know next to nothing, so features have their say, too.
    """
    if reader is not None and settings.network.alone:
        return Pipeline(tokenizer, tagger, reader)
    listener.message(HURRIED)
    tagged = list(tagger.hearing(None, None).pipe(sentences, threads=settings.threads))
    parser = train_parser(tagged, None, hurried(settings), listener=listener)
    if reader is not None:
        parser = joined([parser, reader], weight=settings.network_weight)
    return Pipeline(tokenizer, tagger, parser)


def _tokenizer(
    train: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    text: str | Path | None,
    rewrite: float,
    listener: Listener,
) -> Tokenizer:
    """One that knows where spaces are, from the treebank or from elsewhere."""
    if not says_spacing(train):
        listener.message(NO_SPACING + (FROM_TEXT if text else BY_RULES))
        spacing = Spacing.usual(train) if text is None else Spacing.of_text(read_lines(text))
        train, dev = spacing.respaced(train), spacing.respaced(dev) if dev is not None else None
    tokenizer = Tokenizer.train(train, rewrite=rewrite, listener=Listener(progress=listener.progress))
    if dev:
        listener.message(f"tokenizer: {split_scores(dev, tokenizer)}")
    return tokenizer


def _of_tags(listener: Listener) -> Listener:
    """Hears of a tagger's epochs as messages."""

    def epoch(report: EpochReport) -> None:
        wrong = f"wrong tags {report.train_errors:.2%}" if report.train_errors is not None else ""
        left = f"{report.seconds_left:.0f} s left"
        scores = f"{report.dev}{' *' if report.is_best else ''}" if report.dev else ""
        parts = [f"tagger, epoch {report.epoch}/{report.epochs}", wrong, scores, left]
        listener.message("  ".join(filter(None, parts)))

    return Listener(progress=listener.progress, epoch=epoch, message=listener.message)

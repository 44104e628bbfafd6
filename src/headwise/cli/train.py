"""``headwise train``: from a treebank to a model file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from headwise.cli import shell
from headwise.cli.choices import LARGEST_SEED, MOST_THREADS, OnError
from headwise.cli.given_options import refuse_other_options
from headwise.cli.phrases import OPTIONS_OF_PHRASES, Joined, are_brackets, train_phrases
from headwise.cli.skipped import report_skipped
from headwise.cli.train_tagger import OPTIONS_OF_A_TAGGER, train_tagger_alone
from headwise.clusters.hierarchy import Contours
from headwise.learning.choices import (
    TENSOR_RANK,
    TORCH_EPOCHS,
    TORCH_LAYERS,
    TORCH_WIDTH,
    Device,
    JointLearner,
    JointTags,
    Labels,
    Learner,
    NetworkLoss,
    Optimizer,
    Preset,
    Root,
    Trees,
)
from headwise.scoring.factorizations import PARTS

if TYPE_CHECKING:
    from headwise.learning import EpochReport, Listener, TrainingSettings
    from headwise.parser.parser import Parser
    from headwise.treebank import Sentence


PARTIAL = (
    "to learn from half-annotated trees, train with --learner log-linear; to leave them out, "
    "with --on-error skip"
)
PARTIAL_PIPELINE = (
    "a --pipeline learns from whole trees only: leave the others out (--on-error skip), or train "
    "a parser alone with --learner log-linear"
)


def train(
    context: shell.Context,
    treebank: Annotated[
        Path, shell.Argument(help="Training treebank: CoNLL-U, CoNLL-X or bracketed trees, also .gz or .xz.")
    ],
    output: Annotated[Path, shell.Option("--output", "-o", help="Where to write the model.")],
    dev: Annotated[
        Path | None, shell.Option(help="Development treebank: the epoch that parses it best is kept.")
    ] = None,
    preset: Annotated[
        Preset,
        shell.Option(
            help="Parts scored: arcs (first), pairs of arcs (second), triples (third); full takes its time;"
            " network has no features."
        ),
    ] = "third",
    factorization: Annotated[
        str | None,
        shell.Option(
            metavar=f"[{'|'.join(PARTS)}]",
            help="The parts in detail, instead of the preset's.",
            panel="Parts and features",
        ),
    ] = None,
    trees: Annotated[
        Trees,
        shell.Option(help="Kind of tree to search; auto looks at the share of crossing arcs.", panel="Trees"),
    ] = "auto",
    root: Annotated[
        Root,
        shell.Option(help="One word under the root or several; auto looks at the treebank.", panel="Trees"),
    ] = "auto",
    learner: Annotated[
        Learner,
        shell.Option(
            help="Large-margin online (mira), averaged perceptron, margins between samples (samplerank),"
            " probabilities of trees (log-linear), or margins by subgradient (max-margin).",
            panel="Learning",
        ),
    ] = "mira",
    optimizer: Annotated[
        Optimizer,
        shell.Option(
            help="How log-linear and max-margin are optimized: by stochastic gradient (online), by"
            " exponentiated gradient on the dual (eg, eg-batch), or by SciPy over all of them (l-bfgs, cg).",
            panel="Learning",
        ),
    ] = "online",
    step: Annotated[
        float | None,
        shell.Option(help="Step of stochastic gradient. (default: the preset's)", panel="Learning"),
    ] = None,
    cost: Annotated[
        float | None,
        shell.Option(
            help="Of log-linear: what a wrong head costs while learning; 0 is plain likelihood.",
            panel="Learning",
        ),
    ] = None,
    choose_trees: Annotated[
        bool,
        shell.Option(
            "--choose-trees",
            help="Where arcs may cross: decode without crossing arcs if DEV is parsed better so.",
            panel="Trees",
        ),
    ] = False,
    tune: Annotated[
        list[str] | None,
        shell.Option(
            metavar="NAME=VALUE,VALUE",
            help="Train with each of these values of a setting (regularization, aggressiveness, epochs,"
            " gradient.step …) and keep what parses DEV best; may be repeated.",
            panel="Learning",
        ),
    ] = None,
    averaging: Annotated[
        bool,
        shell.Option(
            help="Average the weights over all steps, or keep the last ones; of online learners.",
            panel="Learning",
        ),
    ] = True,
    regularization: Annotated[
        float | None,
        shell.Option(help="C of C/2·|w|² + losses, for optimizers other than online.", panel="Learning"),
    ] = None,
    labels: Annotated[
        Labels,
        shell.Option(
            help="Labels over the finished tree (separate), inside the search (joint), learned clusters of"
            " arcs that the treebank does not name (latent), or none.",
            panel="Labels",
        ),
    ] = "separate",
    clusters: Annotated[
        int | None, shell.Option(min=1, max=200, help="How many latent labels.", panel="Labels")
    ] = None,
    unlabeled: Annotated[bool, shell.Option("--unlabeled", help="Learn heads only.", panel="Labels")] = False,
    epochs: Annotated[
        int | None, shell.Option(min=1, help="Passes over the training data. (default: the preset's)")
    ] = None,
    templates: Annotated[
        Path | None,
        shell.Option(
            help="File of feature templates to add, switch off or replace; see `headwise templates`. Or"
            " mcdonald: the first-order features of McDonald et al. (2005).",
            panel="Parts and features",
        ),
    ] = None,
    cutoff: Annotated[
        int | None,
        shell.Option(
            min=1,
            metavar="N",
            help="Learn only features that occur N times in the gold trees. (default: all)",
            panel="Parts and features",
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        shell.Option(
            help="Kind of larger part (sibling, grandchild, outermost …) to give no features.",
            panel="Parts and features",
        ),
    ] = None,
    whole_tree: Annotated[
        list[str] | None,
        shell.Option(
            "--whole-tree",
            "--global-features",
            help="Family of features of whole trees (valency, crossing …), instead of the preset's; 'none':"
            " no such features.",
            panel="Parts and features",
        ),
    ] = None,
    word_clusters: Annotated[
        list[Path] | None,
        shell.Option(
            metavar="FILE",
            help="Clusters of words from raw text (`headwise cluster`), for features of parser and tagger;"
            " up to three files.",
            panel="Words",
        ),
    ] = None,
    vectors: Annotated[
        Path | None,
        shell.Option(
            metavar="FILE",
            help="Vectors of words from raw text (`headwise vectors`, or text files of word2vec or fastText),"
            " for a network or a tensor; without either, a network is trained too.",
            panel="Words",
        ),
    ] = None,
    cluster_contours: Annotated[
        Contours | None,
        shell.Option(
            help="Where the tree of clusters is cut into classes that stand in for tags: at a depth"
            " (prefixes), or where they are even in population, or tell most.",
            panel="Words",
        ),
    ] = None,
    frequent_words: Annotated[
        int | None,
        shell.Option(
            min=1,
            metavar="N",
            help="Tell only the N most frequent words apart. (default: all)",
            panel="Words",
        ),
    ] = None,
    without_column: Annotated[
        list[str] | None,
        shell.Option(
            metavar="[lemma|upos|xpos|feats]", help="Column that the parser is not to read.", panel="Words"
        ),
    ] = None,
    roles: Annotated[
        bool | None,
        shell.Option(
            "--roles/--no-roles",
            help="Guess the label of each word and the side of its head first, for features that ask for"
            " them: more accurate, and a fifth slower. (default: from third order on)",
            panel="Parts and features",
        ),
    ] = None,
    network: Annotated[
        bool | None,
        shell.Option(
            "--network/--no-network",
            help="Train a recurrent network too, and add its opinion to the scores of features: more"
            " accurate, and half as fast. (default: with --preset full)",
        ),
    ] = None,
    by_torch: Annotated[
        bool,
        shell.Option(
            "--torch",
            help="Let PyTorch train the network, a larger one, on a GPU where there is one: more accurate"
            " still; the model runs without PyTorch (docs/torch-training.md).",
        ),
    ] = False,
    device: Annotated[
        Device | None,
        shell.Option(help="Of --torch. (default: a GPU where there is one)", panel="PyTorch"),
    ] = None,
    encoder: Annotated[
        Path | None,
        shell.Option(
            metavar="FOLDER",
            help="An encoder of Hugging Face that PyTorch trains on, without features: such a model needs"
            " PyTorch and transformers to parse.",
            panel="PyTorch",
        ),
    ] = None,
    torch_epochs: Annotated[
        int | None,
        shell.Option(
            min=1, help=f"Of --torch: passes over the data. (default: {TORCH_EPOCHS})", panel="PyTorch"
        ),
    ] = None,
    torch_width: Annotated[
        int | None,
        shell.Option(
            min=16,
            max=4096,
            help=f"Of --torch: how wide LSTMs are. (default: {TORCH_WIDTH})",
            panel="PyTorch",
        ),
    ] = None,
    torch_layers: Annotated[
        int | None,
        shell.Option(
            min=1, max=16, help=f"Of --torch: how many layers. (default: {TORCH_LAYERS})", panel="PyTorch"
        ),
    ] = None,
    torch_loss: Annotated[
        NetworkLoss | None,
        shell.Option(
            help="Of --torch: words find their heads by themselves (heads), or trees as wholes: their"
            " log-likelihood (trees), a margin, the expected number of mistakes (risk). (default: heads)",
            panel="PyTorch",
        ),
    ] = None,
    tensor: Annotated[
        bool,
        shell.Option(
            "--tensor",
            help="Learn a low-rank tensor beside the features of arcs (docs/tensor.md).",
            panel="Parts and features",
        ),
    ] = False,
    tensor_rank: Annotated[
        int | None,
        shell.Option(
            min=1, max=1024, help="The same of this rank. (default: 50)", panel="Parts and features"
        ),
    ] = None,
    tensor_labels: Annotated[
        bool,
        shell.Option(
            "--tensor-labels", help="Let the tensor score the labels of arcs too.", panel="Parts and features"
        ),
    ] = False,
    prune_threshold: Annotated[
        float | None,
        shell.Option(
            help="Consider heads at least this fraction as likely as the best one. (default: the preset's)",
            panel="Parts and features",
        ),
    ] = None,
    prune_heads: Annotated[
        int | None,
        shell.Option(
            min=1,
            help="Consider at most so many heads a word. (default: the preset's)",
            panel="Parts and features",
        ),
    ] = None,
    arc_bits: Annotated[
        int | None,
        shell.Option(
            min=10,
            max=28,
            help="Size of the arc weight table, 2^N. (default: the preset's)",
            panel="Parts and features",
        ),
    ] = None,
    calibration: Annotated[
        bool,
        shell.Option(
            help="Fit probabilities (parse --confidence): on DEV, or, without it, on parts of the training "
            "data that other parsers have not seen, which takes about as long again.",
            panel="Learning",
        ),
    ] = True,
    seed: Annotated[
        int, shell.Option(min=0, max=LARGEST_SEED, help="Same seed and data: the same model, byte for byte.")
    ] = 1,
    threads: Annotated[
        int, shell.Option(min=0, max=MOST_THREADS, help="0 uses every core; the model does not depend on it.")
    ] = 1,
    pipeline: Annotated[
        bool,
        shell.Option(
            "--pipeline", help="Train a tokenizer and a tagger too, for raw text; the parser sees their tags."
        ),
    ] = False,
    joint_tags: Annotated[
        JointTags | None,
        shell.Option(
            help="Train a --pipeline that chooses tags together with trees (docs/joint-tags.md): by climbing,"
            " with any parser; or for certain, with a first-order parser, tag by tag (senses) or sequence by"
            " sequence (agree).",
            panel="Learning",
        ),
    ] = None,
    joint_learner: Annotated[
        JointLearner | None,
        shell.Option(
            help="With --joint-tags climb: learn which tags go with which trees, too, on top of models that"
            " have not seen the sentence; takes about four times as long.",
            panel="Learning",
        ),
    ] = None,
    text: Annotated[
        Path | None,
        shell.Option(
            metavar="FILE",
            help="With --pipeline: running text of the language, for treebanks that do not say where spaces"
            " are.",
        ),
    ] = None,
    tagger: Annotated[
        bool, shell.Option("--tagger", help="Train a tagger of parts of speech, features and lemmas instead.")
    ] = False,
    jackknife: Annotated[
        int | None,
        shell.Option(
            min=2,
            metavar="N",
            help="Train on tags from N taggers that have not seen the sentence, as a parser of new text meets"
            " them. (default: the treebank's own tags; 5 with --pipeline)",
            panel="Learning",
        ),
    ] = None,
    joined: Annotated[
        Joined,
        shell.Option(
            "--joined",
            help="For bracketed trees: make the grammar agree with a tagger, or with a second-order"
            " dependency parser on tags of a tagger (docs/phrase-structure.md).",
            panel="Bracketed trees",
        ),
    ] = Joined.none,
    head_rules: Annotated[
        str | None,
        shell.Option(
            metavar="NAME|FILE",
            help="For bracketed trees: which child heads a phrase; collins, historical, ancora, or a file."
            " (default: those that fit the treebank's labels, else learned ones)",
            panel="Bracketed trees",
        ),
    ] = None,
    only_annotated: Annotated[
        bool,
        shell.Option(
            "--only-annotated",
            help="Learn from the words that headwise annotate has marked (Annotated=Yes in MISC) and from no"
            " others; needs --learner log-linear where words are left.",
            panel="Learning",
        ),
    ] = False,
    also_annotated: Annotated[
        Path | None,
        shell.Option(
            "--annotated",
            metavar="FILE",
            help="Learn from the marked words of FILE too (docs/annotate.md).",
            panel="Learning",
        ),
    ] = None,
    resume: Annotated[
        bool,
        shell.Option("--resume", help="Go on with a run that was killed (its state is in OUTPUT.state)."),
    ] = False,
    on_error: Annotated[
        OnError,
        shell.Option(help="Stop at the first broken sentence of the treebank, or skip and count them."),
    ] = OnError.stop,
    quiet: Annotated[bool, shell.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Train a parser on a treebank, or a whole pipeline from text to trees, or a tagger.

    Examples:

      headwise train train.conllu --dev dev.conllu -o model.hw

      headwise train train.conllu --dev dev.conllu --pipeline -o en.hw

      headwise train train.conllu --dev dev.conllu --tagger -o tagger.hw

      headwise train train.ptb --joined dependencies -o phrases.hw

    Ctrl-C ends training early and still writes a usable model.
    """
    import os

    from headwise.errors import HeadwiseError
    from headwise.learning import TrainingSettings, train_parser
    from headwise.scoring.template_file import load_template_file
    from headwise.treebank import annotated, read

    if are_brackets(treebank):
        refuse_other_options(context, OPTIONS_OF_PHRASES, "with bracketed trees")
        train_phrases(treebank, dev, output, joined, head_rules, seed, threads, on_error, quiet)
        return
    if joined is not Joined.none or head_rules is not None:
        raise shell.BadParameter(
            f"--joined and --head-rules are for bracketed trees, and {treebank} has none"
        )
    if tagger:
        refuse_other_options(context, OPTIONS_OF_A_TAGGER, "with --tagger, which trains no parser")
        train_tagger_alone(
            treebank,
            dev,
            output,
            learner,
            epochs,
            seed,
            threads,
            tuple(map(str, word_clusters or ())),
            on_error,
            _listener(quiet, "tags"),
        )
        return
    if encoder is not None:
        by_torch, preset = True, "network"
    if not by_torch and (device or torch_epochs or torch_width or torch_layers or torch_loss):
        raise shell.BadParameter("--device and --torch-… are for a network that PyTorch trains: add --torch")
    optional: dict[str, Any] = {
        "epochs": epochs,
        "regularization": regularization,
        "arc_bits": arc_bits,
        "factorization": factorization,
        "cutoff": cutoff,
        "without": without and tuple(without),
        "roles": roles,
        "network": True
        if network is None
        and vectors is not None
        and not (tensor or tensor_rank or tensor_labels or by_torch)
        else network,
        "words": _given(
            clusters=word_clusters and tuple(map(str, word_clusters)),
            vectors=vectors and str(vectors),
            contours=cluster_contours,
            frequent=frequent_words,
            ignore=without_column and tuple(name.lower() for name in without_column),
        ),
        "tensor": _given(
            rank=tensor_rank or (TENSOR_RANK if tensor or tensor_labels else None),
            labels=tensor_labels or None,
        ),
        "torch": _given(
            use=by_torch or None,
            encoder=encoder and str(encoder),
            device=device,
            epochs=torch_epochs,
            width=torch_width,
            layers=torch_layers,
            loss=torch_loss,
        ),
        "gradient": _given(step=step, cost=cost),
        "latent": _given(clusters=clusters),
        "pruning": _given(threshold=prune_threshold, heads=prune_heads),
        "whole_tree": _given(families=whole_tree and tuple(name for name in whole_tree if name != "none")),
    }
    if templates is not None:
        optional["templates"] = load_template_file(templates)
    try:
        settings = TrainingSettings.preset(
            preset,
            trees=trees,
            root=root,
            learner=learner,
            optimizer=optimizer,
            labels="none" if unlabeled else labels,
            calibrate=calibration,
            averaged=averaging,
            choose_trees=choose_trees,
            seed=seed,
            threads=threads or os.cpu_count() or 1,
            **_given(**optional),
        )
    except ValueError as error:
        raise shell.BadParameter(str(error)) from error
    pipeline = pipeline or joint_tags is not None
    if joint_learner is not None and joint_tags != "climb":
        raise shell.BadParameter("--joint-learner is for --joint-tags climb")
    listener = _listener(quiet)
    readers = [read(path, on_error=on_error.value) for path in (treebank, dev) if path is not None]
    # What a partial tree is to a learner is the learner's business; `annotated` refuses them.
    partial = settings.learner == "log-linear" and not pipeline
    remedy = PARTIAL_PIPELINE if pipeline else PARTIAL
    sentences = [list(reader if partial else annotated(reader, remedy)) for reader in readers]
    if only_annotated:
        sentences[0] = _marked(treebank, sentences[0])
    if also_annotated is not None:
        added = read(also_annotated, on_error=on_error.value)
        readers.append(added)
        sentences[0] += _marked(also_annotated, list(added))
    report_skipped([error for reader in readers for error in reader.skipped])
    if text is not None and not pipeline:
        raise shell.BadParameter("--text is for the tokenizer of a --pipeline")
    if tune and (pipeline or resume):
        raise shell.BadParameter("--tune is for a parser alone, trained from the start")
    if pipeline:
        from headwise.parser.pipeline import JACKKNIFE, Pipeline

        if resume:
            raise shell.BadParameter("--resume is for a parser alone, not for a --pipeline")
        taggers = JACKKNIFE if jackknife is None else jackknife
        pipeline_ = Pipeline.train(
            *sentences,
            settings=settings,
            jackknife=taggers,
            text=text,
            joint_tags=joint_tags,
            joint_learner=joint_learner,
            listener=listener,
        )
        pipeline_.save(output)
        listener.message(f"wrote {output} ({output.stat().st_size / 1e6:.1f} MB)")
        return
    train_set, dev_set = sentences[0], sentences[1] if dev else None
    if jackknife is not None:
        from headwise.tagging import TaggerSettings, realistic_tags

        tagger_settings = TaggerSettings(
            seed=seed, threads=settings.threads, clusters=settings.words.clusters
        )
        try:
            train_set, dev_set = realistic_tags(
                train_set, dev_set, jackknife, tagger_settings, listener=listener
            )
        except KeyboardInterrupt:
            from headwise.learning.hurrying import HURRIED, hurried

            listener.message(HURRIED)
            settings = hurried(settings)
    try:
        if tune:
            parser = _tuned(train_set, dev_set, settings, tune, listener)
        else:
            parser = train_parser(
                train_set,
                dev_set,
                settings,
                listener=listener,
                model_path=output,
                resume=resume,
            )
    except ValueError as error:  # templates that cannot be read, more labels than a parser takes
        raise HeadwiseError(f"{templates}: {error}" if templates else str(error)) from error
    parser.save(output)
    listener.message(f"wrote {output} ({output.stat().st_size / 1e6:.1f} MB)")


def _tuned(
    train: list[Sentence],
    dev: list[Sentence] | None,
    settings: TrainingSettings,
    grid: list[str],
    listener: Listener,
) -> Parser:
    """The parser of the best values by the development set."""
    from headwise.learning.tuning import parsed_grid, tuned_parser

    if dev is None:
        raise shell.BadParameter("--tune needs --dev, which chooses")
    try:
        values = parsed_grid(grid)
        for name, choices in values.items():
            for choice in choices:
                settings.changed(**{name: choice})
    except (ValueError, TypeError) as error:
        raise shell.BadParameter(f"--tune: {error}") from error
    return tuned_parser(train, dev, settings, values, listener=listener).parser


def _marked(file: Path, sentences: list[Sentence]) -> list[Sentence]:
    """What is decided in sentences that were annotated with the help of a parser, and nothing else."""
    from headwise.annotate.marks import only_annotated
    from headwise.errors import HeadwiseError

    found = [only_annotated(sentence) for sentence in sentences]
    found = [sentence for sentence in found if (sentence.heads >= 0).any()]
    if not found:
        raise HeadwiseError(f"{file}: no word is marked as annotated (Annotated=Yes in MISC).")
    return found


def _given(**options: Any) -> dict[str, Any]:
    """Those that were given a value."""
    return {name: value for name, value in options.items() if value is not None and value != {}}


def _listener(quiet: bool, learned: str = "heads") -> Listener:
    """Progress goes to standard error: a live line on a terminal, one line an epoch elsewhere."""
    from headwise.learning import Listener

    if quiet:
        return Listener()
    live = sys.stderr.isatty()

    def progress(epoch: int, fraction: float) -> None:
        if live:
            print(f"\r\x1b[Kepoch {epoch}: {fraction:4.0%}", end="", file=sys.stderr, flush=True)

    def message(text: str) -> None:
        print(("\r\x1b[K" if live else "") + text, file=sys.stderr, flush=True)

    return Listener(
        progress=progress, epoch=lambda report: message(format_epoch(report, learned)), message=message
    )


def format_epoch(report: EpochReport, learned: str = "heads") -> str:
    parts = [f"epoch {report.epoch}/{report.epochs}"]
    if report.measures:
        parts += [f"{name} {value:.6g}" for name, value in report.measures.items()]
    else:
        parts.append(f"loss {report.loss:.4f}")
    if report.train_errors is not None:
        parts.append(f"wrong {learned} {report.train_errors:.2%}")
    if report.dev:
        parts.append(f"{report.dev}{' *' if report.is_best else ''}")
    if report.sentences_per_second:
        parts.append(f"{report.sentences_per_second:,.0f} sentences/s")
    return "  ".join([*parts, f"{report.seconds:.0f} s, {report.seconds_left:.0f} s left"])

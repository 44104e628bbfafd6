"""The options of ``headwise train``, by the panel of its help that they are in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from headwise.cli import choices as cli_choices
from headwise.cli.choices import LARGEST_SEED, MOST_THREADS
from headwise.cli.command import Argument, Option
from headwise.learning import choices
from headwise.trees.factorizations import PARTS
from headwise.words.clusters.hierarchy import Contours

# In every call

Treebank = Annotated[Path, Argument(help="Training treebank: CoNLL-U or CoNLL-X, also .gz or .xz.")]
Output = Annotated[Path, Option("--output", "-o", help="Where to write the model.")]
Dev = Annotated[
    Path | None,
    Option(help="Development treebank, to keep the best epoch of features or of --torch."),
]
Preset = Annotated[
    choices.Preset | None,
    Option(
        help="accurate: triples of arcs, and a network; fast: pairs of arcs, nothing else. (default:"
        f" accurate; fast above {choices.ACCURATE_WORDS:,} words)"
    ),
]
Epochs = Annotated[int | None, Option(min=1, help="Passes over the training data. (default: the preset's)")]
Network = Annotated[
    bool | None,
    Option(
        "--network/--no-network",
        help="Train a recurrent network too, and add its opinion to the scores of features. (default: with"
        " --preset accurate, full)",
    ),
]
Networks = Annotated[
    int | None,
    Option(
        min=1,
        metavar="N",
        help="Train N networks that differ in their seed; their mean opinion counts. More accurate, and"
        " training and parsing take longer. Above 1 all presets but first have networks. (default: 1)",
        panel="Parts and features",
    ),
]
NetworkWidth = Annotated[
    int | None,
    Option(
        min=16,
        max=4096,
        metavar="N",
        help="How wide the layers of a network are, a multiple of 16; of --torch: --torch-width. (default: by"
        " the size of the treebank)",
        panel="Parts and features",
    ),
]
NetworkBits = Annotated[
    int | None,
    Option(
        metavar="[8|32]",
        help="Of each weight of a network in the model. 8 is several times faster and smaller; 32 is as it"
        " was learned. (default: 8)",
        panel="Parts and features",
    ),
]
NetworkWeight = Annotated[
    float | None,
    Option(
        metavar="W",
        help="How much a network counts beside features. (default: what does best on the development set, or"
        " on a tenth of the treebank that is held out)",
        panel="Parts and features",
    ),
]
ByTorch = Annotated[
    bool,
    Option(
        "--torch",
        help="Let PyTorch train a larger network, on a GPU where there is one; the model runs without it"
        " (docs/torch-training.md).",
    ),
]
Seed = Annotated[
    int, Option(min=0, max=LARGEST_SEED, help="Same seed and data: the same model, byte for byte.")
]
Threads = Annotated[
    int, Option(min=0, max=MOST_THREADS, help="0 uses every core; the model does not depend on it.")
]
Pipeline = Annotated[
    bool,
    Option(
        "--pipeline", help="Train a tokenizer and a tagger too, for raw text; the parser sees their tags."
    ),
]
Text = Annotated[
    Path | None,
    Option(
        metavar="FILE",
        help="With --pipeline: running text of the language, for treebanks that do not say where spaces are.",
    ),
]
Tagger = Annotated[
    bool, Option("--tagger", help="Train a tagger of parts of speech, features and lemmas instead.")
]
Resume = Annotated[
    bool,
    Option("--resume", help="Go on with a run that was killed (its state is beside OUTPUT: OUTPUT.state …)."),
]
OnError = Annotated[
    cli_choices.OnError,
    Option(help="Stop at the first broken sentence of the treebank, or skip and count them."),
]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Print nothing but errors.")]

# Parts and features

Factorization = Annotated[
    str | None,
    Option(
        metavar=f"[{'|'.join(PARTS)}]",
        help="The parts in detail, instead of the preset's.",
        panel="Parts and features",
    ),
]
Templates = Annotated[
    Path | None,
    Option(
        help="File of feature templates to add, switch off or replace; see `headwise templates`. Or"
        " mcdonald: the first-order features of McDonald et al. (2005).",
        panel="Parts and features",
    ),
]
Cutoff = Annotated[
    int | None,
    Option(
        min=1,
        metavar="N",
        help="Learn only features that occur N times in the gold trees. (default: all)",
        panel="Parts and features",
    ),
]
Without = Annotated[
    list[str] | None,
    Option(
        help="Kind of larger part (sibling, grandchild, outermost …) to give no features.",
        panel="Parts and features",
    ),
]
WholeTree = Annotated[
    list[str] | None,
    Option(
        "--whole-tree",
        "--global-features",
        help="Family of features of whole trees (valency, crossing …), instead of the preset's; 'none':"
        " no such features.",
        panel="Parts and features",
    ),
]
Roles = Annotated[
    bool | None,
    Option(
        "--roles/--no-roles",
        help="Guess the label of each word and the side of its head first, for features that ask for"
        " them: more accurate, and a fifth slower. (default: from third order on)",
        panel="Parts and features",
    ),
]
Positions = Annotated[
    bool | None,
    Option(
        "--positions",
        help="Features of parts by position: the innermost modifiers of a word apart from others.",
        panel="Parts and features",
    ),
]
Tensor = Annotated[
    bool,
    Option(
        "--tensor",
        help="Learn a low-rank tensor beside the features of arcs (docs/tensor.md).",
        panel="Parts and features",
    ),
]
TensorRank = Annotated[
    int | None,
    Option(min=1, max=1024, help="The same of this rank. (default: 50)", panel="Parts and features"),
]
TensorLabels = Annotated[
    bool,
    Option(
        "--tensor-labels", help="Let the tensor score the labels of arcs too.", panel="Parts and features"
    ),
]
PruneThreshold = Annotated[
    float | None,
    Option(
        help="Consider heads at least this fraction as likely as the best one. (default: the preset's)",
        panel="Parts and features",
    ),
]
PruneHeads = Annotated[
    int | None,
    Option(
        min=1,
        help="Consider at most so many heads a word. (default: the preset's)",
        panel="Parts and features",
    ),
]
ArcBits = Annotated[
    int | None,
    Option(
        min=10,
        max=28,
        help="Size of the arc weight table, 2^N. (default: the preset's)",
        panel="Parts and features",
    ),
]

# Trees

Trees = Annotated[
    choices.Trees,
    Option(help="Kind of tree to search; auto looks at the share of crossing arcs.", panel="Trees"),
]
Root = Annotated[
    choices.Root,
    Option(help="One word under the root or several; auto looks at the treebank.", panel="Trees"),
]
ChooseTrees = Annotated[
    bool,
    Option(
        "--choose-trees",
        help="Where arcs may cross: decode without crossing arcs if DEV is parsed better so.",
        panel="Trees",
    ),
]

# Learning

Learner = Annotated[
    choices.Learner,
    Option(
        help="Large-margin online (mira), averaged perceptron, margins between samples (samplerank),"
        " probabilities of trees (log-linear), or margins by subgradient (max-margin).",
        panel="Learning",
    ),
]
Optimizer = Annotated[
    choices.Optimizer,
    Option(
        help="How log-linear and max-margin are optimized: by stochastic gradient (online), by"
        " exponentiated gradient on the dual (eg, eg-batch), or by SciPy over all of them (l-bfgs, cg).",
        panel="Learning",
    ),
]
Step = Annotated[
    float | None,
    Option(help="Step of stochastic gradient. (default: the preset's)", panel="Learning"),
]
Cost = Annotated[
    float | None,
    Option(
        help="Of log-linear: what a wrong head costs while learning; 0 is plain likelihood.",
        panel="Learning",
    ),
]
Tune = Annotated[
    list[str] | None,
    Option(
        metavar="NAME=VALUE,VALUE",
        help="Train with each of these values of a setting (regularization, aggressiveness, epochs,"
        " network.width …) and keep what parses DEV best; may be repeated.",
        panel="Learning",
    ),
]
Averaging = Annotated[
    bool,
    Option(
        help="Average the weights over all steps, or keep the last ones; of online learners.",
        panel="Learning",
    ),
]
Regularization = Annotated[
    float | None,
    Option(help="C of C/2·|w|² + losses, for optimizers other than online.", panel="Learning"),
]
Calibration = Annotated[
    bool,
    Option(
        help="Fit probabilities (parse --confidence): on DEV, or, without it, on parts of the training "
        "data that other parsers have not seen, which takes about as long again.",
        panel="Learning",
    ),
]
JointTags = Annotated[
    choices.JointTags | None,
    Option(
        help="Train a --pipeline that chooses tags together with trees (docs/joint-tags.md): by climbing,"
        " with any parser; or for certain, with one of projective trees, tag by tag (senses) or sequence by"
        " sequence (agree).",
        panel="Learning",
    ),
]
JointCandidates = Annotated[
    choices.JointCandidates,
    Option(
        help="With --joint-tags: which tags are considered, those that lower the tagger's score by little"
        " (margin) or those that it took for one another in training (confusions; Zhang et al. 2014).",
        panel="Learning",
    ),
]
JointLearner = Annotated[
    choices.JointLearner | None,
    Option(
        help="With --joint-tags climb: learn which tags go with which trees, too, on top of models that"
        " have not seen the sentence; takes about four times as long.",
        panel="Learning",
    ),
]
Jackknife = Annotated[
    int | None,
    Option(
        min=2,
        metavar="N",
        help="Train on tags from N taggers that have not seen the sentence, as a parser of new text meets"
        " them. (default: the treebank's own tags; 5 with --pipeline)",
        panel="Learning",
    ),
]
Rewrite = Annotated[
    float | None,
    Option(
        min=0,
        max=1,
        metavar="SHARE",
        help="Of a --pipeline: rewrite this share of the sentences as people type, in lower case, in"
        " capitals, without a full stop (for the tokenizer paragraphs, with it). (default: 0.15)",
        panel="Learning",
    ),
]
GoldTagsToo = Annotated[
    bool,
    Option(
        "--gold-tags-too",
        help="With --pipeline: the parser learns from every sentence twice, with predicted tags and with the"
        " treebank's own; takes twice as long (docs/joint-tags.md).",
        panel="Learning",
    ),
]
OnlyAnnotated = Annotated[
    bool,
    Option(
        "--only-annotated",
        help="Learn from the words that headwise annotate has marked (Annotated=Yes in MISC) and from no"
        " others; needs --learner log-linear where words are left.",
        panel="Learning",
    ),
]
AlsoAnnotated = Annotated[
    Path | None,
    Option(
        "--annotated",
        metavar="FILE",
        help="Learn from the marked words of FILE too (docs/annotate.md).",
        panel="Learning",
    ),
]

# Labels

Labels = Annotated[
    choices.Labels,
    Option(
        help="Labels over the finished tree (separate), inside the search (joint), learned clusters of"
        " arcs that the treebank does not name (latent), or none.",
        panel="Labels",
    ),
]
Clusters = Annotated[int | None, Option(min=1, max=200, help="How many latent labels.", panel="Labels")]
Unlabeled = Annotated[bool, Option("--unlabeled", help="Learn heads only.", panel="Labels")]
Rules = Annotated[
    bool,
    Option(
        "--rules/--no-rules",
        help="Choose labels so that they obey the rules of Universal Dependencies that the training treebank"
        " obeys, such as one subject a predicate.",
        panel="Labels",
    ),
]

# Words

WordClusters = Annotated[
    list[Path] | None,
    Option(
        metavar="FILE",
        help="Clusters of words from raw text (`headwise cluster`), for features of parser and tagger;"
        " up to three files.",
        panel="Words",
    ),
]
Vectors = Annotated[
    Path | None,
    Option(
        metavar="FILE",
        help="Vectors of words from raw text (`headwise vectors`, or text files of word2vec or fastText),"
        " for a network or a tensor; without either, a network is trained too.",
        panel="Words",
    ),
]
ClusterContours = Annotated[
    Contours | None,
    Option(
        help="Where the tree of clusters is cut into classes that stand in for tags: at a depth"
        " (prefixes), or where they are even in population, or tell most.",
        panel="Words",
    ),
]
FrequentWords = Annotated[
    int | None,
    Option(
        min=1,
        metavar="N",
        help="Tell only the N most frequent words apart. (default: all)",
        panel="Words",
    ),
]
WithoutColumn = Annotated[
    list[str] | None,
    Option(metavar="[lemma|upos|xpos|feats]", help="Column that the parser is not to read.", panel="Words"),
]

"""``headwise inception``: suggestions for annotators who work with INCEpTION."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from headwise.base.messages import tell
from headwise.cli.choices import LARGEST_SEED, ModelName, Threads
from headwise.cli.command import Option
from headwise.cli.orders import OfFeatures

if TYPE_CHECKING:
    from headwise.components.parser.parser import Parser
    from headwise.pipeline.pipeline import Pipeline
    from headwise.treebank import Sentence

MOST_CONNECTIONS = 64


def inception(
    model: ModelName = "en",
    port: Annotated[int, Option(min=0, max=65535, help="0 is any free one.")] = 5000,
    host: Annotated[
        str, Option(help="The address to listen at; 0.0.0.0 lets other machines ask.")
    ] = "127.0.0.1",
    k_best: Annotated[
        int, Option(min=1, max=10, metavar="K", help="Suggest the arcs of the K most probable trees.")
    ] = 1,
    treebank: Annotated[
        Path | None,
        Option(help="Sentences to learn from beside those of annotators, when INCEpTION asks to train."),
    ] = None,
    factorization: OfFeatures = "carreras",
    folder: Annotated[
        Path | None, Option(help="Where to keep trained parsers; by default they end with the command.")
    ] = None,
    seed: Annotated[int, Option(min=0, max=LARGEST_SEED, help="Of training.")] = 1,
    threads: Threads = 1,
) -> None:
    """Run an external recommender for INCEpTION.

    In the settings of a project, add a recommender for the layer Dependency (or POS, Lemma, Morphological
    features) with the tool "Remote classifier" and the URL that is printed. Suggestions come with
    probabilities; around the arcs that are annotated already, they are the best tree there is. With
    "Trainable", a parser is trained on what is annotated, and used once it is better (docs/inception.md).

    Example: headwise inception --model en --port 5000
    """
    from headwise.base.errors import HeadwiseError
    from headwise.pipeline.pipeline import load
    from headwise.web.extra import check_installed

    check_installed()
    try:
        from headwise.web.inception.app import recommender_app
        from headwise.web.inception.recommender import Recommender
        from headwise.web.inception.training import Learning, Recommenders
    except ImportError as error:
        raise HeadwiseError(f"{error}.") from error
    from headwise.web.access import Access
    from headwise.web.listening import bind, run, url_of

    first = Recommender(load(model), k_best=k_best)
    learning = Learning(
        treebank=_with_tags(treebank, first.model) if treebank else (),
        factorization=factorization,
        seed=seed,
        threads=threads,
        folder=folder,
        tell=tell,
    )
    app = recommender_app(Recommenders(first, learning), access=Access.of_address(host))
    listening = bind(host, port)
    url = url_of(listening).rstrip("/")
    run(
        app,
        listening,
        ready=lambda: tell(f"suggestions at {url}; stop with Ctrl-C"),
        limit_concurrency=MOST_CONNECTIONS,
    )


def _with_tags(treebank: Path, model: Pipeline | Parser) -> list[Sentence]:
    """A treebank with the tags that the parser will meet."""
    from headwise.treebank import read

    return list(model.flow(tags="replace" if model.tagger else "given").tagged(read(treebank)))

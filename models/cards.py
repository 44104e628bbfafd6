"""The card of a model: what it was made of, its licence, how good it is, what it is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.recipe import Data, Recipe
from models.sources import TextSource, TreebankSource, licence_link, text_sources, treebank_sources

SCORES = {
    "tokens": "tokens",
    "sentences": "sentences",
    "words": "words",
    "upos": "UPOS",
    "ufeats": "features",
    "lemmas": "lemmas",
    "uas": "UAS",
    "las": "LAS",
}


def card_of(recipe: Recipe, data: Data, result: Mapping[str, Any]) -> str:
    """In Markdown."""
    language = recipe.language
    sections = [
        f"# A model of {language}: `{recipe.code}`",
        f"A pipeline for {language}: a tokenizer and sentence splitter, a tagger and a parser, as Universal"
        f" Dependencies annotates {language}. Trees are those of a network, which reads bare words and helps"
        f" the tagger too. It reads {result['words_per_second']:,} words a second on one core of a machine"
        " that does much else.",
        _in_use(recipe),
        _facts(recipe, data, result),
        "## Attribution",
        "\n".join(map(_of_treebank, treebank_sources(recipe, data.treebanks))),
        _of_text(text_sources(recipe)),
        "The model was learned from these texts and holds none of them. Whoever passes it on, changed or not,"
        f" does so under {recipe.licence} (<{licence_link(recipe)}>) and names these sources.",
        "## Scores",
        "From raw text, F1 by the rules of CoNLL 2018, on the test sets named. Figures of other systems are"
        " on the page of languages in Headwise's documentation.",
        _scores(result),
        "## What it is not",
        " ".join([*_limits(recipe, result), *recipe.notes]),
        "## Making it again",
        f"`python -m models build {recipe.code}` in a checkout of Headwise, by version {recipe.version} of"
        f" `models/recipes/{recipe.code}.toml`. The sha256 of the file begins with `{result['digest']}`.",
    ]
    return "\n\n".join(filter(None, sections)) + "\n"


def _in_use(recipe: Recipe) -> str:
    lines = (
        "import headwise",
        "",
        f'nlp = headwise.load("{recipe.code}")',
        f'print(nlp("{recipe.example}"))',
    )
    return "\n".join(("```python", *lines, "```"))


def _facts(recipe: Recipe, data: Data, result: Mapping[str, Any]) -> str:
    words = result["words"]
    rows = {
        "Language": recipe.language,
        "Treebanks": f"{', '.join(map(str, data.train))}: {words['train']:,} words; {words['dev']:,} more"
        " chose how much the network counts for tags, and fitted probabilities",
        "Raw text": "clusters and vectors of its words" if recipe.text else "none",
        "Licence": f"**{recipe.licence}**; the program has another licence (MIT)",
        "Size": f"{result['bytes'] / 1e6:.1f} MB",
    }
    return "| | |\n|---|---|\n" + "\n".join(f"| {name} | {what} |" for name, what in rows.items())


def _of_treebank(source: TreebankSource) -> str:
    state = f", as of {source.state}" if source.state else ""
    remark = f" {source.remark}" if source.remark else ""
    return (
        f"- UD_{source.name} (<{source.repository}>{state}), by its authors, whom its README names: "
        f"{source.licence}.{remark}"
    )


def _of_text(sources: list[TextSource]) -> str:
    if not sources:
        return ""
    named = "; ".join(f"{source.what} ({source.licence})" for source in sources)
    return f"Raw text, for clusters and vectors of words: {named}."


def _scores(result: Mapping[str, Any]) -> str:
    lines = [
        f"| test set | {' | '.join(SCORES.values())} |",
        f"|---|{'---:|' * len(SCORES)}",
        *(
            f"| {treebank} | {' | '.join(f'{scores[name]:.2f}' for name in SCORES)} |"
            for treebank, scores in result["scores"].items()
        ),
    ]
    return "\n".join(lines)


def _limits(recipe: Recipe, result: Mapping[str, Any]) -> list[str]:
    found = ["It knows the kind of text that its treebanks are of; others are parsed less well."]
    if not recipe.complete and not result["release"]:
        found.append(
            "It was trained on less than the treebanks' authors give for training, and is less accurate than"
            " the same recipe with all of it (`--ud`)."
        )
    if any("held out" in treebank for treebank in result["scores"]):
        found.append("The sentences that judge it also chose how much its network counts for tags.")
    return found

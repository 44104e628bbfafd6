"""The page about settings, made of their fields: docs/reference/settings.md.

python tools/settings_page.py            # prints the page
python tools/settings_page.py --write    # writes it; a test says when it is stale
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Any

from headwise.base.fields import Setting, fields_of, in_words
from headwise.components.reranker.settings import RerankerSettings
from headwise.components.tagging.settings import TaggerSettings
from headwise.components.text.settings import TokenizerSettings
from headwise.training.pipeline_settings import PipelineSettings
from headwise.training.pretraining_settings import PretrainingSettings
from headwise.training.settings import MAIN, TrainingSettings

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "settings.md"
HEAD = """# Settings

Made from the settings themselves by `tools/settings_page.py`. Settings of a group are given in Python as a
mapping, `pruning={"threshold": 1e-3}`, or one by one, `pruning__threshold=1e-3`; to `--tune` as
`pruning.threshold=1e-3,1e-4`. What training accepts is what a model file may have: the limits are the same.
"""
OTHERS: dict[type, str] = {
    PipelineSettings: "Of a pipeline, beside those of its parser: `Pipeline.train(…, jackknife=5)`.",
    TaggerSettings: "Of a tagger: `Tagger.train(…, epochs=5)`; of a pipeline's, the group `tagger`.",
    TokenizerSettings: "Of a tokenizer: `Tokenizer.train(…, epochs=5)`; of a pipeline's: `tokenizer`.",
    RerankerSettings: "Of `headwise rerank`.",
    PretrainingSettings: "Of `headwise pretrain`.",
}


def page() -> str:
    """The whole page."""
    parts = [HEAD, "## TrainingSettings\n", "Of a parser: `Parser.train(…, epochs=5)`.\n"]
    groups: dict[str, list[Setting]] = {"": []}
    for one in fields_of(TrainingSettings).values():
        group, _, _ = one.name.rpartition(".")
        groups.setdefault(group, []).append(one)
    parts.append(_table(groups.pop("")))
    for group, settings in groups.items():
        kind = type(getattr(TrainingSettings(), group))
        short = f" A single value stands for `{MAIN[group]}`." if group in MAIN else ""
        parts += [f"### {group}\n", f"{_about(kind)}{short}\n", _table(settings)]
    for kind, about in OTHERS.items():
        own = [one for one in fields_of(kind).values() if "." not in one.name]
        parts += [f"## {kind.__name__}\n", f"{about}\n", _table(own)]
    return "\n".join(parts)


def _about(kind: type) -> str:
    return " ".join(inspect.cleandoc(kind.__doc__ or "").split()).replace("``", "`")


def _table(settings: list[Setting]) -> str:
    rows = ["| setting | option | value | default | |", "|---|---|---|---|---|"]
    rows += [" | ".join(["", *map(_cell, _row(one)), ""]).strip() for one in settings]
    return "\n".join(rows) + "\n"


def _row(one: Setting) -> list[str]:
    said = one.declared
    options = [said.option.replace("/", ", ")] if said.option else []
    options += [flag.name for flag in said.flags]
    limits = [text for limit in said.limits if (text := _limit(limit))]
    help = said.help or "Feature templates by table instead of the built-in ones (`headwise templates`)."
    default = one.default if said.default is None else said.default
    return [
        f"`{one.name}`",
        " ".join(f"`{option}`" for option in options),
        ", ".join([in_words(one.hint), *limits]),
        f"{default}" if default not in ((), {}) else "none",
        help,
    ]


def _limit(limit: Any) -> str:
    """What a limit asks for, in the words of its message."""
    must = str(limit.problem(limit.beyond()[0])).partition("must ")[2]
    return must.replace("not be negative", "not negative").removeprefix("be ")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> None:
    """Print the page, or write it."""
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page(), end="")


if __name__ == "__main__":
    main()

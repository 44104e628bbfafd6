"""Building the site with Zensical, from staged pages to checked ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from docs_site.checks import problems_of
from docs_site.stage import navigation, stage


def prepare(repository: Path, output: Path) -> None:
    """The staged pages and the configuration that fits them."""
    import yaml

    pages = stage(repository, output / "docs")
    configuration = yaml.safe_load((Path(__file__).parent / "mkdocs.yml").read_text(encoding="utf-8"))
    configuration["nav"] = navigation(configuration["nav"], pages)
    handlers = next(p["mkdocstrings"] for p in configuration["plugins"] if "mkdocstrings" in p)["handlers"]
    handlers["python"]["paths"] = [str(repository / "src")]
    text = yaml.safe_dump(configuration, sort_keys=False, allow_unicode=True)
    (output / "mkdocs.yml").write_text(text, encoding="utf-8")


def build(repository: Path, output: Path) -> list[str]:
    """Builds the site strictly; what is wrong with it."""
    prepare(repository, output)
    command = [
        sys.executable,
        "-m",
        "zensical",
        "build",
        "--clean",
        "--strict",
        "-f",
        str(output / "mkdocs.yml"),
    ]
    done = subprocess.run(command, cwd=output, capture_output=True, text=True, env=_environment())
    if done.returncode or "arning" in done.stdout + done.stderr:
        return [done.stdout + done.stderr]
    return problems_of(output / "site")


def serve(repository: Path, output: Path) -> None:
    prepare(repository, output)
    command = [sys.executable, "-m", "zensical", "serve", "-f", str(output / "mkdocs.yml")]
    subprocess.run(command, cwd=output, check=False)


def _environment() -> dict[str, str]:
    import os

    return {**os.environ, "NO_COLOR": "1"}

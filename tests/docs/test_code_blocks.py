"""Every code block of README and docs runs, in the order of its page, and prints what the page says."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from command_server import serving
from markdown_blocks import CODE, DATA, Block, blocks_of, pages, without_code
from prepared_folder import prepare
from running import Session, check_data, missing
from short_training import train_briefly

REPOSITORY = Path(__file__).parents[2]
PAGES = pages(REPOSITORY)
NAMES = [page.relative_to(REPOSITORY).as_posix() for page in PAGES]


@pytest.fixture(scope="session")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with serving(tmp_path_factory.mktemp("commands")) as folder:
        yield folder


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prepared")
    with train_briefly():
        prepare(folder)
    return folder


def run_page(name: str, folder: Path, prepared: Path, commands: Path, *, slowly: bool) -> None:
    """Blocks up to the first slow one, or all of them."""
    shutil.copytree(prepared, folder, dirs_exist_ok=True)
    session = Session(name, folder, commands)
    skipped: set[str] = set()
    with train_briefly():
        for block in blocks_of((REPOSITORY / name).read_text(encoding="utf-8")):
            if block.remark("code: slow") is not None and not slowly:
                break
            if block.language not in CODE or block.remark("code: not run") is not None:
                check_data(block)
                continue
            if absent := missing(block.needs + (["duckdb"] if block.language == "sql" else [])):
                skipped.update(absent)
                continue
            session.run(block)
    if skipped:
        pytest.skip(f"some blocks need {', '.join(sorted(skipped))}; the others run")


@pytest.mark.parametrize("name", NAMES)
def test_code_of_page(name: str, tmp_path: Path, prepared: Path, commands: Path) -> None:
    run_page(name, tmp_path, prepared, commands, slowly=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name in NAMES if "<!-- code: slow" in (REPOSITORY / name).read_text(encoding="utf-8")]
)
def test_slow_code_of_page(name: str, tmp_path: Path, prepared: Path, commands: Path) -> None:
    run_page(name, tmp_path, prepared, commands, slowly=True)


@pytest.mark.parametrize("name", NAMES)
def test_blocks_are_well_formed(name: str) -> None:
    """A language that is known, no ellipsis in code, reasons where code is not run, no unfenced code."""
    text = (REPOSITORY / name).read_text(encoding="utf-8")
    for block in blocks_of(text):
        place = f"{name}:{block.line}"
        assert block.language in CODE + DATA, f"{place}: a block in no language of {CODE + DATA}"
        if block.language != "text":
            assert "…" not in block.code, f"{place}: … in code that is to be copied"
        for kind in ("code: not run", "code: slow"):
            assert block.remark(kind) != "", f"{place}: {kind}, but why?"
        assert all(
            remark.startswith(
                (
                    "code: ",
                    "output: ",
                    "page: ",
                    "figures",
                    "/figures",
                    "tests",
                    "main job",
                    "layers",
                    "/layers",
                )
            )
            for remark in block.remarks
        ), f"{place}: {block.remarks}"
    unfenced = re.search(r"\n\n {4}(?![-*\d ])", without_code(text))
    assert unfenced is None, f"{name}: indented code; fence it, and name its language"


@pytest.mark.parametrize("name", NAMES)
def test_options_of_commands_that_are_not_run(name: str) -> None:
    """Code that cannot be run here still names commands, scripts and options that exist."""
    for block in blocks_of((REPOSITORY / name).read_text(encoding="utf-8")):
        if block.language == "sh" and block.remark("code: not run") is not None:
            for wrong in unknown_options(block):
                raise AssertionError(f"{name}:{block.line}: {wrong}")


def unknown_options(block: Block) -> Iterator[str]:
    code = block.code.replace("\\\n", " ")
    for line in code.splitlines():
        for command in re.split(r"&&|\||;", line.partition("#")[0]):
            if found := re.search(r"python3? (?:-m )?((?:benchmarks|tools|examples)\b[\w./]*)", command):
                script = REPOSITORY / re.sub(r"^(benchmarks)\.(\w+)$", r"\1/\2.py", found[1])
                if not script.exists():
                    yield f"there is no {found[1]}"
                    continue
                files = [*script.rglob("*.py")] if script.is_dir() else [script]
                known = "".join(file.read_text(encoding="utf-8") for file in files)
            elif found := re.search(r"\bheadwise ([a-z]+)", command):
                known = help_of(found[1])
            else:
                continue
            options = re.findall(r"(?<=\s)--[a-z][\w-]*", command[found.end() :])
            yield from (f"{found[1]} has no option {option}" for option in options if option not in known)


@cache
def help_of(command: str) -> str:
    from docs_site.commands import helps

    return helps([command])[0]

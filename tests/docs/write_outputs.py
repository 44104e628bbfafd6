"""Write what code blocks print into their pages: ``python tests/docs/write_outputs.py docs/words.md …``.

Look at the difference before you commit it: a page says what it should print.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
sys.path[:0] = [str(REPOSITORY / folder) for folder in ("src", "tests", "tools")]

from command_server import serving  # noqa: E402
from markdown_blocks import CODE, blocks_of  # noqa: E402
from prepared_folder import prepare  # noqa: E402
from running import Session, comparable, missing  # noqa: E402
from short_training import train_briefly  # noqa: E402


def write_outputs(page: Path, prepared: Path, commands: Path) -> None:
    """Runs a page up to its end or its first failure, and puts every output into its place."""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(prepared, folder, dirs_exist_ok=True)
        session = Session(page.name, Path(folder), commands)
        for block in blocks_of(text):
            if (
                block.language not in CODE
                or block.remark("code: not run") is not None
                or missing(block.needs)
            ):
                continue
            output, block.output = block.output, None
            printed = session.run(block)
            if output is not None and output.remark("output: example") is None:
                old = f"```text\n{output.code}```"
                text = text.replace(old, f"```text\n{comparable(printed, False)}\n```", 1)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as commands, train_briefly():
        prepared = Path(folder) / "prepared"
        prepared.mkdir()
        prepare(prepared)
        for name in sys.argv[1:]:
            write_outputs(Path(name).resolve(), prepared, commands)

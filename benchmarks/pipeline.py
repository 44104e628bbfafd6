"""From raw text to trees: accuracy of pipelines, and what their command costs.

    python benchmarks/pipeline.py EWT GUM                            # the bundled model, on two test sets
    python benchmarks/pipeline.py EWT --dev --models full.hw small.hw -o report.md
    python benchmarks/pipeline.py EWT --stream 1 50                  # 1 and 50 MB of text: speed, peak memory

The raw text is put together from the treebank (an empty line between paragraphs). Scores are F1 of the UD
scorer, from raw text and on gold tokens. A stream is the text of the training set, over and over; its speed
is words per second of processor time, one core, from a file of text to a file of CoNLL-U, start-up included.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from headwise import Pipeline, load
from headwise.components.text.raw_text import raw_text
from headwise.evaluation import evaluate
from headwise.model.bundled import DEFAULT, model_path
from headwise.treebank import Sentence, Treebank
from report import Report, Row, Table, command_line, machine
from shared_data import find_treebank

FROM_TEXT = ("tokens", "sentences", "words", "upos", "xpos", "ufeats", "lemmas", "uas", "las")
ON_GOLD_TOKENS = ("upos", "xpos", "ufeats", "lemmas", "uas", "las")
SENTENCE = "She announced a program to promote safety in trucks and vans."


def scores_of(pipeline: Pipeline, gold: list[Sentence]) -> dict[str, dict[str, str]]:
    """F1 of each measure, in per cent, from raw text and on gold tokens."""
    from_text = [parse.to_sentence() for parse in pipeline(raw_text(gold))]
    tagged = [parse.to_sentence() for parse in pipeline.pipe_sentences(gold, tags="replace")]
    found = {}
    for title, measures, system in (
        ("raw text", FROM_TEXT, from_text),
        ("gold tokens", ON_GOLD_TOKENS, tagged),
    ):
        scores = evaluate(gold, system, "ud")
        found[title] = {name: f"{100 * getattr(scores, name).f1:.2f}" for name in measures}
    return found


def row_of(model: str, treebank: str, gold: list[Sentence]) -> Row:
    """Its scores from raw text and on gold tokens, by columns of their own."""
    pipeline = load(model)
    if not isinstance(pipeline, Pipeline):
        raise SystemExit(f"{model} is no pipeline")
    columns = {
        f"{title}: {name}": f1
        for title, measures in scores_of(pipeline, gold).items()
        for name, f1 in measures.items()
    }
    return {"Model": Path(model).stem, "Treebank": treebank, **columns}


def run(*arguments: str) -> tuple[float, float, float]:
    """Runs the command; its processor seconds, its wall-clock seconds, its peak memory in MB."""
    command = [sys.executable, "-c", "from headwise.cli import main; main()", *arguments]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"headwise {' '.join(arguments)} failed")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 1024


def print_stream(model: str, text: str, words: int, megabytes: float) -> None:
    copies = max(1, round(megabytes * 1e6 / len(text.encode())))
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "text.txt", Path(folder) / "parsed.conllu"
        with source.open("w", encoding="utf-8") as file:
            for _ in range(copies):
                file.write(text + "\n\n")
        size = source.stat().st_size / 1e6
        seconds, _, memory = run("parse", str(source), "-m", model, "-o", str(target))
    speed = f"{copies * words / seconds:,.0f} words/s"
    print(f"  {size:6.1f} MB, {copies * words:,} words: {speed}, peak memory {memory:,.0f} MB", flush=True)


def main() -> None:
    options = parse_arguments()
    report, rows = Report(options.output), []
    for model in options.models:
        print(f"{model}: {model_path(model).stat().st_size / 1e6:.1f} MB")
        if options.stream:
            cpu, wall, _ = min(run("parse", SENTENCE, "-m", model) for _ in range(5))
            print(f"  one sentence: {wall:.2f} s, of the processor {cpu:.2f} s")
        for name in options.treebanks:
            treebank = find_treebank(name)
            if options.stream:
                train = Treebank.load(treebank.train, validate="columns")
                text, words = raw_text(list(train)), sum(map(len, train))
                for megabytes in options.stream:
                    print_stream(model, text, words, megabytes)
                continue
            path = treebank.dev if options.dev and treebank.dev else treebank.test
            rows.append(row_of(model, treebank.name, list(Treebank.load(path))))
    if rows:
        facts = {"measured with": machine(), "command": command_line(__file__, sys.argv[1:])}
        report.add(Table("Pipelines, F1 of the UD scorer", facts, rows))


def parse_arguments() -> argparse.Namespace:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("treebanks", nargs="+", help="names (or folders) of treebanks")
    parser.add_argument("--models", nargs="+", default=[DEFAULT], help="names or files of pipelines")
    parser.add_argument("--dev", action="store_true", help="score the development set")
    parser.add_argument("-o", "--output", type=Path, help="Markdown file")
    parser.add_argument(
        "--stream", nargs="+", type=float, metavar="MB", help="measure on so much text instead"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""Shows that two checkouts train the same models and find the same parses, byte for byte.

    python tools/same_bytes.py BEFORE AFTER [--only network=True full] [--treebank TRAIN TEST] [--keep DIR]

BEFORE and AFTER are folders whose extension module is built in place. Every configuration is trained on a toy
treebank in a process of its own, saved, loaded, and asked for all that a parser gives; then weights and
answers are compared. What the header of the model file says may differ: that is shown, and is no failure.
With --keep, what BEFORE gives is stored as JSON, and taken from there where it is. Checkouts that call their
settings otherwise are reached through RENAMED.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

CONFIGURATIONS = """
{first second third full}
{first second third full} threads=2
{first second third full} dev long
{first third} learner={perceptron log-linear max-margin}
first learner=log-linear {threads=2 dev}
{first second} learner=log-linear optimizer={l-bfgs cg eg eg-batch} calibrate=false
{first second} learner=log-linear optimizer=eg-batch threads=2 calibrate=false
first learner=log-linear cost=0.0 step=0.05 l2=0.01 calibrate=false
{first second} learner=max-margin optimizer={eg eg-batch} calibrate=false
first labels=joint learner={mira perceptron max-margin}
first labels=joint learner=log-linear long
first labels=joint learner=log-linear optimizer=l-bfgs calibrate=false
first labels=latent learner=log-linear clusters=3 long
first labels=latent learner=log-linear optimizer=cg dev
{second third} labels=joint learner={mira log-linear} calibrate=false
second labels=latent learner=log-linear clusters=3 calibrate=false
first labels=none
third labels=none network=true calibrate=false
third factorization={sibling carreras model0 model1 model2} learner={mira log-linear} calibrate=false
third factorization={grand_tri_sibling great_grand_sibling} learner={mira log-linear} calibrate=false
{second third} positions=true calibrate=false
third learner={mira perceptron} rival=relaxed calibrate=false
third network=true long
second network=true learner=log-linear runs=2 dev
second roles=true
third roles=false
third global_features={S} global_learning={stacked joint} learner={mira perceptron} calibrate=false
second global_features={S} global_learning=joint global_restarts=2 runs=2 calibrate=false long
second without=sibling+grandchild runs=3
full learner=log-linear calibrate=false
third calibrate=false on={long-plain long-crossing}
first learner=log-linear optimizer={online l-bfgs} on={partial-plain partial-crossing}
second learner=log-linear trees={projective nonprojective} on=partial-plain
third learner=log-linear network=true trees={projective nonprojective} calibrate=false on=partial-plain
{first third} trees={projective nonprojective} root={single multi} calibrate=false on=crossing
third learner=samplerank constraints={both pairs gold} samples_a_word=2 calibrate=false on=crossing
second learner=samplerank runs=2 global_features={S} on=crossing
second learner=samplerank {threads=1 threads=2} dev on=crossing
second prune_threshold=0.05 prune_heads=2 long on=crossing
third global_features={S} calibrate=false on=bare
second factorization={carreras model2} learner=max-margin arc_bits=6 {W} on=hard-crossing
command --preset=fast --epochs=2 --arc-bits=14 long on=plain
command --no-network --learner=log-linear --trees=nonprojective --root=multi --epochs=2 dev on=crossing
""".replace("{S}", "span_length+valency+crossing+head_bigram").replace(
    "{W}", "prune_threshold=0.0 prune_heads=30"
)
"""Every choice at least once, and together those that share code: a preset and settings, or a ``command``
with flags of ``headwise train``. {} holds alternatives, + joins a list; ``dev`` gives a development set,
``long`` has sentences of over 300 and over 1,000 words parsed too, ``on`` names a toy treebank (without it:
``plain`` and ``crossing``)."""

RENAMED = {
    "prune_threshold": "pruning.threshold",
    "prune_heads": "pruning.heads",
    "prune_bits": "pruning.bits",
    "global_features": "whole_tree.families",
    "global_learning": "whole_tree.learning",
    "global_fold_epochs": "whole_tree.fold_epochs",
    "global_epochs": "whole_tree.epochs",
    "global_bits": "whole_tree.bits",
    "global_restarts": "whole_tree.restarts",
    "network": "network.use",
    "network_width": "network.width",
    "step": "gradient.step",
    "cost": "gradient.cost",
    "l2": "gradient.l2",
    "clusters": "latent.clusters",
    "samples_a_word": "sampling.samples_a_word",
    "constraints": "sampling.constraints",
}
"""Where checkouts that nest settings keep those that configurations call by a flat name."""

FULL_PRECISION = "--full-precision"
"""What keeps weights as they are; older checkouts do that anyway."""
DECODERS = [None, "map", "minimum-risk", "dual", "climb", "sample", "max-z"]
if find_spec("highspy"):
    DECODERS.append("exact-ilp")
ASKED = list(product(DECODERS, (False, True)))
"""Decoders (None: the model's own), without and with confidence."""
ASKED_OF_LONG = [(None, False), (None, True), ("minimum-risk", False), ("sample", False), ("max-z", False)]
"""Others take minutes."""
K, BATCH = 4, 7

KINDS = ["plain", "crossing", "bare", "hard-crossing", "partial-plain", "partial-crossing"]
KINDS += ["long-plain", "long-crossing"]
SIZES = {"train": 120, "dev": 30, "test": 20}
WORDS = {
    "DET": "the a this every",
    "NOUN": "dog cats tree houses parser rivers",
    "VERB": "sees find takes keep",
    "ADP": "of with under in",
    "ADJ": "old green new",
    "ADV": "often here",
    "CCONJ": "and or",
    "PUNCT": ".",
}
RULES = {
    "VERB": ("nsubj:NOUN:.9 advmod:ADV:.2", "advmod:ADV:.2 obj:NOUN:.6 obl:NOUN:.5 obl:NOUN:.2 conj:VERB:.1"),
    "NOUN": ("cc:CCONJ:.1 case:ADP:.4 det:DET:.6 amod:ADJ:.3", "nmod:NOUN:.3 conj:NOUN:.1"),
}
"""What hangs from a word, before and after it, and how often. What follows a noun may be the verb's, too."""

Outcome = dict[str, Any]
"""``weights``, ``answers`` and ``header`` of a configuration, or how it ``failed``."""


def phrase(rng: random.Random, label: str, tag: str, head: Any) -> list[list[Any]]:
    """The words of a phrase in order: a form, a tag, a label, and the word that it hangs from."""
    word = [rng.choice(WORDS[tag].split()), tag, label, head]
    sides: list[list[list[Any]]] = [[], []]
    for side, rules in zip(sides, RULES.get(tag, ("", "")), strict=True):
        for label_below, tag_below, share in (rule.split(":") for rule in rules.split()):
            if rng.random() < float(share):
                side += phrase(rng, label_below, tag_below, word)
    return [*sides[0], word, *sides[1]]


def sentence(rng: random.Random, kind: str, least: int = 3) -> str:
    """As lines of CoNLL-U. Where arcs may cross, a word has left its place, or there are two roots."""
    words = phrase(rng, "root", "VERB", None)
    root = next(word for word in words if word[3] is None)
    while len(words) < least:
        words += phrase(rng, "parataxis", "VERB", root)
    if "crossing" in kind and rng.random() < 0.5:
        words.insert(rng.randrange(len(words)), words.pop(rng.randrange(len(words))))
    if "crossing" in kind and rng.random() < 0.1:
        words += phrase(rng, "root", "VERB", None)
    if kind == "scrambled":
        rng.shuffle(words)
    words += phrase(rng, "punct", "PUNCT", root)
    place = {id(None): 0} | {id(word): number for number, word in enumerate(words, 1)}
    lines = ""
    for number, (form, tag, label, head) in enumerate(words, 1):
        plural = form.endswith("s")
        known = form.rstrip("s"), tag, tag[0] + "S" * plural, "Number=Plur" if plural else "_"
        tree = ("_", "_") if "partial" in kind and rng.random() < 0.25 else (str(place[id(head)]), label)
        columns = str(number), form, *(("_", tag, "_", "_") if kind == "bare" else known), *tree, "_", "_"
        lines += "\t".join(columns) + "\n"
    return lines + "\n"


def write_toys(folder: Path) -> None:
    """The toy treebanks, always the same: of each kind a file for training, dev, test and long sentences."""
    for kind in KINDS:
        rng = random.Random(kind)
        texts = {part: [sentence(rng, kind) for _ in range(size)] for part, size in SIZES.items()}
        texts["long"] = [sentence(rng, kind, least) for least in (301, 1001)]
        if kind.startswith("partial"):
            texts["test"] = [sentence(rng, "crossing") for _ in texts["test"]]
        texts["test"] += [sentence(rng, "scrambled", 18) for _ in range(24 if "hard" in kind else 4)]
        if kind.startswith("long"):
            texts["train"].append(texts["long"][0])
        for part, text in texts.items():
            (folder / f"{kind}-{part}.conllu").write_text("".join(text))


def configurations() -> Iterator[str]:
    for line in CONFIGURATIONS.strip().splitlines():
        pieces = re.split("[{}]", line if " on=" in line else f"{line} on={{plain crossing}}")
        yield from map("".join, product(*(p.split() if i % 2 else [p] for i, p in enumerate(pieces))))


def options_of(configuration: str) -> dict[str, Any]:
    """A preset and settings; on toy treebanks, small enough to be trained in a second or two."""
    chosen, _, treebank = configuration.partition(" on=")
    preset, *words = chosen.split()
    options: dict[str, Any] = {"preset": preset}
    for name, equals, value in (word.partition("=") for word in words):
        if name in ("global_features", "without"):
            options[name] = tuple(value.split("+"))
        elif equals:
            options[name] = json.loads(value) if re.fullmatch(r"[\d.]+|true|false", value) else value
    if treebank not in KINDS:
        return options
    small: dict[str, Any] = {"epochs": 2, "arc_bits": 14, "label_bits": 14}
    if preset != "first":
        small |= {"prune_bits": 12}
    if preset == "full" or "network" in options:
        small |= {"network_width": 16}
    if "global_features" in options or (preset == "full" and "learner" not in options):
        small |= {"global_bits": 12, "global_fold_epochs": 1, "global_epochs": 1}
    return small | ({"runs": 2} if preset == "full" else {}) | options


def settings_of(options: Mapping[str, Any]) -> Any:
    """Settings from a preset and flat names, which newer checkouts have in sections (`RENAMED`)."""
    try:
        from headwise.training import TrainingSettings
    except ImportError:  # of checkouts before it
        from headwise.learning import TrainingSettings  # type: ignore[attr-defined, no-redef]

    if RENAMED.keys() <= {f.name for f in fields(TrainingSettings)}:
        return TrainingSettings.preset(**options)
    start, changes = TrainingSettings.preset(options["preset"]), dict[str, Any]()
    for name, value in options.items():
        section, _, entry = RENAMED.get(name, name).rpartition(".")
        if section:
            changes[section] = replace(changes.get(section, getattr(start, section)), **{entry: value})
        else:
            changes[entry] = value
    return TrainingSettings.preset(**changes)


def digest(array: Any) -> str:
    return f"{array.dtype} {array.shape} {hashlib.sha256(array.tobytes()).hexdigest()}"


def shown(parse: Any) -> dict[str, str]:
    """All that a parse says, to the last bit."""
    numbers = ("score", "exact", "gap", "limited", "log_prob", "rank")
    arrays = ("confidence", "label_confidence", "entropy")
    return {
        "heads": " ".join(map(str, parse.heads.tolist())),
        "labels": " ".join(parse.labels),
        **{name: repr(getattr(parse, name)) for name in numbers},
        **{name: digest(getattr(parse, name)) for name in arrays if getattr(parse, name) is not None},
        "CoNLL-U": hashlib.sha256(parse.to_annotated_sentence().to_bytes()).hexdigest(),
    }


def answers(parser: Any, file: str, asked: list[tuple[str | None, bool]], threads: int) -> dict[str, Any]:
    """What the parser says of the sentences of a file, one after the other."""
    from headwise import HeadwiseError
    from headwise.treebank import read

    sentences = [sentence.to_conllu() for sentence in read(file)]
    shorter = [sentence for sentence in sentences if len(sentence) < 1000]
    how: dict[str, Any] = {"threads": threads, "batch_size": BATCH}
    found: dict[str, Any] = {}
    for decoder, confidence in asked:
        name = f"{decoder or 'default'}{', confidence' if confidence else ''}"
        try:
            parses = parser.pipe(sentences, decoder=decoder, confidence=confidence, **how)
            found[name] = [shown(parse) for parse in parses]
        except HeadwiseError:
            if decoder in (None, "map"):  # which suit every model
                raise
            found[name] = "refused"
    found["k best"] = [[shown(parse) for parse in best] for best in parser.pipe_k_best(shorter, K, **how)]
    found["judge"] = [shown(parse) for parse in parser.judge(shorter, **how)]
    found["arc_scores"] = [digest(parser.arc_scores(sentence)) for sentence in sentences]
    found["arc_probabilities"] = [digest(parser.arc_probabilities(sentence)) for sentence in shorter]
    return found


def command(*arguments: str) -> list[str]:
    """The lines that the command line prints."""
    line = [sys.executable, "-m", "headwise", *arguments]
    return subprocess.run(line, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def examine(configuration: str, files: Mapping[str, str], model: str) -> Outcome:
    """Train, save, load and ask; imports no more of the package than it has to."""
    from safetensors import safe_open

    from headwise import Parser

    words = configuration.partition(" on=")[0].split()
    dev, flags = files["dev"] if "dev" in words else None, [word for word in words if word.startswith("--")]
    options = {} if flags else options_of(configuration)
    if flags:
        whole = [FULL_PRECISION] if FULL_PRECISION in "".join(command("train", "--help")) else []
        command("train", files["train"], "-q", "-o", model, *flags, *whole, *(["--dev", dev] if dev else []))
    else:
        Parser.train(files["train"], dev, settings=settings_of(options)).save(model)
    parser, threads = Parser.load(model), options.get("threads", 1)
    found: dict[str, Any] = {"test": answers(parser, files["test"], ASKED, threads)}
    if "long" in words:
        found["long"] = answers(parser, files["long"], ASKED_OF_LONG, threads)
    for printed in ("--confidence --certificates", "--k-best=2", "--to=json") if flags else ():
        asked = files["long" if "long" in words else "test"]
        found[f"parse {printed}"] = command("parse", asked, "-m", model, *printed.split())
    with safe_open(model, framework="numpy") as file:
        header = json.loads(file.metadata()["headwise"])
        weights = {name: digest(file.get_tensor(name)) for name in sorted(file.keys())}
    return {"weights": weights, "answers": found, "header": header}


def child() -> None:
    """A process of its own: a task on standard input, its outcome on standard output."""
    import headwise

    task = json.load(sys.stdin)
    if not Path(headwise.__file__).resolve().is_relative_to(Path(task["checkout"]).resolve()):
        sys.exit(f"{headwise.__file__} is not in {task['checkout']}")
    with TemporaryDirectory() as folder:
        found = examine(task["configuration"], task["files"], f"{folder}/model.hw")
    json.dump(found, sys.stdout)


def outcome(checkout: Path, configuration: str, files: Mapping[str, str]) -> Outcome:
    """What a configuration gives in a checkout."""
    task = {"checkout": str(checkout), "configuration": configuration, "files": files}
    done = subprocess.run(
        [sys.executable, __file__, "--child"],
        input=json.dumps(task),
        env={**os.environ, "PYTHONPATH": str(checkout.resolve() / "src"), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    if done.returncode == 0:
        return dict(json.loads(done.stdout))
    return {"failed": (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]}


def kept_outcome(keep: Path, checkout: Path, configuration: str, files: Mapping[str, str]) -> Outcome:
    """The same, from the file that an earlier run has left."""
    path = keep / (re.sub(r"[^\w.+=-]+", "_", configuration) + ".json")
    if path.exists():
        return dict(json.loads(path.read_text()))
    found = outcome(checkout, configuration, files)
    if "failed" not in found:
        path.write_text(json.dumps(found))
    return found


def differences(before: Any, after: Any, where: str) -> Iterator[str]:
    """Where two outcomes differ, in order."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before | after:
            yield from differences(before.get(key, "nothing"), after.get(key, "nothing"), f"{where}/{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, pair in enumerate(zip(before, after, strict=True), 1):
            yield from differences(*pair, f"{where}/{number}")
    elif before != after:
        yield f"{where}: {str(before)[:100]} → {str(after)[:100]}"


def verdict(before: Outcome, after: Outcome) -> str:
    for side, found in (("BEFORE", before), ("AFTER", after)):
        if "failed" in found:
            return f"FAILED: {side}: {found['failed']}"
    parts = ("weights", "answers", "header")
    *wrong, header = (list(differences(before[part], after[part], part)) for part in parts)
    if first := [*wrong[0], *wrong[1]][:1]:
        return f"DIFFERS: {sum(map(len, wrong))} times, first {first[0]}"
    return f"same (but {len(header)} entries of the header, first {header[0]})" if header else "same"


def compare(
    tasks: Mapping[str, Mapping[str, str]], sides: tuple[Callable[..., Outcome], ...], jobs: int
) -> Iterator[tuple[str, str]]:
    """Each configuration and its verdict. Two threads are held against one, too: they change nothing."""
    one_thread: dict[str, Outcome] = {}
    with ThreadPoolExecutor(jobs) as pool:
        pairs = pool.map(lambda task: [outcome_of(*task) for outcome_of in sides], tasks.items())
        for configuration, (before, after) in zip(tasks, pairs, strict=True):
            says = verdict(before, after)
            twin = one_thread.setdefault(re.sub(r" threads=\d", "", configuration), after)
            if says.startswith("same") and verdict(twin, after) != "same":
                says = f"two threads against one: {verdict(twin, after)}"
            yield configuration, says


def main() -> None:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--only", nargs="+", default=[""], metavar="SUBSTRING", help="of configurations")
    parser.add_argument("--treebank", nargs=2, action="append", default=[], metavar=("TRAIN", "TEST"))
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where what BEFORE gives is kept")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    options = parser.parse_args()
    before_of: Callable[..., Outcome] = partial(outcome, options.before)
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        before_of = partial(kept_outcome, options.keep, options.before)
    began, verdicts = time.perf_counter(), list[str]()
    with TemporaryDirectory() as folder:
        write_toys(Path(folder))
        tasks = {
            name: {part: f"{folder}/{name.partition(' on=')[2]}-{part}.conllu" for part in (*SIZES, "long")}
            for name in configurations()
        }
        for (train, test), preset in product(options.treebank, ("first", "third")):
            tasks[f"{preset} on={train}"] = {"train": train, "test": test}
        tasks = {name: files for name, files in tasks.items() if any(part in name for part in options.only)}
        for configuration, says in compare(tasks, (before_of, partial(outcome, options.after)), options.jobs):
            verdicts.append(says)
            print(f"{configuration}: {says}", flush=True)
    same = sum(says.startswith("same") for says in verdicts)
    print(f"{same} of {len(verdicts)} configurations are the same ({time.perf_counter() - began:.0f} s)")
    sys.exit(same < len(verdicts))


if __name__ == "__main__":
    child() if sys.argv[1:] == ["--child"] else main()

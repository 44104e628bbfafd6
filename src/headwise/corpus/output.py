"""The folder a corpus is written to: nothing in it is ever half written.

    OUTPUT/00000-00000.conllu           the sentences of a shard
    OUTPUT/set-aside/00000-00000.jsonl  what could not be parsed in it, and why
    OUTPUT/_headwise/manifest.json      what was asked for: model, options, inputs
    OUTPUT/_headwise/done/…json         the marker of a shard, written last
    OUTPUT/_headwise/complete.json      how much there is, once all is done
    OUTPUT/_headwise/log.jsonl          what happened when

A file is written under another name, flushed to the disk and renamed; then comes the marker, in the same way.
None of these but the log says when or by whom it was written: they are the same bytes after any number of
interruptions.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from headwise.base.atomic import flush_folder, mode_of
from headwise.base.errors import HeadwiseError
from headwise.corpus.inputs import InputFile
from headwise.corpus.options import CorpusOptions
from headwise.corpus.tasks import Task

VERSION = 1


class OutputError(HeadwiseError):
    """The output folder cannot be used."""


class OtherRunError(OutputError):
    """The output folder holds what another call has made."""


@dataclass(frozen=True)
class Marker:
    """Says that a shard is done, of which input and by which run."""

    shard: str
    input: str
    """Digest of the shard."""
    run: str
    """Digest of the model, the options and the version."""
    bytes: int
    documents: int
    sentences: int
    words: int
    failures: int
    failed_bytes: int
    output_bytes: int


class NewFile:
    """A file that is being written; `size` is known at the end."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.size = 0


def manifest_of(task: Task, files: Sequence[InputFile]) -> dict[str, Any]:
    """What a run is: all that decides what it writes."""
    from headwise.base.version import VERSION

    listing = hashlib.sha256()
    for file in files:
        listing.update(f"{file.name}\0{file.size}\n".encode())
    return {
        "version": VERSION,
        "headwise": VERSION,
        "model": task.model,
        "model_sha256": task.digest(),
        "options": task.options.to_json(),
        "inputs": {
            "files": len(files),
            "bytes": sum(file.size for file in files),
            "sha256": listing.hexdigest(),
        },
    }


class OutputFolder:
    """A handle that worker processes can have too: it holds paths and no open files."""

    def __init__(self, root: Path, options: CorpusOptions, run: str) -> None:
        self.root, self.run = root, run
        self._ending = options.ending
        self.own = root / "_headwise"
        self.log = self.own / "log.jsonl"
        self._lock = self.own / "lock"
        self._complete = self.own / "complete.json"

    @classmethod
    def open(cls, root: Path, manifest: dict[str, Any], options: CorpusOptions) -> OutputFolder:
        """Begin or continue a run; OtherRunError where the folder holds another."""
        described = {key: value for key, value in manifest.items() if key not in ("model", "inputs")}
        run = hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()
        folder = cls(root, options, run)
        try:
            for path in (folder.own, folder.own / "done", folder.own / "unfinished", root / "set-aside"):
                path.mkdir(parents=True, exist_ok=True)
                _refuse_link(path)
            for path in (folder.log, folder._lock):
                _refuse_link(path)
        except OSError as error:
            raise OutputError(
                f"{error.filename}: cannot be created ({error.strerror}). Name a folder that can be "
                "written to."
            ) from error
        path = folder.own / "manifest.json"
        if path.exists():
            _compare(root, _read_manifest(path), manifest)
        else:
            others = [p.name for p in root.iterdir() if p.name not in ("_headwise", "set-aside")]
            if others:
                raise OtherRunError(
                    f"{root} is not empty (it holds {others[0]}), and is none of headwise corpus. Name "
                    "an empty or a new folder."
                )
            with folder._whole_file(path) as new:
                new.file.write((json.dumps(manifest, indent=1, ensure_ascii=False) + "\n").encode())
        return folder

    def end(self, **totals: int) -> None:
        """All is done; whoever reads the folder can see whether all of it is there."""
        with self._whole_file(self._complete) as new:
            new.file.write((json.dumps(totals) + "\n").encode())

    @contextmanager
    def locked(self) -> Iterator[int]:
        """Keep other runs out, and remove what was left unfinished, before this one and by it."""
        descriptor = os.open(self._lock, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o666)
        try:
            try:
                import fcntl

                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise OutputError(f"another run is writing to {self.root}. Wait for it to end.") from error
            except (ImportError, OSError):  # no locks here: it is the user who keeps runs apart
                pass
            self._remove_unfinished()
            try:
                yield descriptor
            finally:
                self._remove_unfinished()
        finally:
            os.close(descriptor)

    def unfinished(self, shard: str) -> int:
        """How many workers have left the file of a shard unfinished in this run."""
        return sum(1 for _ in (self.own / "unfinished").glob(f"{shard}{self._ending}.*"))

    def _remove_unfinished(self) -> None:
        for path in (self.own / "unfinished").iterdir():
            with suppress(OSError):
                path.unlink()

    @contextmanager
    def new_file(self, name: str) -> Iterator[NewFile]:
        """A file in the folder, put in place at the end of the block."""
        with self._whole_file(self.root / name) as new:
            yield new

    @contextmanager
    def _whole_file(self, path: Path) -> Iterator[NewFile]:
        whose = f"{path.name}.{platform.node()}.{os.getpid()}."
        descriptor, name = tempfile.mkstemp(prefix=whose, dir=self.own / "unfinished")
        unfinished = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                new = NewFile(file)
                yield new
                file.flush()
                os.fsync(file.fileno())
                new.size = file.tell()
            unfinished.chmod(mode_of(path))
            unfinished.replace(path)
            flush_folder(path.parent)
        except BaseException:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise

    def write_failures(self, shard: str, lines: bytes) -> None:
        """Set aside what could not be parsed; where there is nothing, there is no file."""
        path = self.root / "set-aside" / f"{shard}.jsonl"
        if lines:
            with self._whole_file(path) as new:
                new.file.write(lines)
        else:
            path.unlink(missing_ok=True)

    def mark(self, marker: Marker) -> None:
        with self._whole_file(self._marker_path(marker.shard)) as new:
            new.file.write((json.dumps(asdict(marker)) + "\n").encode())

    def marker(self, shard: str) -> Marker | None:
        """The marker of a shard that is done and whose file is there; else None."""
        try:
            marker = Marker(**json.loads(self._marker_path(shard).read_bytes()))
            there = (self.root / (shard + self._ending)).stat().st_size
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError) as error:
            raise OutputError(f"{self._marker_path(shard)}: cannot be read ({error}). Remove it.") from error
        return marker if there == marker.output_bytes and marker.run == self.run else None

    def _marker_path(self, shard: str) -> Path:
        return self.own / "done" / f"{shard}.json"

    def shards_marked(self) -> set[str]:
        """The names of the shards that have a marker."""
        return {path.stem for path in (self.own / "done").iterdir()}


def _refuse_link(path: Path) -> None:
    """A folder from elsewhere can bring links along; what is behind them is not ours to write or remove."""
    if path.is_symlink():
        raise OutputError(f"{path} is a link, and nothing is written behind it. Remove it.")


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(path.read_bytes())
        if isinstance(manifest, dict):
            return manifest
    except (OSError, ValueError):
        pass
    raise OutputError(f"{path}: cannot be read. Name another folder, or remove this one.")


def _model(manifest: dict[str, Any]) -> str:
    return f"{manifest['model']} ({manifest['model_sha256'][:12]}…)" if manifest["model"] else "none"


def _compare(root: Path, old: dict[str, Any], new: dict[str, Any]) -> None:
    """OtherRunError with every difference between what the folder holds and what is asked for."""
    differences = [
        f"{name.replace('_', '-')} was {value!r}, is now {new['options'].get(name)!r}"
        for name, value in old["options"].items()
        if value != new["options"].get(name)
    ]
    if old["model_sha256"] != new["model_sha256"]:
        differences.insert(
            0,
            f"the model was {_model(old)}, is now {_model(new)}",
        )
    if old["headwise"] != new["headwise"]:
        differences.append(f"Headwise was {old['headwise']}, is now {new['headwise']}")
    if old["inputs"] != new["inputs"]:
        was, now = old["inputs"], new["inputs"]
        differences.append(
            f"the input was {was['files']:,} files of {was['bytes']:,} bytes, is now {now['files']:,} of "
            f"{now['bytes']:,}" + (" with other names or sizes" if was["files"] == now["files"] else "")
        )
    if old.get("version") != new["version"]:
        differences.append("the folder was laid out by another version of Headwise")
    if differences:
        raise OtherRunError(
            f"{root} was made by another call: {'; '.join(differences)}. To continue it, repeat that call; "
            "otherwise name a new folder, or remove this one."
        )

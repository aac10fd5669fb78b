"""`cuset verify` on a Ray cluster: every node judges, one folder has the results.

    import cuset.ray
    summary = cuset.ray.verify("answers.jsonl", "tasks.jsonl", output="runs/verify/big")

The program `cuset` does all the work: here one process owns the folder (`cuset verify --share owner`), and on every node
actors run one each that judges (`--share worker`). This module only carries their messages, through Ray. Nodes may join,
leave and die; what a lost one was judging is judged by another, and the folder holds each verdict once. Ctrl-C stops in
order, and the same call resumes.
"""
from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cuset.program import find_program

try:
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
except ImportError as missing:
    raise ImportError("cuset.ray needs Ray: pip install ray") from missing

_LOOK = 1.0  # seconds between looks at the nodes of the cluster
_MOST_FAILURES = 3  # processes of one node that end without a verdict before the node is left alone
_LONGEST_LINE = 1 << 28


class _Worker:
    """An actor: one `cuset verify --share worker` and its messages."""

    def __init__(self, flags: list[str], program: str | None, files: bytes) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="cuset-ray-")
        with tarfile.open(fileobj=io.BytesIO(files)) as archive:
            archive.extraction_filter = getattr(tarfile, "data_filter", None)  # which the first Python 3.10 and 3.11 lack
            archive.extractall(self._folder.name)
        tasks = next(Path(self._folder.name).iterdir())
        self._command = [find_program(program), "verify", "--share", "worker", "--tasks", str(tasks), *flags]
        self._process: asyncio.subprocess.Process | None = None
        self._errors: list[str] = []

    async def start(self) -> None:
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(*self._command, stdin=pipe, stdout=pipe, stderr=pipe,
                                                             limit=_LONGEST_LINE, preexec_fn=_die_with_parent)
        self._reading = asyncio.create_task(self._read_errors())

    async def _read_errors(self) -> None:
        assert self._process is not None and self._process.stderr is not None
        async for line in self._process.stderr:
            self._errors = [*self._errors[-4:], line.decode(errors="replace").strip()]

    async def send(self, lines: list[str]) -> None:
        assert self._process is not None and self._process.stdin is not None
        with contextlib.suppress(ConnectionError):  # receive() tells
            self._process.stdin.write("".join(line + "\n" for line in lines).encode())
            await self._process.stdin.drain()

    async def receive(self) -> str:
        """The next message of the process; empty when it has ended."""
        assert self._process is not None and self._process.stdout is not None
        return (await self._process.stdout.readline()).decode().rstrip("\n")

    async def last_words(self) -> str:
        assert self._process is not None
        status = await self._process.wait()
        await self._reading
        return f"status {status}: {self._errors[-1] if self._errors else 'no message'}"


def _die_with_parent() -> None:
    """In the child: a killed actor leaves no process behind."""
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class _Node:
    """What is known of one node: its actors, and how often their processes ended without a verdict."""

    def __init__(self, cpus: int, gpus: float) -> None:
        self.cpus, self.gpus = cpus, gpus
        self.actors = 0
        self.failures = 0


class _Run:
    """One call of verify(): the owner's process, and the actors of every node."""

    def __init__(self, owner: asyncio.subprocess.Process, options: Mapping[str, Any]) -> None:
        self._owner = owner
        self._options = options
        self._files = ray.put(options["files"])
        self._nodes: dict[str, _Node] = {}
        self._actors: dict[str, Any] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._number = 0
        self._failure = ""

    async def run(self) -> None:
        """Returns when the owner has ended: all is judged, or it was interrupted."""
        carrying = asyncio.create_task(self._carry())
        try:
            while not carrying.done():
                self._place_actors()
                await asyncio.wait([carrying], timeout=_LOOK)
            await carrying
        finally:
            carrying.cancel()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _place_actors(self) -> None:
        """Fills every node that is there now. The processes of a node that left end by themselves, as seen by _serve()."""
        for found in ray.nodes():  # type: ignore[no-untyped-call]
            resources = found["Resources"]
            if not found["Alive"] or resources.get("CPU", 0) < 1:
                continue
            node = self._nodes.setdefault(found["NodeID"], _Node(int(resources["CPU"]), resources.get("GPU", 0)))
            while node.actors < self._wanted_actors(node) and node.failures < _MOST_FAILURES:
                node.actors += 1
                task = asyncio.create_task(self._serve(found["NodeID"], node))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        exhausted = [node for node in self._nodes.values() if node.failures >= _MOST_FAILURES]
        if exhausted and len(exhausted) == len(self._nodes) and not self._tasks:
            raise RuntimeError(f"no node can judge: {self._failure}")

    def _wanted_actors(self, node: _Node) -> int:
        if not self._options["gpus"]:
            return 1
        return int(node.gpus / self._options["gpus"] + 1e-6)

    async def _serve(self, node_id: str, node: _Node) -> None:
        """The life of one actor."""
        self._number += 1
        name = f"worker {self._number}"
        workers = self._options["workers"] or max(1, node.cpus // max(1, self._wanted_actors(node)))
        judged = 0
        why = "its node left"
        try:
            actor = self._actors[name] = self._make_actor(node_id, min(workers, node.cpus), workers)
            await actor.start.remote()
            while line := await actor.receive.remote():
                await self._tell_owner(name, line)
                judged += 1
            why = await actor.last_words.remote()
        except ray.exceptions.RayError as error:
            why = _cause_of(error)
        finally:
            node.actors -= 1
            if actor := self._actors.pop(name, None):
                ray.kill(actor)  # one that was only out of reach would keep the node's CPUs
        node.failures = 0 if judged > 2 else node.failures + 1  # its first two messages are no verdicts
        self._failure = why
        await self._tell_owner(name, json.dumps({"gone": why}))

    def _make_actor(self, node_id: str, cpus: int, workers: int) -> Any:
        flags = [*self._options["flags"], "--workers", str(workers)]
        actor = ray.remote(_Worker).options(
            num_cpus=cpus, num_gpus=self._options["gpus"], max_restarts=0, max_concurrency=8,
            scheduling_strategy=NodeAffinitySchedulingStrategy(node_id, soft=False))
        return actor.remote(flags, self._options["program"], self._files)

    async def _tell_owner(self, name: str, line: str) -> None:
        assert self._owner.stdin is not None
        with contextlib.suppress(ConnectionError):  # it has ended
            self._owner.stdin.write(f'{{"from": {json.dumps(name)}, "body": {line}}}\n'.encode())
            await self._owner.stdin.drain()

    async def _carry(self) -> None:
        """Brings the owner's messages to the actors until it ends."""
        assert self._owner.stdout is not None
        async for line in self._owner.stdout:
            message = json.loads(line)
            if actor := self._actors.get(message["to"]):
                actor.send.remote([json.dumps(message["body"])])


def _cause_of(error: ray.exceptions.RayError) -> str:
    """One line: the first, or of an actor that could not be made the last one of its traceback."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[-1] if "error raised in its creation task" in lines[0] else lines[0]


def _packed(path: Path) -> bytes:
    """A file or folder, with its name: what recognizes a benchmark may look at it."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.add(path.resolve(), arcname=path.resolve().name)
    return buffer.getvalue()


@contextlib.contextmanager
def _answer_file(answers: str | os.PathLike[str] | Iterable[Mapping[str, Any]]) -> Any:
    """The file itself, or a temporary one that holds the records."""
    if isinstance(answers, (str, os.PathLike)):
        yield os.fspath(answers)
        return
    with tempfile.TemporaryDirectory(prefix="cuset-ray-") as folder:
        file = Path(folder, "answers.jsonl")
        file.write_text("".join(json.dumps(record) + "\n" for record in answers))
        yield str(file)


async def _run(command: Sequence[str], options: Mapping[str, Any]) -> int:
    pipe = asyncio.subprocess.PIPE
    # A session of its own: Ctrl-C reaches this process alone, which passes it on once.
    owner = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=_LONGEST_LINE,
                                                 start_new_session=True, preexec_fn=_die_with_parent)
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    with contextlib.suppress(ValueError, RuntimeError):  # not the main thread: nobody sends signals to it
        for number in numbers:
            loop.add_signal_handler(number, owner.send_signal, number)
    try:
        await _Run(owner, options).run()
        return await owner.wait()
    finally:
        with contextlib.suppress(ValueError, RuntimeError):
            for number in numbers:
                loop.remove_signal_handler(number)
        with contextlib.suppress(ProcessLookupError):
            owner.kill()


def verify(answers: str | os.PathLike[str] | Iterable[Mapping[str, Any]], tasks: str | os.PathLike[str], *,
           output: str | os.PathLike[str], executor: str = "auto", workers: int = 0, gpus: float | None = None,
           program: str | None = None, options: Sequence[str] = ()) -> dict[str, Any]:
    """Judges answers on all nodes of a Ray cluster, and returns the contents of summary.json.

    answers   a file or folder that `cuset verify --answers` takes, or records {"task", "sample", "text"}
    tasks     a file or folder that `cuset verify --tasks` takes; it is sent to the nodes
    output    folder of the results; a run that is there resumes
    executor  "cpu", "gpu", or "auto": the GPU if the cluster has any
    workers   answers that one actor judges at a time; 0: its part of the node's CPUs
    gpus      GPUs of one actor, as 0.5 for two actors a GPU; default: 1 with the GPU executor, else 0
    program   the cuset program on every node and here; default: $CUSET_PROGRAM, or `cuset` on PATH
    options   further flags of `cuset verify`, as ["--seed", "5", "--timing"]

    Uses the cluster that ray.init() joined, or joins one. Raises KeyboardInterrupt after Ctrl-C, when what was judged is
    on disk, and RuntimeError where the run fails.
    """
    if not ray.is_initialized():
        ray.init()
    if executor == "auto":
        resources = ray.cluster_resources()  # type: ignore[no-untyped-call]
        executor = "gpu" if resources.get("GPU", 0) > 0 else "cpu"
    if gpus is None:
        gpus = 1.0 if executor == "gpu" else 0.0
    flags = ["--executor", executor, *options]
    shared = {"files": _packed(Path(tasks)), "flags": flags, "workers": workers, "gpus": gpus, "program": program}
    with _answer_file(answers) as file:
        command = [find_program(program), "verify", "--share", "owner", "--tasks", os.fspath(tasks), "--answers", file,
                   "--output", os.fspath(output), *flags]
        status = asyncio.run(_run(command, shared))
    if status == 128 + signal.SIGINT:
        raise KeyboardInterrupt
    if status != 0:
        raise RuntimeError(f"cuset verify ended with status {status}: its message is on standard error")
    summary: dict[str, Any] = json.loads(Path(output, "summary.json").read_text())
    return summary


def main() -> None:
    """python -m cuset.ray: verify() with the arguments of a command line."""
    import argparse
    parser = argparse.ArgumentParser(prog="python -m cuset.ray", description="cuset verify on a Ray cluster. Other flags "
                                     "are those of cuset verify.")
    for name in ("tasks", "answers", "output"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--executor", default="auto")
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--gpus", type=float)
    known, others = parser.parse_known_args()
    try:
        summary = verify(known.answers, known.tasks, output=known.output, executor=known.executor, workers=known.workers,
                         gpus=known.gpus, options=others)
    except KeyboardInterrupt:
        sys.exit(130)
    print(json.dumps(summary, indent=2))


if __name__ == "__main__":
    main()

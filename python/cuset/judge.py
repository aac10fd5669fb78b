"""The judge of kernel tasks: `cuset serve --judge`, started here or running elsewhere."""
from __future__ import annotations

import asyncio
import atexit
import contextlib
import http.client
import os
import secrets
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cuset.client import Client, ServerError, encoded
from cuset.program import find_program

_MOST_ANSWERS = 1000  # of one request
_MOST_BYTES = 4 << 20
_PATIENCE_AT_END = 5  # seconds
_LONGEST_FOLDER = 80  # of a Unix socket, whose path may have 107 bytes
# Runs a program until it ends or standard input does, which happens however this process ends: no server outlives its trainer.
_UNTIL_INPUT_ENDS = """exec 3<&0
"$@" 3<&- & server=$!
{ read -r _ <&3; kill -TERM "$server"; } 2>/dev/null & watcher=$!
wait "$server"; status=$?
kill "$watcher" 2>/dev/null
exit "$status"
"""


@dataclass(frozen=True)
class Verdict:
    """What became of one answer. `feedback` is what a model may be told; `detail` is all that the judge recorded."""

    id: str
    task: str
    outcome: str  # "correct", "compile_error", ...: docs/verdicts.md
    correct: bool
    explanation: str
    feedback: str | None
    reward: float | None  # None: there is no verdict (unsupported, faulty_task)
    reward_parts: dict[str, float] = field(default_factory=dict)
    detail: dict[str, Any] = field(default_factory=dict, repr=False)

    @staticmethod
    def from_result(result: Mapping[str, Any]) -> Verdict:
        parts = dict(result["reward"])
        value = parts.pop("value", None)
        return Verdict(result["id"], result["task"], result["outcome"], result["correct"], result["explanation"],
                       result["feedback"], value, parts, result["verdict"])


Answer = tuple[str | Mapping[str, Any], str] | Mapping[str, Any]


def _fields(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, Mapping):
        return dict(answer)
    task, text = answer
    return {"task": task, "answer": text}


def _batches(answers: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    size = 0
    for answer in answers:
        length = len(encoded(answer))
        if batch and (len(batch) == _MOST_ANSWERS or size + length > _MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(answer)
        size += length
    if batch:
        yield batch


class Judge:
    """Judges answers to the tasks of a file. Closing it, or leaving its `with` block, ends a server that it started.

    url       a server that runs already (`key`: its API key); otherwise one is started for `tasks`
    output    folder of the queue and its verdicts: a later Judge over it judges nothing twice; default: a temporary one
    program   the cuset program; default: $CUSET_PROGRAM, or `cuset` on PATH
    options   further flags of `cuset serve`, as ["--timing"]
    patience  seconds that a server at `url` may be gone, as while it is restarted, before an error is raised
    """

    def __init__(self, tasks: str | os.PathLike[str] | None = None, *, url: str | None = None, key: str | None = None,
                 output: str | os.PathLike[str] | None = None, executor: str = "auto", workers: int = 0,
                 program: str | None = None, options: Sequence[str] = (), patience: float = 120) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._patience = patience
        self._temporary: tempfile.TemporaryDirectory[str] | None = None  # with the socket, and without `output` the queue
        if (tasks is None) == (url is None):
            raise ValueError("give either tasks=FILE, to start a server, or url=URL of one that runs")
        if tasks is not None:
            is_long = len(os.fsencode(tempfile.gettempdir())) > _LONGEST_FOLDER
            self._temporary = tempfile.TemporaryDirectory(prefix="cuset-judge-", dir="/tmp" if is_long else None)
            output = output or self._temporary.name
            key = secrets.token_hex(16)
            flags = ["--judge", "--tasks", os.fspath(tasks), "--output", os.fspath(output), "--executor", executor,
                     "--workers", str(workers), "--socket", f"{self._temporary.name}/socket", *options]
            url = self._start(program, flags, Path(output), key)
        assert url is not None
        self.client = Client(url, key)

    def _start(self, program: str | None, flags: list[str], output: Path, key: str) -> str:
        try:
            found = find_program(program)
        except FileNotFoundError:
            self.close()
            raise
        output.mkdir(parents=True, exist_ok=True)
        log = output / "serve.log"
        with log.open("w") as errors:
            self._process = subprocess.Popen(["sh", "-c", _UNTIL_INPUT_ENDS, "sh", found, "serve", *flags],
                                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
                                             env={**os.environ, "CUSET_API_KEY": key}, start_new_session=True)
        atexit.register(self.close)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("listening on "):
                return line.removeprefix("listening on ").rstrip("\n")
        status = self._process.wait()
        message = log.read_text(errors="replace").strip().rsplit("\n", 1)[-1]
        self.close()
        raise RuntimeError(f"cuset serve ended with status {status}: {message}")

    def close(self) -> None:
        """Ends a server that was started here. What it has not judged yet stays in the output folder."""
        atexit.unregister(self.close)
        process, self._process = self._process, None
        if process is not None:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.close()
            # The second signal ends it at once, whatever it is judging.
            for number in (signal.SIGTERM, signal.SIGKILL):
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=_PATIENCE_AT_END)
                    break
                os.killpg(process.pid, number)
            process.wait()
            process.stdout.close()
        if self._temporary is not None:
            self._temporary.cleanup()
            self._temporary = None

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def tasks(self) -> list[dict[str, Any]]:
        """Ids and prompts of the tasks."""
        return list(self.client.request("GET", "/tasks")["tasks"])

    def verify(self, answers: Iterable[Answer], reward: str = "composite") -> list[Verdict]:
        """Verdicts in the order of the answers, each (task, text) or {"task", "answer" or "code", "sample"}.

        A task is an id, or a whole task in the form of docs/tasks.md. Waits until all are judged. The same answer sent
        again is not judged again. Raises RuntimeError where the judge's machine fails.
        """
        verdicts: list[Verdict] = []
        for batch in _batches(_fields(answer) for answer in answers):
            for result in self._judged({"answers": batch, "reward": reward}):
                if result["state"] != "done":
                    raise RuntimeError(f"task {result['task']}: {result.get('error', result['state'])}")
                verdicts.append(Verdict.from_result(result))
        return verdicts

    async def verify_async(self, answers: Iterable[Answer], reward: str = "composite") -> list[Verdict]:
        """verify() for asyncio: other tasks run meanwhile."""
        return await asyncio.to_thread(self.verify, answers, reward)

    def _judged(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        """Asks again where the server is full, ends meanwhile or is not reached: a request means the same each time."""
        reached = time.monotonic()
        while True:
            sent, pause = time.monotonic(), 1.0
            try:
                results = self.client.request("POST", "/judge", body)["results"]
                if all(result["state"] in ("done", "failed", "canceled") for result in results):
                    return list(results)
            except ServerError as error:
                if error.status not in (429, 503):
                    raise
                pause = error.retry_after or pause
                if error.status == 429:
                    reached = time.monotonic()
            except (OSError, http.client.HTTPException):
                if self._process is not None and self._process.poll() is not None:
                    raise
                if time.monotonic() - sent > pause:  # it had begun to wait for verdicts
                    reached = time.monotonic()
                if time.monotonic() - reached > self._patience:
                    raise
            if time.monotonic() - reached > self._patience:
                raise RuntimeError(f"{self.client.url} gives no verdicts")
            time.sleep(pause)

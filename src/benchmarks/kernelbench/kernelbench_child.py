"""The Python side of judging KernelBench answers: one process for one part of the work (docs/benchmarks.md).

    python -I -B child.py oracle | model

Everything is in the working folder: request.json and problem.py. The judge sends a command through the pipe `commands` and
waits at the pipe `replies`; the device is used only in commands for which the judge has a place on it. `oracle` makes
inputs and what the reference gives for them; it never sees an answer. `model` serves one model, the answer's or the
reference's: load it, construct it, take these inputs, call, write the outputs down.
An answer shares this process and can replace all of it. So nothing here decides or measures anything that counts: the
judge compares outputs, sees kernels through CUPTI's record or the emulator's, reads its own clock, and reveals inputs and what it asks about
outputs only when their turn has come. Replies can only incriminate the answer.
"""
import ctypes
import json
import os
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # only for the judge's own modules
from module_problem import (  # first: the device is there before PyTorch is
    CONTIGUOUS, DETACH, EMULATED, END_CALL, FLUSH_RECORD, NO_GRAD, OPEN, TENSOR, describe, fitted_problem, flatten,
    in_precision, load_problem, make_model, read_input, set_seed, set_tf32, synchronize_with, to_device, write_tensor,
)  # fmt: skip
from module_oracle import Oracle, TooLarge
from module_weights import ChangedWeights

sys.path.pop(0)
import torch

TENSOR_TYPES = (torch.Tensor, torch.nn.Parameter)
NOW = time.monotonic
DUMP = json.dumps
ZERO = torch.Tensor.zero_
EXIT = os._exit
L2_FLUSH_BYTES = 256 << 20
DIGEST_PROJECTIONS = 4
DIGEST_PICKS = 256
DIGEST_CHUNK = 1 << 26
INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def reset_persisting_cache_with(device):
    """Takes back what was set aside of the L2 cache for chosen data."""
    if device == "cpu" or EMULATED:
        return lambda: None
    return getattr(ctypes.CDLL("libcuda.so.1"), "cuCtxResetPersistingL2Cache", lambda: None)


def enter(progress, phase):
    """Leaves word of how far it came, in case that the process is ended."""
    progress["phase"] = phase
    with OPEN("result.json", "w") as file:
        file.write(DUMP({"phase": phase, "ended": True}))


def load_model(request, problem):
    """The names of the problem and, on top of them, of the answer, as in KernelBench."""
    names = load_problem(problem)
    if request["model"] == "ModelNew":
        answer = OPEN("answer.py").read()
        names["__name__"] = "answer"
        exec(compile(answer, "answer.py", "exec"), names)
        if "ModelNew" not in names:
            raise NameError("the answer defines no class ModelNew")
    return names


def digest(tensor, secret):
    """Sums with random signs, sums of magnitudes and squares, and elements drawn at random, as hexadecimal doubles.

    Who does not hold the whole output when the secret is told cannot give it.
    """
    flat = DETACH(tensor).reshape(-1)
    generator = torch.Generator(device=flat.device)
    generator.manual_seed(secret)
    sums = torch.zeros(DIGEST_PROJECTIONS + 2, dtype=torch.float64, device=flat.device)
    picked = []
    for start in range(0, flat.numel(), DIGEST_CHUNK):
        part = flat[start : start + DIGEST_CHUNK].double()  # then all types take the same kernels
        for index in range(DIGEST_PROJECTIONS):
            signs = torch.randint(0, 2, part.shape, generator=generator, device=flat.device, dtype=torch.int8)
            sums[index] += (part * (2 * signs - 1)).sum()
        sums[DIGEST_PROJECTIONS] += part.abs().sum()
        sums[DIGEST_PROJECTIONS + 1] += (part * part).sum()
        picks = torch.randint(0, part.numel(), (DIGEST_PICKS,), generator=generator, device=flat.device)
        picked += part[picks].tolist()
    values = sums.tolist() + picked
    return struct.pack(f"<{len(values)}d", *values).hex()


def checksum(tensor, factor, offset):
    """The sum of all elements' bits, each times (its index * factor + offset), modulo 2^64."""
    flat = CONTIGUOUS(DETACH(tensor)).reshape(-1)
    bits = flat.view(INTEGERS[flat.element_size()])
    total = 0
    for start in range(0, bits.numel(), DIGEST_CHUNK):
        part = bits[start : start + DIGEST_CHUNK].long()
        weights = torch.arange(start, start + part.numel(), device=part.device) * factor + offset
        total += int((part * weights).sum())
    return total % (1 << 64)


class Subject:
    """The model that is served. Every public method that COMMANDS names is a command."""

    def __init__(self, request, progress):
        self.request = request
        self.progress = progress
        self.device = request["device"]

    def load(self):
        """Mostly compiling, which needs no device."""
        enter(self.progress, "import")
        source, self.problem, _ = fitted_problem(OPEN("problem.py").read(), self.request)
        self.names = load_model(self.request, source)  # `problem` has its own names, not the answer's
        return {}

    def construct(self, folder):
        """With the weights that the reference has. `folder` is that of the inputs."""
        enter(self.progress, "construct")
        self.synchronize = synchronize_with(self.device)
        self.reset_persisting_cache = reset_persisting_cache_with(self.device)
        seed = self.request["weight_seed"]
        with OPEN(os.path.join(folder, "weights.json")) as file:
            weights = ChangedWeights(json.load(file), seed)
        self.model, missing = make_model(self.names, self.request["model"], seed, self.device, weights)
        if self.request.get("compile"):
            self.model = torch.compile(self.model)
        self.inputs, self.before, self.result = None, None, None
        is_timed = self.device != "cpu" and not EMULATED
        self.emptied = torch.empty(L2_FLUSH_BYTES, dtype=torch.int8, device=self.device) if is_timed else None
        self.event = torch.cuda.Event if is_timed else None
        self.events = None
        self.synchronize()
        enter(self.progress, "run")
        return {"missing": missing[:8]}

    def warm(self, milliseconds):
        """Keeps the device busy, so that its clocks are where they stay while it works."""
        end = NOW() + int(milliseconds) / 1000
        while self.emptied is not None and NOW() < end:
            for _ in range(20):
                ZERO(self.emptied)
            self.synchronize()
        FLUSH_RECORD()
        return {}

    def settle(self, inputs, seed):
        self.before = self.inputs  # kept over the next call: new inputs lie at other addresses
        self.inputs = inputs
        if self.request["model"] == "Model":  # which may change its inputs
            self.pristine = [value.clone() if isinstance(value, TENSOR) else value for value in inputs]
        self.result = None
        set_seed(int(seed))
        if self.emptied is not None:
            self.reset_persisting_cache()
            ZERO(self.emptied)
        self.synchronize()
        FLUSH_RECORD()
        return {}

    def file(self, trial, seed, word, folder):
        """The inputs of a trial, from their files. On the emulator nobody can read them without the trial's word."""
        with OPEN(os.path.join(folder, "trials.json")) as file:
            described = json.load(file)[int(trial)]
        files = [os.path.join(folder, f"in_{trial}_{i}.bin") for i in range(len(described))]
        read = [read_input(file, int(word), d) for file, d in zip(files, described)]
        return self.settle([to_device(value, self.device) for value in read], seed)

    def seed(self, seed):
        """Fresh inputs, drawn on the device where the problem lets that happen."""
        set_seed(int(seed))
        try:
            with torch.device(self.device):
                drawn = self.problem["get_inputs"]()
        except Exception:
            set_seed(int(seed))
            drawn = self.problem["get_inputs"]()
        return self.settle([in_precision(to_device(value, self.device), self.problem) for value in drawn], seed)

    def call(self):
        if self.event is None:
            with NO_GRAD():
                self.result = self.model(*self.inputs)
            END_CALL()
            self.synchronize()
            return {}
        self.events = self.event(enable_timing=True), self.event(enable_timing=True)
        self.events[0].record()
        with NO_GRAD():
            self.result = self.model(*self.inputs)
        self.events[1].record()
        self.synchronize()
        return {}

    def flush(self):
        FLUSH_RECORD()
        return {"event_ms": self.events[0].elapsed_time(self.events[1])} if self.events else {}

    def exact(self):
        """Computes the reference again in full precision, which its own fast calls may lack."""
        matmul, convolution = torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32
        set_tf32(False)
        with NO_GRAD():
            self.result = self.model(*self.pristine)
        set_tf32(matmul, convolution)
        self.synchronize()
        return {}

    def strange(self, outputs):
        return [type(value).__name__ for value in outputs if type(value) not in TENSOR_TYPES]

    def digest(self, secret):
        outputs = flatten(self.result)
        if self.strange(outputs):
            return {"strange": self.strange(outputs)}
        return {"outputs": [describe(v) for v in outputs], "digests": [digest(v, int(secret)) for v in outputs]}

    def check(self, factor, offset):
        """Whether the inputs are as they were."""
        tensors = [value for value in self.inputs if isinstance(value, TENSOR)]
        return {"checksums": [checksum(value, int(factor), int(offset)) for value in tensors]}

    def keep(self, name):
        """Writes the outputs down."""
        outputs = flatten(self.result)
        if self.strange(outputs):
            return {"strange": self.strange(outputs)}
        for index, value in enumerate(outputs):
            write_tensor(f"out_{name}_{index}.bin", value)
        return {"outputs": [describe(value) for value in outputs]}


COMMANDS = ("load", "construct", "make", "warm", "file", "seed", "call", "flush", "exact", "digest", "check", "keep")


def serve(subject, progress):
    commands, replies = os.open("commands", os.O_RDONLY), os.open("replies", os.O_WRONLY)
    while True:
        words = os.read(commands, 4096).decode().rstrip("\n").split(" ", 4)
        if words[0] in ("", "end"):
            break
        if words[0] not in COMMANDS:
            raise ValueError(f"no command {words[0]}")
        os.write(replies, (DUMP(getattr(subject, words[0])(*words[1:])) + "\n").encode())
    progress["phase"] = "done"


def shortened(text):
    """Compilers say first what matters, and other programs last."""
    return text if len(text) <= 20000 else text[:10000] + "\n...\n" + text[-10000:]


def main():
    with OPEN("request.json") as file:
        request = json.load(file)
    progress = {"phase": "start"}
    try:
        serve((Oracle if sys.argv[1] == "oracle" else Subject)(request, progress), progress)
    except TooLarge as error:
        progress = {"phase": "large", "error": str(error)[-2000:]}
    except BaseException as error:  # SystemExit too: an answer does not end the work
        progress["error"] = shortened(f"{type(error).__name__}: {error}")
    with OPEN("result.json", "w") as file:
        file.write(DUMP(progress))
    FLUSH_RECORD()
    sys.stdout.flush()
    sys.stderr.flush()
    EXIT(0)  # nothing of the answer runs after the last word


main()

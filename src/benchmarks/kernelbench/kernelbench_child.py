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
import copy
import ctypes
import importlib.util
import json
import math
import os
import random
import re
import struct
import sys
import time

TOOLS = [os.environ["CUSET_BUILD_TOOLS"]] if "CUSET_BUILD_TOOLS" in os.environ else []
COMPILERS = [os.path.dirname(sys.executable), os.path.join(os.environ.get("CUDA_HOME", "/usr"), "bin")]
os.environ["PATH"] = os.pathsep.join(TOOLS + COMPILERS + [os.environ.get("PATH", "")])



def emulated_device():
    """The Python side of the device "cuda" on a machine without a GPU; None where that is not asked for."""
    path = os.environ.get("CUSET_TORCH_DEVICE")
    if not path:
        return None
    spec = importlib.util.spec_from_file_location("cuda_device", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EMULATED = emulated_device()
if EMULATED:
    EMULATED.begin()

import torch

if EMULATED:
    EMULATED.complete(torch)

TENSOR = torch.Tensor
TENSOR_TYPES = (torch.Tensor, torch.nn.Parameter)
NOW = time.monotonic
STRING_AT = ctypes.string_at
NO_GRAD = torch.no_grad
OPEN = open
DUMP = json.dumps
CPU = torch.Tensor.cpu
DETACH = torch.Tensor.detach
CONTIGUOUS = torch.Tensor.contiguous
DATA_PTR = torch.Tensor.data_ptr
ZERO = torch.Tensor.zero_
START_DEVICE = torch.cuda.init
WAIT_FOR_DEVICE = getattr(torch._C, "_cuda_synchronize", None)
EXIT = os._exit
VARIATIONS = ["plain", "scaled", "shifted", "heavy_tailed", "zeros_and_signs"]
L2_FLUSH_BYTES = 256 << 20
DIGEST_PROJECTIONS = 4
DIGEST_PICKS = 256
DIGEST_CHUNK = 1 << 26
SMALLEST_SIDE = 64
INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def record_flusher():
    """Brings the last kernels into the execution record, which is otherwise done when a process ends in order."""
    library = os.environ.get("CUSET_CUPTI_LIBRARY")
    if not library:
        return lambda: None
    flush = ctypes.CDLL(library).cuptiActivityFlushAll
    return lambda: flush(1)


FLUSH_RECORD = record_flusher()


def mark_timeline(word):
    """A line between the kernels before and after it. Only the oracle can do that and be believed."""
    FLUSH_RECORD()
    path = os.environ.get("CUSET_KERNEL_TIMELINE")
    if path:
        with OPEN(path, "a") as file:
            file.write(f"N {word}\n")


def reset_persisting_cache_with(device):
    """Takes back what was set aside of the L2 cache for chosen data."""
    if device == "cpu" or EMULATED:
        return lambda: None
    return getattr(ctypes.CDLL("libcuda.so.1"), "cuCtxResetPersistingL2Cache", lambda: None)


def synchronize_with(device):
    """Waits for every stream of the device."""
    if device == "cpu":
        return lambda: None
    START_DEVICE()
    return WAIT_FOR_DEVICE


def raw_bytes(tensor):
    host = CONTIGUOUS(CPU(DETACH(tensor)))
    return STRING_AT(DATA_PTR(host), host.numel() * host.element_size()) if host.numel() else b""


def write_tensor(path, tensor):
    with OPEN(path, "wb") as file:
        file.write(raw_bytes(tensor))


def describe(tensor):
    return {"dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape)}


def read_input(path, description):
    if "value" in description:
        return description["value"]
    dtype = getattr(torch, description["dtype"])
    with OPEN(path, "rb") as file:
        data = bytearray(file.read())
    flat = torch.frombuffer(data, dtype=dtype) if data else torch.empty(0, dtype=dtype)
    return flat.reshape(description["shape"]).clone()


def flatten(value):
    """All tensors of an output, tuples and lists taken apart."""
    if isinstance(value, (tuple, list)):
        return [tensor for item in value for tensor in flatten(item)]
    return [value]


def set_seed(seed):
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)


def set_tf32(matmul, convolution=None):
    torch.backends.cuda.matmul.allow_tf32 = matmul
    torch.backends.cudnn.allow_tf32 = matmul if convolution is None else convolution


def load_problem(source):
    names = {"__name__": "problem"}
    exec(compile(source, "problem.py", "exec"), names)
    return names


def in_precision(value, names):
    """Weights and floating-point inputs have the type that the problem's `precision` names."""
    precision = names.get("precision")
    if not isinstance(precision, torch.dtype) or (isinstance(value, TENSOR) and not value.is_floating_point()):
        return value
    return value.to(precision) if isinstance(value, (TENSOR, torch.nn.Module)) else value


def to_device(value, device, double=False):
    if not isinstance(value, TENSOR):
        return value
    value = value.to(device)
    return value.double() if double and value.is_floating_point() else value


def make_model(names, name, seed, device):
    """Weights depend on the seed alone: the same for both models if they draw them in the same order."""
    set_seed(seed)
    arguments = [to_device(value, device) for value in names["get_init_inputs"]()]
    set_seed(seed)
    with NO_GRAD():
        return in_precision(names[name](*arguments).to(device), names)


# --- oracle ---


def vary(tensor, variation, generator):
    """Another distribution of the same support: element by element, so that zeros, triangles and symmetry stay."""
    if not isinstance(tensor, TENSOR) or not tensor.is_floating_point() or variation == "plain" or tensor.numel() == 0:
        return tensor
    if tensor.flatten()[:4096].unique().numel() <= 16:
        return tensor  # labels, signs, masks
    used = tensor[tensor != 0].double()
    mean, deviation = used.mean().item(), used.std().item() if used.numel() > 1 else 1.0
    factor = 2 ** generator.uniform(-3, 1)
    if variation == "scaled":
        varied = tensor * factor
    elif variation == "shifted":
        varied = tensor + deviation if abs(mean) < deviation / 4 else tensor - mean
    elif variation == "heavy_tailed":
        centerd = (tensor - mean) / (deviation or 1.0)
        varied = centerd**3 * (deviation / 2)
    else:
        part = (tensor.abs() * 1e4).frac()
        varied = torch.where(part < 0.25, torch.zeros_like(tensor), torch.where(part > 0.6, -tensor, tensor))
    return torch.where(tensor == 0, tensor, varied.to(tensor.dtype))


def bytes_of(values):
    return sum(value.numel() * value.element_size() for value in values if isinstance(value, TENSOR))


def work_of(names):
    """The operations of one call as far as products and convolutions go, without doing them; 0 where it cannot be told."""
    from torch.utils.flop_counter import FlopCounterMode

    try:
        with torch.device("meta"), NO_GRAD(), FlopCounterMode(display=False) as counter:
            names["Model"](*names["get_init_inputs"]())(*names["get_inputs"]())
        return counter.get_total_flops()
    except Exception:
        return 0


def fits(names, size, request):
    limit = request.get("work_limit")
    return size <= request["data_limit"] and (limit is None or work_of(names) <= limit)


def fitted_problem(source, request):
    """The problem with a batch small enough, and its names."""
    while True:
        names = load_problem(source)
        try:
            with torch.device("meta"):
                size = bytes_of(names["get_inputs"]())
        except Exception:
            size = 0  # it cannot be told before
        smaller = None if fits(names, size, request) else halved_batch(source)
        if smaller is None and "work_limit" in request and not fits(names, size, request):
            smaller = halved_side(source)
        if smaller is None:
            return source, names, size
        source = smaller


def halved_batch(source):
    found = re.search(r"^batch_size\s*=\s*(\d+)", source, re.MULTILINE)
    if not found or int(found[1]) < 2:
        return None
    return source[: found.start(1)] + str(int(found[1]) // 2) + source[found.end(1) :]


def halved_side(source):
    """The largest number that the problem has a name for, halved. Small ones are no sizes of data."""
    largest, place = SMALLEST_SIDE - 1, None
    for found in re.finditer(r"^\w+\s*=\s*(\d+(?:\s*\*\s*\d+)*)\s*(?:#.*)?$", source, re.MULTILINE):
        value = math.prod(int(factor) for factor in found[1].split("*"))
        if value > largest:
            largest, place = value, found
    if place is None:
        return None
    return source[: place.start(1)] + str(largest // 2) + source[place.end(1) :]


def run_model(model, inputs, seed):
    set_seed(seed)
    with NO_GRAD():
        return flatten(model(*inputs))


def all_finite(tensors):
    return all(bool(torch.isfinite(tensor).all()) for tensor in tensors if tensor.is_floating_point())


class TooLarge(ValueError):
    pass


class Oracle:
    """Makes inputs and expected outputs. Every public method that COMMANDS names is a command."""

    def __init__(self, request, progress):
        self.request = request
        self.progress = progress
        self.device = request["device"]

    def load(self):
        return {}

    def construct(self):
        self.synchronize = synchronize_with(self.device)
        set_tf32(False)
        original = OPEN("problem.py").read()
        source, self.names, size = fitted_problem(original, self.request)
        self.is_smaller = source != original
        if size > self.request["data_limit"]:
            raise TooLarge(f"its inputs take {size} bytes, and there is no batch to make smaller")
        self.model = make_model(self.names, "Model", self.request["weight_seed"], self.device)
        try:
            self.exact = copy.deepcopy(self.model).double()
        except Exception:
            self.exact = None
        return {}

    def inputs_of(self, trial, variation):
        seed = self.request["seeds"][trial]
        set_seed(seed)
        generator = random.Random(seed)
        inputs = self.names["get_inputs"]()
        for value in inputs:
            if not isinstance(value, (TENSOR, int, float, bool, type(None))):
                raise ValueError(f"an input is a {type(value).__name__}")
        return [in_precision(vary(value, variation, generator), self.names) for value in inputs]

    def run(self, inputs, seed):
        return run_model(self.model, [to_device(value, self.device) for value in inputs], seed)

    def run_marked(self, inputs, seed):
        """With marks around its kernels, to tell what work the module is."""
        on_device = [to_device(value, self.device) for value in inputs]
        self.synchronize()
        mark_timeline("begin")
        outputs = run_model(self.model, on_device, seed)
        self.synchronize()
        mark_timeline("end")
        return outputs

    def run_exact(self, inputs, seed):
        if self.exact is None:
            return None
        try:
            return run_model(self.exact, [to_device(value, self.device, True) for value in inputs], seed)
        except Exception:
            self.exact = None
            return None

    def is_random(self, inputs):
        one, two = self.run(inputs, 1), self.run(inputs, 2)
        return not all(torch.allclose(a, b, rtol=1e-5, atol=1e-6, equal_nan=True) for a, b in zip(one, two))

    def make_trial(self, trial):
        variation = VARIATIONS[trial % len(VARIATIONS)]
        inputs = self.inputs_of(trial, variation)
        outputs = self.run_marked(inputs, trial)
        if variation != "plain" and not all_finite(outputs):
            variation = "plain"
            inputs = self.inputs_of(trial, variation)
            outputs = self.run_marked(inputs, trial)
        exact = self.run_exact(inputs, trial)
        if exact is not None and [tuple(t.shape) for t in exact] != [tuple(t.shape) for t in outputs]:
            exact = None
        for index, value in enumerate(inputs):
            if isinstance(value, TENSOR):
                write_tensor(f"in_{trial}_{index}.bin", value)
        for index, value in enumerate(outputs):
            write_tensor(f"reference_{trial}_{index}.bin", value)
            if exact is not None:
                write_tensor(f"exact_{trial}_{index}.bin", exact[index])
        return {
            "variation": variation,
            "inputs": [describe(value) if isinstance(value, TENSOR) else {"value": value} for value in inputs],
            "outputs": [describe(value) for value in outputs],
            "exact": [describe(value) for value in exact] if exact is not None else None,
        }

    def check_smaller(self):
        """Some references work for one batch only."""
        try:
            self.run(self.inputs_of(0, "plain"), 0)
        except Exception as error:
            raise TooLarge(f"with a smaller batch the reference fails: {error}") from error

    def make(self):
        if self.is_smaller:
            self.check_smaller()
        if self.is_random(self.inputs_of(0, "plain")):
            raise ValueError("its reference draws random numbers")
        self.progress["trials"] = [self.make_trial(trial) for trial in range(len(self.request["seeds"]))]
        return {}


# --- model: the answer's or the reference's, driven from outside ---


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

    def construct(self):
        enter(self.progress, "construct")
        self.synchronize = synchronize_with(self.device)
        self.reset_persisting_cache = reset_persisting_cache_with(self.device)
        self.model = make_model(self.names, self.request["model"], self.request["weight_seed"], self.device)
        if self.request.get("compile"):
            self.model = torch.compile(self.model)
        self.inputs, self.before, self.result = None, None, None
        is_timed = self.device != "cpu" and not EMULATED
        self.emptied = torch.empty(L2_FLUSH_BYTES, dtype=torch.int8, device=self.device) if is_timed else None
        self.event = torch.cuda.Event if is_timed else None
        self.events = None
        self.synchronize()
        enter(self.progress, "run")
        return {}

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

    def file(self, trial, seed, folder):
        """The inputs of a trial, from their files."""
        with OPEN(os.path.join(folder, "trials.json")) as file:
            described = json.load(file)[int(trial)]
        read = [read_input(os.path.join(folder, f"in_{trial}_{i}.bin"), d) for i, d in enumerate(described)]
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
        words = os.read(commands, 4096).decode().rstrip("\n").split(" ", 3)
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

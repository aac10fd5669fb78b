"""The Python side of judging KernelBench answers: one process for one part of the work (docs/benchmarks.md).

    python -I -B child.py oracle | answer | time

Everything is in the working folder: request.json and problem.py, and for the last two the inputs. `oracle` makes inputs
and what the reference gives for them; it never sees an answer. `answer` runs ModelNew of answer.py on inputs made
before, in a folder that holds no expected output. `time` measures either model. Tensors are raw little-endian files;
who compares them is the parent. What an answer might replace later (timers, synchronization) is taken hold of before it
is imported.
"""
import copy
import ctypes
import json
import os
import random
import re
import sys
import time

os.environ["PATH"] = os.pathsep.join(
    [os.path.dirname(sys.executable), os.path.join(os.environ.get("CUDA_HOME", "/usr"), "bin"), os.environ.get("PATH", "")]
)

import torch

TENSOR = torch.Tensor
TENSOR_TYPES = (torch.Tensor, torch.nn.Parameter)
CLOCK = time.perf_counter
SLEEP = time.sleep
EXISTS = os.path.exists
STRING_AT = ctypes.string_at
SYSTEM_RANDOM = random.SystemRandom()
NO_GRAD = torch.no_grad
OPEN = open
DUMP = json.dumps
CPU = torch.Tensor.cpu
DETACH = torch.Tensor.detach
CONTIGUOUS = torch.Tensor.contiguous
DATA_PTR = torch.Tensor.data_ptr
ZERO = torch.Tensor.zero_
CLONE = torch.Tensor.clone
EXIT = os._exit
VARIATIONS = ["plain", "scaled", "shifted", "heavy_tailed", "zeros_and_signs"]
L2_FLUSH_BYTES = 256 << 20


def record_flusher():
    """Brings the last kernels into the execution record, which is otherwise done when a process ends in order."""
    library = os.environ.get("CUSET_CUPTI_LIBRARY")
    if not library:
        return lambda: None
    flush = ctypes.CDLL(library).cuptiActivityFlushAll
    return lambda: flush(1)


FLUSH_RECORD = record_flusher()


def synchronize_with(device):
    """Waits for every stream of the device."""
    if device == "cpu":
        return lambda: None
    torch.cuda.init()
    return torch._C._cuda_synchronize


def wait_at_gate():
    """Until we have a place on the device, or the whole of it."""
    OPEN("ready", "w").close()
    while not EXISTS("go"):
        SLEEP(0.001)


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


def load_problem(source):
    names = {"__name__": "problem"}
    exec(compile(source, "problem.py", "exec"), names)
    return names


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
        return names[name](*arguments).to(device)


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


def fitted_problem(source, limit):
    """The problem with a batch small enough, and its names."""
    while True:
        names = load_problem(source)
        try:
            with torch.device("meta"):
                size = bytes_of(names["get_inputs"]())
        except Exception:
            size = 0  # it cannot be told before
        smaller = halved_batch(source)
        if size <= limit or smaller is None:
            return source, names, size
        source = smaller


def halved_batch(source):
    found = re.search(r"^batch_size\s*=\s*(\d+)", source, re.MULTILINE)
    if not found or int(found[1]) < 2:
        return None
    return source[: found.start(1)] + str(int(found[1]) // 2) + source[found.end(1) :]


def run_model(model, inputs, seed):
    set_seed(seed)
    with NO_GRAD():
        return flatten(model(*inputs))


def all_finite(tensors):
    return all(bool(torch.isfinite(tensor).all()) for tensor in tensors if tensor.is_floating_point())


class TooLarge(ValueError):
    pass


class Oracle:
    def __init__(self, request):
        self.request = request
        self.device = request["device"]
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        original = OPEN("problem.py").read()
        source, self.names, size = fitted_problem(original, request["data_limit"])
        self.is_smaller = source != original
        if size > request["data_limit"]:
            raise TooLarge(f"its inputs take {size} bytes, and there is no batch to make smaller")
        with OPEN("problem_used.py", "w") as file:
            file.write(source)
        self.model = make_model(self.names, "Model", request["weight_seed"], self.device)
        try:
            self.exact = copy.deepcopy(self.model).double()
        except Exception:
            self.exact = None

    def inputs_of(self, trial, variation):
        seed = self.request["seeds"][trial]
        set_seed(seed)
        generator = random.Random(seed)
        inputs = self.names["get_inputs"]()
        for value in inputs:
            if not isinstance(value, (TENSOR, int, float, bool, type(None))):
                raise ValueError(f"an input is a {type(value).__name__}")
        return [vary(value, variation, generator) for value in inputs]

    def run(self, inputs, seed):
        return run_model(self.model, [to_device(value, self.device) for value in inputs], seed)

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
        outputs = self.run(inputs, trial)
        if variation != "plain" and not all_finite(outputs):
            variation = "plain"
            inputs = self.inputs_of(trial, variation)
            outputs = self.run(inputs, trial)
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
            return {"phase": "random", "error": "its reference draws random numbers"}
        trials = [self.make_trial(trial) for trial in range(len(self.request["seeds"]))]
        return {"phase": "done", "trials": trials}


# --- answer and time ---


def enter(progress, phase):
    """Leaves word of how far it came, in case that the process is ended."""
    progress["phase"] = phase
    with OPEN("result.json", "w") as file:
        file.write(DUMP({"phase": phase, "ended": True}))


def load_model(request):
    """The names of the problem and, on top of them, of the answer, as in KernelBench."""
    names = load_problem(OPEN("problem.py").read())
    if request["model"] == "ModelNew":
        answer = OPEN("answer.py").read()
        names["__name__"] = "answer"
        exec(compile(answer, "answer.py", "exec"), names)
        if "ModelNew" not in names:
            raise NameError("the answer defines no class ModelNew")
    return names


class Subject:
    def __init__(self, request, progress, before_construction=lambda: None):
        self.request = request
        self.device = request["device"]
        self.synchronize = synchronize_with(self.device)
        enter(progress, "import")
        names = load_model(request)
        before_construction()
        enter(progress, "construct")
        self.model = make_model(names, request["model"], request["weight_seed"], self.device)
        self.synchronize()
        enter(progress, "run")

    def input_file(self, trial, index):
        return f"in_{self.request['trials'][trial]['number']}_{index}.bin"

    def inputs_of(self, trial):
        return [
            to_device(read_input(self.input_file(trial, index), description), self.device)
            for index, description in enumerate(self.request["trials"][trial]["inputs"])
        ]

    def call(self, inputs):
        with NO_GRAD():
            return self.model(*inputs)

    def mutated(self, trial, inputs):
        """Indices of the inputs that are not as they were."""
        changed = []
        for index, value in enumerate(inputs):
            if not isinstance(value, TENSOR):
                continue
            with OPEN(self.input_file(trial, index), "rb") as file:
                if raw_bytes(value) != file.read():
                    changed.append(index)
        return changed

    def keep(self, name, result):
        """Writes the outputs down; a list of their types where they are not plain tensors."""
        outputs = flatten(result)
        strange = [type(value).__name__ for value in outputs if type(value) not in TENSOR_TYPES]
        if strange:
            return {"strange": strange}
        for index, value in enumerate(outputs):
            write_tensor(f"out_{name}_{index}.bin", value)
        return {"outputs": [describe(value) for value in outputs]}


def judge_answer(request, progress):
    # Importing an answer is mostly compiling, which needs no device.
    subject = Subject(request, progress, wait_at_gate)
    progress["trials"] = []
    for trial in range(len(request["trials"])):
        inputs = subject.inputs_of(trial)
        set_seed(request["run_seeds"][trial])
        result = subject.call(inputs)
        subject.synchronize()
        kept = subject.keep(trial, result)
        kept["mutated"] = subject.mutated(trial, inputs)
        progress["trials"].append(kept)
        del result, inputs
    progress["phase"] = "done"


class Timer:
    """Event time and wall clock of one call, on a device that has nothing else to do."""

    def __init__(self, device, synchronize, calls):
        self.device = device
        self.synchronize = synchronize
        if device != "cpu":
            event = torch.cuda.Event
            self.events = [(event(enable_timing=True), event(enable_timing=True)) for _ in range(calls)]
            self.record = torch.cuda.Event.record
            self.elapsed = torch.cuda.Event.elapsed_time
            self.stream = torch.cuda.current_stream()
            self.flush = torch.empty(L2_FLUSH_BYTES, dtype=torch.int8, device=device)

    def measure(self, call):
        if self.device == "cpu":
            start = CLOCK()
            result = call()
            wall = (CLOCK() - start) * 1e3
            return result, wall, wall
        ZERO(self.flush)
        begin, end = self.events.pop()
        self.synchronize()
        start = CLOCK()
        self.record(begin, self.stream)
        result = call()
        self.record(end, self.stream)
        self.synchronize()
        wall = (CLOCK() - start) * 1e3
        return result, self.elapsed(begin, end), wall


def time_model(request, progress):
    total = request["warm_ups"] + request["runs"]
    timer = Timer(request["device"], synchronize_with(request["device"]), total)
    subject = Subject(request, progress)
    base = [subject.inputs_of(trial) for trial in range(len(request["trials"]))]
    sampled = set(SYSTEM_RANDOM.sample(range(request["warm_ups"], total), min(3, request["runs"])))
    event_ms, wall_ms, samples, before = [], [], [], None
    wait_at_gate()
    for number in range(total):
        trial = SYSTEM_RANDOM.randrange(len(base))
        inputs = [CLONE(value) if isinstance(value, TENSOR) else value for value in base[trial]]
        result, event, wall = timer.measure(lambda: subject.call(inputs))
        if number in sampled:
            kept = subject.keep(f"sample{len(samples)}", result)
            kept["trial"] = trial
            samples.append(kept)
        if number >= request["warm_ups"]:
            event_ms.append(event)
            wall_ms.append(wall)
        before = inputs  # kept over the next call: new inputs lie at other addresses
        del result
    del before
    progress.update({"phase": "done", "event_ms": event_ms, "wall_ms": wall_ms, "samples": samples})


def main():
    role = sys.argv[1]
    with OPEN("request.json") as file:
        request = json.load(file)
    progress = {"phase": "start"}
    try:
        if role == "oracle":
            progress = Oracle(request).make()
        elif role == "answer":
            judge_answer(request, progress)
        else:
            time_model(request, progress)
    except TooLarge as error:
        progress = {"phase": "large", "error": str(error)[-2000:]}
    except BaseException as error:  # SystemExit too: an answer does not end the work
        progress["error"] = f"{type(error).__name__}: {error}"[-20000:]
    with OPEN("result.json", "w") as file:
        file.write(DUMP(progress))
    FLUSH_RECORD()
    sys.stdout.flush()
    sys.stderr.flush()
    EXIT(0)  # nothing of the answer runs after the last word


main()

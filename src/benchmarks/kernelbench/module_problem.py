"""What the processes that judge KernelBench answers share (kernelbench_child.py): PyTorch with its device, tensors in files, the
problem and its models.
"""
import contextlib
import ctypes
import importlib.util
import math
import os
import re
import sys

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
STRING_AT = ctypes.string_at
NO_GRAD = torch.no_grad
OPEN = open
CPU = torch.Tensor.cpu
DETACH = torch.Tensor.detach
CONTIGUOUS = torch.Tensor.contiguous
DATA_PTR = torch.Tensor.data_ptr
START_DEVICE = torch.cuda.init
WAIT_FOR_DEVICE = getattr(torch._C, "_cuda_synchronize", None)
END_CALL = EMULATED.end_call if EMULATED else lambda: None
SMALLEST_SIDE = 64


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


def read_input(path, word, description):
    """On the emulator a tensor of the device, since the host cannot read its file."""
    if "value" in description:
        return description["value"]
    dtype = getattr(torch, description["dtype"])
    if EMULATED:
        taken = torch.empty(description["shape"], dtype=dtype, device="cuda")
        EMULATED.take_input(path, word, taken)
        return taken
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


def make_model(names, name, seed, device, weights=None):
    """Weights depend on the seed alone: the same for both models if they draw them in the same order. `weights` are those that
    then get other values (module_weights.py). The second result names those that the model does not hold.
    """
    set_seed(seed)
    arguments = [to_device(value, device) for value in names["get_init_inputs"]()]
    set_seed(seed)
    with NO_GRAD(), weights.watch() if weights else contextlib.nullcontext():
        model = in_precision(names[name](*arguments).to(device), names)
    return model, weights.place(model) if weights else []


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


"""The Python side of the device "cuda" on the emulator (cuda_backend.cc): what torch.cuda has of it.

    begin()     before torch is imported
    complete()  after that

A PyTorch that was built without CUDA has no torch._C._cuda_...; those that are used get a plain one here. What cannot be
served raises an error that says "cuset: unsupported: ...", which the judge knows.
"""
import contextlib
import ctypes
import os
import time
import types


def begin():
    ctypes.CDLL(os.path.join(os.environ["CUDA_HOME"], "lib64", "libtorch_cuda.so"), ctypes.RTLD_GLOBAL)


def unsupported(name):
    def refuse(*arguments, **options):
        raise NotImplementedError(f"cuset: unsupported: {name}")

    return refuse


def check(error):
    if error:
        RUNTIME.cudaGetErrorString.restype = ctypes.c_char_p
        raise ERROR(f"CUDA error: {RUNTIME.cudaGetErrorString(error).decode()}")


class Stream:
    """A stream of the emulator, in which work runs at once; the emulator notes who waits for it."""

    stream_id = 0
    priority = 0
    device_index = 0

    def __init__(self, *arguments, stream_ptr=None, **options):
        handle = ctypes.c_void_p(stream_ptr)
        if stream_ptr is None:
            check(RUNTIME.cudaStreamCreateWithFlags(ctypes.byref(handle), 1))  # it does not wait for the default stream
        self.cuda_stream = handle.value or 0

    def synchronize(self):
        check(RUNTIME.cudaStreamSynchronize(ctypes.c_void_p(self.cuda_stream)))

    def query(self):
        check(RUNTIME.cudaStreamQuery(ctypes.c_void_p(self.cuda_stream)))
        return True

    def wait_event(self, event):
        if event.time is not None:
            check(RUNTIME.cudaStreamWaitEvent(ctypes.c_void_p(self.cuda_stream), event.handle, 0))

    def wait_stream(self, stream):
        self.wait_event(stream.record_event())

    def record_event(self, event=None):
        event = event or Event()
        event.record(self)
        return event

    def __eq__(self, other):
        return isinstance(other, Stream) and self.cuda_stream == other.cuda_stream

    def __hash__(self):
        return hash(self.cuda_stream)

    def __enter__(self):
        self.before = current_stream()
        use_stream(self)
        return self

    def __exit__(self, *ignored):
        use_stream(self.before)


class Event:
    """Its times are those of the CPU, and say nothing of a GPU's."""

    def __init__(self, *arguments, **options):
        self.time = None
        self.handle = ctypes.c_void_p()
        check(RUNTIME.cudaEventCreate(ctypes.byref(self.handle)))

    def record(self, stream=None):
        self.time = time.monotonic()
        check(RUNTIME.cudaEventRecord(self.handle, ctypes.c_void_p((stream or current_stream()).cuda_stream)))

    def wait(self, stream=None):
        (stream or current_stream()).wait_event(self)

    def query(self):
        check(RUNTIME.cudaEventQuery(self.handle))
        return True

    def synchronize(self):
        check(RUNTIME.cudaEventSynchronize(self.handle))

    def elapsed_time(self, end):
        return 1000 * (end.time - self.time)


def current_stream(device=None):
    return Stream(stream_ptr=RUNTIME.cuset_current_stream() or 0)


def use_stream(stream):
    if stream is not None:
        RUNTIME.cuset_use_stream(ctypes.c_void_p(stream.cuda_stream))


@contextlib.contextmanager
def in_stream(stream):
    before = current_stream()
    use_stream(stream)
    try:
        yield
    finally:
        use_stream(before)


def end_call():
    """After each call of the model: the timeline tells of work that nobody waits for."""
    RUNTIME.cuset_end_call()


def take_input(path, word, tensor):
    """The content of one of the judge's files, which only the runtime can read, and only with the file's word."""
    TAKE_INPUT(path, word, tensor)


def properties_of_device():
    return types.SimpleNamespace(
        name="CuSeT CPU emulator",
        major=8,
        minor=0,
        total_memory=16 << 30,
        multi_processor_count=108,
        warp_size=32,
        max_threads_per_block=1024,
        max_threads_per_multi_processor=2048,
        shared_memory_per_block=48 << 10,
        shared_memory_per_block_optin=163 << 10,
        shared_memory_per_multiprocessor=164 << 10,
        regs_per_multiprocessor=65536,
        L2_cache_size=40 << 20,
        is_integrated=False,
        is_multi_gpu_board=False,
        gcnArchName="",
    )


def serve_seeds(torch):
    def seed_of_all(seed):
        torch.default_generator.manual_seed(seed)

    torch.cuda.manual_seed = torch.cuda.manual_seed_all = seed_of_all
    torch.cuda.seed = torch.cuda.seed_all = lambda: None
    torch.cuda.initial_seed = torch.initial_seed
    torch.cuda.get_rng_state = lambda device="cuda": torch.get_rng_state()
    torch.cuda.set_rng_state = lambda state, device="cuda": torch.set_rng_state(state)


def serve_streams(torch):
    for module in (torch.cuda, torch.cuda.streams):
        module.Stream, module.Event = Stream, Event
    torch.cuda.current_stream = current_stream
    torch.cuda.default_stream = lambda device=None: Stream(stream_ptr=0)
    torch.cuda.set_stream = use_stream
    torch.cuda.stream = in_stream
    torch.cuda.ExternalStream = lambda stream_ptr, device=None, **k: Stream(stream_ptr=stream_ptr)
    torch.cuda.CUDAGraph = unsupported("torch.cuda.CUDAGraph")
    torch.cuda.graph = unsupported("torch.cuda.graph")
    torch.cuda.make_graphed_callables = unsupported("torch.cuda.make_graphed_callables")


def serve_storages(torch):
    """PyTorch makes storages by themselves only on devices that it was built for."""
    plain = torch.UntypedStorage.clone

    def clone(self):
        if self.device.type != "cuda":
            return plain(self)
        return torch.empty(self.nbytes(), dtype=torch.uint8, device="cuda").untyped_storage().copy_(self)

    torch.UntypedStorage.clone = clone


def serve_memory(torch):
    for name in ("empty_cache", "reset_peak_memory_stats", "ipc_collect", "reset_max_memory_allocated"):
        setattr(torch.cuda, name, lambda *a, **k: None)
    for name in ("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved"):
        setattr(torch.cuda, name, lambda *a, **k: 0)
    torch.cuda.mem_get_info = lambda *a: (8 << 30, 16 << 30)
    torch.cuda.set_per_process_memory_fraction = lambda *a, **k: None


def complete(torch):
    global RUNTIME, ERROR, TAKE_INPUT
    TAKE_INPUT = torch.ops.cuset.take_input
    RUNTIME = ctypes.CDLL(os.path.join(os.environ["CUDA_HOME"], "lib64", "libcudart.so"))
    RUNTIME.cuset_current_stream.restype = ctypes.c_void_p
    ERROR = torch.AcceleratorError

    def synchronize():
        check(RUNTIME.cudaDeviceSynchronize())

    given = {
        "_cuda_getDeviceCount": lambda: 1,
        "_cuda_init": lambda: None,
        "_cuda_isInBadFork": False,
        "_cuda_getDevice": lambda: 0,
        "_cuda_setDevice": lambda device: None,
        "_cuda_exchangeDevice": lambda device: 0,
        "_cuda_maybeExchangeDevice": lambda device: 0,
        "_cuda_synchronize": synchronize,
        "_cuda_getCurrentRawStream": lambda device: current_stream().cuda_stream,
        "_cuda_getArchFlags": lambda: "sm_80",
        "_cuda_getCompiledVersion": lambda: 13000,
    }
    for name, value in given.items():
        setattr(torch._C, name, value)
    torch.version.cuda = "13.0"
    torch.cuda._initialized = True
    torch.cuda._is_in_bad_fork = lambda: False
    torch.cuda.is_available = lambda: True
    torch.cuda.device_count = lambda: 1
    torch.cuda.current_device = lambda: 0
    torch.cuda.set_device = lambda device: None
    torch.cuda._exchange_device = torch.cuda._maybe_exchange_device = lambda device: 0
    torch.cuda.synchronize = lambda device=None: synchronize()
    torch.cuda.get_device_properties = lambda device=None: properties_of_device()
    torch.cuda.get_device_name = lambda device=None: properties_of_device().name
    torch.cuda.get_device_capability = lambda device=None: (8, 0)
    torch.cuda.is_bf16_supported = lambda *a, **k: True
    serve_seeds(torch)
    serve_streams(torch)
    serve_memory(torch)
    serve_storages(torch)
    torch.compile = unsupported("torch.compile")

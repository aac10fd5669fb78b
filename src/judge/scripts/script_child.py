"""The Python side of tasks' own scripts (CUDABench's gen.py and compare.py), in the sandbox. docs/input-scripts.md.

    python -I -B script_child.py [torch]

A server: numpy, and torch if it is named, are imported once. A process forked from the server runs one job after the other,
until one leaves a trace in it (Trace below) or fails; the next job then gets a new process. Job number n is job_<n>.json beside
this file, where nothing in the sandbox can write: {"script", "wanted", "trials": [{"seed", "variation", "level", "places"}],
"compare", "outputs", "most_bytes"}. For each trial the part of the script that makes the wanted inputs runs in job_<n>/trial_<number> of the working
folder and leaves them there as data/<name>.bin. Then compare.py is tried to find its tolerances. job_<n>/result.json says how it
went: {"tolerances"} or {"error", "line", "module"}; done_<n> holds the wait status of the process, 0 while it lives. The parent
trusts none of it.
"""
import ast
import contextlib
import ctypes
import gc
import io
import json
import math
import os
import resource
import shutil
import signal
import sys
import time
import traceback

JOBS = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, JOBS)

import numpy as np
import script_draws
import script_slice

FOLDER = os.getcwd()
EXIT, OPEN, DUMP, PROCESS = os._exit, open, json.dumps, os.getpid
REFERENCE = 1024.0
SMALLEST, LARGEST = 1e-14, 1e8  # between which tolerances are sought
SHORT = (3072, 1024)  # numbers of the files that compare.py is tried on first
COMPARE_SECONDS = 20
MORE_MEMORY = 1 << 18  # KiB that a worker may have taken and still get another job
SHORTEST_PAUSE, LONGEST_PAUSE = 0.0005, 0.005  # seconds between looks for the next job
BECOME_SUBREAPER = 36  # of prctl


def imports_torch(tree):
    names = [each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names]
    names += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return any(name.partition(".")[0] == "torch" for name in names)


class Trace(ast.NodeVisitor):
    """Whether code may change what the next job in the same process meets. It says yes to all that it does not know."""

    MODULES = {"json", "math", "numpy", "os", "pathlib", "random", "struct", "time", "torch"}
    SYSTEM = {"os", "sys"}  # no other way to them than the names of OF_OS
    OF_OS = {"makedirs", "mkdir", "path"}
    BUILTINS = {"__import__", "compile", "delattr", "eval", "exec", "globals", "locals", "setattr", "vars"}
    SETTERS = ("_", "add_", "register", "set", "use_")

    def __init__(self):
        self.is_left = False

    def visit_Import(self, node):
        for each in node.names:
            module = each.name.partition(".")[0]
            self.is_left |= module not in self.MODULES or (module == "os" and bool(each.asname))

    def visit_ImportFrom(self, node):
        self.is_left |= (node.module or "").partition(".")[0] not in self.MODULES - {"os"}
        self.is_left |= any(each.name.startswith(self.SETTERS) or each.name in self.SYSTEM for each in node.names)

    def visit_Name(self, node):
        self.is_left |= node.id in self.BUILTINS or node.id in self.SYSTEM

    def visit_Attribute(self, node):
        self.is_left |= not isinstance(node.ctx, ast.Load) or node.attr.startswith(self.SETTERS) or node.attr in self.SYSTEM
        if isinstance(node.value, ast.Name) and node.value.id == "os":
            self.is_left |= node.attr not in self.OF_OS
        else:
            self.visit(node.value)


def leaves_trace(tree):
    trace = Trace()
    trace.visit(tree)
    return trace.is_left


def text_leaves_trace(text):
    try:
        return leaves_trace(ast.parse(text))
    except (SyntaxError, ValueError):
        return True


class Script:
    """gen.py. What its slice fails on, the whole of it may manage."""

    def __init__(self, text, wanted, folder):
        self.text, self.folder = text, folder
        self.is_whole = False
        self.take(script_slice.sliced(text, wanted))

    def take(self, tree):
        self.leaves_trace = self.is_whole or leaves_trace(tree)
        self.code = compile(tree, "gen.py", "exec")
        if imports_torch(tree):
            import torch  # noqa: F401

    def run(self, number, trial):
        try:
            self.run_code(number, trial)
        except Exception:
            if self.is_whole:
                raise
            self.is_whole = True
            self.take(ast.parse(self.text, "gen.py"))
            self.run_code(number, trial)

    def run_code(self, number, trial):
        folder = os.path.join(self.folder, f"trial_{number}")
        os.makedirs(os.path.join(folder, "data"), exist_ok=True)
        os.chdir(folder)
        script_draws.begin_trial(trial)
        names = {"__name__": "__main__", "__file__": os.path.join(folder, "gen.py")}
        worker = PROCESS()
        with OPEN(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), self.devices():
            try:
                exec(self.code, names)
            except SystemExit:
                pass  # what has been written by then counts
            finally:
                if PROCESS() != worker:  # a child that the script forked does not do our work, too
                    EXIT(0)
        names.clear()  # functions and the names they use hold each other

    def devices(self):
        if "torch" not in sys.modules or not ("cuda" in self.text or "device" in self.text):
            return contextlib.nullcontext()
        import script_torch

        return script_torch.OnTheCpu()


class Comparison:
    """compare.py, tried on files that hold one number everywhere: the reference r, the output r + d."""

    def __init__(self, text, outputs):
        tree = ast.parse(text, "compare.py")
        self.code = compile(tree, "compare.py", "exec")
        numbers = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        numbers = [float(each) for each in numbers if type(each) in (int, float) and 0 < abs(each) < LARGEST]
        self.literals = sorted(set(numbers) | {1e-5, 1e-8})  # with numpy's own
        self.outputs = outputs
        self.types = {}
        self.most = None  # numbers of one file

    def read(self, file, dtype=float, count=-1, *_, **__):
        name = os.path.splitext(os.path.basename(getattr(file, "name", file)))[0]
        dtype = np.dtype(dtype)
        self.types.setdefault(name, dtype)
        self.last_count = self.outputs.get(name, self.last_count)  # references are as long as the outputs before them
        size = self.last_count if count < 0 else count
        number = self.reference + (self.difference if name == self.changed else 0)
        size = size if self.most is None else min(size, self.most)
        return np.full(size, number, np.float64 if dtype.kind == "f" else dtype)

    def passes(self, changed, reference, difference):
        """CUDABench's own rule: no F in what is printed."""
        self.changed, self.reference, self.difference, self.last_count = changed, reference, difference, 1
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                exec(self.code, {"__name__": "__main__", "__file__": "compare.py"})
            except SystemExit:
                pass
        if not {"T", "F"} & set(printed.getvalue()):
            raise ValueError("compare.py prints neither T nor F")
        return "F" not in printed.getvalue()

    def limit(self, changed, reference, at_zero):
        """The largest difference that passes, most often a number of the script; None where that is none or all."""

        def passes(difference):
            return self.passes(changed, reference, difference)

        if passes(LARGEST):
            return None
        if not passes(SMALLEST):
            return 0.0
        guesses = {at_zero + reference * each for each in self.literals} | set(self.literals) | {at_zero}
        guesses = [SMALLEST] + sorted(each for each in guesses if SMALLEST < each < LARGEST) + [LARGEST]
        low, high = 0, len(guesses) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if passes(guesses[middle] * (1 - 1e-6)) else (low, middle)
        if not passes(guesses[low] * (1 + 1e-6)):
            return guesses[low]
        low, high = math.log(guesses[low]), math.log(guesses[high])
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if passes(math.exp(middle)) else (low, middle)
        return math.exp(low)

    def tolerance(self, name):
        at_zero = self.limit(name, 0.0, 0.0)
        far = None if at_zero is None else self.limit(name, REFERENCE, at_zero)
        if far is None:
            return None
        # A difference of rounding at 1024 is not a relative tolerance.
        relative = max(0.0, (far - at_zero) / REFERENCE)
        return [float(f"{at_zero:.3g}"), float(f"{relative:.3g}") if relative >= 1e-7 else 0.0]

    def tolerances(self, most):
        self.most = most
        if not self.passes(None, 0.0, 0.0):
            return None
        names = [name for name in self.outputs if name in self.types and self.types[name].kind == "f"]
        found = {name: self.tolerance(name) for name in names}
        return {name: tolerance for name, tolerance in found.items() if tolerance}


def find_tolerances(text, outputs):
    """Those that compare.py demands, by the output's name. Nothing where it is not understood."""
    changed = np.fromfile, os.path.exists, os.path.isfile
    try:
        comparison = Comparison(text, outputs)
        np.fromfile = comparison.read
        os.path.exists = os.path.isfile = lambda _: True
        try:
            short = [comparison.tolerances(most) for most in SHORT]
        except Exception:
            short = [None]
        # Sums depend on the number of elements, and shapes may be checked.
        if short[0] is not None and short[0] == short[-1]:
            return short[0]
        return comparison.tolerances(None) or {}
    except Exception:
        return {}
    finally:
        np.fromfile, os.path.exists, os.path.isfile = changed


def out_of_time(*_):
    raise TimeoutError("compare.py takes too long")


def describe(error):
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "gen.py"]
    if isinstance(error, SyntaxError):
        lines = [error.lineno]
    return {
        "error": f"{type(error).__name__}: {error}"[:2000],
        "line": lines[-1] if lines else None,
        "module": error.name if isinstance(error, ModuleNotFoundError) else None,
    }


class Worker:
    """A process that does jobs as long as none leaves a trace in it."""

    def __init__(self):
        os.setsid()
        self.most_memory = self.memory() + MORE_MEMORY

    @staticmethod
    def memory():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def run_jobs(self, number):
        while self.run_job(number):
            write_done(number, 0)
            number += 1
        EXIT(0)  # nothing of the script runs after the last word

    def run_job(self, number):
        """Whether another job may follow."""
        request = next_request(number)
        folder = os.path.join(FOLDER, f"job_{number}")
        shutil.rmtree(os.path.join(FOLDER, f"job_{number - 1}"), ignore_errors=True)
        os.mkdir(folder)
        try:
            result, is_clean = self.work(request, folder)
        except BaseException as error:
            result, is_clean = describe(error), False
        with OPEN(os.path.join(folder, "result.json"), "w") as file:
            file.write(DUMP(result))
        return is_clean and self.memory() <= self.most_memory

    def work(self, request, folder):
        hard_limit = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (request["most_bytes"], hard_limit))
        is_clean, tolerances = True, {}
        if request["trials"]:
            script = Script(request["script"], request["wanted"], folder)
            for number, trial in enumerate(request["trials"]):
                script.run(number, trial)
            is_clean = not script.leaves_trace
        if request["compare"]:
            signal.signal(signal.SIGALRM, out_of_time)
            signal.setitimer(signal.ITIMER_REAL, COMPARE_SECONDS)
            tolerances = find_tolerances(request["compare"], request["outputs"])
            signal.setitimer(signal.ITIMER_REAL, 0)
            is_clean = is_clean and not text_leaves_trace(request["compare"])
        return {"tolerances": tolerances}, is_clean


def job_path(number):
    return os.path.join(JOBS, f"job_{number}.json")


def done_path(number):
    return os.path.join(FOLDER, f"done_{number}")


def next_request(number):
    path, pause = job_path(number), SHORTEST_PAUSE
    while not os.path.exists(path):
        time.sleep(pause)
        pause = min(1.02 * pause, LONGEST_PAUSE)
    with OPEN(path) as file:
        return json.load(file)


def write_done(number, status):
    path = os.path.join(FOLDER, "done.new")
    with OPEN(path, "w") as file:
        file.write(str(status))
    os.rename(path, done_path(number))


def has_children():
    try:
        os.waitpid(-1, os.WNOHANG)
        return True
    except ChildProcessError:
        return False


def serve(number):
    """One worker, from this job on. The number of the job after its last one."""
    worker = os.fork()
    if worker == 0:
        Worker().run_jobs(number)
    status = os.waitpid(worker, 0)[1]
    while os.path.exists(done_path(number)):
        number += 1
    ends = has_children()
    if os.path.exists(job_path(number)):
        write_done(number, f"{status} last" if ends else status)
        number += 1
    if ends:
        sys.exit("a script left processes behind")  # they end with this one
    return number


def main():
    if "torch" in sys.argv[1:]:
        with contextlib.suppress(ImportError):
            import script_torch  # noqa: F401
    gc.freeze()  # workers share what was imported as long as nothing writes to it
    ctypes.CDLL(None).prctl(BECOME_SUBREAPER, 1, 0, 0, 0)
    number = 0
    while True:
        number = serve(number)


if __name__ == "__main__":
    main()

"""The Python side of tasks' own scripts (CUDABench's gen.py and compare.py), in the sandbox. docs/input-scripts.md.

    python -I -B script_child.py

A server: numpy, and torch where a script wants it, are imported once, and each job runs in a process forked from it. Job
number n is job_<n>.json beside this file, where nothing in the sandbox can write: {"script", "wanted", "trials": [{"seed",
"variation"}], "compare", "outputs", "most_bytes"}. For each trial the part of the script that makes the wanted inputs runs in
job_<n>/trial_<number> of the working folder and leaves them there as data/<name>.bin. Then compare.py is tried to find its
tolerances. job_<n>/result.json says how it went: {"tolerances"} or {"error", "line", "module"}; done_<n> holds the wait status
of the process. The parent trusts none of it.
"""
import ast
import contextlib
import ctypes
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
EXIT, OPEN, DUMP = os._exit, open, json.dumps
REFERENCE = 1024.0
SMALLEST, LARGEST = 1e-14, 1e8  # between which tolerances are sought
SHORT = (3072, 1024)  # numbers of the files that compare.py is tried on first
COMPARE_SECONDS = 20
BECOME_SUBREAPER = 36  # of prctl


def imports_torch(tree):
    names = [each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names]
    names += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return any(name.partition(".")[0] == "torch" for name in names)


class Script:
    """gen.py. What its slice fails on, the whole of it may manage."""

    def __init__(self, text, wanted, folder):
        self.text, self.folder = text, folder
        self.is_whole = False
        self.take(script_slice.sliced(text, wanted))

    def take(self, tree):
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
        script_draws.begin_trial(int(trial["seed"]), trial["variation"])
        names = {"__name__": "__main__", "__file__": os.path.join(folder, "gen.py")}
        with OPEN(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), self.devices():
            try:
                exec(self.code, names)
            except SystemExit:
                pass  # what has been written by then counts

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
    exists = os.path.exists
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
        os.path.exists = exists


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


def work(request, folder):
    resource.setrlimit(resource.RLIMIT_FSIZE, (request["most_bytes"], request["most_bytes"]))
    if request["trials"]:
        script = Script(request["script"], request["wanted"], folder)
        for number, trial in enumerate(request["trials"]):
            script.run(number, trial)
    signal.signal(signal.SIGALRM, out_of_time)
    signal.setitimer(signal.ITIMER_REAL, COMPARE_SECONDS)
    return {"tolerances": find_tolerances(request["compare"], request["outputs"]) if request["compare"] else {}}


def run_job(request, folder):
    os.setsid()
    try:
        result = work(request, folder)
    except BaseException as error:
        result = describe(error)
    with OPEN(os.path.join(folder, "result.json"), "w") as file:
        file.write(DUMP(result))
    EXIT(0)  # nothing of the script runs after the last word


def next_job(number):
    path = os.path.join(JOBS, f"job_{number}.json")
    while not os.path.exists(path):
        time.sleep(0.002)
    with open(path) as file:
        return json.load(file)


def has_children():
    try:
        os.waitpid(-1, os.WNOHANG)
        return True
    except ChildProcessError:
        return False


def serve(number):
    request = next_job(number)
    if "torch" in request["script"]:
        with contextlib.suppress(ImportError):
            import script_torch  # noqa: F401  for all jobs from now on
    shutil.rmtree(f"job_{number - 1}", ignore_errors=True)
    os.mkdir(f"job_{number}")
    job = os.fork()
    if job == 0:
        run_job(request, os.path.join(FOLDER, f"job_{number}"))
    status = os.waitpid(job, 0)[1]
    with open("done.new", "w") as file:
        file.write(str(status))
    os.rename("done.new", f"done_{number}")
    if has_children():
        sys.exit("a script left processes behind")  # they end with this one


if __name__ == "__main__":
    ctypes.CDLL(None).prctl(BECOME_SUBREAPER, 1, 0, 0, 0)
    for job_number in range(sys.maxsize):
        serve(job_number)

"""The reference programs of CUDABench on the CPU executor: of each family the row with the least data. Inputs and expected
outputs come from the row's own scripts, which need numpy and, for most, torch.

usage: cudabench_on_cpu.py CUSET [--only NAME]...     CUSET_FIXTURES names the folder with benchmarks/cudabench-open.jsonl
Passes if every program that ends within its time gives the right answer: at least 97 % right, none wrong.
"""
import argparse
import ast
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
SECONDS = 60
SIZES = {"float64": 8, "int64": 8, "uint8": 1}
ROOT = pathlib.Path(__file__).resolve().parents[2]


def rows():
    folder = pathlib.Path(os.environ.get("CUSET_FIXTURES", ROOT.parent / "shared" / "fixtures"))
    path = folder / "benchmarks" / "cudabench-open.jsonl"
    if not path.exists():
        print(f"skipped: {path} is absent")
        sys.exit(SKIPPED)
    return [json.loads(line) for line in path.open()]


def data_bytes(row):
    total = 0
    for tensor in (row["inputs"] or []) + (row["outputs"] or []):
        shape = ast.literal_eval(tensor["shape"])
        total += math.prod(shape if isinstance(shape, tuple) else (shape,)) * SIZES.get(tensor["dtype"], 4)
    return total


def smallest_of_each_family():
    chosen = {}
    for row in rows():
        name = row["task_name"]
        if name not in chosen or data_bytes(row) < data_bytes(chosen[name]):
            chosen[name] = row
    return sorted(chosen.values(), key=lambda row: row["task_name"])


def run_script(folder, name, text):
    (folder / name).write_text(text)
    done = subprocess.run([sys.executable, name], cwd=folder, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def judge(cuset, row, folder):
    """(outcome, seconds, explanation)"""
    status, text = run_script(folder, "gen.py", row["gen.py"])
    if status != 0:
        return "no_data", 0, text.strip().splitlines()[-1][:100]
    (folder / "bench.cu").write_text(row["bench.cu"])
    start = time.time()
    subprocess.run([cuset, "run", "bench.cu", "--executor", "cpu", "--quiet", "--input", "data", "--output", "out",
                    "--timeout", str(SECONDS), "--memory", "8", "--json", "run.json"], cwd=folder, capture_output=True)
    seconds = time.time() - start
    result = json.loads((folder / "run.json").read_text())
    if result["build"]["outcome"] != "done":
        return result["build"]["outcome"], seconds, result["build"]["messages"][:120]
    run = result["run"]
    if run["outcome"] != "done":
        return run["outcome"], seconds, run["explanation"][:120]
    if not run["kernels"]:
        return "no_kernel", seconds, ""
    for written in (folder / "out" / "data").glob("*"):
        written.replace(folder / "data" / written.name)
    status, text = run_script(folder, "compare.py", row["compare.py"])
    right = status == 0 and "F" not in text and "T" in text
    return ("right" if right else "wrong"), seconds, "" if right else text.strip()[-100:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cuset")
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    try:
        import numpy  # noqa: F401
        import torch  # noqa: F401
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(SKIPPED)
    counts = {}
    for row in smallest_of_each_family():
        if options.only and row["task_name"] not in options.only:
            continue
        with tempfile.TemporaryDirectory() as folder:
            outcome, seconds, text = judge(os.path.abspath(options.cuset), row, pathlib.Path(folder))
        counts[outcome] = counts.get(outcome, 0) + 1
        print(f"{row['task_name']:40s} {outcome:14s} {seconds:6.1f} s  {text}", flush=True)
    print(counts)
    in_time = sum(count for outcome, count in counts.items() if outcome != "timeout")
    ok = counts.get("wrong", 0) == 0 and counts.get("right", 0) >= 0.97 * in_time
    sys.exit(0 if ok else 1)


main()

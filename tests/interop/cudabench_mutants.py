"""Controls and mutants of CUDABench's references, judged by `cuset verify --audit`: of each family the row with the least data.
Takes an hour on two cores, so no test runs it; killed and started again with the same OUTPUT, it continues.

usage: cudabench_mutants.py CUSET OUTPUT [--executor cpu|gpu] [--most-bytes N]
CUSET_FIXTURES names the folder with benchmarks/cudabench-open.jsonl. Passes if no control is correct and at least 95 % of the
mutants that change an output are caught.
"""
import argparse
import ast
import json
import math
import os
import pathlib
import subprocess
import sys

SKIPPED = 77
SIZES = {"float64": 8, "int64": 8, "uint8": 1}
ROOT = pathlib.Path(__file__).resolve().parents[2]


def fixture():
    folder = pathlib.Path(os.environ.get("CUSET_FIXTURES", ROOT.parent / "shared" / "fixtures"))
    path = folder / "benchmarks" / "cudabench-open.jsonl"
    if not path.exists():
        print(f"skipped: {path} is absent")
        sys.exit(SKIPPED)
    return path


def data_bytes(row):
    total = 0
    for tensor in (row["inputs"] or []) + (row["outputs"] or []):
        shape = ast.literal_eval(tensor["shape"])
        total += math.prod(shape if isinstance(shape, tuple) else (shape,)) * SIZES.get(tensor["dtype"], 4)
    return total


def smallest_rows(path, most_bytes):
    chosen = {}
    for line in path.open():
        row = json.loads(line)
        name = row["task_name"]
        if name not in chosen or data_bytes(row) < data_bytes(chosen[name]):
            chosen[name] = row
    return [str(row["id"]) for row in chosen.values() if data_bytes(row) <= most_bytes]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cuset")
    parser.add_argument("output")
    parser.add_argument("--executor", default="cpu")
    parser.add_argument("--most-bytes", type=int, default=1 << 40)
    options = parser.parse_args()
    path = fixture()
    command = [options.cuset, "verify", "--tasks", str(path), "--audit", "--output", options.output, "--executor",
               options.executor, "--only", ",".join(smallest_rows(path, options.most_bytes))]
    subprocess.run(command, check=True)
    # Everything is judged by now: the same figures once more, for the machine.
    summary = json.loads(subprocess.run(command + ["--json"], check=True, capture_output=True, text=True).stdout)
    sys.exit(0 if summary["caught_share"] >= 0.95 and "vacuous" not in summary["marks"] else 1)


main()

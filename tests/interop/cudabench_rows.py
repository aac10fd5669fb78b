"""CUDABench's rows where they are at hand: $CUSET_FIXTURES/benchmarks/cudabench-open.jsonl, else ../shared/fixtures/... beside the
checkout. What needs them ends with 77, "skipped", where they are absent.
"""
import ast
import json
import math
import os
import pathlib
import subprocess
import sys

SKIPPED = 77
SIZES = {"float64": 8, "int64": 8, "uint8": 1}  # all other types have 4 bytes
ROOT = pathlib.Path(__file__).resolve().parents[2]


def rows_path():
    folder = pathlib.Path(os.environ.get("CUSET_FIXTURES", ROOT.parent / "shared" / "fixtures"))
    path = folder / "benchmarks" / "cudabench-open.jsonl"
    if not path.exists():
        print(f"skipped: {path} is absent")
        sys.exit(SKIPPED)
    return path


def skip_without_cpu_executor(cuset):
    report = subprocess.run([cuset, "doctor", "--json"], capture_output=True, text=True).stdout
    for finding in json.loads(report)["findings"]:
        if finding["name"] == "CPU executor" and finding["state"] != "good":
            print(f"skipped: no CPU executor: {finding['detail']}")
            sys.exit(SKIPPED)


def all_rows():
    return [json.loads(line) for line in rows_path().open()]


def data_bytes(row):
    total = 0
    for tensor in (row["inputs"] or []) + (row["outputs"] or []):
        shape = ast.literal_eval(tensor["shape"])
        total += math.prod(shape if isinstance(shape, tuple) else (shape,)) * SIZES.get(tensor["dtype"], 4)
    return total


def smallest_of_each_family():
    """The row with the least data of each family, the least first."""
    chosen = {}
    for row in sorted(all_rows(), key=data_bytes):
        chosen.setdefault(row["task_name"], row)
    return list(chosen.values())

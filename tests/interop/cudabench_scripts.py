#!/usr/bin/env python3
"""CUDABench's own scripts through the Python side of cuset verify (src/judge/scripts/script_child.py), without the C++ side: of
each family the row with the least data must give inputs of the declared sizes and finite numbers in every variation, and every
row's compare.py must show its tolerances.

usage: cudabench_scripts.py
"""
import ast
import math
import os
import pathlib
import sys
import tempfile

from cudabench_rows import ROOT, SKIPPED, all_rows, smallest_of_each_family

sys.path.insert(0, str(ROOT / "src" / "judge" / "scripts"))
sys.dont_write_bytecode = True
try:
    import numpy as np
    import torch  # noqa: F401
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(SKIPPED)
import script_child
import script_torch  # noqa: F401

VARIATIONS = ["plain", "scaled", "shifted", "heavy_tailed", "zeros_and_signs", "peak"]


def count_of(tensor):
    shape = ast.literal_eval(tensor["shape"])
    return math.prod(shape if isinstance(shape, tuple) else (shape,))


def faults_of_inputs(row, folder):
    script = script_child.Script(row["gen.py"], [each["name"] for each in row["inputs"]], folder)
    for number, variation in enumerate(VARIATIONS):
        script.run(number, {"seed": 2**63 + row["id"], "variation": variation, "level": "zero", "places": 1})
        for each in row["inputs"]:
            path = pathlib.Path(folder) / f"trial_{number}" / "data" / f"{each['name']}.bin"
            numbers = np.frombuffer(path.read_bytes(), each["dtype"]) if path.exists() else np.zeros(0)
            if numbers.size != count_of(each):
                yield f"{variation}: {each['name']} has {numbers.size} numbers"
            elif not np.isfinite(numbers).all():
                yield f"{variation}: {each['name']} has numbers that are not finite"
    if script.is_whole:
        yield "its slice fails"


def faults_of_tolerances(row):
    outputs = {each["name"]: count_of(each) for each in row["outputs"] or [] if each["dtype"].startswith("float")}
    found = script_child.find_tolerances(row["compare.py"], outputs)
    return [f"no tolerance for {name}" for name in outputs if name not in found]


def main():
    rows, faults, start = smallest_of_each_family(), 0, os.getcwd()
    for row in rows:
        with tempfile.TemporaryDirectory() as folder:
            for fault in faults_of_inputs(row, folder):
                print(f"{row['id']} {row['task_name']}: {fault}")
                faults += 1
            os.chdir(start)
    for row in all_rows():
        for fault in faults_of_tolerances(row):
            print(f"{row['id']} {row['task_name']}: {fault}")
            faults += 1
    print(f"{len(rows)} families, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

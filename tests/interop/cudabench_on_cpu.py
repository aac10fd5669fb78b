"""The reference programs of CUDABench on the CPU executor: of each family the row with the least data. Inputs and expected
outputs come from the row's own scripts, which need numpy and, for most, torch.

usage: cudabench_on_cpu.py CUSET [--only NAME]...     CUSET_FIXTURES names the folder with benchmarks/cudabench-open.jsonl
Passes if every program that ends within its time gives the right answer: at least 97 % right, none wrong.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from cudabench_rows import SKIPPED, smallest_of_each_family, skip_without_cpu_executor

SECONDS = 60


def run_script(folder, name, text):
    (folder / name).write_text(text)
    done = subprocess.run([sys.executable, name], cwd=folder, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def judge(cuset, row, folder):
    """(outcome, seconds, explanation)"""
    (folder / "data").mkdir()
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
    skip_without_cpu_executor(options.cuset)
    counts = {}
    for row in smallest_of_each_family():
        if options.only and row["task_name"] not in options.only:
            continue
        with tempfile.TemporaryDirectory() as folder:
            outcome, seconds, text = judge(os.path.abspath(options.cuset), row, pathlib.Path(folder))
        counts[outcome] = counts.get(outcome, 0) + 1
        print(f"{row['task_name']:40s} {outcome:14s} {seconds:6.1f} s  {text}", flush=True)
    print(counts)
    # Rows whose own script cannot make data here (it wants a GPU) say nothing about the executor.
    judged = sum(count for outcome, count in counts.items() if outcome not in ("timeout", "no_data"))
    ok = counts.get("wrong", 0) == 0 and counts.get("right", 0) >= 0.97 * judged and judged > 0
    sys.exit(0 if ok else 1)


main()

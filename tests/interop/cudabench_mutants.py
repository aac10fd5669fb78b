"""Controls and mutants of CUDABench's references, judged by `cuset verify --audit`: of each family the row with the least data.
Takes an hour on two cores, so no test runs it; killed and started again with the same OUTPUT, it continues.

usage: cudabench_mutants.py CUSET OUTPUT [--executor cpu|gpu] [--most-bytes N]
CUSET_FIXTURES names the folder with benchmarks/cudabench-open.jsonl. Passes if no control is correct and at least 98 % of the
mutants that change an output are caught.
"""
import argparse
import json
import subprocess
import sys

from cudabench_rows import data_bytes, rows_path, smallest_of_each_family


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cuset")
    parser.add_argument("output")
    parser.add_argument("--executor", default="cpu")
    parser.add_argument("--most-bytes", type=int, default=1 << 40)
    options = parser.parse_args()
    ids = [str(row["id"]) for row in smallest_of_each_family() if data_bytes(row) <= options.most_bytes]
    command = [options.cuset, "verify", "--tasks", str(rows_path()), "--audit", "--output", options.output, "--executor",
               options.executor, "--only", ",".join(ids)]
    subprocess.run(command, check=True)
    # Everything is judged by now: the same counts once more, for the machine.
    summary = json.loads(subprocess.run(command + ["--json"], check=True, capture_output=True, text=True).stdout)
    sys.exit(0 if summary["caught_share"] >= 0.98 and "vacuous" not in summary["marks"] else 1)


main()

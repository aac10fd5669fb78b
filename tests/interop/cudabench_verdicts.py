#!/usr/bin/env python3
"""CUDABench's own reference programs as answers: `cuset verify` must call them correct.

usage: cudabench_verdicts.py CUSET [--rows quick|families|all] [--executor cpu|gpu] [--output DIR] [--trials N] [--seed N] [--repeats N] [--most-bytes N]

quick     the twelve rows with least data (the default, for the test suite)
families  the row with least data of every family
all       every row
--repeats judges the rows so many times, with the seeds N, N+1, ...: the verdicts must be the same. --most-bytes leaves out rows with more data.
Rows that are not `correct` must stand in KNOWN, each with its reason; so must rows of KNOWN be seen to be so.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from cudabench_rows import all_rows, data_bytes, smallest_of_each_family, skip_without_cpu_executor

# family -> (word, why no verdict on it means anything). docs/results.md publishes this list.
KNOWN = {
    "Stereo_Disparity": ("faulty_task", "one disparity for all pixels: the expected output is a constant"),
}
# Likewise, where the CPU executor's checks see it.
KNOWN_ON_CPU = {
    "Furthest_Point_Sample": ("undefined_behavior", "the reference races with itself"),
}


def chosen_rows(which):
    if which == "families":
        return smallest_of_each_family()
    rows = sorted(all_rows(), key=data_bytes)
    return rows[:12] if which == "quick" else rows


def verify(arguments, rows, folder, seed):
    tasks, answers = folder / "tasks.jsonl", folder / "answers.jsonl"
    tasks.write_text("".join(json.dumps(row) + "\n" for row in rows))
    answers.write_text("".join(json.dumps({"id": row["id"], "task_name": row["task_name"], "code1": row["bench.cu"]})
                               + "\n" for row in rows))
    output = (pathlib.Path(arguments.output) if arguments.output else folder / "results") / f"seed-{seed}"
    command = [arguments.cuset, "verify", "--tasks", tasks, "--answers", answers, "--output", output,
               "--executor", arguments.executor, "--trials", str(arguments.trials), "--seed", str(seed)]
    subprocess.run(command, check=True)
    return [json.loads(line) for line in (output / "verdicts.jsonl").read_text().splitlines()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cuset")
    parser.add_argument("--rows", choices=["quick", "families", "all"], default="quick")
    parser.add_argument("--executor", default="cpu")
    parser.add_argument("--output")
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--most-bytes", type=int, default=1 << 40)
    arguments = parser.parse_args()
    if arguments.executor == "cpu":
        skip_without_cpu_executor(arguments.cuset)
    rows = [row for row in chosen_rows(arguments.rows) if data_bytes(row) <= arguments.most_bytes]
    with tempfile.TemporaryDirectory() as folder:
        verdicts = [verdict for seed in range(arguments.seed, arguments.seed + arguments.repeats)
                    for verdict in verify(arguments, rows, pathlib.Path(folder), seed)]
    surprises = []
    for verdict in verdicts:
        known = {**KNOWN, **KNOWN_ON_CPU} if arguments.executor == "cpu" else KNOWN
        wanted = known.get(verdict["family"], ("correct", ""))[0]
        if verdict["word"] != wanted:
            surprises.append(verdict)
            print(f"{verdict['task']} {verdict['family']}, seed {verdict['seed']}: {verdict['word']}, wanted {wanted}: "
                  f"{verdict['explanation']}")
    expected = len(rows) * arguments.repeats
    print(f"{len(verdicts)} of {expected} verdicts, {len(surprises)} surprises")
    return 0 if len(verdicts) == expected and not surprises else 1


if __name__ == "__main__":
    sys.exit(main())

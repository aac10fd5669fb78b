#!/usr/bin/env python3
"""cuset.ray.verify on a cluster of several nodes on this machine, one of which is killed while it judges and one of which
joins late: the folder equals that of `cuset verify`, verdict by verdict. Ends with 77 where Ray is not installed.

usage: ray_cluster.py CUSET SOURCE_FOLDER [--tasks FILE --answers FILE]
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("source", type=Path)
parser.add_argument("--tasks")
parser.add_argument("--answers")
ARGUMENTS = parser.parse_args()
SOURCE = ARGUMENTS.source
TASKS = ARGUMENTS.tasks or str(SOURCE / "examples/verify/tasks.jsonl")
ANSWERS = ARGUMENTS.answers or str(SOURCE / "examples/verify/answers.jsonl")
FLAGS = ["--seed", "5"]

# Actors import the package too.
os.environ["PYTHONPATH"] = str(SOURCE / "python")
os.environ["CUSET_PROGRAM"] = ARGUMENTS.program
os.environ.setdefault("RAY_DEDUP_LOGS", "0")
sys.path.insert(0, str(SOURCE / "python"))
try:
    import ray
    from ray.cluster_utils import Cluster
except ImportError:
    print(f"skipped: no ray in {sys.executable}")
    sys.exit(77)
import cuset.ray  # noqa: E402


def check(condition, what):
    if not condition:
        sys.exit(f"ray_cluster: {what}")


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(part) for key, part in value.items()
                if key not in ("seconds", "build_seconds", "step_seconds")}
    return [without_times(part) for part in value] if isinstance(value, list) else value


def verdicts_in(folder):
    """By name, without the times that they took. A verdict that is there twice fails."""
    verdicts = {}
    for line in (Path(folder) / "verdicts.jsonl").read_text().splitlines():
        record = json.loads(line)
        name = record["task"], record["sample"]
        check(name not in verdicts, f"{name} was judged twice")
        verdicts[name] = without_times(record)
    return verdicts


def number_of_lines(file):
    return file.read_bytes().count(b"\n") if file.exists() else 0


def verify_while_nodes_change(cluster, victim, folder, wanted):
    """The summary, and how much was judged when a node was killed and when another had joined."""
    file = Path(folder, "verdicts.jsonl")
    result = []
    # Ray starts nodes from the main thread only.
    judging = threading.Thread(target=lambda: result.append(
        cuset.ray.verify(ANSWERS, TASKS, output=folder, executor="cpu", options=FLAGS)))
    judging.start()
    while judging.is_alive() and number_of_lines(file) < wanted:
        time.sleep(0.01)
    killed = number_of_lines(file)
    cluster.remove_node(victim, allow_graceful=False)
    cluster.add_node(num_cpus=1)
    joined = number_of_lines(file)
    judging.join()
    check(result, "cuset.ray.verify failed")
    return result[0], killed, joined


def main():
    with tempfile.TemporaryDirectory() as folder:
        local = subprocess.run([ARGUMENTS.program, "verify", "--tasks", TASKS, "--answers", ANSWERS, "--executor", "cpu",
                                "--output", f"{folder}/local", *FLAGS], capture_output=True, text=True)
        check(local.returncode == 0, local.stderr)
        wanted = verdicts_in(f"{folder}/local")

        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        victim = cluster.add_node(num_cpus=1)
        cluster.add_node(num_cpus=1)
        ray.init(address=cluster.address, log_to_driver=False)
        summary, killed, joined = verify_while_nodes_change(cluster, victim, f"{folder}/ray", max(1, len(wanted) // 8))
        check(killed < len(wanted), "all was judged before the node was killed")
        check(verdicts_in(f"{folder}/ray") == wanted, "other verdicts than those of cuset verify")
        saved = json.loads(Path(folder, "local/summary.json").read_text())
        check(summary["words"] == saved["words"], "another summary")
        # The folder is one of cuset verify: the same command finds nothing left to do.
        before = Path(folder, "ray/verdicts.jsonl").read_bytes()
        again = subprocess.run([ARGUMENTS.program, "verify", "--tasks", TASKS, "--answers", ANSWERS, "--executor", "cpu",
                                "--output", f"{folder}/ray", *FLAGS], capture_output=True, text=True)
        check(again.returncode == 0, again.stderr)
        check(Path(folder, "ray/verdicts.jsonl").read_bytes() == before, "cuset verify judged something again")
        ray.shutdown()
        cluster.shutdown()
    print(f"{len(wanted)} verdicts as of cuset verify; a node was killed after {killed}, another joined by {joined}")


if __name__ == "__main__":
    main()

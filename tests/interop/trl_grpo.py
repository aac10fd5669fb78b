#!/usr/bin/env python3
"""TRL's GRPOTrainer takes five steps with our reward: examples/trl/grpo.py, as it is, with the built-in model and tasks of the gym that it
can solve, so that rewards differ.

usage: trl_grpo.py CUSET SOURCE_FOLDER
"""
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM, SOURCE = sys.argv[1], Path(sys.argv[2])
STEPS = 5


def main():
    for name in ("trl", "datasets", "torch"):
        if importlib.util.find_spec(name) is None:
            print(f"skipped: no {name} in {sys.executable}")
            sys.exit(77)
    # One thread: those of OpenMP spin, which is slow beside other programs.
    variables = {**os.environ, "CUSET_PROGRAM": PROGRAM, "PYTHONPATH": str(SOURCE / "python"), "OMP_NUM_THREADS": "1",
                 "CUDA_VISIBLE_DEVICES": "", "HF_HUB_OFFLINE": "1"}
    with tempfile.TemporaryDirectory() as folder:
        tasks = Path(folder) / "tasks.jsonl"
        subprocess.run([PROGRAM, "gym", "tasks", "--output", tasks, "--count", "8", "--families", "saxpy,clamp", "--seed", "3"], check=True,
                       stdout=subprocess.DEVNULL)
        command = [sys.executable, SOURCE / "examples/trl/grpo.py", "--model", SOURCE / "assets/model", "--tasks", tasks, "--steps",
                   str(STEPS), "--tokens", "512", "--output", Path(folder) / "run"]
        ended = subprocess.run(command, env=variables, capture_output=True, text=True)
    rewards = re.findall(r"^step (\d+): reward (-?\d+\.\d+)$", ended.stdout, re.MULTILINE)
    if ended.returncode != 0 or [int(step) for step, _ in rewards] != list(range(1, STEPS + 1)):
        sys.exit(f"trl_grpo: status {ended.returncode}\n{ended.stdout[-2000:]}{ended.stderr[-2000:]}")
    if len({reward for _, reward in rewards}) < 2 or max(float(reward) for _, reward in rewards) <= 0:
        sys.exit(f"trl_grpo: no answer earned anything: {rewards}")
    print(f"{STEPS} steps of TRL, rewards {', '.join(reward for _, reward in rewards)}")


if __name__ == "__main__":
    main()

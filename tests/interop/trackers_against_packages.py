"""report_to: wandb and mlflow, read back with their own packages.

Usage: trackers_against_packages.py CUSET MODEL

1. mlflow, in an SQLite store: the metrics of metrics.jsonl with their steps, the settings as parameters; a resumed run
   continues the same run.
2. wandb, offline: the run's file holds the metrics and the settings.
Exits with 77 where a package is not installed. `pip install wandb mlflow-skinny sqlalchemy alembic` brings them.
"""

import glob
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile

try:
    import mlflow
    import wandb
    from wandb.proto import wandb_internal_pb2
except ImportError as error:
    print(f"skipped: {error.name} is not installed")
    sys.exit(77)

CUSET, MODEL = map(os.path.abspath, sys.argv[1:3])
ROWS = [{"prompt": f"Set x[{i}].", "response": f"__global__ void k(float* x) {{ x[{i}] = {i}; }}"} for i in range(8)]


def train(folder, service, steps, *options):
    environment = {**os.environ, "CUSET_PYTHON": sys.executable, "WANDB_MODE": "offline", "WANDB_SILENT": "true"}
    environment["MLFLOW_TRACKING_URI"] = f"sqlite:///{folder}/mlflow.db"
    command = [CUSET, "train", "--model", MODEL, "--data", f"{folder}/data.jsonl", "--output", f"{folder}/run"]
    command += ["--max-steps", str(steps), "--logging-steps", "1", "--save-steps", "2", "--report-to", service, *options]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def recorded(folder):
    with open(f"{folder}/run/metrics.jsonl") as file:
        return {row["step"]: row for row in map(json.loads, file) if "loss" in row}


def check_mlflow(folder):
    train(folder, "mlflow", 4)
    client = mlflow.MlflowClient(f"sqlite:///{folder}/mlflow.db")
    runs = client.search_runs([client.get_experiment_by_name("cuset").experiment_id])
    assert len(runs) == 1 and runs[0].info.status == "FINISHED", runs
    assert runs[0].data.params["max_steps"] == "4", runs[0].data.params
    for name in ("loss", "grad_norm", "learning_rate"):
        seen = {metric.step: metric.value for metric in client.get_metric_history(runs[0].info.run_id, f"train/{name}")}
        expected = {step: row[name] for step, row in recorded(folder).items()}
        assert seen == expected, (name, seen, expected)


def check_mlflow_resumed(folder):
    train(folder, "mlflow", 4)
    shutil.rmtree(f"{folder}/run/checkpoint-4")
    train(folder, "mlflow", 4, "--resume")
    client = mlflow.MlflowClient(f"sqlite:///{folder}/mlflow.db")
    runs = client.search_runs([client.get_experiment_by_name("cuset").experiment_id])
    assert len(runs) == 1, runs
    steps = [metric.step for metric in client.get_metric_history(runs[0].info.run_id, "train/loss")]
    assert sorted(steps) == [1, 2, 3, 3, 4, 4], steps


def log_records(data):
    """The records of a LevelDB log: blocks of 32 KiB of (u32 checksum, u16 length, u8 part, bytes)."""
    place, record = 7, b""  # the first 7 bytes say that it is wandb's
    while place + 7 <= len(data):
        if place % 32768 > 32768 - 7:
            place += 32768 - place % 32768
            continue
        _, length, part = struct.unpack_from("<IHB", data, place)
        record += data[place + 7 : place + 7 + length]
        place += 7 + length
        if part in (1, 4):  # whole, or its last part
            yield record
            record = b""


def wandb_records(folder):
    (path,) = glob.glob(f"{folder}/wandb/offline-run-*/run-*.wandb")
    with open(path, "rb") as file:
        for data in log_records(file.read()):
            record = wandb_internal_pb2.Record()
            record.ParseFromString(data)
            yield record


def check_wandb(folder):
    train(folder, "wandb", 3)
    seen, settings = {}, {}
    for record in wandb_records(folder):
        if record.HasField("run"):
            settings.update({item.key: json.loads(item.value_json) for item in record.run.config.update})
        if record.HasField("history"):
            row = {item.key or "/".join(item.nested_key): json.loads(item.value_json) for item in record.history.item}
            if "train/loss" in row:
                seen[row["train/global_step"]] = row["train/loss"]
    expected = {step: row["loss"] for step, row in recorded(folder).items()}
    assert seen.keys() == expected.keys(), (seen, expected)
    assert all(math.isclose(seen[step], expected[step], rel_tol=1e-12) for step in seen), (seen, expected)
    assert settings["max_steps"] == 3, settings


def main():
    for check in (check_mlflow, check_mlflow_resumed, check_wandb):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/data.jsonl", "w") as file:
                file.writelines(json.dumps(row) + "\n" for row in ROWS)
            check(folder)
        print(check.__name__, "ok")


main()

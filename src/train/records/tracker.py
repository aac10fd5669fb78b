"""Hands the metrics of a run to wandb or mlflow. Started by cuset train; tracker.h has the protocol.

Both keep their usual places: WANDB_MODE, WANDB_DIR, WANDB_PROJECT, MLFLOW_TRACKING_URI, MLFLOW_EXPERIMENT_NAME and
the like mean what they mean elsewhere.
"""

import importlib.util
import json
import os
import signal
import socket
import sys


class Wandb:
    def __init__(self, start, known_id):
        import wandb

        project = os.environ.get("WANDB_PROJECT", "cuset")
        resume = {"id": known_id, "resume": "allow"} if known_id else {}
        self.run = wandb.init(project=project, name=start["name"], config=settings_of(start["folder"]), **resume)
        # Steps that a resumed run repeats are no error with an axis of our own.
        self.run.define_metric("train/global_step")
        self.run.define_metric("*", step_metric="train/global_step", step_sync=True)
        self.id = self.run.id

    def record(self, step, values):
        self.run.log({**values, "train/global_step": step})

    def finish(self):
        self.run.finish()


class Mlflow:
    def __init__(self, start, known_id):
        import mlflow

        self.mlflow = mlflow
        mlflow.set_experiment(os.environ.get("MLFLOW_EXPERIMENT_NAME", "cuset"))
        self.id = mlflow.start_run(run_id=known_id, run_name=None if known_id else start["name"]).info.run_id
        if known_id is None:
            settings = [(name, str(value)[:500]) for name, value in settings_of(start["folder"]).items()]
            for first in range(0, len(settings), 100):  # the most that a server takes at once
                mlflow.log_params(dict(settings[first : first + 100]))

    def record(self, step, values):
        self.mlflow.log_metrics(values, step=step)

    def finish(self):
        self.mlflow.end_run()


def settings_of(folder):
    """The settings that cuset train wrote into the run's folder."""
    try:
        with open(os.path.join(folder, "run.json")) as file:
            settings = json.load(file)["settings"]
        return {name: setting["value"] for name, setting in settings.items()}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def known_ids(path):
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def open_tracker(start):
    path = os.path.join(start["folder"], "trackers.json")
    ids = known_ids(path)
    known_id = ids.get(start["service"]) if start["resumes"] else None
    tracker = {"wandb": Wandb, "mlflow": Mlflow}[start["service"]](start, known_id)
    with open(path, "w") as file:
        json.dump({**ids, start["service"]: tracker.id}, file)
    return tracker


def serve(lines, reply):
    start = json.loads(next(lines))
    if importlib.util.find_spec(start["service"]) is None:
        return reply(f"{sys.executable} has no module {start['service']}")
    if start.get("check"):
        return reply("ready")
    try:
        tracker = open_tracker(start)
    except Exception as error:
        return reply(" ".join(f"{type(error).__name__}: {error}".split()))
    reply("ready")
    for line in lines:
        record = json.loads(line)
        tracker.record(record["step"], record["values"])
    tracker.finish()


def main():
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run decides when it ends, and closes the channel
    # The folder that wandb makes in the current one is not its module.
    sys.path = [folder for folder in sys.path if folder]
    with socket.socket(fileno=os.dup(0)) as channel:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        with channel.makefile("r") as lines:
            serve(lines, lambda text: channel.sendall((text + "\n").encode()))


main()

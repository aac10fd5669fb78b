"""Our TensorBoard event files, read by the tensorboard package.

Usage: tensorboard_against_reader.py TENSORBOARD_WRITE

1. One file: every scalar comes back as the float32 nearest to it, with its step, in order.
2. A resumed run: what the first file holds from the resumed step on is forgotten, the rest stays.
3. The same where the first file ends inside a record, at every byte of its last one, as after a kill.
4. Raw records: the first is the version; checksums hold.
Exits with 77 where tensorboard is not installed.
"""

import json
import logging
import os
import random
import struct
import subprocess
import sys
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
try:
    from tensorboard.backend.event_processing import event_accumulator, event_file_loader
except ImportError:
    print("tensorboard is not installed: skipped")
    sys.exit(77)

logging.getLogger("tensorboard").setLevel(logging.ERROR)


def float32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


class Writer:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def write(self, folder, events, forget_from=None):
        print(json.dumps({"folder": folder, "forget_from": forget_from, "events": events}), file=self.process.stdin, flush=True)
        path = self.process.stdout.readline().strip()
        assert path, "the writer failed"
        return path


def read(folder):
    reader = event_accumulator.EventAccumulator(folder, size_guidance={"scalars": 0})
    reader.Reload()
    return {tag: [(event.step, event.value) for event in reader.Scalars(tag)] for tag in reader.Tags()["scalars"]}


def wanted(events):
    scalars = {}
    for step, values in events:
        for tag, value in values.items():
            scalars.setdefault(tag, []).append((step, float32(value)))
    return scalars


def random_events(steps):
    tags = ["train/loss", "train/learning_rate", "eval/loss", "train/gr\u00f6\u00dfe"]
    return [[step, {tag: random.gauss(0, 1) * 10.0 ** random.randint(-30, 30) for tag in tags if random.random() < 0.8}]
            for step in steps]


def expect(found, right, what):
    assert found == right, f"{what}:\nfound  {found}\nwanted {right}"


def check_one_file(writer, folder):
    events = random_events(list(range(1, 200)) + [2**31, 2**40])
    path = writer.write(folder, events)
    expect(read(folder), wanted(events), "one file")
    records = list(event_file_loader.EventFileLoader(path).Load())
    expect(records[0].file_version, "brain.Event:2", "version")
    expect(len(records), len(events) + 1, "records")


def check_resumed(writer, folder):
    first, second = random_events(range(1, 30)), random_events(range(21, 50))
    writer.write(folder, first)
    writer.write(folder, second, forget_from=21)
    expect(read(folder), wanted(first[:20] + second), "resumed run")


def check_killed(writer, folder_name):
    first, second = [[s, {"train/loss": s / 3}] for s in range(1, 9)], [[s, {"train/loss": s / 7}] for s in range(6, 12)]
    for cut in range(1, 60):
        folder = os.path.join(folder_name, str(cut))
        path = writer.write(folder, first)
        os.truncate(path, os.path.getsize(path) - cut)
        writer.write(folder, second, forget_from=6)
        expect(read(folder), wanted(first[:5] + second), f"killed writer, {cut} bytes short")


def main():
    random.seed(1)
    writer = Writer(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_one_file, check_resumed, check_killed):
            check(writer, os.path.join(folder, check.__name__))
    print("tensorboard reads what we write")


main()

#!/usr/bin/env python3
"""Requests to `cuset serve --judge` while the server, and the compilers and programs that it runs, are killed at random moments: every
answer has exactly one verdict, the one that `cuset verify` gives.

usage: kill_server.py CUSET [--requests 60] [--kills 3] [--spacing 1.5] [--worker-kills 12] [--answers 24] [--own 3] [--limit SECONDS] [--seed 1]

Answers to small tasks of the gym: right programs, programs with a wrong number, programs that do not compile, texts without a program.
Each request has a remark of its own outside the program, so that it is a job of its own that shares the verdict on its program; every
third (--own) has one inside, so that it is compiled and judged by itself. Clients send them in batches and send a batch again until the server has said that it has it. The verdict that is seen first must be the verdict at the end, to
the byte: nothing is judged twice.
"""
import argparse
import collections
import http.client
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

from served import Served

BATCH = 25
JUDGED_BETWEEN_KILLS = 4
# Most are decided without a run, so that many fit into a minute.
KINDS = ["right", "none", "broken", "none", "wrong", "none", "broken", "none", "broken", "none", "broken", "none"]
GONE = (OSError, http.client.HTTPException, ValueError)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"kill_server: {' '.join(map(str, command))}: {done.stdout}{done.stderr}")


def skip_without_executor(program):
    report = json.loads(subprocess.run([program, "doctor", "--json"], capture_output=True, text=True, check=False).stdout)
    for finding in report["findings"]:
        if finding["name"] in ("CPU executor", "full confinement") and finding["state"] != "good":
            print(f"skipped: no {finding['name']}: {finding['detail']}")
            sys.exit(77)


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def with_wrong_number(text):
    """The program with another constant."""
    changed = re.sub(r"(constexpr (?:float|double|int|auto) \w+ = |#define \w+ )(-?)(\d+\.\d+)", r"\g<1>\g<2>7\g<3>", text, count=1)
    return changed if changed != text else text.replace("+", "-", 1)


def answer_of_kind(kind, number, program):
    """A model's answer with the program, or with what is left of it."""
    if kind == "none":
        return f"A thread for each element would do. I have no program ({number})."
    if kind == "wrong":
        program = with_wrong_number(program)
    if kind == "broken":
        program = program.replace("__global__ void", "__global__ vid", 1)
    return f"Answer {number}.\n\n```cuda\n{program}\n```\n"


def distinct_answers(program, folder, count, rng):
    run(program, "gym", "tasks", "--output", folder / "tasks.jsonl", "--count", str(max(4, count // 8)), "--split", "train",
        "--families", "saxpy", "--answers", folder / "references.jsonl")
    references = rows_of(folder / "references.jsonl")
    rng.shuffle(references)
    rows = [references[i % len(references)] for i in range(count)]
    return [{"task": row["task"], "text": answer_of_kind(KINDS[i % len(KINDS)], i, row["text"])} for i, row in enumerate(rows)]


def verified_outcomes(program, folder, answers):
    """Outcomes by number of the answer, as `cuset verify` has them."""
    samples = collections.Counter()
    with open(folder / "answers.jsonl", "w", encoding="utf-8") as file:
        for answer in answers:
            answer["sample"] = samples[answer["task"]]
            samples[answer["task"]] += 1
            file.write(json.dumps({key: answer[key] for key in ("task", "sample", "text")}) + "\n")
    run(program, "verify", "--tasks", folder / "tasks.jsonl", "--answers", folder / "answers.jsonl", "--executor", "cpu", "--seed", "5",
        "--output", folder / "verify")
    outcomes = {(row["task"], row["sample"]): row["word"] for row in rows_of(folder / "verify" / "verdicts.jsonl")}
    return [outcomes[answer["task"], answer["sample"]] for answer in answers]


class Run:
    def __init__(self, options, server, answers):
        self.server, self.answers = server, answers
        self.requests, self.own = options.requests, options.own
        self.end = time.monotonic() + options.limit
        self.ids, self.first_seen = {}, {}
        self.kills, self.killed = 0, collections.Counter()
        self.is_over = False

    def is_late(self):
        return time.monotonic() > self.end

    def request(self, n):
        answer = self.answers[n % len(self.answers)]
        text = f"Request {n}.\n\n" + answer["text"]
        if n // len(self.answers) % self.own == 0:
            text = text.replace("\n```\n", f"\n// request {n}\n```\n")
        return {"task": answer["task"], "answer": text}

    def send(self):
        """All requests, a batch at a time, each until it is taken."""
        for begin in range(0, self.requests, BATCH):
            numbers = range(begin, min(begin + BATCH, self.requests))
            batch = [self.request(n) for n in numbers]
            while not self.is_late():
                try:
                    status, reply = self.server.ask("POST", "/judge", {"answers": batch, "wait": False})
                except GONE:
                    time.sleep(0.02)
                    continue
                if status not in (200, 202):
                    sys.exit(f"kill_server: status {status}: {reply}")
                self.ids |= {n: result["id"] for n, result in zip(numbers, reply["results"])}
                break

    def look(self, rng):
        """Remembers the first verdict of some jobs while others are being judged."""
        while not self.is_over:
            known = [n for n in list(self.ids) if n not in self.first_seen]
            for n in rng.sample(known, min(20, len(known))):
                try:
                    status, reply = self.server.ask("GET", "/judge/" + self.ids[n])
                except GONE:
                    break
                if status == 200 and reply["state"] == "done":
                    self.first_seen[n] = reply["verdict"]
            time.sleep(0.1)

    def judged(self):
        return len(self.ids) - self.unfinished()

    def unfinished(self):
        while not self.is_late():
            try:
                return sum(self.server.ask("GET", "/judge")[1][key] for key in ("waiting", "running"))
            except GONE:
                time.sleep(0.02)
        return 0

    def kill_workers_at_random(self, rng, kills):
        """Compilers, programs and what confines them; between two kills some answers are judged, however slow the machine is."""
        judged = 0
        while sum(self.killed.values()) < kills and not self.is_over:
            time.sleep(rng.uniform(0, 0.4))
            workers = self.server.descendants()
            if not workers or self.judged() < judged + JUDGED_BETWEEN_KILLS:
                continue
            judged = self.judged()
            worker = rng.choice(workers)
            try:
                name = pathlib.Path(f"/proc/{worker}/comm").read_text().strip()
                os.kill(worker, signal.SIGKILL)
            except OSError:  # it has ended
                continue
            self.killed[name] += 1

    def kill_at_random(self, rng, kills, spacing):
        """Until there were enough kills, or no work is left."""
        while self.kills < kills and not self.is_late():
            time.sleep(rng.uniform(0, 2 * spacing))
            if len(self.ids) == self.requests and self.unfinished() == 0:
                return
            self.server.kill()
            self.kills += 1
            self.server.start()


def check(work, wanted):
    """Every request has one verdict, that of `cuset verify`."""
    outcomes, missing = collections.Counter(), 0
    for n, job in work.ids.items():
        status, reply = work.server.ask("GET", "/judge/" + job)
        if status != 200 or reply["state"] != "done":
            missing += 1
            continue
        if reply["outcome"] != wanted[n % len(wanted)]:
            sys.exit(f"kill_server: request {n} is {reply['outcome']}, cuset verify says {wanted[n % len(wanted)]}")
        if n in work.first_seen and work.first_seen[n] != reply["verdict"]:
            sys.exit(f"kill_server: request {n} was judged twice")
        outcomes[reply["outcome"]] += 1
    if len(set(work.ids.values())) != len(work.ids):
        sys.exit("kill_server: two requests share a job")
    return outcomes, missing


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--requests", type=int, default=60)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--spacing", type=float, default=1.5, help="mean seconds between kills")
    parser.add_argument("--worker-kills", type=int, default=12)
    parser.add_argument("--answers", type=int, default=24)
    parser.add_argument("--own", type=int, default=3, help="one of so many rounds of the answers has programs of its own")
    parser.add_argument("--limit", type=float, default=600, help="seconds for all requests")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    skip_without_executor(options.program)
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        answers = distinct_answers(options.program, folder, options.answers, rng)
        wanted = verified_outcomes(options.program, folder, answers)
        print(f"{len(answers)} answers: {dict(collections.Counter(wanted))}", flush=True)
        server = Served(options.program, ["--judge", "--tasks", folder / "tasks.jsonl", "--output", folder / "judge", "--seed", "5",
                                          "--executor", "cpu"])
        server.start()
        work = Run(options, server, answers)
        begin = time.monotonic()
        threads = [threading.Thread(target=work.send), threading.Thread(target=work.look, args=(random.Random(2),)),
                   threading.Thread(target=work.kill_workers_at_random, args=(random.Random(3), options.worker_kills))]
        for thread in threads:
            thread.start()
        work.kill_at_random(rng, options.kills, options.spacing)
        threads[0].join()
        while work.unfinished() > 0 and not work.is_late():
            time.sleep(0.2)
        work.is_over = True
        for thread in threads[1:]:
            thread.join()
        outcomes, missing = check(work, wanted)
        print(f"{len(work.ids)} requests, {work.kills} kills of the server, {dict(work.killed)} of its processes, {time.monotonic() - begin:.0f} s: {dict(outcomes)}, {missing} without a verdict; "
              f"{len(work.first_seen)} verdicts seen early are the same at the end")
        server.end()
        if missing or len(work.ids) != options.requests or work.kills == 0:
            sys.exit("kill_server: not all requests have a verdict")
        if options.worker_kills and not work.killed:
            sys.exit("kill_server: no process of the server was killed")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The Python package against the real server: verdicts, rewards for TRL and verl, streams, a server that is killed in between.

usage: python_package.py CUSET SOURCE_FOLDER
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PROGRAM, SOURCE = sys.argv[1], Path(sys.argv[2])
sys.path.insert(0, str(SOURCE / "python"))

from cuset import Client, Judge, ServerError, trl_reward, verl_score  # noqa: E402

TASKS = SOURCE / "examples/verify/tasks.jsonl"


def check(condition, what):
    if not condition:
        sys.exit(f"python_package: {what}")


def example_answers():
    lines = (SOURCE / "examples/verify/answers.jsonl").read_text().splitlines()
    return [(record["task"], record["text"]) for record in map(json.loads, lines)]


def expected_outcomes(folder):
    """What `cuset verify` says of the same answers."""
    subprocess.run([PROGRAM, "verify", "--tasks", TASKS, "--answers", SOURCE / "examples/verify/answers.jsonl",
                    "--executor", "cpu", "--seed", "5", "--output", folder], check=True, capture_output=True)
    lines = (Path(folder) / "verdicts.jsonl").read_text().splitlines()
    return sorted((record["task"], record["word"]) for record in map(json.loads, lines))


def judge_examples(judge, wanted):
    answers = example_answers()
    verdicts = judge.verify(answers)
    check([verdict.task for verdict in verdicts] == [task for task, _ in answers], "verdicts are in another order")
    check(sorted((verdict.task, verdict.outcome) for verdict in verdicts) == wanted, "other outcomes than cuset verify")
    for verdict in verdicts:
        check(verdict.correct == (verdict.outcome == "correct"), f"{verdict.outcome} and correct differ")
        check((verdict.feedback is None) == verdict.correct, f"feedback on {verdict.outcome}")
    return answers, verdicts


def rewards(judge, answers, verdicts):
    texts, tasks = [text for _, text in answers], [task for task, _ in answers]
    values = [verdict.reward for verdict in verdicts]
    reward = trl_reward(judge)
    check(reward(completions=texts, prompts=tasks, task=tasks) == values, "TRL's rewards of texts")
    chats = [[{"role": "assistant", "content": text}] for text in texts]
    check(reward(completions=chats, task=tasks, trainer_state=None) == values, "TRL's rewards of chats")
    steps = trl_reward(judge, reward="steps")(completions=texts, task=tasks)
    check(all(step == (1 if verdict.correct else -1) for step, verdict in zip(steps, verdicts, strict=True)), "steps")
    try:
        reward(completions=texts)
        sys.exit("python_package: a data set without tasks is accepted")
    except KeyError:
        pass
    score = verl_score(judge, texts[0], tasks[0], {})
    check(score["score"] == values[0] and score["outcome"] == verdicts[0].outcome, "verl's score")
    os.environ["CUSET_URL"] = judge.client.url
    os.environ["CUSET_API_KEY"] = judge.client._key
    from cuset.rewards import compute_score
    check(compute_score("cuset", texts[1], tasks[1], {"task": tasks[1]})["score"] == values[1], "compute_score")


def refusals(judge):
    for wrong in ([("no_such_task", "x")], [{"task": "saxpy_4k"}]):
        try:
            judge.verify(wrong)
            sys.exit(f"python_package: {wrong} is judged")
        except ServerError as error:
            check(error.status == 400, str(error))
    for wrong, status in (([("saxpy_4k", "x" * (17 << 20))], 413), ([{"task": "saxpy_4k", "answer": "", "code": ""}], 400)):
        try:
            judge.verify(wrong)
            sys.exit(f"python_package: a request is not refused with {status}")
        except ServerError as error:
            check(error.status == status, str(error))
    try:
        Client(judge.client.url, "wrong").request("GET", "/tasks")
        sys.exit("python_package: a wrong key is accepted")
    except ServerError as error:
        check(error.status == 401, str(error))
    try:
        Judge(SOURCE / "no_such_file.jsonl", program=PROGRAM)
        sys.exit("python_package: a missing file of tasks starts a server")
    except RuntimeError as error:
        check("no_such_file.jsonl" in str(error), str(error))


def any_text_can_be_sent(judge):
    """Texts that are much larger as JSON than as Python counts them, and halves of characters."""
    texts = ["\N{GRINNING FACE}" * (3 << 20)] * 2 + ["\x01" * (2 << 20), "half \ud83d of a face", "\0", ""]
    outcomes = {verdict.outcome for verdict in judge.verify([("saxpy_4k", text) for text in texts])}
    check(outcomes == {"no_code"}, f"odd texts are {outcomes}")


def other_threads(judge, answers, verdicts):
    """Many clients at a time, as reward managers are."""
    wrong = []

    def ask(i):
        if judge.verify([answers[i]])[0].outcome != verdicts[i].outcome:
            wrong.append(i)

    threads = [threading.Thread(target=ask, args=(i % len(answers),)) for i in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(not wrong, f"answers {wrong} have another outcome beside others")


def no_server_outlives_its_client():
    """A trainer that is killed has no chance to close its judge."""
    script = (f"import sys; sys.path.insert(0, {str(SOURCE / 'python')!r}); from cuset import Judge\n"
              f"judge = Judge({str(TASKS)!r}, executor='cpu', program={PROGRAM!r})\n"
              "print(judge.client.url, flush=True)\nsys.stdin.read()\n")
    trainer = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    client = Client(trainer.stdout.readline().strip())
    check(client.is_healthy(), "the server of a trainer is not there")
    trainer.kill()
    trainer.wait()
    end = time.monotonic() + 60
    while client.is_healthy() and time.monotonic() < end:
        time.sleep(0.1)
    check(not client.is_healthy(), "a server outlives its trainer")


def answers_come_in_pieces():
    """And one whose server is killed meanwhile does not pass for a whole one."""
    server = subprocess.Popen([PROGRAM, "serve", "--model", SOURCE / "assets/model", "--device", "cpu", "--threads", "1", "--port", "0"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, "CUSET_API_KEY": "key"})
    try:
        client = Client(server.stdout.readline().split()[-1], "key")
        options = {"max_tokens": 12, "temperature": 0}
        check("".join(client.stream("Write a kernel", **options)) == client.chat("Write a kernel", **options), "a stream has another text")
        pieces = client.stream("Write a kernel", ignore_eos=True)
        check(next(pieces), "a stream has no text")
        server.kill()
        try:
            list(pieces)
            sys.exit("python_package: a stream that is cut off passes for a whole one")
        except ConnectionError:
            pass
    finally:
        server.kill()
        server.wait()


def main():
    report = json.loads(subprocess.run([PROGRAM, "doctor", "--json"], capture_output=True, text=True).stdout)
    for finding in report["findings"]:
        if finding["name"] in ("CPU executor", "full confinement") and finding["state"] != "good":
            print(f"skipped: no {finding['name']} here")
            sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        wanted = expected_outcomes(f"{folder}/verify")
        options = {"output": f"{folder}/judge", "executor": "cpu", "program": PROGRAM, "options": ["--seed", "5"]}
        with Judge(TASKS, **options) as judge:
            check({task["id"] for task in judge.tasks()} == {task for task, _ in wanted}, "other tasks")
            answers, verdicts = judge_examples(judge, wanted)
            rewards(judge, answers, verdicts)
            refusals(judge)
            any_text_can_be_sent(judge)
            other_threads(judge, answers, verdicts)
            os.killpg(judge._process.pid, signal.SIGKILL)
            judge._process.wait()
        with Judge(TASKS, **options) as judge:
            check([verdict.detail for verdict in judge.verify(answers)] == [verdict.detail for verdict in verdicts],
                  "verdicts of a killed server are not kept")
    no_server_outlives_its_client()
    answers_come_in_pieces()
    print(f"{len(verdicts)} verdicts, rewards for TRL and verl, restart")


if __name__ == "__main__":
    main()

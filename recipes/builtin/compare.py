"""Tables of a study made by study.sh: pass rates of every method and data, over seeds, with intervals; paired differences.

usage: compare.py OUTPUT [--tasks seen|new|all] [--draws 10000]
A rate is the mean over tasks of the share of a task's answers that are correct (pass@1), averaged over seeds. Intervals are 95 %
of a bootstrap that draws tasks and seeds anew, the same ones for both sides of a difference. Needs numpy.
"""
import argparse
import collections
import json
import pathlib

import numpy

NO_VERDICT = {"unsupported", "faulty_task"}


def read_ids(path):
    return {json.loads(line)["id"] for line in path.read_text().splitlines()}


def rates_of(folder, ids, word_counts):
    """Share of each task's answers that compile and that are correct: {task: (compiled, correct)}."""
    answers = collections.defaultdict(list)
    for line in (folder / "verdicts.jsonl").read_text().splitlines():
        verdict = json.loads(line)
        if verdict["task"] in ids and verdict["word"] not in NO_VERDICT:
            answers[verdict["task"]].append((verdict["reward"]["compiled"] > 0, verdict["word"] == "correct"))
            word_counts[verdict["word"]] += 1
    return {task: numpy.mean(rows, axis=0) for task, rows in answers.items()}


class Study:
    """Rates as arrays [seed, task, (compiled, correct)], one for each method and data."""

    def __init__(self, folder, decoding, ids):
        self.words = collections.defaultdict(collections.Counter)
        by_method = collections.defaultdict(dict)
        for run in sorted(file.parent for file in (folder / decoding).glob("*/verdicts.jsonl") if file.stat().st_size):
            name, _, seed = run.name.rpartition("-")
            method = name or "base"
            by_method[method][seed] = rates_of(run, ids, self.words[method])
        shared = [set(rates) for seeds in by_method.values() for rates in seeds.values()]
        self.tasks = sorted(set.intersection(*shared)) if shared else []
        self.rates = {method: numpy.array([[rates[task] for task in self.tasks] for rates in seeds.values()])
                      for method, seeds in by_method.items()}

    def draws(self, number):
        """Resampled tasks and (as numbers in [0, 1)) seeds, alike for every method."""
        random = numpy.random.default_rng(0)
        most_seeds = max(rates.shape[0] for rates in self.rates.values())
        for _ in range(number):
            yield random.integers(0, len(self.tasks), len(self.tasks)), random.random(most_seeds)

    def means(self, number):
        """{method: [draw, (compiled, correct)]}."""
        drawn = {method: [] for method in self.rates}
        for tasks, seeds in self.draws(number):
            for method, rates in self.rates.items():
                chosen = (seeds[: rates.shape[0]] * rates.shape[0]).astype(int)
                drawn[method].append(rates[chosen][:, tasks].mean(axis=(0, 1)))
        return {method: numpy.array(values) for method, values in drawn.items()}


def interval(values):
    low, high = numpy.percentile(100 * values, [2.5, 97.5])
    return f"[{low:.1f}, {high:.1f}]"


def print_tables(study, number):
    drawn = study.means(number)
    print(f"{len(study.tasks)} tasks\n\n| | seeds | compiles | correct | of each seed |\n|---|---|---|---|---|")
    for method, rates in study.rates.items():
        compiled, correct = 100 * rates.mean(axis=(0, 1))
        each = ", ".join(f"{100 * seed[:, 1].mean():.1f}" for seed in rates)
        print(f"| {method} | {len(rates)} | {compiled:.1f} {interval(drawn[method][:, 0])} "
              f"| {correct:.1f} {interval(drawn[method][:, 1])} | {each} |")
    print("\n| paired difference, correct | |\n|---|---|")
    for left, right in comparisons(list(study.rates)):
        difference = 100 * (study.rates[left][..., 1].mean() - study.rates[right][..., 1].mean())
        print(f"| {left} - {right} | {difference:+.1f} {interval(drawn[left][:, 1] - drawn[right][:, 1])} |")
    for method, words in study.words.items():
        print(f"\n{method}: " + ", ".join(f"{word} {count}" for word, count in words.most_common()), end="")
    print()


def comparisons(methods):
    tuned = [method for method in methods if method != "base"]
    against_base = [(method, "base") for method in tuned if "base" in methods]
    among = [(method, "sft-" + method.split("-")[1]) for method in tuned if not method.startswith("sft-")]
    variants = [(method, "cuset-" + method.split("-")[1]) for method in tuned if method.startswith("cuset_")]
    return against_base + [pair for pair in among + variants if pair[1] in methods]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--tasks", default="all", choices=["seen", "new", "all"])
    parser.add_argument("--draws", type=int, default=10000)
    options = parser.parse_args()
    file = {"all": "tasks.jsonl"}.get(options.tasks, options.tasks + ".jsonl")
    ids = read_ids(options.output / file)
    for decoding in ["greedy", "sampled"]:
        study = Study(options.output, decoding, ids)
        if study.tasks:
            print(f"\n## {decoding}")
            print_tables(study, options.draws)


main()

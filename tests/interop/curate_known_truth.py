#!/usr/bin/env python3
"""How well the filters of `cuset curate` work, on a set whose truth is known.

Rows are made from the gym, whose noise says which programs are wrong, and changed here by rules of this script's own:
renamed and reformatted copies, copies with small edits, copies of held-out programs and prompts, secrets, garbage; and
the exploits of testdata/exploits. Prints precision and recall of each filter, as a Markdown table. Exits with 1 where one
is below its goal.

  python3 tests/interop/curate_known_truth.py build/release/bin/cuset --verified 300 --others 3000
"""
import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

DECLARED = re.compile(r"\b(?:int|float|double|unsigned|size_t|long|char|bool|auto|dim3|void|uint32_t|int64_t|uint8_t|FILE)\b"
                      r"(?:\s*const)?\s*[*&]*\s*(?:__restrict__\s+)?([A-Za-z_]\w*)")
KEPT = {"int", "float", "double", "unsigned", "size_t", "long", "char", "bool", "auto", "const", "main", "argc", "argv", "x", "y", "z", "w",
        "void", "__restrict__", "threadIdx", "blockIdx", "blockDim", "gridDim", "operator", "sizeof", "fopen", "fread", "fwrite"}
GOALS = {"exact": 0.95, "near": 0.95, "verify": 0.99, "decontaminate": 0.95, "screen": 0.95, "normalize": 0.95}


def program_of(text):
    """The code and the rest of an answer."""
    found = re.search(r"```\w*\n(.*?)```", text, re.S)
    return found.group(1) if found else text


def with_program(text, code):
    return text.replace(program_of(text), code)


def renamed(code, rng):
    """Every declared name gets another one, comments and white space change."""
    names = {m for m in DECLARED.findall(code) if m not in KEPT and not m.startswith("__")}
    strings = set(re.findall(r'"[^"\n]*"', code))
    table = {name: f"{rng.choice('abcdefgh')}{rng.randrange(10**6)}_v" for name in sorted(names) if not any(name in s for s in strings)}
    code = re.sub(r"(?<!\w)[A-Za-z_]\w*", lambda m: table.get(m.group(0), m.group(0)), code)
    code = re.sub(r"//[^\n]*", "", code)
    return "// " + rng.choice(["Copied.", "See above.", "TODO"]) + "\n" + code.replace("\n  ", "\n     ")


def edited(code, rng):
    """A renamed copy with one small change that leaves the result: a declaration and a test that is always true."""
    lines = renamed(code, rng).split("\n")
    for i, line in enumerate(lines):
        if "__global__" in line:
            for k in range(i, len(lines)):
                if lines[k].rstrip().endswith("{"):
                    lines.insert(k + 1, f"  const int unused_{rng.randrange(1000)} = {rng.randrange(100)};")
                    return "\n".join(lines)
    return "\n".join(lines)


def salted(code, rng):
    """Not a duplicate of anything: a constant of its own."""
    return f"constexpr int kSalt = {rng.randrange(10**9)};\n" + code


class Mixed:
    """Rows with the stage that ought to refuse each; None: it ought to stay."""

    def __init__(self, folder):
        self.folder, self.rows, self.truth = folder, [], {}

    def add(self, row, refused_by, kind):
        row = {k: row[k] for k in ("task", "prompt", "response", "family") if k in row}
        row["id"] = f"{kind}-{len(self.rows)}"
        self.truth[row["id"]] = (refused_by, kind)
        self.rows.append(row)

    def write(self, name, rng):
        rng.shuffle(self.rows)
        # What is first stays: originals before everything that is made from them.
        self.rows.sort(key=lambda row: self.truth[row["id"]][0] is not None)
        path = self.folder / name
        path.write_text("".join(json.dumps(row) + "\n" for row in self.rows))
        return path


def run(program, *words):
    subprocess.run([program, *map(str, words)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def read(path):
    return [json.loads(line) for line in open(path)]


def gym_rows(program, folder, name, count, seed, *more):
    run(program, "gym", "data", "--output", folder / f"{name}.jsonl", "--tasks", folder / f"{name}-tasks.jsonl", "--count", count,
        "--seed", seed, *more)
    rows = read(folder / f"{name}.jsonl")
    for row in rows:
        row["task"] = row["id"]
    return rows


def garbage(rng, row):
    kind = rng.randrange(4)
    if kind == 0:
        return {**row, "response": "I am sorry, I cannot write this kernel."}
    if kind == 1:
        return {**row, "response": "".join(rng.choice("abcdefghij .,") for _ in range(300))}
    if kind == 2:
        return {**row, "response": "The kernel should use shared memory. First, load a tile; then synchronize; then sum."}
    return {**row, "response": ""}


def build(program, folder, verified, others, exploits, rng):
    mixed = Mixed(folder)
    # Verified: half right, a third mutants, the rest right in an odd style.
    tasks = []
    for row in gym_rows(program, folder, "noisy", verified * 3 // 4, 1, "--noise", "0.4", "--noise-kinds", "wrong"):
        mixed.add(row, "verify" if row["noise"] == "wrong" else None, "mutant" if row["noise"] == "wrong" else "right")
    for row in gym_rows(program, folder, "style", verified - verified * 3 // 4, 2, "--noise", "1", "--noise-kinds", "verbose,odd_style,around"):
        mixed.add(row, None, "style")
    tasks += read(folder / "noisy-tasks.jsonl") + read(folder / "style-tasks.jsonl")
    originals = [row for row in mixed.rows if mixed.truth[row["id"]][0] is None]
    for row in rng.sample(originals, len(originals) // 3):
        mixed.add({**row, "response": with_program(row["response"], renamed(program_of(row["response"]), rng))}, "exact", "renamed")
    # Not verified: originals are right programs of other tasks, without them.
    pool = gym_rows(program, folder, "pool", others, 3)
    kept = []
    seen = set()
    for row in pool:  # one of every family and style, so that none is a near-duplicate of another by itself
        key = (row["family"], row["style"])
        if key in seen:
            continue
        seen.add(key)
        row = {k: row[k] for k in ("prompt", "response", "family")}
        kept.append(row)
    for _ in range(others):
        row = rng.choice(kept)
        code = program_of(row["response"])
        choice = rng.random()
        if choice < 0.4:
            mixed.add({**row, "response": with_program(row["response"], renamed(code, rng))}, "exact", "renamed")
        elif choice < 0.8:
            mixed.add({**row, "response": with_program(row["response"], edited(code, rng))}, "near", "edited")
        elif choice < 0.9:
            mixed.add(garbage(rng, row), "normalize", "garbage")
        else:
            secret = "hf_" + "".join(rng.choice("abcdefghijkABCDEFGH0123456789") for _ in range(36))
            mixed.add({**row, "response": with_program(row["response"], f"// token: {secret}\n" + salted(code, rng))},
                      "screen", "secret")
    for row in kept:
        mixed.add(row, None, "original")
    # Hostile: each exploit says in its head which task it attacks and what the judge ought to find.
    shared = (exploits / "exploit.h").read_text() if (exploits / "exploit.h").exists() else ""
    for file in sorted(exploits.glob("*.cu")):
        source = file.read_text()
        task, verdict = (re.search(rf"// {key}: (\w+)", source) for key in ("task", "verdict"))
        if not task or not verdict:
            continue
        mixed.add({"task": task.group(1), "prompt": "Write it.", "response": source.replace('#include "exploit.h"', shared)},
                  None if verdict.group(1) == "correct" else "verify", "hostile")
    tasks += read(exploits / "tasks.jsonl")
    # Contaminated: references and prompts of held-out tasks.
    run(program, "gym", "tasks", "--output", folder / "bench.jsonl", "--answers", folder / "references.jsonl", "--split", "held_out",
        "--count", max(20, others // 20), "--seed", 100)
    for answer in read(folder / "references.jsonl"):
        code = program_of(answer["text"])
        mixed.add({"prompt": "Write a kernel.", "response": renamed(code, rng) if rng.random() < 0.5 else code}, "decontaminate", "program")
    for task in read(folder / "bench.jsonl"):
        text = rng.choice(task["prompts"])["text"]
        mixed.add({"prompt": "Please help. " + text, "response": salted(program_of(rng.choice(kept)["response"]), rng)}, "decontaminate", "prompt")
    return mixed, tasks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--verified", type=int, default=60)
    parser.add_argument("--others", type=int, default=600)
    parser.add_argument("--exploits", default="testdata/exploits")
    parser.add_argument("--keep", help="folder for the set and its results")
    arguments = parser.parse_args()
    rng = random.Random(1)
    folder = pathlib.Path(arguments.keep or tempfile.mkdtemp(prefix="curate-truth-"))
    folder.mkdir(parents=True, exist_ok=True)
    mixed, tasks = build(arguments.program, folder, arguments.verified, arguments.others, pathlib.Path(arguments.exploits), rng)
    rows = mixed.write("rows.jsonl", rng)
    (folder / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in {t["id"]: t for t in tasks}.values()))
    plan = folder / "plan.yaml"
    plan.write_text(f"sources:\n  mixed: {{file: {rows}, tasks: {folder / 'tasks.jsonl'}}}\n"
                    f"decontaminate: {{files: [{folder / 'bench.jsonl'}, {folder / 'references.jsonl'}]}}\n"
                    "verify: {executor: cpu, unverified: true, seed: 1}\n")
    output = subprocess.run([arguments.program, "curate", str(plan), "--output", str(folder / "out")], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    print(output.stdout)
    if output.returncode != 0:
        sys.exit(output.returncode)

    found = {}
    for name in ("train", "validation", "rejected"):
        for row in read(folder / "out" / f"{name}.jsonl"):
            assert row["id"] not in found, row["id"]
            found[row["id"]] = row.get("stage")
    assert set(found) == set(mixed.truth), "rows were lost"
    stages = [stage for stage in GOALS]
    print("| filter | rows that it ought to refuse | precision | recall |\n|---|---|---|---|")
    failed = False
    for stage in stages:
        ought = {i for i, (by, _) in mixed.truth.items() if by == stage}
        did = {i for i, by in found.items() if by == stage}
        # A copy found by the other of the two filters for copies is found; so is one of a row that an earlier stage refuses.
        copies = {i for i, (by, _) in mixed.truth.items() if by in ("exact", "near")}
        right = did & (copies if stage in ("exact", "near") else ought)
        refused = {i for i in ought if found[i] is not None and (found[i] == stage or stage in ("exact", "near"))}
        precision = len(right) / len(did) if did else 1
        recall = len(refused) / len(ought) if ought else 1
        print(f"| {stage} | {len(ought)} | {100 * precision:.1f} % | {100 * recall:.1f} % |")
        failed = failed or recall < GOALS[stage] or precision < GOALS[stage]
    wrong = collections.Counter((kind, by, found[i]) for i, (by, kind) in mixed.truth.items() if by != found[i])
    for (kind, by, stage), count in wrong.most_common(12):
        print(f"{count} of kind {kind}: ought to be refused by {by}, was by {stage}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

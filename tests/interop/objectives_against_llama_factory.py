"""The objectives dft, eaft and asft of objective_dump against LLaMA-Factory's own loss functions (dft_loss_func, eaft_loss_func and
asft_loss_func of src/llamafactory/train/trainer_utils.py), which are taken from a checkout and called as they are, but that their
`.float()` means float64 here. Losses and gradients must agree to 1e-9 of the largest entry.

Leaves with status 77 (skipped) where torch is missing, or a checkout of LLaMA-Factory in CUSET_LLAMA_FACTORY.

usage: objectives_against_llama_factory.py OBJECTIVE_DUMP [--random N] [--seed N]
"""
import argparse
import ast
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import typing

from objectives_against_python import as_json, make_case, relative_difference  # skips where torch is missing
import torch

SOURCE = pathlib.Path(os.environ.get("CUSET_LLAMA_FACTORY", "/nonexistent")) / "src/llamafactory/train/trainer_utils.py"
METHODS = {"dft": "dft_loss_func", "eaft": "eaft_loss_func", "asft": "asft_loss_func"}
IGNORED = -100
LIMIT = 1e-9


def their_functions():
    """The loss functions alone: importing the file would import all of LLaMA-Factory, and what that needs."""
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)
                 and any(word in node.name for word in ("dft_", "eaft_", "asft_", "_kl_divergence"))]
    names = {"torch": torch, "F": torch.nn.functional, "Optional": typing.Optional}
    exec(compile(ast.Module(functions, []), str(SOURCE), "exec"), names)
    return names


def logits_of(case, hidden, head):
    """[1, tokens + 1, vocab]: the last token has no logits that count."""
    return torch.cat([hidden @ head.T, torch.zeros(1, head.shape[0], dtype=torch.float64)])[None]


def evaluate(functions, case):
    hidden = case["hidden"].clone().requires_grad_()
    head = case["head"].clone().requires_grad_()
    logits = logits_of(case, hidden, head)
    labels = torch.full(logits.shape[:2], IGNORED)
    labels[0, torch.tensor(case["positions"]) + 1] = torch.tensor(case["targets"])
    function = functions[METHODS[case["method"]]]
    if case["method"] == "asft":
        reference = logits_of(case, case["reference_hidden"], case["head"])
        # Both of its parts are means over tokens; ours is a sum.
        loss = function({"logits": logits}, labels, reference, asft_alpha=case["divergence"]) * len(case["targets"])
    elif case["method"] == "eaft":
        loss = function({"logits": logits}, labels, torch.tensor(1.0), alpha=case["entropy_exponent"])
    else:
        loss = function({"logits": logits}, labels, torch.tensor(1.0))
    loss.backward()
    return {"loss_sum": loss, "hidden_gradient": hidden.grad, "head_gradient": head.grad}


def cases_of(rng, count):
    for i in range(count):
        method = list(METHODS)[i % len(METHODS)]
        case = make_case(rng, "float64", [rng.randint(1, 60) for _ in range(rng.randint(1, 4))], method=method,
                         entropy_exponent=rng.choice([0.5, 1.0, 2.0]), divergence=rng.random())
        if case["vocabulary"] < 20:
            continue  # LLaMA-Factory takes the 20 largest logits for granted
        case["data_weights"] = [1.0 for _ in case["data_weights"]]
        case.pop("vouched", None)
        yield case


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--random", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if not SOURCE.exists():
        print("skipped: no checkout of LLaMA-Factory in CUSET_LLAMA_FACTORY")
        sys.exit(77)
    torch.set_num_threads(1)
    torch.Tensor.float = torch.Tensor.double
    functions = their_functions()
    cases = list(cases_of(random.Random(arguments.seed), arguments.random))
    payload = "".join(as_json(case) + "\n" for case in cases)
    output = subprocess.run([arguments.program], input=payload, text=True, stdout=subprocess.PIPE, check=True).stdout
    answers = [json.loads(line) for line in output.splitlines()]
    assert len(answers) == len(cases), (len(answers), len(cases))
    wrong, largest = 0, collections.defaultdict(float)
    for case, ours in zip(cases, answers):
        for key, reference in evaluate(functions, case).items():
            difference = relative_difference(ours[key], reference, 0.0)
            largest[case["method"], key] = max(largest[case["method"], key], difference)
            if not difference <= LIMIT:
                wrong += 1
                if wrong <= 5:
                    print(f"{case['method']}: {key} differs by {difference:.2e}, {len(case['targets'])} tokens")
    print(f"{len(cases)} cases: " + ", ".join(f"{method} {key} {d:.0e}" for (method, key), d in largest.items()))
    print("all equal" if wrong == 0 else f"{wrong} numbers differ")
    sys.exit(0 if wrong == 0 else 1)


if __name__ == "__main__":
    main()

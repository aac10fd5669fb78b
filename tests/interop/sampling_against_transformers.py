"""The distributions of sampling_dump against the logits processors of Hugging Face transformers, composed in the order in
which its generate() composes them: repetition penalty, temperature, top-k, top-p, min-p. Transformers has no logit_bias by
token and no presence and frequency penalty; they are computed by OpenAI's formula, token by token, where vLLM applies them:
the bias before the repetition penalty, the others behind it.

Random rows of 1 to 3,000 tokens, flat and peaked, some rounded so that scores are equal; random settings, each filter
alone and all together. Probabilities may differ by 1e-6. The processors after the penalty get float64: at temperature
0.1 their own rounding in float32 would be larger than that. Rows in which a token lies nearer than rounding to the
border of a filter are drawn again. With equal scores transformers keeps an arbitrary one at the border of top-p, so
there the sorted probabilities are compared.

Leaves with status 77 (skipped) where Python's torch or transformers is missing.

usage: sampling_against_transformers.py SAMPLING_DUMP [--cases N] [--seed N]
"""
import argparse
import collections
import json
import random
import subprocess
import sys

try:
    import torch
    from transformers import (LogitsProcessorList, MinPLogitsWarper, RepetitionPenaltyLogitsProcessor,
                              TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper)
except ImportError:
    print("skipped: the Python packages torch and transformers are not installed")
    sys.exit(77)

LIMIT = 1e-6
BORDER = 1e-5


def draw_case(rng):
    vocab = rng.choice([1, 2, 3, 10, 100, 1000, 3000])
    spread = rng.choice([0.1, 1, 3, 10])
    step = rng.choice([0, 0, 0, 1 / 8])
    logits = [rng.gauss(0, spread) for _ in range(vocab)]
    if step:
        logits = [round(x / step) * step for x in logits]
    logits = torch.tensor(logits).tolist()  # as float32 has them
    on = lambda: rng.random() < 0.5
    return {"logits": logits, "coarse": step > 0,
            "prompt": [rng.randrange(vocab) for _ in range(rng.randint(0, 50))],
            "answer": [rng.randrange(min(vocab, 30)) for _ in range(rng.randint(0, 50))],
            "bias": [[token, rng.choice([-100, -2.5, 1, 4])] for token in rng.sample(range(vocab), min(vocab, 5))] if on() else [],
            "presence_penalty": rng.choice([-2, 0.5, 1.2, 2]) if on() else 0,
            "frequency_penalty": rng.choice([-1, 0.1, 0.7, 2]) if on() else 0,
            "temperature": rng.choice([1, 0.2, 0.8, 1.7, rng.uniform(0.1, 3)]),
            "top_k": rng.choice([1, 2, 5, 50, 5000]) if on() else 0,
            "top_p": rng.choice([0.1, 0.5, 0.9, 0.95, 0.999, rng.uniform(0.01, 1)]) if on() else 1,
            "min_p": rng.choice([0.01, 0.1, 0.5, rng.uniform(0, 1)]) if on() else 0,
            "repetition_penalty": rng.choice([1.05, 1.3, 2, 0.8]) if on() else 1}


def processors(case):
    """Those before top-p, and the rest."""
    first, rest = LogitsProcessorList(), LogitsProcessorList()
    if case["temperature"] != 1:
        first.append(TemperatureLogitsWarper(float(case["temperature"])))
    if case["top_k"]:
        first.append(TopKLogitsWarper(top_k=case["top_k"]))
    if case["top_p"] < 1:
        rest.append(TopPLogitsWarper(top_p=case["top_p"]))
    if case["min_p"]:
        rest.append(MinPLogitsWarper(min_p=case["min_p"]))
    return first, rest


def is_near_a_border(case, scores):
    """Whether a token decides by less than rounding; `scores` are those before top-p and min-p, [vocab]."""
    p = torch.softmax(scores.double(), 0)
    near = False
    if case["top_p"] < 1:
        before = 1 - torch.sort(p).values.cumsum(0)
        near = bool(((before - case["top_p"]).abs() < BORDER).any())
    if case["min_p"]:
        near = near or bool(((p / p.max() - case["min_p"]).abs() < BORDER).any())
    return near


def wanted(case):
    sequence = case["prompt"] + case["answer"]
    ids = torch.tensor([sequence or [0]])
    scores = torch.tensor([case["logits"]])
    for token, bias in case["bias"]:
        scores[0, token] += bias
    if case["repetition_penalty"] != 1 and sequence:
        scores = RepetitionPenaltyLogitsProcessor(penalty=float(case["repetition_penalty"]))(ids, scores)
    for token, times in collections.Counter(case["answer"]).items():
        scores[0, token] -= times * case["frequency_penalty"] + case["presence_penalty"]
    first, rest = processors(case)
    scores = first(ids, scores.double())
    if is_near_a_border(case, scores[0]):
        return None
    return torch.softmax(rest(ids, scores)[0], 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    cases, references = [], []
    while len(cases) < arguments.cases:
        case = draw_case(rng)
        reference = wanted(case)
        if reference is not None:
            cases.append(case)
            references.append(reference)
    text = "".join(json.dumps(case) + "\n" for case in cases)
    answer = subprocess.run([arguments.program], input=text, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        sys.exit(f"sampling_dump failed: {answer.stderr}")
    worst = 0.0
    for case, reference, line in zip(cases, references, answer.stdout.splitlines(), strict=True):
        got = torch.tensor(json.loads(line), dtype=torch.float64)
        if case["coarse"] and case["top_p"] < 1:
            got, reference = got.sort().values, reference.sort().values
        difference = (got - reference).abs().max().item()
        worst = max(worst, difference)
        if difference > LIMIT:
            settings = {key: value for key, value in case.items() if key not in ("logits", "prompt", "answer")}
            sys.exit(f"a probability differs by {difference} with {settings}, vocabulary {len(case['logits'])}")
    print(f"{len(cases)} distributions agree, largest difference {worst:.2g}")


if __name__ == "__main__":
    main()

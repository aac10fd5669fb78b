"""The training objectives of objective_dump against an independent implementation: the formulas of
docs/objectives.md word for word, with full logits, autograd, detach() and loops over windows, in float64.

All seven methods and all eight ablations of CuSeT and CuSeT+, over random CUDA masks, random borders of samples and every edge
length of a window (T = 1, l - 1, l, l + 1), in float64 and float32, and random settings. Compared: loss, W, the
gradients of the hidden states and of the head, sample weights, lowest windows and the other sums. The difference
allowed, relative to the largest entry, is 1e-9 in float64 and 1e-5 in float32 (there at least 1e-6: the loss of a
token with p near 1 is a small difference of large logits).

Leaves with status 77 (skipped) where Python's torch is missing.

usage: objectives_against_python.py OBJECTIVE_DUMP [--random N] [--seed N]
"""
import argparse
import collections
import itertools
import json
import math
import random
import subprocess
import sys

try:
    import torch
except ImportError:
    print("skipped: the Python package torch is not installed")
    sys.exit(77)

LIMITS = {"float64": 1e-9, "float32": 1e-5}
SMALLEST = {"float64": 0.0, "float32": 0.1}  # entry that differences are relative to
DEFAULTS = {"method": "cuset", "tau": 0.1, "tau_ramp": 0.0, "lambda": 1.0, "window": 256, "confidence_mask": True,
            "cuda_mask": True, "sample_weight": True, "refused_share": 0.05, "conflict": 0.9, "entropy_exponent": 1.0, "divergence": 0.1, "progress": 0.0,
            "gradient_scale": 1.0}
METHODS = ["sft", "dft", "eaft", "profit", "asft", "cuset", "cuset_plus"]
NEAR_TAU = 1e-4  # relative; float32 may see a token so near on the other side of tau


# The reference ------------------------------------------------------------------------------------------------

def window_confidences(p, window, accepted):
    """Equations 5 and 6, over accepted tokens; t and j count from 1."""
    tokens = len(p)
    means = []
    for t in range(1, tokens + 1):
        first = max(1, t - math.floor(window / 2))
        last = min(tokens, t + math.ceil(window / 2) - 1)
        members = [p[j - 1] for j in range(first, last + 1) if accepted[j - 1]]
        means.append(sum(members) / len(members) if members else 1.0)
    return means


def threshold(case):
    if case["tau_ramp"] == 0:
        return case["tau"]
    return case["tau"] * min(1.0, case["progress"] / case["tau_ramp"])


def accepted_tokens(case, p, best, is_cuda):
    """Of one sample: unlikely tokens are refused among many such of their kind, and where the model is sure of another."""
    if case["method"] != "cuset_plus" or not case["confidence_mask"]:
        return [True] * len(p)
    tau = threshold(case)
    unlikely = [x <= tau for x in p]
    refuses = {}
    for kind in set(is_cuda):
        members = [u for u, c in zip(unlikely, is_cuda) if c == kind]
        refuses[kind] = sum(members) > case["refused_share"] * len(members)
    return [not (u and (refuses[c] or b >= case["conflict"])) for u, b, c in zip(unlikely, best, is_cuda)]


def token_weight(case, logits, p, is_cuda, accepted):
    method, tau = case["method"], threshold(case)
    if method == "sft":
        return 1.0
    if method in ("dft", "asft"):
        return p
    if method == "eaft":
        kept = torch.softmax(torch.topk(logits, min(20, logits.numel())).values, 0)
        entropy = -(kept * kept.log()).sum().item()
        return (entropy / 3) ** case["entropy_exponent"]
    if method == "profit":
        return 1.0 if p >= tau else 0.0
    if method == "cuset_plus":
        return (1.0 + (case["lambda"] * is_cuda if case["cuda_mask"] else 0.0)) * accepted
    confident = (1.0 if p > tau else 0.0) if case["confidence_mask"] else 1.0
    cuda = case["lambda"] * is_cuda if case["cuda_mask"] else 0.0
    return confident + cuda


def evaluate(case):
    hidden = case["hidden"].clone().requires_grad_()
    head = case["head"].clone().requires_grad_()
    logits = hidden[case["positions"]] @ head.T  # [rows, vocab]
    log_p = torch.log_softmax(logits, 1)
    rows = torch.arange(len(case["targets"]))
    cross_entropy = -log_p[rows, case["targets"]]
    p = cross_entropy.detach().neg().exp().tolist()
    best = log_p.detach().amax(1).exp().tolist()

    weights, data_weights, sample_weights, windows = [], [], [], []
    for n, (first, last) in enumerate(itertools.pairwise(case["borders"])):
        accepted = accepted_tokens(case, p[first:last], best[first:last], case["is_cuda"][first:last])
        windows.append(window_confidences(p[first:last], case["window"], accepted))
        weigh_sample = case["method"].startswith("cuset") and case["sample_weight"]
        sample_weights.append(1 - min(windows[-1]) if weigh_sample else 1.0)
        for t in range(first, last):
            is_cuda = case["is_cuda"][t] * case.get("vouched", [1] * (n + 1))[n]
            of_token = token_weight(case, logits[t].detach(), p[t], is_cuda, accepted[t - first])
            data_weights.append(case["data_weights"][n])
            weights.append(data_weights[-1] * sample_weights[-1] * of_token)

    weights = torch.tensor(weights, dtype=torch.float64)
    row_loss = weights * cross_entropy
    if case["method"] == "asft":
        reference = torch.log_softmax(case["reference_hidden"][case["positions"]] @ head.detach().T, 1)
        divergence = (reference.exp() * (reference - log_p)).sum(1)
        row_loss = row_loss + case["divergence"] * torch.tensor(data_weights, dtype=torch.float64) * divergence
    (row_loss.sum() * case["gradient_scale"]).backward()
    likeliest = log_p.argmax(1) == torch.tensor(case["targets"])
    return {"hidden_gradient": hidden.grad, "head_gradient": head.grad, "loss_sum": row_loss.sum(),
            "row_weight": weights, "row_loss": row_loss, "sample_weights": torch.tensor(sample_weights, dtype=torch.float64),
            "weight_sum": weights.sum(), "cross_entropy_sum": cross_entropy.sum(),
            "confidence_sum": torch.tensor(sum(p), dtype=torch.float64), "masked_in_sum": (weights > 0).sum(),
            "correct_sum": likeliest.sum()}, windows, p, best


# Cases --------------------------------------------------------------------------------------------------------

def make_case(rng, type_name, lengths, **settings):
    """Samples with these numbers of supervised tokens, each behind a prompt, some with text after the response."""
    case = {**DEFAULTS, **settings, "type": type_name, "width": rng.choice([1, 4, 8]), "vocabulary": rng.choice([11, 50])}
    positions, borders, tokens = [], [0], 0
    for length in lengths:
        tokens += rng.randint(1, 5)  # the last token of the prompt predicts the first of the response
        positions += range(tokens - 1, tokens - 1 + length)
        tokens += length + rng.randint(0, 2)
        borders.append(len(positions))
    generator = torch.Generator().manual_seed(rng.getrandbits(32))

    def matrix(count, size):
        values = size * torch.randn(count, case["width"], generator=generator, dtype=torch.float64)
        return values.to(getattr(torch, type_name)).double()  # what both sides compute with

    case.update(hidden=matrix(tokens, 1.5), head=matrix(case["vocabulary"], 1.5), positions=positions, borders=borders)
    if case["method"] == "asft":
        case["reference_hidden"] = case["hidden"] + matrix(tokens, 0.3)
        case["reference_hidden"] = case["reference_hidden"].to(getattr(torch, type_name)).double()
    # Half of the targets drawn from the model, so that confidences cover (0, 1).
    drawn = torch.multinomial(torch.softmax(case["hidden"][positions] @ case["head"].T, 1), 1, generator=generator)
    case["targets"] = [int(d) if rng.random() < 0.5 else rng.randrange(case["vocabulary"]) for d in drawn]
    share = rng.random()
    case["is_cuda"] = [int(rng.random() < share) for _ in positions]
    case["data_weights"] = [rng.choice([1.0, 0.5, 2.0, 0.0]) for _ in lengths]
    marks = random.Random(len(positions) * 64 + case["width"])
    if marks.random() < 0.5:
        case["vouched"] = [int(marks.random() < 0.5) for _ in lengths]
    return case


def edge_lengths(window):
    return [length for length in (1, window - 1, window, window + 1) if length > 0]


def planned_cases(rng):
    ablations = [dict(method=method, confidence_mask=a, cuda_mask=b, sample_weight=c)
                 for method in ("cuset", "cuset_plus") for a, b, c in itertools.product([True, False], repeat=3)]
    for type_name in LIMITS:
        for window in (1, 2, 7, 8):
            for settings in [{"method": m} for m in METHODS] + ablations:
                yield make_case(rng, type_name, edge_lengths(window), window=window, **settings)
                yield make_case(rng, type_name, [rng.choice(edge_lengths(window))], window=window, **settings)
        for method in METHODS:
            yield make_case(rng, type_name, edge_lengths(256), method=method)


def random_case(rng):
    settings = {"method": rng.choice(METHODS + ["cuset", "cuset", "cuset_plus", "cuset_plus", "cuset_plus"]), "tau": rng.choice([0.0, 0.1, rng.random()]),
                "tau_ramp": rng.choice([0.0, 0.5, 1.0]), "progress": rng.random(), "lambda": rng.choice([0.0, 1.0, 4 * rng.random()]),
                "window": rng.randint(1, 40), "refused_share": rng.choice([0.0, 1.0, rng.random()]),
                "conflict": rng.choice([1.0, 0.01 + 0.98 * rng.random()]), "entropy_exponent": rng.choice([0.5, 1.0, 2.0]), "divergence": rng.random(),
                "gradient_scale": rng.random()}
    settings.update({part: rng.random() < 0.7 for part in ("confidence_mask", "cuda_mask", "sample_weight")})
    lengths = [rng.randint(1, 60) for _ in range(rng.randint(1, 6))]
    return make_case(rng, rng.choice(list(LIMITS)), lengths, **settings)


def is_decided(case, p, best):
    """False where float32 could put a token on the other side of tau, or of the conflict."""
    tau, conflict = threshold(case), case["conflict"]
    return all(abs(x - tau) > NEAR_TAU * tau for x in p) and all(abs(x - conflict) > NEAR_TAU for x in best)


def as_json(case):
    return json.dumps({key: value.flatten().tolist() if torch.is_tensor(value) else value for key, value in case.items()})


# Comparison ---------------------------------------------------------------------------------------------------

def relative_difference(ours, reference, smallest):
    reference = reference.detach().double().flatten()
    ours = torch.tensor([math.nan if x is None else x for x in ours], dtype=torch.float64)
    if ours.shape != reference.shape:
        return math.inf
    difference = (ours - reference).abs().max().item()
    size = max(reference.abs().max().item(), smallest)
    return difference / size if size > 0 else difference


def compare(case, ours, reference, windows):
    """The largest relative difference of each figure."""
    smallest = SMALLEST[case["type"]]
    differences = {key: relative_difference(ours[key], value, smallest) for key, value in reference.items()}
    # Windows may tie: the one named must be as low as the lowest.
    differences["lowest_window"] = max(means[int(row)] - min(means) for means, row in zip(windows, ours["lowest_window"]))
    return differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--random", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rng = random.Random(arguments.seed)
    cases = list(planned_cases(rng)) + [random_case(rng) for _ in range(arguments.random)]
    expected = [evaluate(case) for case in cases]
    decided = [(case, *result[:2]) for case, result in zip(cases, expected) if is_decided(case, *result[2:])]
    payload = "".join(as_json(case) + "\n" for case, _, _ in decided)
    output = subprocess.run([arguments.program], input=payload, text=True, stdout=subprocess.PIPE, check=True).stdout
    answers = [json.loads(line) for line in output.splitlines()]
    assert len(answers) == len(decided), (len(answers), len(decided))

    wrong, largest = 0, collections.defaultdict(float)
    for (case, reference, windows), ours in zip(decided, answers):
        for key, difference in compare(case, ours, reference, windows).items():
            largest[case["type"], key] = max(largest[case["type"], key], difference)
            if not difference <= LIMITS[case["type"]]:
                wrong += 1
                if wrong <= 5:
                    shown = {k: case[k] for k in (*DEFAULTS, "type", "borders")}
                    print(f"{key} differs by {difference:.2e}: {shown}")
    rows = sum(len(case["targets"]) for case, _, _ in decided)
    print(f"{len(decided)} cases ({len(cases) - len(decided)} left out: a token too near tau), {rows} tokens")
    for type_name in LIMITS:
        print(f"  {type_name}: " + ", ".join(f"{key} {d:.0e}" for (name, key), d in largest.items() if name == type_name))
    print("all equal" if wrong == 0 else f"{wrong} numbers differ")
    sys.exit(0 if wrong == 0 else 1)


if __name__ == "__main__":
    main()

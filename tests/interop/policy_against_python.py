"""Advantages and policy losses of policy_dump against an independent implementation: the formulas of
docs/reinforce.md on padded tensors [completions, tokens] with masks, torch.std, and autograd for the gradients, in
float64.

Returns of conversations are summed turn by turn from their definition. Groups have one size, or the sizes that
conversations of different lengths leave to the later turns.

Every loss type with every scale of rewards, level of the ratio and correction for the sampler, with and without
divergence, leave-one-out baselines and several iterations; and the edges: groups of one, equal rewards, rewards that
are not numbers, every completion truncated, completions of one token. Compared: returns, advantages, loss, gradient and
all sums, to 1e-9 of the largest entry.

Leaves with status 77 (skipped) where Python's torch is missing.

usage: policy_against_python.py POLICY_DUMP [--random N] [--seed N]
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

LIMIT = 1e-9
LOSSES = ["grpo", "bnpo", "dr_grpo", "dapo", "gspo", "rloo", "cispo"]
MODES = ["none", "token_truncate", "token_mask", "sequence_truncate", "sequence_mask", "geometric_truncate",
         "geometric_mask"]
DEFAULTS = {"loss_type": "dapo", "scale_rewards": "group", "importance_sampling_level": "token",
            "importance_sampling_mode": "none", "epsilon": 0.2, "epsilon_high": 0.28, "beta": 0.0,
            "leave_one_out": False, "max_completion_length": 12, "importance_sampling_cap": 1.5,
            "importance_sampling_min": 0.0}


# The reference ------------------------------------------------------------------------------------------------

def advantages_of(case):
    rewards = torch.tensor([math.nan if r is None else r for r in case["rewards"]], dtype=torch.float64)
    numbers = torch.tensor(case["groups"])

    def deviation(values):
        values = values[~values.isnan()]
        return values.std().item() if values.numel() > 1 else 0.0

    rows = []
    for i, reward in enumerate(rewards):
        group = rewards[numbers == numbers[i]]
        is_other = numbers == numbers[i]
        is_other[i] = False
        others = rewards[is_other]
        others = others[~others.isnan()]
        known = group[~group.isnan()]
        if reward.isnan() or known.numel() < 2 or known.min() == known.max():
            rows.append(0.0)
            continue
        baseline = others.mean() if case["leave_one_out"] else known.mean()
        scale = {"group": deviation(group) + 1e-4, "batch": deviation(rewards) + 1e-4, "none": 1.0}
        rows.append(((reward - baseline) / scale[case["scale_rewards"]]).item())
    return torch.tensor(rows, dtype=torch.float64)


def returns_of(case):
    """Of every turn: the sum of the discounted rewards from it to the end of its conversation."""
    returns, begin = [], 0
    for turns in case["conversations"]:
        rewards = case["rewards"][begin:begin + turns]
        for t, reward in enumerate(rewards):
            later = [case["discount"] ** k * r for k, r in enumerate(rewards[t:]) if r is not None]
            returns.append(math.nan if reward is None else math.fsum(later))
        begin += turns
    return torch.tensor(returns, dtype=torch.float64)


def padded(case, values):
    """[completions, tokens] of a flat list, zeros behind the end."""
    spans = list(itertools.pairwise(case["borders"]))
    width = max(1, max(end - begin for begin, end in spans))
    rows = torch.zeros(len(spans), width, dtype=torch.float64)
    for i, (begin, end) in enumerate(spans):
        rows[i, :end - begin] = torch.tensor(values[begin:end], dtype=torch.float64)
    return rows


def correction_of(case, old, sampler, mask):
    mode = case["importance_sampling_mode"]
    if mode == "none" or sampler is None:
        return torch.ones_like(old)
    level, kind = mode.rsplit("_", 1)
    difference = (old - sampler) * mask
    if level == "sequence":
        difference = difference.sum(1, keepdim=True).expand_as(difference)
    if level == "geometric":
        difference = (difference.sum(1, keepdim=True) / mask.sum(1, keepdim=True).clamp(min=1)).expand_as(difference)
    ratio = difference.exp()
    low, high = case["importance_sampling_min"], case["importance_sampling_cap"]
    if kind == "truncate":
        return ratio.clamp(low, high)
    return torch.where((ratio < low) | (ratio > high), torch.zeros_like(ratio), ratio)


def evaluate(case):
    advantages = advantages_of(case)
    present = padded(case, case["present"]).requires_grad_()
    mask = padded(case, [1.0] * case["borders"][-1])
    mask = mask * (1 - torch.tensor(case["is_masked"], dtype=torch.float64)).unsqueeze(1)
    old = padded(case, case["old"]) if case["old"] else present.detach()
    sampler = padded(case, case["sampler"]) if case["sampler"] else None
    kind = case["loss_type"]
    log_ratio = (present - old) * mask
    lengths = mask.sum(1).clamp(min=1)
    if kind == "rloo":
        log_ratio = log_ratio.sum(1, keepdim=True).expand_as(mask)
    elif kind == "gspo" or case["importance_sampling_level"] == "sequence":
        log_ratio = (log_ratio.sum(1) / lengths).unsqueeze(1).expand_as(mask)
    ratio = log_ratio.exp()
    a = advantages.unsqueeze(1)
    if kind == "cispo":
        per_token = -torch.clamp(ratio, max=case["epsilon_high"]).detach() * a * present
        above = case["epsilon_high"]
    else:
        per_token = -torch.min(ratio * a, torch.clamp(ratio, 1 - case["epsilon"], 1 + case["epsilon_high"]) * a)
        above = 1 + case["epsilon_high"]
    correction = correction_of(case, old, sampler, mask)
    per_token = per_token * correction
    divergence = torch.zeros_like(mask)
    if case["reference"]:
        reference = padded(case, case["reference"])
        divergence = torch.exp(reference - present) - (reference - present) - 1
        per_token = per_token + case["beta"] * divergence
    masked = per_token * mask
    if kind in ("grpo", "gspo", "rloo"):
        loss = (masked.sum(1) / lengths).sum() / case["completions"]
    elif kind == "dr_grpo":
        loss = masked.sum() / (case["completions"] * case["max_completion_length"])
    else:
        loss = masked.sum() / max(1, case["active_tokens"])
    loss.backward()
    gradient = [present.grad[i, t].item() for i, (begin, end) in enumerate(itertools.pairwise(case["borders"]))
                for t in range(end - begin)]
    ratio = ratio.detach()
    return {"advantages": advantages, "returns": returns_of(case), "row_weight": -torch.tensor(gradient, dtype=torch.float64), "loss": loss.detach(),
            "divergence_sum": (divergence.detach() * mask).sum(),
            "clipped_low_sum": (((ratio < 1 - case["epsilon"]) & (a < 0)) * mask).sum(),
            "clipped_high_sum": (((ratio > above) & (a > 0)) * mask).sum(), "ratio_sum": (ratio * mask).sum(),
            "correction_sum": (correction * mask).sum(), "active_tokens": mask.sum()}


# Cases --------------------------------------------------------------------------------------------------------

def conversation_lengths(rng, count):
    """Of one to three turns, `count` of them together."""
    lengths = []
    while sum(lengths) < count:
        lengths.append(min(rng.randint(1, 3), count - sum(lengths)))
    return lengths


def make_case(rng, groups=3, group_size=4, rewards=None, truncated=None, longest=9, iterations=True, **settings):
    case = {**DEFAULTS, **settings, "discount": rng.choice([0.0, 0.4, 1.0])}
    count = groups * group_size
    case["groups"] = [i // group_size for i in range(count)]
    case["conversations"] = conversation_lengths(rng, count)
    if rng.random() < 0.4:
        # A group has one turn of its conversations: the later the turn, the fewer there are.
        turns = [t for length in case["conversations"] for t in range(length)]
        case["groups"] = [i // (2 * group_size) * 3 + t for i, t in enumerate(turns)]
    case["rewards"] = rewards or [rng.choice([0.0, 0.3, 1.0, rng.random()]) for _ in range(count)]
    lengths = [rng.randint(1, longest) for _ in range(count)]
    case["borders"] = list(itertools.accumulate(lengths, initial=0))
    rows = case["borders"][-1]
    case["present"] = [-3 * rng.random() ** 2 for _ in range(rows)]

    def near(width):
        return [x + rng.gauss(0, width) for x in case["present"]]

    case["old"] = near(0.3) if iterations else []
    case["sampler"] = near(0.2) if case["importance_sampling_mode"] != "none" else []
    case["reference"] = near(0.5) if case["beta"] else []
    case["is_masked"] = truncated or [int(rng.random() < 0.2) for _ in range(count)]
    # Other packs of the step have tokens too.
    case["completions"] = count + rng.choice([0, 5])
    case["active_tokens"] = rng.choice([0, 40]) + sum(n for n, m in zip(lengths, case["is_masked"]) if not m)
    return case


def planned_cases(rng):
    for loss, scale, level, mode in itertools.product(LOSSES, ["group", "batch", "none"], ["token", "sequence"], MODES):
        yield make_case(rng, loss_type=loss, scale_rewards=scale, importance_sampling_level=level,
                        importance_sampling_mode=mode, beta=rng.choice([0.0, 0.04]),
                        epsilon_high=rng.choice([0.28, 1.2]), leave_one_out=rng.random() < 0.5,
                        importance_sampling_min=rng.choice([0.0, 0.8]), iterations=rng.random() < 0.7)
    for loss in LOSSES:
        yield make_case(rng, group_size=1, loss_type=loss)
        yield make_case(rng, group_size=1, loss_type=loss, leave_one_out=True, beta=0.1)
        yield make_case(rng, rewards=[0.7] * 12, loss_type=loss)
        yield make_case(rng, rewards=[0.1] * 4 + [0.2, 0.1, 0.1, 0.1] + [1.0] * 4, loss_type=loss, scale_rewards="batch")
        yield make_case(rng, rewards=[None, 1.0, 0.0, 1.0] + [None] * 4 + [None, 1.0, None, None], loss_type=loss)
        yield make_case(rng, rewards=[None, 1.0, 0.0, 1.0] * 3, loss_type=loss, leave_one_out=True, scale_rewards="none")
        yield make_case(rng, truncated=[1] * 12, loss_type=loss, beta=0.1)
        yield make_case(rng, longest=1, loss_type=loss, beta=0.1)


def random_case(rng):
    return make_case(rng, groups=rng.randint(1, 4), group_size=rng.randint(1, 6), longest=rng.choice([1, 5, 40]),
                     loss_type=rng.choice(LOSSES), scale_rewards=rng.choice(["group", "batch", "none"]),
                     importance_sampling_level=rng.choice(["token", "sequence"]), beta=rng.choice([0.0, rng.random()]),
                     importance_sampling_mode=rng.choice(MODES), epsilon=rng.random(), epsilon_high=2 * rng.random(),
                     importance_sampling_cap=0.5 + rng.random(), leave_one_out=rng.random() < 0.5,
                     iterations=rng.random() < 0.7)


# Comparison ---------------------------------------------------------------------------------------------------

def answers_of(program, cases):
    payload = "".join(json.dumps(case) + "\n" for case in cases)
    output = subprocess.run([program], input=payload, text=True, stdout=subprocess.PIPE, check=True).stdout
    answers = [json.loads(line) for line in output.splitlines()]
    assert len(answers) == len(cases), (len(answers), len(cases))
    return answers


def difference_of(ours, reference):
    reference = reference.double().flatten()
    ours = torch.tensor([math.nan if x is None else x for x in ours], dtype=torch.float64)
    if ours.shape != reference.shape:
        return math.inf
    if not reference.numel():
        return 0.0
    if not torch.equal(ours.isnan(), reference.isnan()):
        return math.inf
    difference = (ours - reference).nan_to_num(nan=0.0).abs().max().item()
    return difference / max(1.0, reference.nan_to_num(nan=0.0).abs().max().item())


def compare(cases, answers, evaluate_case):
    """Ends with 0 where all that `evaluate_case` gives for a case and its answer stands in the answer, else with 1."""
    wrong, largest = 0, collections.defaultdict(float)
    for case, ours in zip(cases, answers):
        for key, reference in evaluate_case(case, ours).items():
            difference = difference_of(ours[key], reference)
            largest[key] = max(largest[key], difference)
            if not difference <= LIMIT:
                wrong += 1
                if wrong <= 5:
                    shown = {k: case[k] for k in (*DEFAULTS, "rewards", "is_masked")}
                    print(f"{key} differs by {difference:.2e}: {shown}, several iterations: {bool(case['old'])}")
    print(f"{len(cases)} cases: " + ", ".join(f"{key} {d:.0e}" for key, d in largest.items()))
    print("all equal" if wrong == 0 else f"{wrong} numbers differ")
    sys.exit(0 if wrong == 0 else 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--random", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rng = random.Random(arguments.seed)
    cases = list(planned_cases(rng)) + [random_case(rng) for _ in range(arguments.random)]
    answers = answers_of(arguments.program, cases)
    compare(cases, answers, lambda case, _: evaluate(case))


if __name__ == "__main__":
    main()

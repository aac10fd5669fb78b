"""Policy losses of policy_dump against TRL's own: the loss functions of its GRPOTrainer and RLOOTrainer are called as they are, with
log-probabilities in place of a model, in float64. Compared: loss, gradient, divergence and shares of clipped tokens, for every
loss type that TRL has, both levels of the ratio, one and several iterations, with and without divergence, and truncated
completions that are masked. The advantages are ours: TRL computes them amid its sampling (policy_against_python.py compares those).

Leaves with status 77 (skipped) where TRL is missing.

usage: policy_against_trl.py POLICY_DUMP [--random N] [--seed N]
"""
import argparse
import collections
import importlib.util
import itertools
import random
import sys
import types

for name in ("trl", "datasets", "torch"):
    if importlib.util.find_spec(name) is None:
        print(f"skipped: no {name} in {sys.executable}")
        sys.exit(77)
import torch  # noqa: E402
from trl import GRPOTrainer, RLOOTrainer  # noqa: E402

from policy_against_python import answers_of, compare, make_case, padded  # noqa: E402

LOSSES = ["grpo", "bnpo", "dr_grpo", "dapo", "cispo", "gspo", "rloo"]


class OneProcess:
    """What the loss functions ask of accelerate."""
    num_processes = 1
    sync_gradients = True

    @staticmethod
    def gather(tensor):
        return tensor

    @staticmethod
    def reduce(tensor, reduction):
        return tensor


def trainer_for(case, present):
    """The members that the loss functions read, with the defaults of TRL's configuration."""
    is_gspo = case["loss_type"] == "gspo"
    arguments = types.SimpleNamespace(delta=None, use_bias_correction_kl=False, steps_per_generation=1)
    return types.SimpleNamespace(
        _get_per_token_logps_and_entropies=lambda *_, **__: (present, torch.zeros_like(present), None),
        _metrics={"train": collections.defaultdict(list)}, _entropy_bonus_enabled=False, accelerator=OneProcess(), args=arguments,
        model=types.SimpleNamespace(training=True), aux_loss_enabled=False, top_entropy_quantile=1.0, off_policy_mask_threshold=None,
        use_vllm=False, vllm_importance_sampling_correction=False, current_gradient_accumulation_steps=1, beta=case["beta"],
        loss_type="grpo" if is_gspo else case["loss_type"], epsilon_low=case["epsilon"], epsilon_high=case["epsilon_high"],
        importance_sampling_level="sequence" if is_gspo else case["importance_sampling_level"],
        max_completion_length=case["max_completion_length"])


def evaluate(case, advantages):
    present = padded(case, case["present"]).requires_grad_()
    mask = padded(case, [1.0] * case["borders"][-1])
    mask = mask * (1 - torch.tensor(case["is_masked"], dtype=torch.float64)).unsqueeze(1)
    old = padded(case, case["old"]) if case["old"] else None
    tokens = torch.zeros_like(mask, dtype=torch.int64)
    inputs = {"prompt_ids": tokens[:, :1], "prompt_mask": tokens[:, :1], "completion_ids": tokens, "completion_mask": mask,
              "advantages": torch.tensor(advantages, dtype=torch.float64), "num_items_in_batch": torch.tensor(float(case["active_tokens"]))}
    if old is not None:
        inputs["old_per_token_logps"] = old
    if case["reference"]:
        inputs["ref_per_token_logps"] = padded(case, case["reference"])
    trainer = trainer_for(case, present)
    if case["loss_type"] == "rloo":
        inputs["old_logps"] = ((present.detach() if old is None else old) * mask).sum(1)
        loss = RLOOTrainer._compute_loss(trainer, None, inputs)
    else:
        loss = GRPOTrainer._compute_loss(trainer, None, inputs)
    loss.backward()
    gradient = [present.grad[i, t].item() for i, (begin, end) in enumerate(itertools.pairwise(case["borders"]))
                for t in range(end - begin)]
    values = {"row_weight": -torch.tensor(gradient, dtype=torch.float64)}
    # TRL's RLOO counts a masked completion with the ratio 1: a constant in the loss, and nothing in the gradient.
    if case["loss_type"] != "rloo" or not any(case["is_masked"]):
        values["loss"] = loss.detach()
    metrics = trainer._metrics["train"]
    if mask.shape[1] == 1:
        return values  # whose metrics TRL takes for numbers of whole sequences, masked ones included
    # A share of tokens; at the level of sequences TRL counts sequences, ours their tokens.
    if case["loss_type"] in ("grpo", "bnpo", "dr_grpo", "dapo") and case["importance_sampling_level"] == "token":
        for ours, theirs in (("clipped_low_sum", "low_mean"), ("clipped_high_sum", "high_mean")):
            values[ours] = torch.tensor(metrics[f"clip_ratio/{theirs}"][0], dtype=torch.float64) * mask.sum()
    if case["beta"]:
        values["divergence_sum"] = torch.tensor(metrics["kl"][0], dtype=torch.float64) * mask.sum()
    return values


def cases_of(rng, count):
    for loss, level, iterations in itertools.product(LOSSES, ["token", "sequence"], [False, True]):
        for beta in [0.0] if loss == "rloo" else [0.0, 0.04]:
            yield make_case(rng, loss_type=loss, importance_sampling_level=level, iterations=iterations, beta=beta)
            yield make_case(rng, loss_type=loss, importance_sampling_level=level, iterations=iterations, beta=beta, truncated=[0] * 12)
            yield make_case(rng, loss_type=loss, importance_sampling_level=level, iterations=iterations, beta=beta, truncated=[1] * 12)
    for _ in range(count):
        loss = rng.choice(LOSSES)
        yield make_case(rng, groups=rng.randint(1, 4), group_size=rng.randint(1, 6), longest=rng.choice([1, 5, 40]), loss_type=loss,
                        importance_sampling_level=rng.choice(["token", "sequence"]), epsilon=rng.random(), epsilon_high=2 * rng.random(),
                        beta=0.0 if loss == "rloo" else rng.choice([0.0, rng.random()]), iterations=rng.random() < 0.7)


def for_one_batch(case):
    """TRL sees all completions of a step at once: no other packs."""
    case["completions"] = len(case["is_masked"])
    if case["loss_type"] == "bnpo":
        lengths = (end - begin for begin, end in itertools.pairwise(case["borders"]))
        case["active_tokens"] = sum(n for n, masked in zip(lengths, case["is_masked"]) if not masked)
    return case


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--random", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rng = random.Random(arguments.seed)
    cases = [for_one_batch(case) for case in cases_of(rng, arguments.random)]
    answers = answers_of(arguments.program, cases)
    compare(cases, answers, lambda case, ours: evaluate(case, ours["advantages"]))


if __name__ == "__main__":
    main()

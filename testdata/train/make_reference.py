#!/usr/bin/env python3
"""Makes schedule.json (learning rates of Hugging Face's get_scheduler) and adamw.json (parameters after steps of
torch.optim.AdamW with torch.nn.utils.clip_grad_norm_) and trainer_state_*.json beside this file. Needs torch and
transformers."""
import json
import math
import pathlib

import torch
import transformers

HERE = pathlib.Path(__file__).parent
LEARNING_RATE = 2e-4


def schedule_case(kind, steps, warmup_steps, warmup_ratio, **arguments):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=LEARNING_RATE)
    warmup = warmup_steps if warmup_steps > 0 else math.ceil(steps * warmup_ratio)
    scheduler = transformers.get_scheduler(kind, optimizer, num_warmup_steps=warmup, num_training_steps=steps,
                                           scheduler_specific_kwargs=arguments)
    rates = []
    for _ in range(steps + 2):
        rates.append(scheduler.get_last_lr()[0])
        optimizer.step()
        scheduler.step()
    return {"kind": kind, "steps": steps, "warmup_steps": warmup_steps, "warmup_ratio": warmup_ratio,
            "warmup": warmup, "rates": rates, **arguments}


def schedules():
    shapes = [(10, 0, 0.0), (10, 3, 0.0), (7, 0, 0.1), (30, 0, 0.03), (1, 0, 0.0), (5, 5, 0.0), (4, 9, 0.0),
              (10, 2, 0.5)]
    kinds = ["linear", "cosine", "constant", "constant_with_warmup"]
    cases = [schedule_case(kind, *shape) for kind in kinds for shape in shapes]
    cases += [schedule_case("cosine_with_min_lr", *shape, **least)
              for shape in shapes for least in ({"min_lr_rate": 0.1}, {"min_lr": 3e-6})]
    return {"learning_rate": LEARNING_RATE, "cases": cases}


def numbers(tensor):
    return [float(x) for x in tensor.detach().flatten()]


def adamw_case(seed, max_norm, weight_decay, betas, epsilon, steps=6):
    """Two weights that decay and a bias that does not; gradients of very different size from step to step."""
    torch.manual_seed(seed)
    weights = [torch.nn.Parameter(torch.randn(5, 7)), torch.nn.Parameter(torch.randn(13)), torch.nn.Parameter(torch.randn(9))]
    groups = [{"params": weights[:2], "weight_decay": weight_decay}, {"params": weights[2:], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=LEARNING_RATE, betas=betas, eps=epsilon)
    case = {"max_norm": max_norm, "weight_decay": weight_decay, "beta1": betas[0], "beta2": betas[1],
            "epsilon": epsilon, "start": [numbers(w) for w in weights], "steps": []}
    for step in range(steps):
        for weight in weights:
            weight.grad = torch.randn_like(weight) * 10.0 ** (step % 3 - 1.5)
        record = {"rate": LEARNING_RATE / (1 + step), "gradient": [numbers(w.grad) for w in weights]}
        for group in optimizer.param_groups:
            group["lr"] = record["rate"]
        record["norm"] = float(torch.nn.utils.clip_grad_norm_(weights, max_norm if max_norm > 0 else math.inf))
        record["clipped"] = [numbers(w.grad) for w in weights]
        optimizer.step()
        record["weights"] = [numbers(w) for w in weights]
        case["steps"].append(record)
    state = [optimizer.state[w] for w in weights]
    case["exp_avg"] = [numbers(s["exp_avg"]) for s in state]
    case["exp_avg_sq"] = [numbers(s["exp_avg_sq"]) for s in state]
    return case


def adamw():
    return {"cases": [adamw_case(1, 1.0, 0.01, (0.9, 0.999), 1e-8), adamw_case(2, 0.0, 0.1, (0.9, 0.95), 1e-6),
                      adamw_case(3, 5.0, 0.0, (0.8, 0.99), 1e-8)]}


def control():
    return transformers.TrainerControl(should_save=True)


def write_trainer_states():
    transformers.TrainerState(epoch=0.0, total_flos=0.0, train_batch_size=1, stateful_callbacks=[control()]).save_to_json(
        HERE / "trainer_state_new.json")
    early_stop = transformers.EarlyStoppingCallback(3, 0.01)
    early_stop.early_stopping_patience_counter = 1
    history = [{"loss": 1.25, "learning_rate": 9.8e-05, "epoch": 0.1, "step": 10},
               {"eval_loss": 1.125, "epoch": 0.2, "step": 20}]
    transformers.TrainerState(
        epoch=0.2, global_step=20, max_steps=300, logging_steps=10, eval_steps=20, save_steps=20, train_batch_size=4,
        num_train_epochs=3, num_input_tokens_seen=81920, total_flos=1.5e12, log_history=history, best_metric=1.125,
        best_global_step=20, best_model_checkpoint="runs/a/checkpoint-20",
        stateful_callbacks=[control(), early_stop]).save_to_json(HERE / "trainer_state_run.json")


def main():
    write_trainer_states()
    for name, content in [("schedule.json", schedules()), ("adamw.json", adamw())]:
        (HERE / name).write_text(json.dumps(content) + "\n")


main()

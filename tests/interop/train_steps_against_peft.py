"""100 steps of `cuset train` against the same steps in transformers, PEFT and torch's AdamW, objective by objective.

usage: train_steps_against_peft.py CUSET MODEL [--steps N] [--objectives cuset,...]

The model is real and so is the data: gym samples with noise, all of them in every step, so that their order does not
matter. Both sides begin with the adapter that the program makes. The other side computes full logits, the weights as
docs/objectives.md has them in plain loops, and autograd. Losses must agree at every step to 1e-4 of the first loss, and
the adapters at the end to 1e-2 of their norm: AdamW makes a whole step of a gradient that is nothing but rounding.
Exits with 77 where transformers or PEFT is not installed.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

try:
    import peft
    import safetensors.torch
    import torch
    import transformers
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

TAU, LAMBDA, WINDOW, REFUSED_SHARE, CONFLICT = 0.1, 1.0, 64, 0.05, 0.9
RATE = 1e-3
KINDS = ("wrong", "around")  # of noise, a sample each

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()
warnings.simplefilter("ignore")


def run(*arguments):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")
    return done.stdout


def write_data(program, folder):
    """The shortest sample of each kind of noise."""
    run(program, "gym", "data", "--output", folder / "all.jsonl", "--count", 40, "--seed", 4, "--noise", 1,
        "--noise-kinds", ",".join(KINDS))
    rows = [json.loads(line) for line in open(folder / "all.jsonl", encoding="utf-8")]
    chosen = [min((row for row in rows if row["noise"] == kind), key=lambda row: len(row["response"]))
              for kind in KINDS]
    (folder / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in chosen))
    return folder / "data.jsonl"


def examples_of(program, model, data):
    for row in range(1, len(KINDS) + 1):
        yield json.loads(run(program, "inspect", "--data", data, "--model", model, "--row", row, "--json"))


def train(program, model, data, output, objective, steps, rate):
    parts = ["--cuda-mask", "--sample-weight"] if objective == "cuset_plus" else []  # all that it can have
    run(program, "train", "--model", model, "--data", data, "--output", output, "--objective", objective, "--max-steps", steps,
        "--per-device-train-batch-size", len(KINDS), "--learning-rate", rate, "--lr-scheduler-type", "constant", "--lora-dropout", 0,
        "--dtype", "float32", "--logging-steps", 1, "--save-strategy", "no", "--window", WINDOW, "--seed", 3, "--device", "cpu",
        *parts)
    return [json.loads(line) for line in open(output / "metrics.jsonl", encoding="utf-8")]


def window_means(p, counts):
    means = []
    for t in range(len(p)):
        members = [p[j] for j in range(max(0, t - WINDOW // 2), min(len(p), t + WINDOW - WINDOW // 2)) if counts[j]]
        means.append(sum(members) / len(members) if members else 1.0)
    return means


def weights_of(objective, p, best, is_cuda):
    """W of every supervised token of one sample."""
    if objective == "sft":
        return [1.0] * len(p)
    if objective == "profit":
        return [float(x >= TAU) for x in p]
    counts = [True] * len(p)
    if objective == "cuset":
        tokens = [float(x > TAU) + LAMBDA * c for x, c in zip(p, is_cuda)]
    else:
        unlikely = [x <= TAU for x in p]
        for kind in (0, 1):
            rows = [i for i, c in enumerate(is_cuda) if c == kind]
            crowd = sum(unlikely[i] for i in rows) > REFUSED_SHARE * len(rows)
            for i in rows:
                counts[i] = not (unlikely[i] and (crowd or best[i] >= CONFLICT))
        tokens = [(1 + LAMBDA * c) * a for c, a in zip(is_cuda, counts)]
    of_sample = 1 - min(window_means(p, counts))
    return [of_sample * w for w in tokens]


def step_loss(model, objective, examples):
    loss, tokens = 0.0, 0
    for example in examples:
        ids = torch.tensor([example["ids"]])
        learned = torch.tensor(example["is_label"], dtype=torch.bool)[1:]
        is_cuda = [int(c) for c, l in zip(example["is_cuda"][1:], learned.tolist()) if l]
        log_p = torch.log_softmax(model(input_ids=ids).logits[0, :-1].double(), 1)[learned]
        of_targets = log_p.gather(1, ids[0, 1:][learned].unsqueeze(1)).squeeze(1)
        weights = weights_of(objective, of_targets.detach().exp().tolist(), log_p.detach().amax(1).exp().tolist(), is_cuda)
        loss = loss - (torch.tensor(weights, dtype=torch.float64) * of_targets).sum()
        tokens += len(weights)
    return loss / tokens


def train_there(base, adapter, objective, examples, steps):
    model = peft.PeftModel.from_pretrained(transformers.AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32), adapter,
                                           is_trainable=True).eval()  # no dropout
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=RATE, betas=(0.9, 0.999), eps=1e-8, weight_decay=0)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = step_loss(model, objective, examples)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses, peft.get_peft_model_state_dict(model)


def compare(program, base, folder, data, examples, objective, steps):
    begin, out = folder / f"begin-{objective}", folder / objective
    train(program, base, data, begin, objective, 1, 1e-30)  # changes nothing in float32
    ours = [record["loss"] for record in train(program, base, data, out, objective, steps, RATE) if "loss" in record]
    theirs, weights = train_there(base, begin, objective, examples, steps)
    if len(ours) != steps:
        raise SystemExit(f"{objective}: {len(ours)} losses of {steps} steps")
    difference = max(abs(a - b) for a, b in zip(ours, theirs)) / theirs[0]
    written = safetensors.torch.load_file(out / "adapter_model.safetensors")
    size = sum(tensor.norm().item() ** 2 for tensor in weights.values()) ** 0.5
    apart = sum((written[name] - tensor).norm().item() ** 2 for name, tensor in weights.items()) ** 0.5 / size
    print(f"{objective}: {steps} steps, loss {theirs[0]:.4f} to {theirs[-1]:.4f}, "
          f"largest difference {difference:.1e} of the first, of the adapter {apart:.1e}")
    if not difference <= 1e-4 or not apart <= 1e-2 or not theirs[-1] < 0.8 * theirs[0]:
        raise SystemExit(f"{objective} differs: {list(zip(ours, theirs))[:: max(1, steps // 10)]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("model")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--objectives", default="cuset")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        data = write_data(arguments.program, folder)
        examples = list(examples_of(arguments.program, arguments.model, data))
        for objective in arguments.objectives.split(","):
            compare(arguments.program, arguments.model, folder, data, examples, objective, arguments.steps)


if __name__ == "__main__":
    main()

"""The decoder, adapters and merging against Hugging Face transformers and PEFT, on small random models.

usage: model_against_transformers.py MODEL_DUMP [SEED]

1. Logits of packs of samples, computed here in one forward, equal transformers' sample by sample: 1e-4 in float32; in
   bfloat16 they are no further from transformers' float32 logits than transformers' own bfloat16 ones, times 1.5; the same
   for gradients of LoRA matrices.
2. Gradients of every weight equal transformers' autograd: 1e-5 of the largest gradient; with recomputation too.
3. Gradients of LoRA matrices equal PEFT's: 1e-5 of the tensor's largest; adapters of PEFT give the same logits here, ours
   the same logits in PEFT, and merged folders the same logits in transformers as PEFT's own merging.
Prints the largest difference of every class. Exits with 77 where transformers, PEFT or safetensors is not installed.
"""
import collections
import copy
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

from model_against_transformers_cases import ADAPTERS, MODELS, PACKS, make_config

LOGITS_LIMIT = 1e-4
GRADIENT_LIMIT = 1e-5
BFLOAT16_FACTOR = 1.5

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()
warnings.simplefilter("ignore")  # PEFT's about models without a name on the hub
torch.set_num_threads(1)


class Ours:
    """Talks to model_dump; one process for all requests."""

    def __init__(self, program, folder):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.out = folder / "out.safetensors"

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        answer = json.loads(line) if line else {"error": "model_dump ended"}
        if "error" in answer:
            raise SystemExit(f"{request}\n{answer['error']}")
        return answer

    def run(self, model, samples, **request):
        self.ask({"model": str(model), "type": "float32", "samples": samples, "out": str(self.out), **request})
        return safetensors.torch.load_file(self.out)

    def merge(self, model, adapter, out, type):
        return self.ask({"merge": {"model": str(model), "adapter": str(adapter), "out": str(out), "type": type}})


class Metrics:
    """The largest difference of every class, and what went over its limit."""

    def __init__(self):
        self.largest = collections.defaultdict(float)
        self.limits = {}
        self.failures = []

    def note(self, kind, where, difference, limit):
        self.largest[kind] = max(self.largest[kind], difference)
        self.limits[kind] = limit
        if not difference <= limit:
            self.failures.append(f"{kind}: {where}: {difference:.3g}, at most {limit:.3g} wanted")

    def state(self, kind, value):
        """A figure without a limit."""
        self.largest[kind] = max(self.largest[kind], value)

    def report(self):
        for kind, largest in self.largest.items():
            limit = f"limit {self.limits[kind]:.1e}" if kind in self.limits else ""
            print(f"{kind:57} {largest:9.2e}  {limit}".rstrip())
        for failure in self.failures:
            print(failure)
        return 1 if self.failures else 0


def randomize(model, generator):
    """Every weight away from its initial value: biases that are 0 and norms that are 1 would hide mistakes."""
    for name, parameter in model.named_parameters():
        noise = torch.randn(parameter.shape, generator=generator)
        wide = parameter.dim() > 1
        # Keys' and queries' weights large enough for attention that is far from uniform.
        size = 0.2 if "q_proj" in name or "k_proj" in name else 0.12 if wide else 0.2
        parameter.data.copy_(noise * size + (1.0 if "norm" in name else 0.0))


def logits_of(model, samples):
    with torch.no_grad():
        return torch.cat([model(input_ids=torch.tensor([sample])).logits[0].float() for sample in samples])


def backward(model, samples):
    """Of the mean cross-entropy over all next tokens of all samples."""
    count = sum(len(sample) - 1 for sample in samples)
    for sample in samples:
        if len(sample) > 1:
            logits = model(input_ids=torch.tensor([sample])).logits[0, :-1]
            loss = torch.nn.functional.cross_entropy(logits, torch.tensor(sample[1:]), reduction="sum") / count
            loss.backward()


def largest_difference(a, b):
    if a.shape != b.shape:
        return float("inf")
    return (a - b).abs().max().item()


def note_rounding(metrics, kind, name, model, ratio):
    """A router that chooses has no limit: rounding sends a token to another expert on one side and not on the other."""
    config = model.config
    if config.model_type == "qwen3_moe" and config.num_experts_per_tok < config.num_experts:
        metrics.state(f"  ({kind}, router)", ratio)
    else:
        metrics.note(kind, name, ratio, BFLOAT16_FACTOR)


def make_samples(lengths, vocab, generator):
    return [torch.randint(vocab, (length,), generator=generator).tolist() for length in lengths]


def in_old_form(folder):
    """config.json with the keys of transformers 4: rope_theta, rope_scaling, torch_dtype."""
    path = folder / "config.json"
    config = json.loads(path.read_text())
    rope = config.pop("rope_parameters")
    config["rope_theta"] = rope.pop("rope_theta")
    config["torch_dtype"] = config.pop("dtype")
    kind = rope.pop("rope_type")
    config["rope_scaling"] = None if kind == "default" else {"type": kind, **rope}
    path.write_text(json.dumps(config))


def check_logits(ours, metrics, name, model, folder, packs):
    for samples in packs:
        wanted = logits_of(model, samples)
        metrics.note("logits, float32", name, largest_difference(ours.run(folder, samples)["logits"], wanted), LOGITS_LIMIT)
    rounded = copy.deepcopy(model).to(torch.bfloat16)
    theirs = (logits_of(rounded, packs[0]) - logits_of(model, packs[0])).abs()
    mine = (ours.run(folder, packs[0], type="bfloat16")["logits"] - logits_of(model, packs[0])).abs()
    note_rounding(metrics, "error of bfloat16 logits over transformers'", name, model, (mine.mean() / theirs.mean()).item())
    metrics.state("  (largest error of bfloat16 logits)", mine.max().item())


def by_file_names(gradients):
    """transformers computes with the experts of a layer in one tensor; files have them one by one."""
    named = {}
    for key, gradient in gradients.items():
        layer, fused, part = key.partition("experts.")
        if not fused:
            named[key] = gradient
            continue
        for expert, matrix in enumerate(gradient):
            parts = zip(("gate_proj", "up_proj"), matrix.chunk(2)) if part == "gate_up_proj" else [(part, matrix)]
            for name, value in parts:
                named[f"{layer}experts.{expert}.{name}.weight"] = value
    return named


def check_full_gradients(ours, metrics, name, model, folder, samples):
    model.zero_grad()
    backward(model, samples)
    wanted = by_file_names({key: parameter.grad for key, parameter in model.named_parameters()})
    model.zero_grad()
    scale = max(gradient.abs().max().item() for gradient in wanted.values())
    for recompute in (False, True):
        given = ours.run(folder, samples, train_all=True, gradients=True, recompute=recompute)
        names = {key.removeprefix("gradient.") for key in given} - {"logits"}
        if names != set(wanted):
            metrics.failures.append(f"{name}: gradients of other weights: {sorted(names ^ set(wanted))}")
            continue
        kind = "gradients of all weights" + (", recomputed" if recompute else "")
        for key, gradient in wanted.items():
            difference = largest_difference(given["gradient." + key], gradient) / scale
            metrics.note(kind, f"{name} {key}", difference, GRADIENT_LIMIT)


def check_adapter(ours, metrics, name, model, folder, work, settings, samples, generator):
    adapted = peft.get_peft_model(copy.deepcopy(model), peft.LoraConfig(task_type="CAUSAL_LM", lora_dropout=0.0, **settings))
    for key, parameter in adapted.named_parameters():
        if "lora_" in key:
            parameter.data.copy_(torch.randn(parameter.shape, generator=generator) * 0.1)
    adapted.save_pretrained(work / "peft")
    wanted = logits_of(adapted, samples)
    moved = largest_difference(wanted, logits_of(model, samples))
    if not moved > 0.1:
        metrics.failures.append(f"{name}: the adapter changes the logits by only {moved:.3g}: the test shows nothing")
    backward(adapted, samples)
    given = ours.run(folder, samples, adapter=str(work / "peft"), gradients=True, write_adapter=str(work / "copied"))
    metrics.note("logits, adapter of PEFT", name, largest_difference(given["logits"], wanted), LOGITS_LIMIT)
    gradients = lora_gradients(adapted)
    if {"gradient." + key for key in gradients} != set(given) - {"logits"}:
        metrics.failures.append(f"{name}: gradients of other matrices than PEFT's")
        return
    for key, gradient in gradients.items():
        difference = largest_difference(given["gradient." + key], gradient) / gradient.abs().max().item()
        metrics.note("gradients of LoRA matrices", f"{name} {key}", difference, GRADIENT_LIMIT)
    recomputed = ours.run(folder, samples, adapter=str(work / "peft"), gradients=True, recompute=True)
    for key in gradients:
        difference = largest_difference(recomputed["gradient." + key], given["gradient." + key])
        metrics.note("recomputed LoRA gradients against kept", f"{name} {key}", difference, 0)

    check_bfloat16_gradients(ours, metrics, name, model, folder, work, samples, gradients)
    copied = peft.PeftModel.from_pretrained(copy.deepcopy(model), work / "copied")
    metrics.note("logits in PEFT, its adapter read and written", name, largest_difference(logits_of(copied, samples), wanted), 0)
    for type in ("float32", "bfloat16"):
        answer = ours.merge(folder, work / "peft", work / ("merged-" + type), type)
        metrics.note(f"share of the range, merge's own check, {type}", name, answer["merged_difference"], answer["limit"])
    merged = transformers.AutoModelForCausalLM.from_pretrained(work / "merged-float32", dtype=torch.float32)
    difference = largest_difference(logits_of(merged, samples), logits_of(adapted.merge_and_unload(), samples))
    metrics.note("logits of merged folders, against PEFT's merge", name, difference, LOGITS_LIMIT)


def lora_gradients(model):
    return {key.replace(".default", ""): p.grad.float() for key, p in model.named_parameters() if p.grad is not None}


def relative_error(given, wanted):
    distance = sum((given[key] - wanted[key]).square().sum() for key in wanted)
    return (distance / sum(gradient.square().sum() for gradient in wanted.values())).sqrt().item()


def check_bfloat16_gradients(ours, metrics, name, model, folder, work, samples, wanted):
    rounded = copy.deepcopy(model).to(torch.bfloat16)
    adapted = peft.PeftModel.from_pretrained(rounded, work / "peft", is_trainable=True)
    backward(adapted, samples)
    theirs = relative_error(lora_gradients(adapted), wanted)
    given = ours.run(folder, samples, adapter=str(work / "peft"), gradients=True, type="bfloat16")
    mine = relative_error({key: given["gradient." + key] for key in wanted}, wanted)
    note_rounding(metrics, "error of bfloat16 LoRA gradients over PEFT's", name, model, mine / theirs)
    metrics.state("  (largest relative error of bfloat16 gradients)", mine)


def check_own_adapter(ours, metrics, name, model, folder, work, settings, samples):
    new = {"r": settings["r"], "alpha": settings["lora_alpha"], "rslora": settings.get("use_rslora", False),
           "targets": [] if settings["target_modules"] == "all-linear" else settings["target_modules"]}
    given = ours.run(folder, samples, new_adapter=new, write_adapter=str(work / "own"))["logits"]
    adapted = peft.PeftModel.from_pretrained(copy.deepcopy(model), work / "own")
    metrics.note("logits, our adapter in PEFT", name, largest_difference(given, logits_of(adapted, samples)), LOGITS_LIMIT)


def check_model(ours, metrics, case, folder, generator):
    model_class, config = make_config(case)
    model = model_class(config).eval()
    model.set_attn_implementation("eager")
    randomize(model, generator)
    model.tie_weights()
    model.save_pretrained(folder, max_shard_size=case.get("shards", "1GB"))
    if "shards" in case and not (folder / "model.safetensors.index.json").exists():
        metrics.failures.append(f"{case['name']}: transformers saved no shards")
    if case.get("old_form"):
        in_old_form(folder)
    packs = [make_samples(lengths, config.vocab_size, generator) for lengths in PACKS]
    check_logits(ours, metrics, case["name"], model, folder, packs)
    check_full_gradients(ours, metrics, case["name"], model, folder, packs[0])
    for number in case["adapters"]:
        work = folder / f"adapter-{number}"
        name = f"{case['name']}, {ADAPTERS[number]}"
        check_adapter(ours, metrics, name, model, folder, work, ADAPTERS[number], packs[0], generator)
        check_own_adapter(ours, metrics, name, model, folder, work, ADAPTERS[number], packs[0])


def main():
    generator = torch.Generator().manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 7)
    metrics = Metrics()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        ours = Ours(sys.argv[1], folder)
        for case in MODELS:
            check_model(ours, metrics, case, folder / case["name"], generator)
        ours.process.stdin.close()
        ours.process.wait()
    print(f"{len(MODELS)} models, transformers {transformers.__version__}, PEFT {peft.__version__}")
    return metrics.report()


if __name__ == "__main__":
    sys.exit(main())

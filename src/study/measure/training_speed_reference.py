# One LoRA training step of transformers + PEFT, timed: the comparison of `cuset bench train`.
# stdin: {"config", "rank", "dropout", "samples", "tokens", "steps", "warm_up", "device", "bfloat16", "objectives", "compiled",
# "recompute"}; stdout: one JSON line per measurement.
import json, sys, time
import torch
from transformers import AutoConfig, AutoModelForCausalLM
from peft import LoraConfig, get_peft_model

job = json.load(sys.stdin)
torch.manual_seed(0)
device = torch.device(job["device"])
config = AutoConfig.for_model(job["config"]["model_type"], **{k: v for k, v in job["config"].items() if k != "model_type"})
dtype = torch.bfloat16 if job["bfloat16"] else torch.float32
with torch.device(device):
    torch.set_default_dtype(dtype)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="sdpa")
    torch.set_default_dtype(torch.float32)
# With experts, attention alone, as in cuset.
targets = ["q_proj", "k_proj", "v_proj", "o_proj"] if "num_experts" in job["config"] else "all-linear"
model = get_peft_model(model, LoraConfig(r=job["rank"], lora_alpha=2 * job["rank"], lora_dropout=job["dropout"],
                                         target_modules=targets, task_type="CAUSAL_LM"))
trained = [p for p in model.parameters() if p.requires_grad]
if job["recompute"]:
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    model.enable_input_require_grads()
optimizer = torch.optim.AdamW(trained, lr=1e-4, fused=True)
ids = torch.randint(config.vocab_size, (job["samples"], job["tokens"]), device=device)
is_cuda = (torch.arange(1, job["tokens"], device=device) % 3 == 0).float()

def window_minimum(p, length=256):
    sums = torch.nn.functional.pad(p.double().cumsum(-1), (1, 0))
    t = torch.arange(1, p.shape[-1] + 1, device=p.device)
    low = (t - length // 2).clamp(min=1)
    high = (t + (length + 1) // 2 - 1).clamp(max=p.shape[-1])
    return ((sums[..., high] - sums[..., low - 1]) / (high - low + 1)).amin(-1)

def loss_of(logits, objective):
    logits = logits[:, :-1].float()
    targets = ids[:, 1:]
    ce = torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none").view_as(targets)
    if objective == "cuset":
        p = (-ce.detach()).exp()
        ce = ce * (1 - window_minimum(p)).unsqueeze(-1).float() * ((p > 0.1).float() + is_cuda)
    return ce.sum() / targets.numel()

def measure(forward, objective):
    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(forward(input_ids=ids, use_cache=False).logits, objective)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        return loss.item(), norm.item()
    model.train()
    for _ in range(job["warm_up"]):
        step()
    on_gpu = device.type == "cuda"
    if on_gpu:
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
    seconds = []
    for _ in range(job["steps"]):
        start = time.perf_counter()
        loss, norm = step()
        if on_gpu:
            torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
    seconds.sort()
    return {"median": seconds[len(seconds) // 2], "fastest": seconds[0], "loss": loss, "norm": norm,
            "peak": torch.cuda.max_memory_allocated() if on_gpu else 0}

for objective in job["objectives"]:
    print(json.dumps({"who": "transformers + PEFT", "objective": objective, **measure(model, objective)}), flush=True)
if job["compiled"]:
    fast = torch.compile(model)
    print(json.dumps({"who": "the same, compiled", "objective": job["objectives"][-1],
                      **measure(fast, job["objectives"][-1])}), flush=True)

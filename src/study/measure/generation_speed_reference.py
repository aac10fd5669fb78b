# transformers' generate, timed: the comparison of `cuset bench generate`.
# stdin: {"config", "model", "batches", "prompt", "new_tokens", "device", "bfloat16"}; stdout: one JSON line per batch.
import json, sys, time
import torch
from transformers import AutoConfig, AutoModelForCausalLM, GenerationConfig

job = json.load(sys.stdin)
torch.manual_seed(0)
device = torch.device(job["device"])
on_gpu = device.type == "cuda"
dtype = torch.bfloat16 if job["bfloat16"] else torch.float32
if job["model"]:
    model = AutoModelForCausalLM.from_pretrained(job["model"], torch_dtype=dtype, attn_implementation="sdpa").to(device)
else:
    config = AutoConfig.for_model(job["config"]["model_type"], **{k: v for k, v in job["config"].items() if k != "model_type"})
    with torch.device(device):
        torch.set_default_dtype(dtype)
        model = AutoModelForCausalLM.from_config(config, attn_implementation="sdpa")
        torch.set_default_dtype(torch.float32)
model.eval()

def seconds_of(ids, new_tokens):
    chosen = GenerationConfig(do_sample=False, min_new_tokens=new_tokens, max_new_tokens=new_tokens, pad_token_id=0)
    if on_gpu:
        torch.cuda.synchronize()
    start = time.perf_counter()
    with torch.inference_mode():
        out = model.generate(ids, attention_mask=torch.ones_like(ids), generation_config=chosen)
    if on_gpu:
        torch.cuda.synchronize()
    assert out.shape[1] == ids.shape[1] + new_tokens
    return time.perf_counter() - start

for batch in job["batches"]:
    ids = torch.randint(model.config.vocab_size, (batch, job["prompt"]), device=device)
    seconds_of(ids, min(4, job["new_tokens"]))
    if on_gpu:
        torch.cuda.reset_peak_memory_stats()
    prompt = seconds_of(ids, 1)
    seconds = seconds_of(ids, job["new_tokens"])
    print(json.dumps({"who": "transformers", "batch": batch, "seconds": seconds, "prompt_seconds": prompt,
                      "peak": torch.cuda.max_memory_allocated() if on_gpu else 0}), flush=True)

"""Model folders and adapters that transformers and PEFT write are read, and what is written again is the same to them.

For each model class a small random model and a LoRA adapter are saved by transformers and PEFT, copied by
model_files_copy (read and written by our code, the model in several shards) and loaded by transformers and PEFT again.
Every tensor must be the same bit for bit, and so must the logits.
"""

import pathlib
import subprocess
import sys
import tempfile

try:
    import torch
    from peft import LoraConfig, PeftModel, get_peft_model
    from safetensors.torch import load_file
    from transformers import AutoModelForCausalLM, LlamaConfig, MistralConfig, Qwen2Config, Qwen3Config, Qwen3MoeConfig
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SIZES = dict(hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
             vocab_size=60, max_position_embeddings=64)
LLAMA3 = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=32, rope_theta=500000.0)
CASES = [
    (Qwen2Config(**SIZES, tie_word_embeddings=False), torch.bfloat16,
     dict(target_modules=["q_proj", "v_proj"], use_rslora=True)),
    (Qwen3Config(**SIZES, head_dim=16, tie_word_embeddings=True), torch.float32, dict(target_modules="all-linear")),
    (LlamaConfig(**SIZES, rope_parameters=LLAMA3, attention_bias=True, mlp_bias=True), torch.float16,
     dict(target_modules=r".*\.(gate|down)_proj")),
    (MistralConfig(**SIZES, head_dim=12, sliding_window=5), torch.bfloat16, dict(target_modules="all-linear")),
    (Qwen3MoeConfig(**SIZES, head_dim=16, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=24, mlp_only_layers=[0]),
     torch.bfloat16, dict(target_modules=["q_proj", "o_proj"])),
]


def logits(model_folder, adapter_folder):
    base = AutoModelForCausalLM.from_pretrained(model_folder, dtype="auto")
    model = PeftModel.from_pretrained(base, adapter_folder).eval()
    with torch.no_grad():
        return model(torch.arange(20)[None]).logits


def tensors(folder):
    found = {}
    for file in sorted(folder.glob("*.safetensors")):
        found.update(load_file(file))
    return found


def check(program, folder, config, dtype, lora):
    torch.manual_seed(1)
    model = AutoModelForCausalLM.from_config(config, dtype=dtype)
    model.save_pretrained(folder / "model")
    adapted = get_peft_model(model, LoraConfig(r=4, lora_alpha=8, task_type="CAUSAL_LM", init_lora_weights=False, **lora))
    adapted.save_pretrained(folder / "adapter")
    out = folder / "out"
    subprocess.run([program, folder / "model", folder / "adapter", out], check=True)
    assert len(list((out / "model").glob("*.safetensors"))) > 1
    for part in ("model", "adapter"):
        theirs, ours = tensors(folder / part), tensors(out / part)
        assert theirs.keys() == ours.keys(), theirs.keys() ^ ours.keys()
        for name in theirs:
            assert theirs[name].dtype == ours[name].dtype and torch.equal(theirs[name], ours[name]), name
    assert torch.equal(logits(folder / "model", folder / "adapter"), logits(out / "model", out / "adapter"))
    print(f"{config.model_type}: {len(tensors(out / 'model'))} weights and {len(tensors(out / 'adapter'))} of the adapter")


def main():
    torch.set_num_threads(1)
    for config, dtype, lora in CASES:
        with tempfile.TemporaryDirectory() as folder:
            check(sys.argv[1], pathlib.Path(folder), config, dtype, lora)


main()

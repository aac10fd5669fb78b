"""llama.cpp's converters accept what cuset writes: merged model folders and adapters become GGUF files with the same numbers.

For each class a small random model with a real tokenizer and a LoRA adapter are merged by `cuset merge`, converted by
llama.cpp's convert_hf_to_gguf.py and read with the package gguf. Every tensor must equal PEFT's merged one. An adapter that
`cuset train` wrote goes through convert_lora_to_gguf.py. Needs a checkout of llama.cpp in CUSET_LLAMA_CPP, and the tokenizer fixtures.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

LLAMA_CPP = pathlib.Path(os.environ.get("CUSET_LLAMA_CPP", "/nonexistent"))
FIXTURES = pathlib.Path(os.environ.get("CUSET_FIXTURES", pathlib.Path(__file__).parents[3] / "shared/fixtures"))


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


if not (LLAMA_CPP / "convert_hf_to_gguf.py").exists():
    skip("no checkout of llama.cpp in CUSET_LLAMA_CPP")
sys.path.insert(0, str(LLAMA_CPP / "gguf-py"))
try:
    import gguf
    import torch
    from peft import LoraConfig, PeftModel, get_peft_model
    from transformers import AutoModelForCausalLM, LlamaConfig, Qwen2Config
except ImportError as missing:
    skip(missing)

SIZES = dict(hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
             max_position_embeddings=256)
CASES = [
    ("qwen2", Qwen2Config(**SIZES, vocab_size=151936, eos_token_id=151643, tie_word_embeddings=True), dict(eos_token="<|endoftext|>")),
    ("llama3", LlamaConfig(**SIZES, vocab_size=128256, bos_token_id=128000, eos_token_id=128001, tie_word_embeddings=True),
     dict(bos_token="<|begin_of_text|>", eos_token="<|reserved_special_token_128001|>")),
]
NAMES = [("model.embed_tokens", "token_embd"), ("model.norm", "output_norm"), ("model.layers", "blk"),
         ("self_attn.q_proj", "attn_q"), ("self_attn.k_proj", "attn_k"), ("self_attn.v_proj", "attn_v"),
         ("self_attn.o_proj", "attn_output"), ("mlp.gate_proj", "ffn_gate"), ("mlp.up_proj", "ffn_up"),
         ("mlp.down_proj", "ffn_down"), ("input_layernorm", "attn_norm"), ("post_attention_layernorm", "ffn_norm"),
         ("lm_head", "output")]  # fmt: skip


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


def gguf_name(name):
    for ours, theirs in NAMES:
        name = name.replace(ours, theirs)
    return name


def write_inputs(folder, tokenizer, config, special):
    torch.manual_seed(1)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    model.save_pretrained(folder / "model")
    shutil.copy(FIXTURES / "tokenizers" / tokenizer / "tokenizer.json", folder / "model")
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 256, **special}
    (folder / "model/tokenizer_config.json").write_text(json.dumps(settings))
    lora = LoraConfig(r=4, lora_alpha=8, task_type="CAUSAL_LM", init_lora_weights=False, target_modules="all-linear")
    get_peft_model(model, lora).save_pretrained(folder / "adapter")


def merged_by_peft(folder):
    base = AutoModelForCausalLM.from_pretrained(folder / "model")
    return PeftModel.from_pretrained(base, folder / "adapter").merge_and_unload()


def train(program, folder):
    row = {"prompt": "Add one to every element.", "completion": "__global__ void add(float* x) { x[threadIdx.x] += 1; }"}
    (folder / "data.jsonl").write_text(json.dumps(row) + "\n")
    run(program, "train", "--model", folder / "model", "--data", folder / "data.jsonl", "--output", folder / "run",
        "--objective", "sft", "--max-steps", "1", "--lora-target", "all", "--lora-rank", "4")  # fmt: skip


def convert(script, *arguments):
    run(sys.executable, LLAMA_CPP / script, *arguments)


def in_gguf_order(name, tensor, config):
    """The converter reorders rows of Llama's q and k for another form of rotary positions."""
    if config.model_type != "llama" or not any(part in name for part in ("q_proj", "k_proj")):
        return tensor
    heads = config.num_attention_heads if "q_proj" in name else config.num_key_value_heads
    return tensor.reshape(heads, 2, tensor.shape[0] // heads // 2, -1).swapaxes(1, 2).reshape(tensor.shape)


def check(program, folder, tokenizer, config, special):
    write_inputs(folder, tokenizer, config, special)
    run(program, "merge", "--model", folder / "model", "--adapter", folder / "adapter", "--output", folder / "merged")
    convert("convert_hf_to_gguf.py", folder / "merged", "--outtype", "f32", "--outfile", folder / "merged.gguf")
    train(program, folder)
    convert("convert_lora_to_gguf.py", folder / "run", "--base", folder / "model", "--outfile", folder / "adapter.gguf")
    read = {tensor.name: torch.tensor(tensor.data) for tensor in gguf.GGUFReader(folder / "merged.gguf").tensors}
    wanted = merged_by_peft(folder).state_dict()
    wanted.pop("lm_head.weight")  # tied
    assert {gguf_name(name) for name in wanted} <= read.keys(), sorted(read)
    for name, tensor in wanted.items():
        expected = in_gguf_order(name, tensor, config)
        torch.testing.assert_close(read[gguf_name(name)].reshape(expected.shape), expected, rtol=1e-6, atol=1e-7)
    print(f"{tokenizer}: {len(wanted)} tensors agree; adapter.gguf has {len(gguf.GGUFReader(folder / 'adapter.gguf').tensors)}")


def main():
    program = sys.argv[1]
    for tokenizer, config, special in CASES:
        if not (FIXTURES / "tokenizers" / tokenizer / "tokenizer.json").exists():
            skip(f"no tokenizers in {FIXTURES}")
        with tempfile.TemporaryDirectory() as folder:
            check(program, pathlib.Path(folder), tokenizer, config, special)


main()

#!/usr/bin/env python3
"""Greedy text of `cuset generate` against transformers' generate(), and the logits behind it.

usage: generate_against_transformers.py CUSET [--model FOLDER] [--prompts N]

Without --model small models with random weights are made, one of each kind in MODELS, with a vocabulary learned from gym
programs: sliding windows shorter than most prompts, YaRN, experts. Each of them also answers with a random adapter, which
PEFT applies on the other side. Texts must be equal; where the two best tokens of transformers are closer than rounding, either
may come and the rest of that text is not compared.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import peft
    import torch
    import transformers
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEW_TOKENS = 64
TIE = 1e-4

YARN = {"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "original_max_position_embeddings": 512}
MODELS = {
    "llama": (transformers.LlamaConfig, {"tie_word_embeddings": True}),
    "mistral": (transformers.MistralConfig, {"sliding_window": 40, "head_dim": 48}),
    "ministral": (transformers.MinistralConfig, {"sliding_window": 100, "head_dim": 32, "rope_parameters": YARN,
                                                 "layer_types": ["full_attention", "sliding_attention", "sliding_attention"]}),
    "qwen2": (transformers.Qwen2Config, {"use_sliding_window": True, "sliding_window": 17, "max_window_layers": 1,
                                         "rope_parameters": YARN}),
    "qwen3_moe": (transformers.Qwen3MoeConfig, {"head_dim": 32, "num_experts": 12, "num_experts_per_tok": 3,
                                                "moe_intermediate_size": 96, "norm_topk_prob": True}),
    "qwen3": (transformers.Qwen3Config, {"use_sliding_window": True, "sliding_window": 64, "max_window_layers": 0,
                                         "head_dim": 32}),
}
SIZES = {"hidden_size": 256, "num_hidden_layers": 3, "num_attention_heads": 8, "num_key_value_heads": 4, "intermediate_size": 704,
         "vocab_size": 2048, "max_position_embeddings": 2048, "rms_norm_eps": 1e-6, "bos_token_id": None, "pad_token_id": None,
         "initializer_range": 0.1}  # far from uniform: few ties


def run(*command):
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)


def make_vocabulary(cuset, folder):
    corpus = folder / "corpus.jsonl"
    run(cuset, "gym", "corpus", "--output", corpus, "--count", 300, "--instructions", "0.3", "--matching", "1")
    run(cuset, "vocabulary", "--data", corpus, "--size", 2048, "--output", folder / "tokenizer.json")
    return folder / "tokenizer.json"


def make_model(folder, kind, vocabulary):
    """The folder of a model and of an adapter for it."""
    config_class, changes = MODELS[kind]
    source = ROOT / "recipes" / "builtin" / "model"
    end = json.loads((source / "config.json").read_text())["eos_token_id"]
    torch.manual_seed(5)
    model = transformers.AutoModelForCausalLM.from_config(config_class(**{**SIZES, "eos_token_id": end, **changes}),
                                                          dtype=torch.float32)
    model.save_pretrained(folder / "model")
    for name in ("tokenizer_config.json", "generation_config.json"):
        shutil.copy(source / name, folder / "model" / name)
    shutil.copy(vocabulary, folder / "model" / "tokenizer.json")
    targets = ["q_proj", "k_proj", "v_proj", "o_proj"] if kind == "qwen3_moe" else "all-linear"
    settings = peft.LoraConfig(r=4, lora_alpha=8, task_type="CAUSAL_LM", init_lora_weights=False, target_modules=targets)
    peft.get_peft_model(model, settings).save_pretrained(folder / "adapter")
    return folder / "model", folder / "adapter"


def our_texts(cuset, model, adapter, prompts, folder):
    file = folder / "prompts.jsonl"
    file.write_text("".join(json.dumps({"id": str(i), "prompt": text}) + "\n" for i, text in enumerate(prompts)))
    answers = folder / ("adapted.jsonl" if adapter else "answers.jsonl")
    run(cuset, "generate", "--model", model, "--prompts", file, "--output", answers, "--max-new-tokens", NEW_TOKENS,
        "--dtype", "float32", "--device", "cpu", "--batch-size", 7, *(["--adapter", adapter] if adapter else []))
    rows = [json.loads(line) for line in answers.read_text().splitlines()]
    return {row["task"]: row for row in rows}


def reference(model, tokenizer, prompt):
    """The ids of the answer, its text, and where the best token is not clearly best (-1: nowhere)."""
    ids = tokenizer.apply_chat_template([{"role": "user", "content": prompt}], add_generation_prompt=True,
                                        return_tensors="pt", return_dict=True)["input_ids"]
    result = model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=NEW_TOKENS,
                            output_logits=True, return_dict_in_generate=True)
    new = result.sequences[0, ids.shape[1]:].tolist()
    for place, logits in enumerate(result.logits):
        best = torch.topk(logits[0], 2).values
        if (best[0] - best[1]).item() < TIE:
            return new, place
    return new, -1


def agrees(tokenizer, ours, new, tie):
    wanted = tokenizer.decode(new, skip_special_tokens=True)
    if tie < 0:
        return ours["text"] == wanted and ours["prompt_tokens"] > 0
    certain = tokenizer.decode(new[:tie], skip_special_tokens=True).rstrip("\ufffd")
    return ours["text"].startswith(certain)


def check(cuset, name, path, adapter, prompts, folder):
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = transformers.AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32).eval()
    if adapter:
        model = peft.PeftModel.from_pretrained(model, adapter).eval()
    ours = our_texts(cuset, path, adapter, prompts, folder)
    wrong = ties = 0
    for number, prompt in enumerate(prompts):
        new, tie = reference(model, tokenizer, prompt)
        ties += tie >= 0
        if not agrees(tokenizer, ours[str(number)], new, tie):
            wrong += 1
            print(f"{name}: prompt {number}: ours {ours[str(number)]['text'][:200]!r}, wanted {tokenizer.decode(new)[:200]!r}")
    lengths = [row["prompt_tokens"] for row in ours.values()]
    print(f"{name}: {len(prompts)} prompts of {min(lengths)} to {max(lengths)} tokens, {NEW_TOKENS} new tokens: {wrong} differ, "
          f"{ties} with a tie", flush=True)
    return wrong == 0 and ties < len(prompts) / 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cuset")
    parser.add_argument("--model", type=pathlib.Path)
    parser.add_argument("--prompts", type=int, default=8)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        data = folder / "data.jsonl"
        run(arguments.cuset, "gym", "data", "--output", data, "--count", arguments.prompts, "--split", "held_out")
        prompts = [json.loads(line)["prompt"] for line in data.read_text().splitlines()]
        if arguments.model:
            good = [check(arguments.cuset, arguments.model.name, arguments.model, None, prompts, folder)]
        else:
            good = []
            vocabulary = make_vocabulary(arguments.cuset, folder)
            for kind in MODELS:
                (folder / kind).mkdir()
                model, adapter = make_model(folder / kind, kind, vocabulary)
                good.append(check(arguments.cuset, kind, model, None, prompts, folder / kind))
                good.append(check(arguments.cuset, kind + ", adapter", model, adapter, prompts, folder / kind))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Greedy text of `cuset generate` against transformers' generate(), and the logits behind it.

usage: generate_against_transformers.py CUSET [--model FOLDER] [--prompts N]

Without --model a small model with random weights and a vocabulary learned from gym programs is made. Texts must be equal; where
the two best tokens of transformers are closer than rounding, either may come and the rest of that text is not compared.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import torch
    import transformers
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEW_TOKENS = 64
TIE = 1e-4


def run(*command):
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)


def make_model(cuset, folder):
    corpus = folder / "corpus.jsonl"
    run(cuset, "gym", "corpus", "--output", corpus, "--count", 300, "--instructions", "0.3", "--matching", "1")
    model = folder / "model"
    config = transformers.AutoConfig.from_pretrained(ROOT / "recipes" / "builtin" / "model")
    config.num_hidden_layers = 3
    config.initializer_range = 0.1  # far from uniform: few ties
    torch.manual_seed(5)
    transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32).save_pretrained(model)
    for name in ("tokenizer_config.json", "generation_config.json"):
        shutil.copy(ROOT / "recipes" / "builtin" / "model" / name, model / name)
    run(cuset, "vocabulary", "--data", corpus, "--size", 2048, "--output", model / "tokenizer.json")
    return model


def our_texts(cuset, model, prompts, folder):
    file = folder / "prompts.jsonl"
    file.write_text("".join(json.dumps({"id": str(i), "prompt": text}) + "\n" for i, text in enumerate(prompts)))
    answers = folder / "answers.jsonl"
    run(cuset, "generate", "--model", model, "--prompts", file, "--output", answers, "--max-new-tokens", NEW_TOKENS,
        "--dtype", "float32", "--device", "cpu", "--batch-size", 7)
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cuset")
    parser.add_argument("--model", type=pathlib.Path)
    parser.add_argument("--prompts", type=int, default=50)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        data = folder / "data.jsonl"
        run(arguments.cuset, "gym", "data", "--output", data, "--count", arguments.prompts, "--split", "held_out")
        prompts = [json.loads(line)["prompt"] for line in data.read_text().splitlines()]
        path = arguments.model or make_model(arguments.cuset, folder)
        tokenizer = transformers.AutoTokenizer.from_pretrained(path)
        model = transformers.AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32).eval()
        ours = our_texts(arguments.cuset, path, prompts, folder)
        wrong = ties = 0
        for number, prompt in enumerate(prompts):
            new, tie = reference(model, tokenizer, prompt)
            ties += tie >= 0
            if not agrees(tokenizer, ours[str(number)], new, tie):
                wrong += 1
                print(f"prompt {number}: ours {ours[str(number)]['text'][:200]!r}, wanted {tokenizer.decode(new)[:200]!r}")
    print(f"{len(prompts)} prompts, {NEW_TOKENS} new tokens: {wrong} differ, {ties} with a tie")
    return 0 if wrong == 0 and ties < len(prompts) / 2 else 1


if __name__ == "__main__":
    sys.exit(main())

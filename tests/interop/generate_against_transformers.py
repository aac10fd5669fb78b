"""Greedy answers of `cuset generate` against those of transformers' generate(), in float32 on the CPU, 50 prompts of different
lengths through the model's chat template.

Without --model the model is a small Llama with random weights and a vocabulary learnt from this repository's sources. A
text may differ only from a token on at which transformers' two best logits lie within 1e-4: there rounding decides.

Leaves with status 77 (skipped) where Python's torch or transformers is missing.

usage: generate_against_transformers.py CUSET [--model FOLDER] [--prompts N] [--tokens N]
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import torch
    from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
except ImportError:
    print("skipped: the Python packages torch and transformers are not installed")
    sys.exit(77)

TIE = 1e-4
TEMPLATE = ("{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
            "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}")
OPERATIONS = ["add two vectors", "sum the rows of a matrix", "transpose an image", "multiply two matrices",
              "sort blocks of 64 numbers", "compute a softmax", "count values in 16 bins", "scale by 2.5"]


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{words[0]} {words[1]} failed: {done.stderr}")


def make_model(cuset, folder):
    sources = sorted(pathlib.Path("src/base").glob("*.cc"))
    run(cuset, "vocabulary", "--data", ",".join(map(str, sources)), "--size", 1000, "--output-file",
        folder / "tokenizer.json")
    torch.manual_seed(1)
    config = LlamaConfig(vocab_size=1000, hidden_size=128, intermediate_size=256, num_hidden_layers=3,
                         num_attention_heads=8, num_key_value_heads=4, max_position_embeddings=1024,
                         initializer_range=0.2, eos_token_id=[0, 2], bos_token_id=None, tie_word_embeddings=False)
    LlamaForCausalLM(config).save_pretrained(folder)
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|endoftext|>", "chat_template": TEMPLATE}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))


def prompt(number):
    text = f"Write a CUDA kernel to {OPERATIONS[number % len(OPERATIONS)]}, {100 * number + 7} elements."
    return text + " Explain each step." * (number % 5)


def reference(model, tokenizer, text, tokens):
    """The answer's text, and the texts before each token whose choice was nearly a tie."""
    ids = tokenizer.apply_chat_template([{"role": "user", "content": text}], add_generation_prompt=True,
                                        return_tensors="pt", return_dict=True)["input_ids"]
    with torch.no_grad():
        out = model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=tokens,
                             return_dict_in_generate=True, output_logits=True, pad_token_id=0)
    written = out.sequences[0, ids.shape[1]:]
    ties = []
    for place, logits in enumerate(out.logits):
        best = torch.topk(logits[0], 2).values
        if best[0] - best[1] < TIE:
            ties.append(tokenizer.decode(written[:place], skip_special_tokens=True))
    return tokenizer.decode(written, skip_special_tokens=True), ties


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cuset")
    parser.add_argument("--model")
    parser.add_argument("--prompts", type=int, default=50)
    parser.add_argument("--tokens", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        folder = pathlib.Path(arguments.model) if arguments.model else work
        if not arguments.model:
            make_model(arguments.cuset, folder)
        texts = [prompt(number) for number in range(arguments.prompts)]
        (work / "prompts.jsonl").write_text("".join(json.dumps({"prompt": text}) + "\n" for text in texts))
        run(arguments.cuset, "generate", "--model", folder, "--prompts", work / "prompts.jsonl", "--output",
            work / "answers.jsonl", "--max-new-tokens", arguments.tokens, "--device", "cpu", "--dtype", "float32")
        answers = [json.loads(line)["text"] for line in (work / "answers.jsonl").read_text().splitlines()]
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
        tokenizer = PreTrainedTokenizerFast.from_pretrained(folder)
        equal = 0
        for text, answer in zip(texts, answers, strict=True):
            wanted, ties = reference(model, tokenizer, text, arguments.tokens)
            equal += answer == wanted
            if answer != wanted and not any(answer.startswith(tie) for tie in ties):
                sys.exit(f"after {text!r}:\n{answer!r}\nbut transformers:\n{wanted!r}")
    print(f"{equal} of {len(texts)} texts are the same, the others from a tie of logits on")


if __name__ == "__main__":
    main()

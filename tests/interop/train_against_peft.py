"""`cuset train` against transformers and PEFT: what a run wrote is what it measured.

usage: train_against_peft.py CUSET

A small random model of each class is saved by transformers and trained by the program, with an adapter and whole. The
run's folder is then loaded as users do (PeftModel.from_pretrained on the folder itself; AutoModelForCausalLM), and the
cross-entropy of the evaluation data, token ids as `cuset inspect` gives them, must equal the last eval_loss of
metrics.jsonl to 1e-5, and eval_accuracy too.
Exits with 77 where transformers or PEFT is not installed.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

try:
    import peft
    import tokenizers
    import torch
    import transformers
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

LIMIT = 1e-5
YARN = {"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "original_max_position_embeddings": 128}

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()
warnings.simplefilter("ignore")
torch.set_num_threads(1)


def run(*arguments):
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")
    return done.stdout


def write_tokenizer(folder):
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=300, special_tokens=["<end>"], initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator(["__global__ void f(float* a) { a[threadIdx.x] *= 2; }"] * 4, trainer)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"eos_token": "<end>"}))
    return tokenizer.get_vocab_size()


def write_rows(path, first, count):
    with open(path, "w", encoding="utf-8") as out:
        for i in range(first, first + count):
            body = f"__global__ void f{i}(float* a) {{ a[threadIdx.x] *= {i}; }}\n" * (1 + i % 3)
            out.write(json.dumps({"prompt": f"Multiply by {i}", "response": body}) + "\n")


def examples_of(program, model, data, count):
    for row in range(1, count + 1):
        yield json.loads(run(program, "inspect", "--data", data, "--model", model, "--row", str(row), "--json"))


@torch.no_grad()
def metrics_of(model, examples):
    loss, correct, tokens = 0.0, 0, 0
    for example in examples:
        ids = torch.tensor([example["ids"]])
        logits = model(input_ids=ids).logits[0, :-1].double()
        learned = torch.tensor(example["is_label"], dtype=torch.bool)[1:]
        targets = ids[0, 1:]
        losses = torch.nn.functional.cross_entropy(logits, targets, reduction="none")
        loss += losses[learned].sum().item()
        correct += (logits.argmax(1) == targets)[learned].sum().item()
        tokens += int(learned.sum())
    return loss / tokens, correct / tokens


def main(program):
    shape = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, intermediate_size=48,
                 max_position_embeddings=512, initializer_range=0.2, pad_token_id=None, bos_token_id=None, eos_token_id=0)
    configs = {"qwen2": (transformers.Qwen2Config, {}), "qwen3": (transformers.Qwen3Config, {"head_dim": 16}),
               "llama": (transformers.LlamaConfig, {"tie_word_embeddings": True}),
               "qwen3_moe": (transformers.Qwen3MoeConfig, {"head_dim": 16, "num_experts": 6, "num_experts_per_tok": 2,
                                                           "moe_intermediate_size": 24, "mlp_only_layers": [0]}),
               "mistral": (transformers.MistralConfig, {"sliding_window": 24, "rope_parameters": YARN})}
    variants = {"lora": ["--lora-rank", "4"], "rslora": ["--use-rslora", "--lora-target", "q_proj,down_proj", "--objective", "asft"],
                "full": ["--finetuning-type", "full", "--objective", "sft"]}
    for name, (config_class, extra) in configs.items():
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            base = folder / "base"
            base.mkdir()
            vocab = write_tokenizer(base)
            torch.manual_seed(1)
            transformers.AutoModelForCausalLM.from_config(config_class(vocab_size=vocab, **shape, **extra)).save_pretrained(base)
            write_rows(folder / "train.jsonl", 0, 8)
            write_rows(folder / "eval.jsonl", 20, 3)
            examples = list(examples_of(program, base, folder / "eval.jsonl", 3))
            for variant, flags in variants.items():
                if name == "qwen3_moe":  # adapters on attention alone
                    flags = [flag.replace("down_proj", "o_proj") for flag in flags]
                out = folder / variant
                run(program, "train", "--model", base, "--data", folder / "train.jsonl", "--eval-data", folder / "eval.jsonl",
                    "--output", out, "--max-steps", "6", "--eval-steps", "6", "--learning-rate", "2e-2", "--threads", "1",
                    "--per-device-train-batch-size", "2", "--window", "16", "--dtype", "float32", *flags)
                records = [json.loads(line) for line in open(out / "metrics.jsonl", encoding="utf-8")]
                ours = [record for record in records if "eval_loss" in record][-1]
                if variant == "full":
                    model = transformers.AutoModelForCausalLM.from_pretrained(out)
                else:
                    model = peft.PeftModel.from_pretrained(transformers.AutoModelForCausalLM.from_pretrained(base), out)
                loss, accuracy = metrics_of(model.float().eval(), examples)
                difference = abs(loss - ours["eval_loss"])
                print(f"{name} {variant}: eval_loss {ours['eval_loss']:.6f}, difference {difference:.1e}")
                if difference > LIMIT or abs(accuracy - ours["eval_accuracy"]) > 1e-9:
                    raise SystemExit(f"{name} {variant}: {loss} and {accuracy} there, {ours} here")


if __name__ == "__main__":
    main(sys.argv[1])

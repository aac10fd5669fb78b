"""`cuset analyze` against transformers, numpy and scipy: every figure computed a second time from the model itself.

usage: analysis_against_scipy.py CUSET

A small random model is saved by transformers and analyzed on generated kernels, as JSONL and as .cu files. Then
  - the confidence of every token in tokens.csv must equal transformers' softmax;
  - density, mean, median and quartiles must equal numpy's;
  - the KS statistic must equal scipy's ks_2samp, and p its exact mode where no two values are equal (scipy ignores ties)
    and p is not so small that scipy's 1 - P has lost its digits; p must always equal the share of lattice paths,
    counted in whole numbers with their ties;
  - every window of windows.csv, the counts and shares must equal those of numpy's sliding windows.
Exits with 77 where a library is missing.
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
from fractions import Fraction

try:
    import numpy
    import scipy.stats
    import tokenizers
    import torch
    import transformers
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()
torch.set_num_threads(1)

ESCAPES = {"\\\\": "\\", "\\n": "\n", "\\r": "\r", "\\t": "\t"}


def run(*arguments):
    done = subprocess.run(list(map(str, arguments)), capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")
    return done.stdout


def program_text(i):
    return (f"__global__ void f{i}(const float* x, float* y, int n) {{\n"
            f"  __shared__ float part[{32 + i}];\n"
            "  int k = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  part[threadIdx.x] = k < n ? x[k] : 0.0f;\n  __syncthreads();\n"
            f"  if (k < n) y[k] = part[threadIdx.x] * {i}.0f;\n}}\n"
            f"int main() {{\n  int n = {i * 100};\n  int blocks = (n + 127) / 128;\n  float *x, *y;\n"
            f"  f{i}<<<blocks, 128>>>(x, y, n);\n  return {i};\n}}\n")


def write_model(folder, steps):
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=320, special_tokens=["<end>"], initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator([program_text(i) for i in range(3)], trainer)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"eos_token": "<end>"}))
    torch.manual_seed(1)
    config = transformers.Qwen2Config(
        vocab_size=tokenizer.get_vocab_size(), hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, intermediate_size=48, max_position_embeddings=1024, initializer_range=0.3,
        pad_token_id=None, bos_token_id=None, eos_token_id=0)
    model = transformers.AutoModelForCausalLM.from_config(config)
    # A model that has seen something tells the two kinds of tokens apart, and is so certain of some that they tie.
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for step in range(steps):
        ids = torch.tensor([tokenizer.encode(program_text(step % 5)).ids])
        model(input_ids=ids, labels=ids).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(folder)
    return tokenizer, model.float().eval()


def plain(text):
    out, i = "", 0
    while i < len(text):
        step = 2 if text[i] == "\\" else 1
        out += ESCAPES[text[i:i + 2]] if step == 2 else text[i]
        i += step
    return out


@torch.no_grad()
def check_tokens(tokens, model, tokenizer, prompts, texts):
    """Every confidence against transformers; ids are those of the texts encoded apart."""
    for sample, rows in tokens.items():
        prompt = tokenizer.encode(prompts[sample]).ids if prompts[sample] else []
        code = tokenizer.encode(texts[sample]).ids
        p = model(input_ids=torch.tensor([prompt + code])).logits[0].double().softmax(-1)
        first = 0 if prompt else 1
        assert [int(row["token"]) for row in rows] == list(range(first, len(code))), sample
        assert "".join(plain(row["text"]) for row in rows) == tokenizer.decode(code[first:]), sample
        for row in rows:
            t = int(row["token"])
            wanted = p[len(prompt) + t - 1, code[t]].item()
            assert abs(float(row["confidence"]) - wanted) < 1e-6 + 1e-4 * wanted, (sample, t, row, wanted)


def share_of_paths(a, b, statistic):
    """The share of all orders of the pooled sample whose distance reaches the statistic, in whole numbers."""
    m, n = len(a), len(b)
    reach = Fraction(statistic).limit_denominator(m * n)
    pooled = sorted(a + b)
    ends = {k for k in range(1, m + n + 1) if k == m + n or pooled[k - 1] < pooled[k]}
    inside = [0] * (n + 1)  # paths to (i, j) that never touched
    for i in range(m + 1):
        for j in range(n + 1):
            paths = 1 if i == j == 0 else (inside[j] if i > 0 else 0) + (inside[j - 1] if j > 0 else 0)
            touches = (i + j) in ends and abs(i * n - j * m) * reach.denominator >= reach.numerator * m * n
            inside[j] = 0 if touches else paths
    total = 1
    for k in range(1, n + 1):
        total = total * (m + k) // k
    return Fraction(total - inside[n], total)


def check_metrics(analysis, tokens):
    values = {kind: [float(row["confidence"]) for rows in tokens.values() for row in rows if row["sensitive"] == flag]
              for kind, flag in (("sensitive", "1"), ("neutral", "0"))}
    for kind, p in values.items():
        ours = analysis["confidence"][kind]
        density, edges = numpy.histogram(p, bins=50, range=(0, 1), density=True)
        numpy.testing.assert_allclose(ours["density"], density, rtol=1e-9, atol=1e-12)
        numpy.testing.assert_allclose(analysis["confidence"]["edges"], edges, atol=1e-12)
        wanted = numpy.quantile(p, [0.5, 0.25, 0.75])
        numpy.testing.assert_allclose([ours["median"], *ours["quartiles"]], wanted, rtol=1e-6)
        numpy.testing.assert_allclose(ours["mean"], numpy.mean(p), rtol=1e-6)
        assert analysis["tokens"][kind] == len(p)
    ks = analysis["ks"]
    scipys = scipy.stats.ks_2samp(values["sensitive"], values["neutral"], method="exact")
    assert abs(ks["statistic"] - scipys.statistic) < 1e-12, (ks, scipys)
    counted = share_of_paths(values["sensitive"], values["neutral"], ks["statistic"])
    assert abs(ks["p_value"] / float(counted) - 1) < 1e-9, (ks, float(counted))
    has_ties = len(set(values["sensitive"] + values["neutral"])) < len(values["sensitive"]) + len(values["neutral"])
    if not has_ties and scipys.pvalue > 1e-9:
        assert abs(ks["p_value"] / scipys.pvalue - 1) < 1e-6, (ks, scipys)
    return values, scipys


def check_windows(analysis, tokens, windows, size, stride):
    threshold = analysis["windows"]["threshold"]
    low = in_sensitive = count = with_low = 0
    for sample, rows in tokens.items():
        p = numpy.array([float(row["confidence"]) for row in rows])
        marked = numpy.array([row["sensitive"] == "1" for row in rows]) & (p < threshold)
        width = min(size, len(p))
        means = numpy.lib.stride_tricks.sliding_window_view(p, width).mean(1)[::stride]
        touched = numpy.lib.stride_tricks.sliding_window_view(marked, width).any(1)[::stride]
        ours = windows[sample]
        numpy.testing.assert_allclose([float(row["confidence"]) for row in ours], means, atol=1e-6)
        clear = abs(means - threshold) > 1e-9
        assert [row["low"] == "1" for row, c in zip(ours, clear) if c] == list((means < threshold)[clear]), sample
        assert [row["in_sensitive"] == "1" for row in ours] == list(touched), sample
        low += int((means < threshold).sum())
        in_sensitive += int((touched & (means < threshold)).sum())
        with_low += bool((means < threshold).any())
        count += len(means)
    ours = analysis["windows"]
    assert ours["count"] == count and ours["low"] == low, (ours, count, low)
    assert abs(ours["low_in_sensitive"] - in_sensitive / low) < 1e-12
    assert abs(ours["samples_with_low"] - with_low / len(tokens)) < 1e-12
    return count, low


def by_sample(path):
    samples = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            samples.setdefault(row["sample"], []).append(row)
    return samples


def check(program, steps, variants):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "model").mkdir()
        (folder / "kernels").mkdir()
        tokenizer, model = write_model(folder / "model", steps)
        prompts, texts = {}, {}
        with open(folder / "data.jsonl", "w", encoding="utf-8") as out:
            for i in range(4):
                out.write(json.dumps({"prompt": f"Multiply by {i}", "response": program_text(i)}) + "\n")
                place = f"{folder}/data.jsonl:{i + 1}"
                prompts[place], texts[place] = f"Multiply by {i}\n\n", program_text(i)
        for i in range(4, 6):
            place = f"{folder}/kernels/k{i}.cu"
            pathlib.Path(place).write_text(program_text(i))
            prompts[place], texts[place] = "", program_text(i)
        for size, stride, flags in variants:
            run(program, "analyze", "--model", folder / "model", "--data", folder / "data.jsonl", folder / "kernels",
                "--output", folder / "out", "--window", size, "--stride", stride, "--threads", 1, "--device", "cpu", *flags)
            analysis = json.loads((folder / "out/analysis.json").read_text())
            tokens, windows = by_sample(folder / "out/tokens.csv"), by_sample(folder / "out/windows.csv")
            assert set(tokens) == set(texts), set(tokens)
            check_tokens(tokens, model, tokenizer, prompts, texts)
            values, scipys = check_metrics(analysis, tokens)
            count, low = check_windows(analysis, tokens, windows, size, stride)
            print(f"{steps} steps, window {size}/{stride} {' '.join(flags)}: {len(values['sensitive'])} and {len(values['neutral'])} tokens, "
                  f"D {scipys.statistic:.4f}, p {analysis['ks']['p_value']:.6g} (scipy {scipys.pvalue:.6g}), "
                  f"{low} of {count} windows low: all equal")


def main(program):
    check(program, 0, [(64, 1, []), (10, 3, [])])
    check(program, 30, [(64, 1, []), (64, 1, ["--labels", "mask"])])


if __name__ == "__main__":
    main(sys.argv[1])

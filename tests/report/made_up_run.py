"""Writes a folder that a report can be drawn from: made-up tasks, answers, verdicts, metrics and an analysis in the forms
of docs/, with hostile texts among the answers. The numbers mean nothing; the same seed gives the same files.

usage: made_up_run.py FOLDER [TASKS [SAMPLES]]
"""

import json
import math
import pathlib
import random
import re
import sys

HOSTILE = '</script><script>document.title="broken"</script><!-- <img src=x onerror=alert(1)> \u2028 {{script}} ]]>'
METHODS = [("vanilla", 0.12), ("SFT", 0.60), ("CuSeT", 0.66)]

PROGRAM = """#include <cuda_runtime.h>
#include <fstream>
#include <vector>

constexpr int THREADS = {threads};

// {comment}
__global__ void {name}(const float* __restrict__ x, float* __restrict__ out, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = x[i];
  out[i] = {expression};
}}

int main() {{
  const int n = {n};
  std::vector<float> x(n);
  std::ifstream("data/x.bin", std::ios::binary).read((char*)x.data(), n * sizeof(float));
  float *d_x, *d_out;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  {name}<<<(n + THREADS - 1) / THREADS, THREADS>>>(d_x, d_out, n);
  std::vector<float> out(n);
  cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::ofstream("data/out.bin", std::ios::binary).write((char*)out.data(), n * sizeof(float));
  cudaFree(d_x);
  cudaFree(d_out);
  return 0;
}}
"""
FAMILIES = {
    "scaled_shift": ("2.5f * value - 1.0f", "2.5 x - 1, element by element"),
    "leaky_relu": ("value > 0.0f ? value : 0.01f * value", "the leaky rectifier with slope 0.01"),
    "sigmoid": ("1.0f / (1.0f + expf(-value))", "the logistic function of x"),
    "softplus": ("log1pf(expf(value))", "log(1 + exp(x))"),
    "soft_clip": ("value / (1.0f + fabsf(value))", "x / (1 + |x|)"),
}


def program(family, rng, n):
    return PROGRAM.format(
        threads=rng.choice([128, 256, 512]),
        comment="one thread serves one element",
        n=n,
        name=rng.choice(["map_kernel", f"k_{family}", "apply"]),
        expression=FAMILIES[family][0],
    )


def wrong_output(text, rng):
    text = text.replace("out[i] = ", "out[i] = 0.5f * ", 1)
    first = [
        {
            "index": i,
            "got": round(rng.gauss(0, 1), 6),
            "wanted": round(rng.gauss(0, 1), 6),
            "inputs": f"x[{i}] = {rng.gauss(0, 1):.5f}",
        }
        for i in range(6)
    ]
    trial = {
        "variation": "plain",
        "word": "wrong_output",
        "fraction_right": 0.0,
        "outputs": [{"name": "out", "elements": 4096, "wrong": 4090, "first": first}],
    }
    return text, {
        "explanation": f"out[0] is {first[0]['got']}, wanted {first[0]['wanted']}; 4090 of 4096 wrong on plain inputs",
        "trials": [trial],
    }


def compile_error(text, rng):
    text = text.replace("float value = x[i];", "float value = x[j];")
    return text, {
        "explanation": "use of undeclared identifier 'j'",
        "compiler_messages": "answer.cu:11:19: error: use of undeclared identifier 'j'\n   11 |   float value = x[j];\n"
        "      |                   ^\n1 error generated\n",
    }


def launch_error(text, rng):
    finding = {
        "kind": "launch_error",
        "kernel": "apply",
        "line": 23,
        "text": "4096 threads a block, 1024 allowed",
        "count": 2,
    }
    return text.replace("THREADS>>>", "4096>>>"), {
        "explanation": "a kernel was launched with 4096 threads a block: invalid configuration",
        "findings": [finding],
    }


def wrong_shape(text, rng):
    return text.replace("data/out.bin", "data/result.bin"), {"explanation": "data/out.bin was not written"}


def no_kernel(text, rng):
    return re.sub(r"  \w+<<<.*?;\n", "  for (int i = 0; i < n; ++i) x[i] = 0;\n", text), {
        "explanation": "no kernel of the answer's own was launched"
    }


def no_code(text, rng):
    return "The program reads the file, launches one thread per element and writes the result.\n" + HOSTILE, {
        "explanation": "the answer holds no code"
    }


FAILURES = {
    "wrong_output": (wrong_output, 5),
    "compile_error": (compile_error, 4),
    "launch_error": (launch_error, 1),
    "wrong_shape": (wrong_shape, 1),
    "no_kernel": (no_kernel, 1),
    "no_code": (no_code, 1),
}


def answer_and_verdict(task, family, sample, n, right, rng):
    text, word, more = program(family, rng, n), "correct", {"explanation": ""}
    if rng.random() > right:
        word = rng.choices(list(FAILURES), [weight for _, weight in FAILURES.values()])[0]
        text, more = FAILURES[word][0](text, rng)
    if right < 0.3 and word != "no_code":
        text = "Sure, here is the program.\n\n```cuda\n" + text + "```\n\nEach thread computes one element."
    answer = {"task": task, "sample": sample, "text": text, "tokens": len(text) // 3, "finish": "stop", "level": "2"}
    verdict = {
        "task": task,
        "family": family,
        "sample": sample,
        "word": word,
        "executor": "cpu",
        "tokens": len(text) // 3,
        "trials": [],
        **more,
    }
    return answer, verdict


def rate(values, rng):
    means = sorted(sum(rng.choices(values, k=len(values))) / len(values) for _ in range(400))
    return {"unbiased": {"value": sum(values) / len(values), "low": means[10], "high": means[389]}, "first_k": None}


def summary(verdicts, samples, rng):
    by_task = {}
    words = {}
    for verdict in verdicts:
        by_task.setdefault(verdict["task"], []).append(verdict["word"])
        words[verdict["word"]] = words.get(verdict["word"], 0) + 1
    compiled = [[w not in ("no_code", "compile_error") for w in of_task] for of_task in by_task.values()]
    correct = [[w == "correct" for w in of_task] for of_task in by_task.values()]
    passes = {
        key: {
            "1": rate([sum(t) / len(t) for t in table], rng),
            "3": rate([float(any(t)) for t in table], rng) if samples >= 3 else {"unbiased": None, "first_k": None},
        }
        for key, table in (("compile_pass", compiled), ("function_pass", correct))
    }
    return {
        "tasks": len(by_task),
        "answers": len(verdicts),
        "unjudged": 0,
        **passes,
        "words": words,
        "fast": {},
        "mean_tokens": sum(v["tokens"] for v in verdicts) / len(verdicts),
        "median_seconds": 0.8,
    }


def metrics(method, rng, steps=120):
    for step in range(1, steps + 1):
        fade = math.exp(-step / 35)
        confidence = 0.83 - 0.35 * fade + rng.gauss(0, 0.01)
        masked = 1.0 if method == "SFT" else 0.95 - 0.14 * fade + rng.gauss(0, 0.006)
        weight = 1.0 if method == "SFT" else 0.22 + 0.45 * fade + rng.gauss(0, 0.02)
        record = {
            "step": step,
            "epoch": step / 60,
            "loss": (0.35 + 1.1 * fade) * weight + rng.gauss(0, 0.02),
            "grad_norm": 0.4 + fade + abs(rng.gauss(0, 0.08)),
            "supervised_tokens": 900,
            "masked_in": masked,
            "mean_confidence": confidence,
            "mean_sample_weight": weight,
            "accuracy": min(1, confidence + 0.08),
            "learning_rate": 1e-3 * min(1, step / 12) * (1 + math.cos(math.pi * step / steps)) / 2,
            "tokens_per_second": 1200.0,
        }
        if method != "SFT":
            record["lowest_window"] = {
                "place": f"train.jsonl:{rng.randrange(1, 200)}",
                "confidence": confidence - 0.4,
                "text": "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  float value = x[i];",
            }
        yield record
        if step % 20 == 0:
            yield {
                "step": step,
                "epoch": step / 60,
                "eval_loss": 0.4 + fade + (0.02 if method == "SFT" else 0) + rng.gauss(0, 0.01),
                "eval_accuracy": confidence,
                "eval_confidence": confidence,
                "eval_runtime": 1.0,
            }


def density(mean, rng):
    weights = [math.exp(-(((i + 0.5) / 50 - mean) ** 2) / 0.03) + 3 * math.exp(-(49 - i) / 4) * mean for i in range(50)]
    return [50 * w / sum(weights) for w in weights]


def heat_map(family, rng):
    tokens, kinds, inside = [], [], False
    for text in re.findall(r"\s+|\w+|<<<|>>>|[^\s\w]", program(family, rng, 4096)):
        inside = inside or text == "__global__"
        launch = text in ("<<<", ">>>", "THREADS")
        p = min(0.999, max(0.01, rng.betavariate(2, 1.2) if inside or launch else rng.betavariate(6, 1)))
        tokens.append([text, round(p, 4), 1 | (2 if inside or launch else 0) | (4 if p > 0.1 else 0)])
        if inside and text.startswith("\n}"):
            inside = False
        if inside and "}" in text and tokens[-2][0] == "\n":
            inside = False
    begin = next(i for i, token in enumerate(tokens) if token[2] & 2)
    kinds.append([begin, begin + 60, "kernel_body"])
    ps = [token[1] for token in tokens]
    window = [sum(ps[max(0, i - 16) : i + 16]) / len(ps[max(0, i - 16) : i + 16]) for i in range(len(ps))]
    return {
        "id": f"held_out.jsonl:{rng.randrange(1, 90)}",
        "prompt": f"Write a CUDA program that computes {FAMILIES[family][1]}.",
        "tokens": tokens,
        "kinds": kinds,
        "weight_of_sample": 1 - min(window),
        "tau": 0.1,
        "lambda": 1.0,
        "window": 32,
        "window_confidence": [round(w, 4) for w in window],
    }


def analysis(rng):
    group = lambda mean: {
        "mean": mean,
        "median": mean + 0.06,
        "quartiles": [mean - 0.2, mean + 0.2],
        "density": density(mean, rng),
    }
    kinds = [
        ("thread_index", 410, 0.62, 0.31),
        ("kernel_body", 390, 0.59, 0.4),
        ("launch_configuration", 300, 0.46, 0.18),
        ("shared_memory", 120, 0.18, 0.07),
        ("synchronization", 90, 0.14, 0.06),
    ]
    return {
        "format": "cuset-analysis/1",
        "model": "builtin",
        "data": ["held_out.jsonl"],
        "samples": 60,
        "tokens": {"sensitive": 9120, "neutral": 18433},
        "confidence": {"edges": [i / 50 for i in range(51)], "sensitive": group(0.58), "neutral": group(0.74)},
        "ks": {"statistic": 0.2134, "p_value": 0.0, "log10_p_value": -243.7, "sensitive": 9120, "neutral": 18433},
        "windows": {
            "size": 64,
            "stride": 1,
            "threshold": 0.55,
            "rule": "mean minus two standard deviations",
            "count": 23800,
            "low": 656,
            "samples_with_low": 0.38,
            "low_in_sensitive": 0.91,
            "all_in_sensitive": 0.58,
            "by_kind": [{"kind": k, "sensitive": True, "low": n, "share": s, "all_share": a} for k, n, s, a in kinds],
        },
        "lowest": [
            {
                "sample": f"held_out.jsonl:{i + 3}",
                "begin_token": 40,
                "end_token": 104,
                "confidence": 0.31 + 0.02 * i,
                "line": 8 + i,
                "text": "",
                "kinds": ["thread_index", "kernel_body"],
                "tokens": [
                    [t, round(rng.random(), 3)]
                    for t in re.findall(
                        r"\s+|\w+|\S", "int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;"
                    )
                ],
            }
            for i in range(6)
        ],
        "kernels": [heat_map(family, rng) for family in ("sigmoid", "leaky_relu")],
    }


def write_lines(path, records):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def main(folder, count=40, samples=3):
    folder, rng = pathlib.Path(folder), random.Random(7)
    tasks, families = [], list(FAMILIES)
    for i in range(count):
        family, n = families[i % len(families)], rng.randrange(1000, 60000)
        prompt = f"Write a CUDA program that computes {FAMILIES[family][1]}.\nIt reads data/x.bin ({n} float32 values) and writes data/out.bin ({n} float32 values)."
        tasks.append(
            (
                {
                    "id": f"gym/{family}/held_out/{i:06d}",
                    "family": family,
                    "kind": "program",
                    "prompts": [{"level": "1", "text": "(more detail) " + prompt}, {"level": "2", "text": prompt}],
                },
                family,
                n,
            )
        )
    tasks[1][0]["prompts"][1]["text"] += "\n" + HOSTILE
    write_lines(folder / "tasks.jsonl", [task for task, _, _ in tasks])
    methods = []
    for method, right in METHODS:
        pairs = [
            answer_and_verdict(task["id"], family, sample, n, right, rng)
            for task, family, n in tasks
            for sample in range(samples)
        ]
        pairs[3 if method == "vanilla" else 0][0]["text"] += "\n// " + HOSTILE + "\n"
        write_lines(folder / method / "answers.jsonl", [answer for answer, _ in pairs])
        verdicts = [verdict for _, verdict in pairs]
        write_lines(folder / method / "verdicts.jsonl", verdicts)
        (folder / method / "summary.json").write_text(json.dumps(summary(verdicts, samples, rng)))
        files = {
            name: f"{method}/{name}.{'json' if name == 'summary' else 'jsonl'}"
            for name in ("answers", "verdicts", "summary")
        }
        if method != "vanilla":
            write_lines(folder / method / "metrics.jsonl", metrics(method, rng))
            files["metrics"] = f"{method}/metrics.jsonl"
        methods.append({"name": method, **files})
    (folder / "analysis").mkdir(exist_ok=True)
    (folder / "analysis" / "analysis.json").write_text(json.dumps(analysis(rng)))
    report = {
        "format": "cuset-report/1",
        "title": "Teaching a small model to write CUDA",
        "subtitle": "The built-in model as it is, tuned with SFT, and tuned with CuSeT, on the same data and judged on kernels it never saw. (Made-up numbers.)",
        "created": "2026-11-15T20:55:00Z",
        "machine": "2 CPU cores, no GPU",
        "command": "cuset demo --output-dir runs/demo",
        "seconds": 733,
        "notes": [
            "Both tuned models beat the base model clearly.",
            "Between SFT and CuSeT the difference is within the noise of these tasks.",
        ],
        "analysis": "analysis/analysis.json",
        "tasks": "tasks.jsonl",
        "methods": methods,
    }
    (folder / "report.json").write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main(sys.argv[1], *(int(argument) for argument in sys.argv[2:4]))

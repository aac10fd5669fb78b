#!/usr/bin/env python3
"""EleutherAI's lm-evaluation-harness scores tasks through `cuset serve` (its local-completions) as it does with the same model in
transformers (its hf): choices and perplexities by echoed log-probabilities, texts by greedy answers.

The task files are written here; nothing is downloaded. Ends with 77 where the harness is not installed.

usage: lm_eval_harness.py CUSET MODEL
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "",
               "OPENAI_API_KEY": "key-of-the-test"}
try:
    import datasets  # noqa: F401
    import lm_eval
    import torch  # noqa: F401
    import transformers  # noqa: F401
    from lm_eval.tasks import TaskManager
except ImportError as missing:
    print(f"skipped: no {missing.name} in {sys.executable}")
    sys.exit(77)

ROWS = [{"text": "__global__ void add(float* a, const", "choices": [" float* b", " zebra zebra"], "gold": 0},
        {"text": "int i = blockIdx.x * blockDim.x +", "choices": [" banana;", " threadIdx.x;"], "gold": 1},
        {"text": "cudaMalloc(&x, n * sizeof(", "choices": ["float));", "purple"], "gold": 0}]
KINDS = {"choices": {"output_type": "multiple_choice", "doc_to_text": "{{text}}", "doc_to_choice": "{{choices}}",
                     "doc_to_target": "gold", "target_delimiter": "", "metric_list": [{"metric": "acc"}]},
         "perplexity": {"output_type": "loglikelihood_rolling", "doc_to_text": "", "doc_to_target": "{{text}}",
                        "metric_list": [{"metric": "word_perplexity"}]},
         "texts": {"output_type": "generate_until", "doc_to_text": "{{text}}", "doc_to_target": "{{choices[gold]}}",
                   "generation_kwargs": {"until": ["\n"], "max_gen_toks": 12, "temperature": 0.0, "do_sample": False},
                   "metric_list": [{"metric": "exact_match"}]}}
LIMIT = 1e-5  # of a perplexity, relatively


def write_tasks(folder):
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    source = {"dataset_path": "json", "dataset_kwargs": {"data_files": {"test": str(folder / "rows.jsonl")}}, "test_split": "test"}
    for kind, task in KINDS.items():
        (folder / f"{kind}.yaml").write_text(json.dumps({"task": f"cuset_{kind}", **source, **task}))


def metrics(folder, model, arguments):
    found = lm_eval.simple_evaluate(model=model, model_args=arguments, tasks=[f"cuset_{kind}" for kind in KINDS], device="cpu",
                                    task_manager=TaskManager(include_path=str(folder)), bootstrap_iters=0, log_samples=False)
    return {(task, metric): value for task, values in found["results"].items() for metric, value in values.items()
            if isinstance(value, float) and "stderr" not in metric}


def main():
    program, model = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["HF_DATASETS_CACHE"] = str(folder / "cache")
        write_tasks(folder)
        wanted = metrics(folder, "hf", f"pretrained={model},dtype=float32,add_bos_token=False,max_length=2047")
        server = subprocess.Popen([program, "serve", "--model", model, "--port", "0", "--device", "cpu", "--threads", "1"],
                                  stdout=subprocess.PIPE, text=True, env={**os.environ, "CUSET_API_KEY": "key-of-the-test"})
        try:
            address = server.stdout.readline().split()[-1]
            served = {}
            for tokenized in (True, False):
                served[tokenized] = metrics(folder, "local-completions", f"model={Path(model).name},base_url={address}/v1/completions,"
                                            f"tokenizer={model},max_length=2047,tokenized_requests={tokenized}")
        finally:
            server.terminate()
            server.wait()
    for tokenized, found in served.items():
        if found.keys() != wanted.keys() or len(wanted) < len(KINDS):
            sys.exit(f"lm_eval_harness: {found} has other metrics than {wanted}")
        for key, value in wanted.items():
            if abs(found[key] - value) > LIMIT * abs(value):
                sys.exit(f"lm_eval_harness: {key} is {found[key]}, with transformers {value} (tokenized_requests={tokenized})")
    print(", ".join(f"{task} {metric} {value:.6g}" for (task, metric), value in wanted.items()))


if __name__ == "__main__":
    main()

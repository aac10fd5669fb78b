"""Our tokenizer and Hugging Face's Rust library on the same CUDA source, in one run.

usage: tokenizer_against_hf.py TOKENIZE_DUMP [--megabytes M] [--threads 1,2]

For each vocabulary of the fixtures: the time to load it, and megabytes a second on one thread and on more, each the
best of three. The two take turns, so that a busy machine slows both. Token counts must agree.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests" / "interop"))
from tokenizer_against_hf_texts import FIXTURES, cuda_source  # noqa: E402


def reference_run(path, texts_path, threads):
    """In a process of its own, because the library fixes its threads at the first use."""
    script = (
        "import json, sys, time\n"
        "from tokenizers import Tokenizer\n"
        "t = time.perf_counter(); tok = Tokenizer.from_file(sys.argv[1]); load = time.perf_counter() - t\n"
        "texts = [json.loads(l)['text'] for l in open(sys.argv[2], encoding='utf-8')]\n"
        "best = 1e9\n"
        "for _ in range(3):\n"
        "    t = time.perf_counter(); out = tok.encode_batch(texts, add_special_tokens=False)\n"
        "    best = min(best, time.perf_counter() - t)\n"
        "print(json.dumps({'load_s': load, 'encode_s': best, 'tokens': sum(len(e) for e in out)}))\n")
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads), TOKENIZERS_PARALLELISM="true")
    return json.loads(subprocess.run([sys.executable, "-c", script, path, texts_path], env=environment, check=True,
                                     stdout=subprocess.PIPE).stdout)


def our_run(program, path, texts_path, threads):
    return json.loads(subprocess.run([program, path, "--bench", texts_path, str(threads)], check=True,
                                     stdout=subprocess.PIPE).stdout)


def best_of(runs):
    return {key: min(r[key] for r in runs) for key in runs[0]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--megabytes", type=float, default=5)
    parser.add_argument("--threads", default="1,2")
    arguments = parser.parse_args()
    texts = cuda_source(arguments.megabytes * 1e6)
    megabytes = sum(len(t.encode()) for t in texts) / 1e6
    with tempfile.TemporaryDirectory() as folder:
        texts_path = os.path.join(folder, "texts.jsonl")
        with open(texts_path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps({"text": t}) + "\n" for t in texts)
        print(f"{megabytes:.1f} MB of CUDA source in {len(texts)} texts")
        print(f"{'vocabulary':16} {'threads':>7} {'ours MB/s':>10} {'HF MB/s':>10} {'ratio':>6} "
              f"{'load ours s':>12} {'load HF s':>10}")
        for model in sorted(p.name for p in (FIXTURES / "tokenizers").iterdir()):
            path = str(FIXTURES / "tokenizers" / model / "tokenizer.json")
            for threads in map(int, arguments.threads.split(",")):
                pairs = [(our_run(arguments.program, path, texts_path, threads),
                          reference_run(path, texts_path, threads)) for _ in range(2)]
                ours, theirs = best_of([p[0] for p in pairs]), best_of([p[1] for p in pairs])
                assert ours["tokens"] == theirs["tokens"], (model, ours, theirs)
                print(f"{model:16} {threads:7} {megabytes / ours['encode_s']:10.1f} "
                      f"{megabytes / theirs['encode_s']:10.1f} {theirs['encode_s'] / ours['encode_s']:6.1f} "
                      f"{ours['load_s']:12.3f} {theirs['load_s']:10.3f}", flush=True)


if __name__ == "__main__":
    main()

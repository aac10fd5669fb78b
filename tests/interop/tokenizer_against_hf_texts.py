"""Texts for comparing tokenizers: random strings from all of Unicode, and CUDA source."""
import json
import os
import pathlib

FIXTURES = pathlib.Path(os.environ.get("CUSET_FIXTURES", "../shared/fixtures"))

CODE = ["__global__ void k(float* x, int n) {", "\n", "    ", "\t", "int i = blockIdx.x * blockDim.x + threadIdx.x;",
        "if (i < n)", "x[i] *= 2.0f;", "// 注释 – café", "<<<grid, block>>>", "__syncthreads();", "0x1F", "1234567",
        "I'm", "they'LL", "ſ'ſ", "Ünit", "ünit", "void  f", "<|im_start|>", "<|im_end|>", "<tool_call>", "<L>", "<R>",
        "<B>", "\r\n", "  ", "int", "<｜begin▁of▁sentence｜>", "<|EOT|>", "õ", "ÿ", "ü", "½", "e\u0301", "\u1112\u1161\u11ab",
        "👩‍👩‍👧‍👦", "🇩🇪", "\u0300\u0301", "\u00a0", "\u3000", "\u180e", "\u2028", "\u0000", "\u0007", "İ", "ﬁ", "Ⅷ", "٣"]


def random_char(rng):
    kind = rng.random()
    if kind < 0.35:
        return chr(rng.randrange(32, 127))
    if kind < 0.45:
        return rng.choice(" \t\n\r\u000b\u000c\u0085\u00a0\u2003\u3000")
    if kind < 0.60:
        return chr(rng.randrange(0x80, 0x600))
    if kind < 0.70:
        return chr(rng.choice([rng.randrange(0x300, 0x370), rng.randrange(0x1AB0, 0x1B00), rng.randrange(0x20D0, 0x20FF),
                               rng.randrange(0x0590, 0x05C8), rng.randrange(0x0900, 0x0A00)]))
    if kind < 0.75:
        return chr(rng.randrange(0, 32))
    if kind < 0.80:
        return chr(rng.choice([rng.randrange(0x1100, 0x1200), rng.randrange(0xAC00, 0xD7A4)]))
    if kind < 0.85:
        return chr(rng.randrange(0x1F300, 0x1FA00))
    while True:
        code = rng.choice([rng.randrange(0x10000), rng.randrange(0x10000, 0x40000), rng.randrange(0x110000)])
        if not 0xD800 <= code <= 0xDFFF:
            return chr(code)


def random_string(rng):
    if rng.random() < 0.02:
        return rng.choice([" ", "\n", "\t ", "a", "中", "9", "\u0301", "'", "=-"]) * rng.randrange(1, 3000)
    parts = []
    for _ in range(rng.randrange(0, 12)):
        if rng.random() < 0.4:
            parts.append(rng.choice(CODE))
        else:
            parts.append("".join(random_char(rng) for _ in range(rng.randrange(1, 10))))
    return "".join(parts)


def cuda_source(size):
    """At least `size` bytes of CUDA source: the benchmark's programs, repeated with other names, or made-up ones."""
    programs = []
    path = FIXTURES / "benchmarks" / "cudabench-open.jsonl"
    if path.exists():
        for line in path.open(encoding="utf-8"):
            programs += [v for v in json.loads(line).values() if isinstance(v, str) and "__global__" in v]
    if not programs:
        programs = ["\n".join(CODE[:12]) * 20]
    texts, total = [], 0
    while total < size:
        for text in programs:
            text = text.replace("threadIdx", f"threadIdx{len(texts)}") if len(texts) >= len(programs) else text
            texts.append(text)
            total += len(text.encode())
            if total >= size:
                break
    return texts

"""Our tokenizer against Hugging Face's: the same ids and offsets, the same decoded text.

usage: tokenizer_against_hf.py TOKENIZE_DUMP [--strings N] [--megabytes M] [--seed S]

Real vocabularies come from the fixtures (CUSET_FIXTURES, else ../shared/fixtures); other families are made from
them by changing their sections. Offsets of the reference count characters; here they are converted to bytes.
Ends with 77 (skipped) where the library or the fixtures are missing.
"""
import argparse
import copy
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    from tokenizers import Tokenizer, pre_tokenizers, trainers
except ImportError:
    print("skipped: the Python package tokenizers is not installed")
    sys.exit(77)

from tokenizer_against_hf_texts import FIXTURES, cuda_source, random_string

CL100K = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
          r"|\s*[\r\n]+|\s+(?!\S)|\s+")
SEED = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+"
        r"|\s*[\r\n]+|\s+(?!\S)|\s+")
DEEPSEEK_V3 = (r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
               r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
O200K = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
         r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
         r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
TIKTOKEN = (r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*+"
            r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s")


def split(pattern, behavior="Isolated", invert=False):
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": invert}


def byte_level(prefix=False, regex=False, trim=True):
    return {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": trim, "use_regex": regex}


def sequence(*steps):
    return {"type": "Sequence", "pretokenizers": list(steps)}


def normalizers(*steps):
    return {"type": "Sequence", "normalizers": list(steps)}


def with_bos(file, token, trim):
    ident = next(t["id"] for t in file["added_tokens"] if t["content"] == token)
    template = {"type": "TemplateProcessing",
                "single": [{"SpecialToken": {"id": token, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
                "special_tokens": {token: {"id": token, "ids": [ident], "tokens": [token]}}}
    if not trim:
        return template
    return {"type": "Sequence", "processors": [byte_level(prefix=True, regex=True, trim=True), template]}


def variants(qwen, deepseek):
    """(name, tokenizer document) for every family and for settings that no family uses."""
    yield "qwen2", qwen
    yield "deepseek-coder", deepseek

    def change(base=qwen, **sections):
        file = copy.deepcopy(base)
        file["model"].update(sections.pop("model", {}))
        file.update(sections)
        return file

    yield "llama-3", change(model={"ignore_merges": True}, normalizer=None,
                            pre_tokenizer=sequence(split(CL100K), byte_level()),
                            post_processor=with_bos(qwen, "<|endoftext|>", trim=True))
    yield "seed-coder", change(model={"ignore_merges": True}, normalizer=None,
                               pre_tokenizer=sequence(split(SEED), byte_level()),
                               post_processor=with_bos(qwen, "<|endoftext|>", trim=False))
    yield "deepseek-v3", change(pre_tokenizer=sequence(split(r"\p{N}{1,3}"), split("[一-龥぀-ゟ゠-ヿ]+"),
                                                       split(DEEPSEEK_V3), byte_level()))
    yield "gpt-2", change(normalizer=None, pre_tokenizer=byte_level(prefix=True, regex=True),
                          post_processor=byte_level(prefix=True, regex=True, trim=True))
    yield "gpt-2 without prefix", change(normalizer=None, pre_tokenizer=byte_level(regex=True),
                                         post_processor=byte_level(trim=True))
    yield "o200k", change(normalizer=None, pre_tokenizer=sequence(split(O200K), byte_level()))
    yield "possessive", change(normalizer=None, pre_tokenizer=sequence(split(TIKTOKEN), byte_level()))
    yield "starcoder", change(normalizer=None, pre_tokenizer=sequence(
        {"type": "Digits", "individual_digits": True}, byte_level(regex=True)))
    for behavior in ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"):
        for invert in (False, True):
            yield f"{behavior} invert={invert}", change(
                pre_tokenizer=sequence(split(r"[\s\p{P}]", behavior, invert), byte_level()))
    for kind in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase"):
        yield kind, change(normalizer={"type": kind})
    yield "chain of normalizers", change(normalizer=normalizers(
        {"type": "Strip", "strip_left": True, "strip_right": True}, {"type": "NFKC"}, {"type": "Lowercase"},
        {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " ~ "},
        {"type": "Replace", "pattern": {"String": "th"}, "content": ""},
        {"type": "Prepend", "prepend": "▁x"}))
    for step in ({"type": "Digits", "individual_digits": False}, {"type": "Whitespace"}, {"type": "WhitespaceSplit"},
                 {"type": "Punctuation", "behavior": "MergedWithPrevious"}, split(r"\b\w+\b"), split(r"\W+", "Removed"),
                 split(r"(?=\d)"), split(r"(?<=[a-z])(?=[A-Z])"), split(r"^\s*\S|;$")):
        yield json.dumps(step), change(pre_tokenizer=sequence(step, byte_level()))
    added = copy.deepcopy(qwen["added_tokens"])
    for content, flags in [
            ("<L>", {"lstrip": True}), ("<R>", {"rstrip": True}), ("<B>", {"lstrip": True, "rstrip": True}),
            ("int", {"single_word": True}), ("Ünit", {"normalized": True}), ("void  f", {"normalized": True}),
            ("<L><R>", {"special": True}), ("__sync", {"single_word": True, "normalized": True, "lstrip": True})]:
        known = qwen["model"]["vocab"].get(content)
        following = max(t["id"] for t in added) + 1
        added.append({"id": following if known is None else known, "content": content, "single_word": False, "lstrip": False, "rstrip": False,
                      "normalized": False, "special": False, **flags})
    yield "added tokens", change(added_tokens=added)
    yield "added tokens, lower case", change(added_tokens=added, normalizer={"type": "Lowercase"})
    yield "sentencepiece style", sentencepiece_style(byte_fallback=True, fuse_unk=True)
    yield "unknown tokens", sentencepiece_style(byte_fallback=False, fuse_unk=False)
    yield "fused unknown tokens", sentencepiece_style(byte_fallback=False, fuse_unk=True)


def sentencepiece_style(byte_fallback, fuse_unk):
    """Characters, merges, byte fallback and an unknown token, as Llama 2 had."""
    names = ["<unk>", "<s>"] + [f"<0x{b:02X}>" for b in range(256)]
    names += [chr(c) for c in range(33, 127)] + ["▁", "é", "в"]
    pairs = [("▁", "t"), ("i", "n"), ("▁t", "h"), ("in", "t"), ("▁", "▁"), ("▁▁", "▁▁"), ("e", "r"), ("▁th", "e")]
    names += [a + b for a, b in pairs]
    return {"version": "1.0", "truncation": None, "padding": None,
            "added_tokens": [{"id": i, "content": names[i], "single_word": False, "lstrip": False, "rstrip": False,
                              "normalized": False, "special": True} for i in (0, 1)],
            "normalizer": normalizers({"type": "Prepend", "prepend": "▁"},
                                      {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}),
            "pre_tokenizer": None, "post_processor": None,
            "decoder": {"type": "Sequence", "decoders": [
                {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"},
                {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
            "model": {"type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None,
                      "end_of_word_suffix": None, "fuse_unk": fuse_unk, "byte_fallback": byte_fallback, "ignore_merges": False,
                      "vocab": {n: i for i, n in enumerate(names)}, "merges": [f"{a} {b}" for a, b in pairs]}}


def byte_offsets(text, offsets):
    if text.isascii():
        return [list(o) for o in offsets]
    at = [0]
    for c in text:
        at.append(at[-1] + len(c.encode()))
    return [[at[b], at[e]] for b, e in offsets]


def dump(program, path, lines, *options):
    payload = "".join(json.dumps(l) + "\n" for l in lines).encode()
    done = subprocess.run([program, path, *options], input=payload, stdout=subprocess.PIPE, check=True)
    return [json.loads(l) for l in done.stdout.decode().split("\n") if l]


def compare(program, name, file, texts, folder):
    path = os.path.join(folder, "tokenizer.json")
    pathlib.Path(path).write_text(json.dumps(file, ensure_ascii=False), encoding="utf-8")
    reference = Tokenizer.from_file(path)
    ours = dump(program, path, [{"text": t} for t in texts], "--add-special")
    assert len(ours) == len(texts), (name, len(ours), len(texts))
    wrong_ids = wrong_offsets = tokens = 0
    for text, mine, theirs in zip(texts, ours, reference.encode_batch(texts)):
        tokens += len(theirs.ids)
        if mine["ids"] != theirs.ids:
            wrong_ids += 1
            if wrong_ids <= 3:
                print(f"  {name}: ids of {text[:80]!r}\n    ours {mine['ids'][:40]}\n    HF   {theirs.ids[:40]}")
        elif mine["offsets"] != byte_offsets(text, theirs.offsets):
            wrong_offsets += 1
            if wrong_offsets <= 3:
                print(f"  {name}: offsets of {text[:80]!r}\n    ours {mine['offsets'][:40]}"
                      f"\n    HF   {byte_offsets(text, theirs.offsets)[:40]}")
    wrong_text = compare_decoding(program, name, path, reference, ours)
    print(f"{name}: {len(texts)} texts, {tokens} tokens, different ids {wrong_ids}, offsets {wrong_offsets}, "
          f"decoded text {wrong_text}", flush=True)
    return wrong_ids + wrong_offsets + wrong_text


def compare_decoding(program, name, path, reference, encodings):
    """Decoded text, except where the text holds added tokens that the reference would read as the byte alphabet."""
    literal = {t for t, token in reference.get_added_tokens_decoder().items()
               if all(ord(c) < 0x180 for c in token.content) and not token.content.isascii()}
    encodings = [e for e in encodings if not literal & set(e["ids"])]
    texts = dump(program, path, [{"ids": e["ids"]} for e in encodings], "--decode")
    theirs = reference.decode_batch([e["ids"] for e in encodings], skip_special_tokens=False)
    wrong = 0
    for encoding, mine, text in zip(encodings, texts, theirs):
        if mine["text"] != text:
            wrong += 1
            if wrong <= 3:
                print(f"  {name}: decoding\n    ours {mine['text'][:80]!r}\n    HF   {text[:80]!r}")
    return wrong


def compare_training(program, source, strings, folder):
    """A vocabulary that we learn is the one the reference learns, and encodes the same there."""
    path = os.path.join(folder, "trained.json")
    payload = "".join(json.dumps({"text": t}) + "\n" for t in source).encode()
    subprocess.run([program, path, "--train", "3000"], input=payload, check=True)
    ours = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))

    blank = copy.deepcopy(ours)
    blank["model"].update(vocab={}, merges=[])
    blank["added_tokens"] = []
    reference = Tokenizer.from_str(json.dumps(blank))
    reference.train_from_iterator(source, trainers.BpeTrainer(
        vocab_size=3000, min_frequency=2, show_progress=False, special_tokens=["<|end|>", "<|pad|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    theirs = json.loads(reference.to_str())
    same = ours["model"]["vocab"] == theirs["model"]["vocab"] and ours["model"]["merges"] == theirs["model"]["merges"]
    print(f"trained vocabulary of {len(ours['model']['vocab'])}: "
          f"{'the same as' if same else 'DIFFERENT from'} the reference's", flush=True)
    return (0 if same else 1) + compare(program, "trained", ours, strings + source[:20], folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--strings", type=int, default=20000)
    parser.add_argument("--megabytes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    folder = FIXTURES / "tokenizers"
    if not (folder / "qwen2").exists():
        print(f"skipped: no fixtures in {folder}")
        sys.exit(77)
    qwen, deepseek = (json.loads((folder / m / "tokenizer.json").read_text(encoding="utf-8"))
                      for m in ("qwen2", "deepseek-coder"))
    rng = random.Random(arguments.seed)
    strings = [random_string(rng) for _ in range(arguments.strings)]
    source = cuda_source(arguments.megabytes * 1e6)
    families = {"qwen2", "deepseek-coder", "llama-3", "seed-coder"}
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, file in variants(qwen, deepseek):
            # The families get everything, the other settings a tenth of it.
            texts = strings + source if name in families else strings[:len(strings) // 10] + source[:20]
            wrong += compare(arguments.program, name, file, texts, scratch)
        wrong += compare_training(arguments.program, source[:400], strings[:2000], scratch)
    print("all identical" if wrong == 0 else f"{wrong} texts differ")
    sys.exit(0 if wrong == 0 else 1)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Makes a torch wheel with CUDA usable on a machine without a GPU, without NVIDIA's 2 GB of libraries.

usage: cuda_stand_ins.py TORCH_FOLDER

The wheel of the usual package index is a CUDA build. Its Python module and libtorch_cuda.so are linked against
cuBLAS, cuDNN, NCCL and others, so the loader refuses `import torch` where they are absent, although nothing calls
them without a GPU. This writes a small library for each missing one into TORCH_FOLDER/lib, with the functions that
torch's libraries refer to. Each returns 1, a failure in all of these interfaces. The file CPU_ONLY beside them tells
the build to link LibTorch's CPU part only.

Needs cc, nm and objdump. libcudart and libcupti, which libtorch_cpu.so calls, are fetched as they are.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

# What the loader finds by itself, and the driver, which torch loads only when it looks for GPUs.
OF_THE_SYSTEM = re.compile(r"^(ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|cuda|cudart|cupti)\.)")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def references(library):
    """Names of the libraries it is linked against, and the version names that it wants of each."""
    needed, versions, source = [], {}, None
    for line in output_of("objdump", "-p", library).splitlines():
        words = line.split()
        if words[:1] == ["NEEDED"]:
            needed.append(words[1])
        elif words[:2] == ["required", "from"]:
            source = words[2].rstrip(":")
        elif source and len(words) == 4 and words[0].startswith("0x"):
            versions[words[3]] = source
    return needed, versions


def undefined_symbols(library):
    """Pairs of a symbol and its version name, which may be empty."""
    for line in output_of("nm", "-D", "--undefined-only", "--with-symbol-versions", library).splitlines():
        kind, symbol = line.split()
        if kind == "U":
            name, _, version = symbol.partition("@")
            yield name, version.lstrip("@")


def missing_symbols(folder):
    """{library: {version: symbols}} of the libraries that are needed and absent."""
    missing = collections.defaultdict(lambda: collections.defaultdict(set))
    present = {path.name for path in folder.iterdir()}
    for library in sorted(folder.glob("*.so")):
        needed, versions = references(library)
        absent = [name for name in needed if name not in present and not OF_THE_SYSTEM.match(name)]
        by_prefix = {re.match(r"lib(\w+)\.so", name).group(1).lower(): name for name in absent}
        for name in absent:
            missing[name]  # also where no symbol names it
        for symbol, version in undefined_symbols(library):
            if versions.get(version) in absent:
                missing[versions[version]][version].add(symbol)
            elif not version:
                owners = [owner for prefix, owner in by_prefix.items() if symbol.lower().startswith(prefix)]
                if owners:
                    missing[max(owners, key=len)][""].add(symbol)
    return missing


def write_stand_in(folder, name, symbols_of):
    with tempfile.TemporaryDirectory() as work:
        source, versions = pathlib.Path(work, "functions.c"), pathlib.Path(work, "versions")
        symbols = sorted(set().union(*symbols_of.values()))
        source.write_text("".join(f"int {symbol}(void) {{ return 1; }}\n" for symbol in symbols))
        blocks = [f"{version} {{ global: {'; '.join(sorted(some))}; }};\n"
                  for version, some in sorted(symbols_of.items()) if version]
        versions.write_text("".join(blocks))
        script = [f"-Wl,--version-script={versions}"] if blocks else []
        subprocess.run(["cc", "-shared", "-fPIC", "-w", "-fno-builtin", f"-Wl,-soname,{name}", *script, "-o", folder / name, source],
                       check=True)


def main():
    folder = pathlib.Path(sys.argv[1], "lib")
    for name, symbols_of in missing_symbols(folder).items():
        write_stand_in(folder, name, symbols_of)
        print(f"{name}: {sum(map(len, symbols_of.values()))} functions")
    (folder / "CPU_ONLY").write_text("CUDA libraries beside this file are stand-ins made by setup/cuda_stand_ins.py\n")


if __name__ == "__main__":
    main()

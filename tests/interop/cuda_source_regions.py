"""Kernels and launches found by cuda_regions_dump against what nvcc finds: in kernel_forms.cu, which has every form
we know of, and in the CUDABench programs.

One run of `nvcc -cuda --keep` gives both sides: the .ptx file names every kernel compiled (.entry), and the host
file holds one call of __cudaPushCallConfiguration per launch, followed by the kernel's name. A template kernel
that is never instantiated has no .entry; none of these programs has one.

By default 30 programs, spread over the task families, are compiled (the sizes of a task differ only in constants);
--families compiles one of each family, --all every row. Without the benchmark file kernel_forms.cu is checked alone. Leaves with status 77 (skipped) where nvcc or
c++filt is missing.

usage: cuda_source_regions.py CUDA_REGIONS_DUMP [--families | --all] [--jobs N]
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
SPREAD = 30


def fixture_path():
    root = os.environ.get("CUSET_FIXTURES")
    source_root = pathlib.Path(__file__).resolve().parents[2]
    folder = pathlib.Path(root) if root else source_root.parent / "shared" / "fixtures"
    return folder / "benchmarks" / "cudabench-open.jsonl"


def read_programs(path, every_row, every_family):
    forms = pathlib.Path(__file__).with_name("kernel_forms.cu")
    forms = (0, forms.name, forms.read_text(encoding="utf-8"))
    if not path.exists():
        print(f"without {path.name} (set CUSET_FIXTURES)")
        return [forms]
    programs, families = [], set()
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if every_row or row["task_name"] not in families:
            families.add(row["task_name"])
            programs.append((row["id"], row["task_name"], row["bench.cu"]))
    if not every_row and not every_family:
        programs = [programs[i * len(programs) // SPREAD] for i in range(min(SPREAD, len(programs)))]
    return [forms] + programs


def without_last_group(text, opening, closing):
    """'f<(a>b)>' without its last '<...>'; what stands in parentheses does not count as a bracket."""
    depth, parentheses = 0, 0
    for i in range(len(text) - 1, -1, -1):
        parentheses += (text[i] == ")") - (text[i] == "(")
        if parentheses == 0 or opening == "(":
            depth += (text[i] == closing) - (text[i] == opening)
        if depth == 0:
            return text[:i]
    return ""


def unqualified(signature):
    """'void ns::scale<float>(float const*)' -> 'scale'"""
    if signature.endswith(")"):
        signature = without_last_group(signature, "(", ")")
    if signature.endswith(">"):
        signature = without_last_group(signature, "<", ">")
    return re.findall(r"\w+", signature)[-1]


def compiled(program):
    """The kernels compiled and the kernels launched, as nvcc sees them; None where it refuses the program."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "program.cu")
        source.write_text(program, encoding="utf-8")
        run = subprocess.run(["nvcc", "-cuda", "-std=c++20", "-arch=sm_90", "-w", "--keep", "--keep-dir", folder, str(source),
                              "-o", str(pathlib.Path(folder, "host.ii"))], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            return None
        ptx = pathlib.Path(folder, "program.ptx").read_text(encoding="utf-8")
        host = pathlib.Path(folder, "host.ii").read_text(encoding="utf-8", errors="replace")
    entries = re.findall(r"\.entry\s+([\w$]+)", ptx)
    names = subprocess.run(["c++filt"], input="\n".join(entries), capture_output=True, text=True, check=True).stdout
    defined = {unqualified(name) for name in names.splitlines() if name}
    launched = []
    for match in re.finditer(r"\(__cudaPushCallConfiguration\(", host):
        launch = re.compile(r"\(void\)0 :\s*\(*([\w:]+)").search(host, match.end())
        launched.append(launch.group(1).split("::")[-1])
    return defined, collections.Counter(launched)


def found(dump, programs):
    lines = "".join(json.dumps({"text": text}) + "\n" for _, _, text in programs)
    run = subprocess.run([dump], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dump")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--families", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    path = fixture_path()
    if not shutil.which("nvcc") or not shutil.which("c++filt"):
        print("skipped: needs nvcc and c++filt")
        return SKIPPED

    programs = read_programs(path, arguments.all, arguments.families)
    results = found(arguments.dump, programs)
    refused, wrong, kernels, launches = 0, 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for (row, task, _), ours, theirs in zip(programs, results, pool.map(compiled, [p[2] for p in programs])):
            if theirs is None:
                refused += 1
                print(f"row {row} {task}: nvcc refuses the program")
                continue
            defined, launched = theirs
            kernels += len(defined)
            launches += sum(launched.values())
            if set(ours["defined"]) != defined:
                wrong += 1
                print(f"row {row} {task}: kernels {sorted(set(ours['defined']))}, nvcc says {sorted(defined)}")
            if collections.Counter(ours["launched"]) != launched:
                wrong += 1
                print(f"row {row} {task}: launches {ours['launched']}, nvcc says {dict(launched)}")
    print(f"{len(programs)} programs, {kernels} kernels, {launches} launches; {refused} refused by nvcc, {wrong} wrong")
    return 1 if wrong or refused == len(programs) else 0


if __name__ == "__main__":
    sys.exit(main())

"""Starts the program of this package with the LibTorch of the torch package.

The program finds LibTorch by itself where torch lies beside this package in site-packages. Where torch comes from
another folder (a virtual environment that sees the system's packages, $CUSET_LIBTORCH), LD_LIBRARY_PATH names it.
"""
import importlib.util
import json
import os
import re
import sys

HOME = os.path.dirname(os.path.abspath(__file__))


def libtorch_folder(wanted):
    """$CUSET_LIBTORCH, or the folder of the installed torch, which is not imported: that takes a second."""
    chosen = os.environ.get("CUSET_LIBTORCH")
    if chosen:
        return chosen
    found = importlib.util.find_spec("torch")
    if found is None or not found.origin:
        sys.exit(f"cuset: torch is not installed for {sys.executable}: pip install torch=={wanted}")
    return os.path.dirname(found.origin)


def check(folder, record):
    wanted = record["libtorch"]
    try:
        with open(os.path.join(folder, "share/cmake/Torch/TorchConfigVersion.cmake")) as file:
            version = re.search(r'PACKAGE_VERSION "([0-9.]*)', file.read())[1]
    except (OSError, TypeError):
        sys.exit(f"cuset: no LibTorch in {folder}: pip install torch=={wanted}")
    if version != wanted:
        sys.exit(f"cuset: it was built for torch {wanted}, and {folder} is {version}: pip install torch=={wanted}")
    if record["build"] == "cuda" and not os.path.exists(os.path.join(folder, "lib/libtorch_cuda.so")):
        sys.exit(f"cuset: it was built for torch with CUDA, and {folder} has none: install torch {wanted} with CUDA")


def main():
    with open(os.path.join(HOME, "share/cuset/installation.json")) as file:
        record = json.load(file)
    folder = libtorch_folder(record["libtorch"])
    check(folder, record)
    environment = dict(os.environ)
    if os.path.realpath(folder) != os.path.realpath(os.path.join(HOME, "../torch")):
        before = environment.get("LD_LIBRARY_PATH")
        environment["LD_LIBRARY_PATH"] = os.path.join(folder, "lib") + (":" + before if before else "")
    # The Python that judges answers with Python code.
    environment.setdefault("CUSET_PYTHON", sys.executable)
    program = os.path.join(HOME, "bin/cuset")
    try:
        os.execve(program, [program, *sys.argv[1:]], environment)
    except OSError as error:
        sys.exit(f"cuset: {program}: {error.strerror}")

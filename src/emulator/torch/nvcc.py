"""Stands in for nvcc and the host's compiler in builds of PyTorch's extensions: clang with the emulator's headers, pass and
runtime (toolchain.h), and PyTorch's headers precompiled.

    nvcc ... -c SOURCE -o OBJECT      the device's side and the host's side, in one object
    c++ ... -c SOURCE -o OBJECT       the host's side alone
    c++ OBJECTS ... -shared -o FILE   linked

The first word of the command line is the name. toolkit.json beside this file has the commands: their own options are all that
decides how code is made, since precompiled headers fit no others. Of the options given, those that name macros and folders
are taken over.
"""
import json
import os
import re
import subprocess
import sys

HOME = os.path.dirname(os.path.abspath(__file__))
SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c", ".C", ".c++")
WITH_VALUE = ("-D", "-U", "-I", "-isystem", "-include", "-iquote")
# Half types have their operators here, as in PyTorch's own kernels.
LEFT_OUT = re.compile(r"-D(__CUDA_NO_\w+|_GLIBCXX_USE_CXX11_ABI\b|__CUDA_ARCH__\b).*")
# Libraries of CUDA that answers name without need; what is used of them is missed when the extension is loaded.
CUDA_LIBRARIES = {"cuda", "cublas", "cublasLt", "cudnn", "cufft", "curand", "cusolver", "cusparse", "nvrtc", "nvToolsExt"}
C_PLUS_PLUS_FRONTEND = re.compile(rb"torch::(nn|optim|data|jit|serialize)\b|torch/(torch|all|nn)\.h")


def value_of(option, arguments, default=None):
    for at, argument in enumerate(arguments[:-1]):
        if argument == option:
            return arguments[at + 1]
    return default


def taken_over(arguments):
    """Macros and folders."""
    kept, at = [], 0
    while at < len(arguments):
        argument = arguments[at]
        if argument in WITH_VALUE and at + 1 < len(arguments):
            at += 1
            argument = argument + arguments[at] if argument in ("-D", "-U", "-I") else argument + "\0" + arguments[at]
        if argument.startswith(WITH_VALUE) and not LEFT_OUT.fullmatch(argument):
            kept += argument.split("\0")
        at += 1
    return kept


def run_all(commands):
    """Side by side; ends with the messages of those that failed."""
    started = [subprocess.Popen(c, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for c in commands]
    failed = False
    for process in started:
        messages = process.communicate()[0]
        if process.returncode != 0 or b"warning:" in messages:
            sys.stdout.buffer.write(messages)
        failed = failed or process.returncode != 0
    if failed:
        sys.stdout.flush()
        sys.exit(1)


def compile_source(toolkit, arguments, has_device):
    source = next((a for a in reversed(arguments) if a.endswith(SOURCES) and os.path.isfile(a)), "no source")
    target = value_of("-o", arguments, "a.o")
    options = taken_over(arguments)
    with open(source, "rb") as file:
        if C_PLUS_PLUS_FRONTEND.search(file.read()):
            options += ["-include", "torch/all.h"]
    if not has_device:
        run_all([toolkit["host"] + options + ["-c", source, "-o", target]])
        return
    sides = {side: f"{target}.{side}.o" for side in ("host", "device")}
    run_all([toolkit[side] + options + ["-c", source, "-o", made] for side, made in sides.items()])
    run_all([toolkit["join"] + list(sides.values()) + ["-o", target]])


def link(toolkit, arguments):
    kept = [a for a in arguments if not (a.startswith("-l") and a[2:] in CUDA_LIBRARIES) and a != "-dlink"]
    run_all([toolkit["link"] + kept])


def main():
    name, arguments = sys.argv[1], sys.argv[2:]
    with open(os.path.join(HOME, "toolkit.json")) as file:
        toolkit = json.load(file)
    if "--version" in arguments or "-v" in arguments or "-dumpversion" in arguments:
        print(f"{name} of CuSeT's emulator: clang {toolkit['version']}, release 13.0, V13.0.0")
    elif "-c" in arguments:
        compile_source(toolkit, arguments, name == "nvcc")
    else:
        link(toolkit, arguments)


main()

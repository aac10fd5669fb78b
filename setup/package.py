#!/usr/bin/env python3
"""Makes what people install from a build: a wheel, a folder in an archive, or files under a prefix.

usage: setup/package.py BUILD_FOLDER wheel|archive OUTPUT_FOLDER
       setup/package.py BUILD_FOLDER install PREFIX          (below $DESTDIR where that is set)

All three hold the same folder, which `cmake --install` fills (cmake/install.cmake) and to which this adds the shared
libraries of packages and bubblewrap. The C and C++ libraries and zlib are left to the system, LibTorch to torch.

  wheel             site-packages/cuset/         started by setup/launch.py, which pip puts on PATH as `cuset`
  archive, install  PREFIX/lib/cuset/            started by setup/launch.sh, which is PREFIX/bin/cuset
"""
import base64
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

SETUP = Path(__file__).resolve().parent
# On every system that torch itself runs on.
SYSTEM = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2",
          "libgcc_s.so.1", "libstdc++.so.6", "libz.so.1"}
SUMMARY = "Teaches language models to write CUDA kernels"


def die(text):
    sys.exit(f"package: {text}")


def output_of(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def needed_by(file):
    return set(re.findall(r"NEEDED +(\S+)", output_of("objdump", "-p", file)))


def found_by_loader(program):
    return {name: Path(path) for name, path in re.findall(r"(\S+) => (/\S.*) \(0x", output_of("ldd", program))}


def libraries_of(program, provided):
    """Names and paths of what the program needs beside the system's and the provided libraries, and what those need."""
    places = found_by_loader(program)
    libraries, waiting = {}, [program]
    while waiting:
        for name in needed_by(waiting.pop()) - SYSTEM - provided - libraries.keys():
            if name not in places:
                die(f"{program} needs {name}, which is not on this machine")
            libraries[name] = places[name].resolve()
            waiting.append(libraries[name])
    return libraries


def copy_license(library, folder):
    """The copyright file of the Debian package that the library is from."""
    owner = subprocess.run(["dpkg", "-S", f"*/{library.name}"], capture_output=True, text=True).stdout.split(":")[0]
    text = Path("/usr/share/doc") / owner / "copyright"
    if owner and text.exists():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(text, folder / owner)


def carry(libraries, folder, licenses):
    folder.mkdir(parents=True, exist_ok=True)
    for name, path in libraries.items():
        shutil.copy(path, folder / name)
        (folder / name).chmod(0o755)
        copy_license(path, licenses)


def carry_bubblewrap(build, stage, licenses):
    """The sandbox starts bin/bwrap with the libraries beside it, where there is no other on PATH."""
    bundle = re.search(r"^CUSET_BUNDLE:PATH=(.+)$", (build / "CMakeCache.txt").read_text(), re.M)
    if bundle:
        shutil.copy(Path(bundle[1]) / "bin/bwrap", stage / "bin/bwrap")
        shutil.copytree(Path(bundle[1]) / "bin/bwrap-libraries", stage / "bin/bwrap-libraries")
        return
    program = shutil.which("bwrap") or die("bwrap is not installed: make setup")
    shutil.copy(program, stage / "bin/bwrap")
    copy_license(Path(program), licenses)
    carry(libraries_of(Path(program), set()), stage / "bin/bwrap-libraries", licenses)


def check_needs(stage, torch_libraries):
    """Nothing that runs on the other machine may need a library that is only here."""
    files = [path for path in stage.rglob("*") if path.is_file() and path.open("rb").read(4) == b"\x7fELF"]
    offered = SYSTEM | torch_libraries | {path.name for path in files}
    for path in files:
        for name in needed_by(path) - offered:
            die(f"{path.relative_to(stage)} needs {name}, which is neither carried nor on every system")


def fill(build, stage, kind):
    """Fills `stage` and returns what the program was built for."""
    libtorch = json.loads((build / "libtorch.json").read_text())
    torch_libraries = {path.name for path in Path(libtorch["folder"], "lib").glob("*.so*")}
    output_of("cmake", "--install", build, "--prefix", stage, "--strip")
    licenses = stage / "share/doc/cuset/licenses"
    # libgomp too: not every torch has it under its usual name.
    carry(libraries_of(build / "bin/cuset", torch_libraries - {"libgomp.so.1"}), stage / "lib/cuset/libraries", licenses)
    carry_bubblewrap(build, stage, licenses)
    check_needs(stage, torch_libraries)
    record = {"kind": kind, "version": libtorch["program"], "libtorch": libtorch["version"], "build": libtorch["kind"]}
    (stage / "share/cuset/installation.json").write_text(json.dumps(record) + "\n")
    return libtorch


def write_pages(build, prefix):
    """The manual page and the completion of the shell, which the program prints."""
    for command, file in ((["man"], "share/man/man1/cuset.1"),
                          (["completion", "bash"], "share/bash-completion/completions/cuset")):
        path = prefix / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(output_of(build / "bin/cuset", *command))


def local_version(libtorch):
    """cpu, or cu130 for CUDA 13.0: a program built for one runs on one without CUDA only if it is for the CPU."""
    if libtorch["kind"] == "cpu":
        return "cpu"
    text = Path(libtorch["folder"], "version.py")
    cuda = text.exists() and re.search(r"^cuda.*'([0-9.]+)'", text.read_text(), re.M)
    return "cu" + cuda[1].replace(".", "") if cuda else "cuda"


def wheel_tag():
    """The glibc of this machine: an older one may lack what the program was linked with."""
    library, version = platform.libc_ver()
    system = f"manylinux_{version.replace('.', '_')}" if library == "glibc" else "linux"
    return f"py3-none-{system}_{platform.machine()}"


def metadata_files(version, libtorch):
    required = f"torch=={libtorch['version']}"
    return {
        "METADATA": "Metadata-Version: 2.1\nName: cuset\n"
                    f"Version: {version}\nSummary: {SUMMARY}\nLicense: Apache-2.0\nRequires-Python: >=3.10\n"
                    f"Requires-Dist: {required}\nRequires-Dist: numpy\n"
                    "Provides-Extra: ray\nRequires-Dist: ray>=2.9; extra == 'ray'\n",
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: setup/package.py\nRoot-Is-Purelib: false\nTag: {wheel_tag()}\n",
        "entry_points.txt": "[console_scripts]\ncuset = cuset.launch:main\n",
    }


def write_wheel(folder, path, info):
    """The files of `folder` with their permissions, and RECORD, which lists them with their hashes."""
    lines = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = file.relative_to(folder).as_posix()
            data = file.read_bytes()
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if os.access(file, os.X_OK) else 0o100644) << 16
            wheel.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{len(data)}\n")
        wheel.writestr(f"{info}/RECORD", "".join(lines) + f"{info}/RECORD,,\n")


def make_wheel(build, output):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        libtorch = fill(build, root / "cuset", "wheel")
        shutil.copy(SETUP / "launch.py", root / "cuset/launch.py")
        (root / "cuset/launch.py").chmod(0o644)
        for file in sorted((SETUP.parent / "python/cuset").iterdir()):  # the client of `cuset serve`
            if file.is_file():
                shutil.copy(file, root / "cuset" / file.name)
        (root / "cuset/__main__.py").write_text("from cuset.launch import main\n\nmain()\n")
        version = f"{libtorch['program']}+{local_version(libtorch)}"
        write_pages(build, root / f"cuset-{version}.data/data")
        info = f"cuset-{version}.dist-info"
        (root / info).mkdir()
        for name, text in metadata_files(version, libtorch).items():
            (root / info / name).write_text(text)
        output.mkdir(parents=True, exist_ok=True)
        path = output / f"cuset-{version}-{wheel_tag()}.whl"
        write_wheel(root, path, info)
    return path


def fill_prefix(build, prefix, kind):
    libtorch = fill(build, prefix / "lib/cuset", kind)
    launcher = (SETUP / "launch.sh").read_text()
    launcher = launcher.replace("@VERSION@", libtorch["version"]).replace("@BUILD@", libtorch["kind"])
    launcher = launcher.replace("@FOLDER@", libtorch["folder"] if kind == "prefix" else "")
    (prefix / "bin").mkdir(exist_ok=True)
    (prefix / "bin/cuset").write_text(launcher)
    (prefix / "bin/cuset").chmod(0o755)
    write_pages(build, prefix)
    return libtorch


def make_archive(build, output):
    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder, "cuset")
        version = fill_prefix(build, prefix, "archive")["program"]
        name = f"cuset-{version}-linux-{platform.machine()}"
        output.mkdir(parents=True, exist_ok=True)
        path = output / f"{name}.tar.gz"
        with tarfile.open(path, "w:gz", compresslevel=6) as archive:
            archive.add(prefix, name)
    return path


def install(build, prefix):
    """Replaces an earlier installation; leaves a folder alone that is not one."""
    target = Path(os.environ.get("DESTDIR", "") + str(prefix.absolute()))
    home = target / "lib/cuset"
    if home.exists() and not (home / "share/cuset/installation.json").exists():
        die(f"{home} exists and is not an installation of cuset: remove it, or choose another PREFIX")
    shutil.rmtree(home, ignore_errors=True)
    # Not passed on: cmake would put it before its own prefix.
    os.environ.pop("DESTDIR", None)
    fill_prefix(build, target, "prefix")
    return target / "bin/cuset"


def main():
    if len(sys.argv) != 4 or sys.argv[2] not in ("wheel", "archive", "install"):
        sys.exit(__doc__)
    build, output = Path(sys.argv[1]).absolute(), Path(sys.argv[3])
    if not (build / "bin/cuset").exists():
        die(f"{build}/bin/cuset is not there: make")
    try:
        path = {"wheel": make_wheel, "archive": make_archive, "install": install}[sys.argv[2]](build, output)
    except subprocess.CalledProcessError as error:
        die(f"{error.cmd[0]}: {(error.stderr or error.stdout).strip()}")
    except OSError as error:
        die(f"{error.filename}: {error.strerror}")
    size = f" ({path.stat().st_size / 2**20:.0f} MiB)" if sys.argv[2] != "install" else ""
    print(f"package: {path}{size}")


if __name__ == "__main__":
    main()

#!/usr/bin/env bash
# Whether the newest CMake of the package index configures the project and builds ops/, the module with CUDA sources.
# usage: tests/newest_cmake.sh JOBS
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.deps/newest-cmake
[ -x $folder/bin/python ] || /usr/bin/python3 -m venv $folder
$folder/bin/python -m pip install --quiet --disable-pip-version-check --upgrade cmake
$folder/bin/cmake --version | head -n 1
$folder/bin/cmake --preset release -B build/newest-cmake -Wno-dev
$folder/bin/cmake --build build/newest-cmake --target cuset_ops -j "$1"

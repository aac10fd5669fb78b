#!/usr/bin/env bash
# Installs what CuSeT is built from: Debian packages (setup/packages.txt), LibTorch from the pinned torch wheel and,
# where no CUDA toolkit is found, nvcc from NVIDIA's wheels, both into .deps/ of this tree.
#
# usage: setup/setup.sh [develop|format]   "develop" adds the tools of `make lint` and `make fuzz`, "format" clang-format
# LibTorch >= 2.11 on CMAKE_PREFIX_PATH is taken as it is. CUSET_OFFLINE=1 installs nothing and only checks.
# CUSET_TORCH=cpu or cuda chooses the torch wheel; by default cuda where an NVIDIA driver is loaded, else cpu.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly deps=$PWD/.deps
readonly log=$deps/setup.log
readonly venv=$deps/venv
# PyTorch's own index; the usual package index has CUDA builds only.
readonly cpu_wheels=https://download.pytorch.org/whl/cpu

say() { printf 'setup: %s\n' "$*"; }
die() {
  printf 'setup: %s\n' "$*" >&2
  exit 1
}

# Runs a command with its output in the log; on failure says what is missing and how to supply it, in one line.
logged() {
  local complaint=$1
  shift
  "$@" >>"$log" 2>&1 || die "$complaint (details: $log)"
}

packages_of() { awk -v group="$1" '$1 == group {print $2}' setup/packages.txt; }

missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$package"
  done
}

can_install_packages() { [ "$(id -u)" = 0 ] || { command -v sudo && sudo -n true; } >/dev/null 2>&1; }

install_packages() {
  local missing as_root=
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  [ -z "${CUSET_OFFLINE:-}" ] || die "missing packages: $missing(CUSET_OFFLINE is set: install them, or build with a bundle)"
  command -v apt-get >/dev/null ||
    die "missing packages: $missing(no apt-get here: install their equivalents, or build with a bundle, see docs/build.md)"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "root is needed for: apt-get install $missing(ask an administrator, or use a bundle)"
    as_root=sudo
  fi
  say "installing packages: $missing"
  logged "cannot read the package lists: check the network or /etc/apt/sources.list" $as_root apt-get update
  # Says how much it would fetch, and ends with an error since the answer is no.
  # shellcheck disable=SC2086
  { LC_ALL=C $as_root apt-get install --assume-no --no-install-recommends $missing 2>/dev/null || true; } |
    sed -n 's/^Need to get \(.*\) of archives.*/setup: fetching \1/p'
  # shellcheck disable=SC2086
  logged "cannot install $missing: check network, free disk and rights" \
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
}

# Packages that not every distribution has; the first argument says what is missing without them.
install_where_offered() {
  local complaint=$1 missing package reason=
  shift
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  if [ -n "${CUSET_OFFLINE:-}" ]; then
    reason="CUSET_OFFLINE is set"
  elif ! can_install_packages; then
    reason="installing them needs root"
  else
    for package in $missing; do
      apt-cache show "$package" >/dev/null 2>&1 || reason="not offered here"
    done
  fi
  if [ -n "$reason" ]; then
    say "left out, $reason: $missing($complaint)"
    return 0
  fi
  # shellcheck disable=SC2086
  install_packages $missing
}

# Version of the LibTorch that CMake would find under one of the given folders; empty if none.
libtorch_version() {
  local prefix file
  for prefix in "$@"; do
    for file in "$prefix"/share/cmake/Torch/TorchConfigVersion.cmake "$prefix"/Torch/TorchConfigVersion.cmake; do
      [ -f "$file" ] || continue
      sed -n 's/^set(PACKAGE_VERSION "\([0-9.]*\).*/\1/p' "$file"
      return
    done
  done
}

at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

enough_disk() {
  local needed_mib=$1 free
  free=$(df -Pm . | awk 'NR == 2 {print $4}')
  [ "$free" -ge "$needed_mib" ] || die "$free MiB free here, $needed_mib MiB needed: free some disk space"
}

make_venv() {
  [ -x "$venv/bin/python" ] && return
  # Debian's own interpreter: a python3 first on PATH may lack venv or headers.
  local python=/usr/bin/python3
  [ -x $python ] || python=python3
  logged "cannot make a Python environment in $venv: install python3-venv" $python -m venv "$venv"
}

# pip with its progress bars on a terminal; elsewhere with name and size of each large download.
pip_run() {
  local pip=("$venv/bin/python" -m pip --disable-pip-version-check --log "$log")
  if [ -t 1 ]; then
    "${pip[@]}" "$@"
  else
    "${pip[@]}" "$@" | sed -nu 's/^ *Downloading \(.*([0-9.]* [MG]B)\).*/setup:   \1/p'
  fi
}

pip_install() {
  local complaint=$1
  shift
  [ -z "${CUSET_OFFLINE:-}" ] || die "$complaint: CUSET_OFFLINE is set"
  pip_run install "$@" ||
    die "$complaint: check network and disk, or name a mirror in PIP_INDEX_URL or a wheel folder in PIP_FIND_LINKS (details: $log)"
}

wheel_folder() { compgen -G "$venv/lib/python3*/site-packages/torch" || true; }

# cpu or cuda: what the torch wheel in .deps can use.
installed_kind() {
  if [ -e "$(wheel_folder)/lib/libtorch_cuda.so" ] && [ ! -e "$(wheel_folder)/lib/CPU_ONLY" ]; then echo cuda; else echo cpu; fi
}

wanted_kind() {
  if [ -n "${CUSET_TORCH:-}" ]; then
    echo "$CUSET_TORCH"
  elif [ -e /proc/driver/nvidia/version ] || [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; then
    echo cuda
  else
    echo cpu
  fi
}

# With the stand-ins, of which pip does not know.
remove_wheel() {
  local folder
  folder=$(wheel_folder)
  [ -n "$folder" ] || return 0
  logged "cannot remove the other torch" "$venv/bin/python" -m pip uninstall -y torch
  rm -rf "$folder"
}

# A CPU build by pip's own configuration (a folder of wheels, an index that has them), else from PyTorch's index.
install_cpu_wheel() {
  local version=$1+cpu
  rm -rf "$deps/wheel"
  "$venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps -d "$deps/wheel" "torch==$version" >>"$log" 2>&1 ||
    { "$venv/bin/python" -c "import urllib.request; urllib.request.urlopen('$cpu_wheels/torch/', timeout=10)" >>"$log" 2>&1 &&
      say "fetching the CPU build of torch $1 from PyTorch's index, about 200 MB" &&
      pip_run download --no-deps -d "$deps/wheel" --index-url "$cpu_wheels" "torch==$version"; } || return 1
  pip_install "cannot install the CPU build of torch" "$deps"/wheel/torch-*.whl
  rm -rf "$deps/wheel"
}

# The usual wheel without the 2 GB of CUDA libraries that it requires.
install_stripped_wheel() {
  say "fetching the usual torch $1 wheel without its CUDA libraries (no GPU here), about 530 MB"
  # In this order: pip would complain at length of what an installed torch lacks.
  pip_install "cannot install the libraries of setup/libtorch-cpu.txt" -r setup/libtorch-cpu.txt
  pip_install "cannot install torch==$1" --no-deps "torch==$1"
  logged "cannot stand in for CUDA libraries" "$venv/bin/python" setup/cuda_stand_ins.py "$(wheel_folder)"
}

install_libtorch() {
  local offered wanted kind
  IFS=: read -ra prefixes <<<"${CMAKE_PREFIX_PATH:-}"
  offered=$(libtorch_version "${prefixes[@]:-}")
  if [ -n "$offered" ]; then
    at_least "$offered" 2.11 || die "LibTorch $offered on CMAKE_PREFIX_PATH is older than 2.11: point it at a newer one, or unset it"
    say "LibTorch $offered from CMAKE_PREFIX_PATH"
    return
  fi
  wanted=$(sed -n 's/^torch==//p' setup/libtorch.txt)
  kind=$(wanted_kind)
  case $kind in cpu | cuda) ;; *) die "CUSET_TORCH is '$kind': cpu or cuda is expected" ;; esac
  if [ "$(libtorch_version "$(wheel_folder)")" = "$wanted" ] && [ "$(installed_kind)" = "$kind" ]; then return; fi
  [ -z "${CUSET_OFFLINE:-}" ] || die "LibTorch $wanted for $kind is not in .deps: CUSET_OFFLINE is set"
  remove_wheel
  if [ "$kind" = cuda ]; then
    enough_disk 9000
    say "fetching torch $wanted with CUDA libraries, about 2.7 GB (CUSET_TORCH=cpu: 530 MB at the most)"
    pip_install "cannot install torch==$wanted" -r setup/libtorch.txt
  else
    enough_disk 4000
    install_cpu_wheel "$wanted" || install_stripped_wheel "$wanted"
  fi
}

# Libraries that need torch take the one that is there, whatever pip thinks it lacks; without it they are left out: they
# would bring a second one.
install_test_references() {
  cmp -s setup/test-references.txt "$deps/test-references.installed" && return
  say "installing numpy, scipy and the reference libraries of the tests into .deps/venv"
  grep -v '# needs torch' setup/test-references.txt >"$deps/references.wanted"
  pip_install "cannot install the libraries of setup/test-references.txt" -r "$deps/references.wanted"
  if [ -n "$(wheel_folder)" ]; then
    grep '# needs torch' setup/test-references.txt >"$deps/references.wanted"
    pip_install "cannot install the libraries of setup/test-references.txt" --no-deps -r "$deps/references.wanted"
  fi
  rm "$deps/references.wanted"
  cp setup/test-references.txt "$deps/test-references.installed"
}

install_nvcc() {
  command -v nvcc >/dev/null && return
  [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ] && return
  compgen -G "$venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc" >/dev/null && return
  say "no CUDA toolkit found: fetching nvcc from NVIDIA's wheels, about 110 MB"
  pip_install "cannot install nvcc" -r setup/nvcc.txt
  # nvcc's profile looks for libraries in lib64; the wheels put them into lib.
  local toolkit
  for toolkit in "$venv"/lib/python3*/site-packages/nvidia/cu13; do ln -sfn lib "$toolkit/lib64"; done
}

install_formatter() { pip_install "cannot install clang-format" "$(grep '^clang-format==' setup/lint-tools.txt)"; }

mkdir -p "$deps"
: >"$log"
if [ "${1:-}" = format ]; then
  install_packages python3-venv
  make_venv
  install_formatter
  exit
fi
mapfile -t wanted_packages < <(packages_of build
  if [ "${1:-}" = develop ]; then packages_of develop; fi)
install_packages "${wanted_packages[@]}"
mapfile -t emulator_packages < <(packages_of emulator)
install_where_offered "CUDA programs run on a GPU only" "${emulator_packages[@]}"
make_venv
install_libtorch
install_test_references
install_nvcc
if [ "${1:-}" = develop ]; then
  mapfile -t browser_packages < <(packages_of browser)
  install_where_offered "reports are not tried in a browser" "${browser_packages[@]}"
  pip_install "cannot install the tools of setup/lint-tools.txt" -r setup/lint-tools.txt
fi
say "ready"

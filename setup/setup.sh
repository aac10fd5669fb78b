#!/usr/bin/env bash
# Installs what CuSeT is built from: Debian packages (setup/packages.txt), LibTorch from the pinned torch wheel and,
# where no CUDA toolkit is found, nvcc from NVIDIA's wheels, both into .deps/ of this tree.
#
# usage: setup/setup.sh [develop]      "develop" adds the tools of `make lint` and `make fuzz`
# LibTorch >= 2.11 on CMAKE_PREFIX_PATH is taken as it is. CUSET_OFFLINE=1 installs nothing and only checks.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly deps=$PWD/.deps
readonly log=$deps/setup.log
readonly venv=$deps/venv
readonly needed_mib=6000

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
  # shellcheck disable=SC2086
  logged "cannot install $missing: check network, free disk and rights" \
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
}

# Packages that not every distribution has; the first argument says what is missing without them.
install_where_offered() {
  local complaint=$1 missing package offered=()
  shift
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  for package in $missing; do
    if apt-cache show "$package" >/dev/null 2>&1; then offered+=("$package"); fi
  done
  if [ ${#offered[@]} -lt "$(wc -w <<<"$missing")" ] || [ -n "${CUSET_OFFLINE:-}" ]; then
    say "left out, not offered here: $missing($complaint)"
    return 0
  fi
  install_packages "${offered[@]}"
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
  local free
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

pip_install() {
  local complaint=$1
  shift
  [ -z "${CUSET_OFFLINE:-}" ] || die "$complaint: CUSET_OFFLINE is set"
  logged "$complaint: check network and disk, or name a mirror in PIP_INDEX_URL or a wheel folder in PIP_FIND_LINKS" \
    "$venv/bin/python" -m pip install --disable-pip-version-check "$@"
}

install_libtorch() {
  local offered wanted
  IFS=: read -ra prefixes <<<"${CMAKE_PREFIX_PATH:-}"
  offered=$(libtorch_version "${prefixes[@]:-}")
  if [ -n "$offered" ]; then
    at_least "$offered" 2.11 || die "LibTorch $offered on CMAKE_PREFIX_PATH is older than 2.11: point it at a newer one, or unset it"
    say "LibTorch $offered from CMAKE_PREFIX_PATH"
    return
  fi
  wanted=$(sed -n 's/^torch==//p' setup/libtorch.txt)
  [ "$(libtorch_version "$venv"/lib/python3*/site-packages/torch)" = "$wanted" ] && return
  enough_disk
  say "installing LibTorch $wanted into .deps/venv"
  pip_install "cannot install torch==$wanted" -r setup/libtorch.txt
}

# Libraries that need torch are left out where LibTorch comes from elsewhere: they would bring a second one.
install_test_references() {
  local wanted=$deps/test-references.wanted
  if [ -n "$(libtorch_version "$venv"/lib/python3*/site-packages/torch)" ]; then
    cp setup/test-references.txt "$wanted"
  else
    grep -v '# needs torch' setup/test-references.txt >"$wanted"
  fi
  cmp -s "$wanted" "$deps/test-references.installed" && return
  say "installing the reference libraries of the tests into .deps/venv"
  # The constraint keeps them from bringing another torch.
  pip_install "cannot install the libraries of setup/test-references.txt" -r "$wanted" -c setup/libtorch.txt
  mv "$wanted" "$deps/test-references.installed"
}

install_nvcc() {
  command -v nvcc >/dev/null && return
  [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ] && return
  compgen -G "$venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc" >/dev/null && return
  say "no CUDA toolkit found: installing nvcc from NVIDIA's wheels into .deps/venv"
  pip_install "cannot install nvcc" -r setup/nvcc.txt
  # nvcc's profile looks for libraries in lib64; the wheels put them into lib.
  local toolkit
  for toolkit in "$venv"/lib/python3*/site-packages/nvidia/cu13; do ln -sfn lib "$toolkit/lib64"; done
}

mkdir -p "$deps"
: >"$log"
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

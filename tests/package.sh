#!/usr/bin/env bash
# The wheel, the archive and the installation, made from a build and used as on another machine: in a virtual environment
# of its own, with nothing inherited, and, where bubblewrap can, with the build folder out of sight.
# usage: tests/package.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "$1")
python=${CUSET_PYTHON:-.deps/venv/bin/python}
fail() {
  printf 'package: %s\n' "$*" >&2
  exit 1
}
skip() {
  echo "skipped: $*"
  exit 77
}
expect() { grep -qF -- "$1" <<<"$2" || fail "expected '$1' in: $2"; }

torch=$(sed -n 's/.*"folder": "\([^"]*\)".*/\1/p' "$build/libtorch.json")
version=$(sed -n 's/.*{"version": "\([^"]*\)".*/\1/p' "$build/libtorch.json")
"$python" -m pip --version >/dev/null 2>&1 || skip "no pip to install a wheel with"
[ -d "$torch/share" ] || skip "no LibTorch in $torch"
command -v bwrap >/dev/null || skip "no bubblewrap to carry"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
hidden=()
if bwrap --dev-bind / / --tmpfs "$build" true 2>/dev/null; then hidden=(bwrap --dev-bind / / --tmpfs "$build"); fi
# Runs a command as a stranger would: no variables, no build folder.
elsewhere() { (cd "$folder" && env -i HOME="$folder" PATH="$folder/venv/bin:/usr/bin:/bin" "${hidden[@]}" "$@" 2>&1); }

use_wheel() {
  setup/package.py "$build" wheel "$folder"
  "$python" -m venv --without-pip "$folder/venv"
  "$python" -m pip --disable-pip-version-check --quiet --python "$folder/venv/bin/python" \
    install --no-deps --no-index "$folder"/cuset-*.whl
  local site=("$folder"/venv/lib/python3*/site-packages)
  expect "Requires-Dist: torch==$version" "$(cat "$site"/cuset-*.dist-info/METADATA)"
  expect "torch is not installed" "$(elsewhere cuset --version || true)"
  dirname "$torch" >"$site/torch.pth"  # torch in another folder
  expect "LibTorch $version" "$(elsewhere cuset --version)"
  expect "Python wheel in $site/cuset" "$(elsewhere cuset doctor)"
  rm "$site/torch.pth"
  ln -s "$torch" "$site/torch"  # torch beside it
  expect "$(realpath "$torch")" "$(elsewhere cuset doctor)"

  # What needs no compiler: data, the built-in model.
  expect "3 records" "$(elsewhere cuset gym data --output train.jsonl --count 3)"
  expect "tokens" "$(elsewhere cuset inspect --data train.jsonl --model "$site/cuset/share/cuset/assets/model")"
  # What is missed is named.
  printf 'int main() {}\n' >"$folder/k.cu"
  expect "clang++" "$(elsewhere env CUSET_CLANG=/nowhere/clang++ cuset run --executor cpu k.cu || true)"
  [ -s "$folder/venv/share/man/man1/cuset.1" ] || fail "the wheel has no manual page"
}

use_completion() {
  local offered
  offered=$(bash -c '. "$1"; COMP_WORDS=(cuset train --obj) COMP_CWORD=2; _cuset; echo "${COMPREPLY[@]}"' - \
    "$folder/venv/share/bash-completion/completions/cuset")
  [ "$offered" = --objective ] || fail "completion of 'cuset train --obj' is '$offered'"
}

use_archive() {
  setup/package.py "$build" archive "$folder"
  tar -C "$folder" -xzf "$folder"/cuset-*.tar.gz
  local top=("$folder"/cuset-*-linux-*/)
  expect "unpacked archive in ${top%/}" "$(elsewhere env CUSET_LIBTORCH="$torch" "${top%/}/bin/cuset" doctor)"
  expect "is not LibTorch" "$(elsewhere env CUSET_LIBTORCH=/nowhere "${top%/}/bin/cuset" doctor || true)"
}

use_installation() {
  DESTDIR="$folder/root" setup/package.py "$build" install /usr
  expect "installed under $folder/root/usr" "$(elsewhere "$folder/root/usr/bin/cuset" doctor)"
}

use_wheel
use_completion
use_archive
use_installation
echo "package: wheel, archive and installation work"

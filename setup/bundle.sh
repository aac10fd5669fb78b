#!/usr/bin/env bash
# Gathers headers and static libraries of the Debian dependencies, D3 and bubblewrap into bundle/, so that the project
# builds and confines on a machine that has a compiler, CMake, ninja, nvcc and a torch wheel, but no network: copy the
# tree with bundle/ there, then
#   make test BUNDLE=bundle
set -euo pipefail
cd "$(dirname "$0")/.."

readonly out=bundle
readonly limit_mib=40
# Package and what is taken of it: headers always; libraries by name, static where the package has them.
# libcurl is left out: it would bring thirty libraries with it, and where there is no network it has nobody to speak to.
# The program builds without it and says so where a plan names an endpoint.
readonly contents='
libfmt-dev          libfmt.so
libspdlog-dev
nlohmann-json3-dev
libcli11-dev
libyaml-cpp-dev     libyaml-cpp.a
libpcre2-dev        libpcre2-8.a
libutf8proc-dev     libutf8proc.a
libseccomp-dev      libseccomp.a
zlib1g-dev          libz.a
libxxhash-dev
libevent-dev        libevent.a
libsqlite3-dev      libsqlite3.a
libgtest-dev        libgtest.a
libbenchmark-dev    libbenchmark.so
'

copy_headers() {
  local header
  dpkg -L "$1" | grep '^/usr/include/' | while read -r header; do
    [ -f "$header" ] || continue
    install -D -m 644 "$header" "$out/include/${header#/usr/include/}"
  done
}

copy_library() {
  local path
  path=$(dpkg -L "$1" | grep "/$2\$") || { echo "bundle: $1 has no $2" >&2; exit 1; }
  install -D -m 644 "$(readlink -f "$path")" "$out/lib/$2"
  # A shared library is found again at run time by the name inside it.
  case $2 in *.so) ln -sf "$2" "$out/lib/$(objdump -p "$path" | awk '/SONAME/ {print $2}')" ;; esac
}

# The chart library of reports, with its license.
copy_charts() {
  install -D -m 644 /usr/share/javascript/d3/d3.min.js "$out/share/javascript/d3/d3.min.js"
  install -D -m 644 /usr/share/doc/libjs-d3/copyright "$out/share/doc/libjs-d3/copyright"
}

# bubblewrap with the libraries it needs beside it, but the C library; the sandbox starts it with them.
copy_bubblewrap() {
  local program library
  program=$(command -v bwrap) || { echo "bundle: bwrap is not installed" >&2; exit 1; }
  install -D -m 755 "$program" "$out/bin/bwrap"
  ldd "$program" | awk '$2 == "=>" && $1 !~ /^libc\.so/ {print $3}' | while read -r library; do
    install -D -m 644 "$(readlink -f "$library")" "$out/bin/bwrap-libraries/$(basename "$library")"
  done
  LD_LIBRARY_PATH="$out/bin/bwrap-libraries" "$out/bin/bwrap" --version >/dev/null
}

rm -rf "$out"
while read -r package library; do
  [ -n "$package" ] || continue
  copy_headers "$package"
  [ -z "$library" ] || copy_library "$package" "$library"
done <<<"$contents"
copy_charts
copy_bubblewrap

size=$(du -sm "$out" | cut -f1)
[ "$size" -le "$limit_mib" ] || { echo "bundle: $size MiB, more than $limit_mib MiB" >&2; exit 1; }
echo "bundle: $size MiB in $out/; on the other machine: make test BUNDLE=$out"

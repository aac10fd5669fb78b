#!/usr/bin/env bash
# Fuzzes every target for a while, one after the other. New inputs go to build/fuzz/corpus; a crash stops the run and
# names the file that reproduces it.
# usage: fuzz/run.sh FOLDER_OF_TARGETS SECONDS_PER_TARGET
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$1
seconds=$2

for target in "$bin"/*_fuzz; do
  name=$(basename "$target" _fuzz)
  found=build/fuzz/corpus/$name
  log=build/fuzz/$name.log
  mkdir -p "$found"
  if ! "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 -artifact_prefix="build/fuzz/$name-" \
    "$found" "fuzz/corpus/$name" >"$log" 2>&1; then
    tail -n 40 "$log"
    echo "fuzz: $name failed; the input is build/fuzz/$name-*; add it to fuzz/corpus/$name once mended" >&2
    exit 1
  fi
  printf 'fuzz: %-20s %s\n' "$name" "$(grep -a '^Done' "$log")"
done

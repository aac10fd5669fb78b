#!/usr/bin/env bash
# Runs every benchmark program: a table each on the terminal, JSON in build/bench/.
# usage: bench/run.sh FOLDER_OF_PROGRAMS
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/bench
for program in "$1"/*_bench; do
  name=$(basename "$program")
  "$program" --benchmark_counters_tabular=true --benchmark_out="build/bench/$name.json" --benchmark_out_format=json
done
echo "JSON: build/bench/"

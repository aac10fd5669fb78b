#!/usr/bin/env bash
# Runs the programs of testdata/cuda/bugs under NVIDIA's compute-sanitizer (memcheck, racecheck, initcheck, synccheck) and
# prints a table: what each tool reported, and at which lines, beside the lines marked in the program. For comparison with
# our own checks; its verdicts are no test, for the tools differ in what they see (overflow into a neighboring shared
# array, for one). Needs a GPU, nvcc and compute-sanitizer.
# usage: tests/cuda/sanitize_bugs_gpu.sh [OUTPUT_FOLDER] [PROGRAM.cu ...]
set -euo pipefail
cd "$(dirname "$0")/../.."
output=${1:-build/sanitize_bugs}
[ $# -eq 0 ] || shift
programs=("$@")
[ ${#programs[@]} -gt 0 ] || mapfile -t programs < <(find testdata/cuda/bugs -name '*.cu' | sort)
mkdir -p "$output"

build() {
  local name
  name=$(echo "${2#testdata/cuda/bugs/}" | tr / -)
  nvcc -std=c++17 -arch=native -O2 -lineinfo -o "$1/${name%.cu}" "$2" >"$1/${name%.cu}.compile" 2>&1 || echo "not compiled: $2"
}
export -f build
printf '%s\n' "${programs[@]}" | xargs -P "$(nproc)" -I{} bash -c 'build "$0" "$1"' "$output" {}

# The lines of $2 that the report $1 names, and its error count.
lines_of() {
  { grep -oE "\b$(basename "$2"):[0-9]+" "$1" || true; } | sed 's/.*://' | sort -nu | tr '\n' ' '
}

printf '%-52s %-14s %-10s %-10s %s\n' program marked tool errors lines | tee "$output/table.txt"
for program in "${programs[@]}"; do
  name=${program#testdata/cuda/bugs/}
  binary=$output/$(echo "${name%.cu}" | tr / -)
  [ -x "$binary" ] || continue
  marked=$({ grep -nE '// (finds|or): ' "$program" || true; } | cut -d: -f1 | tr '\n' ' ')
  for tool in memcheck racecheck initcheck synccheck; do
    report=$binary.$tool
    status=0
    timeout -k 2 20 compute-sanitizer --tool "$tool" --print-limit 20 "$binary" >"$report" 2>&1 || status=$?
    if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
      errors=hangs
    else
      errors=$({ grep -oE '(ERROR SUMMARY|RACECHECK SUMMARY): [0-9]+' "$report" || true; } | grep -oE '[0-9]+$' | head -1)
    fi
    [ "${errors:-0}" != 0 ] || continue
    printf '%-52s %-14s %-10s %-10s %s\n' "$name" "$marked" "$tool" "$errors" "$(lines_of "$report" "$program")" |
      tee -a "$output/table.txt"
  done
done

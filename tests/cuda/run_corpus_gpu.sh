#!/usr/bin/env bash
# run_corpus_gpu.sh [FILES...]: compiles the programs of testdata/cuda/corpus with nvcc, side by side, and runs each
# plainly on the GPU of this machine, with none of our own executors in between: it shows that the corpus itself is
# right. Prints one line for each failure and a sum; ends with 1 if there was one, 77 without nvcc or GPU.
#
#   JOBS=16          compilers at a time (default: all cores)
#   ARCH=sm_90       architecture (default: native)
#   SANITIZE=racecheck   a tool of compute-sanitizer to run the programs under, except those marked `// check: skip`
set -u
cd "$(dirname "$0")/../.."
command -v nvcc > /dev/null || { echo "skipped: no nvcc on the path"; exit 77; }
nvidia-smi -L > /dev/null 2>&1 || { echo "skipped: no GPU"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work ARCH=${ARCH:-native} SANITIZE=${SANITIZE:-}

compile() {
  local source=$1 name=${1//\//__} library
  library=$(sed -n 's|^// needs: cuBLASLt|-lcublasLt|p; s|^// needs: cu\([A-Z]*\)$|-lcu\L\1|p' "$source")
  if ! nvcc $(sed -n 's|^// nvcc: ||p' "$source") -std=c++17 -O3 -arch="$ARCH" -Werror all-warnings -o "$work/$name.bin" "$source" $library > "$work/$name.log" 2>&1; then
    echo "compile $source"
    head -n 20 "$work/$name.log"
  fi
}

run() {
  local source=$1 program=$work/${1//\//__}.bin wanted command
  [ -x "$program" ] || return 0
  wanted=$(sed -n 's|^// expect: \{0,1\}||p' "$source")
  command=$program
  if [ -n "$SANITIZE" ] && ! grep -q '^// check: skip' "$source"; then
    command="compute-sanitizer --tool $SANITIZE --error-exitcode 99 --log-file $work/sanitizer.log $program"
  fi
  (cd "$work" && timeout 60 $command) > "$work/output" 2> "$work/errors"
  local status=$?
  if [ $status -ne 0 ] || [ "$(cat "$work/output")" != "${wanted:-PASS}" ]; then
    echo "run $source: status $status, output: $(head -c 400 "$work/output") $(head -c 400 "$work/errors")"
    [ $status -eq 99 ] && head -n 20 "$work/sanitizer.log"
    return 1
  fi
}
export -f compile

if [ $# -gt 0 ]; then files=("$@"); else mapfile -t files < <(find testdata/cuda/corpus -name '*.cu' -exec grep -L '^// needs: CPU executor' {} + | sort); fi
printf '%s\n' "${files[@]}" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'compile {}'
failed=0
for source in "${files[@]}"; do
  [ -x "$work/${source//\//__}.bin" ] || { failed=$((failed + 1)); continue; }
  run "$source" || failed=$((failed + 1))
done
echo "${#files[@]} programs, $failed failed"
[ "$failed" -eq 0 ]

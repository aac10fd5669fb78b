#!/usr/bin/env bash
# Runs the tests of a build folder, and says at the end what was left out on this machine, and why.
#
# The comparisons with other libraries (label interop) take minutes, so they are left out where neither they nor the
# programs they run have changed since they last passed; ALL=1 runs them regardless.
# usage: tests/run.sh BUILD_FOLDER JOBS [CTEST_OPTION...]      with options, such as -L unit: just what they choose
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
jobs=$2
shift 2

# Lines such as "skipped: no GPU", of programs and scripts.
say_what_was_left_out() {
  local lines
  lines=$(grep -ho '^skipped: .*' "$build/Testing/Temporary/LastTest.log" | sort | uniq -c) || return 0
  printf 'Left out on this machine:\n%s\n' "$lines"
}

run_ctest() {
  local status=0
  ctest --test-dir "$build" --output-on-failure -j "$jobs" "$@" || status=$?
  say_what_was_left_out
  return $status
}

if [ $# -gt 0 ]; then
  run_ctest "$@"
  exit
fi

stamp=$build/interop.passed
fixtures=${CUSET_FIXTURES:-../shared/fixtures}  # may be absent; the comparisons then skip what needs them
state=$({
  sha256sum "$build"/bin/*_dump $(git ls-files tests/interop 2>/dev/null) setup/test-references.txt testdata/templates/*
  [ ! -d "$fixtures" ] || find -L "$fixtures" -type f -printf '%p %s\n' | sort
} | sha256sum)
if [ -z "${ALL:-}" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$state" ]; then
  run_ctest -LE interop
  echo "Comparisons with other libraries (label interop) are unchanged since they passed; ALL=1 make test runs them again."
else
  run_ctest
  echo "$state" >"$stamp"
fi

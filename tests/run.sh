#!/usr/bin/env bash
# Runs the tests of a build folder. The comparisons with other libraries (label interop) take minutes, so they are left
# out where neither they nor the programs they run have changed since they last passed; ALL=1 runs them regardless.
# usage: tests/run.sh BUILD_FOLDER JOBS
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
jobs=$2

stamp=$build/interop.passed
fixtures=${CUSET_FIXTURES:-../shared/fixtures}  # may be absent; the comparisons then skip what needs them
state=$({
  sha256sum "$build"/bin/*_dump $(git ls-files tests/interop 2>/dev/null) setup/test-references.txt testdata/templates/*
  [ ! -d "$fixtures" ] || find -L "$fixtures" -type f -printf '%p %s\n' | sort
} | sha256sum)

leave_out=()
if [ -z "${ALL:-}" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$state" ]; then
  leave_out=(-LE interop)
fi
ctest --test-dir "$build" --output-on-failure -j "$jobs" "${leave_out[@]}"
if [ ${#leave_out[@]} -gt 0 ]; then
  echo "Comparisons with other libraries (label interop) are unchanged since they passed; ALL=1 make test runs them again."
else
  echo "$state" >"$stamp"
fi

#!/usr/bin/env bash
# Static analysis over the sources named: cppcheck and clang-tidy (checks in .clang-tidy), two at a time.
# usage: setup/lint.sh BUILD_FOLDER FILES...
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
shift

# What is suppressed misfires here: cppcheck does not follow moves, lifetimes and [[noreturn]] calls; clang-tidy does.
# A std::move that hinders a return (returnStdMoveLocal) is the compilers' -Wpessimizing-move, which knows references.
cppcheck --quiet --std=c++20 --language=c++ --inline-suppr --error-exitcode=1 \
  --enable=warning,performance,portability --suppress=missingIncludeSystem --suppress=internalAstError \
  --suppress=syntaxError --suppress=unknownMacro --suppress=accessMoved --suppress=invalidLifetime \
  --suppress=missingReturn --suppress=nullPointerRedundantCheck --suppress=containerOutOfBounds --suppress=zerodivcond \
  --suppress=returnStdMoveLocal -Isrc -j "$(nproc)" "$@"

# Each source by itself, as no build compiles them. clang cannot read GCC's precompiled headers or its flags for them.
single=build/single
tidy=build/tidy
cmake --preset release -B "$single" -Wno-dev -DCUSET_UNITY=OFF >/dev/null
mkdir -p "$tidy"
sed -e 's/-Winvalid-pch -include [^ ]*cmake_pch.hxx//g' -e 's/-fpch-preprocess//g' -e 's/ -fopenmp / /g' -e 's/-Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread//g' -e 's/-Werror//g' -e "s,$single/,$build/,g" \
  "$single/compile_commands.json" >"$tidy/compile_commands.json"
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 .deps/venv/bin/clang-tidy -p "$tidy" --quiet --warnings-as-errors='bugprone-*,performance-*,misc-*,modernize-*,readability-*'

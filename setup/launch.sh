#!/bin/sh
# Starts cuset with LibTorch @VERSION@, the first of: $CUSET_LIBTORCH, lib/torch beside lib/cuset, the one it was built
# with, the torch package of python3.
set -eu
home=$(dirname "$(dirname "$(readlink -f "$0")")")/lib/cuset
built_with='@FOLDER@'

say() {
  echo "cuset: $1" >&2
  exit 1
}

is_libtorch() {
  [ "$(sed -n 's/^set(PACKAGE_VERSION "\([0-9.]*\).*/\1/p' "$1/share/cmake/Torch/TorchConfigVersion.cmake" 2>/dev/null)" = @VERSION@ ] &&
    { [ @BUILD@ = cpu ] || [ -e "$1/lib/libtorch_cuda.so" ]; }
}

torch_of_python() {
  python3 -c 'import importlib.util, os
found = importlib.util.find_spec("torch")
print(os.path.dirname(found.origin) if found and found.origin else "")' 2>/dev/null || true
}

if [ -n "${CUSET_LIBTORCH:-}" ]; then
  is_libtorch "$CUSET_LIBTORCH" || say "CUSET_LIBTORCH=$CUSET_LIBTORCH is not LibTorch @VERSION@ (@BUILD@)"
  folder=$CUSET_LIBTORCH
else
  for folder in "$home/../torch" "$built_with" "$(torch_of_python)"; do
    [ -z "$folder" ] || ! is_libtorch "$folder" || break
    folder=
  done
  [ -n "$folder" ] || say "LibTorch @VERSION@ (@BUILD@) not found: pip install torch==@VERSION@, or name its folder in CUSET_LIBTORCH"
fi
export LD_LIBRARY_PATH="$folder/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
exec "$home/bin/cuset" "$@"

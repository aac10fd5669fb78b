#!/usr/bin/env bash
# The container of setup/Containerfile: built, and used as its page says (docs/install.md).
#
# usage: tests/container.sh [BUILD_FLAG...]     as --build-arg BASE=debian:12-slim
#   CONTAINER_ENGINE  docker or podman; default: the first that is installed
#   CONTAINER_FLAGS   for building and running, as --network=host
#   RUN_FLAGS         for running alone
set -euo pipefail
cd "$(dirname "$0")/.."
readonly image=cuset-test
engine=${CONTAINER_ENGINE:-$(command -v docker || command -v podman)} ||
  { echo "container: install docker or podman" >&2; exit 1; }
read -ra flags <<<"${CONTAINER_FLAGS:-}"
read -ra run_flags <<<"${RUN_FLAGS:-}"
# What the sandbox needs to make namespaces, with a /proc of their own, inside a container.
sandbox=(--security-opt seccomp=unconfined --security-opt apparmor=unconfined --cap-add SYS_ADMIN --cap-add NET_ADMIN)
case ${engine##*/} in
  podman) sandbox+=(--security-opt unmask=ALL) ;;
  *) sandbox+=(--security-opt systempaths=unconfined) ;;
esac

fail() {
  printf 'container: %s\n' "$*" >&2
  exit 1
}
run() { "$engine" run --rm "${flags[@]}" "${run_flags[@]}" "$@" 2>&1; }
expect() { grep -qF -- "$1" <<<"$2" || fail "expected '$1' in: $2"; }

git diff --quiet HEAD || echo "container: the image gets the changes that are not committed, too"
"$engine" build -f setup/Containerfile -t "$image" "${flags[@]}" "$@" .
expect "Python wheel" "$(run "$image" doctor)"
expect "3 records" "$(run "$image" gym data --output /tmp/train.jsonl --count 3)"
expect "largest error 0" "$(run "${sandbox[@]}" "$image" run --executor cpu /opt/cuset/examples/saxpy.cu)"
expect "correct             3" "$(run "${sandbox[@]}" "$image" verify --tasks /opt/cuset/examples/verify/tasks.jsonl \
  --answers /opt/cuset/examples/verify/answers.jsonl --executor cpu --output /tmp/verify)"
echo "container: $("$engine" image inspect --format '{{.Size}}' "$image" | awk '{printf "%.1f GB", $1 / 1e9}'), works"

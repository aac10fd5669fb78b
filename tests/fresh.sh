#!/usr/bin/env bash
# The two commands on a machine that has nothing: a bare Debian, the ordinary package indexes, a clone of HEAD.
# Makes the system with debootstrap, enters it with namespaces of its own, and types what README.md tells a newcomer.
#
# usage: tests/fresh.sh SUITE [COMMAND...]     as root; SUITE: bookworm, trixie
#   COMMAND      run in the clone as an ordinary user with sudo; default: make demo, then make test
#   FRESH_ROOT   where the system is made, 15 GB; default /var/tmp/cuset-SUITE. An existing one is used again, its clone
#                is made anew; remove the folder to begin from nothing
#   FRESH_CLONE  name of the clone's folder below the home folder; default "CuSeT clone", with a space
# What pip and apt are configured with on this machine is not inherited, but for its certificates and name servers.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2; }
readonly suite=$1
shift
[ "$(id -u)" = 0 ] || { echo "fresh: run as root: debootstrap and mounts need it" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "fresh: install debootstrap" >&2; exit 1; }
readonly root=${FRESH_ROOT:-/var/tmp/cuset-$suite}
readonly clone=${FRESH_CLONE:-CuSeT clone}

make_system() {
  [ -e "$root/fresh-system" ] && return
  echo "fresh: making $suite in $root"
  debootstrap --variant=minbase "$suite" "$root" >"$root.log" 2>&1 || { tail -n 3 "$root.log" >&2; exit 1; }
  # What a newcomer has before the first command of README.md.
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  chroot "$root" sh -c 'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    ca-certificates git make sudo && useradd -m -s /bin/bash newcomer && echo "newcomer ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/newcomer' \
    >>"$root.log" 2>&1 || { tail -n 3 "$root.log" >&2; exit 1; }
  echo "127.0.0.1 localhost $(hostname)" >"$root/etc/hosts"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  touch "$root/fresh-system"
}

# The clone, with the fixtures beside it where there are any.
make_clone() {
  local home=$root/home/newcomer
  rm -rf "${home:?}/$clone"
  git clone --quiet --no-hardlinks . "$home/$clone"
  if [ -d ../shared/fixtures ]; then mkdir -p "$home/shared" && cp -rT ../shared/fixtures "$home/shared/fixtures"; fi
  chroot "$root" chown -R newcomer: /home/newcomer
}

# pivot_root instead of chroot: a process in a chroot may not make the user namespaces that the sandbox needs.
inside() {
  unshare --mount --pid --fork --kill-child bash -c '
    set -e
    mount --make-rprivate /
    mount --bind "$1" "$1" && cd "$1"
    mount -t proc proc proc && mount --rbind /dev dev && mount --rbind /sys sys && mount -t tmpfs tmpfs tmp
    mkdir -p old && pivot_root . old && umount -l /old
    # Not by exec: this shell ends with unshare, and everything in its process namespace with it; sudo would not.
    sudo -u newcomer -H env -i HOME=/home/newcomer USER=newcomer PATH=/usr/local/bin:/usr/bin:/bin TERM=dumb \
      CUSET_FIXTURES=/home/newcomer/shared/fixtures bash -c "cd \"\$HOME/\$0\" && \"\$@\"" "${@:2}" &&
      exit' inside "$root" "$clone" "$@"
}

# MB that set-up has fetched, by the lines of apt ("Fetched 117 MB in 12s") and pip ("Downloading X (526.6 MB)").
fetched() {
  awk '/^Fetched / || / Downloading .*\([0-9.]+ [kMG]?B\)/ {
         match($0, /[0-9.]+ [kMG]?B/)
         size = substr($0, RSTART, RLENGTH)
         sum += size * (size ~ /GB/ ? 1000 : size ~ /MB/ ? 1 : size ~ /kB/ ? 0.001 : 0.000001)
       }
       END {printf "%d", sum}' "$root/home/newcomer/$clone/.deps/setup.log"
}

report() {
  local seconds=$((SECONDS - began))
  printf 'fresh: %s: %s: %d min %d s\n' "$suite" "$1" $((seconds / 60)) $((seconds % 60))
}

timed() {
  local began=$SECONDS
  inside "$@" || { report "$* failed"; exit 1; }
  report "$*"
}

make_system
make_clone
if [ $# -gt 0 ]; then
  timed "$@"
else
  timed make demo
  timed make test
fi
echo "fresh: $suite: set-up fetched $(fetched) MB"

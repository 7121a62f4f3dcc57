#!/usr/bin/env bash
# scripts/check_deb.sh ROOT: tries dist/*.deb (scripts/deb.sh) in a root of Debian 12, e.g. of
# `debootstrap --variant=minbase bookworm ROOT`: installs them with apt, runs what they have, starts the service's command and
# asks it how it is, upgrades over an edited configuration, builds a program with the libraries, and purges. ROOT is changed.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

[ $# -eq 1 ] && [ -d "$1" ] || die "usage: scripts/check_deb.sh ROOT"
root=$(realpath -- "$1")
mounted=()
leave() {
  local at
  for at in ${mounted[@]+"${mounted[@]}"}; do umount "$at" || true; done
}
trap leave EXIT
mount_in() {
  mount "$@" && mounted=("${!#}" ${mounted[@]+"${mounted[@]}"})
}
mount_in -t proc proc "$root/proc"
mount_in --bind /dev "$root/dev"
mount_in --bind /dev/pts "$root/dev/pts"
in_root() { chroot "$root" env DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
installed() { in_root dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null || true; }

rm -rf "$root/debs"
mkdir "$root/debs"
cp dist/*.deb "$root/debs/"
cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
in_root apt-get -q update >/dev/null
library=$(basename -- "$(ls dist/libtocsin[0-9]*.deb)" | cut -d_ -f1)

say "installing"
in_root sh -c 'apt-get -q install -y --no-install-recommends man-db /debs/tocsin_*.deb /debs/libtocsin[0-9]*.deb' >"$root/debs/log" ||
  { tail -n 20 "$root/debs/log" >&2; die "the packages cannot be installed"; }
in_root tocsin --version
rm -rf "$root/work"
mkdir "$root/work"
cp -r motions environments "$root/work/"
in_root sh -c 'cd /work && tocsin check motions/walk_and_reach.bvh --env environments/music_room.obj' | tail -n 3
in_root sh -c 'man tocsin-serve | grep -q print-config' || die "there is no manual of tocsin serve"
in_root sh -c 'test -s /usr/share/tocsin/deploy/haproxy.cfg && test -s /usr/share/doc/tocsin/copyright' || die "the front is missing"
! in_root sh -c 'ldd /usr/bin/tocsin | grep "not found"' || die "a library is missing"

say "the service's command, as a user that may do nothing"
start=$(in_root sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/tocsin.service)
in_root install -d -o 65534 -g 65534 -m 700 /run/tocsin # as RuntimeDirectory= of the unit
chroot "$root" env PATH=/usr/bin:/bin sh -c "cd / && exec setpriv --reuid=65534 --regid=65534 --clear-groups env TOCSIN_SERVE_ENV=/work/environments/music_room.obj \
  RUNTIME_DIRECTORY=/run/tocsin $start" >"$root/debs/serve" 2>&1 &
server=$!
for _ in $(seq 100); do grep -q 'listening on' "$root/debs/serve" && break; sleep 0.1; done
in_root sh -c 'cd /work && tocsin send motions/walk_and_reach.bvh --to 127.0.0.1:50051 --seconds 1' | tail -n 3 ||
  { cat "$root/debs/serve" >&2; die "the service does not answer"; }
in_root tocsin status | head -n 4 || die "the server does not say how it is"
in_root tocsin sessions >/dev/null || die "the server does not say who is there"
for page in tocsin-status tocsin-sessions; do in_root sh -c "man $page | grep -q control" || die "there is no manual of $page"; done
kill -TERM "$server" || die "the service is gone"
wait "$server" || die "the service ended with status $?"

say "upgrading over an edited configuration"
sed -i 's/50051/50052/' "$root/etc/tocsin/serve.json"
rm -rf build/deb/newer
for deb in dist/tocsin_*.deb dist/libtocsin[0-9]*.deb; do
  dpkg-deb -R "$deb" build/deb/newer
  sed -i -E 's/^(Version: .*)/\1+newer/; s/(libtocsin[0-9.]+ \(= [^)]*)\)/\1+newer)/' build/deb/newer/DEBIAN/control
  dpkg-deb --root-owner-group -b build/deb/newer "$root/debs/newer_$(basename -- "$deb")" >/dev/null
  rm -r build/deb/newer
done
in_root sh -c 'apt-get -q install -y --no-install-recommends /debs/newer_*.deb' >"$root/debs/log" ||
  { tail -n 20 "$root/debs/log" >&2; die "a newer version cannot be installed"; }
grep -q 50052 "$root/etc/tocsin/serve.json" || die "an upgrade undid what the operator wrote"
in_root tocsin --version

say "a program, built with libtocsin-dev"
in_root sh -c 'apt-get -q install -y --no-install-recommends --allow-downgrades g++ cmake make /debs/tocsin_*.deb /debs/libtocsin*.deb' >"$root/debs/log" ||
  { tail -n 20 "$root/debs/log" >&2; die "libtocsin-dev cannot be installed"; }
mkdir "$root/work/program"
cat >"$root/work/program/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(program CXX)
find_package(tocsin CONFIG REQUIRED COMPONENTS io)
add_executable(program program.cpp)
target_link_libraries(program tocsin::io)
CMAKE
cat >"$root/work/program/program.cpp" <<'CXX'
#include <tocsin/io.h>
int main(int, char** argv) { return tocsin::load_environment(argv[1]).ok() ? 0 : 1; }
CXX
in_root sh -c 'cd /work/program && cmake -S . -B build >log 2>&1 && cmake --build build >>log 2>&1 && build/program ../environments/music_room.obj' ||
  { tail -n 20 "$root/work/program/log" >&2; die "a program cannot be built with libtocsin-dev"; }

say "purging"
in_root sh -c "apt-get -q purge -y tocsin $library libtocsin-dev" >"$root/debs/log" || die "the packages cannot be purged"
[ "$(installed tocsin)$(installed "$library")" = "" ] || die "packages are still there"
left=$(cd "$root" && find etc usr var -iname '*tocsin*' ! -path 'var/cache/apt/*' ! -path 'var/log/*' ! -path 'var/cache/man/*' ! -path 'var/lib/dpkg/*' | head -n 5)
[ -z "$left" ] || die "purging left $left"
say "the packages install, run, upgrade and purge"

#!/usr/bin/env bash
# scripts/check_portable.sh ARCHIVE|FOLDER [ROOT]: runs a package (scripts/package.sh) as on a machine on which nothing is
# installed: from a folder with spaces in its name that it cannot write to, in a root of its own.
#   ROOT   a root to run in, e.g. of `debootstrap --variant=minbase bookworm ROOT`; the package lies in it for as long as
#          this takes. Without: a root of the package, a shell and glibc, and nothing else.
# Who may not change the root gets the same checks in the root there is; then the loader's own list shows that every
# library is the package's or the system's glibc.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

usage="usage: scripts/check_portable.sh ARCHIVE|FOLDER [ROOT]"
[ $# -eq 1 ] || [ $# -eq 2 ] || die "$usage"
[ -e "$1" ] || die "there is no $1: ./run package makes one"
package=$(realpath -- "$1")
work=$(mktemp -d)
server=
leave() {
  local status=$?
  trap - EXIT
  [ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true
  for folder in "$work" ${inside:+"$inside"}; do
    chmod -R u+w -- "$folder" 2>/dev/null || true
    rm -rf -- "$folder"
  done
  exit "$status"
}
trap leave EXIT
trap 'printf "error: line %s of %s: %s\n" "$LINENO" "${BASH_SOURCE[0]}" "$BASH_COMMAND" >&2' ERR # nothing fails silently
set -E
trap 'exit 130' INT
trap 'exit 143' TERM

# private_root: glibc, and what bin/tocsin starts itself with: a shell and readlink.
private_root() {
  local program library glibc
  root=$work/root
  mkdir -p "$root/bin" "$root/tmp" "$root/usr/bin"
  chmod 1777 "$root/tmp"
  for program in sh readlink; do
    cp -L -- "$(command -v "$program")" "$root/usr/bin/$program"
    cp -L -- "$root/usr/bin/$program" "$root/bin/$program"
    for library in $(ldd "$root/bin/$program" | grep -oE '/[^ ]+'); do copy_library "$library"; done
  done
  # Of the rest of glibc, all that the command may need: it lies beside libc.so.6, which the shell needs.
  glibc=$(ldd "$root/bin/sh" | sed -nE 's/.* (\/[^ ]*)\/libc\.so\.6 .*/\1/p')
  [ -d "$glibc" ] || die "where glibc lies is not in what ldd says of $root/bin/sh"
  for library in libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1 libresolv.so.2 libnss_files.so.2 libnss_dns.so.2; do
    [ ! -e "$glibc/$library" ] || copy_library "$glibc/$library"
  done
}
copy_library() {
  mkdir -p "$root$(dirname -- "$1")"
  [ -e "$root$1" ] || cp -L -- "$1" "$root$1"
}

# How a command is put into the root.
enter=()
root=
if [ $# -eq 2 ]; then
  root=$(realpath -- "$2")
  [ -x "$root/bin/sh" ] || die "$2 is no root: there is no bin/sh"
fi
if [ "$(id -u)" -eq 0 ] && command -v chroot >/dev/null; then
  [ -n "$root" ] || private_root
  # Not as root, who may write everywhere.
  enter=(chroot --userspec=65534:65534 --groups= "$root")
elif unshare --user --map-root-user true 2>/dev/null; then
  [ -n "$root" ] || private_root
  enter=(unshare --user --map-root-user --root "$root")
elif [ -n "$root" ]; then
  die "only root can check in $2: chroot and user namespaces are refused here"
fi

# The package, in a folder with spaces, and one to write to. Both by the names that they have inside.
if [ ${#enter[@]} -gt 0 ]; then
  mkdir -p "$root/opt"
  inside=$(mktemp -d "$root/opt/check XXXXXX")
else
  inside=$work/outside
  mkdir "$inside"
fi
chmod 755 "$inside"
mkdir "$inside/a folder that only reads" "$inside/out"
chmod 1777 "$inside/out"
place="$inside/a folder that only reads"
if [ -d "$package" ]; then
  cp -r -- "$package/." "$place/"
else
  tar -C "$place" --strip-components=1 -xf "$package"
fi
chmod -R a+rX,a-w "$place"
here=${place#"$root"} out=${inside#"$root"}/out
tocsin="$here/bin/tocsin"

contents() { (cd "$place" && find . -printf '%p %m %s\n' | sort && find . -type f -print0 | sort -z | xargs -0 sha256sum) | sha256sum; }
before=$(contents)

# Nothing of this shell's environment is there.
bare=(env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/nowhere)
inside() { "${bare[@]}" "${enter[@]}" "$@"; }

checked=0
# expect STATUS PATTERN ARGUMENT...: the package's command ends with this status, and says what matches the pattern.
expect() {
  local status=$1 pattern=$2 got=0
  shift 2
  inside "$tocsin" "$@" >"$work/said" 2>&1 </dev/null || got=$?
  if [ "$got" -ne "$status" ] || { [ -n "$pattern" ] && ! grep -qE -- "$pattern" "$work/said"; }; then
    cat -- "$work/said" >&2
    die "\"tocsin $*\" ended with status $got and the text above; expected status $status and \"$pattern\""
  fi
  checked=$((checked + 1))
  printf '  ok  tocsin %s: status %d, "%s"\n' "${*//"$out"\//}" "$got" "$({ grep -E -m 1 -- "${pattern:-.}" "$work/said" || true; } | cut -c 1-160)"
}
hash() { sed -nE 's/^Hash( of the .*:)? +([0-9a-f]{16})$/\2/p' "$work/said" | tail -n 1; }
# same_hash: what was said last has the hash that check had.
same_hash() { [ "$(hash)" = "$expected" ] || die "another hash than $expected: $(cat "$work/said")"; }

# Every library is the package's or glibc's. (Where the system has a C++ runtime as new, bin/tocsin takes that.)
check_libraries() {
  local said foreign
  # shellcheck disable=SC2016
  said=$(inside /bin/sh -c 'LD_ORIGIN_PATH=$1/libexec LD_LIBRARY_PATH=$1/lib/c++ LD_TRACE_LOADED_OBJECTS=1 exec "$1/libexec/tocsin"' sh "$here")
  foreign=$(grep -F '=>' <<<"$said" | grep -vF "=> $here/" |
    grep -vE '^\s*(libc|libm|libpthread|libdl|librt|libresolv|ld-linux-x86-64)\.so\.' || true)
  [ -z "$foreign" ] || die "these libraries are not from the package: $foreign"
  [ "$(grep -cF "=> $here/" <<<"$said")" -gt 0 ] || die "no library is from the package: $said"
  say "$(grep -cF "=> $here/" <<<"$said") libraries are the package's, the rest glibc's"
}

# check_server: a take sent over loopback has the contacts that check found.
check_server() {
  local line='' port _
  # Not by inside(): $! would be the shell that runs the function.
  "${bare[@]}" "${enter[@]}" "$tocsin" serve --env "$out/room.ply" --listen 127.0.0.1:0 --record "$out/records" >"$work/server" 2>"$work/server.err" </dev/null &
  server=$!
  for _ in $(seq 600); do # a minute
    line=$(head -n 1 "$work/server")
    [ -z "$line" ] || break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  port=$(sed -nE 's/^listening on 127\.0\.0\.1:([0-9]+),.*/\1/p' <<<"$line")
  [ -n "$port" ] || die "the server does not listen: $line $(cat "$work/server.err")"
  expect 0 '^Hash ' send "$out/walk.bvh" --to "127.0.0.1:$port"
  same_hash
  local status=0
  kill -TERM "$server"
  wait "$server" || status=$?
  server=
  [ "$status" -eq 0 ] || die "the server ended with status $status: $(cat "$work/server.err")"
  local records=("$inside"/out/records/*.jsonl)
  expect 0 '' verify "$out/records/${records[0]##*/}"
}

# What the root has: a driver's own files decide, and the package must agree with them.
has() { compgen -G "$root/usr/lib/*/$1" >/dev/null || compgen -G "$root/usr/lib64/$1" >/dev/null; }
check_opengl() {
  if has 'libEGL.so.1'; then
    expect 0 '^gl .* yes' devices
    expect 0 'Hash of the' check "$out/walk.bvh" --env "$out/room.ply" --backend gl
    same_hash
    expect 0 '' render "$out/walk.bvh" --env "$out/room.ply" --frame 10 --size 160x120 -o "$out/step.png"
    [ "$(head -c 4 "$inside/out/step.png" | tr -d '\211')" = PNG ] || die "render wrote no picture"
  else
    expect 0 '^gl .* no: .*libEGL\.so\.1.*apt install libegl1 libegl-mesa0 libgl1-mesa-dri' devices
    expect 0 '^--backend gl cannot be used: .*apt install' devices
    expect 2 'apt install libegl1 libegl-mesa0 libgl1-mesa-dri' check "$out/walk.bvh" --env "$out/room.ply" --backend gl
    expect 2 'apt install libegl1 libegl-mesa0 libgl1-mesa-dri' render "$out/walk.bvh" --env "$out/room.ply" --frame 10 -o "$out/step.png"
  fi
}
check_cuda() {
  expect 0 'Hash of the' check "$out/walk.bvh" --env "$out/room.ply" --backend cuda --emulate
  same_hash
  if ! has 'libcuda.so.1' && [ ${#enter[@]} -gt 0 ]; then
    expect 0 '^cuda .* no: .*no CUDA driver \(libcuda\.so\.1\) was found.*nvidia\.com/drivers' devices
    local why='nvidia\.com/drivers'
    # Staged from a build on a machine without nvcc: kernels are missing, and that comes first.
    if grep -q 'built without CUDA' "$work/said"; then why='this Tocsin was built without CUDA'; fi
    expect 2 "$why" check "$out/walk.bvh" --env "$out/room.ply" --backend cuda
  fi
}

say "${root:+in $root, }by ${enter[0]:-nobody but this shell}: $here"
check_libraries
expect 0 '^tocsin [0-9.]+$' --version
expect 0 'Usage: tocsin' --help
expect 0 '' make-room "$out/room.ply" --triangles 10k
expect 0 '' make-motion "$out/walk.bvh" --seconds 2
expect 0 'triangles' info "$out/room.ply"
expect 0 'humanoid16' info humanoid16
expect 0 'Hash of the' check "$out/walk.bvh" --env "$out/room.ply"
expected=$(hash)
[ -n "$expected" ] || die "check says no hash: $(cat "$work/said")"
expect 0 '' convert "$out/room.ply" "$out/room.glb"
expect 0 '' convert "$out/walk.bvh" "$out/walk.glb"
expect 0 'Hash of the' check "$out/walk.bvh" --env "$out/room.glb" # by assimp
expect 0 '' check "$out/walk.bvh" --env "$out/room.ply" --out "$out/report.jsonl"
expect 0 '' verify "$out/report.jsonl"
expect 0 '' validate "$out/walk.bvh" --env "$out/room.ply" --backends cpu --frames 0:20
expect 3 'no_such' check "$out/no_such.bvh" --env "$out/room.ply"
expect 0 '' selftest --backend cpu --case 0 --failed "$out/failed"
expect 0 '' selftest --backend cuda --emulate --case 2 --failed "$out/failed"
check_cuda
check_opengl
check_server
[ "$(contents)" = "$before" ] || die "the package's own files have changed"
say "the package works: $checked commands, $1"

#!/usr/bin/env bash
# ./run package: one archive with the command and everything that it needs beyond glibc and a driver, for machines on which
# nothing is installed: dist/tocsin-VERSION-linux-x86_64.tar.xz.
#   scripts/package.sh [BUILD]   without BUILD: compiles with kernels for all architectures (build/package-release), and packs;
#                                with it: only stages that build, into BUILD/package/portable, for tests
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

# What a release is compiled for. Of the last one also PTX, which drivers translate for newer devices.
architectures="80-real;90-real;100-real;120"
# MiB: what can be carried to a server over any line, and to a machine that takes 64 MiB in all.
largest=40
# glibc's own libraries must be the system's: they belong to its kernel, its names and its locale.
glibc='^(ld-linux-x86-64|libc|libm|libmvec|libpthread|libdl|librt|libresolv|libutil|libanl|libnsl|libBrokenLocale|libnss_.*)\.so'
# What this glibc is, at most: the release that the archive promises to run on (Debian 12).
newest_glibc=2.36
# They come second, after the system's where that is newer: a system's graphics driver may need the newer one.
cxx='^(libstdc\+\+|libgcc_s)\.so'
# Compiled in, so no library shows them: their licences come along all the same.
compiled_in="libglew-dev libcli11-dev nlohmann-json3-dev libhwy-dev libjs-three libimgui-dev libstb-dev"

version=$(sed -n 's/.*kVersion = "\([0-9.]*\)".*/\1/p' include/tocsin/version.h)
[ -n "$version" ] || die "include/tocsin/version.h names no version"
name=tocsin-$version-linux-x86_64

# libraries FILE: the shared libraries that it needs, and that these need, as paths.
libraries() {
  ldd "$1" | awk '
    $2 == "=>" && $3 == "not" { print "error: " $1 " is not installed" > "/dev/stderr"; failed = 1 }
    $2 == "=>" && $3 ~ "^/" { print $3 }
    END { exit failed }'
}

# find_owners LIBRARY...: fills package_of, by paths, with the Debian packages that they are from. One call: each takes as long
# as many. Some packages still name /lib, which is a link to /usr/lib.
declare -A package_of
find_owners() {
  local library file line names=()
  declare -A packages=()
  for library; do
    file=$(readlink -f -- "$library")
    names+=("$file" "${file#/usr}")
  done
  while IFS= read -r line; do packages[${line##*: }]=${line%%:*}; done < <(dpkg-query -S "${names[@]}" 2>/dev/null)
  for library; do
    file=$(readlink -f -- "$library")
    package_of[$library]=${packages[$file]:-${packages[${file#/usr}]:-}}
    [ -n "${package_of[$library]}" ] || die "no Debian package has $library: what is its licence?"
  done
}

# glibc_needed FILE...: the newest version of glibc that one of them asks for.
glibc_needed() {
  local file
  for file; do readelf -VW "$file"; done | grep -oE 'GLIBC_[0-9.]+' | sed 's/GLIBC_//' | sort -Vu | tail -n 1
}

# cuda_folder BUILD: where its nvcc is from; nothing if it has no kernels.
cuda_folder() {
  local nvcc
  nvcc=$(sed -n 's/^CMAKE_CUDA_COMPILER:[A-Z]*=//p' "$1/CMakeCache.txt")
  [ -z "$nvcc" ] || (cd -P -- "$(dirname -- "$(readlink -f -- "$nvcc")")/.." && pwd)
}

# copy_cuda_licence FOLDER: the runtime and CCCL's headers are compiled in. NVIDIA's installer has one text for all of CUDA,
# its Python packages one each.
copy_cuda_licence() {
  local part file found=
  if [ -s "$1/EULA.txt" ]; then
    cp -L -- "$1/EULA.txt" "$licences/cuda"
    printf '%-46s %s\n' "compiled in" cuda >>"$licences/LIST"
    return
  fi
  for part in nvidia_cuda_runtime nvidia_cuda_cccl; do
    for file in "$1/dist-info/$part"-*.dist-info/licenses/License.txt; do
      [ -s "$file" ] || continue
      cp -L -- "$file" "$licences/$part"
      printf '%-46s %s\n' "compiled in" "$part" >>"$licences/LIST"
      found="$found $part"
    done
  done
  [ "$found" = " nvidia_cuda_runtime nvidia_cuda_cccl" ] || die "no licence of CUDA in $1 (EULA.txt, or dist-info)"
}

# list_licence WHAT PACKAGE: a line of LIST, and the licence.
declare -A version_of
list_licence() {
  local versions # of several architectures: one each, the same
  if [ -z "${version_of[$2]:-}" ]; then
    versions=$(dpkg-query -W -f '${Version} ' "$2")
    version_of[$2]=${versions%% *}
    copy_licence "$2"
  fi
  printf '%-46s %s\n' "$1" "$2 ${version_of[$2]}" >>"$licences/LIST"
}

# copy_licence PACKAGE: of a Debian package.
copy_licence() {
  local from=/usr/share/doc/$1/copyright named
  [ -s "$from" ] || die "$1 has no licence at $from"
  cp -L -- "$from" "$licences/$1"
  # Debian's files name the texts of common licences instead of repeating them.
  while read -r named; do
    [ ! -s "$named" ] || cp -L -- "$named" "$licences/common/"
  done < <(grep -oE '/usr/share/common-licenses/[A-Za-z0-9.+-]*[A-Za-z0-9]' "$from" | sort -u)
}

# stage BUILD: fills $root.
stage() {
  local build=$1 licences=$root/share/doc/tocsin/licences found library base package cuda needed bundled=()
  rm -rf -- "$root"
  mkdir -p "$root/bin" "$root/lib/c++" "$root/libexec" "$licences/common"
  cmake --install "$build" --prefix "$root/installed" --component runtime --strip >/dev/null
  mv "$root/installed/bin/tocsin" "$root/libexec/tocsin"
  cp -r "$root/installed/share/tocsin" "$root/share/"
  rm -r "$root/installed"
  cp scripts/package/tocsin.sh "$root/bin/tocsin"
  chmod 755 "$root/bin/tocsin"
  found=$(libraries "$build/bin/tocsin") # on its own, so that a library that is missing ends this
  while read -r library; do
    base=${library##*/}
    [[ ! $base =~ $glibc ]] || continue
    if [[ $base =~ $cxx ]]; then
      cp -L -- "$library" "$root/lib/c++/"
      # Its own number, by which the command at bin/ tells which is newer.
      [[ $base != libstdc++* ]] || basename -- "$(readlink -f -- "$library")" >"$root/lib/c++/version"
    else
      cp -L -- "$library" "$root/lib/"
    fi
    bundled+=("$library")
  done <<<"$found"
  chmod 644 "$root"/lib/*.so* "$root"/lib/c++/*.so*
  find_owners "${bundled[@]}"
  for library in "${bundled[@]}"; do list_licence "${library##*/}" "${package_of[$library]}"; done
  for package in $compiled_in; do list_licence "compiled in" "$package"; done
  cuda=$(cuda_folder "$build")
  [ -z "$cuda" ] || copy_cuda_licence "$cuda"
  needed=$(glibc_needed "$root/libexec/tocsin" "$root"/lib/*.so* "$root"/lib/c++/*.so*)
  [ "$(printf '%s\n' "$needed" "$newest_glibc" | sort -V | tail -n 1)" = "$newest_glibc" ] ||
    die "it would need glibc $needed: package on a system with $newest_glibc (Debian 12) or older"
  cp LICENSE README.md CHANGELOG.md "$root/share/doc/tocsin/"
  cp -r docs "$root/share/doc/tocsin/"
  sed "s/@VERSION@/$version/" scripts/package/README.txt >"$root/README.txt"
}

if [ $# -gt 0 ]; then
  root=$1/package/portable/$name
  stage "$1"
  say "staged: $root"
  exit 0
fi

need build package
build=build/package-release root=$PWD/build/package-release/$name
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTOCSIN_BUILD_TESTS=OFF -DTOCSIN_BUILD_BENCH=OFF -DTOCSIN_PYTHON=OFF \
  -DTOCSIN_UNITY_BUILD=ON "-DTOCSIN_CUDA_ARCHITECTURES=$architectures"
cmake --build "$build" --target tocsin_command --parallel "$jobs"
stage "$build"
if [ -n "$(cuda_folder "$build")" ]; then
  # Read from the command itself: sm_80 is code, compute_120 is PTX.
  compiled=$(sed -E 's/([0-9]+)-real/sm_\1/g; s/;/ /g; s/ ([0-9]+)$/ sm_\1 compute_\1/' <<<"$architectures")
  # shellcheck disable=SC2086
  kernels="with CUDA kernels for $(scripts/package/kernels.py "$root/libexec/tocsin" $compiled)"
else
  kernels="WITHOUT CUDA kernels: no nvcc of CUDA 13 or newer was found"
fi

# The same bytes for the same files: sorted names, no owners, the commit's time; two threads on every machine, as
# one thread makes one block and several make many.
stamp=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
mkdir -p dist
archive=dist/$name.tar.xz
trap 'rm -f -- "$archive.new"' EXIT
tar -C "${root%/*}" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$stamp" -cf - "$name" |
  xz -9e -T2 >"$archive.new"
size=$(stat -c %s "$archive.new")
[ "$size" -le $((largest << 20)) ] || die "$name.tar.xz would be $((size >> 20)) MiB: at most $largest are meant"
mv -- "$archive.new" "$archive"
say "$archive: $(awk -v n="$size" 'BEGIN { printf "%.1f", n / 1048576 }') MiB, $kernels"

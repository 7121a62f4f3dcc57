# shellcheck shell=bash
# What ./run and the scripts share. To be sourced, with the repository as the working directory.

# packages_for build|python|blender|window|test|format|package|deb|docs|browser: Debian 12 packages. cmake/TocsinDependencies.cmake finds the libraries; EGL with a
# driver that needs no GPU, and SDL2, are loaded by the command when it runs.
packages_for() {
  case $1 in
    build)
      echo g++ cmake ninja-build libtbb-dev libhwy-dev libfmt-dev nlohmann-json3-dev libcli11-dev libassimp-dev liburdfdom-dev zlib1g-dev libpng-dev libjs-three \
        libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc \
        libglew-dev libegl-dev libsdl2-dev libimgui-dev libegl1 libegl-mesa0 libgl1-mesa-dri \
        python3
      ;;
    python) echo python3-dev python3-numpy pybind11-dev ;; # for the Python package, which no other needs
    # Hundreds of megabytes: ./run blender installs them, and tests that need them say that they are skipped. Xvfb is for those with a window.
    blender) echo blender xvfb xauth ;;
    window) echo xvfb libxtst6 ffmpeg ;; # for the tests of the window of `tocsin view` as a person has it, and its clip; else they say that they are skipped
    test) echo ccache libgtest-dev libeigen3-dev libmpfi-dev clang-14 libclang-rt-14-dev lld clang-format-14 clang-tidy-14 python3 python3-jsonschema python3-grpcio python3-protobuf python3-pytest python3-matplotlib python3-pip python3-venv mypy openssl valgrind haproxy liblo-tools python3-liblo ;;
    format) echo clang-format-14 ;;
    package) echo xz-utils binutils python3 ;;
    deb) echo dpkg-dev file python3 ;;
    docs) echo mkdocs mkdocs-material ;;
    browser) echo chromium nodejs ;;
    npm) echo npm ;; # apart: where nodejs is not Debian's, npm is in it, and Debian's conflicts with that
  esac
}

say() { printf '== %s\n' "$*"; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# ccache, where it is installed, sees paths of a clone as relative ones, and so serves a clone in another folder. How much memory
# g++ takes before it looks for some to free changes no object.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=1 CCACHE_IGNOREOPTIONS=${CCACHE_IGNOREOPTIONS:---param=ggc-*}

# One job a core, but no more than one for each 1.75 GiB of memory: what the largest batch of files needs
# (cmake/TocsinFlags.cmake).
cores=$(nproc)
jobs=$(awk -v n="$cores" '/^MemTotal/ { m = int($2 / 1835008); print (m < 1 ? 1 : m < n ? m : n) }' /proc/meminfo)

# need GROUP...: installs those of the groups' packages that are missing. Touches nothing if none is.
need() {
  local wanted=() missing=() group name
  for group; do
    read -ra missing < <(packages_for "$group")
    wanted+=("${missing[@]}")
  done
  missing=()
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    command -v cmake >/dev/null && command -v ninja >/dev/null && return 0 # CMake names what is missing
    die "there is no apt-get here to install what is missing. Tocsin is built with the equivalents of" \
      "these Debian 12 packages: ${wanted[*]}"
  fi
  for name in "${wanted[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      die "these packages are missing: ${missing[*]}. As root: apt-get install ${missing[*]}"
    as_root=(sudo)
    [ -t 0 ] || as_root+=(-n) # nobody there to type a password
  fi
  say "Installing with apt: ${missing[*]}"
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
  "${as_root[@]}" update || say "apt-get update failed; trying with the lists there are"
  "${as_root[@]}" install -y --no-install-recommends "${missing[@]}" ||
    die "apt could not install what is missing (see above). By hand, as root:" \
      "apt-get update && apt-get install ${missing[*]}"
}

# configure PRESET [-D...]
configure() { cmake --preset "$@"; }

# build PRESET TARGET [-D...]: configures and builds one target.
build() {
  local preset=$1 target=$2
  shift 2
  configure "$preset" "$@"
  cmake --build --preset "$preset" --target "$target" --parallel "$jobs"
}

# How benches are built: file by file, as what a compiler inlines depends on what else it sees.
measured='-DTOCSIN_BUILD_BENCH=ON -DTOCSIN_UNITY_BUILD=OFF -DTOCSIN_CUDA_ONCE=OFF -DTOCSIN_CUDA_LATER=OFF'

# build_command [TARGET [-D...]]: the command alone, or another target of the same build. A first configuration leaves tests and benches out, so that it does not
# need their packages, and compiles files in batches, which takes half the time; a later one keeps what it finds.
build_command() {
  local options=("${@:2}")
  [ -e build/CMakeCache.txt ] || options+=(-DTOCSIN_BUILD_TESTS=OFF -DTOCSIN_BUILD_BENCH=OFF -DTOCSIN_UNITY_BUILD=ON)
  build release "${1:-tocsin_command}" ${options[@]+"${options[@]}"}
}

# tests PRESET [ARGS...]: runs a ctest preset.
tests() {
  local preset=$1 under=()
  shift
  # ThreadSanitizer cannot cope with the wide address randomisation of newer kernels.
  if [[ $preset = tsan* ]] && setarch -R true 2>/dev/null; then under=(setarch -R); fi
  # What `need build` installs includes a driver: a test that finds none must not pass by being skipped.
  # One more test at a time than there are cores, as those of the service mostly wait.
  TOCSIN_NEEDS_GL=1 ${under[@]+"${under[@]}"} ctest --preset "$preset" --no-label-summary -j "$((cores + 1))" "$@"
}

# Where the large test data is, or nothing.
data_dir() {
  local dir=${TOCSIN_DATA:-../shared/data}
  [ -d "$dir" ] && (cd "$dir" && pwd)
}

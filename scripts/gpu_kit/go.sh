#!/usr/bin/env bash
# Runs what is most to be known about Tocsin on this machine's GPU first, each part within its own time, and ends within nine
# minutes. Needs nothing but a driver; without one the kernels run emulated. Every result is in DIR as soon as it is there.
#   go.sh DIR [SECONDS]     SECONDS: for everything (530)
set -uo pipefail
[ $# -ge 1 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
kit=$(cd -P -- "$(dirname -- "$0")" && pwd)
mkdir -p -- "$1" || exit 4
out=$(cd -P -- "$1" && pwd)
deadline=$((SECONDS + ${2:-530}))

work=$(mktemp -d) || exit 4
trap 'rm -rf -- "$work"' EXIT
gzip -dc "$kit/kit.tar.gz" | tar -C "$work" -xf - || { echo "error: $kit/kit.tar.gz cannot be unpacked" >&2; exit 3; }
package=$work/package tocsin=$work/package/bin/tocsin programs=$work/programs/bin
export TOCSIN_DATA=$work/data TOCSIN_TEST_SOURCES=$work/sources TOCSIN_COMMAND=$tocsin
# What the kit brings along, for its own programs only. The C++ runtime comes second, after a newer one of the system.
libraries=$package/lib
LD_LIBRARY_PATH=$libraries "$programs/cuda_device_test" --gtest_list_tests >/dev/null 2>&1 || libraries=$libraries:$package/lib/c++
cp "$work/revision" "$out/revision"
# A driver without the loader of EGL: that of the kit, and where containers have the driver's own files.
if ! grep -q 'libEGL\.so\.1' <<<"$(ldconfig -p 2>/dev/null)"; then
  others=$work/glvnd
  for folder in /usr/local/nvidia/lib64 /usr/local/nvidia/lib; do [ ! -d "$folder" ] || others=$others:$folder; done
  libraries=$libraries:$others
  export LD_LIBRARY_PATH=$others${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  for vendor in /usr/share/glvnd/egl_vendor.d/10_nvidia.json /usr/local/nvidia/share/glvnd/egl_vendor.d/10_nvidia.json; do
    [ ! -s "$vendor" ] || export __EGL_VENDOR_LIBRARY_FILENAMES=${__EGL_VENDOR_LIBRARY_FILENAMES:-$vendor}
  done
  echo "no libEGL here: the kit's loader is used" >>"$out/notes.txt"
fi

number=0
printf '%-28s %-10s %s\n' part ended seconds >"$out/summary.txt"

# part NAME SECONDS COMMAND...: runs it for so long at most. Its output is DIR/NN-NAME.txt.
part() {
  local name=$1 limit=$2 left=$((deadline - SECONDS)) began=$SECONDS status ended
  shift 2
  number=$((number + 1))
  local file
  file=$out/$(printf '%02d-%s.txt' "$number" "$name")
  if [ "$left" -lt 5 ]; then
    printf '%-28s %-10s %s\n' "$name" "no time" 0 | tee -a "$out/summary.txt"
    return 1
  fi
  timeout -k 2 "$((limit < left ? limit : left))" "$@" >"$file" 2>&1
  status=$?
  case $status in
    0) ended=ok ;;
    124 | 137) ended="time up" ;;
    *) ended="status $status" ;;
  esac
  printf '%-28s %-10s %s\n' "$name" "$ended" $((SECONDS - began)) | tee -a "$out/summary.txt"
  return "$status"
}
# left_out NAME WHY
left_out() { printf '%-28s %-10s %s\n' "$1" "left out" "$2" | tee -a "$out/summary.txt"; }
# With the kit's libraries.
cat >"$work/ours" <<EOF
#!/bin/sh
LD_LIBRARY_PATH="$libraries" exec "\$@"
EOF
chmod 755 "$work/ours"
PATH=$work:$PATH
has() { command -v "$1" >/dev/null 2>&1; }

describe() {
  uname -srm
  grep -m 1 'model name' /proc/cpuinfo || true
  grep -c ^processor /proc/cpuinfo || true
  if has nvidia-smi; then nvidia-smi; else echo "no nvidia-smi here"; fi
  "$tocsin" --version
  "$tocsin" devices
}
export tocsin
export -f describe has
part machine 30 bash -c describe

# Is there a device? What follows is the same without one, emulated, and shorter.
emulate=() kind=device
if ! "$tocsin" selftest --backend cuda --case 0 >/dev/null 2>&1; then
  emulate=(--emulate) kind=emulated
  echo "no CUDA device: kernels run emulated" | tee -a "$out/summary.txt"
fi
gl=yes
"$tocsin" selftest --backend gl --case 0 >/dev/null 2>&1 || gl=

# 1. Are the contacts the CPU's?
part selftest-cuda 100 "$tocsin" selftest --backend cuda ${emulate[@]+"${emulate[@]}"} --seconds 90 --json "$out/selftest-cuda.json" \
  --failed "$out/failed-cuda"
house=$TOCSIN_DATA/environments/small_house.obj take=$TOCSIN_DATA/motions/cmu_bvh/01_01.bvh
if [ -s "$house" ]; then
  part house-cuda 40 "$tocsin" validate "$take" --env "$house" --place 5.4,0.03,-4 --frames ::4 --backends cpu,cuda ${emulate[@]+"${emulate[@]}"}
else
  left_out house-cuda "the kit has no data"
fi
if [ -n "$gl" ]; then
  part selftest-gl 60 "$tocsin" selftest --backend gl --seconds 50 --json "$out/selftest-gl.json" --failed "$out/failed-gl"
  [ ! -s "$house" ] || part house-gl 40 "$tocsin" validate "$take" --env "$house" --place 5.4,0.03,-4 --frames ::48 --backends cpu,gl
else
  left_out selftest-gl "no OpenGL device (see machine)"
fi

# 2. How fast, and with which variant of the kernels?
sizes=(1 100 1000 10000 50000)
[ $kind = device ] || sizes=(1 100 1000)
part bench-cuda 60 ours "$programs/bench_cuda" ${emulate[@]+"${emulate[@]}"} --avatars "${sizes[@]}" --triangles 156000 \
  --passes 3 --json "$out/bench-cuda.json"
if [ $kind = device ]; then
  for variant in "$work"/variants/*/; do
    name=$(basename -- "$variant")
    part "variant-$name" 15 ours env LD_PRELOAD="$variant/libtocsin_cuda.so" "$programs/bench_cuda" \
      --avatars 10000 --triangles 156000 --passes 3 --json "$out/variant-$name.json"
  done
else
  left_out variants "no device: emulated they are all the same"
fi

# 3. The tests that have a device of their own to run on.
for test in device tree motion broadphase certify batch detector; do
  filter='*Real*'
  [ $kind = device ] || filter='*InOrder*:*Emulated*'
  part "test-cuda-$test" 30 ours "$programs/cuda_${test}_test" --gtest_brief=1 --gtest_filter="$filter"
  ! grep -qs '^\[=*\] 0 tests' "$out"/*"-test-cuda-$test.txt" || left_out "test-cuda-$test" "NO TEST RAN: its tests have other names"
done
if [ -n "$gl" ]; then
  for test in context raster visibility detector answers; do
    part "test-gl-$test" 30 ours "$programs/gl_${test}_test" --gtest_brief=1
  done
fi

# 4. The largest room.
[ $kind != device ] || part bench-cuda-large 60 ours "$programs/bench_cuda" --avatars 1000 50000 \
  --triangles 10000000 --passes 3 --json "$out/bench-cuda-large.json"

# 5. What the tools see, where they are.
if [ $kind = device ] && has compute-sanitizer; then
  part memcheck 60 ours compute-sanitizer --error-exitcode 9 "$programs/cuda_batch_test" --gtest_brief=1 \
    --gtest_filter='*Real*'
  part racecheck 40 ours compute-sanitizer --tool racecheck --error-exitcode 9 "$programs/cuda_tree_test" \
    --gtest_brief=1 --gtest_filter='*Real*'
else
  left_out compute-sanitizer "no device, or it is not installed"
fi
if [ $kind = device ] && has ncu; then
  part ncu 60 ours ncu --set basic --launch-count 40 "$programs/bench_cuda" --avatars 10000 --triangles 156000 \
    --passes 1
else
  left_out ncu "no device, or it is not installed"
fi
tar -C "$out" -cf - --exclude=results.tar.gz . | gzip >"$work/results.tar.gz" && mv "$work/results.tar.gz" "$out/results.tar.gz"
echo "All of it: $out/results.tar.gz"

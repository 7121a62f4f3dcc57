#!/usr/bin/env bash
# Runs what is most to be known about Tocsin on this machine's GPU first, each part within its own time, and ends within nine
# minutes. Needs a driver, bash, coreutils, tar and gzip; without a driver the kernels run emulated. Every result is in DIR as
# soon as it is there.
#   go.sh DIR [SECONDS]     SECONDS: for everything (530)
set -uo pipefail
usage() { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; }
stop() { # STATUS MESSAGE
  printf 'error: %s\n' "$2" >&2
  exit "$1"
}
[ $# -eq 1 ] || [ $# -eq 2 ] || { usage; exit 2; }
allowed=${2:-530}
[[ $allowed =~ ^[1-9][0-9]{0,5}$ ]] || stop 2 "SECONDS: expected a whole number from 1 on, found \"$allowed\""
deadline=$((SECONDS + allowed))
has() { command -v "$1" >/dev/null 2>&1; }
for tool in tar gzip rm mkdir mv cp cat chmod; do has "$tool" || stop 2 "$tool is not installed here: go.sh needs it"; done
case $0 in */*) kit=${0%/*} ;; *) kit=. ;; esac # `bash go.sh` has no folder
kit=$(cd -P -- "$kit" && pwd)
[ -s "$kit/kit.tar.xz" ] || stop 3 "there is no kit.tar.xz beside go.sh"
mkdir -p -- "$1" || exit 4
out=$(cd -P -- "$1" && pwd) || exit 4
[ ! -e "$out/summary.txt" ] || stop 2 "$out has results already: give another folder"

# note PART ENDED SECONDS: a line of the summary.
note() { printf '%-28s %-10s %s\n' "$1" "$2" "$3" >>"$out/summary.txt" && printf '%-28s %-10s %s\n' "$1" "$2" "$3"; }
work='' running=''
pack() { tar -C "$out" -cf - --exclude=./results.tar.gz --exclude=./unpacked . | gzip >"$work/results.tar.gz" && mv "$work/results.tar.gz" "$out/results.tar.gz"; }
leave() {
  trap - EXIT INT TERM HUP
  [ -z "$running" ] || kill -KILL -- "-$running" 2>/dev/null
  [ -z "$work" ] || rm -rf -- "$work"
}
trap leave EXIT
# Bash does not run the trap of EXIT for an exit in a trap that comes while it waits in `read`.
trap 'note interrupted "" ""; pack; leave; exit 130' INT TERM HUP

# unpack FOLDER: here the kit lies, and its programs start.
unpack() {
  work=$1
  if ! { has xz && xz -dc "$kit/kit.tar.xz" | tar -C "$work" -xf -; }; then
    # The kit's own. Where it lies nothing may be executable.
    mkdir -p "$work/unpack" && cp "$kit"/unpack/* "$work/unpack/" && chmod 755 "$work/unpack/xz" || return 1
    LD_LIBRARY_PATH=$work/unpack "$work/unpack/xz" -dc "$kit/kit.tar.xz" | tar -C "$work" -xf - || return 1
  fi
  "$work/package/bin/tocsin" --version >/dev/null
}
# Where temporary files are no programs, or do not fit: beside the results.
if ! { work=$(mktemp -d) && unpack "$work"; } 2>"$out/notes.txt"; then
  [ -z "$work" ] || rm -rf -- "$work"
  work=$out/unpacked
  mkdir -p "$work" || exit 4
  unpack "$work" || stop 3 "$kit/kit.tar.xz cannot be unpacked, or its programs do not start: see above and $out/notes.txt"
fi
package=$work/package programs=$work/programs/bin
export TOCSIN_DATA=$work/data TOCSIN_TEST_SOURCES=$work/sources TOCSIN_COMMAND=$package/bin/tocsin
tocsin=$TOCSIN_COMMAND
cp "$work/revision" "$out/revision"

# What the kit brings along, for its own programs only. The C++ runtime comes second, after a newer one of the system.
libraries=$package/lib
# The program asked opens no device: a driver that hangs is met where there is a limit of time.
LD_LIBRARY_PATH=$libraries "$programs/bench_cuda" --help >/dev/null 2>&1 || libraries=$libraries:$package/lib/c++
# Containers have the driver's files where the loader may not look, and the loader of EGL may be missing.
known=$(ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null)
others=
if [[ $known != *libEGL.so.1* ]]; then
  others=$work/glvnd
  echo "no libEGL here: the kit's loader is used" >>"$out/notes.txt"
fi
others=$others${LD_LIBRARY_PATH:+${others:+:}$LD_LIBRARY_PATH}
if [[ $known != *libcuda.so.1* || $known != *libEGL_nvidia.so.0* ]]; then
  for folder in /usr/local/nvidia/lib64 /usr/local/nvidia/lib /usr/lib/wsl/lib; do
    [ ! -d "$folder" ] || others=$others${others:+:}$folder
  done
fi
if [ -n "$others" ]; then
  export LD_LIBRARY_PATH=$others
  libraries=$libraries:$others
fi
# Which driver EGL's loader takes: NVIDIA's, where it does not look for it itself.
egl=/share/glvnd/egl_vendor.d/10_nvidia.json
if [ ! -s "/usr$egl" ] || [[ $known != *libEGL.so.1* ]]; then
  for vendor in "/usr$egl" "/usr/local/nvidia$egl"; do
    [ ! -s "$vendor" ] || export __EGL_VENDOR_LIBRARY_FILENAMES=${__EGL_VENDOR_LIBRARY_FILENAMES:-$vendor}
  done
fi
# NVIDIA's tools, where they are installed and not on PATH.
for folder in /usr/local/cuda/bin /usr/local/cuda-*/bin /opt/nvidia/nsight-compute/*; do [ ! -d "$folder" ] || PATH=$PATH:$folder; done
# With the kit's libraries.
printf '#!/bin/sh\nLD_LIBRARY_PATH="%s" exec "$@"\n' "$libraries" >"$work/ours"
chmod 755 "$work/ours"
PATH=$work:$PATH

note part ended seconds

# A pipe on which nothing ever comes: reading it waits, without a program for that.
coproc quiet { read -r; }
# Not by a program that may be missing, and one that a driver holds is left behind.
# limited SECONDS COMMAND...: its status; 124: the time was up, and all that it had started is gone or told to go.
limited() {
  local end=$((SECONDS + $1)) told=
  shift
  set -m # a process group of its own
  "$@" </dev/null &
  running=$!
  set +m
  while kill -0 "$running" 2>/dev/null; do
    if [ -z "$told" ] && [ "$SECONDS" -ge "$end" ]; then
      kill -TERM -- "-$running"
      told=TERM
    elif [ "$told" = TERM ] && [ "$SECONDS" -ge $((end + 3)) ]; then
      kill -KILL -- "-$running"
      told=KILL
    elif [ "$told" = KILL ] && [ "$SECONDS" -ge $((end + 5)) ]; then
      running=
      return 124
    fi
    read -r -t 0.05 -u "${quiet[0]}"
  done 2>/dev/null
  local status=0
  wait "$running" 2>/dev/null || status=$?
  [ -z "$told" ] || kill -KILL -- "-$running" 2>/dev/null
  running=
  [ -z "$told" ] || return 124
  return "$status"
}

number=0
ending=6 # seconds: what ending a part that does not hear takes, and packing
# part NAME SECONDS COMMAND...: runs it for so long at most. Its output is DIR/NN-NAME.txt.
part() {
  local name=$1 limit=$2 left=$((deadline - SECONDS - ending)) began=$SECONDS status=0 ended
  shift 2
  number=$((number + 1))
  if [ "$left" -lt 3 ]; then
    note "$name" "no time" 0
    return 124
  fi
  limited "$((limit < left ? limit : left))" "$@" >"$out/$(printf '%02d-%s.txt' "$number" "$name")" 2>&1 || status=$?
  case $status in
    0) ended=ok ;;
    124) ended="time up" ;;
    *) ended="status $status" ;;
  esac
  note "$name" "$ended" $((SECONDS - began))
  return "$status"
}
# left_out NAME WHY
left_out() { note "$1" "left out" "$2"; }
# says NAME PATTERN...: notes the first line of the last part's output that matches: why a tool saw nothing.
says() {
  local name=$1 pattern line file
  file=$out/$(printf '%02d-%s.txt' "$number" "$name")
  shift
  [ -s "$file" ] || return
  while IFS= read -r line; do
    for pattern; do
      # shellcheck disable=SC2053
      [[ $line != $pattern ]] || { note "$name:" "$line" ""; return; }
    done
  done <"$file"
}
# Of compute-sanitizer: the first finding, or why it does not work, or that it found nothing.
sanitizer=('========= Invalid*' '========= Error*' '========= Program hit*' '*not supported*' '========= *SUMMARY*')
# again NAME OPTIONS...: asks at once about the smallest cases that differed, each alone.
again() {
  local folder
  for folder in "$out/failed-$1"/*/; do
    [ ! -s "$folder/run.sh" ] || { folder=${folder%/}; part "again-$1-${folder##*/}" 15 sh "$folder/run.sh"; }
  done
}

describe() {
  uname -srm
  grep -m 1 'model name' /proc/cpuinfo
  grep -c ^processor /proc/cpuinfo
  if has nvidia-smi; then
    nvidia-smi
    nvidia-smi --format=csv --query-gpu=name,driver_version,compute_mode,mig.mode.current,ecc.mode.current,pcie.link.gen.max,pcie.link.width.current,clocks.max.sm,clocks.max.memory,power.limit
  else
    echo "no nvidia-smi here"
  fi
  "$tocsin" --version
  "$tocsin" devices
}
part machine 30 describe

# Is there a device? Only status 2 says no: one that answers wrong, or fails, is what we want to hear most about.
# What follows is the same without one, emulated, and shorter.
emulate=() kind=device
part cuda-first-case 40 "$tocsin" selftest --backend cuda --case 0 --failed "$out/failed-cuda-first"
if [ $? -eq 2 ]; then
  emulate=(--emulate) kind=emulated
  note "no CUDA device: kernels run" emulated ""
  says cuda-first-case '*tocsin selftest: *' 'error: *'
fi
gl=yes
part gl-first-case 40 "$tocsin" selftest --backend gl --case 0 --failed "$out/failed-gl-first"
[ $? -ne 2 ] || gl=

# 1. Are the contacts the CPU's?
status=0
part selftest-cuda 100 "$tocsin" selftest --backend cuda ${emulate[@]+"${emulate[@]}"} --seconds 80 --json "$out/selftest-cuda.json" \
  --failed "$out/failed-cuda" || status=$?
again cuda
# A device that has failed answers the same program nothing more: each of the first cases by a program of its own, and the first
# one that fails with NVIDIA's checker.
if [ $kind = device ] && [ "$status" -eq 4 ]; then
  checked=
  for case in 0 1 2 3 4 5 6 7 8 9 10; do
    part "case-$case" 12 "$tocsin" selftest --backend cuda --case "$case" --failed "$out/failed-case-$case" && continue
    [ -z "$checked" ] && has compute-sanitizer || continue
    checked=yes
    part "memcheck-case-$case" 60 compute-sanitizer --target-processes all --error-exitcode 9 "$tocsin" selftest --backend cuda --case "$case" \
      --failed "$out/failed-memcheck"
    says "memcheck-case-$case" "${sanitizer[@]}"
  done
fi
house=$TOCSIN_DATA/environments/small_house.obj take=$TOCSIN_DATA/motions/cmu_bvh/01_01.bvh
if [ -s "$house" ]; then
  part house-cuda 40 "$tocsin" validate "$take" --env "$house" --place 5.4,0.03,-4 --frames ::4 --backends cpu,cuda ${emulate[@]+"${emulate[@]}"}
else
  left_out house-cuda "the kit has no data"
fi
if [ -n "$gl" ]; then
  part selftest-gl 60 "$tocsin" selftest --backend gl --seconds 45 --json "$out/selftest-gl.json" --failed "$out/failed-gl"
  again gl
  if [ -s "$house" ]; then
    part house-gl 40 "$tocsin" validate "$take" --env "$house" --place 5.4,0.03,-4 --frames ::48 --backends cpu,gl
  else
    left_out house-gl "the kit has no data"
  fi
else
  for name in selftest-gl house-gl; do left_out "$name" "no OpenGL device (see gl-first-case)"; done
fi

# 2. How fast, and with which variant of the kernels?
# Where there is a device a bench must use it: it would run emulated without saying so in its status.
device=() named=${TOCSIN_CUDA_DEVICE:-0}
[ $kind != device ] || device=(--device "${named%%,*}")
bench() { # NAME SECONDS AVATARS...: the aim's first, and alone
  local name=$1 limit=$2
  shift 2
  part "$name" "$limit" ours "$programs/bench_cuda" ${emulate[@]+"${emulate[@]}"} ${device[@]+"${device[@]}"} --avatars "$@" --triangles 156000 --passes 3 \
    --json "$out/$name.json"
}
if [ $kind = device ]; then
  bench bench-cuda 60 10000 50000
  bench bench-cuda-few 30 1 100 1000
else
  bench bench-cuda 60 1 100
fi
# What variants are told apart by: one room, and few steps, as the CPU is asked as many.
one=(${device[@]+"${device[@]}"} --avatars 10000 --triangles 156000 --steps 20000 --no-crowd)
if [ $kind = device ]; then
  part variant-as-built 20 ours "$programs/bench_cuda" "${one[@]}" --passes 3 --json "$out/variant-as-built.json"
  for variant in "$work"/variants/*/; do
    variant=${variant%/}
    part "variant-${variant##*/}" 20 ours env LD_PRELOAD="$variant/libtocsin_cuda.so" "$programs/bench_cuda" "${one[@]}" \
      --passes 3 --json "$out/variant-${variant##*/}.json"
  done
  # Of these one program has all: how the tree is asked.
  for variant in "traversals 1" "lanes 2" "lanes 4" "lanes 8"; do
    name=variant-${variant/ /-}
    part "$name" 20 ours "$programs/bench_cuda" "${one[@]}" --passes 3 "--${variant% *}" "${variant#* }" --json "$out/$name.json"
  done
else
  left_out variants "no device: emulated they are all the same"
fi

# 3. What the profiler sees of the kernels that take the time; those of the ceilings and of the tree come first, and are not asked
# for.
if [ $kind != device ]; then
  left_out ncu "no device"
elif has ncu; then
  part ncu 45 ours ncu --set basic --kernel-name-base demangled \
    --kernel-name 'regex:FlagNearRoom|MakeSwept|CountCandidates|FillCandidates|AppendCandidates|EarlyOuts|CertifyFirsts|CertifyOthers' \
    --launch-count 40 "$programs/bench_cuda" "${one[@]}" --passes 1
  says ncu '*ERR_NVGPUCTRPERM*' '==ERROR==*' '*No kernels were profiled*'
else
  left_out ncu "it is not installed"
fi

# 4. The tests that have a device of their own to run on.
for test in device tree motion broadphase certify batch detector several; do
  filter='*Real*'
  [ $kind = device ] || filter='*InOrder*:*Emulated*'
  [ $test != several ] || filter='*Real*:*Emulated*' # a machine with one device can only emulate several
  part "test-cuda-$test" 30 ours "$programs/cuda_${test}_test" --gtest_brief=1 --gtest_filter="$filter"
  says "test-cuda-$test" '*  SKIPPED \] * test*'
  for file in "$out"/*"-test-cuda-$test.txt"; do
    [[ ! -e $file || "$(<"$file")" != *'] 0 tests from'* ]] || left_out "test-cuda-$test" "NO TEST RAN: its tests have other names"
  done
done
if [ -n "$gl" ]; then
  for test in context raster visibility detector answers adversarial; do
    part "test-gl-$test" 30 ours "$programs/gl_${test}_test" --gtest_brief=1
    says "test-gl-$test" '*  SKIPPED \] * test*'
  done
else
  left_out test-gl "no OpenGL device (see gl-first-case)"
fi

# How fast does the window draw 2,000,000 triangles? As bench/view/window.py asks, which needs Python.
window() {
  mkdir -p "$work/window" && cd "$work/window" || return
  "$tocsin" make-room house.ply --triangles 2M --seed 1 || return
  "$tocsin" check "$work/sources/motions/walk_and_reach.bvh" --env house.ply --place 0.17,0,-4.91,90 --ignore '*foot*:*' --out report.jsonl || return
  printf '%s\n' 'key home' 'key [' 'key [' 'key [' 'key space' 'live 1' 'live 5' tell 'key o' 'live 5' tell 'key v' 'key x' 'live 5' tell >script
  "$tocsin" view report.jsonl --offscreen --size 1920x1080 --script script # frames_a_second, milliseconds_a_frame: the contact, overview, swept surfaces
}
if [ -n "$gl" ]; then
  part window 60 window
else
  left_out window "no OpenGL device"
fi

# 5. What compute-sanitizer sees, where it is.
if [ $kind != device ]; then
  left_out compute-sanitizer "no device"
elif has compute-sanitizer; then
  part memcheck 60 ours compute-sanitizer --error-exitcode 9 "$programs/cuda_batch_test" --gtest_brief=1 \
    --gtest_filter='*Real*'
  says memcheck "${sanitizer[@]}"
  part racecheck 40 ours compute-sanitizer --tool racecheck --error-exitcode 9 "$programs/cuda_tree_test" \
    --gtest_brief=1 --gtest_filter='*Real*'
  says racecheck "${sanitizer[@]}"
else
  left_out compute-sanitizer "it is not installed"
fi
# 6. The largest room.
if [ $kind = device ]; then
  part bench-cuda-large 60 ours "$programs/bench_cuda" "${device[@]}" --avatars 1000 50000 \
    --triangles 10000000 --passes 3 --json "$out/bench-cuda-large.json"
else
  left_out bench-cuda-large "no device"
fi

pack && echo "All of it: $out/results.tar.gz"

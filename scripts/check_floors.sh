#!/usr/bin/env bash
# Checks that an arrow between the floors of the house only ever points down, that no include leads back to where it started, that no folder holds
# more than 35 files, that no class is defined twice, that core stays free of files, threads and logs, and that nothing which produces a stored number uses libm's transcendentals.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

# What a floor may include besides itself. `public/NAME` is include/tocsin/NAME.h, or live/NAME.h there.
allowed() {
  local values="public/types public/version public/result"
  local data="$values public/skeleton public/motion public/live_motion public/lookahead public/time_line public/avatar public/shape public/binding public/environment public/scene_change"
  # What is asked about a step, and its answer: values, without the class that answers.
  local question="public/active_pairs public/link_pairs public/member public/detector_options public/contact public/depth public/step_report public/check_spec public/step_budget"
  case $1 in
    # The ground: text, files, hashes, large arrays, JSON. No geometry.
    base) echo public/types public/result ;;
    core) echo public/types ;;
    scene) echo "$data public/contact base core" ;;
    cpu) echo "$data $question base core scene" ;;
    gpu/gl) echo "$data public/devices base core scene" ;;
    gpu/cuda) echo "$data $question public/devices base core scene" ;;
    detect) echo "$data $question public/certify public/nearest public/crowd public/detector public/scene public/stream public/devices base core scene cpu" ;;
    # The only place that knows both detect's questions and a device.
    devices/gl) echo "$data $question public/detector public/devices base core scene cpu gpu/gl detect" ;;
    devices/cuda) echo "$data $question public/detector public/devices base core scene cpu gpu/cuda detect" ;;
    io) echo "$data $question public/io public/robot public/tracker base core scene" ;;
    # Protocols of motion capture: bytes in, poses out, and no socket.
    mocap) echo "public/types public/result public/skeleton public/tracker base core" ;;
    # Rooms and motions that Tocsin makes itself: nothing but data.
    make) echo "$data base core scene" ;;
    # The C interface: a layer over the C++ one, and nothing behind that.
    c) echo public ;;
    # What `tocsin selftest` and the benches ask and measure: linked by the command, by no library.
    selftest) echo "public base core scene cpu gpu/gl gpu/cuda detect devices/gl devices/cuda io make oracle" ;;
    app) echo "public base core scene cpu gpu/gl gpu/cuda detect io make mocap oracle selftest view service client wire" ;;
    # The extension of Python, linked by nothing.
    python) echo "public base core scene gpu/gl detect io view oracle" ;;
    view) echo "public base core scene cpu gpu/gl detect io" ;;
    service) echo "public base core scene detect io mocap wire" ;;
    # The service's messages as values: what both ends of a connection share.
    wire) echo "public base" ;;
    client) echo "public base wire" ;;
    # A second implementation: a step's stored parameters, and no other line of the house.
    oracle) echo "public core/motion" ;;
    public) echo public ;;
    *) echo "" ;;
  esac
}

# find_floor FILE: sets floor, src/gpu/gl/x.cpp -> gpu/gl, include/tocsin/x.h -> public.
find_floor() {
  local rest=${1#src/} room
  floor=${rest%%/*}
  case $1 in
    include/tocsin/*) floor=public ;;
    src/gpu/*/* | src/devices/*/*)
      room=${rest#*/}
      floor=$floor/${room%%/*}
      ;;
  esac
}

# What each floor was found to be allowed: asked once, not for every include.
declare -A arrows

problems=0
problem() {
  echo "$1" >&2
  problems=$((problems + 1))
}

# Every #include "..." of the house, as FILE:LINE:PATH.
includes=$(grep -rnE --include='*.h' --include='*.cpp' --include='*.cu' --include='*.cuh' \
  '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' src include |
  sed -E 's/^([^:]*):([0-9]+):[^"]*"([^"]*)".*/\1:\2:\3/')

while IFS=: read -r file line path; do
  find_floor "$file"
  case $path in
    tocsin/*)
      target=public/${path##*/}
      target=${target%.h}
      ;;
    */*) target=$path ;;
    *)
      problem "$file:$line: \"$path\": includes are written from src/ or include/, as in \"core/vector/vec.h\""
      continue
      ;;
  esac
  found=no
  [ -n "${arrows[$floor]+known}" ] || arrows[$floor]=$(allowed "$floor")
  for arrow in "$floor" ${arrows[$floor]}; do
    case $target/ in "$arrow"/*) found=yes ;; esac
  done
  [ $found = yes ] || problem "$file:$line: $floor must not include \"$path\""
done <<<"$includes"

# A header, its source and its -inl are one unit. Units that include each other in a circle can only be read, and changed, together.
forbid_circles() {
  local circle
  circle=$(python3 -c '
import graphlib, os, sys

needs = {}
for line in sys.stdin:
    file, _, path = line.rstrip("\n").split(":", 2)
    unit = os.path.splitext(file)[0].removesuffix("-inl")
    other = os.path.splitext(("include/" if path.startswith("tocsin/") else "src/") + path)[0].removesuffix("-inl")
    if other != unit:
        needs.setdefault(unit, set()).add(other)
try:
    graphlib.TopologicalSorter(needs).prepare()
except graphlib.CycleError as error:
    print(" -> ".join(reversed(error.args[1])))
' <<<"$includes")
  [ -z "$circle" ] || problem "a circle of includes: $circle"
}
forbid_circles

# forbid REASON PATTERN FOLDER...: no line of the folders' sources, comments aside, matches. A function of its own that is called log is no logarithm.
forbid() {
  local reason=$1 pattern=$2 hit
  shift 2
  while IFS= read -r hit; do
    problem "$hit   <- $reason"
  done < <(grep -rn --include='*.h' --include='*.cpp' '' "$@" | sed 's,//.*,,; s/void log(//' | grep -E "^[^:]*:[0-9]+:.*($pattern)")
}

existing=()
for floor in base core scene cpu gpu detect devices io make mocap; do
  [ ! -d "src/$floor" ] || existing+=("src/$floor")
done
forbid "core knows no file, thread, device or log" \
  '#[[:space:]]*include[[:space:]]*<(fstream|iostream|filesystem|cstdio|thread|mutex|future|tbb/|fmt/)' src/core
forbid "libm differs from machine to machine; core/vector/trig.h does not" \
  '(^|[^_.[:alnum:]])(sin|cos|tan|asin|acos|atan|atan2|exp|exp2|pow|log|log2|log10|cbrt|hypot|sincos)f?\(' \
  "${existing[@]}"
forbid "clang 14 with libstdc++ 12 has neither" '#[[:space:]]*include[[:space:]]*<(format|ranges)>' src include

# A folder that holds more than a reader can survey becomes several.
while read -r count folder; do
  [ "$count" -le 35 ] || problem "$folder: $count files; a folder holds 35 at most"
done < <(find src include bench tests -path tests/fuzz/corpus -prune -o -type f -printf '%h\n' | sort | uniq -c)

scripts/check_names.py || problem "a class is defined twice (see above)"

[ $problems -eq 0 ] || {
  echo "error: $problems breaches of the floors (see above; the rules are in scripts/check_floors.sh)" >&2
  exit 1
}
echo "the floors hold"

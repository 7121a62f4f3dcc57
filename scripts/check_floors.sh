#!/usr/bin/env bash
# Sees to it that an arrow between the floors of the house only ever points down, that core stays free of files,
# threads and logs, and that nothing which produces a stored number uses libm's transcendentals.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

# What a floor may include besides itself. `public/NAME` is include/tocsin/NAME.h.
allowed() {
  local values="public/types public/version public/result"
  local data="$values public/skeleton public/motion public/live_motion public/time_line public/avatar public/environment"
  case $1 in
    core) echo public/types ;;
    scene) echo "$data core" ;;
    # detector.h declares what a step's answer looks like: cullers fill it, sinks write it out.
    cpu) echo "$data public/detector core scene" ;;
    gpu/gl | gpu/cuda) echo "$data public/detector public/devices core scene" ;;
    detect) echo "$data public/crowd public/detector public/link_pairs public/stream public/devices core scene cpu gpu/gl gpu/cuda" ;;
    io) echo "$data public/detector public/io core scene" ;;
    # Rooms and motions that Tocsin makes itself: nothing but data.
    make) echo "$data public/make core scene" ;;
    app) echo "public core scene cpu gpu/gl gpu/cuda detect io make oracle view service client wire/pem.h" ;;
    view) echo "public core scene cpu gpu/gl gpu/cuda detect io make oracle" ;;
    service) echo "public core scene cpu gpu/gl gpu/cuda detect io make wire" ;;
    # The service's messages as values: what both ends of a connection share.
    wire) echo "public scene/quoted.h io/json_text.h" ;;
    client) echo "public wire" ;;
    # A second implementation: io's readers and a step's stored parameters, and no other line of the house.
    oracle) echo "public io scene/step_motion.h core/joint_motion.h" ;;
    public) echo public ;;
    *) echo "" ;;
  esac
}

# floor_of FILE: src/gpu/gl/x.cpp -> gpu/gl, include/tocsin/x.h -> public.
floor_of() {
  case $1 in
    include/tocsin/*) echo public ;;
    src/gpu/*/*) cut -d/ -f2-3 <<<"$1" ;;
    src/*/*) cut -d/ -f2 <<<"$1" ;;
  esac
}

problems=0
problem() {
  echo "$1" >&2
  problems=$((problems + 1))
}

# Every #include "..." of the house, as FILE:LINE:PATH.
while IFS=: read -r file line path; do
  floor=$(floor_of "$file")
  case $path in
    tocsin/*) target=public/$(basename "$path" .h) ;;
    */*) target=$path ;;
    *)
      problem "$file:$line: \"$path\": includes are written from src/ or include/, as in \"core/vec.h\""
      continue
      ;;
  esac
  found=no
  for arrow in "$floor" $(allowed "$floor"); do
    case $target/ in "$arrow"/*) found=yes ;; esac
  done
  [ $found = yes ] || problem "$file:$line: $floor must not include \"$path\""
done < <(grep -rnE --include='*.h' --include='*.cpp' --include='*.cu' --include='*.cuh' \
  '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' src include |
  sed -E 's/^([^:]*):([0-9]+):[^"]*"([^"]*)".*/\1:\2:\3/')

# forbid REASON PATTERN FOLDER...: no line of the folders' sources, comments aside, matches.
forbid() {
  local reason=$1 pattern=$2 hit
  shift 2
  while IFS= read -r hit; do
    problem "$hit   <- $reason"
  done < <(grep -rn --include='*.h' --include='*.cpp' '' "$@" | sed 's,//.*,,' | grep -E "^[^:]*:[0-9]+:.*($pattern)")
}

existing=()
for floor in core scene cpu gpu detect io make; do
  [ ! -d "src/$floor" ] || existing+=("src/$floor")
done
forbid "core knows no file, thread, device or log" \
  '#[[:space:]]*include[[:space:]]*<(fstream|iostream|filesystem|cstdio|thread|mutex|future|tbb/|fmt/)' src/core
forbid "libm differs from machine to machine; core/trig.h does not" \
  '(^|[^_.[:alnum:]])(sin|cos|tan|asin|acos|atan|atan2|exp|exp2|pow|log|log2|log10|cbrt|hypot|sincos)f?\(' \
  "${existing[@]}"
forbid "clang 14 with libstdc++ 12 has neither" '#[[:space:]]*include[[:space:]]*<(format|ranges)>' src include

[ $problems -eq 0 ] || {
  echo "error: $problems breaches of the floors (see above; the rules are in scripts/check_floors.sh)" >&2
  exit 1
}
echo "the floors hold"

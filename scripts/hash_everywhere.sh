#!/usr/bin/env bash
# scripts/hash_everywhere.sh COMMAND...: the same checks with every given tocsin command (builds of several
# compilers and build types) and with 1, 2 and all threads. Prints every report's hash, and fails if two differ
# or if a check touched nothing, for then equal hashes would show nothing.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

[ $# -gt 0 ] || die "usage: scripts/hash_everywhere.sh COMMAND..."
differing=0

# same NAME ARGUMENTS...
same() {
  local name=$1 command threads option last hash contacts expected=
  shift
  for command in "${commands[@]}"; do
    for threads in 1 2 all; do
      option=(--threads "$threads")
      [ "$threads" != all ] || option=() # what happens without being told
      last=$("$command" check "$@" "${option[@]}" --out - | tail -n 1)
      hash=$(sed -n 's/.*"hash":"\([^"]*\)".*/\1/p' <<<"$last")
      contacts=$(sed -n 's/.*"contacts":\([0-9]*\).*/\1/p' <<<"$last")
      printf '%-26s  %-24s  threads %-3s contacts %6s  hash %s\n' "$name" "$command" \
        "$threads" "$contacts" "$hash"
      [[ -n $hash && ${contacts:-0} -gt 0 ]] || die "$name: no hash, or no contact: $last"
      : "${expected:=$hash}"
      [ "$hash" = "$expected" ] || differing=1
    done
  done
}

commands=("$@")
for in_between in screw translate_rotate; do
  same "demo, $in_between" motions/walk_and_reach.bvh --env environments/music_room.obj \
    --in-between "$in_between"
done
data=$(data_dir) || data=
if [ -n "$data" ]; then
  house=(--env "$data/environments/small_house.obj" --motion-unit cmu)
  take=$data/motions/cmu_bvh/01_01.bvh
  same "01_01 at 0,0,0" "$take" "${house[@]}" --place 0,0,0 --frames 1:
  same "01_01 at 1.0,0,1.3" "$take" "${house[@]}" --place 1.0,0,1.3 --frames 1::4 --contacts first
  same "01_01 at 5.4,0.03,-4" "$take" "${house[@]}" --place 5.4,0.03,-4 --frames 1::12 \
    --in-between translate_rotate --margin 0.01
else
  say "the house is left out: no test data (TOCSIN_DATA, or ../shared/data)"
fi
[ "$differing" -eq 0 ] || die "the hashes differ"
say "every hash is the same for ${#commands[@]} builds and 1, 2 and all threads"

#!/usr/bin/env bash
# Draws the pictures of docs/render.md anew. docs/img/ keeps what it drew with llvmpipe; another renderer's pictures
# look the same, but not bit by bit.
#   scripts/figures.sh [COMMAND [FOLDER]]      (build/bin/tocsin, docs/img)
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

tocsin=${1:-build/bin/tocsin}
folder=${2:-docs/img}
[ -x "$tocsin" ] || die "there is no $tocsin: ./run build makes it"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# draw NAME ARGUMENTS...: one picture of the demo's take.
draw() {
  local name=$1
  shift
  "$tocsin" render motions/walk_and_reach.bvh "$@" -o "$folder/$name.png"
}

# One step with all that can be shown: the demo's, between two frames that touch nothing.
demo=(--env environments/music_room.obj --frame 105)
draw render_contact "${demo[@]}" --size 1280x800

# Figure 5: two successive configurations; what lies between them; where the avatar is stopped.
close=("${demo[@]}" --zoom 1.15 --size 640x720)
draw figure5_poses "${close[@]}" --show poses,legend
draw figure5_sweep "${close[@]}" --show sweep,legend
draw figure5_stop "${close[@]}" --show stop,contacts,legend

# Figure 6: visits to the hall and the living room of a made house, and how they end.
"$tocsin" make-room "$work/house.ply" --triangles 100k --seed 1
house=(--env "$work/house.ply" --ignore '*foot*:Floor*' --ignore '*foot*:Carpet*' --size 960x608)
hall=(--place 0.17,0,-4.91,90 --frame 105)
living=(--place 3.2,0,3.0,180 --frame 73)
draw figure6_hall "${house[@]}" "${hall[@]}" --trail 0:90:15 --show stop,contacts,legend \
  --camera 3.9,3,-1.7 --look-at -0.1,0.9,-4.9 --fov 38
draw figure6_stand "${house[@]}" "${hall[@]}" --camera 2.75,1.75,-4 --look-at 0.85,0.95,-4.95
draw figure6_living "${house[@]}" "${living[@]}" --trail 0:60:12 --show stop,contacts,legend \
  --camera -0.3,2.6,5.3 --look-at 2.75,0.75,3.1 --fov 44
draw figure6_sofa "${house[@]}" "${living[@]}"

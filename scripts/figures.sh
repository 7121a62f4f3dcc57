#!/usr/bin/env bash
# Draws the pictures of docs/render.md, docs/made.md and docs/gallery.md anew. docs/img/ keeps what it drew with llvmpipe; another renderer's pictures
# look the same, but not bit by bit. The gallery needs the house and the takes of $TOCSIN_DATA, else ../shared/data.
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

# The demo's second story: a mallet that cuts a wire between two frames.
"$tocsin" make-motion "$work/swing.bvh" --kind swing --seconds 2 --rate 30 --mesh "$work/tool.obj"
"$tocsin" check "$work/swing.bvh" --env environments/wire.obj --hold "RightHand=$work/tool.obj" --out "$work/swing.jsonl"
"$tocsin" render "$work/swing.jsonl" --frame 30 --camera -0.9,2.3,2.9 --look-at 0.05,1.15,0.45 --fov 34 --size 1200x750 -o "$folder/swing.png"

# Figure 5: two successive configurations; what lies between them; where the avatar is stopped.
close=("${demo[@]}" --zoom 1.5 --size 1000x640)
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
draw figure6_stand "${house[@]}" "${hall[@]}" --camera 3.05,1.85,-3.85
draw figure6_living "${house[@]}" "${living[@]}" --trail 0:60:12 --show stop,contacts,legend \
  --camera -0.3,2.6,5.3 --look-at 2.75,0.75,3.1 --fov 44
draw figure6_sofa "${house[@]}" "${living[@]}"

# The made house from above, with the demo's take in its hall.
draw made_house --env "$work/house.ply" --place 0.17,0,-4.91,90 --trail 0:105:21 --show none \
  --camera 1,16.5,10 --look-at -0.2,0,0.35 --fov 46 --size 840x525

# The gallery.
data=${TOCSIN_DATA:-../shared/data}
[ -d "$data" ] || { say "no $data: the gallery stays as it is"; exit 0; }
house=$data/environments/small_house.obj
cmu=$data/motions/cmu
out=(--size 880x560 -o)
feet=(--ignore '*foot*:Floor*' --ignore '*foot*:Carpet*' --ignore '*shin*:Floor*')
sofa=("$cmu/02_01.amc" --env "$house" --place -1.2,0.02,-0.9 "${feet[@]}")
"$tocsin" render "${sofa[@]}" --trail 0:310:62 --show stop,contacts,legend --size 720x460 -o "$folder/gallery_way.png"
"$tocsin" check "${sofa[@]}" --out "$work/sofa.jsonl"
"$tocsin" render "$work/sofa.jsonl" --episode 1 "${out[@]}" "$folder/gallery_sofa.png"
"$tocsin" render "$work/sofa.jsonl" --frame 338 --show stop,contacts,legend "${out[@]}" "$folder/gallery_inside.png"
"$tocsin" render "$work/sofa.jsonl" --sheet --size 880x580 -o "$folder/gallery_sheet.png"
"$tocsin" make-motion "$work/reach.bvh" --kind reach --seconds 8 --rate 60
"$tocsin" render "$work/reach.bvh" --env "$house" --place 5.2,0.02,-0.95,90 --ignore '*foot*:Floor*' --avatar humanoid_hands \
  --frame 29 --stride 2 --zoom 5 "${out[@]}" "$folder/gallery_hands.png"
"$tocsin" render "$cmu/02_05.amc" "$cmu/02_07.amc" --env "$house" --place -0.6,0.02,-1.8 --place 0.7,0.02,-0.8,180 \
  "${feet[@]}" "${out[@]}" "$folder/gallery_meet.png"

# What a server saw of a take that was sent to it.
"$tocsin" serve --env "$house" --record "$work/records" --listen 127.0.0.1:50977 >"$work/serve.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
until grep -q 'listening on' "$work/serve.log"; do sleep 0.1; done
"$tocsin" send "$cmu/02_01.amc" --to 127.0.0.1:50977 --place -1.2,0.02,-0.9 "${feet[@]}" >/dev/null
kill -TERM "$server"
wait "$server" || true
"$tocsin" render "$work"/records/*.jsonl --show stop,contacts,legend "${out[@]}" "$folder/gallery_service.png"

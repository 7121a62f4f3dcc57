#!/usr/bin/env bash
# The pictures of README and docs/view.md: docs/img/window.png, and docs/img/window.webp, 20 seconds of the demo's contact.
# Drawn without a screen; the clip needs ffmpeg, which nothing else needs.
#   scripts/view_pictures.sh [COMMAND]      (build/bin/tocsin)
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

tocsin=$(realpath "${1:-build/bin/tocsin}")
[ -x "$tocsin" ] || die "there is no $tocsin: ./run build makes it"
largest=3000000 # bytes of the clip
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
take=(motions/walk_and_reach.bvh --env environments/music_room.obj --clearance)

cat >"$folder/picture" <<EOT
key n
key x
screenshot $folder/window.png
EOT
"$tocsin" view "${take[@]}" --offscreen --size 1280x720 --script "$folder/picture"
mv "$folder/window.png" docs/img/window.png
say "docs/img/window.png: $(stat -c %s docs/img/window.png) bytes"

command -v ffmpeg >/dev/null || die "the clip needs ffmpeg; apt-get install ffmpeg"
# Twenty seconds: the walk, the swing slower and slower until the contact, around it with what the links sweep, on through the step, the end, and
# back at the contact what of the room's tree is near.
{
  printf 'key n\nseek 0.3\nfilm %s\n' "$folder/clip.mp4"
  printf 'key space\nwait 3\nkey [\nwait 0.6\nkey [\nwait 1.1\nkey [\nwait 1.4\nkey space\nwait 0.6\nkey x\nwait 0.6\n'
  for _ in $(seq 30); do printf 'key left\nwait 0.07\n'; done
  for _ in $(seq 40); do printf 'key right\nwait 0.07\n'; done
  printf 'key n\nwait 1\nkey space\nwait 2.4\nkey x\nkey ]\nkey ]\nwait 1.8\nkey ]\nwait 0.4\n'
  printf 'key n\nwait 0.6\nkey t\nwait 1.6\n'
  echo "film end"
} >"$folder/film"
"$tocsin" view "${take[@]}" --offscreen --size 960x600 --script "$folder/film"
ffmpeg -v error -y -i "$folder/clip.mp4" -vf "fps=12,scale=800:-2:flags=lanczos" -c:v libwebp_anim -quality 70 -loop 0 "$folder/window.webp"
bytes=$(stat -c %s "$folder/window.webp")
[ "$bytes" -le "$largest" ] || die "the clip has $bytes bytes, more than $largest"
mv "$folder/window.webp" docs/img/window.webp
say "docs/img/window.webp: $bytes bytes"

#!/usr/bin/env bash
# ./run demo: a fast arm and a thin music stand. What sampling the frames finds, what Tocsin finds, and a second
# opinion on that. Fails if the story it tells is not what the command found. docs/guides/demo.md explains it with a picture.
#   scripts/demo.sh [COMMAND]      (build/bin/tocsin)
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

tocsin=${1:-build/bin/tocsin}
[ -x "$tocsin" ] || die "there is no $tocsin: ./run build makes it"
take=(motions/walk_and_reach.bvh --env environments/music_room.obj)
mkdir -p build/demo
report=build/demo/report.jsonl

# show ARGUMENTS...: prints a tocsin command line, then runs it; keeps its output in $shown.
show() {
  printf '\n$ %s\n' "tocsin $*"
  shown=$("$tocsin" "$@")
  [ -z "$shown" ] || printf '%s\n' "$shown" | sed 's/./  &/'
}

cat <<'EOT'
A person walks through a door, stops in front of a music stand and swings the right arm across: 130 frames
at 30 Hz. The arm is fast, as arms are: at 10 m/s the hand is 30 cm further from one frame to the next.
EOT

printf '\n'
say "1. Looking at the frames only: does any of them touch anything?"
show check "${take[@]}" --sampled
[[ $shown == *"No contact"* ]] || die "a frame touches something; the demo's point is that none does"
cat <<'EOT'

No. In every frame each link keeps at least 4 cm from all furniture. A frame-by-frame checker is content.
EOT

printf '\n'
say "2. Looking at the motion: is anything touched at any moment?"
show check "${take[@]}"
[[ $shown == *right_forearm*MusicStand* ]] || die "the forearm does not touch the stand; the demo's point is that it does"
cat <<'EOT'

Yes: between frames 105 and 106 the right forearm goes through the stand's mast, a tube of 16 mm, and is past
it in frame 106. Nothing else is touched at any moment, and that is proved, not sampled.
EOT

printf '\n'
say "3. A second opinion: the oracle, slow and simple code of its own, proves every step and bracket again"
show check "${take[@]}" --out "$report"
printf '  its contact: %s\n' "$(sed -nE '0,/"toc":/s/.*("seconds":.*"toc":\[[^]]*\]).*/\1/p' "$report")"
show verify "$report"
cat <<'EOT'

A time is a bracket: the forearm is proved free before its first number and proved touching at its second.
"toc" counts from frame to frame, 0 to 1.
EOT

printf '\n'
say "4. A tool in the hand: two seconds of a mallet that is swung past a thin wire"
swing=build/demo/swing.bvh
tool=build/demo/tool.obj
show make-motion "$swing" --kind swing --seconds 2 --rate 30 --mesh "$tool"
swing_in_room=("$swing" --env environments/wire.obj --hold "RightHand=$tool")
show check "${swing_in_room[@]}" --sampled
[[ $shown == *"No contact"* ]] || die "a frame touches the wire; the demo's point is that none does"
show check "${swing_in_room[@]}"
[[ $shown == *tool*Wire* ]] || die "the tool does not touch the wire; the demo's point is that it does"
show check "${swing_in_room[@]}" --out build/demo/swing.jsonl
show verify build/demo/swing.jsonl
cat <<'EOT'

The wire is 2 mm thin, and in every frame the mallet is more than 9 cm away from it. Between frames 30 and 31 its
head cuts it. The mallet is a mesh that turns with the hand: its triangles are proved, as the arm's links are.
EOT

printf '\n'
say "The pictures: docs/guides/demo.md, docs/img/demo.svg, docs/img/swing.png. All options: $tocsin check --help"

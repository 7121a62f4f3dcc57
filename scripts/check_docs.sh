#!/usr/bin/env bash
# Sees to it that every relative link and picture in the Markdown files leads somewhere, and that the C++ shown in
# README.md and docs/service-client.md is what tests/consumer compiles and runs.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

problems=0
problem() {
  echo "$1" >&2
  problems=$((problems + 1))
}

# Links as FILE:LINE:TARGET; a target's #anchor is not looked at.
while IFS=: read -r file line target; do
  [ -e "$(dirname "$file")/${target%%#*}" ] || problem "$file:$line: the link leads nowhere: $target"
done < <(find . \( -name build -o -name '.[a-z]*' \) -prune -o -name '*.md' -print | sort |
  xargs grep -noE '\]\([^)#][^)]*\)' /dev/null |
  sed -E 's/^\.\///; s/\]\(([^) ]*).*\)$/\1/' | grep -vE ':[0-9]+:(https?|mailto):' || true)

# shown FILE START END: the lines between two markers, less their common four spaces.
snippet=$(sed -n '/\[snippet\]/,/\[end\]/{/\[/!p}' tests/consumer/snippet.cpp | sed 's/^  //')
shown=$(awk '/^```cpp/ { inside = 1; next } /^```/ { inside = 0 } inside' README.md)
[ "$snippet" = "$shown" ] || {
  problem "README.md shows another C++ program than tests/consumer/snippet.cpp:"
  diff <(echo "$shown") <(echo "$snippet") >&2 || true
}

snippet=$(sed -n '/\[snippet\]/,/\[end\]/{/\[snippet\]/d;/\[end\]/d;p}' tests/consumer/live_session.cpp)
shown=$(awk '/^```cpp/ { inside = 1; next } /^```/ { inside = 0 } inside' docs/service-client.md)
[ "$snippet" = "$shown" ] || {
  problem "docs/service-client.md shows another C++ program than tests/consumer/live_session.cpp:"
  diff <(echo "$shown") <(echo "$snippet") >&2 || true
}

[ $problems -eq 0 ] || exit 1
echo "the docs' links lead somewhere"

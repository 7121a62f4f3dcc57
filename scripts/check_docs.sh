#!/usr/bin/env bash
# Checks that every relative link, anchor and picture in the Markdown files leads somewhere, that README.md and the guides are
# short, that every page is on the site and in docs/README.md, and that the C++ shown in README.md and docs/service-client.md
# and the C of docs/c.md are what tests/consumer compiles and runs.
set -euo pipefail
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

problems=0
problem() {
  echo "$1" >&2
  problems=$((problems + 1))
}

# anchors FILE: the anchors that GitHub and mkdocs make of its headings.
anchors() {
  awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ /, ""); print }' "$1" |
    sed -E 's/\[([^]]*)\]\([^)]*\)/\1/g' | tr '[:upper:]' '[:lower:]' | sed -E 's/[^a-z0-9_ -]//g; s/ /-/g'
}

# Links as FILE:LINE:TARGET.
while IFS=: read -r file line target; do
  path=$file
  [ -z "${target%%#*}" ] || path=$(dirname "$file")/${target%%#*}
  if [ ! -e "$path" ]; then
    problem "$file:$line: the link leads nowhere: $target"
  elif [[ $target == *.md#* || $target == \#* ]] && ! grep -qxF -- "${target#*#}" <<<"$(anchors "$path")"; then
    problem "$file:$line: there is no such heading: $target"
  fi
done < <(find . \( -name build -o -name '.[a-z]*' \) -prune -o -name '*.md' -print | sort |
  xargs grep -noE '\]\([^)]+\)' /dev/null |
  sed -E 's/^\.\///; s/\]\(([^) ]*).*\)$/\1/' | grep -vE ':[0-9]+:(https?|mailto):' || true)

# A place in the source that a page names, as in `scene/tree/kdop_tree.h` or `cpu/kernels`, is there.
while IFS=: read -r file line place; do
  compgen -G "src/$place*" >/dev/null || compgen -G "$place*" >/dev/null || problem "$file:$line: there is no such source: $place"
done < <(grep -noE '`(base|core|scene|cpu|gpu|detect|devices|io|make|app|view|service|client|wire|oracle|bench|tests|scripts|src|include)/[A-Za-z0-9_./-]+`' \
  README.md CONTRIBUTING.md src/README.md docs/*.md docs/*/*.md | tr -d '`')

# short FILE LINES: a page that is to be read in one go.
short() {
  local lines
  lines=$(wc -l <"$1")
  [ "$lines" -le "$2" ] || problem "$1: $lines lines, at most $2 are meant"
}
short README.md 149
for page in docs/guides/*.md; do short "$page" 150; done

# Every page stands in the site's navigation, and docs/README.md leads to it.
while read -r page; do
  grep -q ": $page\$" mkdocs.yml || problem "mkdocs.yml: the navigation lacks $page"
  [ "$page" = README.md ] || grep -qF "]($page)" docs/README.md || problem "docs/README.md: no link to $page"
done < <(cd docs && find . -name '*.md' -printf '%P\n' | sort)

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

snippet=$(sed -n '/\[snippet\]/,/\[end\]/{/\[snippet\]/d;/\[end\]/d;p}' tests/consumer/c/snippet.c)
shown=$(awk '/^```c$/ { inside = 1; next } /^```/ { inside = 0 } inside' docs/c.md)
[ "$snippet" = "$shown" ] || {
  problem "docs/c.md shows another C program than tests/consumer/c/snippet.c:"
  diff <(echo "$shown") <(echo "$snippet") >&2 || true
}

[ $problems -eq 0 ] || exit 1
echo "the docs' links lead somewhere"

#!/bin/sh
# Starts Tocsin from wherever this folder lies. The libraries that come along are used, but for the C++ runtime where the
# system has a newer one: a graphics driver of the system may need it.
here=$(dirname -- "$(readlink -f -- "$0")")/..
number() { expr "$1" : '.*\.so\.6\.0\.\([0-9]*\)$'; }
ours=$(number "$(cat "$here/lib/c++/version")")
for folder in /usr/lib/x86_64-linux-gnu /lib/x86_64-linux-gnu /usr/lib64 /lib64 /usr/lib; do
  [ -e "$folder/libstdc++.so.6" ] || continue
  theirs=$(number "$(readlink -f -- "$folder/libstdc++.so.6")")
  if [ "${theirs:-0}" -ge "${ours:-0}" ]; then
    exec "$here/libexec/tocsin" "$@"
  fi
  break
done
LD_LIBRARY_PATH=$here/lib/c++${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
exec "$here/libexec/tocsin" "$@"

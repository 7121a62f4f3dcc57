#!/bin/sh
# Starts Tocsin from wherever this folder lies. The libraries that come along are used, but for the C++ runtime where the
# system has one as new or newer: a graphics driver of the system may need it, and a process has only one.
self=$(readlink -f -- "$0")
here=${self%/*/*}
# Where /proc is not mounted, the loader asks this for the command's folder, by which it finds the libraries.
LD_ORIGIN_PATH=$here/libexec
export LD_ORIGIN_PATH
read -r ours <"$here/lib/c++/version" # libstdc++.so.6.0.30
for folder in /usr/lib/x86_64-linux-gnu /lib/x86_64-linux-gnu /usr/lib64 /lib64 /usr/lib; do
  [ -e "$folder/libstdc++.so.6" ] || continue
  theirs=$(readlink -f -- "$folder/libstdc++.so.6")
  # A name that ends in no number counts as older.
  if [ "${theirs##*.}" -ge "${ours##*.}" ] 2>/dev/null; then
    exec "$here/libexec/tocsin" "$@"
  fi
  break
done
LD_LIBRARY_PATH=$here/lib/c++${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
exec "$here/libexec/tocsin" "$@"

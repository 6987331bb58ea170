#!/bin/sh
# SPDX-License-Identifier: MIT
# The four headers out of their chapters, into the folder $1 (default: where they are committed).
# A line #include "folder/chapter.h" is replaced by the chapter; a header is written only when its
# bytes change.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
to=${1:-$here/..}
for header in dppair.h dppair_losses.h dppair_noise.h dppair_accountant.h; do
  awk -v top="$here/$header" -v folder="$here" '
    function put(file,   line, name, read) {
      while ((read = (getline line < file)) > 0) {
        if (line ~ /^#include "[a-z0-9_]+\/[a-z0-9_\/]+\.h"$/) {
          name = line
          gsub(/^#include "|"$/, "", name)
          put(folder "/" name)
        } else
          print line
      }
      if (read < 0) {
        print "cannot read " file > "/dev/stderr"
        exit 1
      }
      close(file)
    }
    BEGIN { put(top) }' >"$to/$header.new"
  if cmp -s "$to/$header.new" "$to/$header"; then
    rm "$to/$header.new"
  else
    mv "$to/$header.new" "$to/$header"
  fi
done

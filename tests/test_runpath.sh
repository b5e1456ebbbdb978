#!/bin/sh
# test_runpath.sh - no program or library looks for libraries in the current folder.
#
# An empty or relative element of a RUNPATH means "the caller's current folder": whoever can
# write there runs code of his own. Checked in the build tree and in what is installed, which must
# name the same places.
set -u
. "$PW_SOURCE/tests/support/script.sh"

cmake --install "$PW_BUILD" --prefix "$scratch/prefix" >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    exit 1
}
find "$PW_BUILD/bin" "$PW_BUILD/lib" "$PW_BUILD/tests" "$scratch/prefix" -type f \
    \( -perm -u+x -o -name '*.so*' \) >"$scratch/files"
checked=0
while read -r file; do
    readelf -d "$file" 2>/dev/null | sed -n 's/.*R\(UN\)*PATH.*\[\(.*\)\]$/\2/p' >"$scratch/path"
    [ -s "$scratch/path" ] || continue
    checked=$((checked + 1))
    # An element is absolute or starts at the file itself.
    if tr ':' '\n' <"$scratch/path" | sed 's|^$|(empty)|' | grep -vE '^(/|\$ORIGIN(/|$))' ||
        grep -q ':$' "$scratch/path"; then
        fail "$file has the RUNPATH \"$(cat "$scratch/path")\""
    fi
done <"$scratch/files"
[ "$checked" -ge 5 ] || fail "only $checked files with a RUNPATH were found"
exit $failed

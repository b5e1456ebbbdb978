#!/bin/sh
# update_usage.sh - put the output of `bfs --help` into README.md, between its usage marks.
# Usage: tests/bfs/update_usage.sh [BFS]      BFS: the program (default: build/release/bin/bfs)
set -eu
cd "$(dirname "$0")/../.."
bfs=${1:-build/release/bin/bfs}
help=$(mktemp)
trap 'rm -f "$help" README.md.part' EXIT
"$bfs" --help >"$help"
awk -v help="$help" '
    /^<!-- usage:end -->$/ { inside = 0 }
    !inside
    /^<!-- usage:begin -->$/ {
        inside = 1
        print "```"
        while ((getline line <help) > 0) print line
        print "```"
    }' README.md >README.md.part
mv README.md.part README.md

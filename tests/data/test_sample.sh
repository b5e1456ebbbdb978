#!/bin/sh
# test_sample.sh - the sample graph is what its page says, and its questions have the answers they should.
set -u
data=$PW_SOURCE/data/sample
bin=$PW_BUILD/bin
fail() { echo "test_sample: $*" >&2; exit 1; }

# Every border is there once in each direction, and no name has a blank.
sorted() { LC_ALL=C sort; }
there=$(grep -v '^#' "$data/borders.tsv" | sorted) || fail "no borders"
back=$(grep -v '^#' "$data/borders.tsv" | awk -F '\t' '{ print $2 "\t" $1 }' | sorted)
[ "$there" = "$back" ] || fail "a border has one direction only"
[ -z "$(printf '%s\n' "$there" | uniq -d)" ] || fail "a border is there twice"
[ "$(printf '%s\n' "$there" | wc -l)" -eq 650 ] || fail "not 325 borders"
grep -v '^#' "$data/borders.tsv" | grep -q ' ' && fail "a name has a blank"

info=$("$bin/graph-info" "$data/borders.tsv") || fail "graph-info failed"
printf '%s\n' "$info" | grep -q '^nodes  *165$' || fail "not 165 nodes"

# The hops of each question, counted from the paths.
answers=$("$bin/bfs" "$data/borders.tsv" "$data/borders-pairs.tsv" --format csv --counters none) || fail "bfs failed"
hops=$(printf '%s\n' "$answers" | awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "hops") c = i; next }
    $1 ~ /^[0-9]+$/ { printf "%s ", $c == "" ? "-" : $c }')
[ "$hops" = "3 4 4 5 5 6 6 7 8 - " ] || fail "hops: $hops"

#!/bin/sh
# test_short_memory.sh - with less and less memory bfs runs, or says in one line what did not fit.
#
# 1. A graph is searched by an engine that needs the reverse adjacency, under a falling limit of
#    the address space.
# 2. Every run either answers with status 0 or fails with status 1 and one line; where the reverse
#    adjacency did not fit, the line names the graph file.
# 3. Under a falling limit a question by name is answered, or memory is what is said to be missing;
#    a path is written to its last node or the run fails; a line without an end in a pipe takes no memory,
#    nor does a comment of GraphML.
# 4. A search of a single trial leaves nothing but its pair and its number, 16 bytes.
# shellcheck disable=SC3045 # dash, bash and busybox have ulimit -v
set -u
. "$PW_SOURCE/tests/support/script.sh"
bfs=$PW_BUILD/bin/bfs
case $PW_SANITIZE in
?*)
    skip "a sanitizer needs more address space than any limit here"
    ;;
esac
[ "$PW_BUILD_TYPE" = Release ] || skip "release builds show it, in a third of the time"
(ulimit -v 4000000) 2>/dev/null || skip "this shell cannot limit the address space"
"$PW_BUILD/bin/graph-convert" --quiet generate:nodes=20000,edges=400000 "$scratch/graph.txt" || exit 1

kib=90000
status=0
while [ $status -ne 127 ] && [ $kib -gt 0 ]; do # 127: too little for the dynamic linker
    (
        ulimit -v $kib
        exec "$bfs" "$scratch/graph.txt" random:3 --engine direction-optimizing --threads 1 --quiet
    ) >"$scratch/out" 2>"$scratch/err"
    status=$?
    if [ $status -gt 1 ] && [ $status -ne 127 ]; then
        fail "$kib KiB: status $status: $(cat "$scratch/err")"
    fi
    if [ $status -eq 1 ] && { [ "$(wc -l <"$scratch/err")" -ne 1 ] ||
        ! grep -q '^bfs: .*memory' "$scratch/err"; }; then
        fail "$kib KiB: it said: $(cat "$scratch/err")"
    fi
    [ $status -ne 1 ] || cat "$scratch/err" >>"$scratch/said"
    kib=$((kib - 1000))
done
sort "$scratch/said" | uniq -c
grep -q "bfs: $scratch/graph.txt: out of memory for the reverse adjacency" "$scratch/said" ||
    fail "no line names the graph whose reverse adjacency did not fit"

missed() { # missed WHAT: under the present limit
    fail "$kib KiB: status $status: $1: $(head -c 300 "$scratch/err")"
}

# A chain of 10,000 nodes with long names, from a snapshot: there may be no memory for the table of
# names or for the text of a path.
awk 'BEGIN { for (i = 0; i < 10000; i++) printf "n%0200d\tn%0200d\n", i, i + 1 }' \
    >"$scratch/names.tsv"
"$PW_BUILD/bin/graph-convert" "$scratch/names.tsv" "$scratch/names.pwg" --quiet || exit 1
from=$(printf 'n%0200d' 0)
to=$(printf 'n%0200d' 10000)

# Ask a question with options $1 under the limit.
ask() {
    (
        ulimit -v "$kib"
        # shellcheck disable=SC2086 # several options
        exec "$bfs" "$scratch/names.pwg" $1 --threads=1 --quiet
    ) >"$scratch/out" 2>"$scratch/err"
    status=$?
    if grep -q 'no node.* is called' "$scratch/out" "$scratch/err"; then
        missed "a name of the graph was not found"
    fi
    if [ $status -eq 1 ] && ! grep -q '^bfs: ..*' "$scratch/err"; then
        missed "it is not said what failed"
    fi
}

path_of() { # the column of a table's path: 2 MB, in which a pattern of sed looks for long
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "path") column = i }
        / -> n/ { print $column }' "$1"
}

# What is written of the path without a limit; times differ.
kib=unlimited
ask "--from $from --to $to --all-shortest"
grep '> n' "$scratch/out" >"$scratch/listed"
ask "--from $from --to $to --path --format=csv --engine=array"
path_of "$scratch/out" >"$scratch/path"
for file in listed path; do
    [ "$(wc -c <"$scratch/$file")" -gt 2000000 ] || missed "no path without a limit"
done

kib=70000
status=0
while [ $status -ne 127 ] && [ $kib -gt 0 ]; do
    for engine in "" --engine=array; do
        ask "--from $from --to $to --all-shortest $engine"
        if [ $status -eq 0 ] && ! grep '> n' "$scratch/out" | cmp -s - "$scratch/listed"; then
            missed "the shortest path is not whole"
        fi
    done
    ask "--from $from --to $to --path --format=csv --engine=array"
    if [ $status -eq 0 ] &&
        ! path_of "$scratch/out" | cmp -s - "$scratch/path"; then
        missed "the path is not whole"
    fi
    printf '%s\t%s\n' "$from" "$to" >"$scratch/pairs"
    ask "- --engine=array --path --format=csv" <"$scratch/pairs"
    if [ $status -eq 0 ] &&
        ! path_of "$scratch/out" | cmp -s - "$scratch/path"; then
        missed "the path of a pair is not whole"
    fi
    kib=$((kib - 1000))
done

kib=80000 # less than what comes in one line
{
    printf '%s\t%s\n' "$from" "$(printf 'n%0200d' 1)"
    head -c 100000000 /dev/zero | tr '\0' a # a line without an end
} | (
    ulimit -v $kib
    exec "$bfs" "$scratch/names.pwg" - --threads=1 --engine=array --format=csv
) >"$scratch/out" 2>"$scratch/err"
status=$?
if [ $status -ne 1 ] || ! grep -q ':2: the line is longer than 1.0 MiB$' "$scratch/err"; then
    missed "a line too long to keep is not refused"
fi
[ "$(wc -l <"$scratch/out")" -eq 2 ] || missed "the pair before it is not answered"
"$bfs" "$scratch/names.pwg" - <&- >"$scratch/out" 2>"$scratch/err"
status=$?
if [ $status -ne 1 ] || ! grep -q '^bfs: standard input: cannot be read' "$scratch/err"; then
    missed "pairs that cannot be read were taken for none"
fi

# What is not needed of a GraphML file is not kept.
(
    printf '<graphml><!--'
    head -c 100000000 /dev/zero | tr '\0' '\n'
    printf -- '--><graph edgedefault="directed"><node id="a"/><data><![CDATA['
    head -c 100000000 /dev/zero | tr '\0' a
    printf ']]></data></graph></graphml>'
) >"$scratch/long"
(
    ulimit -v $kib
    exec "$PW_BUILD/bin/graph-info" --quiet "$scratch/long"
) >"$scratch/out" 2>"$scratch/err" || grep -q "without libexpat" "$scratch/err" ||
    fail "a long comment of GraphML: $(cat "$scratch/err")"

# What is needed of it counts while it is read, also the names of elements, which libexpat keeps.
million_bytes() {
    head -c 1000000 /dev/zero | tr '\0' x
}
{
    printf '<graphml><key id="d" for="node" attr.name="label"/><graph edgedefault="directed">'
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
        printf '<node id="n%d"><data key="d">%s%d</data></node>' $i "$(million_bytes)" $i
    done
    printf '</graph></graphml>'
} >"$scratch/labels"
{
    printf '<graphml><graph edgedefault="directed"><node id="a"/>'
    seq -f '<e%.0f/>' 1 600000
    printf '</graph></graphml>'
} >"$scratch/elements"
for file in labels elements; do
    (
        ulimit -v 90000
        exec "$PW_BUILD/bin/graph-info" --quiet --threads=1 --memory-limit=20M "$scratch/$file"
    ) >"$scratch/out" 2>"$scratch/err"
    status=$?
    grep -q "without libexpat" "$scratch/err" || { [ $status -eq 1 ] &&
        grep -q "ids and labels do not fit: they need 2[0-9].[0-9] MiB of memory" "$scratch/err"; } ||
        missed "$file of GraphML beyond the limit are kept"
done

peak() {
    "$bfs" generate:nodes=1k,edges=2k "random:$1" --engine=array --counters=none --format=json |
        sed -n 's/.*"peak_rss_bytes": \([0-9]*\).*/\1/p'
}
few=$(peak 1k)
many=$(peak 100k)
[ $((many - few)) -le $((100000 * 32)) ] || fail "100,000 searches keep $((many - few)) bytes"
exit $failed

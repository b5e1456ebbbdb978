#!/bin/sh
# test_short_memory.sh - with less and less memory bfs runs, or says in one line what did not fit.
#
# 1. A graph is searched by an engine that needs the reverse adjacency, under a falling limit of
#    the address space.
# 2. Every run either answers with status 0 or fails with status 1 and one line; where the reverse
#    adjacency did not fit, the line names the graph file.
# 3. Under a falling limit a question by name is answered, or memory is what is said to be missing;
#    all shortest paths are listed or the run fails; a line too long to read is no end of the input.
# 4. A search of a single trial leaves nothing behind but its pair and its number, 16 bytes.
# shellcheck disable=SC3045 # dash, bash and busybox have ulimit -v
set -u
bfs=$PW_BUILD/bin/bfs
case $PW_SANITIZE in
?*)
    echo "skipped: a sanitizer needs more address space than any limit here"
    exit 77
    ;;
esac
[ "$PW_BUILD_TYPE" = Release ] || {
    echo "skipped: release builds show it, in a third of the time"
    exit 77
}
(ulimit -v 4000000) 2>/dev/null || {
    echo "skipped: this shell cannot limit the address space"
    exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
"$PW_BUILD/bin/graph-generate" --nodes 20000 --edges 400000 --output "$folder/graph.txt" || exit 1

kib=200000
status=0
while [ $status -ne 127 ] && [ $kib -gt 0 ]; do # 127: too little for the dynamic linker
    (
        ulimit -v $kib
        exec "$bfs" "$folder/graph.txt" random:3 --engine direction-optimizing --threads 1 --quiet
    ) >"$folder/out" 2>"$folder/err"
    status=$?
    if [ $status -gt 1 ] && [ $status -ne 127 ]; then
        echo "FAILED: $kib KiB: status $status: $(cat "$folder/err")"
        failed=1
    fi
    if [ $status -eq 1 ] && { [ "$(wc -l <"$folder/err")" -ne 1 ] ||
        ! grep -q '^bfs: .*memory' "$folder/err"; }; then
        echo "FAILED: $kib KiB: it said: $(cat "$folder/err")"
        failed=1
    fi
    [ $status -ne 1 ] || cat "$folder/err" >>"$folder/said"
    kib=$((kib - 1000))
done
sort "$folder/said" | uniq -c
grep -q "bfs: $folder/graph.txt: out of memory for the reverse adjacency" "$folder/said" || {
    echo "FAILED: no line names the graph whose reverse adjacency did not fit"
    failed=1
}

fail() {
    echo "FAILED: $kib KiB: status $status: $1: $(head -c 300 "$folder/err")"
    failed=1
}

# A chain of 50,000 nodes with long names, from a snapshot: there may be no memory for the table of
# names or for the text of a path.
awk 'BEGIN { for (i = 0; i < 50000; i++) printf "n%0200d\tn%0200d\n", i, i + 1 }' \
    >"$folder/names.tsv"
"$PW_BUILD/bin/graph-convert" "$folder/names.tsv" "$folder/names.pwg" --quiet || exit 1
from=$(printf 'n%0200d' 0)
to=$(printf 'n%0200d' 50000)

# Ask a question with options $1 under the limit.
ask() {
    (
        ulimit -v "$kib"
        # shellcheck disable=SC2086 # several options
        exec "$bfs" "$folder/names.pwg" $1 --threads=1 --engine=array --quiet
    ) >"$folder/out" 2>"$folder/err"
    status=$?
    if grep -q 'no node.* is called' "$folder/out" "$folder/err"; then
        fail "a name of the graph was not found"
    fi
}

kib=110000
status=0
while [ $status -ne 127 ] && [ $kib -gt 0 ]; do
    ask "--from $from --to $to --all-shortest"
    if [ $status -eq 0 ] && ! grep -q '^  -> n' "$folder/out"; then
        fail "the shortest path is missing"
    fi
    ask "--from $from --to $to --path --format=csv"
    if [ $status -eq 0 ] && ! grep -q ',n.* -> n' "$folder/out"; then
        fail "the path is missing"
    fi
    printf '%s\t%s\n' "$from" "$to" >"$folder/question"
    ask "--interactive" <"$folder/question"
    if [ $status -eq 0 ] && ! grep -q '"found":true\|"error":"out of memory"' "$folder/out"; then
        fail "the question is not answered"
    fi
    kib=$((kib - 3000))
done

kib=100000
(
    head -c 200000000 /dev/zero | tr '\0' a | (
        ulimit -v $kib
        exec "$bfs" "$folder/names.pwg" --interactive --quiet --threads=1 --engine=array
    )
) >"$folder/out" 2>"$folder/err"
status=$?
if [ $status -ne 1 ] || ! grep -q '^bfs: .*memory' "$folder/err"; then
    fail "a line too long to read was taken for the end"
fi
"$bfs" "$folder/names.pwg" --interactive --quiet <&- >"$folder/out" 2>"$folder/err"
status=$?
if [ $status -ne 1 ] || ! grep -q '^bfs: standard input cannot be read' "$folder/err"; then
    fail "questions that cannot be read were taken for none"
fi

peak() {
    "$bfs" generate:nodes=1k,edges=2k "random:$1" --engine=array --counters=none --format=json |
        sed -n 's/.*"peak_rss_bytes": \([0-9]*\).*/\1/p'
}
few=$(peak 1k)
many=$(peak 100k)
if [ $((many - few)) -gt $((100000 * 32)) ]; then
    echo "FAILED: 100,000 searches keep $((many - few)) bytes"
    failed=1
fi
exit $failed

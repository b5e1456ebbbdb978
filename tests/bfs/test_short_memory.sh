#!/bin/sh
# test_short_memory.sh - with less and less memory bfs runs, or says in one line what did not fit.
#
# 1. A graph is searched by an engine that needs the reverse adjacency, under a falling limit of
#    the address space.
# 2. Every run either answers with status 0 or fails with status 1 and one line; where the reverse
#    adjacency did not fit, the line names the graph file.
# shellcheck disable=SC3045 # dash, bash and busybox have ulimit -v
set -u
bfs=$PW_BUILD/bin/bfs
case $PW_SANITIZE in
?*)
    echo "skipped: a sanitizer needs more address space than any limit here"
    exit 77
    ;;
esac
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
exit $failed

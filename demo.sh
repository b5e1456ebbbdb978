#!/bin/sh
# demo.sh - set up, build, and run the main job: 100 searches with list nodes from a slab, and then
# with malloc, pool and slab, side by side.
#
# Usage: ./demo.sh [--full | --web | --wikipedia | --wikipedia=WIKI]
#   (nothing)    a generated graph shaped like Wikipedia 2007, of 40,000 nodes, five rounds; less
#                than a minute
#   --full       one of the size of the real graph: 3,566,907 nodes, 45,030,389 edges, one round;
#                4 GB of memory and, mostly for malloc, some 20 minutes
#   --web        the page of bfs-web, on the land borders of the world; Ctrl-C ends it
#   --wikipedia  the real graph, downloaded to .cache (some 700 MB there), and the challenge's pairs
#   --wikipedia=simple   the Wikipedia of today in Simple English (some 200 MB): how two articles
#                are connected; in other languages too: =de, =en (11 GB); offline, what an earlier
#                run has fetched
# Exit: 0 done, 1 something failed (it says what), 2 usage, 130 interrupted.
set -eu
cd "$(dirname "$0")"

fail() {
    echo "demo.sh: $*" >&2
    exit 1
}

step() {
    printf '\n== %s\n' "$*"
}

# quietly COMMAND...: its output only when it fails, then the end; on a terminal the percentage of a
# build as it goes on.
quietly() {
    {
        code=0
        "$@" 2>&1 || code=$?
        echo "$code" >"$results/status"
    } | tee "$results/log" | if [ -t 1 ]; then
        awk 'match($0, /^\[ *[0-9]+%\]/) { printf "\r%s", substr($0, 1, RLENGTH); fflush() }
            END { printf "\r      \r" }'
    else
        cat >/dev/null
    fi
    [ "$(cat "$results/status")" = 0 ] || {
        cat "$results/log" >&2
        fail "\"$*\" failed, see above"
    }
}

# newest_in_cache WIKI: the folder of the newest dumps that an earlier run has fetched whole, or nothing.
newest_in_cache() {
    newest=
    for folder in ".cache/$1"-????????; do
        whole=yes
        for table in page page_props redirect pagelinks; do
            [ -e "$folder/${folder#.cache/}-$table.sql.gz" ] || whole=
        done
        [ -z "$whole" ] || newest=$folder # they come in the order of their dates
    done
    echo "$newest"
}

cleanup() {
    rm -rf "$results"
}

wikipedia=
graph=generate:nodes=40k
pairs=random:100
rounds=5
case ${1:-} in
'') ;;
--full)
    graph=generate:wikipedia
    rounds=1
    ;;
--web) ;;
--wikipedia)
    wikipedia=yes
    graph=.cache/wikipedia-20070206.mtx
    pairs=data/wikipedia/wikipedia-20070206-pairs.txt
    rounds=1
    ;;
--wikipedia=?*)
    wikipedia=${1#--wikipedia=}wiki
    ;;
-h | --help)
    sed -n '2,15s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
*)
    echo "demo.sh: unknown option \"$1\"; there are --full, --web, --wikipedia, --wikipedia=simple, --help" >&2
    exit 2
    ;;
esac

results=$(mktemp -d)
trap cleanup EXIT
trap 'cleanup; exit 130' INT
trap 'cleanup; exit 143' TERM

step "Setting up"
./setup.sh build
if [ "${1:-}" = --web ]; then
    ./setup.sh web
    step "Building"
    quietly cmake --preset release
    quietly cmake --build --preset release --target bfs pwgraph -j "$(getconf _NPROCESSORS_ONLN)"
    python=python3
    "$python" -c 'import numpy, prometheus_client, starlette, uvicorn' 2>/dev/null || python=/usr/bin/python3
    step "Land borders, to ask in a browser"
    cleanup
    export POINTER_WARS_LIBRARY=build/release/lib/libpwgraph.so POINTER_WARS_BFS=build/release/bin/bfs
    PYTHONPATH=python/src exec "$python" -m pointer_wars.web --title="Land borders" \
        --noun=country/countries data/sample/borders.tsv
fi
case $wikipedia in
?*wiki)
    command -v curl >/dev/null 2>&1 || ./setup.sh download || true
    step "Looking for the dumps of $wikipedia"
    wikipedia/fetch "$wikipedia" | tee "$results/fetched"
    folder=$(sed -n 's/^Next: wikipedia-import \(.*\) .*/\1/p' "$results/fetched")
    if [ -z "$folder" ]; then
        folder=$(newest_in_cache "$wikipedia")
        [ -n "$folder" ] || fail "without the dumps there is no graph; ./demo.sh alone works offline: it generates one"
        echo "Taking what was fetched before: $folder"
    fi
    step "Building"
    quietly cmake --preset release
    quietly cmake --build --preset release --target bfs pwgraph wikipedia-import -j "$(getconf _NPROCESSORS_ONLN)"
    step "Importing them"
    build/release/bin/wikipedia-import "$folder" "$folder.pwg"
    step "How are two articles connected?"
    build/release/bin/bfs "$folder.pwg" --from "Ada Lovelace" --to Banana
    echo "Ask on: POINTER_WARS_LIBRARY=build/release/lib/libpwgraph.so PYTHONPATH=python/src python3 -m pointer_wars $folder.pwg"
    exit 0
    ;;
esac
if [ "$wikipedia" ]; then
    step "Looking for the graph"
    command -v curl >/dev/null 2>&1 || ./setup.sh download
    data/wikipedia/download.sh .cache
fi

step "Building"
quietly cmake --preset release
quietly cmake --build --preset release --target bfs -j "$(getconf _NPROCESSORS_ONLN)"

bfs=build/release/bin/bfs
step "100 searches in $graph, with list nodes from a slab"
$bfs "$graph" "$pairs" --alloc=slab --progress=never # its lines are the progress
step "Side by side: the same 100 searches"
$bfs "$graph" "$pairs" --alloc=malloc,pool,slab --trials="$rounds"
case $graph in *:* | /*) here=$graph ;; *) here=$PWD/$graph ;; esac
case $pairs in *:* | /*) there=$pairs ;; *) there=$PWD/$pairs ;; esac
echo
echo "The challenge's own command line works in the folder of the program:"
echo "    cd build/release/bin && ./bfs $here $there --alloc=pool"

#!/bin/sh
# demo.sh - set up, build, and run the main job: 100 searches with list nodes from a pool, and the
# same with malloc and with slab, side by side.
#
# Usage: ./demo.sh [--full | --wikipedia]
#   (nothing)    a generated graph shaped like Wikipedia 2007, of 100,000 nodes; about a minute
#   --full       one of the size of the real graph: 3,566,907 nodes, 45,030,389 edges; 4 GB of
#                memory and, mostly for malloc, some 20 minutes
#   --wikipedia  the real graph, downloaded to .cache (some 700 MB there), and the challenge's pairs
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

# run ALLOCATOR OPTION...: the searches; the report to the terminal and to $results/ALLOCATOR.
run() {
    allocator=$1
    shift
    {
        code=0
        build/release/bin/bfs "$graph" "$pairs" --alloc="$allocator" "$@" || code=$?
        echo "$code" >"$results/status"
    } | tee "$results/$allocator"
    code=$(cat "$results/status")
    [ "$code" = 0 ] || exit "$code"
}

# The last lines: one row per allocator, from the summaries of their reports.
compare() {
    awk '
        FNR == 1 { name[++count] = FILENAME; sub(".*/", "", name[count]) }
        /^ +wall time of the searches/ { seconds[count] = $NF }
        /^ +overall nodes\/s/ { rate[count] = $NF }
        /^ +malloc calls/ { mallocs[count] = $NF }
        /^ +free calls/ { frees[count] = $NF }
        END {
            row = "%-9s  %13s  %11s  %13s  %13s  %s\n"
            printf row, "allocator", "wall time [s]", "nodes/s", "malloc calls", "free calls", \
                "speed"
            for (i = 1; i <= count; i++)
                printf row, name[i], sprintf("%.3f", seconds[i]), sprintf("%.0f", rate[i]),
                    mallocs[i], frees[i], sprintf("%.2f x", seconds[1] / seconds[i])
        }' "$results/malloc" "$results/pool" "$results/slab"
}

cleanup() {
    rm -rf "$results"
}

wikipedia=
graph=generate:nodes=100k
pairs=random:100
case ${1:-} in
'') ;;
--full) graph=generate:wikipedia ;;
--wikipedia)
    wikipedia=yes
    graph=.cache/wikipedia-20070206.mtx
    pairs=data/wikipedia/wikipedia-20070206-pairs.txt
    ;;
-h | --help)
    sed -n '2,10s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
*)
    echo "demo.sh: unknown option \"$1\"; there are --full, --wikipedia, --help" >&2
    exit 2
    ;;
esac

results=$(mktemp -d)
trap cleanup EXIT
trap 'cleanup; exit 130' INT
trap 'cleanup; exit 143' TERM

step "Setting up"
./setup.sh build
if [ "$wikipedia" ]; then
    step "Looking for the graph"
    command -v curl >/dev/null 2>&1 || ./setup.sh download
    data/wikipedia/download.sh .cache
fi

step "Building"
quietly cmake --preset release
quietly cmake --build --preset release --target bfs -j "$(getconf _NPROCESSORS_ONLN)"

step "100 searches in $graph, with list nodes from a pool"
run pool --progress=never # its lines are the progress
step "The same with malloc"
run malloc --quiet >/dev/null
step "The same with slab"
run slab --quiet >/dev/null
step "Side by side: the same 100 searches"
compare

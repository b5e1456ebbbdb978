#!/bin/sh
# pgo.sh - build everything guided by a profile of searches: build/pgo/bin. Needs gcc.
#
# 1. Build bfs so that it counts its branches and calls.
# 2. Let every engine search a generated graph; then the allocators that people choose, and the
#    reader of graph files.
# 3. Build again, guided by the counts, which stay beside their objects.
# In a file that the training runs, gcc compiles for size what the training never reaches: what
# should be fast belongs into the training. A file that the training never links is built as in lto.
# -fno-peel-loops: once gcc has peeled the usual number of turns off a loop, it takes the rest for
# unlikely and makes it small. In the copying of neighbours it is not: searches were a tenth slower.
#
# Usage: perf/bench/pgo.sh [TARGET...]   what to build in the end (default: everything)
#        JOBS=N                    processes at a time (default: as many as processors)
# Exit: 0 built, 1 failed, 2 wrong usage. build/pgo/trained is there once all is done; it is as old
# as the sources that were trained.
set -eu
cd "$(dirname "$0")/../.."

case ${1:-} in
-h | --help)
    sed -n '2,16s/^# \{0,1\}//p' perf/bench/pgo.sh
    exit 0
    ;;
-*)
    echo "pgo.sh: see --help" >&2
    exit 2
    ;;
esac

compiler=${CC:-$(command -v cc || command -v gcc || echo gcc)}
# shellcheck disable=SC2086 # CC may be words, such as ccache gcc
case $($compiler -dM -E -x c /dev/null 2>/dev/null) in
*__clang__*) known=no ;;
*__GNUC__*) known=yes ;;
*) known=no ;;
esac
[ $known = yes ] || {
    echo "pgo.sh: needs gcc, and $compiler is not: CC=gcc perf/bench/pgo.sh" >&2
    exit 1
}

jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
unset GCOV_PREFIX GCOV_PREFIX_STRIP # would send the profile elsewhere
mkdir -p build/pgo
rm -rf build/pgo/trained build/pgo/CMakeCache.txt build/pgo/CMakeFiles # of another compiler, or half
touch build/pgo/training

# configure_and_build FLAGS [TARGET...]: as the build "lto" of perf/builds, with flags of gcc.
configure_and_build() {
    cmake --preset release -B build/pgo -DPW_STATIC=ON -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON \
        "-DCMAKE_C_FLAGS=$1" >/dev/null
    shift
    cmake --build build/pgo -j "$jobs" ${1:+--target "$@"} >/dev/null
}

# train WHAT GRAPH SEARCHES BFS-OPTION...: the result does not matter, but it must be one.
train() {
    echo "pgo.sh: training: $1"
    graph=$2
    searches=$3
    shift 3
    build/pgo/bin/bfs "$graph" random:"$searches" --quiet --progress=never "$@" >/dev/null
}

echo "pgo.sh: building with counters"
configure_and_build '-fprofile-generate -fprofile-update=atomic' bfs graph-convert
find build/pgo -name '*.gcda' -exec rm -f {} +

for engine in $(build/pgo/bin/bfs --list-engines | awk '/^[a-z]/ { print $1 }'); do
    graph=generate:nodes=400k,edges=5M
    [ "$engine" != challenge ] || graph=generate:nodes=50k,edges=600k # its heap ages
    train "$engine" $graph 20 --engine="$engine" --alloc=slab
done
for searches in 100 200 400; do # each with lanes of another width
    train "multi-source, $searches searches" generate:nodes=400k,edges=5M $searches \
        --engine=multi-source
done
for allocator in malloc pool; do
    train "classic on $allocator" generate:nodes=50k,edges=600k 20 --alloc=$allocator
done
build/pgo/bin/graph-convert generate:nodes=50k,edges=600k build/pgo/training.mtx
train "reading a graph" build/pgo/training.mtx 20
rm -f build/pgo/training.mtx
[ -e build/pgo/bfs/CMakeFiles/pw_search.dir/engines/classic.c.gcda ] || {
    echo "pgo.sh: the training wrote no profile" >&2
    exit 1
}

echo "pgo.sh: building with the profile"
configure_and_build '-fprofile-use -fprofile-correction -fno-peel-loops -Wno-missing-profile -Wno-error=coverage-mismatch' \
    "$@"
mv build/pgo/training build/pgo/trained

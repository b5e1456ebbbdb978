#!/bin/sh
# pgo.sh - build bfs and the benchmarks guided by a profile: build/pgo/bin.
#
# 1. Build with -fprofile-generate. 2. Run every engine on a generated graph. 3. Build again with
# the profile. The profile stays in build/pgo, beside the objects it is of.
set -eu
cd "$(dirname "$0")/.."
cmake --preset pgo-train
cmake --build --preset pgo-train
find build/pgo -name '*.gcda' -exec rm -f {} +
for engine in classic mark-on-push unrolled array direction-optimizing multi-source bidirectional; do
    build/pgo/bin/bfs generate:nodes=400k,edges=5M random:20 --engine="$engine" --alloc=slab \
        --quiet --progress=never >/dev/null
    echo "trained on $engine"
done
cmake --preset pgo
cmake --build --preset pgo

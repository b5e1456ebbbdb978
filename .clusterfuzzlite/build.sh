#!/bin/bash -eu
# build.sh - every target with its seeds, its dictionary and the libraries that its loader needs.
#
# The compiler and its options ($CC, $CFLAGS) are the fuzzing service's; PW_FUZZ adds libFuzzer.
cmake -B build/oss-fuzz -DCMAKE_BUILD_TYPE=Debug -DPW_FUZZ=ON -DPW_STATIC=ON -DPW_MPI=OFF
cmake --build build/oss-fuzz -j "$(nproc)" --target fuzz_targets
mkdir -p "$OUT/lib"
for program in build/oss-fuzz/tests/fuzz/fuzz_*; do
    name=${program##*/fuzz_}
    cp "$program" "$OUT/"
    patchelf --set-rpath "\$ORIGIN/lib" "$OUT/fuzz_$name"
    ldd "$program" | awk '/ => \/(usr\/)?lib/ && !/lib(c|m|pthread|dl|rt)\.so/ { print $3 }' |
        xargs -r cp -Lt "$OUT/lib"
    [ ! -d "tests/fuzz/seeds/$name" ] || zip -qj "$OUT/fuzz_${name}_seed_corpus.zip" "tests/fuzz/seeds/$name"/*
    dictionary=tests/fuzz/dictionaries/${name%%_*}.dict
    [ ! -e "$dictionary" ] || cp "$dictionary" "$OUT/fuzz_$name.dict"
done

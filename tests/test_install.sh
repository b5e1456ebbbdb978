#!/bin/sh
# test_install.sh - what is installed can be used: by hand, with pkg-config, with find_package.
#
# 1. Install into a new prefix, and move it: nothing in it may know where it was.
# 2. Build harness_queue.c against it in the three ways, outside this tree, and run it.
# 3. An installed program finds its libraries without being told.
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
fail() {
    echo "failed: $*"
    failed=1
}
# run NAME COMMAND...: the command prints ok.
run() {
    name=$1
    shift
    output=$("$@" 2>&1)
    [ "$? $output" = "0 ok" ] || fail "$name: $output"
}

sanitizer=${PW_SANITIZE:+-fsanitize=$PW_SANITIZE}
cmake --install "$PW_BUILD" --prefix "$scratch/first" >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    exit 1
}
mv "$scratch/first" "$scratch/prefix"
prefix=$scratch/prefix
config=$(find "$prefix" -name pointer_wars-config.cmake)
libraries=${config%/cmake/pointer_wars/*}

for file in "$prefix"/include/linked_list.h "$prefix"/include/queue.h \
    "$prefix"/include/node_allocator.h "$prefix"/include/node_front.h; do
    [ -e "$file" ] || fail "not installed: ${file#"$prefix/"}"
done
grep -rlF -e "$PW_SOURCE" -e "$PW_BUILD" -e "$scratch/first" "$prefix/include" \
    "$libraries/cmake" "$libraries/pkgconfig" >"$scratch/places" &&
    fail "these know where they came from: $(cat "$scratch/places")"

# By hand.
if [ -e "$libraries/libqueue.so" ]; then
    # shellcheck disable=SC2086 # one flag, or none
    "$PW_CC" -Wall -Wextra -Werror $sanitizer -I "$prefix/include" \
        "$PW_SOURCE/tests/libqueue/harness_queue.c" -o "$scratch/by_hand" -L "$libraries" -lqueue ||
        fail "building by hand"
    run "by hand" env LD_LIBRARY_PATH="$libraries" "$scratch/by_hand"
fi

# With pkg-config.
export PKG_CONFIG_PATH="$libraries/pkgconfig"
static=
[ -e "$libraries/libqueue.so" ] || static=--static
# shellcheck disable=SC2046,SC2086 # words
"$PW_CC" $sanitizer $(pkg-config --cflags queue) "$PW_SOURCE/tests/libqueue/harness_queue.c" \
    -o "$scratch/by_pkg_config" $(pkg-config $static --libs queue) || fail "building with pkg-config"
run "with pkg-config" env LD_LIBRARY_PATH="$libraries" "$scratch/by_pkg_config"

# With find_package.
mkdir "$scratch/consumer"
cp "$PW_SOURCE/tests/libqueue/harness_queue.c" "$PW_SOURCE/tests/liblist/harness.c" "$scratch/consumer"
cat >"$scratch/consumer/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(consumer LANGUAGES C)
find_package(pointer_wars 0.1 REQUIRED)
add_executable(queue_only harness_queue.c)
target_link_libraries(queue_only PRIVATE pointer_wars::queue)
add_executable(both harness.c)
target_link_libraries(both PRIVATE pointer_wars::linked_list pointer_wars::queue)
END
if cmake -S "$scratch/consumer" -B "$scratch/consumer/build" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$PW_CC" -DCMAKE_C_FLAGS="$sanitizer" >"$scratch/log" 2>&1 &&
    cmake --build "$scratch/consumer/build" >>"$scratch/log" 2>&1; then
    run "with find_package" "$scratch/consumer/build/queue_only"
    run "with find_package, both" "$scratch/consumer/build/both"
else
    cat "$scratch/log"
    fail "building with find_package"
fi

for program in "$prefix"/bin/*; do
    "$program" --help >"$scratch/log" 2>&1
    [ $? != 127 ] || fail "${program##*/} does not start: $(cat "$scratch/log")" # the loader's exit
done
exit $failed

#!/bin/sh
# test_published.sh - the challenge's own test program and tree, with these libraries in their place.
#
# 1. A program that includes linked_list.h, or queue.h, and nothing else compiles with gcc and clang as
#    C11, C17, C23 and C++17 without a warning, for the list, the queue and both. It is linked by
#    -L. -llinked_list and -L. -lqueue, and runs on malloc, pool and slab.
# 2. The commands of liblist/README.md are typed in a tree of the published shape (published/), with
#    the judge's plain list as the author's own. Then its targets run with these libraries.
set -u
. "$PW_SOURCE/tests/support/script.sh"
if [ -n "$PW_SANITIZE" ] || [ ! -e "$PW_BUILD/lib/libqueue.so" ]; then
    skip "a stranger links the shared libraries of a build without a sanitizer"
fi
page=$PW_SOURCE/liblist/README.md
program=$PW_SOURCE/tests/liblist/published/linked_list_test_program.c

# in_its_place COMMAND...: it runs with the libraries of this folder and says nothing.
in_its_place() {
    output=$(LD_LIBRARY_PATH=. "$@" 2>&1)
    status=$?
    [ "$status$output" = 0 ] || fail "$*: check $status: $output"
}

# try COMPILER STANDARD: the program, tested part by part.
try() {
    for part in -DTEST_LINKED_LIST -DTEST_QUEUE "-DTEST_LINKED_LIST -DTEST_QUEUE"; do
        case $part in
        *LIST*QUEUE) libraries="-L. -llinked_list -L. -lqueue" ;;
        *LIST) libraries="-L. -llinked_list" ;;
        *) libraries="-L. -lqueue" ;;
        esac
        # shellcheck disable=SC2086 # words
        if "$1" "-std=$2" -Wall -Wextra -Werror $part -I. "program.${2%%[0-9]*}" $libraries -o program; then
            for allocator in malloc pool slab; do
                in_its_place env "LINKED_LIST_ALLOC=$allocator" ./program
            done
        else
            fail "$1 -std=$2 $part"
        fi
        rm -f program
    done
}

mkdir "$scratch/headers" && cd "$scratch/headers" || exit 1
cp "$PW_BUILD/include/linked_list.h" "$PW_BUILD/include/queue.h" .
cp "$PW_BUILD"/lib/liblinked_list.so* "$PW_BUILD"/lib/libqueue.so* .
cp "$program" program.c
cp "$program" program.c++
tried=
for compiler in gcc clang; do
    if command -v "$compiler" >/dev/null 2>&1; then
        tried="$tried $compiler"
        for standard in c11 c17 c2x; do
            try "$compiler" "$standard"
        done
    else
        echo "without $compiler: not installed"
    fi
done
for compiler in g++ clang++; do
    if command -v "$compiler" >/dev/null 2>&1; then
        tried="$tried $compiler"
        try "$compiler" c++17
    else
        echo "without $compiler: not installed"
    fi
done
[ -n "$tried" ] || skip "none of gcc, clang, g++ and clang++ is installed"

# The published tree, with the author's own list and queue.
if ! command -v make >/dev/null 2>&1 || ! command -v gcc >/dev/null 2>&1; then
    echo "without the published tree: make and gcc are needed"
    exit $failed
fi
# fresh_tree: $scratch/published, as it is unpacked.
fresh_tree() {
    cd "$scratch" && rm -rf published && mkdir published && cd published || exit 1
    cp "$PW_SOURCE/tests/liblist/published/Makefile" Makefile
    cp "$PW_SOURCE/perf/challenge/challenge_list.h" linked_list.h
    for file in challenge_queue.h plain_list.c plain_queue.c; do
        name=$(echo "$file" | sed 's/challenge_//; s/plain_list/linked_list/; s/plain_//')
        sed 's/<\(linked_list\|queue\)\.h>/"\1.h"/' "$PW_SOURCE/perf/challenge/$file" >"$name"
    done
    cp "$program" linked_list_test_program.c
    sed 's/<queue\.h>/"queue.h"/' "$PW_SOURCE/tests/libqueue/harness_queue.c" >queue_performance.c
}
# is_ours FILE: true if the library is of this project; the author's know no allocators.
is_ours() {
    grep -q 'linked_list_set_allocator\|queue_push_all' "$1"
}
mkdir -p "$scratch/TREE/build"
ln -s "$PW_BUILD" "$scratch/TREE/build/release"
sed -n '/published tree$/,/^## /p' "$page" | grep -E '^    (cp|make) ' |
    sed "s|^    ||; s|TREE/|$scratch/TREE/|g" >"$scratch/commands"
[ "$(wc -l <"$scratch/commands")" = 3 ] || fail "other commands than three: $(cat "$scratch/commands")"
# type_page: the commands of the page, as it prints them.
type_page() {
    while read -r command; do
        sh -euc "$command" >out 2>&1 </dev/null || fail "$command: exit $?: $(cat out)"
    done <"$scratch/commands"
}

# What the page says of the Makefile.
fresh_tree
make >out 2>&1 || fail "the first target: $(cat out)"
[ ! -e libqueue.so ] || fail "the first target is not liblinked_list.so alone"
make all >/dev/null 2>&1 && fail "there is a target all"
make liblinked_list.so libqueue.so run_functional_tests >out 2>&1 || fail "the author's own: $(cat out)"
if is_ours liblinked_list.so || is_ours libqueue.so; then
    fail "the author's libraries are not the author's"
fi

# In a fresh folder, and over the libraries that were made there.
for folder in fresh used; do
    fresh_tree
    [ $folder = fresh ] || make liblinked_list.so libqueue.so >/dev/null 2>&1 || fail "the author's own"
    type_page
    for library in liblinked_list.so libqueue.so; do
        is_ours "$library" || fail "$folder folder: $library was made again"
    done
    LINKED_LIST_ALLOC=nonsense make -o liblinked_list.so -o libqueue.so run_functional_tests >out 2>&1 &&
        fail "$folder folder: the test program does not use the library that lies there"
    for allocator in malloc pool slab; do
        export LINKED_LIST_ALLOC=$allocator
        for target in run_functional_tests run_valgrind_tests run_performance_tests; do
            [ $target != run_valgrind_tests ] || command -v valgrind >/dev/null 2>&1 || continue
            make -o liblinked_list.so -o libqueue.so $target >out 2>&1 ||
                fail "$folder folder: $target with $allocator: $(cat out)"
        done
        unset LINKED_LIST_ALLOC
    done
done

# Why the page says -o.
fresh_tree
type_page
rm linked_list_test_program
make -n run_functional_tests | grep -q 'linked_list\.c .*-o linked_list\.o' ||
    fail "without -o, make does not compile the author's list: the page is wrong"
exit $failed

#!/bin/sh
# test_pwgraph.sh - the program printed in bfs/pwgraph/README.md, and the examples in C, build without
# a warning, link, and print what they should, also for names in another spelling; and pwgraph.h is
# fit for C++.
set -u
. "$PW_SOURCE/tests/support/script.sh"
sanitizer=${PW_SANITIZE:+-fsanitize=$PW_SANITIZE}
folder=$PW_SOURCE/bfs/pwgraph
sed -n '/^```c$/,/^```$/{/^```/d;p}' "$folder/README.md" >"$scratch/path.c"
cp "$folder"/examples/*.c "$scratch" || exit 1
for program in "$scratch"/*.c; do
    # shellcheck disable=SC2086 # one flag, or none
    "$PW_CC" -std=c11 -Wall -Wextra -Werror $sanitizer -I "$PW_BUILD/include" "$program" \
        -o "${program%.c}" -L "$PW_BUILD/lib" -lpwgraph -lqueue -llinked_list || fail "building $program"
done
run() {
    program=$1
    shift
    LD_LIBRARY_PATH="$PW_BUILD/lib" "$scratch/$program" "$@" 2>&1
}
printf 'shoe\tleather\nleather\tmilk\nmilk\tcheese\ncheese\tmilk\n' >"$scratch/links.tsv"
path() {
    run path "$scratch/links.tsv" "$@"
}
[ "$(path shoe cheese)" = "shoe -> leather -> milk -> cheese" ] || fail "$(path shoe cheese)"
[ "$(path milk milk)" = "milk -> cheese -> milk" ] || fail "a node to itself"
[ "$(path cheese shoe)" = "no path" ] || fail "no path"
path shoe slipper >/dev/null && fail "a node that is not there"
[ "$(path SHOE cheese)" = "shoe -> leather -> milk -> cheese" ] || fail "a name in another case"
[ "$(path shoe chese)" = 'path: no node is called "chese"; did you mean cheese?' ] ||
    fail "$(path shoe chese)"
LD_LIBRARY_PATH="$PW_BUILD/lib" "$scratch/path" "$scratch/none" a b >/dev/null 2>&1 &&
    fail "a file that is not there"
[ "$(run count_graph "$scratch/links.tsv")" = "4 nodes, 8 edges" ] ||
    fail "$(run count_graph "$scratch/links.tsv")"
run count_graph "$scratch/none" >/dev/null && fail "counting a file that is not there"
run complete_names "$scratch/links.tsv" "" >"$scratch/found"
[ "$(head -1 "$scratch/found")" = "3 of 4 names:" ] || fail "$(cat "$scratch/found")"
[ "$(sed -n 2p "$scratch/found")" = "milk leads to cheese" ] || fail "$(cat "$scratch/found")"
[ "$(run make_ring "$scratch/ring.pwg")" = "3 hops from 1 to 0" ] || fail "$(run make_ring)"
[ "$(run path "$scratch/ring.pwg" 2 1)" = "2 -> 3 -> 0 -> 1" ] || fail "a saved graph"
printf 'a\tb\nb\tz\na\tc\nc\td\nd\tz\n' >"$scratch/ways.tsv"
[ "$(run avoid_node "$scratch/ways.tsv" a z b)" = "2 hops; by the distances 2
without b: 3 hops, 3 nodes looked at" ] || fail "$(run avoid_node "$scratch/ways.tsv" a z b)"
run avoid_node "$scratch/ways.tsv" a z nobody >/dev/null && fail "avoiding nobody"
printf 'a\tb\na\tc\nb\td\nc\td\nd\te\n' >"$scratch/ways.tsv"
[ "$(run list_paths "$scratch/ways.tsv" a e)" = "2 paths through 5 nodes
a -> b -> d -> e" ] || fail "$(run list_paths "$scratch/ways.tsv" a e)"
run list_paths "$scratch/ways.tsv" a >/dev/null && fail "all paths to nowhere"
if command -v c++ >/dev/null; then
    echo '#include <pwgraph.h>' >"$scratch/header.cpp"
    c++ -Wall -Wextra -Wpedantic -Werror -I "$PW_BUILD/include" -c "$scratch/header.cpp" \
        -o "$scratch/header.o" || fail "as C++"
fi
exit $failed

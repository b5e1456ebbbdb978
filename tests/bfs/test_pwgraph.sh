#!/bin/sh
# test_pwgraph.sh - the program printed in bfs/pwgraph/README.md builds without a warning, links, and
# finds paths, also between names in another spelling; and pwgraph.h is fit for C++.
set -u
. "$PW_SOURCE/tests/support/script.sh"
sed -n '/^```c$/,/^```$/p' "$PW_SOURCE/bfs/pwgraph/README.md" | sed '/^```/d' >"$scratch/path.c"
sanitizer=${PW_SANITIZE:+-fsanitize=$PW_SANITIZE}
# shellcheck disable=SC2086 # one flag, or none
"$PW_CC" -std=c11 -Wall -Wextra -Werror $sanitizer -I "$PW_BUILD/include" "$scratch/path.c" \
    -o "$scratch/path" -L "$PW_BUILD/lib" -lpwgraph -lqueue -llinked_list || fail "building"
printf 'shoe\tleather\nleather\tmilk\nmilk\tcheese\ncheese\tmilk\n' >"$scratch/links.tsv"
path() {
    LD_LIBRARY_PATH="$PW_BUILD/lib" "$scratch/path" "$scratch/links.tsv" "$@" 2>&1
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
if command -v c++ >/dev/null; then
    echo '#include <pwgraph.h>' >"$scratch/header.cpp"
    c++ -Wall -Wextra -Wpedantic -Werror -I "$PW_BUILD/include" -c "$scratch/header.cpp" \
        -o "$scratch/header.o" || fail "as C++"
fi
exit $failed

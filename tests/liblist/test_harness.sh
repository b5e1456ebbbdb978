#!/bin/sh
# test_harness.sh - programs that know only the public headers.
#
# 1. Each public header alone compiles as C99, C11, C17 and C++ without a warning.
# 2. harness.c and harness_queue.c compile with -Wall -Wextra -Werror, link with -L DIR and the
#    libraries, or the queue alone, and run with only LD_LIBRARY_PATH, for each allocator.
# 3. The same under Valgrind, with and without a final cleanup: silent and without a leak.
# 4. harness_dlopen.c opens and closes the library: what allocators kept comes back.
# 5. A program with the rights of another group does not obey LINKED_LIST_ALLOC.
set -u
. "$PW_SOURCE/tests/support/script.sh"

[ -e "$PW_BUILD/lib/libqueue.so" ] || skip "the libraries are static archives in this build"

# Headers.
for header in linked_list.h queue.h linked_list_more.h queue_more.h; do
    echo "#include <$header>
int main(void) { return 0; }" >"$scratch/header.c"
    cp "$scratch/header.c" "$scratch/header.cpp"
    for standard in c99 c11 c17; do
        "$PW_CC" -std=$standard -pedantic -Wall -Wextra -Wshadow -Werror -I "$PW_BUILD/include" \
            -fsyntax-only "$scratch/header.c" || fail "$header as $standard"
    done
done
if command -v c++ >/dev/null 2>&1; then
    for header in linked_list.h queue.h linked_list_more.h queue_more.h node_allocator.h node_front.h; do
        echo "#include <$header>
int main() { return 0; }" >"$scratch/header.cpp"
        for standard in c++11 c++17; do
            c++ -std=$standard -pedantic -Wall -Wextra -Werror -I "$PW_BUILD/include" \
                -fsyntax-only "$scratch/header.cpp" || fail "$header as $standard"
        done
    done
    cp "$PW_SOURCE/tests/libqueue/harness_queue.c" "$scratch/harness_queue.cpp"
fi

# Programs.
flags="-O1 -gdwarf-4 -Wall -Wextra -Werror"
[ -z "$PW_SANITIZE" ] || flags="$flags -fsanitize=$PW_SANITIZE"
# shellcheck disable=SC2086 # flags are words
"$PW_CC" $flags -I "$PW_BUILD/include" "$PW_SOURCE/tests/liblist/harness.c" -o "$scratch/both" -L "$PW_BUILD/lib" -llinked_list -lqueue ||
    fail "linking with -llinked_list -lqueue"
# shellcheck disable=SC2086
"$PW_CC" $flags -I "$PW_BUILD/include" "$PW_SOURCE/tests/libqueue/harness_queue.c" -o "$scratch/queue" -L "$PW_BUILD/lib" -lqueue ||
    fail "linking with -lqueue alone"
if [ -e "$scratch/harness_queue.cpp" ]; then
    # shellcheck disable=SC2086
    c++ $flags -I "$PW_BUILD/include" "$scratch/harness_queue.cpp" -o "$scratch/queue++" -L "$PW_BUILD/lib" -lqueue ||
        fail "linking a C++ program"
fi

# shellcheck disable=SC2086
"$PW_CC" $flags -I "$PW_BUILD/include" "$PW_SOURCE/tests/liblist/harness_dlopen.c" -o "$scratch/dlopen" -ldl ||
    fail "a program that opens the library"

# run NAME COMMAND...: the command prints ok and nothing else on stdout, nothing on stderr.
run() {
    name="$1 with ${LINKED_LIST_ALLOC:-no allocator chosen}"
    shift
    output=$("$@" 2>&1)
    status=$?
    [ "$status $output" = "0 ok" ] || fail "$name: exit $status: $output"
}

export LD_LIBRARY_PATH="$PW_BUILD/lib"
memcheck=
if [ -z "$PW_SANITIZE" ] && command -v valgrind >/dev/null 2>&1; then
    memcheck="env HARNESS_WATCHED=1 valgrind --quiet --leak-check=full --error-exitcode=99"
else
    echo "without Valgrind: not installed, or this build has a sanitizer of its own"
fi
# run_all LAUNCHER...: every program, with LINKED_LIST_ALLOC as it is.
run_all() {
    run "${1:-} harness" "$@" "$scratch/both"
    run "${1:-} harness without cleanup" "$@" "$scratch/both" keep
    run "${1:-} queue alone" "$@" "$scratch/queue"
    [ ! -e "$scratch/queue++" ] || run "${1:-} queue alone in C++" "$@" "$scratch/queue++"
}

run_all
for allocator in malloc pool slab pool:order=fifo; do
    export LINKED_LIST_ALLOC=$allocator
    run_all
    case $allocator in
    malloc | pool | slab)
        # shellcheck disable=SC2086 # words
        [ -z "$memcheck" ] || run_all $memcheck
        ;;
    esac
done

# A list that the program forgot is its leak, and is reported as lost.
if [ -n "$memcheck" ]; then
    for allocator in malloc pool slab; do
        # shellcheck disable=SC2086
        output=$(LINKED_LIST_ALLOC=$allocator $memcheck "$scratch/both" leak 2>&1)
        [ $? = 99 ] || fail "a forgotten list with $allocator went unnoticed: $output"
    done
fi

# A library that is closed gives back what its allocators keep.
for allocator in malloc pool slab pool:order=fifo first-fit block bump no-free; do
    export LINKED_LIST_ALLOC=$allocator
    run "closed library" "$scratch/dlopen" "$PW_BUILD/lib/liblinked_list.so"
    run "closed queue" "$scratch/dlopen" "$PW_BUILD/lib/libqueue.so"
    # shellcheck disable=SC2086
    [ -z "$memcheck" ] ||
        run "closed library under Valgrind" $memcheck "$scratch/dlopen" "$PW_BUILD/lib/liblinked_list.so"
done

# The rights of another group than the user's: the variable counts for nothing.
other_group=$(id -G | tr ' ' '\n' | grep -vx "$(id -g)" | head -n 1)
[ -n "$other_group" ] || other_group=65534
echo '#include <sys/auxv.h>
int main(void) { return getauxval(AT_SECURE) ? 0 : 1; }' >"$scratch/is_secure.c"
# shellcheck disable=SC2086
"$PW_CC" $flags -I "$PW_BUILD/include" "$scratch/is_secure.c" -o "$scratch/is_secure" || fail "a program with rights"
# shellcheck disable=SC2086
"$PW_CC" $flags -I "$PW_BUILD/include" "$PW_SOURCE/tests/libqueue/harness_queue.c" -o "$scratch/secure" -L "$PW_BUILD/lib" \
    -Wl,-rpath,"$PW_BUILD/lib" -lqueue || fail "linking a program with rights"
chgrp "$other_group" "$scratch/is_secure" "$scratch/secure" 2>/dev/null &&
    chmod 2755 "$scratch/is_secure" "$scratch/secure"
if [ -z "$PW_SANITIZE" ] && "$scratch/is_secure"; then
    export LINKED_LIST_ALLOC=nonsense
    run "rights of another group" "$scratch/secure"
else
    echo "without a program with rights: this system gives none here"
fi

# A variable that is not legal: no list, and no crash.
LINKED_LIST_ALLOC=nonsense "$scratch/queue" >/dev/null 2>&1
[ $? = 1 ] || fail "an illegal LINKED_LIST_ALLOC must give no queue"
LINKED_LIST_ALLOC=nonsense "$scratch/both" >/dev/null 2>&1
[ $? = 1 ] || fail "an illegal LINKED_LIST_ALLOC must give no list"
# The program need not ask why: the library says so, once.
for program in queue both; do
    said=$(LINKED_LIST_ALLOC=poool "$scratch/$program" 2>&1 >/dev/null | grep -c '^liblinked_list: LINKED_LIST_ALLOC: ')
    [ "$said" = 1 ] || fail "a misspelt LINKED_LIST_ALLOC is said $said times by $program, not once"
done
cat >"$scratch/why.c" <<'END'
#include <linked_list_more.h>
#include <stdio.h>
int main(void)
{
    linked_list_create();
    puts(linked_list_create() == NULL ? linked_list_error() : "a list");
    return 0;
}
END
# shellcheck disable=SC2086
"$PW_CC" $flags -I "$PW_BUILD/include" "$scratch/why.c" -o "$scratch/why" -L "$PW_BUILD/lib" -llinked_list ||
    fail "linking a program that asks why"
output=$(LINKED_LIST_ALLOC=nonsense "$scratch/why" 2>"$scratch/said")
[ "$(cat "$scratch/said")" = "liblinked_list: $output" ] || fail "said: $(cat "$scratch/said"), not $output"
LINKED_LIST_ALLOC=slab "$scratch/why" >"$scratch/said" 2>&1
[ "$(cat "$scratch/said")" = "a list" ] || fail "a legal LINKED_LIST_ALLOC: $(cat "$scratch/said")"
case $output in
'LINKED_LIST_ALLOC: unknown allocator "nonsense"; there are malloc,'*) ;;
*) fail "an illegal LINKED_LIST_ALLOC is not explained: $output" ;;
esac
exit $failed

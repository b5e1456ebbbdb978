#!/bin/sh
# test.sh - build and run the tests; the last line is the sum, such as "312 passed, 0 failed".
#
# Usage: ./test.sh              the step release: some three minutes
#        ./test.sh all          every step: some fifteen minutes
#        ./test.sh STEP...      these steps alone, in this order
#
#   release     optimised build with gcc; the Check suites and the fast suites in Python and shell
#   slow        of the same build, the suites with the label "slow": judge, faults, fuzz regressions, web
#   asan-ubsan  AddressSanitizer, UndefinedBehaviorSanitizer, assertions and whole-structure checks, in
#               one build; the suites without the label "once"
#   tsan        ThreadSanitizer; the suites with the label "threads"
#   memcheck    Valgrind's Memcheck and assertions; the suites of base, alloc, liblist and libqueue
#   tidy        clang-tidy over the C files of the product, all of it but its static analyser
#   format      how the sources are laid out, and mistakes in shell and Python: by clang-format,
#               pyflakes and shellcheck
#
# tests/before-release has what only a release needs: other systems, compilers and processors.
# ./setup.sh runs first and installs what is missing. A step whose program is missing, or is another
# version than those it judges by, is skipped, and says so; a step that cannot be built has failed,
# and the others go on. The times are of two processors.
# PW_SHARE=N: suites take one in N of their random cases (default: 10; tests/before-release takes all).
# JOBS=N: processes at a time, and one test more (default: processors).
# CI=1: warnings are errors, as with "all".
# AGAIN=1: a suite that failed is run once more, alone, and counts as it ended then (.ci/run).
# Exit: 0 all passed, 1 otherwise, 2 wrong usage.
set -eu
cd "$(dirname "$0")"

every='release slow asan-ubsan tsan memcheck tidy format'
steps=
all=
for argument in "$@"; do
    case " $every " in
    *" $argument "*) steps="$steps $argument" ;;
    *)
        case $argument in
        all) steps="$steps $every" all=yes ;;
        -h | --help)
            sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
            exit 0
            ;;
        *)
            echo "test.sh: there is no step \"$argument\"; there are all $every" >&2
            exit 2
            ;;
        esac
        ;;
    esac
done
steps=${steps:-release}

# shellcheck source=tests/support/steps.sh
. tests/support/steps.sh
[ -z "$all" ] || warnings_count=yes
started=$(date +%s)

step_release() {
    cc --version | head -n 1
    build release gcc --preset release && run_ctest release --preset release -LE 'slow|before-release'
}

step_slow() {
    ./setup.sh web >"$results/log" 2>&1 || cat "$results/log"
    build release gcc --preset release && run_ctest slow --preset release -L slow
}

step_tsan() {
    quietly cmake --preset tsan "$(warnings gcc)" &&
        quietly cmake --build --preset tsan -j "$jobs" --target pw_thread_tests &&
        run_ctest tsan --preset tsan
}

# It does without Check, which keeps blocks until a process ends. Suites that only start programs are
# left out: Memcheck does not follow a child.
step_memcheck() {
    have valgrind || return 0
    build memcheck gcc --preset libraries -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG='-O1 -g1' || return 0
    launcher='valgrind --quiet --leak-check=full --errors-for-leak-kinds=definite,indirect,possible'
    export PW_TEST_LAUNCHER="$launcher --error-exitcode=99" CK_FORK=no
    run_ctest memcheck --test-dir build/memcheck --output-on-failure -LE native
    unset PW_TEST_LAUNCHER CK_FORK
}

step_format() {
    sources -name '*.[ch]' -o -name '*.cc' -o -name '*.hh' >"$results/names"
    check clang-format on_all_processors clang-format --dry-run -Werror <"$results/names"
    {
        sources -name '*.sh'
        printf '%s\n' .ci/run tests/before-release tests/fresh tests/purposes tests/twice
    } >"$results/names"
    check shellcheck on_all_processors shellcheck -x <"$results/names"
    grep -rlI --exclude-dir=build --exclude-dir=.git '^#!/usr/bin/env python3' . >"$results/names"
    sources -name '*.py' >>"$results/names"
    check pyflakes3 on_all_processors pyflakes3 <"$results/names"
}

# run STEP: with its time. What fails in it has been counted.
run() {
    before=$(date +%s)
    printf '\n== %s\n' "$1"
    case $1 in
    setup) ./setup.sh build test || count failed ;;
    release) step_release ;;
    slow) step_slow ;;
    asan-ubsan) build asan-ubsan gcc --preset asan-ubsan && run_ctest asan-ubsan --preset asan-ubsan ;;
    tsan) step_tsan ;;
    memcheck) step_memcheck ;;
    tidy) check clang-tidy tidy --checks='-clang-analyzer-*' ;;
    format) step_format ;;
    esac || true
    echo "== $1 took $(($(date +%s) - before)) s"
}

# What is missing is installed, or named with the command for it, before anything else.
run setup
if [ "$failed" = 1 ] && ! ./setup.sh --missing build >/dev/null; then
    echo "test.sh: nothing can be built, see above" >&2
    steps=
fi
export CMAKE_GENERATOR=Ninja # a Makefile starts CMake for every file that it compiles
export PW_SHARE="${PW_SHARE:-10}"
echo "Suites take one in $PW_SHARE of their random cases (PW_SHARE)."
for step in $steps; do
    run "$step"
done

printf '\n== The sum, after %s s\n' "$(($(date +%s) - started))"
summary
exit "$failed"

#!/bin/sh
# test.sh - build and run every test; the last line is the sum, such as "312 passed, 0 failed".
#
# 1. Set up what is missing (setup.sh).
# 2. Optimised build, warnings being errors, with gcc and also with clang where that is installed;
#    all tests.
# 3. AddressSanitizer and UndefinedBehaviorSanitizer; all tests.
# 4. The Check suites under Valgrind's Memcheck.
# 5. ThreadSanitizer; the suites labelled "threads".
#
# Usage: ./test.sh          JOBS=N: processes at a time (default: as many as processors)
# Exit: 0 all passed, 1 otherwise.
set -eu
cd "$(dirname "$0")"

[ "${1:-}" = "" ] || {
    sed -n '2,12s/^# \{0,1\}//p' "$0"
    case $1 in -h | --help) exit 0 ;; *) exit 2 ;; esac
}

export CI=1 # warnings are errors
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

step() {
    printf '\n== %s\n' "$*"
}

# quietly COMMAND...: its output only when it fails; then the run ends.
quietly() {
    if ! "$@" >"$results/log" 2>&1; then
        cat "$results/log"
        echo "test.sh: failed: $*" >&2
        exit 1
    fi
}

# build PRESET [CMAKE-OPTION...]
build() {
    preset=$1
    shift
    quietly cmake --preset "$preset" "$@"
    quietly cmake --build --preset "$preset" -j "$jobs"
}

# run_tests PRESET: ctest, the results kept for the sum.
run_tests() {
    ctest --preset "$1" -j "$jobs" --output-junit "$results/$1.xml" \
        --test-output-size-passed 100000 --test-output-size-failed 100000 || failed=1
}

# The sum over all runs: a Check suite counts as its checks, any other test as one. A suite that
# ctest calls failed although all its checks passed (Memcheck, a crash) counts as one failure.
summary() {
    cat "$results"/*.xml | awk '
        function finish() {
            if (!open_case) return
            if (skip) print "skipped: " title ": " reason
            else if (checks) {
                bad = not_passed + (fail && !not_passed)
                failures += bad
                passes += checks - not_passed
            } else if (fail) failures++
            else passes++
            open_case = 0
        }
        /<testcase / {
            finish()
            open_case = 1
            fail = /status="fail"/
            skip = /status="notrun"/ || /status="disabled"/
            title = $0
            sub(/.* name="/, "", title)
            sub(/".*/, "", title)
            reason = "it did not say why"
            checks = not_passed = 0
        }
        /<system-out>/ && skip {
            reason = $0
            sub(/.*<system-out>(skipped: )?/, "", reason)
            sub(/<.*/, "", reason)
        }
        /^[0-9]+%: Checks: / || /[>][0-9]+%: Checks: / {
            line = $0
            sub(/.*Checks: /, "", line)
            split(line, part, /[^0-9]+/)
            checks += part[1]
            not_passed += part[2] + part[3]
        }
        END {
            finish()
            printf "%d passed, %d failed\n", passes, failures
        }'
}

started=$(date +%s)
failed=0

step "Setting up"
./setup.sh build test

step "Optimised build with $(cc --version | head -n 1)"
build release
run_tests release

if command -v clang >/dev/null 2>&1; then
    step "Optimised build with $(clang --version | head -n 1)"
    quietly cmake --preset release -B build/release-clang -DCMAKE_C_COMPILER=clang
    quietly cmake --build build/release-clang -j "$jobs"
fi

step "AddressSanitizer and UndefinedBehaviorSanitizer"
build asan-ubsan
run_tests asan-ubsan

step "Valgrind's Memcheck"
build valgrind
run_tests valgrind

step "ThreadSanitizer"
quietly cmake --preset tsan
quietly cmake --build --preset tsan -j "$jobs" --target pw_thread_tests
run_tests tsan

step "Sum of all runs, after $(($(date +%s) - started)) s"
summary
exit "$failed"

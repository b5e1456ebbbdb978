#!/bin/sh
# test.sh - build and run every test; the last line is the sum, such as "312 passed, 0 failed".
#
# 1. Set up what is missing (setup.sh).
# 2. Read the sources: clang-format, shellcheck, pyflakes.
# 3. Optimised build with gcc, warnings being errors; all tests.
# 4. Build with assertions and whole-structure checks; the tests without the label "once".
# 5. clang-tidy over the product's C files.
# 6. Optimised build with clang; the same tests but for those of tests/faults.
# 7. AddressSanitizer and UndefinedBehaviorSanitizer; the same tests.
# 8. MemorySanitizer; the seeds and regressions of the fuzz targets.
# 9. The Check suites of step 4 under Valgrind's Memcheck.
# 10. ThreadSanitizer; the suites labelled "threads".
# 11. Cross build for AArch64; the Check suites that an emulator can run.
# A step whose program or libraries are missing says "skipped: ..." and why.
#
# Usage: ./test.sh [quick | sources]     JOBS=N: processes at a time (default: processors)
#   quick: steps 1 to 4; sources: steps 1, 2, 5 and gcc's analyser (tests/analyse), which takes minutes
# Exit: 0 all passed, 1 otherwise, 2 wrong usage.
set -eu
cd "$(dirname "$0")"

case ${1:-} in
"" | quick | sources) ;;
*)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    case $1 in -h | --help) exit 0 ;; *) exit 2 ;; esac
    ;;
esac

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

# have PROGRAM: whether it is installed; if not, its step is skipped.
have() {
    command -v "$1" >/dev/null 2>&1 || {
        echo "skipped: $1 is not installed (./setup.sh test)"
        return 1
    }
}

# check PROGRAM COMMAND...: a check of the sources with PROGRAM, one test in the sum.
check() {
    step "$1"
    have "$1" || return 0
    shift
    if "$@" >"$results/log" 2>&1; then
        echo passed | tee -a "$results/checks"
    else
        cat "$results/log"
        echo failed | tee -a "$results/checks"
        failed=1
    fi
}

# sources PATTERN...: the files of these names that are not made by the build.
sources() {
    find . \( -path ./build -o -name '.?*' \) -prune -o -type f \( "$@" \) -print
}

# on_all_processors COMMAND...: with the names on standard input, some at a time.
# shellcheck disable=SC2317 # called by check
on_all_processors() {
    xargs -P "$jobs" -n 25 "$@"
}

# clang-tidy over the product's C files, as the debug build compiles them: assertions tell it much.
# Where several objects are made of a file, the first counts.
# shellcheck disable=SC2317 # called by check
tidy() {
    cmake --preset debug || return
    mkdir -p build/debug/tidy
    python3 -c '
import json, sys
first = {}
for entry in json.load(open("build/debug/compile_commands.json")):
    first.setdefault(entry["file"], entry)
json.dump(list(first.values()), open("build/debug/tidy/compile_commands.json", "w"))
print("\n".join(path for path in sorted(first) if not path.startswith(sys.argv[1] + "/tests/")))
' "$PWD" | xargs -P "$jobs" -n 1 clang-tidy --quiet -p build/debug/tidy
}

# build PRESET [CMAKE-OPTION...]
build() {
    preset=$1
    shift
    quietly cmake --preset "$preset" "$@"
    quietly cmake --build --preset "$preset" -j "$jobs"
}

# run_ctest NAME CTEST-OPTION...: the tests of a build, the results kept for the sum.
run_ctest() {
    results_name=$1
    shift
    ctest "$@" -j "$jobs" --output-junit "$results/$results_name.xml" \
        --test-output-size-passed 100000 --test-output-size-failed 100000 || failed=1
}

# The sum over all runs: a Check suite counts as its checks, any other test as one. A suite that
# ctest calls failed although all its checks passed (Memcheck, a crash) counts as one failure.
summary() {
    cat "$results"/checks "$results"/*.xml | awk '
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
        $0 == "passed" { passes++ }
        $0 == "failed" { failures++ }
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
: >"$results/checks"

step "Setting up"
./setup.sh build test
export CMAKE_GENERATOR=Ninja # a Makefile starts CMake for every file that it compiles

sources -name '*.[ch]' >"$results/names"
check clang-format on_all_processors clang-format --dry-run -Werror <"$results/names"
{
    sources -name '*.sh'
    echo .ci/run
} >"$results/names"
check shellcheck on_all_processors shellcheck -x <"$results/names"
sources -name '*.py' -o -path './perf/*' -perm -100 ! -name '*.*' \
    -o -path './tests/faults/*' -perm -100 ! -name '*.*' -o -path './tests/mutants/run' >"$results/names"
check pyflakes3 on_all_processors pyflakes3 <"$results/names"

if [ "${1:-}" = sources ]; then
    check clang-tidy tidy
    check gcc tests/analyse --jobs "$jobs"
    exit "$failed"
fi

step "Optimised build with $(cc --version | head -n 1)"
build release
run_ctest release --preset release

step "Assertions and whole-structure checks"
build valgrind
run_ctest assertions --test-dir build/valgrind --output-on-failure -LE once

if [ "${1:-}" = quick ]; then
    step "Sum of the quick steps, after $(($(date +%s) - started)) s"
    summary
    exit "$failed"
fi

check clang-tidy tidy

step "Optimised build with clang"
if have clang; then
    clang --version | head -n 1
    quietly cmake --preset release -B build/release-clang -DCMAKE_C_COMPILER=clang -DPW_MPI=OFF
    quietly cmake --build build/release-clang -j "$jobs"
    run_ctest release-clang --test-dir build/release-clang --output-on-failure -LE once -E '^faults_'
fi

step "AddressSanitizer and UndefinedBehaviorSanitizer"
build asan-ubsan
run_ctest asan-ubsan --preset asan-ubsan

step "MemorySanitizer"
if have clang; then
    build msan
    run_ctest msan --preset msan
fi

step "Valgrind's Memcheck"
run_ctest valgrind --preset valgrind

step "ThreadSanitizer"
quietly cmake --preset tsan
quietly cmake --build --preset tsan -j "$jobs" --target pw_thread_tests
run_ctest tsan --preset tsan

step "AArch64, under qemu-user"
if [ ! -d build/aarch64-root ]; then
    echo "skipped: there are no AArch64 libraries in build/aarch64-root (./setup.sh test)"
elif have aarch64-linux-gnu-gcc && have qemu-aarch64; then
    build aarch64
    run_ctest aarch64 --preset aarch64
fi

step "Sum of all runs, after $(($(date +%s) - started)) s"
summary
exit "$failed"

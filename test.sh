#!/bin/sh
# test.sh - build and run the tests; the last line is the sum, such as "312 passed, 0 failed".
#
# Usage: ./test.sh              the steps format, release and assertions: some ten minutes
#        ./test.sh all          every step but system and analyse: some 45 minutes
#        ./test.sh STEP...      these steps alone, in this order
#
#   format      how the sources are laid out, and mistakes in shell and Python: by clang-format,
#               pyflakes and shellcheck
#   release     optimised build with gcc; all tests
#   assertions  build with assertions and whole-structure checks; the tests without the label "once",
#               and before asan-ubsan, which has the assertions too, only what it leaves out
#   tidy        clang-tidy over the C files of the product
#   clang       optimised build with clang; the Check suites of the core: alloc, bfs, data, the list
#               and the queue
#   asan-ubsan  AddressSanitizer and UndefinedBehaviorSanitizer; the tests without the label "once"
#   msan        MemorySanitizer; the seeds and regressions of the fuzz targets
#   valgrind    the Check suites of "assertions" under Valgrind's Memcheck
#   tsan        ThreadSanitizer; the suites with the label "threads"
#   aarch64     cross build for AArch64; the Check suites that an emulator can run
#   foreign     for 32-bit Arm and big-endian s390x, under an emulator, and with musl: the Check suites;
#               the libraries for macOS and FreeBSD: compiled and linked only
#   web         the page of bfs-web in a browser: tests/python/test_web_page.py
#   pmu         emulated AArch64 machines with processor counters; tests/pmu
#   python      NetworkX's own tests, with its searches made by this library
#   system      of "release", the tests that need more of a machine than a processor and files
#   analyse     gcc's static analyser over the C files of the product
#
# ./setup.sh runs first and installs what is missing. A step whose program is missing, or is another
# version than those it judges by, is skipped, and says so; a step that cannot be built has failed,
# and the others go on. The times are of two processors.
# JOBS=N: processes at a time, and one test more (default: processors).
# CI=1: warnings are errors, as with "all".
# AGAIN=1: a suite that failed is run once more, alone, and counts as it ended then (.ci/run).
# Exit: 0 all passed, 1 otherwise, 2 wrong usage.
set -eu
cd "$(dirname "$0")"
# shellcheck source=/dev/null
. tests/support/passed_alone.sh

# Programs judge by their version: another one warns of other things, and lays code out differently.
# So only these turn a warning into a failure.
judging='
gcc          12 14
clang        14 19
clang-format 14
clang-tidy   14
shellcheck   0.9
pyflakes3    2.5
'

short='format release assertions'
every="$short tidy clang asan-ubsan msan valgrind tsan aarch64 foreign web pmu python"
warnings_count=${CI:+yes}
steps=
for argument in "$@"; do
    case " $every system analyse " in
    *" $argument "*) steps="$steps $argument" ;;
    *)
        case $argument in
        all) steps="$steps $every" warnings_count=yes ;;
        -h | --help)
            sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
            exit 0
            ;;
        *)
            echo "test.sh: there is no step \"$argument\"; there are all $every system analyse" >&2
            exit 2
            ;;
        esac
        ;;
    esac
done
steps=${steps:-$short}

jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
started=$(date +%s)
failed=0
: >"$results/checks"

# count passed|failed: one test more in the sum.
count() {
    echo "$1" | tee -a "$results/checks"
    [ "$1" = passed ] || failed=1
}

# quietly COMMAND...: its output only if it fails, which counts as a failed test.
quietly() {
    "$@" >"$results/log" 2>&1 || {
        cat "$results/log"
        echo "test.sh: failed: $*" >&2
        count failed
        return 1
    }
}

# have PROGRAM [PURPOSE]: true if it is installed; otherwise says that its step is skipped.
have() {
    command -v "$1" >/dev/null 2>&1 || {
        echo "skipped: $1 is not installed (./setup.sh ${2:-test})"
        return 1
    }
}

# version PROGRAM: such as 12.2.0.
version() {
    "$1" --version 2>/dev/null | grep -o '[0-9][0-9]*\.[0-9.]*[0-9]' | head -n 1
}

# judges PROGRAM: true if its version is one of the table above.
judges() {
    echo "$judging" | awk -v program="$1" -v found="$(version "$1")." '
        $1 == program { for (i = 2; i <= NF; i++) if (index(found, $i ".") == 1) good = 1 }
        END { exit !good }'
}

# meant_for PROGRAM: the versions of the table.
meant_for() {
    echo "$judging" | awk -v program="$1" '
        $1 == program { text = $2; for (i = 3; i <= NF; i++) text = text " and " $i; print text }'
}

# check PROGRAM COMMAND...: a check of the sources with PROGRAM, one test in the sum.
check() {
    echo "-- $1"
    have "$1" || return 0
    judges "$1" || {
        echo "skipped: found $1 $(version "$1"), which judges otherwise than $(meant_for "$1")"
        return 0
    }
    shift
    ! quietly "$@" || count passed
}

# sources PATTERN...: the files of these names that are not made by the build.
sources() {
    find . \( -path ./build -o -name '.?*' \) -prune -o -type f \( "$@" \) -print
}

# on_all_processors COMMAND...: with the names on standard input, some at a time.
# shellcheck disable=SC2317 # called by check
on_all_processors() {
    tr '\n' '\0' | xargs -0 -P "$jobs" -n 25 "$@"
}

# clang-tidy over the product's C files, as the debug build compiles them: assertions help it much.
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
' "$PWD" | tr '\n' '\0' | xargs -0 -P "$jobs" -n 1 clang-tidy --quiet -p build/debug/tidy
}

# warnings COMPILER: the option that makes its warnings errors, or says that they are none.
warnings() {
    if [ "$warnings_count" ] && judges "$1"; then
        echo -DPW_WERROR=ON
    else
        [ -z "$warnings_count" ] ||
            echo "warnings of $1 $(version "$1") are no errors: they are with $(meant_for "$1")" >&2
        echo -DPW_WERROR=OFF
    fi
}

# build PRESET COMPILER [CMAKE-OPTION...]: true if it was built.
build() {
    preset=$1 compiler=$2
    shift 2
    quietly cmake --preset "$preset" "$(warnings "$compiler")" "$@" &&
        quietly cmake --build --preset "$preset" -j "$jobs"
}

# one_ctest FILE CTEST-OPTION...: the results kept for the sum.
one_ctest() {
    results_file=$1
    shift
    ctest "$@" --output-junit "$results/$results_file.xml" \
        --test-output-size-passed 100000 --test-output-size-failed 100000
}

# run_ctest NAME CTEST-OPTION...: the tests of a build. Some of them wait, so that there is room for one
# more than there are processors.
run_ctest() {
    results_name=$1
    shift
    one_ctest "$results_name" "$@" -j "$((jobs + 1))" && return
    [ "${AGAIN:-}" ] && echo "-- once more, alone" &&
        one_ctest "$results_name.again" "$@" --rerun-failed && return
    failed=1
}

# suite NAME COMMAND...: a test that ctest does not run; 77: it was skipped, and said why. What waits
# for ever is ended in twenty minutes, a multiple of what the longest takes.
suite() {
    suite_name=$1
    shift
    set -- timeout --kill-after=60 1200 "$@"
    status=0
    "$@" 2>&1 || status=$?
    if [ "${AGAIN:-}" ] && [ $status -ne 0 ] && [ $status -ne 77 ]; then
        echo "-- once more"
        status=0
        "$@" 2>&1 || status=$?
        [ $status -ne 0 ] || echo "$suite_name" >>"$results/passed_alone"
    fi
    case $status in
    0)
        echo "$suite_name" >>"$results/suites"
        count passed
        ;;
    77) ;;
    *) count failed ;;
    esac
}

# How many tests the suites hold whose names come in: a Check function, a Python function and a script
# are one each.
tests_of() {
    sort -u | while read -r name; do
        file=$(find tests -name "$name.c" -o -name "$name.py" | head -n 1)
        case $file in
        *.c) grep -c '^START_TEST' "$file" || echo 1 ;;
        *.py) grep -c '^ *def test_' "$file" || echo 1 ;;
        *) echo 1 ;;
        esac
    done | awk '{ sum += $1 } END { print sum + 0 }'
}

# The sum over all runs: a suite of Check or Python counts as its checks or tests, any other as one. A
# suite that ctest calls failed although all its checks passed (Memcheck, a crash) counts as one failure. What was
# run again counts as it ended then.
summary() {
    : >>"$results/suites"
    : >>"$results/passed_alone"
    # The results of what was run again come first.
    find "$results" -name '*.again.xml' >"$results/files"
    find "$results" -name '*.xml' ! -name '*.again.xml' >>"$results/files"
    echo "$results/checks" >>"$results/files"
    tr '\n' '\0' <"$results/files" | xargs -0 awk -v results="$results" '
        function finish() {
            if (!open_case) return
            is_repeated = file ~ /[.]again[.]xml$/
            build = file
            sub(/([.]again)?[.]xml$/, "", build)
            if (is_repeated) {
                again[build, title] = 1
                if (!fail && !skip) print title >>(results "/passed_alone")
            } else if ((build, title) in again) {
                open_case = 0
                return
            }
            if (!skip) print title >>(results "/suites")
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
            file = FILENAME
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
        / [.][.][.] skipped / && open_case && !skip { # one test of a Python suite
            line = $0
            gsub(/&(apos|quot);/, "\047", line)
            sub(/^[ \t]*(<system-out>)?/, "", line)
            sub(/ [.][.][.] skipped/, ":", line)
            print "skipped: " title ": " line
        }
        /^Ran [0-9]+ tests? in / { checks += $2 }
        /^(OK|FAILED) \(.*=/ { # with failures, errors and skipped ones
            count = split($0, part, /[(), ]+/)
            for (i = 2; i <= count; i++) {
                split(part[i], pair, "=")
                if (pair[1] == "skipped") checks -= pair[2]
                else not_passed += pair[2]
            }
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
            printf "%d passed, %d failed\n", passes, failures >(results "/sum")
        }'
    # shellcheck disable=SC2046 # words
    passed_alone $(sort -u "$results/passed_alone")
    echo "some $(tests_of <"$results/suites") tests, $(awk '{ print $1 + $3 }' "$results/sum") runs" |
        sed ':more; s/\([0-9]\)\([0-9]\{3\}\)\b/\1,\2/; t more'
    cat "$results/sum"
}

step_format() {
    sources -name '*.[ch]' -o -name '*.cc' -o -name '*.hh' >"$results/names"
    check clang-format on_all_processors clang-format --dry-run -Werror <"$results/names"
    {
        sources -name '*.sh'
        echo .ci/run
        echo tests/fresh
        echo tests/purposes
        echo tests/twice
    } >"$results/names"
    check shellcheck on_all_processors shellcheck -x <"$results/names"
    grep -rlI --exclude-dir=build --exclude-dir=.git '^#!/usr/bin/env python3' . >"$results/names"
    sources -name '*.py' >>"$results/names"
    check pyflakes3 on_all_processors pyflakes3 <"$results/names"
}

step_release() {
    cc --version | head -n 1
    build release gcc && run_ctest release --preset release
}

step_assertions() {
    only=
    case $steps in *asan-ubsan*) only='-R ^faults_' ;; esac
    # shellcheck disable=SC2086 # words
    build valgrind gcc &&
        run_ctest assertions --test-dir build/valgrind --output-on-failure -LE once $only
}

step_clang() {
    have clang || return 0
    clang --version | head -n 1
    quietly cmake --preset release -B build/release-clang -DCMAKE_C_COMPILER=clang -DPW_MPI=OFF \
        "$(warnings clang)" &&
        quietly cmake --build build/release-clang -j "$jobs" &&
        run_ctest release-clang --test-dir build/release-clang --output-on-failure -LE once \
            -L '^(alloc|bfs|data|liblist|libqueue)$'
}

step_tsan() {
    quietly cmake --preset tsan "$(warnings gcc)" &&
        quietly cmake --build --preset tsan -j "$jobs" --target pw_thread_tests &&
        run_ctest tsan --preset tsan
}

step_aarch64() {
    if [ ! -d build/aarch64-root ]; then
        echo "skipped: there are no AArch64 libraries in build/aarch64-root (./setup.sh test)"
    elif have aarch64-linux-gnu-gcc && have qemu-aarch64; then
        build aarch64 gcc && run_ctest aarch64 --preset aarch64
    fi
}

# foreign_suites NAME COMPILER EMULATOR: the suites of the libraries, in a build of their own. An
# emulator takes an eighth of the contract and of the random cases, and leaves out the threads that
# take long.
foreign_suites() {
    have "$2" foreign || return 0
    quietly cmake --preset libraries -B "build/foreign-$1" -DCMAKE_C_COMPILER="$2" \
        -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$1" "$(warnings gcc)" &&
        quietly cmake --build "build/foreign-$1" -j "$jobs" || return 0
    if [ "$3" ]; then
        export PW_TEST_LAUNCHER="$3" PW_EMULATED=1 PW_SHARE=8
        run_ctest "foreign-$1" --test-dir "build/foreign-$1" --output-on-failure -LE native
        unset PW_TEST_LAUNCHER PW_EMULATED PW_SHARE
    else
        run_ctest "foreign-$1" --test-dir "build/foreign-$1" --output-on-failure
    fi
}

# foreign_programs NAME COMPILER EMULATOR: everything, by the preset of that name; or list and queue
# alone, where the libraries that the rest needs are missing.
foreign_programs() {
    if [ ! -d "build/$1-root" ]; then
        echo "skipped: the programs for $1: there are no libraries in build/$1-root (./setup.sh foreign)"
        foreign_suites "$@"
    elif have "$2" foreign && { [ -z "$3" ] || have "${3%% *}" foreign; }; then
        build "$1" gcc && run_ctest "$1" --preset "$1"
    fi
}

# foreign_link TARGET: the list and the queue in one library, by the line of their page.
# shellcheck disable=SC2046,SC2317 # a file per word; called by check
foreign_link() {
    build/zig/ziglang/zig cc -target "$1" -std=c17 -Wall -Wextra -Werror -O1 -fvisibility=hidden \
        -D_GNU_SOURCE -Dlinked_list_EXPORTS -I . -I liblist -shared -pthread \
        $(cat liblist/sources.txt) libqueue/*.c -o "build/foreign-$1.so"
}

step_foreign() {
    ./setup.sh foreign >"$results/log" 2>&1 || cat "$results/log"
    foreign_programs musl musl-gcc ''
    foreign_programs arm arm-linux-gnueabihf-gcc 'qemu-arm -L /usr/arm-linux-gnueabihf'
    foreign_programs s390x s390x-linux-gnu-gcc 'qemu-s390x -L /usr/s390x-linux-gnu'
    PW_SOURCE=$PWD PW_CC=gcc suite node_sizes sh tests/alloc/test_node_sizes.sh
    if [ ! -x build/zig/ziglang/zig ]; then
        echo "skipped: macOS and FreeBSD: there is no compiler in build/zig (./setup.sh foreign)"
        return 0
    fi
    for target in aarch64-macos x86_64-freebsd; do
        echo "-- $target, linked and not run"
        ! quietly foreign_link "$target" || count passed
    done
}

# The browser is installed here, because no other step needs it.
step_web() {
    ./setup.sh browser >"$results/log" 2>&1 || cat "$results/log"
    quietly cmake --preset release "$(warnings gcc)" &&
        quietly cmake --build --preset release -j "$jobs" --target pwgraph bfs || return 0
    suite test_web_page env PW_BROWSER=1 python3 tests/python/test_web_page.py
}

# The machine's packages are installed here, because no other step needs them.
step_pmu() {
    ./setup.sh pmu >"$results/log" 2>&1 || cat "$results/log"
    if [ ! -d build/pmu-root ]; then
        echo "skipped: there are no AArch64 packages in build/pmu-root (./setup.sh pmu)"
    elif have aarch64-linux-gnu-gcc && have qemu-system-aarch64 pmu; then
        # The headers of Valgrind, with which bfs --sim is built in, from the folder of the build.
        quietly cmake --preset aarch64 -B build/pmu -DCMAKE_BUILD_TYPE=Release \
            -DCMAKE_C_FLAGS='-idirafter ../pmu-root/usr/include' "$(warnings gcc)" &&
            quietly cmake --build build/pmu -j "$jobs" --target bfs test_counters \
                test_counter_turns test_doctor || return 0
        suite pmu tests/pmu/run -v
    fi
}

# Set-up is here, because no other step needs it. The packages are of these versions: what others
# warn of or refuse is not this tree's mistake.
step_python() {
    ./setup.sh python >"$results/log" 2>&1 || cat "$results/log"
    packages='networkx==3.6.1 numpy<3 scipy<2 pandas<4 igraph<2 pytest<10 pytest-xdist<4 hypothesis<7'
    python=build/networkx/bin/python
    # shellcheck disable=SC2086 # several words
    if [ "$(cat build/networkx/complete 2>/dev/null)" != "$packages" ]; then
        rm -rf build/networkx
        if python3 -m venv build/networkx >"$results/log" 2>&1 &&
            "$python" -m pip install -q --disable-pip-version-check --no-input --only-binary :all: \
                --retries 1 --timeout 20 $packages >>"$results/log" 2>&1; then
            printf '%s\n' "$packages" >build/networkx/complete
        else
            echo "skipped: build/networkx needs ./setup.sh python and a package registry:" \
                "$(tail -n 1 "$results/log")"
            return 0
        fi
    fi
    quietly cmake --preset release "$(warnings gcc)" &&
        quietly cmake --build --preset release -j "$jobs" --target pwgraph bfs || return 0
    for test in test_networkx_backend hypothesis_calls; do
        suite $test env PW_BUILD="$PWD/build/release" PW_SUITE=1 "$python" "tests/python/$test.py"
    done
    suite test_tables env PW_BUILD="$PWD/build/release" "$python" tests/python/test_python.py \
        Tables Words
}

# run STEP: with its time. What fails in it has been counted.
run() {
    before=$(date +%s)
    printf '\n== %s\n' "$1"
    case $1 in
    setup) ./setup.sh build test || count failed ;;
    format) step_format ;;
    release) step_release ;;
    assertions) step_assertions ;;
    tidy) check clang-tidy tidy ;;
    clang) step_clang ;;
    asan-ubsan) build asan-ubsan gcc && run_ctest asan-ubsan --preset asan-ubsan ;;
    msan) have clang && build msan clang && run_ctest msan --preset msan ;;
    valgrind) have valgrind && build valgrind gcc && run_ctest valgrind --preset valgrind ;;
    tsan) step_tsan ;;
    aarch64) step_aarch64 ;;
    foreign) step_foreign ;;
    web) step_web ;;
    pmu) step_pmu ;;
    python) step_python ;;
    system) build release gcc && run_ctest release --preset release -L '^system$' ;;
    analyse) check gcc tests/analyse --jobs "$jobs" ;;
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
for step in $steps; do
    run "$step"
done

printf '\n== The sum, after %s s\n' "$(($(date +%s) - started))"
summary
exit "$failed"

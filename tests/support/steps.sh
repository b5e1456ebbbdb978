# shellcheck shell=sh
# steps.sh - what test.sh and tests/before-release have in common: they build, run suites, count, and
# end with a sum; sourced by both, from the root of the tree.
#
# JOBS=N: processes at a time, and one test more (default: processors).
# CI=1: warnings are errors.
# AGAIN=1: a suite that failed is run once more, alone, and counts as it ended then (.ci/run).

# shellcheck source=tests/support/passed_alone.sh
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

jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
failed=0 # the exit status of who sources this
warnings_count=${CI:+yes}
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
        echo "failed: $*" >&2
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

# tidy OPTION...: clang-tidy over the product's C files, as a debug build compiles them: assertions help
# it much. Where several objects are made of a file, the first counts.
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
' "$PWD" | tr '\n' '\0' |
        xargs -0 -P "$jobs" -n 1 clang-tidy --quiet -p build/debug/tidy "$@"
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

# build FOLDER COMPILER CMAKE-OPTION...: build/FOLDER; true if it was built. A preset names the folder
# itself: build release gcc --preset release.
build() {
    folder=$1 compiler=$2
    shift 2
    quietly cmake -B "build/$folder" "$(warnings "$compiler")" "$@" &&
        quietly cmake --build "build/$folder" -j "$jobs"
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
    # shellcheck disable=SC2034 # the exit status of who sources this
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
    0) count passed ;;
    77) ;;
    *) count failed ;;
    esac
}

# The sum over all runs: a suite of Check or Python counts as its checks or tests, any other as one. A
# suite that ctest calls failed although all its checks passed (Memcheck, a crash) counts as one failure. What was
# run again counts as it ended then.
summary() {
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
    cat "$results/sum"
}


# shellcheck shell=sh
# passed_alone.sh - the line that names suites which failed once and then passed, run alone; sourced
# by whoever writes it (test.sh, tests/purposes) or sums it up (.ci/run).

# passed_alone SUITE...: the line; nothing without a suite.
passed_alone() {
    [ $# = 0 ] || echo "$# suites failed once and passed alone: $*"
}

# passed_alone_of LOG: the suites that such lines of a log name, one per line.
passed_alone_of() {
    sed -n 's/.* failed once and passed alone: //p' "$1" | tr ' ' '\n'
}

# shellcheck shell=sh
# script.sh - what a test script starts with, sourced: a folder that disappears at exit, fail, skip.
#
# A script goes on after fail, and ends with: exit $failed
# shellcheck disable=SC2034 # read by the script
failed=0
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# fail WHAT...: say it; the script will exit with 1.
fail() {
    echo "failed: $*"
    failed=1
}

# skip WHY...: end the script; ctest counts 77 as skipped.
skip() {
    echo "skipped: $*"
    exit 77
}

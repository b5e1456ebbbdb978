#!/bin/sh
# test_hardening.sh - every program and library of a Release build is hardened as
# packaging/hardening.cmake says: position independent, full RELRO, no executable stack, checked copies,
# stack protector. Read from the files; what does not show there, from the commands of the build.
set -u
. "$PW_SOURCE/tests/support/script.sh"
[ "$PW_BUILD_TYPE$PW_SANITIZE" = Release ] || skip "only Release builds are hardened"
grep -q '^PW_HARDEN:BOOL=ON' "$PW_BUILD/CMakeCache.txt" || skip "this build has PW_HARDEN=OFF"
command -v readelf >/dev/null 2>&1 || skip "readelf is not installed"

# claim FILE WHAT TEXT PATTERN: that a line of the text matches.
claim() {
    printf '%s\n' "$3" | grep -Eq "$4" || fail "$1: $2"
}

checked=0
for file in "$PW_BUILD"/bin/* "$PW_BUILD"/lib/*.so; do
    head=$(readelf -hW "$file" 2>/dev/null) || continue # a script, an archive
    segments=$(readelf -lW "$file")
    dynamic=$(readelf -dW "$file")
    checked=$((checked + 1))
    claim "$file" "not position independent" "$head" 'Type: +DYN'
    claim "$file" "no RELRO segment" "$segments" 'GNU_RELRO'
    claim "$file" "addresses are bound late" "$dynamic" 'BIND_NOW|FLAGS_1.*NOW'
    claim "$file" "the stack is executable or not declared" "$segments" 'GNU_STACK.* RW +0x'
    case $file in
    *.so) ;;
    *) claim "$file" "no PIE" "$dynamic" 'FLAGS_1.*PIE' ;;
    esac
done
[ "$checked" -ge 7 ] || fail "only $checked programs and libraries were found"

# The compiler's part shows in what is called, where a file has something to check.
symbols=$(readelf -sW "$PW_BUILD/bin/bfs")
claim bfs "no stack protector" "$symbols" '__stack_chk_fail'
claim bfs "no checked copies (_FORTIFY_SOURCE)" "$symbols" '__snprintf_chk|__vsnprintf_chk|__memcpy_chk'
symbols=$(readelf -sW "$PW_BUILD/lib/liblinked_list.so" 2>/dev/null) &&
    claim liblinked_list "no stack protector" "$symbols" '__stack_chk_fail'
commands=$(cat "$PW_BUILD/compile_commands.json")
for flag in -fstack-protector-strong -fstack-clash-protection -fcf-protection=return \
    -mbranch-protection=standard; do
    # Only where CMake found that the compiler knows the flag.
    grep -q "^PW_HAS.*$(printf %s "$flag" | tr -- '=-' '__').*:INTERNAL=1" "$PW_BUILD/CMakeCache.txt" ||
        continue
    loose=$(printf '%s\n' "$commands" | grep '"command":' | grep -v -e "$flag" -e /tests/)
    [ -z "$loose" ] || fail "compiled without $flag: $loose"
done
exit $failed

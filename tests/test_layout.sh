#!/bin/sh
# test_layout.sh - the arrows between the folders point one way, and the house style holds.
#
# 1. Arrows: every #include "..." leads to a folder that the includer's folder may use, and every
#    #include <...> is libc, the system or a third party that the folder may use. Programs (the
#    files of a pw_program) may use every folder but tests.
# 2. Style: a header comment, 100 columns, 700 lines a file, 70 a function, no name that begins
#    with an underscore, no note of unfinished work; libraries neither print nor exit.
# Each finding is a line FILE:LINE: what; any finding fails.
set -u
cd "$PW_SOURCE" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

find alloc liblist libqueue data perf bfs tests examples -name '*.[ch]' | sort >"$scratch/files"

# The files of programs: what stands in a pw_program(...) after its name.
for folder in data perf bfs; do
    sed 's/#.*//' $folder/CMakeLists.txt | tr '\n' ' ' | grep -o 'pw_program([^)]*)' |
        grep -o '[a-z_0-9]*[.]c' | sed "s|^|$folder/|"
done >"$scratch/programs"
# A header belongs to a program when every file of its folder that includes it does; the second
# time for the headers that such headers include.
for _ in 1 2; do
    grep -E '^(data|perf|bfs)/.*\.h$' "$scratch/files" | while read -r header; do
        users=$(grep -lE "^#include \"${header##*/}\"" "${header%/*}"/*.[ch] | grep -vxF "$header")
        [ -n "$users" ] || continue
        echo "$users" | grep -vxF -f "$scratch/programs" >/dev/null || echo "$header"
    done >"$scratch/program_headers"
    cat "$scratch/program_headers" >>"$scratch/programs"
done

# shellcheck disable=SC2046 # one word a file
awk -v programs="$(tr '\n' ' ' <"$scratch/programs")" -v files="$(tr '\n' ' ' <"$scratch/files")" '
function finding(what) {
    print FILENAME ":" FNR ": " what
}
# Code without comments, strings and characters.
function bare(line,    at) {
    gsub(/\\./, "", line)
    gsub(/"[^"]*"/, "\"\"", line)
    gsub(/\047[^\047]*\047/, "0", line)
    if (in_comment) {
        at = index(line, "*/")
        if (!at) return ""
        line = substr(line, at + 2)
        in_comment = 0
    }
    while ((at = index(line, "/*")) > 0) {
        rest = substr(line, at + 2)
        line = substr(line, 1, at - 1)
        if ((at = index(rest, "*/")) > 0) line = line " " substr(rest, at + 2)
        else in_comment = 1
    }
    sub(/\/\/.*/, "", line)
    return line
}
function check_include(name, angled,    target) {
    if (!angled) {
        target = (folder "/" name) in exists ? folder : owner[name]
        if (target == "") return # made by the build
        if (is_program && target != "tests") return
        if (index(may_use[folder], " " target " ") == 0)
            finding(folder " may not use " target " (" name ")")
    } else if (name in third_party) {
        if (index(third_party[name], " " folder " ") == 0 && folder != "tests")
            finding(folder " may not use <" name ">")
    } else if (name in owner) {
        if (folder != "examples" && folder != "tests")
            finding("<" name "> is this project, write it in quotes")
    }
}
BEGIN {
    may_use["alloc"] = " alloc "
    may_use["liblist"] = " alloc liblist "
    may_use["libqueue"] = " liblist libqueue "
    may_use["data"] = " data "
    may_use["perf"] = " perf "
    may_use["bfs"] = " alloc liblist libqueue data perf bfs "
    may_use["tests"] = " alloc liblist libqueue data perf bfs tests "
    may_use["examples"] = " "
    third_party["valgrind/memcheck.h"] = " alloc "
    third_party["sanitizer/asan_interface.h"] = " alloc "
    third_party["valgrind/valgrind.h"] = third_party["valgrind/callgrind.h"] = " perf bfs "
    third_party["archive.h"] = third_party["archive_entry.h"] = " data "
    third_party["perfmon/pfmlib.h"] = third_party["perfmon/pfmlib_perf_event.h"] = " perf "
    third_party["check.h"] = " "
    n = split(files, list, " ")
    for (i = 1; i <= n; i++) {
        exists[list[i]] = 1
        split(list[i], part, "/")
        owner[part[2]] = part[1]
    }
    n = split(programs, list, " ")
    for (i = 1; i <= n; i++) program[list[i]] = 1
}
FNR == 1 {
    folder = FILENAME
    sub(/\/.*/, "", folder)
    base = FILENAME
    sub(/.*\//, "", base)
    is_program = FILENAME in program
    is_library = !is_program && folder != "tests" && folder != "examples"
    in_comment = 0
    header_lines = 0
    in_header = 1
    body_start = 0
    if ($0 != "/*") finding("a file opens with a comment that says what it is")
}
FNR == 2 && index($0, " * " base " - ") != 1 { finding("the header comment begins with \"" base " - \"") }
in_header {
    header_lines++
    if (/\*\//) {
        in_header = 0
        if (header_lines - 2 > 15) finding("the header comment has more than 15 lines")
    }
}
length($0) > 100 { finding("longer than 100 columns") }
FNR == 701 { finding("a file stays below 700 lines") }
/[ \t]$/ { finding("blanks at the end of the line") }
/\t/ { finding("a tab") }
$0 ~ "TO" "DO|FIX" "ME" { finding("unfinished work") }
/^#include "/ { split($0, part, "\""); check_include(part[2], 0) }
/^#include </ { name = $2; gsub(/[<>]/, "", name); check_include(name, 1) }
/^{/ { body_start = FNR }
/^}/ && body_start {
    if (FNR - body_start - 1 > 70) finding("a function of " FNR - body_start - 1 " lines")
    body_start = 0
}
{
    code = " " bare($0)
    if (code ~ /^ #/) next
    names = code
    while (match(names, /[^A-Za-z0-9_]_[a-z][A-Za-z0-9_]*/)) {
        name = substr(names, RSTART + 1, RLENGTH - 1)
        names = substr(names, RSTART + RLENGTH)
        if (name !~ /^_(i$|mm|mm256|mm512|exit|cvt|tzcnt|lzcnt|pext|pdep)/) finding("the name " name " begins with an underscore")
    }
    if (is_library && code ~ /[^A-Za-z0-9_>.](printf|puts|putchar|vprintf|perror|exit|quick_exit|abort|assert) *\(/)
        finding("a library neither prints nor exits")
    if (is_library && code ~ /[^A-Za-z0-9_](stdout|stderr)[^A-Za-z0-9_]/)
        finding("a library does not know stdout and stderr")
}' $(cat "$scratch/files") >"$scratch/findings"

cat "$scratch/findings"
[ ! -s "$scratch/findings" ]

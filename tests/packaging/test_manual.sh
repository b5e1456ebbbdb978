#!/bin/sh
# test_manual.sh - manual pages and completions agree with the programs, and work.
#
# 1. Every installed program has a page, which mandoc and man take without a warning, with EXIT STATUS,
#    EXAMPLES, FILES and ENVIRONMENT; every option of its table is on it. --help fits 80 columns.
# 2. bash completes options, words and commands; fish too where it is installed; zsh reads its files.
# 3. Making them twice gives the same bytes.
set -u
. "$PW_SOURCE/tests/support/script.sh"
made=$PW_BUILD/packaging
[ -e "$made/stamp" ] || skip "no manual pages in this build: its programs cannot run here, or there is no python3"

# Pages.
for program in "$PW_BUILD"/bin/* "$made"/bfs-study "$made"/bfs-judge "$made"/bfs-web; do
    name=${program##*/}
    page=$made/man1/$name.1
    [ -e "$page" ] || {
        fail "$name has no manual page"
        continue
    }
    if command -v mandoc >/dev/null; then
        mandoc -T lint -W warning "$page" || fail "mandoc finds fault with $name.1"
    fi
    if command -v man >/dev/null && command -v groff >/dev/null; then
        LC_ALL=C.UTF-8 man --warnings -l "$page" >"$scratch/page" 2>"$scratch/err"
        [ ! -s "$scratch/err" ] || fail "man finds fault with $name.1: $(cat "$scratch/err")"
    fi
    for section in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' ENVIRONMENT FILES EXAMPLES 'SEE ALSO'; do
        grep -q "^\.SH $section\$" "$page" || fail "$name.1 has no $section"
    done
    ! grep -q 'perf/[a-z]*' "$page" || grep -q 'source tree' "$page" || fail "$name.1 names a file that only the source tree has"
    "$program" --option-table >"$scratch/table" 2>/dev/null || continue
    wide=$("$program" --help | awk 'length > 80')
    [ -z "$wide" ] || fail "$name --help is wider than 80 columns: $wide"
    sed -n 's/.*{"name":"\([a-z-]*\)".*/\1/p' "$scratch/table" >"$scratch/options"
    [ -s "$scratch/options" ] || fail "$name has no options"
    while read -r option; do
        escaped=$(echo "--$option" | sed 's/-/\\\\\\\\-/g')
        grep -q "$(printf %b "$escaped")" "$page" || fail "$name.1 does not know --$option"
        grep -qe "--${option}[ =\"]" "$made/bash/$name" || fail "bash does not know $name --$option"
        grep -qe "-l $option " "$made/fish/$name.fish" || fail "fish does not know $name --$option"
        grep -qe "'--${option}[]=[-]" "$made/zsh/_$name" || fail "zsh does not know $name --$option"
    done <"$scratch/options"
done

# shellcheck disable=SC2016 # roff
grep -qF '\fB\-\-alloc\fR=\fISPEC[,SPEC]...\fR' "$made/man1/bfs.1" ||
    fail "bfs.1: $(grep -F 'SPEC[,SPEC' "$made/man1/bfs.1")"
grep -q 'Usage\|Environment:' "$made/man1/wikipedia-fetch.1" && fail "wikipedia-fetch.1 repeats its --help"

# bash: what its complete function offers. expect "words before the cursor" "offered, one per line"
if command -v bash >/dev/null; then
    cat >"$scratch/complete.bash" <<'BASH'
compopt() { :; }
source "$1/bash/$2"
shift
name=$1
shift
COMP_WORDS=("$name" "$@")
COMP_CWORD=$#
"_${name//-/_}"
printf '%s\n' "${COMPREPLY[@]}"
BASH
    cd "$scratch" || exit 1
    : >graph.mtx
    expect() { # EXPECTED NAME WORD...
        expected=$1
        shift
        offered=$(bash "$scratch/complete.bash" "$made" "$@" 2>&1 | sort | tr '\n' ' ')
        [ "$offered" = "$expected " ] || fail "bash offers \"$offered\" for: $*"
    }
    expect "--trials=" bfs --tri
    expect "csv dot json text" bfs --format ""
    expect "csv" bfs --format = c
    expect "challenge classic" bfs generate:nodes=1k -e c
    expect "graph.mtx" bfs gr
    expect "graph.mtx" bfs --names = gr
    expect "generate:" bfs gen
    expect "generate: graph.mtx" graph-info g
    expect "edges=" bfs generate : ed
    expect "seed= targets=" bfs graph.mtx random :
    expect "auto,branch-misses auto,branches" bfs --counters = auto,b
    expect "check" allocbench che
    expect "bidirectional bitmap" bfs --engine = bi
    expect "malloc,pool" bfs --alloc = malloc,po
    expect "classic,plain" bfs --engine classic,pl
    expect "pages=" bfs --alloc = slab : pa
    expect "chunk= pages=" bfs --alloc = malloc,slab :
    expect "" bfs --alloc = unknown :
    expect "--verify --verify-snapshot" bfs --verify
    expect "ideas" bfs-study id
    expect "json" bfs-judge --format js
    for file in "$made"/bash/*; do
        bash -n "$file" || fail "$file is no bash"
    done
fi
if command -v fish >/dev/null; then
    for file in "$made"/fish/*.fish; do
        fish --no-execute "$file" || fail "$file is no fish"
    done
    offered=$(HOME=$scratch fish -c "source $made/fish/bfs.fish; complete -C 'bfs --format '" 2>&1 |
        cut -f1 | sort | tr '\n' ' ')
    case $offered in *csv\ *json\ *text*) ;; *) fail "fish offers \"$offered\"" ;; esac
fi
if command -v zsh >/dev/null; then
    for file in "$made"/zsh/_*; do
        zsh -n "$file" || fail "$file is no zsh"
    done
fi

# Twice.
date=$(sed -n 's/^set(PW_RELEASE_DATE \([0-9-]*\)).*/\1/p' "$PW_SOURCE/packaging/CMakeLists.txt")
LD_LIBRARY_PATH=$PW_BUILD/lib python3 "$PW_SOURCE/packaging/manual.py" --bin "$PW_BUILD/bin" \
    --source "$PW_SOURCE" --date "$date" --output "$scratch/again" \
    --datadir "$(sed -n 's|^CMAKE_INSTALL_PREFIX:.*=||p' "$PW_BUILD/CMakeCache.txt")/share" ||
    fail "making them again"
for folder in man1 bash zsh fish; do
    diff -r -x '*.gz' "$made/$folder" "$scratch/again/$folder" || fail "$folder differs when made again"
done
exit $failed

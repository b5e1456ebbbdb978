#!/bin/sh
# download.sh - fetch the challenge's graph, SuiteSparse Gleich/wikipedia-20070206 (CC BY 4.0), once.
#
# 1. The archive is fetched to FOLDER/NAME.tar.gz.part; a run that stopped early is gone on with.
# 2. It is checked (gzip's checksum) and unpacked to FOLDER/NAME.mtx, whose size line is checked;
#    that every entry is there is checked whenever the graph is read.
#
# Usage: data/wikipedia/download.sh [FOLDER]     FOLDER: where it is kept (default: .cache); some 1 GB
# Environment: WIKIPEDIA_URL, another place of the archive
# Exit: 0 FOLDER/NAME.mtx is there, 1 it is not (it says why), 130 interrupted.
set -eu

case ${1:-} in
-*)
    sed -n '2,10s/^# \{0,1\}//p' "$0"
    case $1 in -h | --help) exit 0 ;; *) exit 2 ;; esac
    ;;
esac

name='wikipedia-20070206'
url=${WIKIPEDIA_URL:-https://suitesparse-collection-website.herokuapp.com/MM/Gleich/$name.tar.gz}
folder=${1:-.cache}
archive=$folder/$name.tar.gz
matrix=$folder/$name.mtx
size_line='3566907 3566907 45030389'

fail() {
    echo "download.sh: $*" >&2
    exit 1
}

# Remove what is of no use: a half unpacked graph, an empty download, a folder made for nothing.
cleanup() {
    rm -f "$matrix.part"
    [ -s "$archive.part" ] || rm -f "$archive.part"
    rmdir "$folder" 2>/dev/null || true
}

# True if a Matrix Market file begins as the graph does.
is_graph() {
    [ -s "$1" ] && head -c 20000 "$1" | tr -d '\r' | grep -q "^$size_line\$"
}

# True if a file begins as gzip does.
is_gzip() {
    [ "$(head -c 2 "$1" | od -An -tx1 | tr -d ' ')" = 1f8b ]
}

# Fetch the archive, going on where an earlier run stopped. Whether all of it came is seen later.
fetch() {
    meter=--silent
    [ ! -t 2 ] || meter=--progress-bar
    code=0
    # A redirect leads to https and nowhere else, and so does the usual address.
    only='--proto-redir =https'
    [ -n "${WIKIPEDIA_URL:-}" ] || only="$only --proto =https"
    # shellcheck disable=SC2086 # two options and their values
    curl "$meter" $only --fail --location --retry 2 --connect-timeout 20 --continue-at - \
        --output "$archive.part" "$url" || code=$?
    [ "$code" != 23 ] || fail "$archive.part cannot be written; is the disk full?"
}

is_graph "$matrix" && exit 0
command -v curl >/dev/null 2>&1 || fail "curl is needed: apt-get install curl"
mkdir -p "$folder" || fail "the folder $folder cannot be made"
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

if [ ! -s "$archive" ]; then
    echo "Downloading $url"
    fetch
    [ -s "$archive.part" ] ||
        fail "the graph cannot be downloaded from $url; is this machine online?"
    if ! is_gzip "$archive.part"; then
        rm -f "$archive.part"
        fail "what $url gave is not the archive of the graph; try again later"
    fi
    if ! gzip --test "$archive.part" 2>/dev/null; then
        [ "$code" != 0 ] ||
            { rm -f "$archive.part" && fail "what came from $url is damaged; run this again"; }
        fail "the download stopped early; run this again to go on where it stopped," \
            "or remove $archive.part to start again"
    fi
    mv "$archive.part" "$archive"
fi

echo "Unpacking $archive"
tar -xzOf "$archive" "$name/$name.mtx" >"$matrix.part" 2>/dev/null || {
    tar -tzf "$archive" "$name/$name.mtx" >/dev/null 2>&1 ||
        rm -f "$archive"
    fail "$archive cannot be unpacked; is the disk full? If not, run this again"
}
is_graph "$matrix.part" || {
    rm -f "$archive"
    fail "$archive held another graph than $name, and was removed; run this again"
}
mv "$matrix.part" "$matrix"
rm -f "$archive"

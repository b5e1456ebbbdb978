#!/bin/sh
# test_alternatives.sh - the name bfs, where Debian's package bfs may be installed: that package keeps its
# name and its files, and ours has the name while it is absent.
#
# Two small packages, one with the scripts of ours and one with the files of Debian's, come and go in a
# folder that dpkg takes for the root of a system. It needs no rights.
set -u
. "$PW_SOURCE/tests/support/script.sh"
for program in dpkg dpkg-deb update-alternatives; do
    command -v $program >/dev/null || skip "$program is not installed"
done
umask 022
scripts=$PW_SOURCE/packaging/debian/programs
share=/usr/share
slaves="$share/man/man1/bfs.1.gz $share/bash-completion/completions/bfs
    $share/zsh/vendor-completions/_bfs $share/fish/vendor_completions.d/bfs.fish"

# make NAME FILE...: a package in $scratch/NAME.deb, each file with the name of the package in it.
make() {
    name=$1 tree=$scratch/tree/$1
    shift
    mkdir -p "$tree/DEBIAN"
    printf '%s\n' "Package: $name" "Version: 1" "Architecture: all" "Maintainer: test <test@example.org>" \
        "Description: test" >"$tree/DEBIAN/control"
    for file in "$@"; do
        mkdir -p "$tree$(dirname "$file")"
        echo "$name" >"$tree$file"
    done
    [ "$name" = bfs ] || cp "$scripts/postinst" "$scripts/prerm" "$scripts/triggers" "$tree/DEBIAN" ||
        fail "there are no scripts"
    dpkg-deb --root-owner-group --build "$tree" "$scratch/$name.deb" >"$scratch/log" 2>&1 ||
        fail "$(cat "$scratch/log")"
}
kept=$share/pointer-wars/alternatives
make pointer-wars /usr/bin/pointer-wars-bfs $kept/bfs.1.gz $kept/bfs $kept/_bfs $kept/bfs.fish
# shellcheck disable=SC2086 # words
make bfs /usr/bin/bfs $slaves

root=$scratch/root
# system: a new one, without packages.
system() {
    rm -rf "$root"
    mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers" \
        "$root/var/lib/dpkg/alternatives" "$root/etc/alternatives" "$root/var/log"
    : >"$root/var/lib/dpkg/status"
}
# run dpkg with WORD...
run() {
    PATH=$PATH:/usr/sbin:/sbin dpkg --root="$root" --force-not-root --force-script-chrootless \
        --log="$scratch/dpkg.log" "$@" >"$scratch/log" 2>&1 || fail "dpkg $*: $(cat "$scratch/log")"
}
# owner FILE: the package whose content FILE shows, through links; nothing if there is no such file.
owner() {
    file=$1
    while [ -L "$root$file" ]; do
        file=$(readlink "$root$file")
    done
    [ ! -e "$root$file" ] || cat "$root$file"
}
# expect PACKAGE WHEN: every file of the name bfs is that package's; "": there is none.
expect() {
    for file in /usr/bin/bfs $slaves; do
        [ "$(owner "$file")" = "$1" ] || fail "$2: $file is of \"$(owner "$file")\""
        [ -n "$1" ] || [ ! -L "$root$file" ] || fail "$2: $file is a link to nothing"
    done
}

system
run -i "$scratch/pointer-wars.deb"
expect pointer-wars "alone"
run -i "$scratch/bfs.deb"
expect bfs "the other after it"
[ "$(owner /usr/bin/pointer-wars-bfs)" = pointer-wars ] || fail "ours is gone"
run -i "$scratch/pointer-wars.deb"
expect bfs "ours once more"
run -r bfs
expect pointer-wars "the other removed"
run -r pointer-wars
expect "" "both removed"

system
run -i "$scratch/bfs.deb"
run -i "$scratch/pointer-wars.deb"
expect bfs "after the other"
run -r pointer-wars
expect bfs "ours removed"
run -i "$scratch/pointer-wars.deb"
run -r bfs
expect pointer-wars "the other removed, which was first"
run -r pointer-wars
left=$(find "$root/usr" "$root/etc" ! -type d)
[ -z "$left" ] || fail "left: $left"
exit $failed

#!/bin/sh
# test_by_hand.sh - the libraries without CMake: the lines of liblist/README.md, and the core's tarball.
#
# 1. liblist/sources.txt has every file that the list needs, and no other.
# 2. The lines make both libraries and the one object; a program that knows the headers only runs.
# 3. The tarball builds by its Makefile, and has the same bytes when it is made again.
set -u
. "$PW_SOURCE/tests/support/script.sh"
cc=$PW_CC
headers="-I alloc -I liblist -I libqueue" # in the scratch folder, whatever the tree's is called
for folder in alloc base liblist libqueue; do
    ln -s "$PW_SOURCE/$folder" "$scratch/$folder"
done
cd "$scratch" || exit 1

# What the linker takes of an archive with one member per file.
mkdir members
# shellcheck disable=SC2046 # a file per word
(cd members && "$cc" -std=c17 -D_GNU_SOURCE -DPW_DEBUG -I .. -c $(sed 's|^|../|' ../liblist/sources.txt)) ||
    fail "compiling by sources.txt"
ar rc members.a members/*.o
# shellcheck disable=SC2086 # options
"$cc" $headers "$PW_SOURCE/tests/liblist/harness.c" libqueue/*.c -D_GNU_SOURCE -I . members.a \
    -pthread -ldl -Wl,-u,node_allocator_prepare_process,-Map=map -o members/harness || fail "sources.txt lacks a file"
grep -o "members.a([a-z0-9_]*[.]o)" map | sed "s|.*(||; s|)||" | sort -u >taken
sed 's|.*/||; s|c$|o|' liblist/sources.txt | sort >named
cmp -s taken named || fail "sources.txt names what the list does not need: $(comm -13 taken named)"

# uses FOLDER: programs link and run with the libraries there, and with the one object.
uses() {
    for program in liblist/harness libqueue/harness_queue; do
        name=${program##*/}
        # shellcheck disable=SC2086 # options
        "$cc" $headers "$PW_SOURCE/tests/$program.c" -L "$1" -lqueue -llinked_list -o "$name" ||
            fail "$1: linking $name"
        LD_LIBRARY_PATH=$1 LINKED_LIST_ALLOC=slab "./$name" >log 2>&1 || fail "$name: $(cat log)"
        # shellcheck disable=SC2086 # options
        "$cc" $headers "$PW_SOURCE/tests/$program.c" "$1/pointer_wars.o" -pthread -ldl -o "$name" ||
            fail "$1: linking $name with the one object"
        LINKED_LIST_ALLOC=pool "./$name" >log 2>&1 || fail "static $name: $(cat log)"
    done
}

sed -n '/^    cc /,/-o [a-z_.]*$/p' liblist/README.md | sed "s|^    cc |'$cc' |" >lines.sh
[ "$(grep -c std=c17 lines.sh)" = 3 ] || fail "liblist/README.md has not three lines of cc"
sh -e lines.sh || fail "the lines of liblist/README.md"
uses "$scratch"

for again in 1 2; do
    SOURCE_DATE_EPOCH=1 CC=$cc "$PW_SOURCE/packaging/core-tarball" $again || fail "core-tarball"
done
cmp 1/*.tar.gz 2/*.tar.gz || fail "core-tarball: other bytes when it is made again"
mkdir core
tar -xzf 1/pointer-wars-core.tar.gz -C core
make -s -C core/pointer-wars-core CC="$cc" || fail "make in the core"
uses "$scratch/core/pointer-wars-core"
exit $failed

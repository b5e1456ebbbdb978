#!/bin/sh
# test_node_sizes.sh - the table of nodes in liblist/README.md, on each machine with a compiler here.
#
# 1. A row is chosen by the size of a pointer, and node_sizes.c is compiled with its numbers.
# 2. It runs, under an emulator for another processor; for macOS and FreeBSD it is compiled alone.
# 3. What it prints is a row of a table: tests/before-release systems shows it.
set -u
. "$PW_SOURCE/tests/support/script.sh"
cd "$PW_SOURCE" || exit 1

# row BITS: the page's numbers, as options of the compiler.
row() {
    awk -F ' *[|] *' -v bits="$1 bits:" '
        $3 == "struct node" { for (i = 3; i < NF; i++) at[$i] = i }
        index($2, bits) == 1 {
            printf "-DNODE=%d -DSLAB=%d -DMALLOC=%d -DALIGNED=%d\n", $at["struct node"],
                $at["in a slab"], $at["with glibc'"'"'s malloc"], $at["all blocks aligned to"]
        }' liblist/README.md
}

# compiles NAME COMPILER...: node_sizes.c with the page's numbers.
compiles() {
    name=$1
    shift
    bytes=$(echo __SIZEOF_POINTER__ | "$@" -E -P -x c -) || bytes=0
    numbers=$(row $((8 * bytes)))
    [ "$numbers" ] || numbers='no row for its pointers'
    # shellcheck disable=SC2086 # options
    "$@" -std=c17 -D_GNU_SOURCE -I . -I alloc $numbers -c tests/alloc/node_sizes.c -o "$scratch/$name.o" || {
        fail "$name: not the sizes of liblist/README.md: $numbers"
        return 1
    }
}

# runs NAME EMULATOR COMPILER...: the same, and it runs. There is no emulator for this processor.
runs() {
    name=$1 emulator=$2
    shift 2
    for program in "$1" ${emulator:+"$emulator"}; do
        command -v "$program" >/dev/null || {
            echo "left out: $name, for want of $program"
            return
        }
    done
    compiles "$name" "$@" || return
    "$@" -static "$scratch/$name.o" -o "$scratch/$name" || fail "$name: linking"
    $emulator "$scratch/$name" "$name" ||
        fail "$name: a slab or malloc takes other sizes than liblist/README.md says: $numbers"
}

# other NAME TUPLE: another processor, with the C library of its cross compiler or the one in build.
other() {
    if [ -e "build/$1-root/usr/lib/$2/libc.a" ]; then
        runs "$1" "qemu-$1" "$2-gcc" --sysroot="$PWD/build/$1-root"
    elif [ -e "/usr/$2/lib/libc.a" ]; then
        runs "$1" "qemu-$1" "$2-gcc"
    else
        echo "left out: $1, for want of its C library"
    fi
}

echo "| machine | struct node | in a slab | with glibc's malloc | aligned to |"
runs here '' "$PW_CC"
runs musl '' musl-gcc
other aarch64 aarch64-linux-gnu
other arm arm-linux-gnueabihf
other s390x s390x-linux-gnu
for target in aarch64-macos x86_64-freebsd; do
    if [ -x build/zig/ziglang/zig ]; then
        compiles "$target" build/zig/ziglang/zig cc -target "$target" &&
            echo "$numbers" | sed "s/-DNODE=\([0-9]*\) .*=\([0-9]*\)$/| $target, compiled | \1 | | | \2 |/"
    else
        echo "left out: $target, for want of build/zig"
    fi
done
exit $failed

#!/bin/sh
# setup.sh - install what building, testing and plotting need, and only what is missing.
#
# Usage: ./setup.sh [PURPOSE...]      PURPOSE: build, test, mpi, plot, download, fuzz, package, all
#                                     (default: build test)
# Exit: 0 everything is there, 1 something could not be installed (it says what to do), 2 usage.
set -eu

# package | purpose | how to recognise it where dpkg did not install it | what it is for
table='
gcc            | build | cmd:gcc          | the C compiler
libc6-dev      | build | header:stdio.h   | the C library, to compile against
make           | build | cmd:make         | runs the build that CMake writes
cmake          | build | cmd:cmake        | configures the build, 3.22 or newer
pkg-config     | build | cmd:pkg-config   | finds the libraries below
libarchive-dev | build | pc:libarchive    | reads compressed and packed graphs
libexpat1-dev  | build | pc:expat         | reads GraphML
zlib1g-dev     | build | pc:zlib          | decodes gzip and checks its checksums
libisal-dev    | build | pc:libisal       | decodes gzip faster than zlib
nettle-dev     | build | pc:nettle        | SHA-1 and MD5 of downloaded dumps
libxxhash-dev  | build | pc:libxxhash     | checksums of snapshots
libpfm4-dev    | build | header:perfmon/pfmlib.h | names of processor counters
ninja-build    | test  | cmd:ninja        | builds for the tests in less time than make
g++            | test  | cmd:g++          | compiles the public headers as C++
check          | test  | pc:check         | the unit test framework
valgrind       | test  | cmd:valgrind     | runs the tests under Memcheck
clang          | test  | cmd:clang        | builds and tests with a second compiler
clang-format   | test  | cmd:clang-format | checks how the sources are laid out
clang-tidy     | test  | cmd:clang-tidy   | looks for mistakes in the C sources
shellcheck     | test  | cmd:shellcheck   | looks for mistakes in the shell scripts
pyflakes3      | test  | cmd:pyflakes3    | looks for mistakes in the Python sources
abigail-tools  | test  | cmd:abidiff      | compares the binary interface of the libraries with its baseline
mandoc         | test  | cmd:mandoc       | looks for mistakes in the manual pages
bubblewrap     | test  | cmd:bwrap        | the sandbox in which the judge runs submissions
libopenmpi-dev | mpi   | cmd:mpicc        | MPI, for bfs-mpi
openmpi-bin    | mpi   | cmd:mpiexec      | starts the ranks of an MPI job
lintian        | package | cmd:lintian    | looks for mistakes in the Debian packages
dpkg-dev       | package | cmd:dpkg-shlibdeps | finds what the Debian packages depend on
gcc-aarch64-linux-gnu | test | cmd:aarch64-linux-gnu-gcc | cross compiler for AArch64
qemu-user      | test  | cmd:qemu-aarch64 | runs the AArch64 tests
gnuplot-nox    | plot  | cmd:gnuplot      | draws the plots
isal           | plot  | cmd:igzip        | what the import of a Wikipedia is measured beside
python3        | test  | cmd:python3      | perf/study and some of the tests
curl           | download | cmd:curl      | fetches the real graph
libclang-rt-dev | fuzz | clang:fuzzer     | libFuzzer and the sanitizers of clang
'

# The AArch64 libraries that the cross build links; they and what they need are unpacked into
# build/aarch64-root, so that this system's own packages and architectures stay as they are.
aarch64_packages='libarchive-dev libexpat1-dev libxxhash-dev nettle-dev zlib1g-dev check'

fail() {
    echo "setup.sh: $*" >&2
    exit 1
}

# recognise HOW: whether cmd:NAME, pc:MODULE, header:FILE or clang:SANITIZER is there.
recognise() {
    case $1 in
    cmd:*) command -v "${1#cmd:}" >/dev/null 2>&1 ;;
    pc:*) pkg-config --exists "${1#pc:}" 2>/dev/null ;;
    header:*) echo "#include <${1#header:}>" | cc -E - >/dev/null 2>&1 ;;
    clang:*)
        echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
            clang "-fsanitize=${1#clang:}" -x c - -o /dev/null 2>/dev/null
        ;;
    esac
}

# rows PURPOSES: "package how" of every row of the table with one of these purposes.
rows() {
    echo "$table" | awk -F ' *[|] *' -v purposes=" $1 " \
        'NF > 1 && index(purposes, " " $2 " ") { print $1, $3 }'
}

# missing_packages PURPOSES: the packages that are not there.
missing_packages() {
    installed=" "
    if command -v dpkg-query >/dev/null 2>&1; then
        # shellcheck disable=SC2046 # one word per package
        installed=" $(dpkg-query -W -f='${db:Status-Status} ${Package}\n' \
            $(rows "$1" | cut -d' ' -f1) 2>/dev/null |
            awk '$1 == "installed" { printf "%s ", $2 }')"
    fi
    rows "$1" | while read -r package how; do
        case $installed in *" $package "*) continue ;; esac
        recognise "$how" || echo "$package"
    done
}

# Run a command as root.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# Whether root's rights can be had: we are root, or sudo answers, or it can ask for a password.
can_be_root() {
    [ "$(id -u)" = 0 ] && return 0
    command -v sudo >/dev/null 2>&1 || return 1
    sudo -n true 2>/dev/null || [ -t 0 ]
}

install_packages() {
    echo "setup.sh: installing $*"
    command -v apt-get >/dev/null 2>&1 ||
        fail "this is not a Debian or Ubuntu system; install by other means, then run this again:
  $*"
    can_be_root ||
        fail "installing needs root; run this as root, or let an administrator run
  apt-get install $*"
    as_root apt-get update -qq ||
        echo "setup.sh: the package lists could not be refreshed, trying with those at hand" >&2
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        "$@" >/dev/null ||
        fail "apt-get could not install $*
  Is this machine online, and are its package sources right (on Ubuntu, \"universe\" too)?
  Try: apt-get update && apt-get install $*"
}

# apt_aarch64 ARGUMENT...: apt-get as a system of AArch64 with nothing installed, kept in $root.apt.
apt_aarch64() {
    apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 \
        -o APT::Install-Recommends=false -o Debug::NoLocking=1 -o Dir::State="$root.apt" \
        -o Dir::State::status="$root.apt/status" -o Dir::Cache="$root.apt/cache" "$@"
}

# Unpack the AArch64 libraries. Where the package source has none the tests do without.
unpack_aarch64_root() {
    root=$(cd "$(dirname "$0")" && pwd)/build/aarch64-root
    [ "$(cat "$root/packages" 2>/dev/null)" != "$aarch64_packages" ] &&
        command -v apt-get >/dev/null 2>&1 || return 0
    case $(uname -m) in aarch64) return 0 ;; esac
    echo "setup.sh: unpacking AArch64 libraries into build/aarch64-root"
    rm -rf "$root.apt" "$root.new"
    mkdir -p "$root.apt/lists/partial" "$root.apt/cache/archives/partial" "$root.new"
    : >"$root.apt/status"
    apt_aarch64 update 2>/dev/null || true # a source without AArch64 packages is no failure
    # shellcheck disable=SC2086 # one word per package
    if apt_aarch64 --download-only -y install $aarch64_packages >/dev/null 2>&1; then
        for package in "$root.apt"/cache/archives/*.deb; do
            dpkg -x "$package" "$root.new"
        done
        echo "$aarch64_packages" >"$root.new/packages"
        rm -rf "$root"
        mv "$root.new" "$root"
    elif [ ! -d "$root" ]; then
        echo "setup.sh: the package source has no AArch64 libraries; their tests will be skipped" >&2
    fi
    rm -rf "$root.apt" "$root.new"
}

check_cmake_version() {
    version=$(cmake --version | awk 'NR == 1 { print $3 }')
    echo "$version" | awk -F. '{ exit !($1 > 3 || ($1 == 3 && $2 >= 22)) }' ||
        fail "CMake 3.22 or newer is needed, found $version"
}

purposes=
for purpose in "${@:-build}"; do
    case $purpose in
    build | test | mpi | plot | download | fuzz | package) purposes="$purposes $purpose" ;;
    all) purposes="build test mpi plot download fuzz package" ;;
    -h | --help)
        sed -n '2,6s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    *)
        echo "setup.sh: unknown purpose \"$purpose\"; there are build, test, mpi, plot, download, fuzz, package, all" >&2
        exit 2
        ;;
    esac
done
[ $# -gt 0 ] || purposes="build test"

missing=$(missing_packages "$purposes")
if [ -n "$missing" ]; then
    # shellcheck disable=SC2086 # one word per package
    install_packages $missing
    missing=$(missing_packages "$purposes")
    [ -z "$missing" ] || fail "still missing after the installation: $missing"
fi
check_cmake_version
case "$purposes " in *" test "*) unpack_aarch64_root ;; esac

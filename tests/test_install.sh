#!/bin/sh
# test_install.sh - what is installed can be used: by hand, with pkg-config, with find_package.
#
# 1. Install into a new prefix, and move it: nothing in it may know where it was.
# 2. Build a C and a C++ program against each library in the three ways, outside this tree; run them.
# 3. An installed program finds its libraries by itself; so do the study and compare.
# 4. Papers, examples, data, manual pages and completions are there, and the examples work.
set -u
. "$PW_SOURCE/tests/support/script.sh"
# run NAME COMMAND...: the command prints ok.
run() {
    name=$1
    shift
    output=$("$@" 2>&1)
    [ "$? $output" = "0 ok" ] || fail "$name: $output"
}

# A private umask does not make the folders private; what was installed can be taken away.
(umask 077 && cmake --install "$PW_BUILD" --prefix "$scratch/away") >"$scratch/log" 2>&1 ||
    fail "installing with umask 077: $(cat "$scratch/log")"
private=$(find "$scratch/away" ! -perm -005 -type d)
[ -z "$private" ] || fail "closed to others: $private"
cmake --build "$PW_BUILD" --target uninstall >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
left=$(ls "$scratch")
[ "$left" = log ] || fail "left by uninstall: $left"
grep -q '^-- Removed [0-9]* of [0-9]* installed files$' "$scratch/log" || fail "$(cat "$scratch/log")"

# What was installed below DESTDIR is taken away with it, all of it, and not without it.
DESTDIR=$scratch/stage cmake --install "$PW_BUILD" --prefix /opt/wars >"$scratch/log" 2>&1 ||
    fail "installing with DESTDIR: $(cat "$scratch/log")"
page=$scratch/stage/opt/wars/share/man/man1/bfs.1
[ ! -e "$page" ] ||
    grep -q '/opt/wars/share/pointer' "$page" ||
    fail "the prefix is not in FILES of bfs.1"
cmake --build "$PW_BUILD" --target uninstall >"$scratch/log" 2>&1 && fail "uninstalled without DESTDIR"
tr '\n' ' ' <"$scratch/log" | grep -q "files were installed with DESTDIR=$scratch/stage" ||
    fail "$(cat "$scratch/log")"
[ -x "$scratch/stage/opt/wars/bin/bfs" ] || fail "bfs went without DESTDIR"
DESTDIR=$scratch/stage cmake --build "$PW_BUILD" --target uninstall >"$scratch/log" 2>&1 ||
    fail "$(cat "$scratch/log")"
left=$(find "$scratch/stage" -mindepth 1)
[ -z "$left" ] || fail "left by uninstall in DESTDIR: $left"

sanitizer=${PW_SANITIZE:+-fsanitize=$PW_SANITIZE}
cmake --install "$PW_BUILD" --prefix "$scratch/first" >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    exit 1
}
mv "$scratch/first" "$scratch/prefix"
prefix=$scratch/prefix
config=$(find "$prefix" -name pointer_wars-config.cmake)
libraries=${config%/cmake/pointer_wars/*}

documents=share/doc/pointer-wars
for file in include/linked_list.h include/linked_list_more.h include/queue.h \
    include/queue_more.h include/node_allocator.h include/node_front.h \
    $documents/LICENSE $documents/CHANGELOG.md $documents/examples/lifo.c \
    $documents/examples/harness.c $documents/examples/level4.c \
    $documents/examples/level4_files.h share/pointer-wars/sample/borders.tsv bin/bfs-study bin/wikipedia-fetch; do
    [ -e "$prefix/$file" ] || fail "not installed: $file"
done
grep -rlF -e "$PW_SOURCE" -e "$PW_BUILD" -e "$scratch/first" "$prefix/include" \
    "$libraries/cmake" "$libraries/pkgconfig" >"$scratch/places" &&
    fail "these know where they came from: $(cat "$scratch/places")"

# By hand.
if [ -e "$libraries/libqueue.so" ]; then
    # shellcheck disable=SC2086 # one flag, or none
    "$PW_CC" -Wall -Wextra -Werror $sanitizer -I "$prefix/include" \
        "$PW_SOURCE/tests/libqueue/harness_queue.c" -o "$scratch/by_hand" -L "$libraries" -lqueue ||
        fail "building by hand"
    run "by hand" env LD_LIBRARY_PATH="$libraries" "$scratch/by_hand"
fi

# A program in C and in C++ for each library: linked_list, queue, pwgraph.
mkdir "$scratch/consumer"
cd "$scratch/consumer" || exit 1
cat >linked_list.c <<'END'
#include <linked_list_more.h>
#include <stdio.h>
int main(void)
{
    struct linked_list *ll = linked_list_create();
    bool done = ll != NULL && linked_list_insert_end(ll, 7) && linked_list_find(ll, 7) == 0;
    puts(done && linked_list_delete(ll) ? "ok" : linked_list_error());
    return 0;
}
END
cp "$PW_SOURCE/tests/libqueue/harness_queue.c" queue.c
cat >pwgraph.c <<'END'
#include <pwgraph.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    char message[PWGRAPH_TEXT_SIZE] = "";
    uint32_t from = 0, to = 0, hops = 0;
    struct pwgraph *graph = argc == 2 ? pwgraph_load(argv[1], message) : NULL;
    struct pwgraph_search *search = graph != NULL ? pwgraph_search_create(graph, NULL, NULL) : NULL;
    bool found = search != NULL && pwgraph_find(graph, "Laos", &from) &&
                 pwgraph_find(graph, "Poland", &to) &&
                 pwgraph_search_run(search, from, to, &hops) == PWGRAPH_FOUND;
    puts(found && hops > 1 ? "ok" : message);
    pwgraph_search_free(search);
    pwgraph_free(graph);
    return 0;
}
END
libraries_built="linked_list queue"
[ ! -e "$libraries/libpwgraph.so" ] || libraries_built="$libraries_built pwgraph"
languages=C
! command -v c++ >/dev/null 2>&1 || languages="C CXX"
sample=$prefix/share/pointer-wars/sample/borders.tsv

# With pkg-config.
export PKG_CONFIG_PATH="$libraries/pkgconfig"
static=
[ -e "$libraries/libqueue.so" ] || static=--static
for library in $libraries_built; do
    cp "$library.c" "$library.cpp"
    for language in $languages; do
        compiler=$PW_CC
        source=$library.c
        [ "$language" = C ] || { compiler=c++ && source=$library.cpp; }
        # shellcheck disable=SC2046,SC2086 # words
        $compiler $sanitizer -Wall -Wextra $(pkg-config --cflags $library) $source -o by_pkg_config \
            $(pkg-config $static --libs $library) -Wl,-rpath-link,"$libraries" ||
            fail "building $source with pkg-config"
        run "$source with pkg-config" env LD_LIBRARY_PATH="$libraries" ./by_pkg_config "$sample"
    done
done

# With find_package.
cp "$PW_SOURCE/tests/liblist/harness.c" .
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(consumer LANGUAGES ${LANGUAGES})
find_package(pointer_wars ${VERSION} REQUIRED)
foreach(library ${LIBRARIES})
  add_executable(${library}_c ${library}.c)
  target_link_libraries(${library}_c PRIVATE pointer_wars::${library})
  if(CMAKE_CXX_COMPILER)
    add_executable(${library}_cxx ${library}.cpp)
    target_link_libraries(${library}_cxx PRIVATE pointer_wars::${library})
  endif()
endforeach()
add_executable(both harness.c)
target_link_libraries(both PRIVATE pointer_wars::linked_list pointer_wars::queue)
END
if cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$PW_CC" \
    -DVERSION="$(pkg-config --modversion queue)" \
    -DCMAKE_C_FLAGS="$sanitizer" -DCMAKE_CXX_FLAGS="$sanitizer" \
    -DLANGUAGES="$(echo "$languages" | tr ' ' ';')" \
    -DLIBRARIES="$(echo "$libraries_built" | tr ' ' ';')" >"$scratch/log" 2>&1 &&
    cmake --build build >>"$scratch/log" 2>&1; then
    for program in build/*_c build/*_cxx; do
        [ ! -x "$program" ] || run "$program, with find_package" "$program" "$sample"
    done
    run "with find_package, both" build/both
else
    cat "$scratch/log"
    fail "building with find_package"
fi

# Programs, and what the installed examples and pages ask of them.
for program in "$prefix"/bin/*; do
    "$program" --help >"$scratch/log" 2>&1
    [ $? != 127 ] || fail "${program##*/} does not start: $(cat "$scratch/log")" # the loader's exit
done
if [ -e "$libraries/libqueue.so" ] && [ -z "$PW_SANITIZE" ]; then
    "$PW_CC" -shared -fPIC -I "$prefix/include" -o lifo.so "$prefix/$documents/examples/lifo.c" ||
        fail "building the example plug-in"
    "$prefix/bin/allocbench" check --alloc plugin:./lifo.so >"$scratch/log" 2>&1 ||
        fail "the example plug-in: $(cat "$scratch/log")"
fi
pairs=$prefix/share/pointer-wars/sample/borders-pairs.tsv
for run in 1 2; do
    "$prefix/bin/bfs" "$sample" "$pairs" --quiet --trials 3 --format json --output $run.json \
        2>"$scratch/log" || fail "$(cat "$scratch/log")"
done
"$prefix/bin/bfs-study" compare 1.json 2.json >"$scratch/log" 2>&1 || fail "compare: $(cat "$scratch/log")"
# A package calls it pointer-wars-bfs, and bfs may be another program.
mv "$prefix/bin/bfs" "$prefix/bin/pointer-wars-bfs"
printf '#!/bin/sh\necho "another bfs" >&2\nexit 1\n' >"$prefix/bin/bfs"
chmod +x "$prefix/bin/bfs"
"$prefix/bin/bfs-study" "$sample" "$pairs" --alloc malloc,slab --rounds 2 --rounds-max 2 --sim none \
    --output study >"$scratch/log" 2>&1 || fail "study: $(cat "$scratch/log")"
grep -q slab study/results.csv || fail "study: no results"
mv "$prefix/bin/pointer-wars-bfs" "$prefix/bin/bfs"
# Commands say their installed names: in usage, in examples, in errors.
for name in study judge; do
    "$prefix/bin/bfs-$name" --help >help 2>&1
    grep -qi "^usage: bfs-$name " help || fail "bfs-$name calls itself: $(head -n 1 help)"
    grep -q "^  bfs-$name [^-]" help || fail "no example of bfs-$name: $(cat help)"
    if grep -e "perf/" -e "^  $name " help; then fail "bfs-$name --help has another name"; fi
    "$prefix/bin/bfs-$name" /nonexistent /nonexistent >help 2>&1
    grep -q "^bfs-$name: " help || fail "an error of bfs-$name: $(cat help)"
done
"$prefix/bin/bfs-study" ideas --help >help 2>&1
grep -q "^usage: bfs-study ideas " help || fail "bfs-study ideas: $(cat help)"
"$prefix/bin/bfs-study" compare --help >help 2>&1
grep -q "^usage: bfs-study compare " help || fail "bfs-study compare: $(cat help)"
grep -q "^  bfs-study compare [^-]" help || fail "bfs-study compare: $(cat help)"
"$PW_SOURCE/perf/study" --help >help 2>&1
grep -q "^usage: study " help || fail "perf/study: $(cat help)"
grep -q "^  perf/study " help || fail "perf/study: $(cat help)"
[ -z "$(find "$prefix" -name '*.pyc')" ] || fail "the study writes into its own folder"
if [ -e "$PW_BUILD/packaging/stamp" ]; then
    for program in "$prefix"/bin/*; do
        [ -e "$prefix/share/man/man1/${program##*/}.1" ] || fail "no manual page of ${program##*/}"
    done
    for file in bash-completion/completions/bfs zsh/site-functions/_bfs \
        fish/vendor_completions.d/bfs.fish; do
        [ -e "$prefix/share/$file" ] || fail "not installed: $file"
    done
fi
exit $failed

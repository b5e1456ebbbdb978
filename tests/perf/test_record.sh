#!/bin/sh
# test_record.sh - `allocbench record` and `trace`: a program whose requests are known, and programs
# that cannot be recorded.
set -u
. "$PW_SOURCE/tests/support/script.sh"
bench=$PW_BUILD/bin/allocbench
asks=$PW_BUILD/tests/asks_malloc
cd "$scratch" || exit 1
mkdir tmp "with a blank"
export TMPDIR="$scratch/tmp"

said() { # said TEXT: the last command said so, on standard error
    tr '\n' ' ' <err | grep -q -- "$1" || fail "$what: no \"$1\" in: $(cat err)"
}

record() { # record STATUS FILE COMMAND...: ends so, and prints what the command prints alone
    status=$1
    file=$2
    shift 2
    what="record $*"
    "$@" >expected 2>alone.err </dev/null
    timeout 1200 "$bench" record -o "$file" -- "$@" >out 2>err </dev/null
    got=$?
    [ $got -eq "$status" ] || fail "$what: ended with $got: $(cat err)"
    cmp -s expected out || fail "$what: prints something else: $(cat out)"
}

refused() { # refused TEXT COMMAND...: with 1 and one line, and without a file
    text=$1
    shift
    what="record $*"
    "$bench" record -o no.rec -- "$@" >out 2>err </dev/null
    got=$?
    [ $got -eq 1 ] || fail "$what: ended with $got: $(cat err)"
    said "^allocbench: $text"
    [ "$(wc -l <err)" -eq 1 ] || fail "$what: more than one line: $(cat err)"
    [ -z "$(find . -name 'no.rec*')" ] || fail "$what: a file where nothing was recorded"
}

requests() { # requests FILE: as the last record said
    tr '\n' ' ' <err | sed -n "s/.*$1: [^:]* made \([0-9]*\) requests.*/\1/p"
}

# What is recorded: every request, before main, in a constructor and at the end.
record 0 none.rec "$asks" none
said 'at most [0-9.]* KiB alive' # and not "0.0 MiB"
none=$(($(requests none.rec) - $(cut -d' ' -f1 <expected)))
record 0 "with a blank/ü.rec" "$asks" steps 2000
steps=$(requests "with a blank.ü.rec")
[ "$((steps - none))" -eq "$(cut -d' ' -f1 <expected)" ] ||
    fail "recorded are $steps requests, $none of the loader and at the end; made: $(cat expected)"
[ -s "with a blank/ü.rec" ] || fail "no file"
bytes=$(wc -c <"with a blank/ü.rec")
[ "$bytes" -lt $((65536 + 14 * steps)) ] || fail "$bytes bytes for $steps requests"

record 3 fails.rec "$asks" fails
record 134 crash.rec "$asks" crash
said 'ended by signal 6 (Aborted); its recording ends there'
record 137 killed.rec "$asks" killed
[ "$(requests killed.rec)" -ge "$((none + 999))" ] || fail "killed: $(cat err)"
record 0 closes.rec "$asks" closes 200000
[ "$(requests closes.rec)" -ge 200000 ] || fail "closes: $(cat err)"
record 0 threads.rec "$asks" threads
said 'in several threads'
[ "$(requests threads.rec)" -ge 12000 ] || fail "threads: $(cat err)"
record 0 signals.rec "$asks" signals

# A real-time thread that waits for the recorder leaves the processor to the thread it waits for.
if timeout 60 "$asks" real-time >out 2>err; then # else real-time priorities are forbidden
    what="real time"
    timeout 60 "$bench" record -o real-time.rec -- "$asks" real-time >out 2>err ||
        fail "$what: ended with $?: $(cat err)"
    said 'in several threads'
fi

# What C++ asks for, also with an alignment and for arrays; and it prints what it prints alone.
cat >news.cpp <<'END'
#include <cstdio>
#include <new>
struct alignas(256) wide { char text[300]; };
int main()
{
    bool is_aligned = true;
    for (int i = 0; i < 1000; i++) {
        int *one = new int(i);
        int *many = new int[100];
        wide *aligned = new wide;
        is_aligned = is_aligned && reinterpret_cast<unsigned long>(aligned) % 256 == 0;
        delete one;
        delete[] many;
        delete aligned;
    }
    try {
        delete[] new char[static_cast<unsigned long>(-1) / 4];
    } catch (const std::bad_alloc &) {
        puts(is_aligned ? "aligned, and no memory" : "not aligned");
    }
}
END
if c++ -std=c++17 -w -fno-builtin -O0 -o news news.cpp 2>cc.err; then
    record 0 news.rec ./news
    [ "$(cat out)" = 'aligned, and no memory' ] || fail "$what: $(cat out)"
    [ "$(requests news.rec)" -ge 3001 ] || fail "$what: $(cat err)"
fi

# A malloc that is linked with a program may have operators new and delete of its own.
cat >linked.cpp <<'END'
#include <cstdio>
#include <new>
struct alignas(64) line { char text[64]; };
int main(int argc, char **)
{
    long sum = 0;
    for (int i = 0; i < 5000; i++) {
        int *one = new int(i);
        char *many = new char[i % 90 + 1];
        double *quiet = new (std::nothrow) double(1);
        sum += *one + (quiet != nullptr);
        delete one;
        delete[] many;
        ::operator delete(quiet, std::nothrow);
        if (argc > 1) {
            line *aligned = new line;
            sum += reinterpret_cast<unsigned long>(aligned) % 64;
            delete aligned;
        }
    }
    try {
        delete[] new char[argc > 2 ? static_cast<unsigned long>(-1) / 4 : 7];
        printf("%ld\n", sum);
    } catch (const std::bad_alloc &) {
        printf("%ld, then refused\n", sum);
    }
}
END
for library in tcmalloc_minimal.so.4 jemalloc.so.2 mimalloc.so.2; do
    c++ -std=c++17 -w -fno-builtin -O0 -Wl,--no-as-needed -o linked linked.cpp \
        "-l:lib$library" 2>cc.err || { echo "skipped: lib$library is not installed" && continue; }
    for options in "" aligned "aligned refused"; do
        # shellcheck disable=SC2086 # words
        if ! ./linked $options >out 2>err; then # in C, mimalloc cannot throw
            echo "skipped: lib$library $options fails without us, too"
            continue
        fi
        # shellcheck disable=SC2086
        record 0 linked.rec ./linked $options
        least=$([ -n "$options" ] && echo 20001 || echo 15001)
        [ "$(requests linked.rec)" -ge "$least" ] || fail "$library: $(cat err)"
        ! grep -q 'of its own' err || fail "$library: its pages are taken for others: $(cat err)"
    done
done

# The program's own malloc serves. So blocks go to and fro between it and libraries that have glibc's
# free, or that hand out blocks in other ways; and nothing is refused or locked that was not before.
cat >plugin.c <<'END'
#include <stdlib.h>
#include <string.h>
char *exchange(char *text)
{
    char *own = strdup(text);
    free(text);
    return own;
}
END
cat >host.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_DEEPBIND);
    char *(*exchange)(char *) = (char *(*)(char *))dlsym(plugin, "exchange");
    for (int i = 0; i < 300; i++) {
        char *text = malloc(40 + i);
        strcpy(text, "there and back");
        text = exchange(text);
        text = realloc(text, 5000);
        if (i == 299) {
            puts(text);
        }
        free(text);
    }
}
END
cc -shared -fPIC -o plugin.so plugin.c || fail "cc"
cc -w -o host host.c -ldl || fail "cc"
record 0 plugin.rec ./host
[ "$(cat out)" = 'there and back' ] || fail "$what: $(cat out)"
[ "$(requests plugin.rec)" -ge 600 ] || fail "$what: $(cat err)"
cat >extended.c <<'END'
#include <stdio.h>
#include <stdlib.h>
void *mallocx(size_t size, int flags);
int main(void)
{
    for (int i = 1; i <= 200; i++) {
        void *block = realloc(mallocx(i * 10, 0), i * 30);
        free(mallocx(i * 7, 0));
        free(block);
    }
    puts("finished");
}
END
if cc -w -o extended extended.c -l:libjemalloc.so.2 2>cc.err; then
    record 0 extended.rec ./extended
    [ "$(cat out)" = finished ] || fail "$what: $(cat out)"
else
    echo "skipped: libjemalloc.so.2 is not installed"
fi
cat >limits.c <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
int main(int argc, char **argv)
{
    size_t granted = 0;
    if (!strcmp(argv[1], "locked")) {
        char line[100];
        long kib = 0;
        const int is_locked = mlockall(MCL_FUTURE) == 0;
        char *grown = NULL;
        for (size_t size = 1; size <= 60; size++) {
            grown = realloc(grown, size << 20);
        }
        FILE *status = fopen("/proc/self/status", "r");
        while (fgets(line, sizeof(line), status)) {
            sscanf(line, "VmLck: %ld", &kib);
        }
        printf("%s\n", !is_locked || kib < 100 << 10 ? "as asked for" : "more is locked");
        return 0;
    }
    if (!strcmp(argv[1], "data")) {
        const struct rlimit limit = {160 << 20, 160 << 20};
        setrlimit(RLIMIT_DATA, &limit);
    }
    for (int i = 0; i < 64; i++) {
        char *block = malloc(!strcmp(argv[1], "data") ? 33 << 20 : (size_t)600 << 20);
        granted += block != NULL;
    }
    free(malloc((size_t)9 << 30));
    char *copy = strdup("a copy");
    printf("%zu %s\n", granted, copy ? copy : "no copy");
}
END
cc -O0 -fno-builtin -w -o limits limits.c || fail "cc"
for mode in locked data sparse; do
    record 0 limits.rec ./limits $mode
done

# Every program of a tree is a recording, and so is a child of a fork; --only picks.
record 0 fork.rec "$asks" fork 500
said 'fork.rec.asks_malloc.fork: asks_malloc (a child of a fork) made'
record 0 exec.rec "$asks" exec
said 'exec.rec.asks_malloc: asks_malloc made'
record 0 shell.rec sh -c "'$asks' steps 100; '$asks' none"
said 'shell.rec.asks_malloc: '
[ "$(requests shell.rec.asks_malloc)" -gt 100 ] || fail "not the largest of a name: $(cat err)"
said 'asks_malloc: 1 more of this name is not kept; all 2 made [0-9]* requests'
[ "$(wc -l <err)" -eq 3 ] || fail "a program twice: $(cat err)"
record 0 four.rec sh -c "for i in 20 30 40 50; do '$asks' steps \$i; done; exit 0"
said 'asks_malloc: 3 more of this name are not kept; all 4 made [0-9]* requests'
if command -v python3 >/dev/null; then
    cat >pool.py <<'END'
import multiprocessing

def work(number):
    return sum(map(len, [b"y" * (700 + number + i) for i in range(400)]))

if __name__ == "__main__":
    for how in "fork", "spawn":
        with multiprocessing.get_context(how).Pool(5) as pool:
            print(sum(pool.map(work, range(30), 1)))
END
    record 0 pool.rec python3 pool.py
    said 'pool.rec.python3[0-9.]*.fork: python3[0-9.]* (a child of a fork) made'
    said '(children of a fork): 4 more of this name are not kept; all 5 made [0-9]\{5,\} requests'
    said 'python3[0-9.]*: [4-9] more of this name are not kept; all [0-9]* made [0-9]\{5,\} requests'
fi
what="record --only"
"$bench" record -o only.rec --only asks_malloc -- sh -c "'$asks' steps 100; exit 0" >out 2>err
said 'only.rec: asks_malloc made'
[ "$(wc -l <err)" -eq 1 ] || fail "--only: $(cat err)"
two="'$asks' none; '$asks' steps 3000; exit 0"
"$bench" record -o several.rec --only asks_malloc -- sh -c "$two" >out 2>err ||
    fail "--only of two programs: $(cat err)"
[ "$(requests several.rec)" -gt 3000 ] || fail "not the largest of two programs: $(cat err)"
said '1 more of this name is not kept'
[ "$(wc -l <err)" -eq 2 ] || fail "--only of two programs: $(cat err)"
for name in absent asks_malloc:3; do
    "$bench" record -o absent.rec --only $name -- sh -c "$two" >out 2>err && fail "--only of none"
    said "no program named $name is among the 3 that were seen"
    [ ! -e absent.rec ] || fail "a file of a failed recording"
done
"$bench" record -o forks.rec --only asks_malloc -- sh -c "'$asks' none; '$asks' fork 500; exit 0" \
    >out 2>err || fail "--only of forks: $(cat err)"
said 'forks.rec: asks_malloc made'
said 'forks.rec.asks_malloc.fork: asks_malloc (a child of a fork) made'

# A name with escapes: none reaches the terminal or the name of a file.
for name in "$(printf 'od\033[31md\302\233')" "$(printf 'two\nlines')"; do
    cp "$asks" "$name"
    record 0 escapes.rec sh -c '"$0" steps 100; exit 0' "./$name"
    LC_ALL=C grep -q "$(printf '[\033\233]')" err && fail "escapes of a name: $(od -c err)"
    find . -name 'escapes.rec*' | LC_ALL=C grep -q "$(printf '[\033\233]')" && fail "in a file's name"
    [ "$(find . -name 'escapes.rec.*' | wc -l)" -eq 1 ] || fail "no recording of the odd program"
    rm escapes.rec*
done
record 0 alignment.rec "$asks" far-apart

# The program itself is not written over.
cp "$asks" odd
ln -s odd link
for file in odd link ./odd "$scratch/odd"; do
    what="record -o $file -- ./odd"
    "$bench" record -o "$file" -- ./odd none >out 2>err && fail "$what"
    said "cannot write .*odd\|cannot write link: it is an input file"
    cmp -s odd "$asks" || fail "$what: the program is written over"
done
for folders in "$scratch:$PATH" ":$PATH" "$PATH:"; do # an empty folder is the current one
    what="PATH=$folders record -o odd -- odd"
    PATH=$folders "$bench" record -o odd -- odd none >out 2>err && fail "$what"
    said 'it is an input file'
    cmp -s odd "$asks" || fail "$what: the program is written over"
done

# What cannot be recorded.
refused './nosuchprogram: cannot be started: No such file' ./nosuchprogram
: >data
refused './data: cannot be started: Permission denied' ./data
if printf 'int main(void) { return 0; }\n' | cc -x c -static -o static - 2>cc.err; then
    refused './static: nothing is recorded: it is statically linked' ./static
fi
printf '#include <sys/auxv.h>\nint main(void) { return getauxval(AT_SECURE) == 0; }\n' |
    cc -x c -o secure - && chown 65534 secure 2>cc.err && chmod 4755 secure
if ./secure; then # else only root can make a set-user-id program, or the file system forbids them
    refused './secure: nothing is recorded: .* runs with another user' ./secure
fi

# A wrapper is what it becomes; what is not seen of its programs has the reason that its file gives.
printf '#!/bin/sh\nexec "%s" steps 333\n' "$asks" >wrapper
chmod +x wrapper
record 0 wrapper.rec ./wrapper
said 'wrapper.rec: asks_malloc made'
said 'wrapper.rec.wrapper: wrapper made'
printf '#!%s/static\n' "$scratch" >script
chmod +x script
if [ -x static ]; then
    refused './script: nothing is recorded: it is statically linked' ./script
    cat >starts.c <<'END'
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
int main(int argc, char **argv)
{
    if (fork() == 0) {
        execv(argv[1], argv + 1);
    }
    return wait(NULL) < 0;
}
END
    cc -static -o starts starts.c
    refused './starts: nothing of it is recorded: it is statically linked; recorded: asks_malloc' \
        ./starts "$asks" steps 50
fi
printf 'int main(void) { return 0; }\n' >empty.c
if cc -fsanitize=address -o checked empty.c 2>cc.err && ! readelf -d checked | grep -q libasan; then
    rm checked # it is linked statically
fi
if [ -x checked ]; then
    what='AddressSanitizer'
    "$bench" record -o no.rec -- ./checked >out 2>err && fail "$what: $(cat err)"
    said 'allocbench: ./checked: nothing is recorded: it needs libasan.* which has to come first'
fi
cat >silent.c <<'END'
int main(void)
{
    return 0;
}
__attribute__((section(".preinit_array"), used)) static void *const first = (void *)_exit;
END
if cc -w -include unistd.h -o silent silent.c 2>cc.err; then # it ends before the library begins
    refused './silent: nothing is recorded: the reason is not known' ./silent
fi

# An allocator of the program's own: a function malloc, or memory from elsewhere.
cat >arena.c <<'END'
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
void *take(size_t size);
#ifdef NAMED
static char room[9 << 20];
void free(void *block)
{
}
void *calloc(size_t count, size_t size)
{
    return take(count * size);
}
void *realloc(void *block, size_t size)
{
    void *copy = take(size);
    return block && copy ? memcpy(copy, block, size) : copy;
}
#else
static char *room;
#endif
static size_t used;
void *take(size_t size)
{
    used += (size + 31) / 32 * 32;
    return room + used - (size + 31) / 32 * 32;
}
int main(void)
{
#ifdef BREAK
    room = sbrk(9 << 20);
#elif !defined(NAMED)
    room = mmap(NULL, 9 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
    for (int i = 0; i < 30000; i++) {
        memset(take(200), i, 200);
    }
    puts("served");
}
END
cc -O0 -fno-builtin -w -DNAMED -Dtake=malloc -o named arena.c || fail "cc"
cc -O0 -fno-builtin -w -o unnamed arena.c || fail "cc"
cc -O0 -fno-builtin -w -DBREAK -o broken arena.c || fail "cc"
for name in named unnamed broken; do
    refused "$name: it has an allocator of its own: nothing of it is seen" ./$name
done
printf '#include <stdlib.h>\nint main(void) { for (int i = 0; i < 9000; i++) free(malloc(i)); }\n' >inside.c
for library in jemalloc tcmalloc_minimal mimalloc; do # in the program's own file
    if cc -O0 -fno-builtin -w -o inside inside.c "-l:lib$library.a" -lstdc++ -lm -ldl -pthread 2>cc.err &&
        nm inside | grep -q ' [TtWw] malloc$'; then
        refused 'inside: it has an allocator of its own: nothing of it is seen' ./inside
    else
        echo "skipped: lib$library.a is not installed, or has no function malloc"
    fi
done
compiler=$(rustc --print sysroot 2>err)/bin/rustc
if nm -D "$compiler" 2>err | grep -q ' T malloc$'; then
    refused 'rustc: it has an allocator of its own: nothing of it is seen' "$compiler" --version
else
    echo "skipped: no rustc with a malloc of its own is installed"
fi
cat >lists.nim <<'END'
import tables
var all = initTable[int, seq[int]]()
for i in 1 .. 300000: all.mgetOrPut(i mod 5003, @[]).add(i)
echo all.len
END
if command -v nim >/dev/null && nim c -d:release --hints:off --nimcache:cache lists.nim >nim.err 2>&1; then
    refused 'lists: it has an allocator of its own: nothing of it is seen' ./lists
else
    echo "skipped: nim is not installed"
fi
cat >mixed.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
int main(void)
{
    memset(malloc(700000), 1, 700000);
    memset(mmap(NULL, 7 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1, 7 << 20);
}
END
cc -O0 -fno-builtin -w -o mixed mixed.c || fail "cc"
cat >heir.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    char *room = memset(malloc(30 << 20), 1, 30 << 20);
    if (fork() == 0) {
        char *small = memset(malloc(5000), 2, 5000);
        _exit(room[9] + small[9] != 3);
    }
    int status = 1;
    wait(&status);
    return status;
}
END
cc -O0 -fno-builtin -w -o heir heir.c || fail "cc"
record 0 heir.rec ./heir
said 'heir.rec.heir.fork: heir (a child of a fork) made'
! grep -q 'of its own' err || fail "$what: the memory of its parent: $(cat err)"
cat >wide.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static char table[11 << 20];
static __thread char own[3 << 20];
static void *work(void *all)
{
    char local[3 << 20];
    memset(local, 1, sizeof(local));
    free(malloc(70));
    return all;
}
int main(void)
{
    pthread_t threads[3];
    memset(own, 1, sizeof(own));
    memset(table, 1, sizeof(table));
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, work, NULL);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
}
END
cc -O0 -fno-builtin -w -o wide wide.c -pthread || fail "cc"
record 0 wide.rec ./wide
! grep -q 'of its own' err || fail "$what: stacks and variables: $(cat err)"
record 0 mixed.rec ./mixed
said 'mixed.rec: mixed: it has an allocator of its own: most of it is not seen. Of the 7.* MiB'

# A service that a signal ends says nothing at its end; what it mapped and touched is known.
cat >service.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    const size_t most = (size_t)atoi(argv[1]) << 10, touched = (size_t)atoi(argv[2]) << 10;
    char *room = mmap(NULL, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(room, 3, touched);
    free(malloc(350));
    kill(getpid(), atoi(argv[3]));
    pause();
}
END
cc -O0 -fno-builtin -w -o service service.c || fail "cc"
for signal in 15 9 11; do
    [ -z "${PW_SANITIZE:-}" ] || break # what a sanitizer touches in the program would count, too
    refused 'service: it has an allocator of its own: nothing of it is seen. Of the [45]' \
        ./service 7000 5000 $signal
    record $((128 + signal)) reserved.rec ./service 90000 50 $signal
    ! grep -q 'of its own' err || fail "$what: what it did not touch: $(cat err)"
done
record 143 little.rec ./service 900 900 15
! grep -q 'of its own' err || fail "$what: little memory: $(cat err)"
record 0 worker.rec sh -c './service 7000 5000 15; exit 0'
said 'service: whether it has an allocator of its own is not known: its end was not seen. It asked'
said 'asked the system for 6.8 MiB itself, and malloc for at most'

# Out of memory, or of room on the disk, in the middle.
what="out of memory"
"$bench" record -o memory.rec --only asks_malloc -- sh -c "ulimit -v 400000; exec '$asks' greedy" \
    >out 2>err || fail "$what: $(cat err)"
[ "$(cat out)" = '2 requests' ] || fail "$what: it prints $(cat out)"
[ "$(requests memory.rec)" -ge 100 ] || fail "$what: $(cat err)"
"$bench" trace memory.rec --alloc malloc --runs 1 >out 2>err || fail "trace: $(cat err)"
if "$PW_BUILD/tests/forbids" longer-files true 2>err; then
    what="a full disk"
    "$asks" steps 200000 >expected
    "$PW_BUILD/tests/forbids" longer-files "$bench" record -o full.rec -- "$asks" steps 200000 \
        >out 2>err || fail "$what: $(cat err)"
    cmp -s expected out || fail "$what: it prints $(cat out)"
    said 'full.rec: the recording ends early: No space left'
    [ "$(requests full.rec)" -ge 100 ] || fail "$what: $(cat err)"
    "$bench" trace full.rec --alloc malloc --runs 1 >out 2>err || fail "trace: $(cat err)"
fi
if [ -c /dev/full ]; then
    what="a full disk for the file"
    "$bench" record -o /dev/full -- "$asks" none >out 2>err
    [ $? -eq 1 ] || fail "$what: $(cat err)"
    said '^allocbench: cannot write /dev/full: No space left'
    [ "$(wc -l <err)" -eq 1 ] || fail "$what: more than one line: $(cat err)"
fi

# Ctrl-C: the recording ends there, and is whole.
what="Ctrl-C"
setsid -w "$bench" record -o interrupted.rec -- "$asks" interrupts >out 2>err
[ $? -eq 130 ] || fail "$what: $(cat err)"
said 'ended by signal 2 (Interrupt); its recording ends there'
[ "$(requests interrupted.rec)" -ge 1000 ] || fail "$what: $(cat err)"
"$bench" trace interrupted.rec --alloc malloc --runs 1 >out 2>err || fail "trace: $(cat err)"

# Other signals end it alike, also several of them: timeout sends its signal twice.
printf '#include <stdlib.h>\nint main(void) { for (;;) free(malloc(33)); }\n' >loop.c
cc -O0 -fno-builtin -o loop loop.c || fail "cc"
for signal in TERM HUP TERM HUP; do
    what="timeout -s $signal"
    rm -f loop.rec
    timeout -s "$signal" 0.5 "$bench" record -o loop.rec -- ./loop >out 2>err
    for wait in 1 2 3 4 5 6 7 8 9 10; do # timeout does not wait for what it signals
        { [ -s loop.rec ] && [ -z "$(ls tmp)" ]; } && break
        sleep "0.$wait"
    done
    [ -s loop.rec ] || fail "$what: nothing is kept: $(cat err)"
    [ -z "$(ls tmp)" ] || fail "$what: left in TMPDIR: $(ls tmp)"
done

# A signal to the recorder alone reaches the command, which ends in its own way.
for signal in INT TERM HUP; do
    what="$signal to the recorder"
    timeout -s KILL 60 env --default-signal=INT "$bench" record -o parts.rec -- sh -c '
        trap "echo parting; exit 6" INT TERM HUP
        kill -'$signal' $PPID
        while :; do sleep 0.1; done' >out 2>err
    [ "$? $(cat out)" = '6 parting' ] || fail "$what: $(cat out err)"
    said 'parts.rec: sh made'
done

# The help of one has its own options only, and a sentence.
help_has() { # help_has NAME OPTIONS NO_OPTIONS
    what="$1 --help"
    "$bench" "$1" --help >out 2>err || fail "$what: $(cat err)"
    sed -n 1p out | grep -q "^Usage: allocbench $1 " || fail "$what: $(cat out)"
    tr '\n' ' ' <out | grep -q '  It [^.]*\. ' || fail "$what: no sentence: $(cat out)"
    for option in $2; do
        grep -q -- "--$option\b" out || fail "$what: no --$option"
    done
    for option in $3; do
        ! grep -q -- "--$option\b" out || fail "$what: --$option"
    done
    awk 'length > 80 { exit 1 }' out || fail "$what: lines of more than 80 characters"
}
help_has record 'only sites output=FILE help' 'alloc runs seed input no-replay counts depth format'
help_has memory 'alloc runs only input format output' 'seed sites no-replay counts rounds as-published'
help_has program 'alloc runs only input no-replay' 'sites depth searches'
help_has queue 'alloc seed depth length as-published' 'only sites counts'
help_has check 'alloc runs seed' 'output only format'

"$bench" record -o nowhere/no.rec -- "$asks" none >out 2>err
[ $? -eq 1 ] || fail "a folder that is not there"
"$bench" record -- "$asks" none >out 2>err
[ $? -eq 2 ] || fail "record without a file"
"$bench" record -o no.rec >out 2>err
[ $? -eq 2 ] || fail "record without a command"

# The memory of a program that grows is read some 64 times, and not with each request.
what="looks at memory"
if [ -z "${PW_SANITIZE:-}" ] && strace -f -o calls true 2>/dev/null; then # no leaks under strace
    "$bench" record -q -o grows.rec -- awk 'BEGIN { for (i = 0; i < 20000; i++) a[i] = "x" i }' >out 2>err ||
        fail "$what: $(cat err)"
    strace -f -e trace=pread64 -o calls "$bench" trace grows.rec --alloc malloc --runs 1 >out 2>err ||
        fail "$what: $(cat err)"
    looks=$(grep -c pread64 calls)
    [ "$looks" -le 200 ] || fail "$what: $looks"
fi

# The recorded requests on any allocator.
what=trace
trace() { # trace FILE ALLOCATORS
    "$bench" trace "$1" --alloc "$2" --runs 1 --format csv >out 2>err || fail "trace $1: $(cat err)"
}
trace "with a blank/ü.rec" malloc,slab,first-fit:heap=64M,bump:heap=512M
[ "$(wc -l <out)" -eq 5 ] || fail "trace: $(cat out)"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 && !($at["request_ns"] > 0 && $at["request_median_ns"] <= $at["request_99_ns"] &&
        $at["request_99_ns"] <= $at["request_999_ns"]) { exit 1 }' out || fail "trace: $(cat out)"
"$bench" trace threads.rec --alloc malloc,first-fit:heap=256M --runs 2 >out 2>err ||
    fail "trace: $(cat err)"
awk 'length > 80 { exit 1 }' out || fail "lines of more than 80 characters: $(cat out)"
for figure in 'request ns .*median .*99.9 %' 'release ns .*99.9 % .*drained, KiB' 'held per live'; do
    grep -q "^allocator .*$figure" out || fail "trace: no \"$figure\" in: $(cat out)"
done
trace fork.rec.asks_malloc.fork malloc
"$bench" trace --runs 1 >out 2>err
[ $? -eq 2 ] || fail "trace without a file"
"$bench" trace nowhere.rec --runs 1 >out 2>err
[ $? -eq 1 ] || fail "trace of nothing"
said 'nowhere.rec: cannot be opened'
printf '= Start\n@ a:[0x1] + 0x10 0x20\n= End\n' >text
"$bench" trace text --runs 1 >out 2>err && fail "trace of a text"
said 'text: is not a recording of allocbench'
head -c 66500 closes.rec >cut.rec
"$bench" trace cut.rec --runs 1 >out 2>err && fail "trace of a cut recording"
said 'cut.rec: is cut'

left=$(ls tmp)
[ -z "$left" ] || fail "left in TMPDIR: $left"
exit $failed
